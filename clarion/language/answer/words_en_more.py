"""English words around the stance: doubt, question, time, other people, talk that is no answer."""

from clarion.language.answer import kinds as k

PHRASES: dict[str, str] = {
    k.FUTURE: """
        tomorrow; tomorrow morning; tomorrow night; tomorrow evening; tomorrow afternoon;
        tonight; this evening; this afternoon; in the evening; in the morning;
        in the afternoon; at night; at lunch; at dinner; at bedtime; before bed;
        before i sleep; before sleep; before i go to bed; before bedtime; before dinner;
        before lunch; at noon; next week; next month; next year; next monday; next tuesday;
        next wednesday; next thursday; next friday; next saturday; next sunday; monday;
        tuesday; wednesday; thursday; friday; saturday; sunday; on monday; on tuesday;
        on wednesday; on thursday; on friday; on saturday; on sunday; the weekend;
        this weekend; at the weekend; on the weekend; over the weekend; end of the month;
        the end of the month; end of the week; the end of the week; end of the day;
        the end of the day; after dinner; after lunch; after breakfast; after work;
        after school; after the game; after the show; after the meeting; after my meeting;
        after this meeting; after my shower; after my nap; after i eat; after eating;
        after church; after supper; after my coffee; day after tomorrow;
        the day after tomorrow; another night; later today; later tonight; later this week;
        tmrw; tmr; tomoz""",
    k.RECENT: """
        already; just; just now; earlier; earlier today; this morning; a while ago;
        a moment ago; a minute ago; a few minutes ago; a little while ago; a bit ago;
        long ago; ages ago; long since; moments ago; some time ago; a few hours ago;
        not long ago; a couple of minutes ago; at breakfast; with breakfast; with lunch;
        with dinner; with my breakfast; with my lunch; with my dinner; with my coffee;
        with a glass of water; with water; with food; around noon; around lunch;
        around midday; before you asked; before you said; before you called; before breakfast;
        when i woke up; when i got up; when i got home; as soon as i woke up;
        as soon as i got up; beforehand; previously; recently; first thing;
        first thing this morning; first thing in the morning; an hour or two ago; today;
        before lunch today; at lunchtime; by now; both; all; all of it; the whole thing;
        every one; before work; before school; before breakfast today; on my way out;
        on the way out; on my way in""",
    k.OTHER_DAY: """
        yesterday; last night; last week; last month; last time; the other day;
        the day before; the day before yesterday; last monday; last tuesday; last wednesday;
        last thursday; last friday; last saturday; last sunday; days ago; weeks ago;
        two days ago; three days ago; a week ago; a month ago; yesterday morning;
        yesterday evening; yesterday s; last year""",
    k.AGO: "ago; back",
    k.HENCE: "from now; hence; or so; or less; tops; max",
    k.NOW: "currently; at the moment; right this moment",
    k.ASKS: """
        did he; did she; did they; has anyone; did anyone; has anybody; did anybody;
        did someone; has someone; has somebody; did somebody; ?; what; what is; what time;
        what for; which; which one; which ones; who; who is; whose; where; where is;
        where are; when; when do; when is; when should; when was; when did; why; why do;
        why is; why are; how; how many; how much; how do; how long; how often; how come;
        did i; do i; have i; had i; has it; has he; has she; was i; am i; should i; should we;
        must i; shall i; is it; is this; is that; is there; are there; are these; are we;
        was it; was that; will it; will i; would it; does it; does that; did you; do you;
        do we; did we; are you; were you; have you; have we; will you; could it; huh; eh;
        pardon; say again; say what; excuse me; what was that; what did you say; seriously;
        is not it; right ?; or not; whether; whether i; if i did; if i have; if i took;
        what about; what if; can you tell; do you know; do you remember; remind me what;
        remind me which; remind me how; remind me why; isn t it; not it""",
    k.ASKS_LEAVE: """
        can i; can we; could i; could we; may i; may we; might i; might we; is it ok if;
        is it okay if; is it alright if; is it all right if; is it fine if; would it be ok;
        would it be okay; would it be ok if; would it be okay if; would it be alright if;
        would it be possible to; is it possible to; ok if i; okay if i; ok if we; mind if i;
        mind if we; do you mind if; would you mind if; would you mind; how about;
        how about we; what about doing; what if we; what if i; why do not we; why do not i;
        why not; shall we; can this; can that; can it; could this; could that; can you wait;
        could you wait; could you give; can you give; would you give; could you let;
        can you let; let us; allow me; is it a problem if; will it hurt if; does it matter if;
        any chance; any chance we; any chance i; permission to; do i have to;
        do i really have to; do i need to; do we have to; must we""",
    k.HEDGE: """
        was going to; were going to; meant to; had meant to; intended to; wanted to;
        planned to; was planning to; was supposed to; pretended; pretend; dreamt; dreamed;
        imagined; doubt; hardly; barely; scarcely; say i; let us pretend; make believe; think;
        guess; believe; maybe; probably; perhaps; possibly; presumably; supposedly;
        apparently; might; might have; may; may have; should have; must have; could have;
        would have; should be; ought to be; suppose; assume; reckon; pretty sure; fairly sure;
        quite sure; almost sure; reasonably sure; imagine; seem; seem to; seems; seems like;
        it seems; looks like; feels like; i feel like; kind of; sort of; kinda; sorta;
        more or less; as far as i know; as far as i remember; as far as i recall;
        if i remember; if i recall; if i am not mistaken; if memory serves; from memory;
        in theory; theoretically; likely; most likely; chances are; i would say; vaguely;
        have a feeling; i thought i; thought; hopefully; hope; hope so; think so; guess so;
        i suppose so; i believe so; allegedly; basically; sorta done; practically; virtually;
        for all i know; as best i can tell; could swear""",
    k.TRIES: """
        will try; try; try to; trying; i will try to; i will do my best; do my best; my best;
        no promises; can not promise; can not promise anything; not promising; we will see;
        we shall see; will see; let us see; let me see; see how it goes; see what i can do;
        see how i feel; it depends; depends; that depends; depending; let me think;
        i will think about it; think about it; thinking about it; i am thinking;
        let me think about it; let me check; i will consider it; consider it; considering;
        i will look into it; whatever; what ever; if you say so; if you insist; do not care;
        do not mind; up to you; either way; who knows; who cares; not necessarily;
        maybe maybe not; could be; undecided; have not decided; not decided; not saying no;
        never said no; did not say no; did not say i would not; did not say i will not;
        did not say; never said i would not; should; i should probably; could; i might;
        hard to say; hard to tell; time will tell; if i can; if possible; if i have time;
        if i get a chance; if i feel like it; when i feel like; play it by ear; on the fence;
        so so; meh; meh whatever; in two minds; no comment; not like i will not;
        not like i would not; i will see how i feel""",
    k.UNKNOWING: """
        do not know; not sure; unsure; not certain; not positive; not a hundred percent sure;
        not 100 sure; no idea; no clue; i have no idea; do not remember; can not remember;
        could not remember; can not recall; do not recall; forget if; forget whether;
        forgot if; forgot whether; forgotten whether; forgotten if; do not understand;
        did not understand; not understand; did not catch that; did not catch;
        did not get that; did not hear; did not hear you; did not hear that; can not hear;
        can not hear you; could not hear; could not hear you; can not tell; can not say;
        lost track; lost count; mixed up; confused; idk; dunno; beats me; what do you mean;
        what are you talking about; who is this; repeat that; can you repeat;
        could you repeat; say that again; come again; speak up; louder""",
    k.CORRECTS: """
        i mean; oh no; no wait; wait no; oh wait; oh wait no; wait wait no; actually;
        actually no; actually wait; hmm no; uh no; er no; oops; whoops; scratch that;
        strike that; correction; sorry no; sorry i mean; i meant; let me correct;
        on second thought; on second thoughts; my mistake; my bad; i lied; just kidding;
        kidding; jk; not really though; come to think of it; hang on no; hold on no;
        no hang on; no sorry; oh no wait; oh hang on; well actually; wrong one; wrong bottle;
        wrong pills; wrong pill; no actually; wait actually; changed my mind; screw it i will""",
    k.BUT: """
        but; though; however; although; except; only; except that; yet i; still i; just that;
        it is just that; it is just; only thing is; thing is; the thing is; trouble is;
        problem is; the problem is; unfortunately; then again""",
    k.PERSON: """
        he; she; they; him; her; my husband; my wife; my son; my daughter; my mom; my mum;
        my mother; my dad; my father; my sister; my brother; my kid; my kids; my roommate;
        my flatmate; my neighbor; my neighbour; the neighbor; the neighbour; neighbor;
        neighbour; the kids; the kid; the boy; the girl; my boyfriend; my girlfriend;
        my partner; my friend; a friend; grandma; grandpa; granny; my grandma; my grandpa;
        my aunt; my uncle; mom; mum; mommy; dad; daddy; the nurse; my nurse; a nurse; nurse;
        the doctor; my doctor; doctor; the dog; the cat; the sitter; the dog walker;
        the walker; the cleaner; the maid; the nanny; the babysitter; someone; somebody;
        someone else; somebody else; everyone; everybody; people; john; tom; anna; mary; jack;
        emma; sam; mike; kate; sarah; my boss; my colleague; my coworker; my assistant;
        my caregiver; the caregiver; my carer; the carer; my spouse; hubby; my hubby; wifey;
        the wife; the husband; my roomie; their; his; the teacher; my teacher; husband; wife;
        son; daughter; sister; brother; roommate; we""",
    k.FOR_ME: """
        for me; on my behalf; gave me; gave me my; helped me; for us; made me take;
        brought me; in my place""",
    k.FOR_ME + k.THING: """
        gave it to me; gave them to me; gave me it; gave me mine; gave me them""",
    k.SAYS: """
        says; said; told me; told; tells me; asked; asks; thinks; wants me to; mentioned;
        keeps saying; keeps telling; says that; according to; claims; suggested; recommends;
        recommended; always says; advised; i heard that""",
    k.IF: """
        if; if i; in case; suppose i; supposing; assuming; unless; provided; what happens if;
        even if; if only; as long as; were i to; let us say""",
    k.PART: """
        some; some of; some of it; some of them; half; half of; half of it; half of them;
        half a; half the; part; part of; part of it; partly; partially; most; most of;
        most of it; most of them; a few; a few of; one of; one of them; two of; two of them;
        three of them; one of the; two of the; one out of; only one; only two; only half;
        only some; just one; just two; just half; just some; just the one; a bit; a bit of;
        a bit of it; a little; a little of it; a sip; a couple; a couple of them; halfway;
        half way; half done; not all; not all of; not all of it; not all of them;
        not everything; all but; all except; the rest; the others; the other; the other one;
        the other half; the remaining; remaining; the last one; first half; the first half;
        first one; the first one; the white one; the red one; the blue one; the yellow one;
        the big one; the small one; the pink one; the morning one; the evening one;
        three quarters; a quarter of it; so far; up to; two out of; three out of; four out of;
        out of three; out of four; out of two; two of three; only managed; managed""",
    k.ASKS_FAVOUR: """
        remind me; remind me again; remind me about; remind us; wake me; wake me up; call me;
        call me again; tell me again; ask me; nudge me; ping me; alert me; can you; could you;
        would you; will you please; can you please; could you please; please""",
    k.ELSEWHERE: """
        tell him i; tell her i; tell them i; tell him; tell them; hey siri; siri; ok google;
        okay google; hey google; alexa; hey alexa; cortana; hey cortana; bixby; hey bixby;
        hello hello; hello; hello who is; hello is this; speaking; who is calling;
        can i call you back; call you back; talk to you later; talk later; talk soon; ttyl;
        bye; bye bye; goodbye; see you; see you later; see ya; see you soon; see you there;
        see you tomorrow; love you; love you bye; come here; come in; sit down;
        dinner is ready; dinner s ready; come and eat; stop hitting; put that down;
        give that back; good boy; good girl; good dog; bad dog; sit; stay; fetch; subscribe;
        like and subscribe; do not forget to subscribe; hit the bell; thanks for watching;
        thank you for watching; thank you for listening; thanks for listening;
        thanks for tuning in; see you next time; see you in the next video; in the next video;
        in this video; subtitles by; subtitles; captions by; transcribed by; amara org;
        breaking news; back to you; stay tuned; after the break; we will be right back;
        ladies and gentlemen; welcome back; welcome to; tonight on; this is cnn;
        in other news; weather forecast; the score is; he shoots; and he scores; touchdown;
        mom can you; mum can you; dad can you; honey can you; honey where; babe can you;
        waiter; check please; the bill please; taxi; how are you doing; hey man; what is up;
        one large; two large; for here or to go; keep the change; next stop; mind the gap;
        please hold; press one; press 1; your call; leave a message; after the tone;
        after the beep; you have reached; the voicemail of; you have one new message;
        tell me when done; tell me when; let me know; answer me; please answer; and tell me;
        tell me; do not forget to; do not forget; remember to; a nudge; say when""",
    k.GRUMBLE: """
        okay so what; ok so what; ugh; argh; aargh; gah; sigh; annoying; so annoying;
        you are annoying; you are so annoying; how annoying; that is annoying; annoyed; nag;
        nag nag nag; nagging; naggy; pest; you again; not again; oh great; oh joy;
        oh wonderful; great just great; just great; just perfect; just what i needed;
        just what i need; wonderful; fantastic; lovely; brilliant; how lovely; how thoughtful;
        how nice; how kind; aren t you; are not you sweet; are not you clever;
        are not you helpful; aren t you sweet; thanks a million; thanks for nothing;
        thanks mom; thanks mum; thanks captain obvious; captain obvious; no kidding; no shit;
        no duh; duh; big deal; so what; wow; whoa; gee; gee thanks; oh boy; oh man; oh dear;
        oh my; oh my god; omg; god; jesus; christ; damn; damn it; dammit; shit; crap; fuck;
        hell; hate this; hate you; hate it; tired; so tired; sleepy; bored; boring;
        sick of this; sick of you; sick of it; tired of this; tired of you; fed up; lol; lmao;
        rofl; haha; hahaha; ha ha; ha; heh; hehe; funny; very funny; you are funny;
        you are the best; you are amazing; you are so smart; genius; bravo; congratulations;
        congrats; well done; good job; good for you; nice try; nice one; smart ass; smartass;
        stupid; stupid machine; stupid thing; dumb; idiot; moron; useless; bossy; so bossy;
        you are bossy; like my mother; you sound like my mother; worse than my mother;
        are you my mother; who asked you; says who; you do not say; you don t say;
        pain in the; pain in the neck; gross; yuck; ew; whine; yawn; um; umm; uh; uhh; er;
        erm; hmm; hm; hmmm; mmm; ooh; oops a; hi; hi there; hello there; yo; sup; aha; phew;
        hooray; yay; woo; woohoo; not you sweet; not you clever; not you helpful;
        here we go again; what would i do without you; here we go; yeah right; oh yeah right""",
    k.OTHER: """
        instead; took it back; took them back; took it off; took them off; took it away;
        i am fine; i am ok; i am okay; i am alright; i am all right; it is fine; good morning;
        good evening; good afternoon; good night; good day; good grief; good lord;
        good question; good heavens; good game; good news; good luck; good times; right side;
        right hand; right handed; fine dining; fine weather; fine print; ok corral; yes man;
        yesterday s news; sure enough; sure footed; done deal; well done steak; what s up;
        how is the weather; the weather; weather; nice weather; nice day; beautiful day;
        lunch; breakfast; dinner; supper; a sandwich; sandwich; pizza; burger; a snack; snack;
        coffee; tea; beer; wine; a shower; a nap today; the bus; the train; the game;
        the movie; a movie; the news; tv; the tv; television; music; a song; a joke;
        my homework; homework; the dishes; dishes; laundry; the laundry; the trash;
        the plants; the rent; a walk; a run; the car; my car; a photo; a picture; pictures;
        a break; a look; a seat; a test; an exam; the stairs; cookies; ice cream; an apple;
        apple; banana; soup; the phone; my phone; vitamins; vitamin; groceries; a call;
        the kids to school; shopping; the mail; my breakfast; my lunch; my dinner;
        my lunch break; money; the bill; work; the job; the report; sleep; a nap;
        the rest of it all; it is monday; it is tuesday; it is wednesday; it is thursday;
        it is friday; it is saturday; it is sunday""",
    k.HABIT: """
        every day; everyday; every morning; every night; every evening; always; usually;
        normally; daily; never miss; often; generally; most days; each day; every time;
        twice a day; once a day; regularly; as usual""",
    k.IS_NOT: """
        did not i; did i not; have not i; have i not; was not that; was not it; is not that;
        did not we; did not i tell you; did not you see me; did not you hear me;
        did not you see; why would not i; why would i not; would i lie; not that""",
    k.IS_NOT + k.RECENT + k.PAST: """
        you think i did not; you think i have not; do you think i did not; who says i did not;
        who said i did not; who says i have not; who said i have not""",
    k.DOUBTS_NO: """
        as if i would; like i would; of course i would not; no way i; i would never;
        when have i ever; do i ever; since when do i""",
    k.FINISHED: """
        way ahead of you; beat you to it; done; all done; it is done; that is done; is done;
        already done; been done; been there done that; done and dusted; done deal already;
        over and done with; finished; all finished; i have finished; finished it;
        finished that; finished already; just finished; completed; complete; is complete;
        all complete; accomplished; mission accomplished; mission complete; task complete;
        task completed; sorted; all sorted; is sorted; got it sorted; taken care of;
        all taken care of; took care of it; took care of that; taken care of it; took care;
        handled; handled it; dealt with; dealt with it; did it; i did; did that; did this;
        did so; did them; did mine; already did; already did it; just did; just did it;
        have done; have done it; i have; already have; have done that; have already;
        got it done; get it done already; got that done; got them done; got it over with;
        ticked off; checked off; crossed off; check it off; mark it done; mark it as done;
        mark as done; mark it complete; all set; been and done; i have been; in the bag;
        wrapped up; all wrapped up; nailed it; no sooner said than done; down the hatch;
        gone down; went down; in my belly; in my stomach; in my tummy; bob is your uncle;
        past tense; already taken; already paid; already fed; already walked; already called;
        ✅; all of them; both of them; every one of them; every last one""",
    k.THING: """
        it; that; them; those; these; this; mine; one; everything; the thing; the task;
        this one; that one""",
    k.FILLER: """
        dusted; and dusted; no doubt; without a doubt; without doubt; first time;
        the first time; i; me; my; the; a; an; of; to; in; on; at; for; and; so; then; you;
        your; you are; is; am; are; was; were; be; been; being; have; has; had; do; does; did;
        that is; there; here; very; really; too; quite; totally; completely; fully; honestly;
        literally; myself; up; off; by; with; from; as; like; oh; ah; well; hey; dear; honey;
        sweetie; babe; buddy; mate; man; dude; bro; sir; ma am; boss; darling; love; friend;
        pal; clarion; assistant; robot; computer; machine; sorry; so sorry; excuse; also;
        even; anyway; today s; again; thing; stuff; bit; now then; finally; at last; ok so;
        yesss; properly; safely; successfully; swiftly; quickly; real quick; ok then; you see;
        you know; as you asked; as told; as instructed; as ordered; as promised;
        like you said; like you asked; as requested; like a good girl; like a good boy;
        like an adult; promise you; swear; trust me; believe me; honest; believe it or not;
        happy now; satisfied; happy; glad; relax; chill; easy; calm down; geez; jeez; sheesh;
        because; cause; since; due; just so you know; fyi; for your information; in fact;
        as a matter of fact; matter of fact; !; s; almost forgot; nearly forgot;
        just remembered; yet""",
    k.OTHER_FAVOUR: """
        set a timer; set an alarm; set a reminder; set another; set the; add; put on; play;
        play some; play me; turn on; turn up; turn down; turn the; dim; open; close the;
        show me; tell me a; sing; read me; order; book me; call; text; text my; send;
        also add; also remind me; also set; also play; by the way; and also; plus; look up;
        search; search for; google; translate; navigate; start a""",
    k.AWAY: """
        at work; still at work; at the office; at school; at the store; at the gym;
        at the doctor; at church; in church; at a party; at the movies; in class; in a class;
        in the car; on the bus; on the train; on a train; on a plane; on the subway;
        in an uber; out; in bed; in hospital; in the hospital; in the bathroom; in the shower;
        in the bath; in the tub; away; abroad; not in; at home; in the kitchen; at my desk;
        at the airport""",
    k.WEATHER: """
        slippery; icy; stormy; too windy; dark out; slippery out; raining; it is raining;
        pouring; snowing; storming; too hot; too cold; too dark; freezing outside; too icy;
        a storm""",
    k.NUMBER: """
        one hundred; two; three; four; five; six; seven; eight; nine; ten; eleven; twelve;
        fifteen; twenty; thirty; forty; fifty; sixty; hundred""",
    k.SHOULD: "supposed to; am supposed to; time to; it is time to; time for",
    k.REMAINS: "left to take; just one left; one left to take; only one left",
}
