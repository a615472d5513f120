"""What changed for long: moves, new jobs, weddings, deaths, things given up, and what is no longer so.

Rules for verbs in the past whose effect lasts, and for "used to" and "no longer". What merely happened ("I went to the
shop") fits none. The new value is the fact; where only the end of the old one is told, that is the fact, under the same
attribute, so that it replaces the old. It does not know what was stored before.
"""

from recollect.language.judge.lexicon import CHORE, NAME, NUMBER, PETS, POINTING, ROLE
from recollect.language.judge.rule import READ, rule, table
from recollect.language.person import JOB
from recollect.records.category import Category

_NOT_POINTING = rf"(?!{POINTING})"

TABLE = table(
    ("moved relocated emigrated", (
        rule("move", rf"(?:back |over |away |out |in |here |down |up )*(?:from [^,]+? )?(?:to|into|in with|out of|in together|here|from) {_NOT_POINTING}(?!the (?:next|end|file|top|bottom|left|right|new line)|an? (?:new )?(?:file|folder|line|column))\w", category=Category.IDENTITY, passing=True),
        rule("move", r"(?:in together|out)\b", confidence=READ),
    )),
    ("quit left resigned", (
        rule("job ended", r"(?:from )?(?:my|his|her|the) (?:\w+ )?(?:job|position|role)\b", attribute="employer", passing=True),
        rule("job ended", r"(?:working (?:at|for) )?(?-i:[A-Z])\w+(?: (?:last|in|after|for)\b.*)?$", attribute="employer", passing=True, confidence=READ),
        rule("given up", r"(?:smoking|drinking|vaping|sugar|coffee|caffeine|alcohol|gluten|social media|facebook|twitter|instagram|school|university|college|gaming|meat|dairy)\b", passing=True),
    )),
    ("quit left resigned", (rule("membership ended", r"(?:from )?(?:the|my|our) (?!(?:\w+ )?(?:app|game|program|browser|meeting|call|room|house|page|office|tab|session|chat|server|process|terminal|editor|job|keys|phone|door|lights?)\b)\w", passing=True, confidence=READ),)),
    ("stopped gave cut ditched dropped abandoned", (
        rule("given up", rf"(?:up (?:on )?|out )(?!(?:hope|trying|here)\b){_NOT_POINTING}\w|(?!(?:working|loading|responding|updating|syncing|printing|charging|showing|getting|being|trying|reading|making)\b)\w+ing\b(?! {POINTING})", passing=True, confidence=READ),
    )),
    ("ditched dropped abandoned", (rule("given up", rf"(?:my |the |our )?(?:{NAME}|gym|car|job|course|plan to)\b", passing=True, confidence=READ),)),
    ("switched changed swapped migrated converted", (
        rule("change", rf"(?:over |back |fully |completely )*(?:[\w' ]+ )?(?:from [^,]+? )?to {_NOT_POINTING}(?!the (?:other|next|new) (?:tab|branch|line))\w", passing=True, category=Category.PREFERENCE),
        rule("change", r"(?:jobs|careers?|teams|majors?|schools|departments|my (?:name|mind about|major))\b", passing=True, confidence=READ),
    )),
    ("took", (rule("beginning", r"up (?!(?:space|too|a lot|time|so|the offer|most|the whole)\b)\w", passing=True, confidence=READ),)),
    ("started began", (
        rule("beginning", r"(?:a|my|our|his|her) (?:(?:own|new|first|little|small) )*(?:(?:\w+ ){0,2}(?:job|company|business|startup|degree|phd|masters?|master's|course|school|university|apprenticeship|position|role|internship|podcast|blog|channel|newsletter|band|bakery|family|club|charity|medication|treatment|chemo|therapy))\b", passing=True),
        rule("beginning", r"(?:at|as) (?:an? |the )?\w", passing=True, confidence=READ),
        rule("beginning", rf"(?:learning|working (?:at|for|as|in)|studying|playing|training|running|taking|going to|using|teaching|volunteering|dating|seeing|doing (?:yoga|pilates|crossfit)|swimming|meditating|therapy|kindergarten|school|university|college|eating|wearing|growing|brewing|knitting|writing (?:a|my)) ?(?!{POINTING})", passing=True, confidence=READ),
        rule("beginning", r"up \w", passing=True, confidence=READ),
        rule("beginning", r"(?:to|a) (?:learn|liking)\b", confidence=READ),
    )),
    ("joined", (rule("membership", rf"{_NOT_POINTING}(?!the (?:call|meeting|channel|chat))\w", passing=True),)),
    ("became turned", (
        rule("what they became", r"(?:an?|the) (?!bit|little|mess|nightmare)\w|vegan|vegetarian|pescatarian|\d{1,3}\b(?! (?:degrees|percent|pages))|(?:a )?(?:citizen|father|mother|dad|mum|mom|parents)", passing=True),
    )),
    ("got", (
        rule("event", r"(?:married|divorced|engaged|remarried|laid off|fired|promoted|sober|separated|pregnant|diagnosed|accepted (?:to|into|at|by)|into (?:the|my) \w+|hired|into (?-i:[A-Z])|tenure|custody|back together|(?:\w+ )?citizenship|elected|appointed|sentenced|custody|transferred)\b", passing=True),
        rule("event", rf"(?:an?|my|our|the|{NUMBER}) (?:(?!chance|error|problem)[\w'-]+ ){{0,3}}?(?:job|degree|phd|promotion|licen[cs]e|green card|visa|citizenship|{PETS}|house|flat|apartment|car|tattoo|diagnosis|permit|certification|cpap machine|pacemaker|insulin pump|hearing aids?)(?=$|[.,;!]| (?:and|with|from|in|at|as|on|last|called|named|for (?:my|his|her)|two|this|yesterday)\b)", passing=True, confidence=READ),
        rule("people and pets", rf"(?:an?|{NUMBER}) (?:(?:older|younger|little|big|twin|\w+) ){{0,2}}(?:{ROLE}|boys?|girls?)\b", passing=True, confidence=READ),
        rule("health", r"(?:an? )?(?:asthma|diabetes|adhd|epilepsy|migraines|celiac|(?:\w+ )?allergy)\b"),
    )),
    ("bought adopted sold inherited rescued", (
        rule("possession", rf"(?:an?|my|our|his|her|the|granny's|grandma's|{NUMBER}) (?:[\w'-]+ ){{0,4}}?(?:house|farmhouse|home|flat|apartment|condo|farm|cabin|boat|car|van|motorbike|motorcycle|e-?bike|piano|business|company|land|{PETS}|baby|boy|girl|son|daughter|child|tesla|toyota|bmw)(?=$|[.,;!]| (?:and|with|near|from|in|at|on|last|called|named|for (?:my|his|her)|two|this|together)\b)", passing=True, confidence=READ),
    )),
    ("graduated majored studied trained qualified", (rule("studies", r"(?:from|in|at|as|with|under|\w+ (?:at|in))\b|last \w+", passing=True),)),
    ("retired", (rule("work", r"(?:in|from|last|at|early|after|as|two|three|\d)\b|$", passing=True),)),
    ("grew", (rule("origin", r"up (?:in|on|near|bilingual|speaking|with|between|outside|without|poor)\b"),)),
    ("founded co-founded cofounded launched opened", (rule("founding", rf"(?:an?|my|our) (?!(?:\w+ )?(?:{CHORE}|app|browser|terminal|window|door|website)\b)\w|(?-i:[A-Z])\w+", passing=True, confidence=READ),)),
    ("lost", (
        rule("loss", rf"(?:my|our|his|her) (?:(?:\w+ )?(?:job|hearing|sight|eyesight|leg|arm|sense of \w+|house|licen[cs]e)|(?:\w+ )?(?:{ROLE}))\b(?! (?:keys|phone|ball|toy|leash))", passing=True, confidence=READ),
        rule("weight", rf"{NUMBER} (?:kilos?|kg|pounds|lbs|stone)", confidence=READ),
    )),
    ("died passed", (rule("death", r"(?:away|in|on|at|from|of|last|when|two|three|\w+ (?:years|months) ago)\b|$", passing=True),)),
    ("broke split separated divorced", (
        rule("parting", rf"(?:up|apart)(?: with {NAME})?(?=$|[.!,;]| (?:with|last|in|after|because|this|two|three|a)\b)", passing=True, attribute=None),
        rule("parting", r"(?:in|last|from|after|two|three|this)\b|$|my (?:husband|wife)", passing=True, confidence=READ),
        rule("health", r"(?:my|his|her) (?:\w+ )?(?:leg|arm|hip|wrist|ankle|collarbone|back|foot|hand|knee)\b", passing=True, confidence=READ),
    )),
    ("married", (rule("bond", rf"{NAME}|in|last|my", passing=True),)),
    ("had", (
        rule("health", r"(?:an?|my|two|three|open|gastric|both|the|our) ?(?:(?:minor|mild|major|massive|bad|serious|recent|total) )*(?:[\w-]+ ){0,2}?(?:stroke|heart attack|surgery|operation|transplant|bypass|mastectomy|hysterectomy|miscarriage|c-section|seizure|concussion|breakdown|burnout|amputation|knee replacement|hip replacement|anaphyla\w*|cancer|reaction to)\b", passing=True, confidence=READ),
        rule("family", r"(?:a|our|my|their|her|twins|another) ?(?:(?:first|second|third|baby|little) )*(?:baby|boy|girl|son|daughter|child|twins)\b", passing=True),
    )),
    ("passed", (rule("training", r"(?:my|the|his|her) (?:\w+ ){0,3}?(?:exams?|test|bar|finals|boards|viva|defen[cs]e|audition)\b", passing=True, confidence=READ),)),
    ("paid", (rule("money", r"off (?:my|our|the|his|her) (?:\w+ )?(?:loans?|mortgage|debts?|house|car)\b", passing=True, confidence=READ),)),
    ("won", (rule("past", r"(?:the|a|an|my|two|three) (?:\w+ ){0,4}?(?:title|championship|medal|award|prize|cup|scholarship|grant|race|tournament)\b", passing=True, confidence=READ),)),
    ("ended", (rule("event", r"up (?:buying|moving|marrying|adopting|studying|working|getting (?:a|married)|dropping out|taking a job|living|becoming|divorcing|selling) ?(?!it\b|this|that)", passing=True, confidence=READ),)),
    ("dropped", (rule("studies", r"out(?: of)?\b", passing=True, confidence=READ),)),
    ("learned learnt knitted played fenced", (rule("skill", rf"(?!{POINTING})(?!that|about|how|a lot|more|from)(?:to |my )?\w+.*|since", confidence=READ),)),
    ("cancelled canceled", (rule("membership ended", r"(?:my|our|the) (?:\w+ )?(?:membership|subscription|contract|wedding|trip|policy)\b", passing=True, confidence=READ),)),
    ("survived underwent", (rule("health", r"\w", confidence=READ),)),
    ("served", (rule("past", r"in (?:the )?\w|as", confidence=READ),)),
    ("switches", (rule("change", r"to \w"),)),
    ("decided", (rule("decision", r"(?:to (?:become|go (?:vegan|vegetarian|part-time|freelance|with (?-i:[A-Z]))|move to|quit (?:my|smoking)|keep (?:my|the)|homeschool|adopt|retire|use (?-i:[A-Z])|switch to|stop (?:eating|drinking|using)|study)|against|on (?-i:[A-Z])|not to (?:have|renew))\b", passing=True, confidence=READ),)),
    ("proposed", (rule("bond", rf"to {NAME}", passing=True, confidence=READ),)),
    ("picked", (rule("beginning", r"up (?:the )?(?:guitar|piano|running|knitting|pottery|chess|climbing|tennis|spanish|[a-z]+ing)\b", passing=True, confidence=READ),)),
)  # fmt: skip

#: Of what somebody has one: what "no longer" ends.
SINGLE = (
    ("location", r"(?:(?:lives?|resid\w+) (?:in|near|at|by|on)|(?:am|is|are) based)\b"),
    ("employer", r"(?:works?|employed|am employed|is employed) (?:at|for|by)\b"),
    ("occupation", rf"(?:works? as|(?:am|is|are)) an? {JOB}\b"),
    ("diet", r"(?:am|is|are) (?:an? )?(?:vegan|vegetarian|pescatarian)\b"),
    ("marital_status", r"(?:am|is|are) (?:married|engaged|single)\b"),
)
