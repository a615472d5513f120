"""Statements about health that hold for long: allergies, emergency contacts, diagnoses, medication.

Each rule reads one clause from its subject on and says what may be pinned of it. It knows nothing of moods
(`clause`) or pins (`pinning`). The rules demand a subject and a verb in order, so a negation between
them ("is not allergic") simply does not fit. Searching for keywords was rejected: "no known allergies" has
them all.
"""

import re
from dataclasses import dataclass

from recollect.language.pattern import Pattern
from recollect.language.sign import signs
from recollect.language.subject_words import CLOSE, KIN, NAME, PATIENT, POSSESSIVE, RELATIVE
from recollect.rules.importance import is_temporary

#: S0's rubric: life-threatening, and critical for care.
LIFE_THREATENING, CRITICAL = 10.0, 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFact:
    """What a clause states."""

    importance: float
    #: Another wording than the clause's own, where the clause only implies the fact.
    wording: str | None = None


def _rule(pattern: str) -> Pattern:
    return Pattern(pattern, re.IGNORECASE)


_BE = (
    r"(?:\s*'m|\s*'s|\s*'re|\s+am|\s+is|\s+are|\s+(?:ha(?:s|ve)|'ve|'s) been|'ve been|\s+became"
    r"|\s+turned out to be|m\b)"
)
_ADVERB = (
    r"(?:\s+(?:very|really|also|so|severely|deathly|highly|extremely|mildly|strongly|still|both|now"
    r"|terribly|seriously|quite|violently|dangerously|all))*"
)
_HAVE = (
    r"(?:\s+(?:also |still |both |all )?(?:have|has|have got|has got|got|suffers? from|developed)"
    r"|'ve(?: also)? got|'ve|'s got)"
)

