"""What somebody does, likes, has and can, as a rule of their life: verbs in the present.

English says in the plain present what happens again and again ("I cycle to work"), so that such a clause lasts unless its
verb tells of thought, speech or the task at hand, or its object points at the screen. Those are listed; the rest is taken.
It does not know moods. The other way round, a list of what may be kept, was rejected: lives have too many verbs.
"""

from recollect.language.health_statement import CONDITIONS
from recollect.language.judge.lexicon import (
    CHORE,
    LASTING,
    NAME,
    NUMBER,
    PETS,
    PLANNED,
    POINTING,
    ROLE,
)
from recollect.language.judge.rule import OURS, READ, SELF_ONLY, Who, rule, table
from recollect.records.category import Category

_NOT_POINTING = rf"(?!{POINTING})"
#: What makes a repeated thing of a single one.
HABITUAL = (
    r"\b(?:every|each|daily|weekly|monthly|nightly|always|never|usually|normally|typically|rarely|mostly|regularly|often"
    rf"|(?:on |most |over )?(?:mon|tues|wednes|thurs|fri|satur|sun|week)(?:day|end)?(?:s|days|ends|nights)\b"
    rf"|{NUMBER} (?:times|nights|days|mornings|evenings|hours) (?:a|per) \w+|(?:once|twice|thrice) (?:a|per|every) \w+"
    r"|most (?:days|mornings|nights|evenings|weekends)|in the (?:mornings|evenings)|for a living|before (?:bed|work|breakfast)"
    r"|after (?:work|dinner|lunch|school)|at night|in (?:summer|winter)|since (?:\d{4}|i was)|for (?:\w+ )?(?:years|decades)|nowadays|these days|again(?=$|[.!])|whenever)\b"
)
_THE_MOMENT = rf"(?:an?|the|some|this) (?:\w+ )?(?:{CHORE}|problem|question|error|bug|idea|doubt|headache|meeting|call|moment|minute|second|issue|request)\b"

