"""The words that the judge's rules share: who is close to a user, what people are, and what only points at something.

Lists and pieces of patterns, no rule. They are closed on purpose: "my boss" is somebody, "my code" is not, and a word
that is missing costs a memory while a wrong one costs trust. Whoever needs names of entities asks `entity_names`.
"""

#: A capital, or a letter of a script without capitals; names have several words at most.
NAME = r"(?-i:(?![a-z\u00df-\u00ff])[^\W\d_][\w.'-]*\w|(?![a-z\u00df-\u00ff])[^\W\d_])"
NAMES = rf"{NAME}(?: (?:(?:van|von|de|der|den|da|di|del|la|le|bin|al|el|dos) ){{0,2}}{NAME}){{0,3}}"

_FAMILY = (
    r"(?:step|half|grand|god|great-grand|foster)?[- ]?(?:mother|mom|mum|mommy|mummy|father|dad|daddy|parents?|brothers?"
    r"|sisters?|sons?|daughters?|child(?:ren)?|kids?|ma|pa|parents)"
    r"|siblings?|bab(?:y|ies)|boys|girls|toddlers?|newborn|twins?|triplets|aunt(?:ie)?s?|uncles?|cousins?|nephews?|nieces?"
    r"|granny|nana|grandparents|in-laws|family|little one|oldest|eldest|youngest|firstborn"
)
_PARTNER = (
    r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc(?:e|\u00e9)e?|other half|significant other"
)
_WORK = (
    r"boss|crew|staff|managers?|supervisor|team ?lead|tech lead|colleagues?|co-?workers?|teammates?|co-?founders?|business partner"
    r"|mentors?|mentees?|assistant|interns?|direct reports?|ceo|cto|cfo|advis[eo]r|clients?"
)
_OTHER = (
    r"(?:best |girl|boy|pen)?friends?|bestie|mate|buddy|pal|room-?mates?|flat-?mates?|house-?mates?|neighbou?rs?|landlord|landlady"
    r"|therapist|doctor|gp|dentist|vet|psychiatrist|psychologist|physio(?:therapist)?|cardiologist|neurologist|oncologist"
    r"|dermatologist|p(?:a)?ediatrician|lawyer|accountant|nanny|babysitter|tutor|coach|trainer|teacher|professor"
    r"|piano teacher|hairdresser|ex(?:-(?:wife|husband|girlfriend|boyfriend))?|bandmates?|classmates?"
)
PETS = (
    r"dogs?|cats?|pupp(?:y|ies)|kittens?|horses?|pon(?:y|ies)|rabbits?|bunn(?:y|ies)|hamsters?|parrots?|parakeets?|budgies?"
    r"|goldfish|turtles?|tortoises?|snakes?|lizards?|geckos?|guinea pigs?|rats?|mice|huskies|bearded dragons?|ferrets?|birds?|pets?|chickens?|hens|goats?|bees"
    r"|donkeys?|ducks?|cows?|sheep|golden retriever|labrador|beagle|corgi|poodle|dachshund|husky|german shepherd|border collie"
    r"|greyhound|pug|bulldog|terrier|spaniel"
)
_QUALIFIER = (
    r"(?:(?:older|younger|elder|little|big|oldest|youngest|eldest|middle|twin|best|close|closest|good|dear|old|oldest|new"
    r"|late|former|current|adopted|foster|only|first|second|two|three|four|five|beloved|own|rescue|elderly|teenage|baby"
    r"|newborn|direct|adult|identical|longtime|long-time|whole|childhood|work|college|school|family|\w+[- ]year[- ]old)[ -])*"
)
KIN = rf"(?:{_FAMILY}|{_PARTNER})(?:-in-law)?"
ROLE = rf"(?:{_FAMILY}|{_PARTNER}|{_WORK}|{_OTHER}|{PETS})(?:-in-law)?"
#: "my older sister", without a name.
RELATED = rf"(?:my|our) {_QUALIFIER}{ROLE}\b(?!-)"
QUALIFIER = _QUALIFIER

NUMBER = r"(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|hundreds|a dozen|several|a few|a couple of|some|many|no)"

#: Words after which nothing lasting follows: they point at the talk, the screen or the listener.
POINTING = (
    r"(?:it|this|that|these|those|them|him|you|your|yours|how|what|where|when|why|which|everything|nothing|anything"
    r"|something|one|ones|both|neither|either|option|the (?:idea|way|fact|one|ones|first|second|third|last|next|latter|former"
    r"|sound|look|answer|following|above|other|same|previous|current|new one|suggestion|plan|concept|thought|explanation"
    r"|result|output|code|command|script|function|query|error|message|file|test|tests|program|server|build|loop|method"
    r"|class|document|report|email|text|link|button|page|video|article|example|data|model))\b"
)
#: Objects of a moment's work; with a name they may still be projects.
CHORE = (
    r"(?:e-?mails?|letters?|messages?|notes?|functions?|quer(?:y|ies)|code|tests?|unit tests?|bugs?|issues?|errors?|tickets?"
    r"|prs?|pull requests?|regex(?:es)?|reports?|essays?|homework|assignments?|lists?|posts?|tweets?|comments?|repl(?:y|ies)|answers?|files?|tables?|columns?|forms?|buttons?|class(?:es)?"
    r"|methods?|loops?|paragraphs?|sentences?|slides?|speech(?:es)?|toasts?|cards?|invitations?|cover letters?|cvs?|resumes?"
    r"|scripts?|components?|endpoints?|dockerfiles?|spreadsheets?|formulas?|charts?|graphs?|presentations?|agenda|questions?"
    r"|exercise \d+|problem \d+|chapter \d+|polls?|surveys?|emails?|texts?|reviews?|captions?|headlines?|titles?|memos?"
    r"|queries|migrations?|configs?|pipelines?|commits?|branch(?:es)?|playlists?|shopping|stuff|things?|something|it|this|that)"
)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
#: A time that makes an announced event a plan worth keeping.
PLANNED = (
    rf"(?:(?:in|on|at|next|this|by|from|until|before|during|over) (?:the |early |late |mid-?|end of )*"
    rf"(?:{MONTH}\b|{WEEKDAY}|\d|spring|summer|autumn|fall|winter|year|month|christmas|easter|{NUMBER} (?:weeks?|months?|years?)))"
)

