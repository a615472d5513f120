"""What is the user's: name, birthday, favourites, work, home, plans; "my commute is 40 minutes", "our launch is on May 5".

Rules for clauses that begin with something of the user's. The thing must be one that lasts (a car, a deadline), the
predicate must say what it is, not how it is doing: "my phone is a Pixel", not "my phone is dead". People are left to
the rules for people. Secrets are known here so that they can be refused.
"""

import re

from recollect.language.judge.lexicon import NAMES, PLANNED, POINTING, ROLE
from recollect.language.judge.rule import PLAIN, READ, Rule, Who, rule
from recollect.language.pattern import Pattern
from recollect.records.category import Category

_THING_ONLY = frozenset((Who.THING,))


def _own(
    name: str,
    thing: str,
    value: str,
    *,
    confidence: float = PLAIN,
    category: Category | None = None,
    attribute: str | None = None,
    passing: bool = True,
) -> tuple[Pattern, Rule]:
    return Pattern(thing, re.IGNORECASE), rule(
        name,
        value,
        who=_THING_ONLY,
        confidence=confidence,
        category=category,
        attribute=attribute,
        passing=passing,
    )


_IS = r"(?:is|are|was|were)(?: now| currently| still| actually| also| always| going to be)* "
_NOT_POINTING = rf"(?!{POINTING})"
#: How a thing is doing, what is asked of it, or what points elsewhere.
_FARING = (
    r"(?!(?:not )?(?:\w+ly )?(?:more|less|much|finally|over|tight|limited|flexible|frozen|laggy|blank|burning|watering|swollen|broken|dead|slow|down|gone|lost|late|stuck|ready|done|finished|fine|good|bad|great|terrible|awful"
    r"|horrible|here|there|back|up|off|on fire|killing|driving|being|getting|acting|making|failing|crashing|hanging|running out"
    r"|working|not working|too|so|very|really|pretty|super|just|wrong|right|correct|ok|okay|empty|full|closed|open|open\b|due for"
    r"|about to|waiting|missing|delayed|cancel+ed|sold out|a mess|a disaster|a nightmare|a joke|boring|annoying|stressful|weird|hurting"
    r"|sore|tired|better|worse|how|why|what|whether|if|to (?:know|find out|ask|understand|fix|get this)|that|this|it|you|your|"
    r"as follows|the following|below|above|attached|in the (?:shop|garage))\b)"
)

