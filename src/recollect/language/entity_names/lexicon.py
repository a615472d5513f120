"""Words that recognition knows: what is no name, what a capital in front of a name means, and a few well-known names.

The lists are short and our own. Places and firms are here only where a sentence alone would leave the type open; a
name that is missing is found by its context or not at all. It knows no grammar.
"""

from recollect.language.attribute import NOT_PLACES, REGIONS, TECHNOLOGIES
from recollect.language.phrasing.named import ROLES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Days, months and feasts.
TIMES = _words("""
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february march april may june july august september october november december jan feb mar apr jun
    jul aug sep sept oct nov dec spring summer autumn fall winter today tomorrow yesterday tonight morning evening
    christmas xmas easter thanksgiving halloween hanukkah chanukah diwali ramadan eid passover lent pentecost purim holi
    kwanzaa yom kippur rosh hashanah valentine valentines mothers fathers independence memorial labor labour boxing
    carnival oktoberfest pride nowruz vesak songkran midsummer advent epiphany new-year q1 q2 q3 q4
""")
_TONGUES = _words("""
    english french german spanish italian portuguese russian chinese japanese korean arabic hindi urdu bengali punjabi
    tamil telugu marathi gujarati malayalam kannada mandarin cantonese hebrew yiddish turkish persian farsi pashto dari
    swahili zulu xhosa yoruba igbo hausa amharic somali polish czech slovak hungarian romanian bulgarian serbian
    croatian bosnian slovene ukrainian belarusian lithuanian latvian estonian finnish swedish norwegian danish icelandic
    dutch flemish afrikaans irish gaelic welsh scots basque catalan galician greek latin sanskrit esperanto maltese
    albanian armenian georgian thai vietnamese lao khmer burmese malay indonesian tagalog filipino cebuano hawaiian
    maori samoan nepali sinhala tibetan mongolian kazakh uzbek klingon american british european african asian
    australian canadian mexican brazilian indian iranian israeli egyptian moroccan swiss austrian belgian scandinavian
    western eastern northern southern muslim christian jewish hindu buddhist catholic protestant orthodox sikh mormon
    roman victorian romance germanic slavic
""")
# Words that open sentences, or are written with a capital for respect, emphasis or habit.
_ORDINARY = _words("""
    user users i i'm i've i'd i'll me my mine myself we us our ours you your yours he him his she her hers it its they them
    their theirs this that these those who whom whose which what when where why how whether if then else so because
    since although though while until unless after before during without within about above against along among around
    as at by for from in into like near of off on onto out over past per than through to toward towards under up upon
    via with and or but nor yet not no none never nothing nobody nowhere neither either both all any anybody anyone
    anything each every everybody everyone everything few many more most much other others another several some somebody
    someone something such same one two three four five six seven eight nine ten first second third last next a an the
    is are was were be been being am do does did done doing have has had having can could may might must shall should
    will would let lets let's don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't
    yes yeah yep nope ok okay hi hello hey hiya thanks thank please sorry sure well oh ah wow hmm um uh lol omg btw fyi
    asap imho aka etc ps tldr actually also again already always anyway apparently basically besides certainly clearly
    currently definitely especially eventually ever finally fortunately frankly generally hence here however honestly
    hopefully indeed instead just lately later likely luckily maybe meanwhile moreover mostly namely naturally nearly
    nevertheless normally now obviously occasionally often once only originally otherwise overall perhaps personally
    plus possibly presumably previously probably quite rarely rather really recently regardless sadly seriously sometimes
    somehow soon still suddenly surely therefore there thus together too twice typically ultimately unfortunately
    usually very guess ask asked tell told call called text texted email emailed meet met met remember remind note add
    buy bought get got give gave go went going gone come came make made take took put see saw seen say said think
    thought know knew feel felt find found want wanted need needed try tried use used work worked working works live
    lives lived love loves loved hate hates hated enjoy prefer visit visited visiting talked spoke speak had saw spent
    help show send sent write wrote read start started stop stopped keep kept leave left pick picked bring brought book
    booked schedule scheduled plan planned check checked turn turned run ran play played pay paid move moved moving
    drive drove fly flew watch watched listen learn learned study studied teach build built fix fixed change changed
    open close set sign log update delete create review summarize translate explain describe compare
    time day days week weeks month months year years hour hours minute home house work school office people person
    man men woman women guy guys girl girls boy boys kid kids child children baby family families friend friends team
    teams doctor doctors nurse teacher teachers student students boss manager company companies customer customers client
    clients patient patients police government management support security research science scientists experts critics
    legend rumor rumour nature tradition religion law court congress parliament reception customs housekeeping word fate
    god jesus christ allah buddha lord heaven hell santa satan devil bible quran torah earth moon sun mars internet web
    tv wifi covid dna ai api ceo cto cfo coo hr pr it id pdf url faq diy usb gps pc ui ux ml llm gpt sql iq eq phd mba bsc
    msc dinner lunch breakfast coffee tea traffic weather money food sleep life death love music art history math maths
    physics chemistry biology economics production staging deployment
    happy birthday merry congratulations congrats good great nice bad best worst dear team chapter section page part step
    phase level version number type grade figure table appendix room floor gate flight terminal street avenue road lane
    north south east west left right center central old new big small
    alexa siri chatgpt claude gemini copilot gpt bard cortana assistant
    facebook instagram twitter tiktok youtube linkedin reddit snapchat pinterest whatsapp telegram wikipedia iphone ipad
    macbook imac airpods kindle playstation xbox nintendo switch lego barbie uno bluetooth velcro kleenex tesla-model
    photoshop powerpoint word excel onenote outlook onedrive sharepoint icloud
""")
#: No word of these is a person, a place or a project by its capital alone.
NEVER = TIMES | _TONGUES | _ORDINARY
#: Tools and services: an employer after "works at", else no entity.
BRANDS = TECHNOLOGIES | NOT_PLACES

