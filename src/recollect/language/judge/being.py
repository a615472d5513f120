"""What somebody is: name, age, origin, trade, state, taste, and what they are about to do for a while.

Rules for what follows "am", "is" and "are". Moods ("I'm tired"), places of the moment ("I'm at the airport") and what
the hands do just now ("I'm reading your answer") fit none of them. Asking what kind of word follows was rejected:
"I'm a nurse" and "I'm a mess" differ in nothing but the noun, so the nouns are listed.
"""

from recollect.language.judge.lexicon import (
    CHORE,
    LASTING,
    MONTH,
    NAME,
    NAMES,
    NOT_WHO,
    NUMBER,
    PERSON_ENDINGS,
    PERSON_NOUNS,
    PLANNED,
    POINTING,
    QUALIFIER,
    ROLE,
)
from recollect.language.judge.life_words import DISH
from recollect.language.judge.rule import READ, SELF_ONLY, Who, rule, table
from recollect.records.category import Category

_EDGE = r"(?=$|[.!,;]| (?:and|but|since|for|by|now|again|from|at|in|with|who|or|too|as|these days|anymore|any more|after|until|all my|my whole|\(|\d|\w+ (?:years|months))\b| \()"
_HOW = r"(?:(?:very|really|quite|pretty|so|severely|also|both|a|extremely|fairly|strictly|happily|newly|officially|mostly|now|still|totally|completely|legally|however|red-green|partially|mildly) )*"
_PERSON_NOUN = rf"(?:\w*(?:{'|'.join(PERSON_ENDINGS)})|{'|'.join(sorted(PERSON_NOUNS))})s?"
#: Up to five words before the noun: "second-year computer science".
#: A trade by its ending alone; the words that only look like one are listed.
_BY_ENDING = (
    rf"(?!{NOT_WHO}\b|another|offer|order|paper|water|power|computer|server|letter|filter|parameter|error|factor|color|turnover|matter"
    r"|outlier|reminder|order|corner|winter|summer|center|quarter|disaster|bother|list|twist|artist's)\w{4,}(?:er|or|ist|ian)"
)
_TRADE_END = r"(?=$|[.!,;]| (?:at|for|in|from|of|with|who|and|by|on|to|since|based|living|working|here|turned|but|so|before|until|back)\b)"
_TRADE = (
    rf"(?!{NOT_WHO}\b)(?:(?!{NOT_WHO}\b|who\b|that\b|and\b)[\w'+#/.&-]+ ){{0,5}}?{_PERSON_NOUN}{_TRADE_END}"
)
_NATION = r"(?P<nation>(?-i:[A-Z])\w+)|(?:half|part)[ -](?-i:[A-Z]\w+)"
_WORK = r"(?:building|developing|creating|making|writing|designing|launching|working on|coding|prototyping|composing|recording|producing|editing|running|founding|leading|migrating|rewriting|porting|refactoring)"
_DISH = "|".join(sorted(DISH))
_LONG_WORK = (
    r"(?:renovating|restoring|remodel+ing|training for|preparing for|studying for|saving (?:up )?(?:for|to)|revising for"
    r"|raising|learning|studying|majoring in|minoring in|doing (?:a|my|an) (?:[\w-]+ ){0,2}(?:phd|masters?|master's|degree|apprenticeship"
    r"|internship|mba|bachelor's|postdoc)|writing (?:a|my|our) (?:book|novel|thesis|dissertation|memoir|paper|screenplay"
    r"|musical|play|album|phd|blog)|working (?!in the (?:field|area|background|industry)\b)(?:towards?|full[- ]time|part[- ]time|remotely|from home|as an?|at|for|in)"
    r"|pursuing|taking (?:\w+ )?(?:lessons|classes|courses?)|teaching|job[- ]hunting|looking for (?:a (?:new )?(?:job|flat|house"
    r"|apartment|place to live|position|role)|work)|recovering from|undergoing|organi[sz]ing|hosting|co-?writing"
    r"|applying (?:to|for) (?!this|that|the)|homeschooling|rehearsing|volunteering|house[- ]hunting|dating|seeing (?-i:[A-Z])"
    r"|transitioning|living with|living on|fostering|growing|brewing|breeding|restoring|rebuilding|converting|setting up (?:a|my|our) (?:company|business|home|charity|nonprofit|studio))"
)
_EVENT_AHEAD = (
    r"(?:(?:not )?getting (?:married|divorced|a (?:puppy|kitten|dog|cat|divorce))|expecting (?:a|our|my|twins|another|baby)"
    r"|having (?:a baby|twins|our|surgery|an operation)|moving (?:back |over )?(?:to|in with|into|out of) (?!the next|a new (?:line|page)|this|that|another)"
    r"|starting (?:a|my|our) (?:new )?(?:job|company|business|degree|phd|masters?|master's|course|family|school|university|startup|position|role|podcast|blog|channel|restaurant|bakery)"
    r"|starting (?:at|as) |retiring|adopting|emigrating|relocating|graduating|turning \d|due (?:in|on)|buying (?:a|our|my) (?:house|home|flat|apartment|car|farm|boat))"
)

