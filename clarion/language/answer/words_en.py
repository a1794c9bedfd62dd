"""English words of stance, after contractions are written out ("won't" is "will not").

Phrases are parted by semicolons; at each place the longest one wins.
"""

from clarion.language.answer import kinds as k

PHRASES: dict[str, str] = {
    k.ACK: """
        whatever you say; anything you say; you are the boss; ok; okay; okey dokey;
        okie dokie; okie; okay dokey; oki; okey; okey doke; alright; all right; alrighty;
        righto; right o; rightio; right you are; right away then; sure thing; for sure;
        surely; certainly; absolutely; definitely; of course; you bet; you betcha; no problem;
        no prob; no probs; no worries; no worries at all; not a problem; got it; got that;
        gotcha; got you; got cha; roger; roger that; copy that; ten four; 10 4; understood;
        i understand; i hear you; heard you; i heard; noted; acknowledged; affirmative; aye;
        aye aye; aye aye captain; will do; can do; i will; i shall; on it; i am on this;
        consider it done; you got it; you have got it; as you wish; as you say; yes sir;
        yes ma am; yes boss; yes mom; yes dad; yes dear; yessir; i know; i know i know;
        i know that; i am aware; i remember; i remembered; i do remember; have not forgotten;
        did not forget; will not forget; can not forget; never forget; how could i forget;
        would not forget; would not miss it; will not miss it; not forgotten; do not worry;
        do not you worry; no need to worry; not to worry; worry not; fine by me; fine with me;
        that is fine; sounds good; sounds great; sounds like a plan; good idea; great idea;
        good call; good point; fair enough; very well; very good; works for me; that works;
        i agree; makes sense; point taken; message received; loud and clear; say no more;
        promise; you have my word; count on me; count on it; leave it to me; cool cool;
        cool beans; great thanks; right on; righty; k; kk; k k; kay; mkay; mmkay; okok; ok ok;
        yep; yup; yuppers; yessum; yeppers; yes please; yes yes; yeah yeah; yea yea; yep yep;
        yup yup; oh yes; oh yeah; oh right; oh ok; oh okay; ah yes; ah right; ah ok;
        right right; okay okay; fine fine; sir yes sir; wilco; by all means; with pleasure;
        gladly; my pleasure; happy to; thumbs up; haode; hao de; hao; zhidao le; zhi dao le;
        zhidaole; shoudao; shou dao; mingbai; ming bai; hao ba; keyi; ke yi; mei wenti; ok la;
        can lah; okay lah; ok lah; sure lah; aight; ight; say less; yas; yass; without fail;
        roger wilco; okk; okkk; confirmed; oh kay; o k; would not dream of it;
        would not dream of skipping it; would not dream of; i will do it; i will do that;
        i will do so; i will get it done; i will take care of it; i will take care of that;
        i will handle it; i will see to it; i will make sure; i will be there;
        i will be sure to; will do it; will do that; will do so""",
    k.MILD_ACK: """
        yes; yeah; yea; ya; yah; ye; mm hmm; mmhmm; mm hm; mhm; mhmm; mm; mmm hmm; uh huh;
        uhhuh; uh hu; m hm; good; great; right; sweet; excellent; hmm yes; true; correct;
        exactly; nice; sure; fine; cool; perfect; check; word; bet; deal; heard; copy;
        received; accept; accepted; aware; agree; agreed; si; da; hai; oui; obviously;
        naturally; indeed; understand""",
    k.THANKS: """
        thanks; thank you; thanks a lot; thanks a bunch; thanks so much; thank you so much;
        thank you very much; many thanks; thanks for the reminder; thank you for the reminder;
        thanks for reminding me; thank you for reminding me; thanks for letting me know;
        thanks for telling me; thanks for the heads up; thanks for the nudge; cheers; ta;
        much appreciated; appreciate it; appreciated; bless you; good thing you reminded me;
        glad you reminded me; glad you told me; good reminder; thx; ty; tysm; tks; xie xie;
        xiexie""",
    k.AT_ONCE: """
        right away; right now; straight away; straightaway; immediately; at once; now;
        this instant; this minute; this second; asap; on my way; on the way; heading out;
        heading out now; heading there; heading over; heading there now; going now; going;
        off i go; here i go; here goes; leaving now; leaving; coming; coming coming;
        be right there; i am there; almost there; nearly there; almost done; nearly done;
        almost finished; nearly finished; just about done; about done; almost ready; about to;
        was about to; just about to; getting to it; getting on it; getting to it now;
        getting it now; getting ready; i am getting it; getting up; doing it; doing it now;
        doing that now; doing so; i am doing that; as we speak; as you speak;
        in the middle of it; in the middle of doing it; in progress; already started; started;
        i have started; started already; just started; starting; starting now;
        starting it now; working on it; on that now; let me do it now; let me do it right now;
        let me get it; let me go do it; let me go do that; i will get it; i will get on it;
        i will get right on it; get right on it; get on it; getting right on it;
        i will go do it; i will go do it now; i will go now; i will do it now;
        i will do it right now; i will do that now; i will do that right now;
        this very moment; without delay; no time like the present; let us do it;
        let us do this; let us go; let us get it done; go go go; moving; moving now;
        up and at them; any second now; mashang; ma shang""",
    k.PROMISE: """
        will; shall; am going to; going to; i intend to; plan to; planning to; will be;
        i am gonna; must; need to; have to; got to; i better; had better; i would better;
        ought to; would love to; let me; want to; will go; can; i do""",
    k.NOT_YET: """
        almost; nearly; wish i had; wish i did; if only i had; came close to; not; have not;
        has not; had not; did not; was not; were not; have not yet; not yet; not just yet;
        not quite; not quite yet; still not; still have not; still need to; still have to;
        still got to; have yet to; has yet to; yet to; never; never did; never got to;
        never got around to; did not get to; did not get around to; did not get a chance to;
        did not get a chance; have not had a chance; have not had the chance;
        have not had time; have not gotten to; have not gotten around to; have not got to;
        have not got round to; have not started; no not yet; nope not yet; do not think i;
        do not think i have; do not think i did; do not believe i; do not believe i have;
        do not believe i did; missed; i missed that; missed it; skipped it; i skipped;
        nowhere near done; still sitting here; still in the bottle; still in the box;
        still on the table; still on the counter; still in my hand; still to do; still undone;
        still pending; left undone; without taking; still waiting""",
    k.NOT_YET + k.PAST: """
        have not done; has not done; not done; not finished; have not finished; not completed;
        have not completed; not started; unfinished; incomplete; undone""",
    k.WILL_NOT: """
        will not; do not; would not; does not; not going to; not gonna; am not going to;
        not doing; not planning to; do not plan to; do not intend to; no intention of""",
    k.REFUSAL: """
        when pigs fly; fat chance; not on your life; not in a million years; not for me; no;
        nope; nah; nah nah; no no; no no no; nay; naw; nuh uh; nuh; uh uh; hell no; heck no;
        no way; no way jose; no chance; not a chance; no thanks; no thank you; no thank u;
        thanks but no thanks; no sir; no can do; not today; not tonight; not this time;
        not happening; not gonna happen; not going to happen; ain t happening; absolutely not;
        definitely not; certainly not; of course not; not really; not interested; forget it;
        forget about it; fuggedaboutit; never mind; nevermind; skip; skip it; skip that;
        skip this; skip this one; skipping; skipping it; skipping today; skipping it today;
        pass; i will pass; hard pass; pass on that; pass on this; let us skip; refuse;
        decline; rejected; reject; over my dead body; when hell freezes over; in your dreams;
        dream on; do not want to; do not wanna; do not want; do not want it;
        do not feel like it; do not feel like; not feeling it; not in the mood;
        can not be bothered; could not be bothered; can not be arsed; would rather not;
        rather not; would prefer not to; prefer not to; i will not; i am not going to;
        am not doing it; am not doing that; do not think so; do not think i will;
        do not think i can; no longer want; count me out; screw that; screw it;
        to hell with it; give me a break; not a fan; let me off; let me skip;
        let me off the hook; get out of it; no never; i am good; i am all set; i quit;
        i give up; thumbs down; bu yao; buyao; bu; not doing it; not doing that""",
    k.LATER: """
        get to it; i will get to it; will get to it; get to that; will get there;
        get there eventually; a while; later; later on; a bit later; a little later;
        a little bit later; some time later; maybe later; much later; sometime later; l8r;
        l8er; soon; in a bit; in a little bit; in a little; in a while; in a little while;
        in a minute; in a min; in a moment; in a sec; in a second; in a few; in a few minutes;
        in a few hours; in a few days; in a jiffy; in a tick; in a mo; in due course;
        in due time; in time; a few minutes; few minutes; a few more minutes;
        few more minutes; a little longer; a bit longer; a while longer; a little more time;
        some more time; more time; a moment; one moment; a sec; one sec; a second; one second;
        just a sec; just a second; just a moment; just a minute; just a min; a minute; a min;
        two secs; two seconds; two ticks; half a sec; hold on; hold on a sec;
        hold your horses; hang on; hang on a sec; hang on a minute; hang tight; wait;
        wait a minute; wait a sec; wait a moment; wait a bit; wait up; wait wait; please wait;
        give me; gimme; give me time; give me a bit; give me a break first; another time;
        some other time; some other day; some time; sometime; another day; next time;
        one of these days; eventually; at some point; by and by; down the road; rain check;
        raincheck; take a rain check; not now; not right now; not at the moment;
        not at this moment; not just now; not this minute; not this second; not currently;
        not for now; maybe tomorrow; maybe tonight; snooze; snooze it; snooze this; postpone;
        postpone it; postpone this; put it off; put that off; put this off; put off;
        push it back; push it; push this back; push this; push back; delay; delay it;
        delay this; reschedule; reschedule it; reschedule this; defer; hold off;
        hold off on that; leave it for now; leave it for later; save it for; do it another;
        no rush; no hurry; there is no rush; what is the rush; patience; be patient; after;
        afterwards; afterward; after that; after this; when i am done; when i am finished;
        when i get home; when i get back; when i get there; when i get up;
        when i get a chance; when i have time; when i have a moment; when i can;
        when i am free; when i am ready; when i am home; when i wake up; when i feel like it;
        when i feel better; when i finish; when i have eaten; whenever i can;
        whenever i get a chance; once i am done; once i am home; once i get home;
        once i finish; once i have; once i am; as soon as i; as soon as the; five more;
        ten more; more minutes; more min; more mins; more hours; another few minutes;
        let me finish; let me just finish; let me sleep; let me rest; let me eat; let me nap;
        let me wake up; sleep in; lie in; overslept; deng yi xia; deng hui; daihui; yihuir;
        try me again; ask me again; check back; check back later; come back; come back later;
        circle back; bug me later; ping me later; call me back; get back to it;
        get to it later; get around to it; get round to it; eventually get; can it wait;
        could it wait; can this wait; can that wait; could this wait; it can wait;
        this can wait; weight a minute; late her""",
    k.WAIT: """
        until; till; til; once; as soon as; when i; when we; when he; when she; when they;
        when the; when my; when this; when that; while i; waiting for; waiting on; wait for;
        wait until; wait till; before i can; depends when""",
    k.FIRST: """
        first; before that; but first; first let me; let me first; need to first;
        have to first""",
    k.STOP: """
        quit; stop; stop it; stop that; stop this; stop reminding me; stop nagging;
        stop nagging me; stop bothering me; stop bugging me; stop asking; stop asking me;
        stop telling me; stop talking; stop pestering me; stop pushing; stop with the;
        please stop; quit it; quit nagging; quit bugging me; quit asking; quit reminding me;
        shut up; shut it; shush; shh; shhh; hush; be quiet; quiet; quiet please; silence;
        zip it; mute; mute it; cancel; cancel it; cancel that; cancel this;
        cancel the reminder; cancel this reminder; cancel the alarm; cancel my reminder;
        turn it off; turn that off; turn this off; turn off; turn off the reminder;
        turn off the alarm; switch it off; delete; delete it; delete this; delete that;
        delete this reminder; delete the reminder; dismiss; dismiss it; dismiss this;
        remove this; remove it; remove the reminder; leave me alone; leave me be; let me be;
        leave it alone; leave me in peace; go away; get lost; buzz off; back off; bugger off;
        piss off; fuck off; f off; get off my back; get off my case; off my back; lay off;
        knock it off; cut it out; enough; that is enough; enough already; enough with;
        give it a rest; drop it; do not remind me; do not remind me again; do not ask;
        do not ask me; do not ask again; do not ask me again; do not bother me; do not bother;
        do not bug me; do not nag; do not nag me; do not disturb; do not disturb me;
        do not wake me; do not talk to me; do not tell me what to do; do not start;
        do not call me; do not call me again; no more reminders; no more nagging; no more;
        mind your own business; can you not; would you stop; will you stop; can you stop;
        could you stop; can you please stop; could you please stop; get out; go to hell;
        bite me; scram""",
    k.NOT_NEEDED: """
        there is not any; there are not any; there is no; there are no; there is none;
        there are none; nothing to do; do not need; do not need to; do not need it;
        do not need that; do not have to; do not gotta; no need; no need to; there is no need;
        not needed; no longer needed; not necessary; unnecessary; is not necessary;
        not required; no longer required; needless; not anymore; no longer; was cancelled;
        was canceled; is cancelled; is canceled; got cancelled; got canceled;
        has been cancelled; has been canceled; been cancelled; been canceled; cancelled;
        canceled; called off; was called off; got called off; is off; it is off;
        postponed already; was postponed; got postponed; has been postponed; was moved;
        got moved; been moved; got rescheduled; was rescheduled; been rescheduled;
        has been rescheduled; stopped it; stopped my; stopped the; stopped taking;
        took me off; taken me off; took me off it; am off it; i am off; off the meds;
        off my meds; discontinued; does not need; need not; no point; there is no point;
        pointless; day off; my day off; my rest day; rest day; on holiday; on vacation;
        not today s; not due; is not due; not due yet; not scheduled; already has food;
        not thirsty; not hungry; not dirty; not tired; not applicable; moot; does not apply;
        it is a holiday; no school today; no school; no class; no class today; no meeting;
        no meeting today; sold it; gave it away; moved out; died; passed away; full already;
        got it covered; prescription ended; prescription is over; prescription ran out;
        course is finished; treatment ended; treatment is over; finished the course;
        done with the course; at the vet; took me off those; took me off that;
        took me off them; off those; off that""",
    k.UNABLE: """
        is charging; charging; still charging; killing me; acting up; swollen; stiff; aches;
        aching; would if i could; needs new batteries; needs batteries; needs a new battery;
        needs charging; out of batteries; low battery; missing; is missing; gone missing;
        out of order; stolen; leaking; frozen; flat; got stolen; busy; too busy; kind of busy;
        really busy; super busy; swamped; tied up; occupied; engaged; driving;
        behind the wheel; at the wheel; in a meeting; in a meeting now; in the meeting;
        on a call; on a call right now; in a call; on the phone; on the other line;
        in a lecture; at dinner with; on the toilet; in traffic; stuck; stuck in traffic;
        i am out; out of town; out of the house; out and about; away from home; not home;
        not at home; not home yet; not there yet; traveling; travelling; on a trip;
        on the road; cooking; making dinner; making lunch; making breakfast; in the middle of;
        in the middle of something; middle of something; in the middle of a; have company;
        have guests; got guests; got company; have visitors; with a client; with a customer;
        with clients; with a patient; holding the baby; holding a baby; holding;
        feeding the baby; changing a diaper; hands full; my hands are full; hands are full;
        got my hands full; hands are wet; hands are tied; have a meeting; got a meeting;
        have something on; something came up; no time; have no time; do not have time;
        do not have the time; do not have a minute; not enough time; out of time;
        short on time; can not; can not do; can not do it; can not do that; can not right now;
        can not now; can not make it; can not get to; can not get up; can not find;
        can not find it; can not find them; could not find; could not find it; can not reach;
        can not afford; can not open; can not get; could not; was not able; not able;
        not able to; unable; unable to; impossible; incapable; out of; ran out; run out;
        running out; we are out; all out; all gone; none left; nothing left; no more left;
        no pills; no pills left; no more pills; no meds; no meds left; no medicine;
        no medicine left; have none; do not have any; do not have it; do not have them;
        do not have it with me; do not have them with me; did not bring it;
        did not bring them; did not bring; not with me; left it at; left them at; left my;
        left it in; empty; is empty; broke; broken; is broken; is dead; battery is dead;
        dead battery; battery died; out of battery; no battery; not working; is not working;
        does not work; will not turn on; will not start; will not open; jammed;
        stopped working; lost; lost it; lost them; lost my; misplaced; expired; is down;
        site is down; no internet; no signal; no power; no water; no money; broke right now;
        no cash; closed; is closed; not open; power is out; power outage; too tired; too sick;
        too late; too early; too far; too weak; exhausted; knackered; worn out; wiped out;
        sick; ill; not feeling well; do not feel well; not feeling good; do not feel good;
        do not feel up to; not feeling up to; feeling sick; feel sick; nauseous; queasy;
        dizzy; throwing up; threw up; threw it up; vomiting; headache; migraine; hurts; hurt;
        sore; in pain; injured; sprained; twisted; broke my; hungover; drunk; been drinking;
        had a few drinks; no one is home; nobody is home; no answer; no one answers;
        does not answer; did not answer; not answering; not picking up; line is busy;
        voicemail; doctor is away; pharmacy is closed; store is closed; shop is closed;
        without my; not allowed; not supposed to; forbidden; locked out; no car; no keys;
        car is in the shop; spilled; dropped it; dropped them; fell in; did not pick up;
        not pick up; no one picked up; went to voicemail; straight to voicemail;
        did not reach; not reach her; could not reach; sleeping; eating; having dinner;
        having lunch; having breakfast; eating dinner; eating lunch; not refilled;
        has not refilled; have not refilled; not been refilled; has not arrived;
        have not arrived; did not arrive; not arrived yet; has not come; out of stock;
        on backorder""",
    k.FORGETS: """
        forget; forgot; forgot to; forgotten; i have forgotten; totally forgot;
        completely forgot; slipped my mind; it slipped my mind; spaced on it; spaced out;
        blanked on it; overslept it; forgetting; keep forgetting; forgot again""",
    k.REMAINS: """
        to go; more to go; left to do; one left; two left; three left; still some left;
        still two left; one more to go; a few left; some left; more left; the rest is left;
        remaining to do; not finished yet; two more; one more; three more; a few more;
        another one left; more to take; more to do""",
}
