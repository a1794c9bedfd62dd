"""English kinds of task, the forms of their verbs, and the same task in the other language."""

from clarion.language.answer.families import Family

IRREGULAR: dict[str, str] = {
    # base: past, participle and spoken variants; -ing is formed by rule
    "take": "took taken", "do": "did done", "eat": "ate eaten", "drink": "drank drunk", "feed": "fed",
    "give": "gave given", "go": "went gone", "get": "got gotten", "pay": "paid", "send": "sent",
    "buy": "bought", "bring": "brought", "write": "wrote written", "read": "read", "run": "ran",
    "swim": "swam", "sleep": "slept", "wake": "woke woken", "make": "made", "meet": "met",
    "put": "put", "shut": "shut", "set": "set", "lock": "locked", "leave": "left", "see": "saw seen",
    "have": "had", "hang": "hung", "sweep": "swept", "drive": "drove driven", "ride": "rode ridden",
    "speak": "spoke spoken", "call": "called", "ring": "rang rung", "stretch": "stretched",
    "submit": "submitted", "wash": "washed", "mop": "mopped", "pick": "picked", "drop": "dropped",
    "check": "checked", "measure": "measured", "test": "tested", "weigh": "weighed", "text": "texted",
    "throw": "threw thrown", "inject": "injected", "shoot": "shot", "stick": "stuck", "lie": "lay lain",
    "study": "studied", "try": "tried", "tidy": "tidied", "dry": "dried", "empty": "emptied",
    "swallow": "swallowed", "pop": "popped", "water": "watered", "walk": "walked", "apply": "applied",
    "jog": "jogged", "plug": "plugged", "book": "booked", "order": "ordered", "sign": "signed",
    "mail": "mailed", "post": "posted", "email": "emailed", "charge": "charged", "close": "closed",
    "change": "changed", "exercise": "exercised", "practice": "practiced practised", "clean": "cleaned",
    "finish": "finished", "complete": "completed", "wear": "wore worn", "teach": "taught",
    "catch": "caught", "attend": "attended", "join": "joined", "rise": "rose risen", "down": "downed",
    "hit": "hit", "cook": "cooked", "fold": "folded", "iron": "ironed", "rub": "rubbed", "beat": "beat beaten",
    "begin": "began begun", "blow": "blew blown", "break": "broke broken", "build": "built", "cut": "cut",
    "draw": "drew drawn", "fill": "filled", "find": "found", "keep": "kept", "learn": "learned learnt",
    "let": "let", "light": "lit lighted", "pack": "packed", "sell": "sold", "sing": "sang sung", "sit": "sat",
    "stop": "stopped", "tell": "told", "think": "thought", "turn": "turned", "vacuum": "vacuumed", "visit": "visited",
}  # fmt: skip