#: What somebody is for long, in one word.
LASTING = (
    r"(?:vegan|vegetarian|pescatarian|omnivore|married|single|divorced|widowed|engaged|separated|retired|unemployed"
    r"|self[- ]employed|freelance|pregnant|left[- ]handed|right[- ]handed|home-?schooled|housebound|tattooed|ambidextrous|gay|lesbian|bi|bisexual|straight|queer"
    r"|trans(?:gender)?|non-?binary|asexual|atheist|agnostic|religious|catholic|christian|protestant|muslim|jewish|buddhist"
    r"|hindu|sikh|mormon|deaf|blind|colou?r[- ]?blind|near-?sighted|short-?sighted|far-?sighted|diabetic|asthmatic|epileptic"
    r"|celiac|coeliac|lactose[- ]intolerant|gluten[- ]intolerant|gluten[- ]free|an only child|dyslexic|autistic|neurodivergent|claustrophobic"
    r"|ana?emic|arachnophobic|introverted|extroverted|bilingual|trilingual|multilingual|tall|short-tempered"
    r"|teetotal|sober|childfree|childless|adopted|an only child|hard of hearing|wheelchair-bound|kosher|halal|polyamorous"
    r"|monogamous|in remission|bipolar|insulin-dependent|hypertensive|visually impaired|disabled|paraplegic"
    r"|undocumented|ordained|non-?verbal|neurotypical|gifted|arthritic|bapti[sz]ed|vaccinated|circumcised|stateless|homeless|hypermobile|infertile|menopausal|perimenopausal|immunocompromised|bedridden|illiterate|dyspraxic|double-jointed|obese|bankrupt|tenured|latino|latina|hispanic|biracial|mixed race|aromantic|intersex|widowed|estranged"
    r"|semi-retired|bald|ticklish|tone-deaf)"
)
#: The last word of what somebody is by trade or station; the endings below carry the rest.
PERSON_NOUNS = frozenset(
    """nurse chef cook student undergrad undergraduate postgrad freshman sophomore senior junior apprentice trainee intern
    doctor gp surgeon dentist vet teacher professor lecturer tutor pilot judge clerk actor actress dj mom mum dad mother
    father parent grandparent grandmother grandfather grandma grandpa widow widower twin bachelor veteran soldier marine
    nun monk priest pastor rabbi imam monarchist citizen resident expat immigrant refugee native local vegan vegetarian
    pescatarian freelancer founder cofounder co-founder entrepreneur ceo cto cfo coo vp director manager developer dev
    programmer coder engineer sre scientist researcher postdoc fellow phd diabetic asthmatic celiac coeliac introvert
    extrovert insomniac atheist agnostic christian catholic muslim jew buddhist hindu carpenter plumber mechanic
    electrician farmer gardener florist baker barista butcher tailor driver courier guard officer detective coach trainer
    nanny au-pair homemaker housewife househusband carer caregiver caretaker volunteer lefty polyglot perfectionist
    minimalist workaholic person owl bird smoker non-smoker nonsmoker drinker teetotaler runner cyclist swimmer climber
    hiker surfer gamer musician guitarist pianist drummer violinist singer songwriter painter artist potter poet novelist
    author writer editor translator photographer librarian archivist curator bookworm collector homeowner landlord tenant
    renter member mp mayor councillor paramedic midwife pharmacist physio paralegal solicitor barrister notary sailor
    captain conductor streamer youtuber podcaster blogger influencer analyst admin sysadmin consultant contractor
    dietician dietitian chemist physicist biologist mathematician historian philosopher sociologist geologist botanist
    zoologist economist therapist psychologist psychiatrist hygienist optician optometrist stylist hairdresser barber
    beautician receptionist secretary assistant accountant auditor bookkeeper actuary broker trader banker teller agent
    realtor cleaner janitor waiter waitress bartender steward stewardess firefighter policeman policewoman cop lawyer
    attorney architect designer animator illustrator producer director lead hobbyist brewer beekeeper knitter quilter
    birder woodworker survivor recipient foodie cinephile audiophile bassist cellist vocalist rapper dancer ballerina
    gymnast footballer goalkeeper referee umpire golfer skier snowboarder skater boxer wrestler
    postman fisherman salesman foreman fireman handyman rep sacristan operator trucker welder roofer bricklayer joiner
    decorator surveyor supervisor coordinator administrator specialist strategist planner copywriter marketer instructor
    educator inspector sculptor jeweller weaver miner ranger cashier convert""".split()
)
PERSON_ENDINGS = ("ologist", "ographer", "ician", "keeper", "maker", "worker", "builder", "woman", "eer")
#: Said of oneself in a mood, not for life.
NOT_WHO = (
    r"(?:bit|little|lot|mess|wreck|fool|idiot|loser|fan|believer|beginner at this|better|worse|bad|terrible|horrible|awful"
    r"|slow|quick|fast|happy|satisfied|paying|genius|moron|failure|burden|joke|zombie|ghost|robot|human|customer|stranger|lover|learner|number|winner|supporter|newcomer|matter)"
)
