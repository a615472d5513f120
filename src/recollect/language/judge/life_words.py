"""Word classes for what no special rule knows: nouns and verbs of a life, of a screen, of a moment and of the mind.

A life has too many verbs to list what may be kept; what does not last is a smaller world: thought and speech, the steps of a
task, the state of the moment. `LIFE` are nouns that make a lasting thing even of a step ("I take lessons"), `SCREEN` and
`MOMENT` those that make none of anything. Words only, no rule and no sentence.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Nouns of home, work, study, money, body, kin, faith, land and pastime.
LIFE = _words("""
    house home flat apartment condo studio cottage cabin farm farmhouse ranch bungalow townhouse duplex trailer houseboat
    narrowboat barn lawn yard pond meadow hoa patio balcony porch terrace garden allotment greenhouse basement attic land acres acre hectares orchard vineyard mortgage rent lease
    landlord tenants deposit neighbourhood neighborhood village suburb suburbs countryside dorm dormitory commune
    job jobs shift shifts nightshift company firm startup business agency practice clinic hospital ward hospice pharmacy
    bakery restaurant cafe shop store salon factory warehouse plant mine shipyard brewery winery library museum theatre
    theater orchestra choir band ensemble quartet troupe team squad league club society association union guild board
    committee council charity nonprofit ngo foundation shelter foodbank church mosque temple synagogue parish congregation
    monastery army navy airforce military marines police reserves coastguard brigade regiment scouts
    school kindergarten nursery daycare preschool college university uni academy bootcamp apprenticeship internship degree
    bachelor bachelor's master's masters phd doctorate mba diploma certificate certification licence license scholarship grant
    thesis dissertation semester freshman sophomore major minor course courses class classes lesson lessons tutoring training
    salary wage wages pension savings loan loans debt debts overdraft fund funds etf etfs stocks shares bonds crypto bitcoin
    isa 401k roth portfolio insurance benefits alimony inheritance taxes bankruptcy allowance disability welfare medicaid
    medicare bursary stipend commission freelancing retirement
    insulin medication meds medicine pills inhaler epipen pacemaker wheelchair crutches prosthesis prosthetic hearing aids
    glasses contacts lenses braces implant implants dialysis chemo chemotherapy radiotherapy therapy physio physiotherapy
    counselling counseling rehab recovery remission transplant surgery diet allergy allergies asthma diabetes adhd autism
    cancer migraine migraines epilepsy arthritis depression anxiety ptsd ocd dyslexia blood pressure cholesterol
    antidepressants statins supplements vitamins vegan vegetarian keto gluten dairy lactose meat alcohol caffeine sugar
    household paycheck waitlist
    wife husband spouse partner fiance fiancee fiancé fiancée girlfriend boyfriend mother mom mum father dad parents parent
    son sons daughter daughters child children kid kids baby babies twins triplets brother brothers sister sisters sibling
    siblings grandmother grandfather grandma grandpa grandparents grandson granddaughter grandchildren grandkids aunt uncle
    cousin cousins nephew niece stepson stepdaughter stepfather stepmother stepkids godson goddaughter family families in-laws
    mother-in-law father-in-law sister-in-law brother-in-law roommate roommates flatmate flatmates housemate housemates
    dog dogs cat cats puppy kitten horse horses pony rabbit rabbits hamster parrot budgie tortoise turtle snake lizard gecko
    chickens hens goats sheep cows cattle pigs bees hives hive beehives ducks geese donkey donkeys alpacas llamas ferret
    ferrets rats aquarium terrarium greyhound labrador retriever poodle collie shepherd spaniel terrier husky pets pet
    car cars truck van campervan camper caravan motorhome rv motorbike motorcycle scooter moped bike bicycle ebike e-bike
    tricycle boat sailboat yacht kayak canoe plane glider tractor tesla hybrid
    piano guitar guitars violin viola cello bass drums drum saxophone sax trumpet trombone flute clarinet oboe ukulele banjo
    mandolin accordion harp harmonica organ synth synths fiddle bagpipes turntables vinyl records
    chess bridge poker darts golf tennis squash badminton football soccer rugby cricket hockey basketball volleyball handball
    baseball softball netball lacrosse judo karate aikido taekwondo jiu-jitsu bjj boxing kickboxing mma wrestling fencing archery
    swimming running cycling rowing sailing surfing skiing snowboarding skating climbing bouldering hiking yoga pilates
    crossfit gym dance ballet salsa tango knitting crochet quilting sewing pottery ceramics woodworking carpentry painting
    watercolour watercolor calligraphy photography astronomy birdwatching birding gardening fishing hunting foraging baking
    brewing homebrew beekeeping genealogy cosplay larp warhammer miniatures lego origami embroidery blacksmithing
    marathon marathons triathlon triathlons ironman ultramarathon parkrun belt medal medals championship tournament title
    visa passport citizenship residency residence permit asylum refugee greencard naturalization papers sponsorship custody
    adoption ivf pregnancy divorce marriage wedding honeymoon engagement funeral birth
    ramadan lent sabbath shabbat mass bible quran torah sunday-school prayer prayers rosary hajj baptism confirmation
    collection collections antiques stamps coins podcast blog newsletter channel novel memoir memoirs album charter
    rig pc homelab telescope camera lens drone keyboard loom kiln forge workshop shed greencard war county
    tour tours
    accent childhood upbringing hometown countries languages tattoo tattoos piercing piercings
    patients pupils students clients tenancy harvest crop crops wheat barley maize corn soy potatoes tomatoes
    vegetables herbs roses bonsai orchids sourdough kombucha cheese