ENGLISH: tuple[Family, ...] = (
    Family(
        "medicine medication meds pill pills tablet tablets vitamin vitamins dose capsule capsules "
        "antibiotic antibiotics aspirin supplement supplements painkiller statin metformin",
        "take swallow pop have down do eat drink gulp",
        "medicine;medication;meds;med;pill;pills;tablet;tablets;capsule;capsules;dose;my dose;vitamins;"
        "the pill;the pills;my pills;my pill;my meds;the meds;both pills;two pills;all my pills;doses",
        "swallowed it;it is down;washed it down;washed them down",
    ),
    Family(
        "insulin injection shot jab", "take inject do give have shoot stick",
        "insulin;shot;my shot;injection;jab;needle;units;dose",
        "shot up;jabbed myself;injected myself",
    ),
    Family("eye drops", "put use take apply do", "drops;eye drops;them in;it in;eyes", "drops are in"),
    Family(
        "water drink", "drink have down chug finish gulp sip",
        "water;glass;a glass;a glass of water;a cup;cup;a bottle;bottle;two glasses;the whole bottle",
        "drained it;chugged it;downed it",
    ),
    Family(
        "blood pressure bp", "check take measure test do read monitor",
        "blood pressure;bp;pressure;reading;my bp;cuff", "", measures="pressure",
    ),
    Family(
        "blood sugar glucose", "check take measure test do prick", "blood sugar;sugar;glucose;reading;finger",
        "", measures="glucose",
    ),
    Family("temperature fever", "check take measure do", "temperature;temp;thermometer;reading", "", measures="temperature"),
    Family("weigh weight scale", "weigh check step get do", "myself;weight;scale;on the scale", "", measures="weight"),
    Family("pulse heart rate", "check take measure do", "pulse;heart rate", "", measures="pulse"),
    Family("oxygen", "check take measure do", "oxygen;oximeter", "", measures="oxygen"),
    Family(
        "dog", "walk take feed let do go",
        "dog;the dog;puppy;pup;him;her;rex;buddy;max;out;for a walk;around the block;a walk;the walk;the park",
        "he has been walked;been walked;been out;got back from the walk;back from the walk", shareable=True, outdoors=True),
    Family(
        "cat feed fish bird rabbit hamster chickens",
        "feed give fill do put", "cat;the cat;kitty;kitties;cats;the cats;him;her;bowl;food;fish;the fish;the bird;bird;dinner;breakfast;kibble",
        "been fed;he has been fed;she has been fed;she is fed;he is fed;they are fed;is fed;is eating;are fed", shareable=True,
    ),
    Family("plants water the flowers garden", "water do spray", "plants;flowers;garden;the plants;the flowers;plant;ferns;the garden;lawn", "been watered", shareable=True),
    Family(
        "trash garbage rubbish bin bins recycling",
        "take put throw dump empty roll bring do", "trash;garbage;rubbish;bin;bins;out;the trash;the bins;recycling;bags;bag;the curb;trash can",
        "is out;it is out;bins are out;are already out;already out;at the curb;on the curb", shareable=True, outdoors=True),
    Family(
        "rent bill bills electricity tax taxes credit card mortgage fee fees invoice insurance",
        "pay send transfer settle do wire", "rent;the rent;bill;the bill;bills;card;electricity;invoice;money;landlord;mortgage;fee;balance;payment",
        "paid off;been paid;is paid;on autopay;it is on autopay;went through;transferred it;wired it;settled up;paid up;paid in full", shareable=True, once=True,
    ),
    Family(
        "mom mum mother dad father grandma call phone ring", "call phone ring talk speak facetime dial text",
        "mom;my mom;mum;mother;dad;father;her;him;grandma;to her;to him;to mom;to mum;with her;with mom;with him;on the phone with her;them;the doctor;doctor;the bank;the dentist",
        "got off the phone;just got off the phone;just hung up;hung up;spoke to her;spoke with her;talked to her;talked to him",
    ),
    Family(
        "pick kids school collect", "pick collect get fetch", "kids;the kids;up;him up;her up;them up;him;her;son;daughter;kid;my son;my daughter;from school",
        "in the car with me;they are home;kids are home;they are in the car", shareable=True, outdoors=True),
    Family(
        "package parcel mail delivery letter contract email report document form",
        "pick get collect fetch send mail post email ship submit file sign bring turn hand do",
        "package;parcel;mail;letter;contract;email;report;document;form;up;the package;the mail;paperwork;in",
        "sent it off;sent off;on its way;in the mail;it is in the mail;signed sealed delivered", shareable=True, once=True, outdoors=True),
    Family("buy groceries milk bread order book tickets appointment", "buy get pick order book make grab schedule", "milk;groceries;bread;eggs;tickets;ticket;appointment;table;some;food;the groceries", "", shareable=True, once=True),
    Family("meeting appointment class dentist doctor interview call standup", "go attend join be get see", "meeting;there;here;in;class;dentist;doctor;appointment;the meeting;the call", "in the meeting now;i am in the meeting;i am here;already here;i have joined;joined;just joined;already in", once=True),
    Family("get up wake up out of bed", "get wake rise", "up;out of bed;awake", "brushing my teeth;in the shower;having breakfast;making coffee;i am up;up already;already up;am awake;i am awake;wide awake;out of bed;up and about;up and at it;i have been up;woke up;got up;am up;awake"),
    Family("bed sleep nap rest", "go sleep lie turn rest nap", "bed;to bed;to sleep;sleep;down;in;rest;nap", "in bed;i am in bed;already in bed;good night;goodnight;night night;lights out;off to bed;going to bed;heading to bed;going to sleep;hitting the hay;turning in;nighty night;sweet dreams"),
    Family(
        "stretches stretch exercise exercises run jog workout yoga walk gym push physio training swim squats therapy",
        "do stretch exercise run jog go walk finish swim train work practice hit",
        "stretches;exercises;exercise;a run;run;jog;a jog;workout;a workout;yoga;walk;a walk;push ups;squats;sets;reps;laps;my routine;routine;for a run;for a jog;for a walk;out;gym;the gym;miles;steps;three sets;two sets;physio",
        "just got back;got back from my run;back from my run;back from the gym;all stretched out;stretched out;worked out", outdoors=True),
    Family("homework study essay read practice piano write reading lesson revise", "do write finish study read practice turn submit play work learn", "homework;essay;math;reading;book;piano;pages;chapter;lesson;report;paper;notes;studying;in", ""),
    Family("laundry dishes wash clean vacuum sweep mop tidy room floor kitchen dry hang fold dishwasher bathroom", "do wash clean vacuum sweep mop tidy hang fold dry put load run make empty unload", "laundry;dishes;the dishes;the laundry;clothes;floor;floors;room;kitchen;house;bed;load;sheets;away;out;dishwasher;my room", "in the dryer;in the washer;in the dishwasher;it is spotless;spotless", shareable=True),
    Family("lock door close window oven stove turn lights gas heater iron", "lock close shut turn switch bolt check do", "door;the door;doors;window;windows;oven;stove;off;lights;light;gas;up;locked;heater", "is locked;is shut;is closed;is off;it is off;it is locked;already off", shareable=True),
    Family("bandage dressing gauze cream ointment change wound", "change put apply do replace rub", "bandage;dressing;gauze;cream;ointment;on;wound;fresh one;new one;a fresh one;a new one", ""),
    Family("breakfast lunch dinner eat meal snack fruit", "eat have finish do", "breakfast;lunch;dinner;meal;food;snack;supper;a sandwich;sandwich;an apple;soup", "i am full;full;ate already;stuffed"),
    Family("teeth shower bath shave floss hair", "brush take wash shower floss shave bathe do", "teeth;shower;a shower;hair;bath;a bath;face;floss", "showered;all clean;squeaky clean"),
    Family("charge phone plug", "charge plug put", "phone;in;charger;battery;car", "charging;it is charging;plugged in;on the charger;fully charged", shareable=True),
)