#: Firms that people talk to and about; after "with" or "told" they would look like people.
COMPANIES = _words("""
    google apple amazon microsoft meta tesla nvidia intel amd ibm oracle cisco dell hp lenovo samsung sony panasonic
    toyota honda nissan hyundai kia ford chrysler volkswagen audi bmw mercedes porsche renault peugeot fiat volvo siemens
    bosch basf bayer sap allianz lufthansa airbus boeing ryanair easyjet emirates delta nestle unilever pepsi coca-cola
    starbucks mcdonalds mcdonald's ikea walmart costco target lidl aldi tesco carrefour nike adidas zara comcast verizon
    vodafone telekom telefonica orange at&t t-mobile sprint visa mastercard amex barclays hsbc citibank chase santander
    deloitte kpmg pwc ey accenture mckinsey pfizer moderna novartis roche astrazeneca fedex ups dhl uber lyft airbnb
    booking expedia spacex nasa openai anthropic deepmind huawei xiaomi tencent alibaba bytedance tata infosys wipro
    reliance shell bp exxon chevron gazprom
""")
#: Large cities and islands; countries and states are in `attribute.REGIONS`. Those that are people's names as well are
#: left out: they need a word of place before them.
_CITIES = _words("""
    amsterdam ankara antwerp athens atlanta auckland baghdad bali baltimore bangalore bengaluru bangkok barcelona basel
    beijing beirut belfast belgrade berlin bern birmingham bogota bogotá bologna bordeaux boston brasilia brisbane
    bristol brooklyn brussels bucharest budapest buenos_aires cairo calgary cambridge canberra cape_town caracas
    casablanca chengdu chennai chicago cleveland cologne copenhagen cork crete dallas damascus delhi denver detroit
    dhaka dubai dublin dubrovnik durban dusseldorf düsseldorf edinburgh frankfurt gdansk geneva ghent glasgow gothenburg
    granada graz guadalajara hamburg hanoi havana hawaii helsinki hiroshima ho_chi_minh_city hong_kong hyderabad ibiza
    innsbruck istanbul jakarta jerusalem johannesburg kabul karachi kathmandu krakow kraków kuala_lumpur kyiv kyoto lagos
    lahore las_vegas leeds leipzig lima lisbon liverpool ljubljana london los_angeles lucerne lviv lyon maastricht madrid
    malaga málaga manchester manhattan manila marrakesh marseille mecca melbourne memphis mexico_city miami milan
    minneapolis montevideo montreal moscow mumbai munich münchen nairobi nanjing naples nashville new_delhi new_orleans
    new_york new_york_city nyc los_angeles la_paz nuremberg osaka oslo ottawa oxford palermo paris perth philadelphia
    pittsburgh porto prague pune quebec quito reykjavik riga rio_de_janeiro riyadh rome rotterdam salzburg san_diego
    san_francisco san_jose santiago sao_paulo são_paulo sarajevo seattle seoul seville shanghai shenzhen singapore sofia
    split st_louis st_petersburg stockholm strasbourg stuttgart taipei tallinn tbilisi tehran tel_aviv tenerife tokyo
    toronto toulouse tripoli tunis turin utrecht valencia vancouver venice vienna vilnius warsaw washington_dc wellington
    wuhan zagreb zanzibar zurich zürich
""")
_ALSO_NAMES = _words("""
    georgia jordan chad virginia washington montana carolina dakota austin milan sofia valencia lima split cork orange
    nice reading bath mobile turkey paris santiago perth wellington brittany tuscany provence israel kenya malta cuba
    indiana maine georgia us idaho cambridge oxford
""")
#: Slugs of places that need no further word.
PLACES = (_CITIES | REGIONS) - _ALSO_NAMES
#: Slugs of places after a word of place ("in", "from").
PLACES_IN = _CITIES | (REGIONS - {"us"})