_TRIP = (
    rf"(?:going|travel+ing|flying|heading|off|driving|visiting|spending \w+ \w+ in) (?:back |away |on (?:holiday|vacation|honeymoon) )?(?:to |in )?{NAMES}"
    rf"(?: [\w' ]{{0,40}}?)? ?{PLANNED}"
)
_OCCASION = (
    r"(?:trip|wedding|vacation|holiday|honeymoon|move|renovation|party|event|conference|retreat|reunion|marathon|expedition|road ?trip|"
    r"workshop|festival|baby shower|birthday|anniversary|retirement|sabbatical|launch|garden|kitchen|house|fundraiser|hackathon|hike|tour|cruise|safari|meetup|offsite|funeral|christening)"
)

BEING = (
    rule("name", rf"(?:named|called|known as) (?P<name>{NAMES})", category=Category.IDENTITY),
    rule(
        "age",
        r"(?:almost |nearly |about )?\d{1,3}(?: years? old| years? of age| yo| months old| now)?(?=$|[.!,;]| and\b)",
        category=Category.IDENTITY,
    ),
    rule("age", r"in (?:my|his|her|their) (?:early |mid-?|late )*(?:teens|twenties|thirties|forties|fifties|sixties|seventies|\d0'?s)"),
    rule("origin", rf"(?:originally |actually )?from (?:the |a )?(?:{NAME}|small (?:town|village))", category=Category.IDENTITY),
    rule(
        "home",
        rf"(?:based|living|located) (?:in|near|on|outside|between) (?:the |a |an |central |downtown |northern |southern |eastern |western |rural |[a-z]+ )?(?:{NAME}|countryside|city|suburbs|village|apartment|flat|house|studio|town|farm|dorm)",
        category=Category.IDENTITY,
    ),
    rule("state", rf"(?:not |no longer )?{_HOW}{LASTING}{_EDGE}"),
    rule("nationality", rf"(?:not )?(?:an? )?(?:{_NATION})(?: citizen| national| by birth)?{_EDGE}", confidence=READ, category=Category.IDENTITY),
    rule("what they are", rf"(?:an?|the|one of the|my [\w ]+'s) (?:{_TRADE})|an? (?:[\w-]+ ){{0,2}}?{_BY_ENDING}{_TRADE_END}|(?:(?:senior|junior|retired|proud|single|former|lead|full-time|part-time|freelance|acting|interim|deputy|chief|assistant) )*{_PERSON_NOUN}(?=$|[.!,]| (?:at|of|to|from|in|by)\b)"),
    rule(
        "what they are not",
        r"not (?:really )?(?:an? )(?:big |huge |great )?(?:fan of (?!the\b|this|that|it)|(?!the )(?:morning|night|dog|cat|coffee|tea|people|beach|city|sports?) person|drinker|smoker|(?:native|fluent) \w+ speaker|early bird|night owl)",
    ),
    rule(
        "trade",
        r"(?:the |a |an )?(?:head|director|vp|ceo|cto|cfo|coo|president|founder|co-?founder|owner|chair(?:man|woman|person)?|principal|dean|lead|captain|secretary|treasurer|editor|manager|chief)(?: \w+){0,3} (?:of|at|for) \w",
        category=Category.IDENTITY,
    ),
    rule(
        "trade",
        rf"(?:a |an )?(?:self-employed|freelance|retired|stay-at-home|full[- ]time|part[- ]time|certified|licensed|registered|trained|qualified|first-year|second-year|third-year|final-year) (?:[\w-]+ ){{0,3}}?(?:{_PERSON_NOUN}|mom|mum|dad|parent)\b",
    ),
    rule(
        "employment",
        rf"(?:employed|hired|contracted) (?:at|by|as)|(?:in charge of|responsible for) (?!{POINTING})\w|on (?:the )?(?:board of|\w+ team\b)|with (?-i:[A-Z])\w+ (?:since|for)|"
        r"in (?:the )?(?:army|navy|air force|military|marines|police|coast guard|healthcare|finance|sales|marketing|real estate|construction|tech|education|logistics|procurement|hr|engineering|support|customer success|accounting|operations|insurance|retail|hospitality|consulting|government|media|publishing|advertising|manufacturing|purchasing|recruiting|customer service|quality assurance|research|academia|politics|law enforcement)"
        + _EDGE
        + r"|(?:on|between) (?:(?:parental|maternity|paternity|sick|medical) leave|jobs)",
    ),
    rule(
        "studies",
        r"(?:in|at) (?:(?:my|his|her|their|the) )?(?:\w+ )?(?:year (?:of|at)|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) grade|grade \d+|high school|middle school|college|university|kindergarten|law school|med(?:ical)? school|grad school)",
        confidence=READ,
    ),
    rule(
        "skill",
        rf"(?:not )?{_HOW}(?:fluent|proficient|skilled|experienced|certified|trained|qualified|well[- ]versed|specialized|conversational) (?:in|at|with|as|on) (?!{POINTING})\w|(?:a |an )?(?:beginner|expert|novice|native speaker|fluent speaker|intermediate|specialist) (?:in|at|with|of) (?!{POINTING})\w|(?:a )?(?:native|fluent) (?-i:[A-Z])\w+ speaker",
        category=Category.SKILL,
    ),
    rule(
        "skill",
        rf"(?:not |no )?(?:(?:very|really|pretty|quite|so) )*(?:good|great|bad|terrible|hopeless|decent) (?:at|with) (?!{POINTING})\w",
        confidence=READ,
        category=Category.SKILL,
    ),
    rule(
        "taste",
        rf"(?:not |no longer )?(?:(?:really|very|so|pretty|quite|totally|super|also|such|a|an|big|huge|great|lifelong|not) )*(?:fan of|into|fond of|keen on|obsessed with|passionate about|crazy about|mad about|addicted to|partial to|lover of|devoted to) (?!{POINTING})(?!the (?!outdoors|sea|arts|theatre)|(?:trying|seeing|getting|learning|exploring|finding|knowing|hearing)\b)\w|(?:(?:really|very|also|deeply|mainly) )*interested in (?!{POINTING})(?!\w+ing\b(?! and)|(?:understanding|exploring|learning|trying|seeing|visiting|knowing|hearing|buying|getting)\b|the |more|some|any|a |an |doing|how|all|my |other|different|new |additional|further)[\w-]+(?: (?:and|or|, )?[\w-]+){{0,3}}$",
        category=Category.PREFERENCE,
    ),
    rule(
        "fear",
        rf"{_HOW}(?:afraid|scared|terrified|phobic) of (?!{POINTING}|the (?:result|answer|future)|being|getting|losing|making|asking|breaking)\w",
    ),
    rule("bond", r"(?:not |no longer |happily )?(?:married|engaged|related) to \w|(?:married|engaged) with|(?:(?:good|best|close) )?friends with (?-i:[A-Z])|in a (?:long-distance |long-term |serious )?relationship(?: with)?|(?:dating|seeing) (?-i:[A-Z])\w+"),
    rule("bond", rf"(?:an? |the )?(?:proud )?(?:single )?(?:mother|father|mom|mum|dad|parent|grandmother|grandfather|grandma|grandpa|guardian|stepmother|stepfather) (?:of|to) (?:{NUMBER}|twins|an?)\b"),
    rule("health", r"(?:not |no longer )?(?:(?:however|highly|severely|deathly|very|mildly|also|seriously) )*(?:allergic|intolerant|sensitive) to (?!mondays?|mornings?|work|people|stupid\w*|bullshit|drama|nonsense|cardio|exercise|meetings?|fun|love|money|commitment|bad|this|that|it|you)\w|on (?:an? )?(?:\w+ )?diet|on the (?:autism )?spectrum|in recovery|(?:\w+ )?years sober|(?:on|taking) (?:\w+ ){0,2}(?:medication|meds|antidepressants|insulin|dialysis|blood thinners)"),
    rule(
        "project",
        rf"{_WORK} (?!{POINTING})(?!(?:(?:an?|some|the|my) )?(?:[\w-]+ ){{0,2}}?(?:{_DISH})\b)(?!(?:(?:good|great|slow|some|a lot of|steady) )?(?:progress|sense|sure|plans|arrangements|changes|mistakes|more|a (?:decision|difference|mistake|reservation|point|list|habit)|use|up|out|late|low|errands|around|my way|things|it)\b)(?!(?:(?:an?|some|the|my|our|your) )?(?:[\w-]+ ){{0,2}}?{CHORE}\b)(?:(?:an?|the|my|our|two|three|some|its|his|her|their) )?[\w\"']",
        category=Category.PROJECT,
        team=True,
        confidence=READ,
    ),
    rule(
        "project",
        rf"{_WORK} (?:(?:an?|the|my|our) )?[\w' -]{{1,60}}? (?:called|named|titled) [\"']?\w",
        category=Category.PROJECT,
        team=True,
    ),
    rule("undertaking", rf"{_LONG_WORK} (?!{POINTING})(?!(?:how|about|more)\b|for \w+ (?:hours?|minutes?))\w", category=None, confidence=READ),
    rule("undertaking", rf"(?!{POINTING})\w+ing .*\b(?:since (?:19|20)\d\d|for (?:over |about |almost |more than |the (?:past|last) )?(?:{NUMBER}|\d+) (?:years|months)|all my life|since i was)\b", confidence=READ),
    rule("undertaking", r"(?:job[- ]hunting|house[- ]hunting|transitioning|homeschooling)\b", confidence=READ),
    rule("plan", rf"(?:planning|organi[sz]ing|preparing) (?!{POINTING})(?:an?|my|our|the|for|his|her) (?:[\w'&-]+ ){{0,5}}?{_OCCASION}\b", category=Category.PROJECT, confidence=READ),
    rule("plan", r"(?:planning|going|hoping|intending) (?:to|on) (?:mov(?:e|ing) to|emigrat|relocat|retir|adopt|get(?:ting)? married|stud(?:y|ying)|go(?:ing)? back to (?:school|university|college)|quit(?:ting)? (?:my|his|her) job|start(?:ing)? (?:an?|my|our)|open(?:ing)? (?:an?|my|our)|buy(?:ing)? an? (?:house|home|flat|car|apartment)|run(?:ning)? (?:a|the) (?:\w+ )?marathon|learn(?:ing)? (?-i:[A-Z])|apply(?:ing)? (?:to|for) )", category=Category.PROJECT, confidence=READ),
    rule("experience", rf"to (?:\d+|all|every|{NUMBER}|most) (?:\w+ )?(?:countries|continents|states|national parks)|to {NAME}", confidence=READ),
    rule("time zone", r"(?:in|on) (?:the )?[\w/+]+(?: [\w]+)? time ?zone"),
    rule("event", r"(?:made redundant|laid off|promoted to|transferred to|elected (?:to|as)|being transferred to|prescribed|diagnosed with)\b", passing=True, confidence=READ),
    rule("body", r"\d'\d{1,2}\b|(?:\d|six|five|seven) (?:foot|feet|ft)(?: \w+)?(?: tall)?|\d(?:\.\d+)? ?m(?:etres|eters)? tall", confidence=READ),
    rule("state", r"(?:the )?(?:eldest|oldest|youngest|middle|only) (?:of|child|son|daughter|one of)\b", confidence=READ),
    rule("bond", rf"(?:also |now |one of )?(?:my|our) {QUALIFIER}{ROLE}\b(?!'s)", who=frozenset((Who.PERSON,)), category=Category.RELATIONSHIP),
    rule("bond", rf"(?:(?:dr|mr|mrs|ms|prof)\.? )?{NAMES}(?=$|[.!,;]| (?:at|from|in|and|who)\b)", who=frozenset((Who.PERSON,)), category=Category.RELATIONSHIP),
    rule("event ahead", _EVENT_AHEAD, passing=True, confidence=READ),
    rule("trip", _TRIP, confidence=READ),
    rule("taste", r"(?:an? )?(?:lifelong|big|huge|massive|die-?hard|avid) (?:[\w']+ ){1,3}fan\b", category=Category.PREFERENCE),
    rule("user of", r"(?:an? )?(?:[\w.+#-]+ ){1,3}user\b(?! (?:story|account|interface|id|group|name))", confidence=READ, category=Category.PREFERENCE),
    rule("household", r"an? (?:[\w-]+ ){1,3}(?:household|family|couple)\b", who=frozenset((Who.US,)), confidence=READ),
    rule("contract", r"on an? (?:[\w-]+ ){0,3}(?:contract|visa|pension|scholarship|sabbatical|probation|diet)\b", confidence=READ),
    rule("plan", rf"(?:walking|cycling|hiking|running|visiting|attending|performing|hosting|speaking|competing|defending|opening|launching|sailing|climbing|flying|travel+ing|touring|driving|spending|taking (?:an?|my)|going|doing (?:the|an?)|interrailing|backpacking|leaving for|planning to (?:attend|visit|go|travel|run|hike|cycle|move|launch|open)) (?!{POINTING})(?!.*\b(?:this (?!\w*(?:spring|summer|autumn|fall|winter|year))|these|those|there)\b).*?\b(?:next|in|this|on|for|from|until) (?:early |late |mid-?)?(?:{MONTH}\b|spring|summer|autumn|fall|winter|year\b|20\d\d)", confidence=0.8, passing=True),
    rule("plan", rf"planning (?:{NUMBER}|an?|some|our|my) [\w ]{{2,30}}? (?:in|to|through|around|across) {NAME}", category=Category.PROJECT, confidence=READ),
    rule("undertaking", r"trying to (?:conceive|get pregnant|adopt|have (?:a baby|kids|children)|get sober)\b", confidence=READ),
    rule("pronouns", r"(?:he/him|she/her|they/them)", who=SELF_ONLY, category=Category.IDENTITY),
    rule("household", rf"(?:{NUMBER} of us|a family of {NUMBER})", who=frozenset((Who.US,))),
)  # fmt: skip