# The same task told in the other language, so that 吃了 answers "take your medicine".
PAIRS: tuple[tuple[str, str], ...] = (
    ("药", "medicine"), ("药", "meds"), ("药", "pill"), ("药", "medication"), ("维生素", "vitamin"),
    ("胰岛素", "insulin"), ("喝水", "water"), ("血压", "blood pressure"), ("血糖", "blood sugar"),
    ("血糖", "glucose"), ("体温", "temperature"), ("体重", "weigh"), ("遛狗", "dog"), ("喂", "feed"),
    ("浇花", "plants"), ("垃圾", "trash"), ("房租", "rent"), ("电费", "bill"), ("信用卡", "credit card"),
    ("快递", "package"), ("寄", "mail"), ("电话", "call"), ("接孩子", "pick up"), ("开会", "meeting"),
    ("睡觉", "bed"), ("睡觉", "sleep"), ("起床", "get up"), ("起床", "wake up"), ("锻炼", "exercise"),
    ("康复操", "stretches"), ("跑步", "run"), ("作业", "homework"), ("洗", "laundry"), ("碗", "dishes"),
    ("锁门", "lock"), ("纱布", "bandage"), ("吃饭", "lunch"), ("刷牙", "teeth"), ("充电", "charge"),
)  # fmt: skip