# Nothing, jokes and what only the listener could resolve.
_NO_ALLERGEN = (
    r"(?!(?:nothing|none|no|any|anything|everything|it|that|this|them|those|these|something|someone|what"
    r"|you|your|him|me|us|people"
    r"|mondays?|mornings?|work|homework|school|exercise|cardio|stupidity|idiots?|drama|bullshit|nonsense"
    r"|bs|meetings?|commitment|math|maths|chores"
    r"|responsibility|responsibilities|love|money|taxes|politics|politicians|small talk|fun|boredom"
    r"|hard work|early|being|doing|waking|getting|losing"
    r"|working|cooking|cleaning|running|spending|talking|change|failure|success|lies|liars|the (?:idea"
    r"|word|truth|gym|sound|whole)|her|his)\b)"
)
_ALLERGY_STATED = (
    _rule(rf"(?:{CLOSE}|{NAME}){_BE}{_ADVERB}\s+allergic to\s+{_NO_ALLERGEN}\w"),
    _rule(
        rf"(?:{CLOSE}|{NAME}){_HAVE}\s+(?:an? |my |his |her |their |some )?(?:[\w'-]+ ){{0,4}}?allerg(?:y"
        rf"|ies) to\s+{_NO_ALLERGEN}\w"
    ),
    _rule(
        rf"(?:{CLOSE}|{NAME}){_HAVE}\s+(?:an? |some )?(?:(?:very |really )?(?:bad|severe|serious|mild|strong"
        rf"|life-threatening|known|deadly|terrible) )*"
        r"(?!(?:an? |no |any |seasonal|food|drug|many|several|multiple|bad|severe|some|never|spring|skin|more"
        r"|not) ?)[\w'-]+(?:(?:,| and| or)? [\w'-]+){0,3}? allerg(?:y|ies)\b(?! (?:test|medicine|med|shot|pill"
        r"|appointment|clinic|season|doctor|question))"
    ),
    _rule(
        rf"(?:{CLOSE}|{NAME})(?:\s+(?:has |have |had |always |once )*(?:gone|goes?|went)| had| has had|'ve had"
        rf"| have had)(?: into)?(?: a| an)?(?: severe)? anaphyla"
    ),
    _rule(rf"(?:{CLOSE}|{NAME})\s+(?:always )?(?:carry|carries|keeps?|needs?|have|has)\s+an? epi-?pen\b"),
    _rule(rf"(?:severely |deathly |highly |very )?allergic to\s+{_NO_ALLERGEN}\w"),
    _rule(
        rf"(?:{CLOSE}|{NAME}){_BE}(?: (?!not\b|if\b|who\b|that\b"
        rf"|sure\b)[\w-]+){{1,5}}? and{_ADVERB} allergic to\s+{_NO_ALLERGEN}\w"
    ),
    _rule(
        rf"(?:{CLOSE}|{NAME})(?:{_HAVE}|'ve had|\s+(?:always |once )?(?:had|get"
        rf"|gets))\s+(?:an? )?(?:very )?(?:bad|severe|serious|allergic|terrible"
        rf"|life-threatening) reactions? to\s+{_NO_ALLERGEN}\w"
    ),
    _rule(
        rf"(?:{CLOSE}|{NAME})\s+reacts? (?:very |really )?(?:badly|severely) to\s+{_NO_ALLERGEN}(?!criticism"
        rf"|stress|news)\w"
    ),
    _rule(rf"{POSSESSIVE} allerg(?:y|ies) to\s+{_NO_ALLERGEN}\w"),
    _rule(rf"patient(?:\s+is)? allergic to\s+{_NO_ALLERGEN}\w"),
)
#: What is known to cause a reaction: "exams give me hives" and "my boss gives me a rash" are figures of speech.
ALLERGEN = (
    r"(?:[a-z]*(?:cillin|mycin|cycline|floxacin)|sulfa|sulfonamides?|codeine|morphine|aspirin|ibuprofen|naproxen|paracetamol"
    r"|antibiotics?|contrast dye|iodine|lidocaine|latex|nickel|(?:pea|wal|hazel|tree |pine |brazil )?nuts?|peanut butter|almonds?"
    r"|cashews?|pistachios?|pecans?|sesame|shellfish|shrimps?|prawns?|crabs?|lobster|mussels|oysters|fish|salmon|tuna|eggs?"
    r"|milk|dairy|cheese|soya?|wheat|gluten|buckwheat|lupin|mustard|celery|strawberr(?:y|ies)|kiwis?|mango(?:es)?"
    r"|bananas?|avocados?|pineapple|peach(?:es)?|apples?|tomato(?:es)?|chocolate|honey|(?:bee|wasp|hornet) (?:stings?|venom)|pollen"
    r"|cats?|dogs?|dust mites?|mold|mould|ragweed|poison ivy)"
)
_REACTION = (
    r"(?:(?:an? )?(?:(?:very |really )?(?:bad|severe|serious|terrible|itchy|nasty|full-body) )*(?:hives|rash|rashes)"
    r"|(?:an? )?(?:severe |serious )?allergic reactions?|anaphyla\w+)"
)
_OFTEN = r"(?:(?:always|really|usually|also) )*"
#: "Penicillin gives me hives": the substance stands before whom it harms.
REACTS = _rule(
    rf"(?:(?:eating|taking|touching|even) )?(?P<what>(?:[\w-]+ )?{ALLERGEN}) {_OFTEN}(?:gives?|gave|caused|causes?)"
    rf" (?P<who>me|us|him|her|them|{RELATIVE}) {_REACTION}\b"
)
_REACTS_TO = _rule(
    rf"{CLOSE} {_OFTEN}(?:gets?|breaks? out in|comes? out in) {_REACTION} (?:from|after|with) (?:(?:eating|taking|touching) )?"
    rf"(?:[\w-]+ )?{ALLERGEN}\b"
)
#: What somebody cannot have: "my wife can't eat gluten". Alone it may be a matter of taste; before a fact it is its point.
RESTRICTED = _rule(
    r"\b(?:can't|cannot|can not|can never|mustn't|must not|must never|may not|shouldn't|should not|should never"
    r"|(?:isn't|aren't|is not|are not|am not|'m not) (?:allowed|supposed) to|do(?:es)?(?:n't| not)) (?:even |ever )?"
    r"(?:have|eat|drink|take|tolerate|touch|digest|be (?:near|around|given)|go near|come near)\b"
    r"|\b(?:avoids?|(?:has|have) to avoid|allergic|intolerant)\b"
)
_UNSPECIFIC = (
    r"(?!(?:bad|severe|serious|stupid|seasonal|spring|food|drug|known|new|old|mild|terrible|awful|whole"
    r"|other|only|main|skin|annual|usual|supposed|possible) )"
)
_ALLERGY_OWNED = _rule(
    rf"\b(?P<whose>my|(?:my|our) {KIN}'s)\s+(?:(?:severe|serious|bad|deadly|life-threatening) )?{_UNSPECIFIC}"
    r"(?P<what>(?!allerg)[\w-]+(?: (?!allerg)[\w-]+)?) (?:allergy|allergies)\b(?! (?:test|med|shot|pill"
    r"|appointment|clinic|doctor|season))"
)
#: One thing of a list; what the relative does next is none.
_LISTED = (
    r"(?!(?:is|was|has|had|have|wants?|needs?|loves?|likes?|starts?|comes?|came|goes|went|will|would|can|can't|plays?|lives?"
    r"|turns?|turned|asks?|asked|says?|said|gets?|got|eats?|just|also|and|or|so|but|we|i|he|she|they|you|to|for|on|at|in|what"
    r"|which|how|please|thanks?|too|then|today|tomorrow|tonight|from|with|the|that|because|when|if|since|especially|as|while)\b)[\w'-]+"
)
_THING = rf"{_LISTED}(?: {_LISTED}){{0,2}}"
_ALLERGY_RELATIVE_CLAUSE = _rule(
    rf"\b(?P<who>(?:my|our) (?:[\w-]+ ){{0,2}}?{KIN}(?:,? (?-i:[A-Z][\w'-]*[a-z]))?),? who(?:'s"
    rf"| is){_ADVERB} allergic to (?P<what>{_NO_ALLERGEN}{_THING}(?:(?:, (?:and |or )?| and | or ){_THING})*)"
)
_ALLERGY_OVER = _rule(
    r"\b(?:gone|cured|outgr[eo]w\w*|no longer|resolved|went away|disappeared|if|whether|not (?:a "
    r"|an )?(?:real|true)|imaginary)\b"
)