LIKING = (
    rule(
        "liking",
        rf"(?:(?:really|so|to|also|very much) )*{_NOT_POINTING}(?!to (?:know|see|hear|thank|say|ask|add|get (?:an?|some|the|your)|understand|discuss|know)\b)"
        rf"(?!(?:his|her|their) |the (?!(?:mountains?|sea|seaside|ocean|beach|outdoors|cold|heat|rain|snow|sun|winter|summer|city|countryside|theatre|opera|gym|smell of|taste of|sound of|feeling of|feel of|dark|dentist|quiet|noise|beatles|cure|stones|nineties|eighties|desert|forest|woods|north|south|night)\b)|being able|that|when you|if|working with you|talking to you|my (?:friend|new)|some of|all of|most of|our (?:chat|conversation))\w",
        category=Category.PREFERENCE,
    ),
)
_PREFER = (
    rule(
        "preference",
        rf"{_NOT_POINTING}(?!not to (?:say|answer)|option|the (?:first|second|third|other|shorter|longer|former|latter|red|blue|green|new|old)\b|[AB]\b)\w",
        category=Category.PREFERENCE,
    ),
)
_LIVE = (
    rule(
        "home",
        rf"(?:together |alone |now |currently |right )*(?:in|near|on|at|outside|between|close to|next to|by|above|abroad|around|across from|just outside|off|here in) "
        rf"(?!fear|hope|the (?:moment|past|now)|{POINTING})\w|(?:abroad|alone|together|next door|nearby|close by|upstairs|downstairs|rent-free|paycheck to paycheck)\b|with (?!{POINTING})\w|off-grid",
        category=Category.IDENTITY,
    ),
)
_WORK = (
    rule(
        "work",
        r"(?:together |mainly |mostly |remotely |part[- ]time |full[- ]time |freelance |closely |also |now |currently |directly )*"
        rf"(?:at|for|as|in|from home|remotely|part[- ]time|full[- ]time|nights|night shifts?|shifts|weekends|freelance|with (?:{NAME}|my|our|children|kids|animals|people)|out of|under (?-i:[A-Z])|on (?:the )?(?-i:[A-Z])|(?:mon|tues|wednes|thurs|fri|satur|sun)day|{NUMBER} (?:days|hours))\b(?! (?:progress|this|that|it|these|those|your|the (?:same|following|next)|my (?:case|machine|laptop|browser))\b)",
        category=None,
    ),
    rule("project", rf"on {_NOT_POINTING}(?:an?|the|my|our) (?!(?:[\w-]+ ){{0,2}}?{CHORE}\b)\w", category=Category.PROJECT, confidence=READ),
)  # fmt: skip
_USE = (
    rule(
        "use",
        rf"{_NOT_POINTING}(?!(?:the|a|an) (?:\w+ )?(?:{CHORE}|for loop|variable|library|module|endpoint|formula|hook)\b|to |my (?:code|function))(?:[\w\"'.]|@)",
        category=Category.PREFERENCE,
        confidence=READ,
        team=True,
    ),
)
_SPEAK = (rule("language", r"(?:(?:fluent|some|a little|a bit of|basic|native|good|only|both|decent|conversational) )*(?-i:[A-Z])\w+", category=Category.SKILL), rule("language", r"(?:\w+ )?languages|english|german|french|spanish|italian|portuguese|polish|russian|arabic|hindi|japanese|korean|chinese|mandarin|turkish|dutch|swedish|danish|greek", category=Category.SKILL))  # fmt: skip
_KNOW = (
    rule(
        "skill",
        r"(?:how to (?!fix|do (?:it|this|that)|get|solve|make this)\w|(?:some |basic |a bit of |a little |only )?(?-i:[A-Z][\w+#.]+)(?: (?:and|,) (?-i:[A-Z])[\w+#.]+)*(?:$|[.!]| (?:well|fluently|inside)))",
        category=Category.SKILL,
        confidence=READ,
    ),
)
_LEARN = (rule("skill", rf"{_NOT_POINTING}(?!(?:a lot|how|about|more|from)\b)\w", category=Category.SKILL, confidence=READ),)  # fmt: skip
_PLAY = (rule("pastime", rf"{_NOT_POINTING}(?!around|with (?:the|this)|back)\w"),)
_WANT = (
    rule(
        "standing wish",
        r"(?:you to (?:always|never) \w|(?:everything|all (?:my |answers|replies|dates|code)|no \w+|any (?:\w+ )?comments|comments|answers|replies|responses|my (?:answers|replies|summaries|code|reports)|code (?:examples|samples))\b)",
        category=Category.PREFERENCE,
        confidence=READ,
        who=SELF_ONLY,
    ),
    rule(
        "goal",
        r"to (?:one day |eventually |finally )?(?:become (?:an?|the)|learn (?!how|about|more|what|why|the|from)\w|retire|emigrate|move (?:to|abroad|back)|start (?:my own|a (?:business|company|family|charity|podcast|bakery))|run (?:a|the|my first) (?:\w+ )?(?:half |ultra)?-?marathon|write a (?:book|novel|memoir)|buy (?:a|my first) (?:house|home|flat|boat|farm)|open (?:a|my own) \w+|quit (?:smoking|drinking|vaping)|lose \w+ (?:kilos?|kg|pounds|lbs)|get (?:a|my) (?:degree|phd|master's|pilot|driving|driver's)|publish|climb (?-i:[A-Z])|adopt (?:a|an) )",
        confidence=READ,
        who=OURS,
    ),
)