NAMED_SELF = rule(
    "name",
    rf"(?P<name>{NAME}(?: {NAME}){{0,2}})(?=$|[.!,]|,? and\b| \()",
    who=SELF_ONLY,
    confidence=READ,
    category=Category.IDENTITY,
)
TABLE = table(
    ("am is are", BEING),
    ("am", (NAMED_SELF,)),
    (
        "go goes",
        (
            rule("name", rf"by (?P<name>{NAMES})", category=Category.IDENTITY),
            rule("pronouns", r"by (?:he|she|they)/\w+", who=SELF_ONLY, category=Category.IDENTITY),
        ),
    ),
    (
        "was were",
        (
            rule("origin", r"(?:born(?! in \w+ years| ready| yesterday| for this)|raised|brought up|adopted|an only child)\b", category=Category.IDENTITY),
            rule(
                "health",
                r"(?:just |recently |first |also |officially )?(?:diagnosed with|prescribed|put on|started on|moved to|switched to|taken off)",
            ),
            rule(
                "past",
                rf"(?:an?|the) (?:{_TRADE}) (?:for|until|before|at|in)\b|in the (?:army|navy|air force|marines|military|peace corps)",
                confidence=READ,
            ),
            rule("employment", r"(?:just |recently )?(?:promoted to|hired (?:as|by|at)|laid off|made redundant|fired|let go|elected|appointed)\b", passing=True, confidence=READ),
        ),
    ),
)  # fmt: skip