_VALUE = r"(?!\s*(?:none|no|nil|n/?a|nkda|nka|unknown|tbd|not|nothing|\?|-|$))\s*\S"
_OWNER = (
    r"(?:(?:my|his|her|our|the|their|known|drug|food|current|active|patient(?:'s)?|medication|main"
    r"|primary) )*"
)
_LABELLED = (
    (
        _rule(
            rf"{_OWNER}(?:allergies|allergy)\s*(?:[:=]|-\s|are (?!\w+ing\b|bad|terrible|worse|worst|awful|seasonal"
            rf"|mild|really|so|back|gone|very|under|better|fine|common|severe|always|usually|just)){_VALUE}"
        ),
        LIFE_THREATENING,
    ),
    (_rule(rf"{_OWNER}emergency contacts?\s*(?:[:=]|-\s){_VALUE}"), LIFE_THREATENING),
    (_rule(rf"{_OWNER}(?:diagnosis|diagnoses|chronic conditions?)\s*[:=]{_VALUE}"), CRITICAL),
    (
        _rule(
            rf"{_OWNER}(?:medications?|meds|prescriptions?)\s*(?:[:=]|are (?=\w+(?: \d|,)))(?!\s*\d{{1,2}}(?::"
            rf"|\s*[ap]m)){_VALUE}"
        ),
        CRITICAL,
    ),
    (_rule(rf"{_OWNER}blood (?:type|group)\s*(?:[:=]|is)\s*(?-i:AB|A|B|O)\b"), CRITICAL),
)

