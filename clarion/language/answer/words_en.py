"""English words of stance, after contractions are written out ("won't" is "will not")."""

from clarion.language.answer import kinds as k

# One phrase a line end or a semicolon; longest phrase first at each place.
PHRASES: dict[str, str] = {
    k.ACK: """
        ok; okay; okey dokey; okie dokie; okie; okay dokey; oki; okey; okey doke; alright;
        all right; alrighty; righto; right o; rightio; right you are; right away then;
        sure thing; for sure; surely; certainly; absolutely; definitely; of course; you bet;
        you betcha; no problem; no prob; no probs; no worries; no worries at all; not a problem;
        got it; got that; gotcha; got you; i got it; got cha; roger; roger that; copy that;
        ten four; 10 4; understood; i understand; i hear you; heard you; i heard you; i heard;
        noted; acknowledged; affirmative; aye; aye aye; aye aye captain; will do; can do;
        i will; i shall; i am on it; on it; i am on this; consider it done; you got it;
        you have got it; as you wish; as you say; yes sir; yes ma am; yes boss; yes mom;
        yes dad; yes dear; yessir; i know; i know i know; i know that; i am aware; i remember;
        i remembered; i do remember; i have not forgotten; have not forgotten; i did not forget;
        did not forget; will not forget; i will not forget; can not forget; never forget;
        i never forget; how could i forget; would not forget; would not miss it;
        will not miss it; not forgotten; do not worry; do not you worry; no need to worry;
        not to worry; worry not; fine by me; fine with me; that is fine; it is fine;
        sounds good; sounds great; sounds like a plan; good idea; great idea; good call;
        good point; fair enough; very well; very good; works for me; that works; i agree;
        makes sense; point taken; message received; loud and clear; say no more; i promise;
        promise; you have my word; count on me; count on it; leave it to me; cool cool;
        cool beans; great thanks; right on; righty; k; kk; k k; kay; mkay; mmkay; okok; ok ok;
        yep; yup; yuppers; yessum; yeppers; yes please; yes yes; yeah yeah; yea yea; yep yep;
        yup yup; oh yes; oh yeah; oh right; oh ok; oh okay; ah yes; ah right; ah ok;
        right right; okay okay; fine fine; sir yes sir; wilco; by all means; with pleasure;
        gladly; my pleasure; happy to; thumbs up; haode; hao de; hao; zhidao le; zhi dao le;
        zhidaole; shoudao; shou dao; mingbai; ming bai; hao ba; keyi; ke yi; mei wenti; ok la;
        can lah; okay lah; ok lah; sure lah; aight; ight; say less; yas; yass; without fail;
        roger wilco; okk; okkk; confirmed; oh kay; o k; would not dream of it;
        would not dream of skipping it; would not dream of""",
    k.MILD_ACK: """
        yes; yeah; yea; ya; yah; ye; mm hmm; mmhmm; mm hm; mhm; mhmm; mm; mmm hmm; uh huh;
        uhhuh; uh hu; m hm; good; great; right; sweet; excellent; hmm yes; true; correct;
        exactly; nice; sure; fine; cool; perfect; check; word; bet; deal; heard; copy; received;
        accept; accepted; aware; agree; agreed; si; da; hai; oui; obviously; naturally; indeed;
        understand""",
    k.THANKS: """
        thanks; thank you; thanks a lot; thanks a bunch; thanks so much; thank you so much;
        thank you very much; many thanks; thanks for the reminder; thank you for the reminder;
        thanks for reminding me; thank you for reminding me; thanks for letting me know;
        thanks for telling me; thanks for the heads up; thanks for the nudge; cheers; ta;
        much appreciated; appreciate it; i appreciate it; appreciated; bless you;
        good thing you reminded me; glad you reminded me; glad you told me; good reminder; thx;
        ty; tysm; tks; xie xie; xiexie""",
    k.AT_ONCE: """
        right away; right now; straight away; straightaway; immediately; at once; now;
        this instant; this minute; this second; asap; on my way; on the way; i am on my way;
        heading out; heading out now; heading there; heading over; heading there now; going now;
        going; off i go; here i go; here goes; leaving now; leaving; coming; coming coming;
        i am coming; be right there; i am there; almost there; nearly there; almost done;
        nearly done; almost finished; nearly finished; just about done; about done;
        almost ready; about to; i am about to; was about to; just about to; getting to it;
        getting on it; getting to it now; getting it now; getting ready; i am getting it;
        i am getting up; getting up; doing it; doing it now; doing that now; doing so;
        i am doing it; i am doing that; as we speak; as you speak; in the middle of it;
        in the middle of doing it; in progress; already started; started; i have started;
        started already; just started; starting; starting now; starting it now; working on it;
        i am working on it; on that now; let me do it now; let me do it right now;
        let me get it; let me go do it; let me go do that; i will get it; i will get on it;
        i will get right on it; get right on it; get on it; getting right on it;
        i will go do it; i will go do it now; i will go now; i will do it now;
        i will do it right now; i will do that now; i will do that right now; i am going;
        i am going now; this very moment; without delay; no time like the present; let us do it;
        let us do this; let us go; let us get it done; go go go; moving; moving now;
        up and at them; i am up; any second now; mashang; ma shang""",
    k.PROMISE: """
        will; shall; i will do it; i will do that; i will do so; i will get it done;
        i will take care of it; i will take care of that; i will handle it; i will see to it;
        i will make sure; i will be there; i am going to; am going to; going to;
        i am planning to; i intend to; i plan to; plan to; planning to; will be;
        i will be sure to; i am gonna; must; need to; have to; got to; i better; i had better;
        had better; i would better; ought to; supposed to; would love to; i would love to;
        let me; want to; i will go; will go; i can; can; i do""",
    k.NOT_YET: """
        not; have not; has not; had not; did not; was not; were not; have not yet; not yet;
        not just yet; not quite; not quite yet; still not; still have not; still need to;
        still have to; still got to; have yet to; has yet to; yet to; i have yet to; never;
        never did; never got to; never got around to; did not get to; did not get around to;
        did not get a chance to; did not get a chance; have not had a chance;
        have not had the chance; have not had time; have not gotten to;
        have not gotten around to; have not got to; have not got round to; have not started;
        have not done; not done; not finished; not completed; not started; unfinished;
        incomplete; undone; no not yet; nope not yet; do not think i; do not think i have;
        do not think i did; do not believe i; do not believe i have; do not believe i did;
        missed; i missed; i missed it; i missed that; missed it; skipped it; i skipped it;
        i skipped; nowhere near done; still sitting here; still in the bottle; still in the box;
        still on the table; still on the counter; still in my hand; still to do; still undone;
        still pending; left undone; without taking; still waiting""",
    k.WILL_NOT: """
        will not; do not; would not; does not; not going to; not gonna; am not going to;
        not doing; not planning to; do not plan to; do not intend to; no intention of""",
    k.REFUSAL: """
        no; nope; nah; nah nah; no no; no no no; nay; naw; nuh uh; nuh; uh uh; hell no; heck no;
        no way; no way jose; no chance; not a chance; no thanks; no thank you; no thank u;
        thanks but no thanks; no sir; no can do; not today; not tonight; not this time;
        not happening; not gonna happen; not going to happen; ain t happening; absolutely not;
        definitely not; certainly not; of course not; not really; not interested; forget it;
        forget about it; fuggedaboutit; never mind; nevermind; skip; skip it; skip that;
        skip this; skip this one; skipping; skipping it; skipping today; skipping it today;
        pass; i will pass; i pass; hard pass; pass on that; pass on this; let us skip; i refuse;
        refuse; i decline; decline; rejected; reject; over my dead body; when hell freezes over;
        in your dreams; dream on; do not want to; do not wanna; do not want; do not want it;
        do not feel like it; do not feel like; not feeling it; not in the mood;
        can not be bothered; could not be bothered; can not be arsed; would rather not;
        i would rather not; rather not; would prefer not to; prefer not to; i will not;
        i am not going to; i am not doing it; i am not doing that; am not doing it;
        am not doing that; i do not think so; do not think so; do not think i will;
        do not think i can; no longer want; count me out; screw that; screw it; to hell with it;
        give me a break; not a fan; let me off; let me skip; let me off the hook; get out of it;
        no never; i am good; i am all set; i quit; i give up; thumbs down; bu yao; buyao; bu;
        not doing it; not doing that""",
    k.LATER: """
        later; later on; a bit later; a little later; a little bit later; some time later;
        maybe later; much later; sometime later; l8r; l8er; soon; in a bit; in a little bit;
        in a little; in a while; in a little while; in a minute; in a min; in a moment;
        in a sec; in a second; in a few; in a few minutes; in a few hours; in a few days;
        in a jiffy; in a tick; in a mo; in due course; in due time; in time; a few minutes;
        few minutes; a few more minutes; few more minutes; a little longer; a bit longer;
        a while longer; a little more time; some more time; more time; a moment; one moment;
        a sec; one sec; a second; one second; just a sec; just a second; just a moment;
        just a minute; just a min; a minute; a min; two secs; two seconds; two ticks;
        half a sec; hold on; hold on a sec; hold your horses; hang on; hang on a sec;
        hang on a minute; hang tight; wait; wait a minute; wait a sec; wait a moment;
        wait a bit; wait up; wait wait; please wait; give me; gimme; give me time;
        give me a bit; give me a break first; another time; some other time; some other day;
        some time; sometime; another day; next time; one of these days; eventually;
        at some point; by and by; down the road; rain check; raincheck; take a rain check;
        not now; not right now; not at the moment; not at this moment; not just now;
        not this minute; not this second; not currently; not for now; maybe tomorrow;
        maybe tonight; snooze; snooze it; snooze this; postpone; postpone it; postpone this;
        put it off; put that off; put this off; put off; push it back; push it; push this back;
        push this; push back; delay; delay it; delay this; reschedule; reschedule it;
        reschedule this; defer; hold off; hold off on that; leave it for now;
        leave it for later; save it for; do it another; no rush; no hurry; there is no rush;
        what is the rush; patience; be patient; after; afterwards; afterward; after that;
        after this; when i am done; when i am finished; when i get home; when i get back;
        when i get there; when i get up; when i get a chance; when i have time;
        when i have a moment; when i can; when i am free; when i am ready; when i am home;
        when i wake up; when i feel like it; when i feel better; when i finish;
        when i have eaten; whenever i can; whenever i get a chance; once i am done;
        once i am home; once i get home; once i finish; once i have; once i am; as soon as i;
        as soon as the; five more; ten more; more minutes; more min; more mins; more hours;
        another few minutes; let me finish; let me just finish; let me sleep; let me rest;
        let me eat; let me nap; let me wake up; sleep in; lie in; overslept; deng yi xia;
        deng hui; daihui; yihuir; try me again; ask me again; check back; check back later;
        come back; come back later; circle back; bug me later; ping me later; call me back;
        get back to it; get to it later; get around to it; get round to it; eventually get;
        can it wait; could it wait; can this wait; can that wait; could this wait; it can wait;
        this can wait; weight a minute; late her""",
    k.WAIT: """
        until; till; til; once; as soon as; when i; when we; when he; when she; when they;
        when the; when my; when this; when that; while i; waiting for; waiting on; wait for;
        wait until; wait till; before i can; depends when""",
    k.FIRST: """
        first; before that; but first; first let me; let me first; need to first; have to first""",
    k.FUTURE: """
        tomorrow; tomorrow morning; tomorrow night; tomorrow evening; tomorrow afternoon;
        tonight; this evening; this afternoon; in the evening; in the morning; in the afternoon;
        at night; at lunch; at dinner; at bedtime; before bed; before i sleep; before sleep;
        before i go to bed; before bedtime; before dinner; before lunch; at noon; next week;
        next month; next year; next monday; next tuesday; next wednesday; next thursday;
        next friday; next saturday; next sunday; monday; tuesday; wednesday; thursday; friday;
        saturday; sunday; on monday; on tuesday; on wednesday; on thursday; on friday;
        on saturday; on sunday; the weekend; this weekend; at the weekend; on the weekend;
        over the weekend; end of the month; the end of the month; end of the week;
        the end of the week; end of the day; the end of the day; after dinner; after lunch;
        after breakfast; after work; after school; after the game; after the show;
        after the meeting; after my meeting; after this meeting; after my shower; after my nap;
        after i eat; after eating; after church; after supper; after my coffee;
        day after tomorrow; the day after tomorrow; another night; later today; later tonight;
        later this week; tmrw; tmr; tomoz""",
    k.RECENT: """
        already; just; just now; earlier; earlier today; this morning; a while ago;
        a moment ago; a minute ago; a few minutes ago; a little while ago; a bit ago; long ago;
        ages ago; long since; moments ago; some time ago; a few hours ago; not long ago;
        a couple of minutes ago; at breakfast; with breakfast; with lunch; with dinner;
        with my breakfast; with my lunch; with my dinner; with my coffee; with a glass of water;
        with water; with food; around noon; around lunch; around midday; before you asked;
        before you said; before you called; before breakfast; when i woke up; when i got up;
        when i got home; as soon as i woke up; as soon as i got up; beforehand; previously;
        recently; first thing; first thing this morning; first thing in the morning;
        an hour or two ago; today; before lunch today; at lunchtime; by now; both; all;
        all of it; all of them; the whole thing; every last one; every one; before work;
        before school; before breakfast today; on my way out; on the way out; way ahead of you;
        i am way ahead of you; on my way in""",
    k.OTHER_DAY: """
        yesterday; last night; last week; last month; last time; the other day; the day before;
        the day before yesterday; last monday; last tuesday; last wednesday; last thursday;
        last friday; last saturday; last sunday; days ago; weeks ago; two days ago;
        three days ago; a week ago; a month ago; yesterday morning; yesterday evening;
        yesterday s; last year""",
    k.AGO: "ago; back",
    k.HENCE: "from now; hence; or so; or less; tops; max",
    k.NOW: "currently; at the moment; right this moment",
    k.ASKS: """
        ?; what; what is; what time; what for; which; which one; which ones; who; who is; whose;
        where; where is; where are; when; when do; when is; when should; when was; when did;
        why; why do; why is; why are; how; how many; how much; how do; how long; how often;
        how come; did i; do i; have i; had i; has it; has he; has she; was i; am i; should i;
        should we; must i; shall i; is it; is this; is that; is there; are there; are these;
        are we; was it; was that; will it; will i; would it; does it; does that; did you;
        do you; do we; did we; are you; were you; have you; have we; will you; could it; huh;
        eh; pardon; say again; say what; excuse me; what was that; what did you say; seriously;
        is not it; right ?; or not; whether; whether i; if i did; if i have; if i took;
        what about; what if; can you tell; tell me; do you know; do you remember;
        remind me what; remind me which; remind me how; remind me when; remind me why; isn t it;
        not it""",
    k.ASKS_LEAVE: """
        can i; can we; could i; could we; may i; may we; might i; might we; is it ok if;
        is it okay if; is it alright if; is it all right if; is it fine if; would it be ok;
        would it be okay; would it be ok if; would it be okay if; would it be alright if;
        would it be possible to; is it possible to; ok if i; okay if i; ok if we; mind if i;
        mind if we; do you mind if; would you mind if; would you mind; how about; how about we;
        what about doing; what if we; what if i; why do not we; why do not i; why not; shall we;
        can this; can that; can it; could this; could that; can you wait; could you wait;
        could you give; can you give; would you give; could you let; can you let; let us;
        allow me; is it a problem if; will it hurt if; does it matter if; any chance;
        any chance we; any chance i; permission to; do i have to; do i really have to;
        do i need to; do we have to; must we""",
    k.HEDGE: """
        i think; think; i guess; guess; i believe; believe; maybe; probably; perhaps; possibly;
        presumably; supposedly; apparently; might; might have; may; may have; should have;
        must have; could have; would have; should be; ought to be; i suppose; suppose; i assume;
        assume; i reckon; reckon; pretty sure; fairly sure; quite sure; almost sure;
        reasonably sure; i am pretty sure; i am fairly sure; i imagine; imagine; seem; seem to;
        seems; seems like; it seems; looks like; feels like; i feel like; kind of; sort of;
        kinda; sorta; more or less; as far as i know; as far as i remember; as far as i recall;
        if i remember; if i recall; if i am not mistaken; if memory serves; from memory;
        in theory; theoretically; likely; most likely; chances are; i would say; vaguely;
        i vaguely; i have a feeling; have a feeling; i swear i; i thought i; i thought; thought;
        hopefully; i hope; hope; hope so; i hope so; i think so; think so; i guess so; guess so;
        i suppose so; i believe so; allegedly; basically; sorta done; practically; virtually;
        for all i know; as best i can tell; could swear; i could swear""",
    k.TRIES: """
        i will try; will try; try; try to; trying; i will try to; i will do my best; do my best;
        my best; no promises; can not promise; can not promise anything; not promising;
        we will see; we shall see; i will see; will see; let us see; let me see;
        see how it goes; see what i can do; see how i feel; it depends; depends; that depends;
        depending; let me think; i will think about it; think about it; thinking about it;
        i am thinking; let me think about it; let me check; i will consider it; consider it;
        considering; i will look into it; whatever; what ever; if you say so; if you insist;
        i do not care; do not care; do not mind; i do not mind; up to you; either way;
        who knows; who cares; not necessarily; maybe maybe not; could be; undecided;
        have not decided; not decided; i am not saying no; not saying no; never said no;
        did not say no; did not say i would not; did not say i will not; did not say;
        never said i would not; i never said i would not; i should; should; i should probably;
        i could; could; i might; hard to say; hard to tell; time will tell; if i can;
        if possible; if i have time; if i get a chance; if i feel like it; when i feel like;
        play it by ear; on the fence; so so; meh; meh whatever; in two minds; no comment;
        not like i will not; not like i would not; i will see how i feel""",
    k.UNKNOWING: """
        do not know; i do not know; not sure; i am not sure; unsure; not certain;
        i am not certain; not positive; not a hundred percent sure; not 100 sure; no idea;
        no clue; i have no idea; do not remember; can not remember; could not remember;
        can not recall; do not recall; forget if; forget whether; forgot if; forgot whether;
        forgotten whether; forgotten if; do not understand; did not understand; not understand;
        did not catch that; did not catch; did not get that; did not hear; did not hear you;
        did not hear that; can not hear; can not hear you; could not hear; could not hear you;
        can not tell; can not say; lost track; lost count; mixed up; confused; i am confused;
        idk; dunno; beats me; what do you mean; what are you talking about; who is this;
        repeat that; can you repeat; could you repeat; say that again; come again; speak up;
        louder""",
    k.STOP: """
        stop; stop it; stop that; stop this; stop reminding me; stop nagging; stop nagging me;
        stop bothering me; stop bugging me; stop asking; stop asking me; stop telling me;
        stop talking; stop pestering me; stop pushing; stop with the; please stop; quit it;
        quit nagging; quit bugging me; quit asking; quit reminding me; shut up; shut it; shush;
        shh; shhh; hush; be quiet; quiet; quiet please; silence; zip it; mute; mute it; cancel;
        cancel it; cancel that; cancel this; cancel the reminder; cancel this reminder;
        cancel the alarm; cancel my reminder; turn it off; turn that off; turn this off;
        turn off; turn off the reminder; turn off the alarm; switch it off; delete; delete it;
        delete this; delete that; delete this reminder; delete the reminder; dismiss;
        dismiss it; dismiss this; remove this; remove it; remove the reminder; leave me alone;
        leave me be; let me be; leave it alone; leave me in peace; go away; get lost; buzz off;
        back off; bugger off; piss off; fuck off; f off; get off my back; get off my case;
        off my back; lay off; knock it off; cut it out; enough; that is enough; enough already;
        enough with; give it a rest; drop it; do not remind me; do not remind me again;
        do not ask; do not ask me; do not ask again; do not ask me again; do not bother me;
        do not bother; do not bug me; do not nag; do not nag me; do not disturb;
        do not disturb me; do not wake me; do not talk to me; do not tell me what to do;
        do not start; do not call me; do not call me again; no more reminders; no more nagging;
        no more; mind your own business; can you not; would you stop; will you stop;
        can you stop; could you stop; can you please stop; could you please stop; get out;
        go to hell; bite me; scram""",
    k.NOT_NEEDED: """
        do not need; do not need to; do not need it; do not need that; do not have to;
        do not gotta; no need; no need to; there is no need; not needed; no longer needed;
        not necessary; unnecessary; is not necessary; not required; no longer required;
        needless; not anymore; no longer; was cancelled; was canceled; is cancelled;
        is canceled; got cancelled; got canceled; has been cancelled; has been canceled;
        been cancelled; been canceled; cancelled; canceled; called off; was called off;
        got called off; is off; it is off; postponed already; was postponed; got postponed;
        has been postponed; was moved; got moved; been moved; got rescheduled; was rescheduled;
        been rescheduled; has been rescheduled; stopped it; stopped my; stopped the;
        stopped taking; took me off; taken me off; took me off it; am off it; i am off;
        off the meds; off my meds; discontinued; does not need; need not; no point;
        there is no point; pointless; day off; my day off; my rest day; rest day; on holiday;
        on vacation; not today s; not due; is not due; not due yet; not scheduled;
        already has food; not thirsty; not hungry; not dirty; not tired; not applicable; moot;
        does not apply; it is a holiday; no school today; no school; no class; no class today;
        no meeting; no meeting today; sold it; gave it away; moved out; died; passed away;
        full already; got it covered; prescription ended; prescription is over;
        prescription ran out; course is finished; treatment ended; treatment is over;
        finished the course; done with the course; at the vet; took me off those;
        took me off that; took me off them; off those; off that""",
    k.UNABLE: """
        busy; i am busy; too busy; kind of busy; really busy; super busy; swamped; tied up;
        occupied; engaged; driving; i am driving; behind the wheel; at the wheel; in a meeting;
        in a meeting now; in the meeting; on a call; on a call right now; in a call;
        on the phone; on the other line; in a lecture; at dinner with; on the toilet;
        in traffic; stuck; stuck in traffic; i am out; out of town; out of the house;
        out and about; away from home; not home; not at home; not home yet; not there yet;
        traveling; travelling; on a trip; on the road; cooking; making dinner; making lunch;
        making breakfast; in the middle of; in the middle of something; middle of something;
        in the middle of a; have company; have guests; got guests; got company; have visitors;
        with a client; with a customer; with clients; with a patient; holding the baby;
        holding a baby; holding; feeding the baby; changing a diaper; hands full;
        my hands are full; hands are full; got my hands full; hands are wet; hands are tied;
        have a meeting; got a meeting; have something on; something came up; no time;
        have no time; do not have time; do not have the time; do not have a minute;
        not enough time; out of time; short on time; can not; i can not; can not do;
        can not do it; can not do that; can not right now; can not now; can not make it;
        can not get to; can not get up; can not find; can not find it; can not find them;
        could not find; could not find it; can not reach; can not afford; can not open;
        can not get; could not; was not able; not able; not able to; unable; unable to;
        impossible; incapable; out of; ran out; run out; running out; we are out; i am out of;
        all out; all gone; none left; nothing left; no more left; no pills; no pills left;
        no more pills; no meds; no meds left; no medicine; no medicine left; have none;
        do not have any; do not have it; do not have them; do not have it with me;
        do not have them with me; did not bring it; did not bring them; did not bring;
        not with me; left it at; left them at; left my; left it in; empty; is empty; broke;
        broken; is broken; is dead; battery is dead; dead battery; battery died; out of battery;
        no battery; not working; is not working; does not work; will not turn on;
        will not start; will not open; jammed; stopped working; lost; lost it; lost them;
        lost my; misplaced; expired; is down; site is down; no internet; no signal; no power;
        no water; no money; broke right now; no cash; closed; is closed; not open; power is out;
        power outage; too tired; too sick; too late; too early; too far; too weak; exhausted;
        knackered; worn out; wiped out; sick; i am sick; ill; not feeling well;
        do not feel well; not feeling good; do not feel good; do not feel up to;
        not feeling up to; feeling sick; feel sick; nauseous; queasy; dizzy; throwing up;
        threw up; threw it up; vomiting; headache; migraine; hurts; hurt; sore; in pain;
        injured; sprained; twisted; broke my; hungover; drunk; been drinking; had a few drinks;
        no one is home; nobody is home; no answer; no one answers; does not answer;
        did not answer; not answering; not picking up; line is busy; voicemail; doctor is away;
        pharmacy is closed; store is closed; shop is closed; without my; not allowed;
        not supposed to; forbidden; locked out; no car; no keys; car is in the shop; spilled;
        dropped it; dropped them; fell in""",
    k.FORGETS: """
        forgot; i forgot; forgot to; i forgot to; forgotten; i have forgotten; totally forgot;
        completely forgot; slipped my mind; it slipped my mind; spaced on it; spaced out;
        blanked on it; overslept it; forgetting; keep forgetting; i keep forgetting;
        forgot again""",
    k.CORRECTS: """
        i mean; oh no; no wait; wait no; oh wait; oh wait no; wait wait no; actually;
        actually no; actually wait; hmm no; uh no; er no; oops; whoops; scratch that;
        strike that; correction; sorry no; sorry i mean; i meant; let me correct;
        on second thought; on second thoughts; my mistake; my bad; i lied; just kidding;
        kidding; jk; not really though; come to think of it; hang on no; hold on no; no hang on;
        no sorry; oh no wait; oh hang on; well actually; wrong one; wrong bottle; wrong pills;
        wrong pill; no actually; wait actually; changed my mind; i changed my mind;
        screw it i will""",
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
        the doctor; my doctor; doctor; the dog; the cat; the sitter; the dog walker; the walker;
        the cleaner; the maid; the nanny; the babysitter; someone; somebody; someone else;
        somebody else; everyone; everybody; people; john; tom; anna; mary; jack; emma; sam;
        mike; kate; sarah; my boss; my colleague; my coworker; my assistant; my caregiver;
        the caregiver; my carer; the carer; my spouse; hubby; my hubby; wifey; the wife;
        the husband; my roomie; their; his; the teacher; my teacher; husband; wife; son;
        daughter; sister; brother; roommate; we""",
    k.FOR_ME: """
        for me; on my behalf; gave me; gave me my; helped me; for us; made me take; brought me;
        in my place""",
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
        hey siri; siri; ok google; okay google; hey google; alexa; hey alexa; cortana;
        hey cortana; bixby; hey bixby; hello hello; hello; hello who is; hello is this;
        speaking; who is calling; can i call you back; call you back; talk to you later;
        talk later; talk soon; ttyl; bye; bye bye; goodbye; see you; see you later; see ya;
        see you soon; see you there; see you tomorrow; love you; love you bye; come here;
        come in; sit down; dinner is ready; dinner s ready; come and eat; stop hitting;
        put that down; give that back; good boy; good girl; good dog; bad dog; sit; stay; fetch;
        subscribe; like and subscribe; do not forget to subscribe; hit the bell;
        thanks for watching; thank you for watching; thank you for listening;
        thanks for listening; thanks for tuning in; see you next time;
        see you in the next video; in the next video; in this video; subtitles by; subtitles;
        captions by; transcribed by; amara org; breaking news; back to you; stay tuned;
        after the break; we will be right back; ladies and gentlemen; welcome back; welcome to;
        tonight on; this is cnn; in other news; weather forecast; the score is; he shoots;
        and he scores; touchdown; mom can you; mum can you; dad can you; honey can you;
        honey where; babe can you; waiter; check please; the bill please; taxi;
        how are you doing; hey man; what is up; one large; two large; for here or to go;
        keep the change; next stop; mind the gap; please hold; press one; press 1; your call;
        leave a message; after the tone; after the beep; you have reached; the voicemail of;
        you have one new message""",
    k.GRUMBLE: """
        ugh; argh; aargh; gah; sigh; annoying; so annoying; you are annoying;
        you are so annoying; how annoying; that is annoying; annoyed; i am annoyed; nag;
        nag nag nag; nagging; naggy; pest; you again; not again; oh great; oh joy; oh wonderful;
        great just great; just great; just perfect; just what i needed; just what i need;
        wonderful; fantastic; lovely; brilliant; how lovely; how thoughtful; how nice; how kind;
        aren t you; are not you sweet; are not you clever; are not you helpful;
        aren t you sweet; thanks a million; thanks for nothing; thanks mom; thanks mum;
        thanks captain obvious; captain obvious; no kidding; no shit; no duh; duh; big deal;
        so what; wow; whoa; gee; gee thanks; oh boy; oh man; oh dear; oh my; oh my god; omg;
        god; jesus; christ; damn; damn it; dammit; shit; crap; fuck; hell; hate this;
        i hate this; hate you; i hate you; i hate it; hate it; i am tired; tired; so tired;
        sleepy; bored; boring; i am bored; sick of this; sick of you; sick of it; tired of this;
        tired of you; fed up; lol; lmao; rofl; haha; hahaha; ha ha; ha; heh; hehe; funny;
        very funny; you are funny; you are the best; you are amazing; you are so smart; genius;
        bravo; congratulations; congrats; well done; good job; good for you; nice try; nice one;
        smart ass; smartass; stupid; stupid machine; stupid thing; dumb; idiot; moron; useless;
        bossy; so bossy; you are bossy; like my mother; you sound like my mother;
        worse than my mother; are you my mother; who asked you; says who; you do not say;
        you don t say; pain in the; pain in the neck; gross; yuck; ew; whine; yawn; um; umm; uh;
        uhh; er; erm; hmm; hm; hmmm; mmm; ooh; oops a; hi; hi there; hello there; yo; sup; aha;
        phew; hooray; yay; woo; woohoo; not you sweet; not you clever; not you helpful;
        here we go again; what would i do without you; here we go""",
    k.OTHER: """
        good morning; good evening; good afternoon; good night; good day; good grief; good lord;
        good question; good heavens; good game; good news; good luck; good times; right side;
        right hand; right handed; fine dining; fine weather; fine print; ok corral; yes man;
        yesterday s news; sure enough; sure footed; done deal; well done steak; what s up;
        how is the weather; the weather; weather; nice weather; nice day; beautiful day; lunch;
        breakfast; dinner; supper; a sandwich; sandwich; pizza; burger; a snack; snack; coffee;
        tea; beer; wine; a shower; a nap today; the bus; the train; the game; the movie;
        a movie; the news; tv; the tv; television; music; a song; a joke; my homework; homework;
        the dishes; dishes; laundry; the laundry; the trash; the plants; the rent; a walk;
        a run; the car; my car; a photo; a picture; pictures; a break; a look; a seat; a test;
        an exam; the stairs; cookies; ice cream; an apple; apple; banana; soup; the phone;
        my phone; vitamins; vitamin; groceries; a call; the kids to school; shopping; the mail;
        my breakfast; my lunch; my dinner; my lunch break; money; the bill; work; the job;
        the report; sleep; a nap; the rest of it all; it is monday; it is tuesday;
        it is wednesday; it is thursday; it is friday; it is saturday; it is sunday""",
    k.HABIT: """
        every day; everyday; every morning; every night; every evening; always; i always;
        usually; normally; daily; never miss; i never miss; often; generally; most days;
        each day; every time; twice a day; once a day; regularly; as usual""",
    k.IS_NOT: """
        did not i; did i not; have not i; have i not; was not that; was not it; is not that;
        did not we; did not i tell you; did not you see me; did not you hear me;
        did not you see; why would not i; why would i not; you think i did not;
        you think i have not; would i lie; do you think i did not; who says i did not;
        who said i did not; not that""",
    k.DOUBTS_NO: """
        as if i would; like i would; of course i would not; no way i; i would never;
        when have i ever; do i ever; since when do i""",
    k.FINISHED: """
        done; all done; it is done; that is done; is done; already done; been done;
        been there done that; done and dusted; done deal already; over and done with; finished;
        all finished; i finished; i have finished; finished it; finished that; finished already;
        just finished; completed; i completed; complete; is complete; all complete;
        accomplished; mission accomplished; mission complete; task complete; task completed;
        sorted; all sorted; is sorted; got it sorted; taken care of; all taken care of;
        took care of it; took care of that; taken care of it; took care; handled; handled it;
        i handled it; dealt with; dealt with it; did it; i did it; i did; did that; i did that;
        did this; did so; did them; did mine; already did; i already did; already did it;
        i just did; just did; just did it; have done; have done it; i have done it; i have;
        i already have; already have; have done that; have already; got it done;
        get it done already; got that done; got them done; got it over with; ticked off;
        checked off; crossed off; check it off; mark it done; mark it as done; mark as done;
        mark it complete; all set; been and done; i have been; in the bag; wrapped up;
        all wrapped up; it is all good; nailed it; no sooner said than done; down the hatch;
        gone down; went down; in my belly; in my stomach; in my tummy; bob is your uncle;
        past tense; already taken; already paid; already fed; already walked; already called;
        ✅""",
    k.THING: """
        it; that; them; those; these; this; mine; one; everything; the thing; the task;
        this one; that one""",
    k.FILLER: """
        i; i am; me; my; the; a; an; of; to; in; on; at; for; and; so; then; you; your; you are;
        is; am; are; was; were; be; been; being; have; has; had; do; does; did; that is; there;
        here; very; really; too; quite; totally; completely; fully; honestly; literally; myself;
        up; off; by; with; from; as; like; oh; ah; well; hey; dear; honey; sweetie; babe; buddy;
        mate; man; dude; bro; sir; ma am; boss; darling; love; friend; pal; clarion; assistant;
        robot; computer; machine; sorry; i am sorry; so sorry; excuse; also; even; anyway;
        today s; again; thing; stuff; bit; now then; finally; at last; ok so; yesss; properly;
        safely; successfully; swiftly; quickly; real quick; ok then; you see; you know;
        as you asked; as told; as instructed; as ordered; as promised; like you said;
        like you asked; as requested; like a good girl; like a good boy; like an adult;
        promise you; i swear; swear; trust me; believe me; honest; believe it or not; happy now;
        satisfied; happy; glad; relax; chill; easy; calm down; geez; jeez; sheesh; because;
        cause; since; due; just so you know; fyi; for your information; in fact;
        as a matter of fact; matter of fact; !; s""",
    k.OTHER_FAVOUR: """
        set a timer; set an alarm; set a reminder; set another; set the; add; put on; play;
        play some; play me; turn on; turn up; turn down; turn the; dim; open; close the;
        show me; tell me a; sing; read me; order; book me; call; text; text my; send; also add;
        also remind me; also set; also play; by the way; and also; plus; look up; search;
        search for; google; translate; navigate; start a""",
    k.REMAINS: """
        to go; more to go; left to do; one left; two left; three left; still some left;
        still two left; one more to go; a few left; some left; more left; the rest is left;
        remaining to do; not finished yet""",
    k.AWAY: """
        at work; still at work; at the office; at school; at the store; at the gym;
        at the doctor; at church; in church; at a party; at the movies; in class; in a class;
        in the car; on the bus; on the train; on a train; on a plane; on the subway; in an uber;
        out; in bed; in hospital; in the hospital; in the bathroom; in the shower; in the bath;
        in the tub; away; abroad; not in; at home; in the kitchen; at my desk; at the airport""",
    k.WEATHER: """
        raining; it is raining; pouring; snowing; storming; too hot; too cold; too dark;
        freezing outside; too icy; a storm""",
    k.NUMBER: """
        one hundred; two; three; four; five; six; seven; eight; nine; ten; eleven; twelve;
        fifteen; twenty; thirty; forty; fifty; sixty; hundred""",
}
_AUXILIARIES = "do does did have has had is are was were would could should need must might".split()
_PRONOUNS = "i you we they he she it that this there who".split()
_ENDINGS = {"'ve": "have", "'ll": "will", "'d": "would", "'re": "are"}
CONTRACTIONS: dict[str, str] = (
    {f"{verb}n{mark}t": f"{verb} not" for verb in _AUXILIARIES for mark in ("'", "")}
    | {f"{who}{end}": f"{who} {full}" for who in _PRONOUNS for end, full in _ENDINGS.items()}
    | {f"{who}'s": f"{who} is" for who in (*_PRONOUNS, "what", "where", "when", "how", "here", "why")}
    | {
        "won't": "will not", "wont": "will not", "can't": "can not", "cant": "can not",
        "cannot": "can not", "shan't": "shall not", "ain't": "is not", "aint": "is not",
        "i'm": "i am", "im": "i am", "ive": "i have", "youre": "you are", "let's": "let us",
        "lets": "let us", "thats": "that is", "whats": "what is", "gonna": "going to",
        "gotta": "got to", "wanna": "want to", "lemme": "let me", "gimme": "give me",
        "imma": "i am going to", "ima": "i am going to", "ya": "you", "u": "you", "ur": "your",
        "tooken": "taken", "o'clock": "oclock", "ma'am": "ma am", "'em": "them", "em": "them",
        "cuz": "because", "coz": "because", "'cause": "because", "tho": "though", "thru": "through",
        "yall": "you", "y'all": "you", "outta": "out of", "kinda": "kind of", "sorta": "sort of",
        "meds'": "meds", "n": "and", "&": "and", "w/": "with", "bc": "because", "rn": "right now",
        "medecine": "medicine", "medicin": "medicine", "tommorow": "tomorrow", "tommorrow": "tomorrow",
        "latter": "later", "alredy": "already", "allready": "already", "mins": "minutes",
    }
)  # fmt: skip