""")

#: Nouns of the task at hand and the talk itself: nothing said with them is about a life.
SCREEN = _words("""
    button buttons error errors exception exceptions page pages screen file files folder tab tabs window dialog popup
    link links url cursor dropdown checkbox menu settings setting option options log logs output outputs input console terminal
    command commands prompt code snippet function functions method methods variable variables class loop array string strings
    script scripts query queries table tables column columns row rows cell cells formula regex endpoint endpoints request requests
    response responses server servers container containers build builds compile compiler test tests bug bugs crash crashes
    stacktrace traceback warning warnings message messages notification notifications update updates download upload install
    installer package packages module modules dependency dependencies version commit branch merge pr prs repo config token
    tokens json xml html css api null undefined syntax spreadsheet document doc docs pdf paragraph paragraphs sentence
    sentences essay draft email emails mail attachment reply replies answer answers question questions suggestion suggestions
    example examples explanation instructions step steps list point points idea ideas topic result results
    difference issue issues problem problems solution fix help login password username captcha wifi router modem
    typo title header footer caption screenshot driver drivers firmware reboot
""")

#: Nouns of an hour or a day.
MOMENT = _words("""
    minute minutes moment second seconds while bit break meeting call lunch dinner breakfast snack nap shower headache
    hangover cold flu fever cough sneeze blister hiccups rush hurry trouble traffic queue line bus train taxi uber elevator
    couch sofa kitchen bathroom toilet airport station platform mood tonight
    feeling doubt doubts thought thoughts clue guess hunch luck fun time chance choice favor favour errand errands way look
    go try shot word talk chat conversation discussion appetite laugh crush confusion lot thing things something anything
    nothing somebody someone craving cravings plan plans mind mistake mistakes sense sure effort note progress advantage offense boat-ride
""")

#: Thought, speech, perception, politeness: however often, not a life's doing.
MIND = _words("""
    think believe guess suppose assume hope wish want need mean say ask wonder see hear feel look know understand agree
    disagree appreciate thank apologize apologise promise notice find try keep forget remember realize realise seem doubt
    worry care miss am be is are will would should could might must may give tell bet swear expect admit recommend
    suggest request require choose imagine pretend demand insist propose recall fear regret trust deserve sound figure
    gather reckon acknowledge decline approve vow consider intend plan aim decide assure mention shall lol ok declare
    hereby confirm accept object concur laugh cry sigh shrug nod question refer mind matter depend happen appear exist fail
    wanna gotta gonna guarantee beg pardon second blame welcome dare solemnly picture envision sense detect spot discover
    struggle long yearn crave ache sweat freeze starve lean tend kid joke quote cite repeat rephrase clarify correct stress
    vote contain emphasize note observe conclude infer deduce rest digress bow swoon stutter-step smell taste loathe-it lend excuse
    live like love hate enjoy prefer use dislike adore