_KIND = rf"(?:an?|{NUMBER}|my|our|his|her|their|the|only one|both) "
_HAVE = (
    rule(
        "people and pets",
        rf"(?:got )?(?:{_KIND})(?:(?:older|younger|little|big|twin|elderly|small|beautiful|lovely|adopted|old|new|[\w-]+[- ](?:year|month|week)[- ]old|golden|german|border|black|white|rescue|grown(?:-up)?|teenage|best|close|baby|step|half|estranged|(?!about|of|for|with|in|on|to|that|and|from|more|questions?|problems?|issues?|at)\w+) ){{0,3}}?(?:{ROLE}|boys?|girls?|grandkids|grandchildren|stepkids|stepchildren)(?=$|[.,;!(:]| (?:named|called|and|who|with|in (?!need|mind)|at|from|that|of|aged|now|together|already|on|about|\()\b| \()",
        passing=False,
    ),
    rule(
        "health",
        r"(?:got )?(?:(?:an?|the|severe|mild|chronic|bad|type|\d|high|low|both|some|really|my) )*(?:(?:[\w-]+ ){0,2}?allerg(?:y|ies)|intolerance|diabetes|epilepsy|asthma|copd|hiv|cancer|hypertension|high blood pressure|low blood pressure|arthritis|adhd|add|autism|parkinson's|alzheimer's|dementia|ms|multiple sclerosis|hepatitis|thyroid \w+|fibromyalgia|ptsd|ocd|dyslexia|migraines|anxiety|depression|bipolar|insomnia|eczema|psoriasis|c(?:o)?eliac|crohn's|ibs|endometriosis|pcos|lupus|anemia|anaemia|sleep apnea|tinnitus|vertigo|scoliosis|hypothyroidism|hashimoto's|glaucoma|osteoporosis|pacemaker|a? ?stutter|flat feet|(?:a )?bad (?:knee|back|hip|shoulder)s?|(?:an? )?(?:artificial|prosthetic) \w+|(?:a )?heart (?:condition|murmur|disease)|(?:a )?phobia|(?:a )?fear of|(?:a )?sweet tooth|trouble (?:sleeping|hearing|seeing)|hearing aids?|a? ?wheelchair|an? insulin pump|long covid|migraines?(?: with)?|high cholesterol|reflux|gout|sensitive \w+|curly hair|dry skin|gestational|the flu shot|only one (?:kidney|lung|eye|leg|arm|hand|ear))\b",
    ),
    rule("health", rf"(?:(?:an?|severe|mild|chronic|bad|also|only) )*(?:{CONDITIONS})(?!\w)", confidence=READ),
    rule(
        "training",
        rf"(?:got )?(?:(?:an?|my|two|over|about|almost|around|more than|\d+\+?|{NUMBER}) )*(?:(?:[\w'-]+ ){{0,3}}?(?:degree|phd|ph\.d|doctorate|master'?s|mba|bachelor'?s|diploma|certificate|certification|licen[cs]e|black belt|green card|citizenship|passport|dual citizenship|permit|visa for)|years?(?:'|’)?(?: of)? (?:\w+ )?experience|years as an?|yrs experience|no (?:\w+ )?experience (?:with|in)|a background in|experience (?:in|with|as))\b",
    ),
    rule(
        "possession",
        rf"(?:got )?(?:an?|{NUMBER}|my own|our own|the|my|our) (?:(?!quick|few|about|of|for|with|in|on|to|that|and|from|more|questions?|problems?|issues?|at|spare)[\w'&+-]+ ){{0,4}}?(?:house|home|flat|apartment|condo|cabin|cottage|farm|garden|allotment|balcony|greenhouse|boat|car|truck|van|motorbike|motorcycle|scooter|e-?bike|bikes?|bicycle|piano|guitar|violin|telescope|kiln|startup|company|business|shop|store|bakery|restaurant|cafe|practice|studio|blog|podcast|channel|newsletter|mortgage|budget of|macbook|thinkpad|laptop|pc|desktop|iphone|pixel|android(?: phone)?|kindle|ipad|xbox|playstation|switch|nas|server at home|homelab|raspberry pi|3d printer|monitors?|camera|sewing machine|espresso machine|employees|staff|people|engineers|developers|reports|pool|season ticket|membership|tattoos?|bees|hives?|beehives?|collection of|record collection|pension|trust fund|loan|lease|sauna|workshop|shed|debt|tesla|toyota|bmw|ford|vw|volkswagen|honda|skoda|volvo|subaru)\b",
        confidence=READ,
    ),
    rule("membership", r"(?!\w+ed )(?:global entry|tsa|priority pass|(?:\w+ ){0,2}(?:status|miles|membership|insurance|subscription|railcard|bahncard|license|access to a \w+))\b", confidence=READ),
    rule("routine", rf"{_NOT_POINTING}(?!{_THE_MOMENT})(?!(?:already |just |also |recently |never |always |even |only )*(?:\w+ed|been|found|had|got|gone|done|made|taken|seen|heard|read|bought|kept|known|thought|come|become|given|written|put|set|let|lost|won|met|paid|sent|spent|built|felt|left|held|told|said|to)\b)[\w' -]+? ?{HABITUAL}", confidence=READ),
    rule("appointment", rf"(?:an?|my|our|the) (?:[\w'-]+ ){{0,4}}?(?:wedding|surgery|operation|exam|exams|interview|due date|flight|trip|chemo|graduation|recital|marathon|anniversary|birthday) [\w' ]{{0,30}}?{PLANNED}", confidence=READ),
)  # fmt: skip
_CAN = (
    rule(
        "skill",
        rf"(?:also |barely |only |still )?(?:speak|play|read|write|code|cook|bake|drive|ride|swim|ski|sail|sew|knit|juggle|program|sing|dance|understand (?-i:[A-Z])|touch[- ]type|surf|fly (?:a|planes)|sign) ?{_NOT_POINTING}",
        category=Category.SKILL,
        confidence=READ,
    ),
)
_CANNOT = (
    rule(
        "dislike",
        rf"(?:really )?(?:stand|bear|abide|stomach|sit through|deal with|get into|get enough of|live without|function without|resist|start (?:my|the) day without) (?!the |this){_NOT_POINTING}\w",
        category=Category.PREFERENCE,
    ),
    rule(
        "limit",
        rf"(?:really |even )?(?:eat|drink|have|take|tolerate|digest|handle|swim|drive|ride|fly|smell|taste|sleep (?:without|with|on|if)|speak|hear|see well|walk (?:far|long|more)|run|lift|climb|read (?:music|\w+ without)|cook|whistle|sing|dance|work (?:on|after|before|nights|weekends)|do (?:mornings|evenings|stairs|mondays|tuesdays|wednesdays|thursdays|fridays|weekends))\b ?(?!{POINTING}|time|any sense|the (?:difference|point)|no )",
        confidence=READ,
    ),
)
_NOT_DO = (
    rule(
        "dislike",
        rf"(?:really |even |particularly |actually |ever )*(?:like|enjoy|love|want (?:any|to be (?:called|addressed|contacted)|anything|comments|calls|meetings|emoji)|care for|trust (?-i:[A-Z])) {_NOT_POINTING}(?!to (?:ask|say|bother|be rude|sound)|the way)\w",
        category=Category.PREFERENCE,
    ),
    rule(
        "abstention",
        rf"(?:really |even |ever |usually |actually )*(?P<verb>eat|drink|smoke|drive|fly|use|own|speak|watch|cook|celebrate|wear|vape|gamble|work|take (?:sugar|milk|calls|meetings|the (?:train|bus|lift|elevator)|public)|live|play|do (?:drugs|mornings|weekends|meetings|caffeine|dairy|gluten|spicy)|believe in|shop|travel|dance|swim|read|have (?:any |an? )?(?:kids|children|siblings|pets|car|brothers|sisters|allergies|dog|cat|driver's licen[cs]e|licen[cs]e|tv|smartphone|garden|oven|microwave|dishwasher|degree)|answer (?:calls|emails|phone)|check (?:email|slack))\b ?(?!{POINTING}|any (?:idea|sense|questions?|time|more (?:questions|info))|a (?:clue|problem|choice|solution)|time|the (?:time|money|energy|answer))(?P<what>.*)",
        confidence=READ,
    ),
    rule(
        "bond",
        rf"(?:really )?(?:get (?:on|along)|speak|talk) (?:well )?(?:with|to) (?!{POINTING})(?:my|our|{NAME})",
        confidence=READ,
    ),
    rule("state", rf"(?:really )?have {LASTING}"),
)