#: The last word of a firm's name; with another word before it, it is one.
LEGAL_FORMS = _words("""
    inc incorporated corp corporation gmbh ag ltd limited llc llp plc co kg kgaa bv nv sa srl spa oy oyj ab asa aps pty
    sarl eurl ug ohg ev
""")
#: Words that make a name an organisation's.
ORGANISATION_WORDS = LEGAL_FORMS | _words("""
    university college institute academy hospital clinic bank foundation holdings labs laboratories technologies
    ventures pharma pharmaceuticals airlines airways motors bakery brewery museum church
""")
#: Words that make a name a place's.
PLACE_WORDS = _words("""
    lake mount mountain park square beach airport station street island islands valley river castle bridge stadium
    mall temple cathedral falls canyon bay harbour harbor plaza
""")
#: "University of Vienna", "Bank of America".
HEADS_WITH_OF = _words("""
    university college institute academy bank ministry department church museum school federation society council
    association
""")
#: Written before a name and part of it.
TITLES = _words("dr mr mrs ms prof professor doctor rev reverend sergeant judge senator")
#: Kin and roles that stand before a name and are no part of it ("Aunt May", "Coach Carter").
ROLE_WORDS = ROLES | _words("""
    co-founder buddy colleague instructor physio physiotherapist nurse surgeon paediatrician pediatrician
    dermatologist cardiologist neurologist hairdresser barber stylist recruiter contractor plumber electrician gardener
    cleaner secretary intern employee investor advisor adviser supervisor ceo cto cfo coo  partner
    crush fiancé godchild godparent sponsor student pupil apprentice trainee caregiver carer midwife
    mama papa nana mummy
""")  # fmt: skip
#: Of those, the ones that are written with a capital before a name; others so written are part of a heading or a brand.
CAPITAL_ROLES = _words(
    "uncle aunt auntie cousin grandma grandpa granny grandmother grandfather coach sister nurse"
)
#: Roles that firms have as well as people.
EITHER_ROLES = _words("client clients customer customers partner investor sponsor agent contractor")
#: What a firm is called before its name ("our supplier Northwind").
FIRM_ROLES = _words("""
    employer vendor supplier competitor company startup start-up firm bank insurer insurance agency school university
    hospital clinic organisation organization charity airline publisher landlord-company nonprofit
""")
#: What a project is called before its name ("our app Nimbus").
PROJECT_NOUNS = _words("""
    project projects app application tool game website site service library product codebase repo repository package
    plugin platform initiative programme program bot prototype dashboard
""")
#: What follows the name of a project ("the Atlas migration").
PROJECT_ENDS = _words("""
    project migration rollout roll-out launch redesign rewrite refactor refactoring initiative release codebase repo
    repository prototype relaunch revamp
""")
#: Common nouns and adjectives that are names, too: a known one of these counts only with its capital.
ORDINARY_NAMES = _words("""
    will may mark rose bill art grace hope faith joy june april august dawn summer autumn ivy lily daisy violet iris jack
    frank grant chase pat drew sue rob nick dean guy earl gene ray jay penny sunny sky star crystal amber ruby pearl jade
    jasmine ginger olive basil sage angel christian heather holly hazel myrtle cliff dale glen heath brook lane reed
    forest wood miles victor max pierce hunter mason carter tanner cooper parker baker smith long short young brown black
    white green gray grey king page field fields banks rivers stone snow winter west east north page bell bird fox wolf
    lamb drake crane hart buck bud chip clay dusty rusty sandy rocky stormy misty sonny junior major duke prince earnest
    ernest justice mercy charity patience prudence constance harmony melody carol robin jay wren raven jerry john harry
    don ron ted tom dick peter sam ben dot mel sal val gay fanny randy rich josh matt nan gin coy mike jean jeans case
    colt lance rod buster gail wade chuck bob bobby jimmy tony hank paddy molly polly jenny nelly kitty china turkey
    polish nice reading bath mobile orange split cork jordan chad lima job love child noble stern sharp swift strong
    wise rice cook cane bacon berry bush branch
""") | _words(
    "target gap shell meta square visa ring bolt lime signal box linear notion slack zoom wise arc edge"
)