""")

#: Steps of a task or an errand: they tell of a life only when repeated or with a noun of one.
STEP = _words("""
    run execute click press tap type enter paste copy open close install uninstall load save print import export
    deploy call start stop send receive return set add put build compile push pull merge commit clone create delete
    remove update change edit move go leave test debug check verify connect log restart reload refresh upload
    download submit select drag pass apply convert parse define declare assign initialize instantiate wrap map
    filter fetch render mount encounter experience hit break fix solve switch reach finish pick book schedule wait
    lie help show lose win arrive come plug boot scroll swipe highlight hover launch quit kill attach insert
    replace rename drop throw catch grab cancel sign begin end continue resume skip lock unlock reset retry reboot
    scan charge pour stir boil cut spread fold mix shake flip have exit bump jump toss pop strike navigate browse
    google zoom crop sort query join split plot fit compute calculate multiply divide integrate subtract measure
    increase decrease tweak toggle spawn respawn die crash
""")

#: What people do with their days; of a thing that is known already ("the bus") it may be today's.
DAILY = _words("""
    drive ride walk sleep eat drink wake read watch listen buy order pay spend follow train take make do bring visit stay sit stand share hold meet write turn let
""")

#: Past forms that change a life by themselves.
TURN = _words("""
    immigrated emigrated migrated relocated resettled defected fled enlisted deployed converted graduated retired married
    remarried divorced eloped adopted fostered inherited survived relapsed miscarried majored minored apprenticed interned
    enrolled matriculated qualified founded cofounded co-founded co-owned naturalized transitioned homeschooled freelanced
    volunteered backpacked fractured sprained ruptured dislocated tore shattered outgrew remortgaged refinanced pawned
    bequeathed published authored self-published grew raised coached mentored chaired captained
""")

#: Past forms that change a life with a noun of one: "bought a farm", "quit drinking".
TURN_WITH = _words("""
    moved bought sold built started began opened closed finished left quit joined won lost got had took gave became passed
    failed broke earned completed received did signed rented leased renovated restored switched stopped dropped changed taught
    studied trained served worked lived ran managed owned kept bred planted grew learned learnt played sang danced competed
    donated named christened baptised baptized buried met engaged hired fired founded launched wrote published recorded
    made toured translated designed spent saved invested paid borrowed cofounded sailed crossed climbed hiked cycled walked rode
    went came returned settled turned split separated carried delivered gained beat overcame underwent
""")

#: What is said of somebody in a mood, or of anybody.
MOOD = _words("""
    cause mess wreck fool idiot loser believer genius moron failure burden joke zombie ghost robot human customer stranger number
    winner bit little lot few nightmare disaster jerk saint angel gem star legend pain dream delight bully liar hypocrite
    snob clown prick asshole bastard bitch dick sweetheart darling monster dinosaur potato teapot tool chicken goner
    step stage while minute second loss dummy noob newbie n00b sucker wimp coward hero champ beast machine man guy
    dude woman girl boy person someone somebody one thing kind sort type matter way bundle ball pro natural batman superman
    must plus shame pity riot hoot handful rock blast joy pleasure treat mystery puzzle challenge problem issue
    sinner broken-record glutton sponge cloud vegetable couch fly millionaire billionaire unicorn wizard ninja rockstar
    god goddess king queen princess prince pirate vampire alien spy mind-reader superhero celebrity weirdo
""")

#: Machines whose faults are talked about more than their kind.
DEVICE = _words(
    "phone iphone printer macbook laptop tablet ipad router tv app account computer mac monitor windows samsung"
)
#: What is cooked and gone.
DISH = _words("""
    pasta cake soup salad sandwich dinner lunch breakfast pizza bread cookies curry stew sauce tea coffee rice eggs omelette
    lasagna chili pancakes risotto toast smoothie burger burgers tacos brownies pie muffins stir-fry roast
""")