_WHO = (
    r"(?!(?:not|unknown|missing|wrong|outdated|incorrect|no ?(?:one|body)|who|what|someone|going|set|empty"
    r"|blank|required|important|needed|the same|still|changing|up|now|always)\b)"
)
_REACHED = r"(?:reach|call|contact|phone|ring|notify)"
_SERVICES = r"(?!(?:\S+ ){0,2}?(?:rescue|police|ambulance|hospital|services?|department|hotline|brigade)\b)"
_CONTACT = (
    _rule(
        rf"(?:add|put|list|set|use|save"
        rf"|name) (?:down )?{_WHO}(?:\S+ ){{1,5}}?(?:down )?as {POSSESSIVE} (?:\w+ )?emergency contact\b"
    ),
    _rule(
        rf"(?:{POSSESSIVE}|the) (?:\w+ )?emergency contact (?:person )?(?:is|will be|'s)(?: now| still"
        rf"| always)? {_WHO}\w"
    ),
    _rule(
        rf"(?:{NAME}|{RELATIVE}|{PATIENT}|(?:\S+ ){{1,4}}?)\s*(?:is"
        rf"|will be) (?:also |now )?{POSSESSIVE} (?:new )?emergency contact\b"
    ),
    _rule(
        r"in (?:case of|an|any) emergency,? (?:please |always )*(?:call|contact|phone|ring|notify"
        r"|reach) (?!(?:911|112|999|an ambulance|the police|emergency|you|them)\b)\w"
    ),
    _rule(
        rf"(?:(?:you|they) (?:can|should|must|may) |please |always )*{_REACHED} {_SERVICES}(?:{RELATIVE}|{NAME})"
        r"(?: (?:on|at|under)(?: [\d+()/-]+){1,6})? in (?:case of (?:an )?|an |any )emergency\b"
        r"(?! (?:meeting|exit|landing|fund|room|stop|session|drill))"
    ),
)
_DIRECTIVE = _rule(
    rf"{CLOSE}(?:'ve|\s+(?:have|has))?\s*(?:also )?(?:have|has|signed|got)?\s+(?:a |an |my |his "
    rf"|her )?(?:valid |signed )?(?:dnr\b|do[- ]not[- ]resuscitate)"
)

