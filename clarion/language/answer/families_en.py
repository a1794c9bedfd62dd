"""English kinds of task. Things and finished phrases are parted by semicolons."""

from clarion.language.answer.family import Family

ENGLISH: tuple[Family, ...] = (
    Family(
        signs=(
            "medicine medication meds pill pills tablet tablets vitamin vitamins dose capsule "
            "capsules antibiotic antibiotics aspirin supplement supplements painkiller statin "
            "metformin"
        ),
        verbs="take swallow pop have down do gulp",
        things=(
            "medicine;medication;meds;med;pill;pills;tablet;tablets;capsule;capsules;dose;"
            "my dose;vitamins;the pill;the pills;my pills;my pill;my meds;the meds;"
            "both pills;two pills;all my pills;doses"
        ),
        finished="swallowed it;it is down;washed it down;washed them down",
    ),
    Family(
        signs="insulin injection shot jab",
        verbs="take inject do give have shoot stick",
        things="insulin;shot;my shot;injection;jab;needle;units;dose",
        finished="shot up;jabbed myself;injected myself",
    ),
    Family(
        signs="eye drops",
        verbs="put use take apply do",
        things="drops;eye drops;them in;it in;eyes",
        finished="drops are in",
    ),
    Family(
        signs="water drink",
        verbs="drink have down chug finish gulp sip",
        things=(
            "water;glass;a glass;a glass of water;a cup;cup;a bottle;bottle;two glasses;"
            "the whole bottle"
        ),
        finished="drained it;chugged it;downed it",
    ),
    Family(
        signs="blood pressure bp",
        verbs="check take measure test do read monitor",
        things="blood pressure;bp;pressure;reading;my bp;cuff",
        measures="pressure",
    ),
    Family(
        signs="blood sugar glucose",
        verbs="check take measure test do prick",
        things="blood sugar;sugar;glucose;reading;finger",
        measures="glucose",
    ),
    Family(
        signs="temperature fever",
        verbs="check take measure do",
        things="temperature;temp;thermometer;reading",
        measures="temperature",
    ),
    Family(
        signs="weigh weight scale",
        verbs="weigh check step get do",
        things="myself;weight;scale;on the scale",
        measures="weight",
    ),
    Family(
        signs="pulse heart rate",
        verbs="check take measure do",
        things="pulse;heart rate",
        measures="pulse",
    ),
    Family(
        signs="oxygen",
        verbs="check take measure do",
        things="oxygen;oximeter",
        measures="oxygen",
    ),
    Family(
        signs="dog",
        verbs="walk take feed let do go",
        things=(
            "dog;the dog;puppy;pup;him;her;rex;buddy;max;out;for a walk;around the block;"
            "a walk;the walk;the park"
        ),
        finished=(
            "he has been walked;been walked;been out;got back from the walk;back from the walk"
        ),
        shareable=True,
        outdoors=True,
    ),
    Family(
        signs="cat feed dog puppy fish bird rabbit hamster chickens",
        verbs="feed give fill do put",
        things=(
            "cat;the cat;kitty;kitties;cats;the cats;him;her;bowl;food;fish;the fish;"
            "the bird;bird;dinner;breakfast;kibble;dog;puppy;his dinner;her dinner;his breakfast"
        ),
        finished=(
            "been fed;he has been fed;she has been fed;she is fed;he is fed;they are fed;"
            "is fed;is eating;are fed;bowl is full;bowl s full;bowls are full;had his food;"
            "had her food"
        ),
        shareable=True,
    ),
    Family(
        signs="plants water the flowers garden",
        verbs="water do spray",
        things="plants;flowers;garden;the plants;the flowers;plant;ferns;the garden;lawn",
        finished="been watered",
        shareable=True,
    ),
    Family(
        signs="trash garbage rubbish bin bins recycling",
        verbs="take put throw dump empty roll bring do",
        things=(
            "trash;garbage;rubbish;bin;bins;out;the trash;the bins;recycling;bags;bag;"
            "the curb;trash can"
        ),
        finished=(
            "is out;it is out;bins are out;are already out;already out;at the curb;on the curb"
        ),
        shareable=True,
        outdoors=True,
    ),
    Family(
        signs=(
            "rent bill bills electricity tax taxes credit card mortgage fee fees invoice insurance"
        ),
        verbs="pay send transfer settle do wire",
        things=(
            "rent;the rent;bill;the bill;bills;card;electricity;invoice;money;landlord;"
            "mortgage;fee;balance;payment"
        ),
        finished=(
            "paid off;been paid;is paid;on autopay;it is on autopay;on auto pay;auto pay;"
            "went through;transferred it;wired it;settled up;paid up;paid in full"
        ),
        shareable=True,
        once=True,
    ),
    Family(
        signs="mom mum mother dad father grandma call phone ring",
        verbs="call phone ring talk speak facetime dial text",
        things=(
            "mom;my mom;mum;mother;dad;father;her;him;grandma;to her;to him;to mom;to mum;"
            "with her;with mom;with him;on the phone with her;them;the doctor;doctor;"
            "the bank;the dentist"
        ),
        finished=(
            "got off the phone;just got off the phone;just hung up;hung up;spoke to her;"
            "spoke with her;talked to her;talked to him"
        ),
    ),
    Family(
        signs="pick kids school collect",
        verbs="pick collect get fetch",
        things=(
            "kids;the kids;up;him up;her up;them up;him;her;son;daughter;kid;my son;"
            "my daughter;from school"
        ),
        finished="in the car with me;they are home;kids are home;they are in the car",
        shareable=True,
        outdoors=True,
    ),
    Family(
        signs="package parcel mail delivery letter contract email report document form",
        verbs=(
            "pick get collect fetch send mail post email ship submit file sign bring turn hand do"
        ),
        things=(
            "package;parcel;mail;letter;contract;email;report;document;form;up;the package;"
            "the mail;paperwork;in"
        ),
        finished=(
            "sent it off;sent off;on its way;in the mail;it is in the mail;signed sealed delivered"
        ),
        shareable=True,
        once=True,
        outdoors=True,
    ),
    Family(
        signs="buy groceries milk bread order book tickets appointment",
        verbs="buy get pick order book make grab schedule",
        things=(
            "milk;groceries;bread;eggs;tickets;ticket;appointment;table;some;food;the groceries"
        ),
        shareable=True,
        once=True,
    ),
    Family(
        signs="meeting appointment class dentist doctor interview call standup",
        verbs="go attend join be get see",
        things="meeting;there;here;in;class;dentist;doctor;appointment;the meeting;the call",
        finished=(
            "in the meeting now;i am in the meeting;i am here;already here;i have joined;"
            "joined;just joined;already in"
        ),
        once=True,
    ),
    Family(
        signs="up wake out",
        verbs="get wake rise",
        things="up;out of bed;awake",
        finished=(
            "brushing my teeth;in the shower;having breakfast;making coffee;i am up;"
            "up already;already up;am awake;i am awake;wide awake;out of bed;up and about;"
            "up and at it;i have been up;woke up;got up;am up;awake"
        ),
    ),
    Family(
        signs="bed sleep nap rest",
        verbs="go sleep lie turn rest nap",
        things="bed;to bed;to sleep;sleep;down;in;rest;nap",
        finished=(
            "in bed;i am in bed;already in bed;good night;goodnight;night night;lights out;"
            "off to bed;going to bed;heading to bed;going to sleep;hitting the hay;"
            "turning in;nighty night;sweet dreams"
        ),
    ),
    Family(
        signs=(
            "stretches stretch exercise exercises run jog workout yoga walk gym push physio "
            "training swim squats therapy"
        ),
        verbs="do stretch exercise run jog go walk finish swim train work practice hit",
        things=(
            "stretches;exercises;exercise;a run;run;jog;a jog;workout;a workout;yoga;walk;"
            "a walk;push ups;squats;sets;reps;laps;my routine;routine;for a run;for a jog;"
            "for a walk;out;gym;the gym;miles;steps;three sets;two sets;physio"
        ),
        finished=(
            "just got back;got back from my run;back from my run;back from the gym;"
            "all stretched out;stretched out;worked out"
        ),
        outdoors=True,
    ),
    Family(
        signs="homework study essay read practice piano write reading lesson revise",
        verbs="do write finish study read practice turn submit work learn",
        things=(
            "homework;essay;math;reading;book;piano;pages;chapter;lesson;report;paper;notes;"
            "studying;in"
        ),
    ),
    Family(
        signs=(
            "laundry dishes wash clean vacuum sweep mop tidy room floor kitchen dry hang fold "
            "dishwasher bathroom"
        ),
        verbs="do wash clean vacuum sweep mop tidy hang fold dry put load run make empty unload",
        things=(
            "laundry;dishes;the dishes;the laundry;clothes;floor;floors;room;kitchen;house;"
            "bed;load;sheets;away;out;dishwasher;my room"
        ),
        finished="in the dryer;in the washer;in the dishwasher;it is spotless;spotless",
        shareable=True,
    ),
    Family(
        signs="lock door close window oven stove turn lights gas heater iron",
        verbs="lock close shut turn switch bolt check do",
        things=(
            "door;the door;doors;window;windows;oven;stove;off;lights;light;gas;up;locked;heater"
        ),
        finished="is locked;is shut;is closed;is off;it is off;it is locked;already off",
        shareable=True,
    ),
    Family(
        signs="bandage dressing gauze cream ointment change wound",
        verbs="change put apply do replace rub",
        things=(
            "bandage;dressing;gauze;cream;ointment;on;wound;fresh one;new one;a fresh one;a new one"
        ),
    ),
    Family(
        signs="breakfast lunch dinner eat meal snack fruit",
        verbs="eat have finish do",
        things="breakfast;lunch;dinner;meal;food;snack;supper;a sandwich;sandwich;an apple;soup",
        finished="i am full;full;ate already;stuffed",
    ),
    Family(
        signs="teeth shower bath shave floss hair",
        verbs="brush take wash shower floss shave bathe do",
        things="teeth;shower;a shower;hair;bath;a bath;face;floss",
        finished="showered;all clean;squeaky clean",
    ),
    Family(
        signs="charge phone plug",
        verbs="charge plug put",
        things="phone;in;charger;battery;car",
        finished="charging;it is charging;plugged in;on the charger;fully charged",
        shareable=True,
    ),
)