LIVING = table(
    ("live lives reside resides", _LIVE),
    ("work works", _WORK),
    ("like likes love loves enjoy enjoys hate hates dislike dislikes adore adores despise despises detest detests loathe loathes", LIKING),
    ("prefer prefers favor favour", _PREFER),
    ("use uses", _USE),
    ("speak speaks", _SPEAK),
    ("know knows", _KNOW),
    ("learn learns", _LEARN),
    ("play plays", _PLAY),
    ("want wants", _WANT),
    ("have has", _HAVE),
    ("can", _CAN),
    ("can't cannot cant", _CANNOT),
    ("don't dont doesn't doesnt", _NOT_DO),
    ("avoid avoids", (rule("avoidance", rf"{_NOT_POINTING}(?!the (?:error|warning))\w", category=Category.PREFERENCE),)),
    ("come comes", (rule("origin", rf"(?:originally )?from (?:a |the )?(?:(?:[\w-]+ ){{0,4}}(?:family|town|village|city|background)|{NAME})", category=Category.IDENTITY),)),
    ("find finds", (rule("taste", r"(?!it|this|that|the|your|you|no|any|out|my|myself|a|an|some)[\w-]+(?: [\w-]+){0,2} (?:\w{3,}ing|difficult|hard|stressful|therapeutic|awkward|tedious|hilarious)$", category=Category.PREFERENCE, confidence=READ),)),
    ("call", (rule("name", r"me (?!(?:back|when|if|at|on|later|maybe|crazy|tomorrow|today|now)\b)(?P<name>(?-i:[A-Z])[\w'-]+)", who=frozenset((Who.THING,))),)),
    ("run runs", (rule("use", r"(?-i:[A-Z])\w+(?: \d+)?(?=$|[.!,]| (?:on|at|for|with|as)\b)", confidence=READ), rule("business", rf"(?:an?|my own|our own|the|my|our|{NUMBER}) (?!(?:[\w-]+ ){{0,2}}?(?:{CHORE}|command|loop|server|simulation|model|benchmark|container|job|check|scan|fever|temperature|errand|risk|program|app|instance|build|analysis|test|tests)\b)\w", confidence=READ),)),
    ("do does", (rule("share of work", r"(?:the|all the|most of the|our|my|one|two|three) (?!same|math|following|thing|trick|job\b|opposite|dishes today)\w", confidence=READ),)),
    ("get gets", (rule("health", r"(?:really |so |very |easily |quite |always )*(?:(?:sea|car|motion|air|travel|home)[- ]?sick|migraines|hives|anxious|nervous|claustrophobic|dizzy|heartburn|nauseous|panic attacks|nosebleeds|sunburnt|hangry|stage fright|vertigo|hay fever|a rash|stomach aches)\b", confidence=READ), rule("routine", r"up (?:at|early|before|late|around)\b", confidence=READ), rule("bond", rf"(?:on|along) (?:well |great |badly )?with (?!{POINTING})\w", confidence=READ))),
    ("turn turns", (rule("age", r"\d{1,3}\b", passing=True),)),
    ("would", (rule("preference", rf"(?:much |always |generally )?(?:(?:rather|sooner) (?!not|you|{POINTING})\w.* than|(?:take|pick|choose|have) (?!{POINTING})\w.* over) \w", category=Category.PREFERENCE, confidence=READ, who=OURS),)),
    ("gone went", (rule("change", r"(?:fully |completely |back to )?(?:back to (?-i:[A-Z])\w+|back to my (?:maiden|old|birth) \w+|vegan|vegetarian|pescatarian|keto|freelance|part[- ]time|full[- ]time|self-employed|gluten-free|dairy-free|(?:back to )?(?:school|university|college)|solo)\b", passing=True),)),
    ("keep keeps", (rule("routine", rf"(?:{PETS}|kosher|halal|shabbat|the sabbath|lent|ramadan|a (?:\w+ )?(?:diary|journal|log)|(?:all )?my \w+ (?:in|on|at|with) (?:an? |the )?(?-i:[A-Z])\w+)\b", confidence=READ),)),
    ("carry carries", (rule("health", r"(?:an? |my )?(?:epi-?pen|inhaler|insulin|glucose)"),)),
    ("managed led taught worked lived ran", (rule("past", rf"(?:in|at|as|for|with|an?|the|my) (?!{POINTING})(?=.*(?:{NUMBER} years|until|before|{NAME}|in my|in (?:19|20)\d\d|since))(?!on (?:this|it|that))\w", confidence=READ),)),
    ("suffer suffers", (rule("health", r"from (?!this|that|the (?:same|issue|problem))\w"),)),
    ("faint faints", (rule("health", r"when|at"),)),
    ("need needs", (rule("need", r"(?:an? )?(?:(?:[\w-]+ ){0,2}(?:wheelchair(?: access)?|step-free access|glasses|hearing aids?|insulin|epipen|inhaler|reading glasses|ground floor|aisle seat|kosher|halal|gluten-free|dairy-free|vegetarian|vegan)|(?:at least )?(?:\w+ )?hours of sleep|\w+ coffees?)", confidence=READ),)),
    ("support supports", (rule("taste", r"(?-i:[A-Z])\w+", confidence=READ),)),
)  # fmt: skip