#: Names of what lasts, as they are written.
CONDITIONS = (
    r"(?:(?:type (?:1|2|i|ii|one|two)|gestational|juvenile|insulin-dependent)? ?diabetes|prediabetes"
    r"|epilepsy|asthma|copd|emphysema|hiv|aids|cancer|leuk(?:a)?emia|lymphoma|melanoma"
    r"|(?:a )?(?:brain )?tumou?r|hypertension|high blood pressure|low blood pressure|high cholesterol"
    r"|heart (?:disease|failure|condition|murmur|problems?)|(?:a )?pacemaker|arrhythmia"
    r"|atrial fibrillation|afib"
    r"|angina|coronary \w+ disease|kidney (?:disease|failure)|liver disease|cirrhosis|hepatitis(?: [abc])?"
    r"|(?:multiple |systemic )sclerosis|lupus|(?:rheumatoid |psoriatic |osteo)?arthritis|osteoporosis"
    r"|fibromyalgia|crohn'?s?(?: disease)?|(?:ulcerative )?colitis|ibs|c(?:o)?eliac(?: disease)?"
    r"|gluten intolerance|lactose intolerance|hashimoto'?s?|(?:hypo|hyper)thyroidism|an? (?:under"
    r"|over)active thyroid|graves'? disease"
    r"|thyroid (?:disease|problems?|condition)"
    r"|parkinson'?s?(?: disease)?|alzheimer'?s?(?: disease)?|dementia|(?:clinical |major "
    r"|chronic )?depression|bipolar(?: disorder| ii?)?|schizophrenia|ptsd|ocd|adhd|autism|asd"
    r"|(?:generali[sz]ed |social )?anxiety disorder|panic disorder"
    r"|anorexia|bulimia|ana?emia|ha?emophilia|sickle cell(?: disease)?|cystic fibrosis|endometriosis|pcos"
    r"|psoriasis|eczema|glaucoma|macular degeneration|sleep apno?ea|insomnia|narcolepsy|migraines?|gout"
    r"|scoliosis|cerebral palsy"
    r"|muscular dystrophy|down'?s? syndrome|ehlers-danlos|pots|long covid|dyslexia"
    r"|(?:an )?autoimmune (?:disease|condition|disorder)|blood clotting disorder"
    r"|chronic [\w-]+(?: [\w-]+)?|a prosthetic \w+|one kidney)"
)
_NOT_ABOUT = (
    r"(?!'s\b)(?![- ](?:research|papers?|homework|awareness|class(?:es)?|exams?|essay|project|screening"
    r"|tests?|appointment|charity|run|walk|clinic|books?|questions?|presentation|study|lecture|insurance"
    r"|event|article|fund|report|assignment|specialist|group|nurse))\b"
)
_PASSING_ILLNESS = (
    r"(?!(?:an? |the |some )*(?:mild |bad )?(?:flu|cold|covid|corona|strep|stomach|food poisoning"
    r"|ear infection|conjunctivitis|pink eye|pneumonia|bronchitis|sinus|uti|concussion|nothing|virus"
    r"|infection|terminal boredom|love)\b)"
)
_DIAGNOSIS = (
    _rule(
        rf"{CLOSE}(?:\s+(?:was|were|am|is|got|has|have|had)|'ve|'s|'m)(?:\s+(?:just|recently|first|officially"
        rf"|formally|finally|also|newly|been))*\s+diagnosed (?:with|as (?:having)?)\s+{_PASSING_ILLNESS}\w"
    ),
    _rule(
        rf"{CLOSE}(?:{_HAVE}|'ve|\s+(?:lives?|is living|am living) with)\s+(?!no\b|not\b|any\b)(?:(?:an? "
        rf"|the )?(?:[\w-]+ ){{0,3}}?)??{CONDITIONS}{_NOT_ABOUT}"
    ),
    _rule(
        rf"{CLOSE}{_BE}{_ADVERB}\s+(?:an? )?(?:(?:type (?:1|2|one|two)|insulin-dependent|legally|clinically"
        rf"|severe|partially|totally|completely) )*"
        r"(?:diabetic|prediabetic|epileptic|asthmatic|c(?:o)?eliac|autistic|hiv[- ]positive|hypertensive"
        r"|ana?emic|anaemic|blind|deaf|lactose[- ]intolerant|gluten[- ]intolerant|schizophrenic|bipolar"
        r"|immunocompromised|immunosuppressed|dyslexic|colou?r[- ]?blind|paraplegic|paraly[sz]ed"
        r"|(?:an? )?(?:ha?emophiliac|organ donor|transplant recipient|cancer survivor))\b(?! (?:to|spot|enough"
        r"|with (?:love|rage|anger)))"
    ),
    _rule(
        rf"{CLOSE}(?:'ve had|\s+(?:has had|have had|had|survived|underwent))\s+(?:an? |two |three |several "
        rf"|open |a double |triple |my |his |her )*(?:minor |mild |major |massive |small )?(?:heart attacks?"
        rf"|strokes?\b(?! of)|(?:kidney|liver|heart|lung|bone marrow) transplant|(?:heart |triple "
        rf"|double )?bypass|mastectomy|hysterectomy|splenectomy|open-heart surgery|stents?)\b"
    ),
    _rule(rf"{POSSESSIVE} diagnosis (?:is|was) {_PASSING_ILLNESS}(?!not\b|still\b|unclear|wrong)\w"),
    _rule(rf"{POSSESSIVE} (?:\w+ )?(?:blood type|blood group) is (?-i:AB|A|B|O)\b"),
)
#: Medicines, by name and by the ending of their kind.
DRUG = (
    r"(?:[a-z]+(?:statin|pril|sartan|olol|formin|prazole|cillin|mycin|oxetine|triptyline|azepam|zolam"
    r"|dipine|gliptin|gliflozin|glutide|xaban|parin|sone|solone|floxacin|cycline|codone"
    r"|lukast|terol|butamol|mab|tinib|vir|trigine|setron|pidem|peridone|apine|azosin|thiazide|semide|lactone"
    r"|thyroxine|opram|traline|faxine|gabalin|pentin|etiracetam|epezil)"
    r"|insulin|warfarin|coumadin|aspirin|lithium|prozac|zoloft|lexapro|xanax|valium|adderall|ritalin"
    r"|concerta|vyvanse|metformin|ozempic|wegovy|mounjaro|lipitor|crestor|plavix|eliquis|xarelto|humira"
    r"|lantus|novolog|humalog|synthroid|ventolin|methotrexate"
    r"|tamoxifen|digoxin|nitroglycerin|blood thinners?|beta[- ]blockers?|(?:blood pressure|heart|thyroid"
    r"|anti-?seizure|epilepsy|diabetes|cholesterol) (?:medication|medicine|meds|pills?)|statins?"
    r"|antidepressants?|immunosuppressants?|anticoagulants?|the pill|birth control"
    r"|ssris?|bupropion|wellbutrin|sildenafil|depakote|valproate|carbamazepine|phenytoin"
    r"|hydroxychloroquine|methadone|suboxone|melatonin|inhaler|ibuprofen|naproxen|clozapine|seroquel|abilify"
    r"|lamictal|keppra)"
)
_DOSE = r"\d+(?:[.,]\d+)?\s?(?:mg|mcg|\u00b5g|\u03bcg|ug|iu)\b"
_MEDICATED = (
    r"(?:\s+(?:also |still |now |currently |always |usually )*(?:takes?|uses?|injects?|am taking|is taking"
    r"|are taking|am on|is on|are on|have been on|has been on|have been taking|has been taking"
    r"|started(?: taking| on)?"
    r"|(?:was|were|am|is|has been|have been)(?: just| recently)? (?:prescribed|put on|started on)"
    r"|am currently (?:on|taking)|is currently (?:on|taking)|need|needs|(?:have|has|need|needs) to (?:take|use|inject))"
    r"|'m(?: currently| also| now| still)? (?:on|taking)|'s(?: currently| also| now| still)? (?:on|taking)"
    r"|'ve been (?:on|taking|prescribed|put on))"
)
_NOT_CARE = r"(?!(?:off|no|not|any|zero|less|the (?:bus|train)|care)\b)"
_MEDICATION = (
    _rule(rf"{CLOSE}{_MEDICATED}\s+{_NOT_CARE}(?:[\w./%-]+ ){{0,5}}?(?:{DRUG}\b|{_DOSE})"),
    _rule(rf"{NAME}\s+(?:takes|is on|is taking)\s+{_NOT_CARE}(?:[\w./%-]+ ){{0,4}}?{_DOSE}"),
    _rule(
        rf"(?:my|his|her|our|the) (?:doctor|gp|physician|cardiologist|psychiatrist|neurologist|endocrinologist"
        rf"|specialist|vet) (?:has )?(?:just |recently )?(?:prescribed|put) (?:me|him|her|us"
        rf"|{RELATIVE}) (?:on )?(?:[\w./%-]+ ){{0,4}}?(?:{DRUG}\b|{_DOSE})"
    ),
    _rule(
        rf"{POSSESSIVE} (?:current |daily |regular )?(?:medications?|meds|prescriptions?) (?:is|are"
        rf"|include)\s+(?:[\w./%-]+ ){{0,3}}?(?:{DRUG}\b|{_DOSE})"
    ),
)
_CHANGED = r"(?:raised|increased|upped|bumped(?: up)?|doubled|lowered|reduced|decreased|halved|cut(?: down)?|changed|adjusted)"
_LATELY = r"(?:(?:just|recently|now|also|since) )*"
#: A known medicine, or any whose dose is named as such.
_OF_MEDICINE = (
    rf"(?:(?:(?:daily |current )?(?:dose|dosage) of )?(?:[\w-]+ )?{DRUG}(?: (?:dose|dosage|prescription))?"
    r"|(?:daily |current )?(?:dose|dosage) of [\w-]+(?: [\w-]+)?|[\w-]+(?: [\w-]+)? (?:dose|dosage))"
)
_TO_DOSE = rf"(?: (?:up|down))?(?: from (?:{_DOSE}|\d+))?(?: (?:up|down))? to (?:[\w-]+ )?{_DOSE}"
#: "They increased my levothyroxine to 100 mcg" is told of the medicine: who changed it is no part of the fact.
_DOSE_CHANGED = _rule(
    rf"(?:they|he|she|we|i|(?:my|his|her|our|the) (?:new )?[\w-]+|dr\.? \w+)(?:'ve| have| has)? {_LATELY}(?P<changed>{_CHANGED})"
    rf" (?P<what>{POSSESSIVE} {_OF_MEDICINE})(?P<rest>{_TO_DOSE}.*)"
)
_DOSE_WAS_CHANGED = _rule(
    rf"{POSSESSIVE} {_OF_MEDICINE} (?:(?:was|has been|got|is being) {_LATELY}{_CHANGED}|(?:went|is|is now) (?:up|down)){_TO_DOSE}"
)
_PRESCRIBERS = (
    r"(?:they|(?:my|his|her|our|the) (?:new )?(?:doctor|gp|physician|cardiologist|psychiatrist|neurologist|endocrinologist"
    r"|specialist|nurse|vet)|dr\.? \w+)"
)
_FROM_TO = rf"(?:over )?from (?:[\w./%-]+ ){{1,4}}?(?:over )?to (?:[\w./%-]+ ){{0,3}}?{DRUG}\b"
#: "My doctor switched me from metformin to ozempic" is told of whom it befell.
_SWITCHED = _rule(
    rf"{_PRESCRIBERS}(?:'ve| have| has)? {_LATELY}(?P<changed>switched|moved|changed) (?P<who>me|us|him|her|{RELATIVE}) (?P<rest>{_FROM_TO}.*)"
)
_WAS_SWITCHED = _rule(
    rf"{CLOSE}(?:'ve| have| has)?(?: (?:was|were|been|got|am|is))? {_LATELY}(?:switched|changed) {_FROM_TO}"
)
_SUBJECTS = {"me": "I was", "us": "we were", "him": "he was", "her": "she was"}
_SHORT_COURSE = _rule(
    r"\bfor (?:the next )?(?:\d+|a few|two|three|five|seven|ten|another|a) (?:more )?(?:days?|weeks?)\b"
    r"|\bfor (?:my|a|the|this|his|her) (?:\w+ )?(?:headache|cold|flu|fever|hangover|sore throat|toothache"
    r"|infection|cramps?|jet ?lag)\b"
    r"|\b(?:once|only|just) in a while\b|\bsometimes\b|\boccasionally\b"
)
#: At least one of these, or a dose, is in whatever a rule above fits; the tests hold them against the rules.
SIGNS = signs(
    # Allergies, contacts, directives, labels.
    "allerg|anaphyla|epipen|epi-pen|react|hives|rash|emergency|dnr|resuscitat|diagnos|chronic|medication|meds|prescri|blood"
    # Conditions.
    "|diabet|epilep|asthma|copd|emphysema|hiv|aids|cancer|leuk|lymphoma|melanoma|tumo|hypertensi|cholesterol|heart"
    "|pacemaker|arrhythmia|fibrillation|afib|angina|coronary|kidney|liver|cirrhosis|hepatitis|sclerosis|lupus"
    "|arthritis|osteoporosis|fibromyalgia|crohn|colitis|ibs|eliac|intoleran|hashimoto|thyroid|graves|parkinson"
    "|alzheimer|dementia|depression|bipolar|schizophreni|ptsd|ocd|adhd|autis|asd|anxiety|panic|anorexia|bulimia"
    "|emia|emophilia|sickle|cystic|endometriosis|pcos|psoriasis|eczema|glaucoma|macular|apn|insomnia|narcolepsy"
    "|migraine|gout|scoliosis|cerebral|muscular|syndrome|ehlers|pots|covid|dyslexi|autoimmune|prosthetic"
    # States and operations.
    "|emic|blind|deaf|immuno|paraplegic|paraly|organ donor|transplant|stroke|bypass|ectomy|stent"
    # Drugs, by name and by ending; doses are looked for on their own.
    "|statin|pril|sartan|olol|formin|prazole|cillin|mycin|oxetine|triptyline|azepam|zolam|dipine|gliptin|gliflozin"
    "|glutide|xaban|parin|sone|solone|floxacin|cycline|codone|lukast|terol|butamol|mab|tinib|vir|trigine|setron"
    "|pidem|peridone|apine|azosin|thiazide|semide|lactone|thyroxine|opram|traline|faxine|gabalin|pentin|etiracetam"
    "|epezil|insulin|warfarin|coumadin|aspirin|lithium|prozac|zoloft|lexapro|xanax|valium|adderall|ritalin|concerta"
    "|vyvanse|ozempic|wegovy|mounjaro|lipitor|crestor|plavix|eliquis|xarelto|humira|lantus|novolog|humalog|synthroid"
    "|ventolin|methotrexate|tamoxifen|digoxin|nitroglycerin|beta|seizure|depressant|suppressant|coagulant|the pill"
    "|birth control|ssri|bupropion|wellbutrin|sildenafil|depakote|valproate|carbamazepine|phenytoin|chloroquine"
    "|methadone|suboxone|melatonin|inhaler|ibuprofen|naproxen|seroquel|abilify|lamictal|keppra"
)
ANY_DOSE = _rule(_DOSE)