OWN = (
    _own("name", r"(?:(?:first|last|full|middle|maiden|real|legal|family|given|birth) ?)?(?:name|surname|nickname)", rf"(?:is|'s)(?: now| actually)? (?P<name>{NAMES})", category=Category.IDENTITY),
    _own("birthday", r"(?:birth ?day|date of birth|birth ?date|dob|b-day|name day)", rf"{_IS}(?:on |in )?(?:the )?\w", category=Category.IDENTITY),
    _own("contact", r"(?:(?:work|private|personal|home|new|mobile) )?(?:e-?mail(?: address)?|phone(?: number)?|number|mobile(?: number)?|address|postcode|zip(?: code)?|(?:github|twitter|discord|slack|instagram|telegram|linkedin|mastodon|steam|gamer) ?(?:handle|name|id|username|tag|account)?|handle|username|website|blog|domain|timezone|time zone)", rf"{_IS}(?!{POINTING})(?!(?:at|in|on|with|dead|broken|about|off|out|down|ringing|dying|not)\b)(?=.*[\d@/_]|\S+\.\S|(?-i:[A-Z]))\S", category=Category.IDENTITY),
    _own("handle", r"(?:\w+ )?(?:handle|username|nick|call sign|license plate|number plate|frequent flyer number|membership number|customer number|student id|employee id)", rf"{_IS}(?!(?:not |already |now )*(?:taken|wrong|locked|gone|missing|invalid|blocked|expired|hidden|here)\b)\S", category=Category.IDENTITY),
    _own("identity", r"(?:age|credit score|gpa|iq|elo|chess rating|rating|handicap|personal best|pb|nationality|citizenship|religion|pronouns|gender|native language|first language|mother tongue|star sign|height|weight|hourly rate|day rate|rate|shoe size|ring size|blood type|blood group|marital status|heritage|ethnicity|(?:dress|clothing|t-?shirt|hat) size|size|mbti(?: type)?|eyesight|salary)", rf"{_IS}{_FARING}\w", category=Category.IDENTITY),
    _own("hometown", r"(?:home ?town|home|current city|birthplace|home country|home airport|local airport)", rf"{_IS}(?:in |near )?(?-i:[A-Z])\w", category=Category.IDENTITY),
    _own("favourite", r"(?:(?:all[- ]time|absolute|current|new|least|second|own) )*(?:favou?rite|fav|go-to|preferred|usual|default|ideal|dream|comfort|guilty) [\w' -]{2,40}?", rf"{_IS}{_NOT_POINTING}\S", category=Category.PREFERENCE),
    _own("favourite", r"(?:(?:main|primary|daily|standard|usual) )(?:editor|ide|browser|language|programming language|shell|terminal|os|operating system|framework|database|keyboard|distro|stack|driver|phone|laptop|airline|bank|doctor|pharmacy|gym|supermarket)", rf"{_IS}{_FARING}{_NOT_POINTING}\S", category=Category.PREFERENCE),
    _own("work", r"(?:current |new |day |side |first |old )*(?:job|profession|occupation|work|employer|role|position|title|job title|career|side gig|side hustle|business|trade|field|specialty|speciality|industry|department|shift|shifts|working hours|office|commute|workplace|boss's name)", rf"(?:{_IS}|(?:takes|starts?|ends?|involves|means|requires|pays|focuses|covers) |(?:has|have) (?=an?|\d|no|two|three)){_FARING}{_NOT_POINTING}\w", confidence=READ, category=None),
    _own("organisation", r"(?:(?:current|new|small|own|little|whole|dev|engineering|design|product|data|sales|research|family(?:'s)?) )*(?:company|startup|start-up|firm|team|squad|lab|agency|studio|practice|shop|bakery|restaurant|cafe|employer|department|band|choir|club|church|school|university|college|charity|nonprofit|ngo|farm|clinic|hospital|store|business|org|organi[sz]ation|group|repo|codebase|stack|tech stack|backend|frontend|infra|infrastructure|product|(?:side |pet |main |current |new )?project|thesis|novel|book|research|dissertation|app|platform|service|monorepo|database|ci|pipeline|production|prod|cluster|website|site|api)(?:,? (?-i:[A-Z])[\w&.'-]*(?: (?-i:[A-Z])[\w&.'-]*){0,2},?)?", rf"(?:{_IS}(?:called|named|based|an?|in|at (?-i:[A-Z])|(?:still )?on (?:\d|(?-i:[A-Z])|medieval|\w+ \w+ \w+)|made|built|written|fully|hosted|mostly|part of|located|owned|run|deployed|the (?!problem|issue|same)|remote|(?-i:[A-Z])|{PLANNED}|\d)|(?:has|have|makes?|sells?|builds?|uses?|runs?|does|employs?|develops?|meets?|deploys?|releases?|ships?|works?|focuses|consists|speciali[sz]es|targets?|follows?|operates|supports|prefers|requires|lives?|supplies|hosts|serves?|trains|rehearses|plays|closes|opens|offers|gets|produces|writes|owns|forbids|allows|bans) (?!{POINTING}|an? (?:\w+ )?(?:error|bug|problem|issue)|no idea|to (?:be|do) ))", confidence=READ),
    _own("called", r"[\w' -]{3,40}", r"(?:is|are)(?: now)? (?:called|named) [\"']?(?-i:[A-Z])\w", confidence=READ),
    _own("tool", r"(?:[\w-]+ ){0,2}?(?:editor|ide|browser|shell|terminal|os|distro|db|database|theme|font|keyboard layout|programming language|framework|backend|frontend|stack|hosting|cloud provider|bank|airline|password manager|note-taking app|search engine|email client|linter|formatter|package manager|version control|test framework|orm|ci|cms|hosting provider|phone plan|internet provider)", rf"(?:{_IS}|runs on |runs |uses ){_FARING}{_NOT_POINTING}\w", confidence=READ),
    _own("bond", r"[a-z][\w' -]{2,30}(?: (?:at|in|from|for) (?-i:[A-Z])[\w&.]*)?", r"(?:is|are)(?: called| named)? (?:(?:dr|mr|mrs|ms|prof)\.? (?-i:[A-Z])\w+|(?-i:[A-Z][a-z]+ [A-Z][a-z]+))(?=$|[.!,;]| (?:at|from|in)\b)", confidence=READ),
    _own("background", r"(?:(?:professional|family|cultural|academic) )?(?:background|upbringing|heritage|accent|mother tongue|politics)", rf"{_IS}(?:in )?{_FARING}\w", confidence=READ),
    _own("date ahead", r"(?:[\w'-]+ ){0,3}?(?:wedding|surgery|operation|exams?|osce|finals?|interview|due date|flight|trip|launch|release|go-?live|deadline|move|graduation|defen[cs]e|viva|marathon|race|recital|concert|appointment|anniversary|conference|vacation|holiday|holidays|honeymoon|retirement|visa|passport|lease|contract|probation|trial|demo|presentation|reunion|scan|check-?up|biopsy|chemo|treatment|term|semester|course|sabbatical|parental leave|maternity leave|license|insurance|mortgage|baby|sprint|review|audit|exhibition|tournament|residency|internship)", rf"(?:{_IS}|starts?|begins?|ends?|expires?|runs? out|takes place|happens|lands|leaves|departs|opens|finishes|falls)(?: (?:on|in|at|by|from|until|for|due|set|scheduled|planned|moved to|booked|out|new|next|the))*.*?(?:{PLANNED}|\b\d{{1,2}}(?:st|nd|rd|th)\b|\d{{4}}|(?-i:[A-Z]))", confidence=READ),
    _own("possession", r"(?:(?:new|old|current|main|work|daily|second|first|company|e-?) ?)*(?:car|camper van|bike|motorbike|motorcycle|phone|laptop|computer|machine|pc|camera|guitar|piano|keyboard|tablet|monitor|tv|house|flat|apartment|garden|boat|van|truck|place|kitchen|backpack|telescope|gpu|server|nas|router|printer|watch|oven|stove|heating|bedroom|living room|balcony|camper|caravan|tent|skis|board|kayak)", rf"(?:{_IS}(?:called|named|an? |the (?!problem|issue|same)|in (?-i:[A-Z])|on the \w+ floor|(?-i:[A-Z])|made|from|\d+ (?:years|sqm|square|m2)|electric|(?:north|south|east|west)[- ]?facing|rented|gas|induction)|(?:has|have|runs?|faces|weighs|holds|takes|uses) (?!{POINTING}|an? (?:\w+ )?(?:error|bug|problem|issue|flat|leak|crack)|out|low|been))", confidence=READ),
    _own("pastime", r"(?:(?:main|biggest|favou?rite|other|new|only|weekend|secret) )*(?:hobb(?:y|ies)|passions?|interests?|pastimes?|sports?|talents?|superpower|obsession|weakness|vice|specialty|instrument|pet peeves?|diet|routine|morning routine|bedtime|workout|training|stack|setup|genre|religion|mantra|motto|politics|strengths?|skills?|values?)", rf"(?:{_IS}|(?:includes?|starts?|involves?) ){_FARING}{_NOT_POINTING}\w", confidence=READ),
    _own("history", r"(?!code|script|app|test|build|server|phone|computer|laptop|question|query|function)[a-z][\w' -]{2,25}", r"(?:(?!is|was|has|does)\w+s|\w+ed|got \w+|burnt|has been \w+)(?: \w+)* (?:every (?:\w+)|in (?:19|20)\d\d|since \w+|by (?-i:[A-Z])\w+)", confidence=0.8),
    _own("goal", r"(?:(?:main|big|biggest|long[- ]term|ultimate|new|current|personal|career|life|savings|fitness|reading|weight|new year's|own) )*(?:goals?|dreams?|ambitions?|resolutions?|target|aim|plan|bucket list|budget|(?:hard )?limit)(?: (?:for|this|of) [\w ]+?)?", rf"{_IS}{_FARING}(?!(?:to (?:fix|get|find|understand|know|make (?:this|it)|solve|write (?:an?|the) (?:function|script|email)|finish this)|that|this|as follows|good|ruined)\b)\w", confidence=READ),
    _own("health", r"(?:(?:current|regular|daily|chronic|main|emergency|known|food|drug|morning|\w+) ){0,2}(?:medications?|meds|allerg(?:y|ies)|diagnosis|condition|doctor|gp|dentist|therapist|emergency contact|contact|insurance|insurer|pharmacy|blood pressure|blood sugar|resting heart rate|heart rate|a1c|cholesterol|vision|prescription|dose|dosage|inhaler|hearing|vision|cycle|period|weight|bmi|due date|insulin|thyroid|liver|immune system)", rf"(?:{_IS}|(?:has|have) (?:been )?)(?!sore|hurting|killing|gone|bad(?! since)|acting|out|up\b|down\b|getting|fine|good|great|terrible|awful|stiff|worse|better|red|itchy|running|ready|here|late|due today|irregular today)(?:usually |around |about |normally |always |generally )*{_NOT_POINTING}\w", confidence=READ),
    _own("bond", rf"(?:(?:new|old|biggest|main|best|first|oldest|closest|current|travel|gym|running|study|lab|training|drinking|writing|accountability|doubles|chess|bridge|sparring|climbing|business|hiking) )*(?:client|customer|landlord|landlady|buddy|partner|sponsor|host|agent|contact|point of contact|supplier|vendor|investor|publisher|contractor|builder|cleaner|gardener|{ROLE})", rf"{_IS}(?:called |named )?(?:(?:my|our) [\w -]+? )?(?:(?:dr|mr|mrs|ms|prof)\.? )?(?-i:[A-Z])\w", category=Category.RELATIONSHIP),
    _own("body", r"(?:(?:left|right|both|bad|lower|upper|dominant) )*(?:eyes?|knees?|hips?|legs?|arms?|hands?|foot|feet|ears?|spine|back|shoulders?|neck|ankles?|wrists?|kidneys?|lungs?|heart|thyroid|teeth|tooth|lens|vertebrae|fingers?)", r"(?:is|are) (?:both |mostly |completely |partially |now )*(?:prosthetic|artificial|replaced|fused|paralysed|paralyzed|amputated|shot|blind|deaf|missing|underactive|overactive|transplanted|titanium|fake|implants?|crooked|weak|bad from|double-jointed)\b", confidence=READ),
    _own("family", r"(?:(?:whole|extended|immediate) )?(?:family|parents|grandparents|siblings|in-laws|people|ancestors|roots)", rf"(?:{_IS}(?:from|in|based|all|both|originally|an?|divorced|separated|dead|deceased|retired|(?-i:[A-Z]))|(?:lives?|comes?|came|moved|owns?|runs?|has|have|emigrated|speaks?|celebrates?|farms?|were|eats?|goes)\b)", confidence=READ),
)  # fmt: skip

SECRET = Pattern(
    r"\b(?:pass(?:word|code|phrase)|pin(?: code| number)?(?= (?:is|for|to))|api[ _-]?keys?|secret key|access token|private key"
    r"|seed phrase|recovery (?:phrase|code)s?|credit card(?: number)?(?= (?:is|number|ends))|card number|cvv|cvc|iban|ssn"
    r"|social security(?: number)?|2fa|otp|login credentials)\b",
    re.IGNORECASE,
)


def own_rule(thing: str, predicate: str) -> Rule | None:
    """The rule that keeps such a statement about such a thing, if one does."""
    for things, found in OWN:
        if things.fullmatch(thing) and found.rest.match(predicate):
            return found
    return None