def is_labelled(line: str) -> bool:
    """Whether a line is an entry of a list about somebody's health ("Allergies: penicillin")."""
    return any(rule.match(line.strip(" \t*-\u2022")) for rule, _ in _LABELLED)


#: `clause` cuts before a person, and "Emergency contact: my sister Laura" is one statement.
_LABEL = re.compile(
    r"\b(?P<label>emergency contacts?|allerg(?:y|ies))\s*[:=]\s+(?P<value>(?:my|our|his|her|their|the)\b[^.!?\n]*)",
    re.IGNORECASE,
)
_LABEL_CLOSED = re.compile(
    r"\b(?P<label>emergency contacts?|allerg(?:y|ies)):(?P<value>\w[^.!?\n]*)", re.IGNORECASE
)
#: Between two people of one list.
_NEXT = re.compile(r"(?P<mark>[,;])\s+(?=(?:my|our|his|her|their|the)\b)", re.IGNORECASE)
_NEXT_CLOSED = re.compile(r"(?P<mark>[,;])(?=[^\W\d])")


def closed_up(text: str) -> str:
    """A text whose labels stand close to their values, so that the two are one clause."""
    return _LABEL.sub(lambda found: found["label"] + ":" + _NEXT.sub(r"\g<mark>", found["value"]), text)


def spaced(text: str) -> str:
    """The same as it is written."""
    return _LABEL_CLOSED.sub(
        lambda found: found["label"] + ": " + _NEXT_CLOSED.sub(r"\g<mark> ", found["value"]), text
    )


def stated(clause: str) -> HealthFact | None:
    """What a statement says of somebody's health, if anything lasting."""
    if related := _related(clause):
        return related
    if any(rule.match(clause) for rule in (*_ALLERGY_STATED, REACTS, _REACTS_TO, *_CONTACT, _DIRECTIVE)):
        return HealthFact(importance=LIFE_THREATENING)
    for rule, importance in _LABELLED:
        if rule.match(clause):
            return HealthFact(importance=importance)
    if any(rule.match(clause) for rule in _DIAGNOSIS) and not is_temporary(clause):
        return HealthFact(importance=CRITICAL)
    passing = is_temporary(clause) or _SHORT_COURSE.search(clause)
    if any(rule.match(clause) for rule in (*_MEDICATION, _DOSE_WAS_CHANGED, _WAS_SWITCHED)) and not passing:
        return HealthFact(importance=CRITICAL)
    if (changed := _changed(clause)) and not passing:
        return HealthFact(importance=CRITICAL, wording=changed)
    return _owned(clause)


def implied(clause: str) -> HealthFact | None:
    """An allergy that even a question takes for granted: "What can I eat with my nut allergy?"."""
    return _related(clause) or _owned(clause)


def _changed(clause: str) -> str | None:
    """Another dose or medicine, told of what or whom it befell."""
    if found := _DOSE_CHANGED.match(clause):
        return f"{found['what']} was {found['changed']}{found['rest']}"
    if found := _SWITCHED.match(clause):
        who = _SUBJECTS.get(found["who"].lower()) or f"{found['who'].rstrip(' ,')} was"
        return f"{who} {found['changed']} {found['rest']}"
    return None


def _related(clause: str) -> HealthFact | None:
    found = _ALLERGY_RELATIVE_CLAUSE.search(clause)
    if found is None or _ALLERGY_OVER.search(clause):
        return None
    wording = f"{found.group('who')} is allergic to {found.group('what')}"
    return HealthFact(importance=LIFE_THREATENING, wording=wording)


def _owned(clause: str) -> HealthFact | None:
    found = _ALLERGY_OWNED.search(clause)
    if found is None or _ALLERGY_OVER.search(clause):
        return None
    whose, what = found.group("whose").lower(), found.group("what")
    who = "I have" if whose == "my" else whose.removesuffix("'s") + " has"
    article = "an" if what[0].lower() in "aeiou" else "a"
    return HealthFact(importance=LIFE_THREATENING, wording=f"{who} {article} {what} allergy")
