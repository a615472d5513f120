"""English verbs, as far as agreement with "User" needs them: "I study" is "User studies", "I went" stays.

It knows word lists and spelling rules, one word at a time. It does not know sentences or pronouns: which
word is the verb is decided in `agreement`. A part-of-speech tagger was rejected: it is a download, it is
slow, and the word after "I" is nearly always the verb. Words are passed in lower case with a straight
apostrophe.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Auxiliaries that do not change with the person; the verb after them stays bare.
MODALS = _words("""
    can can't cannot cant could couldn't couldnt will won't wont would wouldn't wouldnt shall shan't should
    shouldn't shouldnt may might mightn't must mustn't ought did didn't didnt could've would've should've
    might've must've gonna finna lemme better
""")

#: Forms of "be" and "have" that the first and the third person share.
SHARED = _words("was wasn't wasnt were weren't werent had hadn't hadnt")

#: First-person forms whose third person is not made by adding -s.
SPECIAL = {
    "am": "is",
    "be": "is",
    "aren't": "isn't",
    "have": "has",
    "haven't": "hasn't",
    "havent": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "dont": "doesn't",
    "go": "goes",
    "wanna": "wants to",
    "gotta": "has to",
    "hafta": "has to",
    "dunno": "doesn't know",
}

#: Of these and the like, the ones that a bare verb follows.
BEFORE_BARE = _words("don't dont wanna gotta hafta")

#: Past forms that do not end in -ed, and participles that colloquial English uses as a past ("I seen").
IRREGULAR_PAST = _words("""
    arose ate awoke awoken babysat backslid bade became been befell began begot begun beheld bent
    besought bespoke bestrode betook bit bitten bled blew blown bore bought bound bred broke broken
    brought built burnt came caught chose chosen clad clung cowrote crept dealt did done dove drank
    drawn dreamt drew driven drove drunk dug dwelt eaten fallen fed fell felt fled flew flown flung
    forbade forbore foresaw foretold forgave forgiven forgot forgotten forsook forwent fought found
    froze frozen gave ghostwrote given gone got gotten grew grown hamstrung handwrote heard held hid
    hidden housesat hung hurt inlaid interwove kept knelt knew known laid leant leapt learnt led left
    lent lit lost made meant met misheard mislaid misled misspelt misspent misspoke mistook
    misunderstood outdid outfought outgrew outgrown outran outshone outsold outspent outswam overate
    overbought overbuilt overcame overdid overdrew overheard overhung overlaid overpaid overran overrode
    oversaw overshot overslept oversold overspent overthrew overtook paid partook pled prepaid proven
    quit ran rang rebroke rebuilt redid redrew refroze regrew rehung relaid relearnt relit remade repaid
    resat reshot resold retaught rethought retold retook rewound rewrote ridden risen rode rose rung
    said sang sank sat saw seen sent sewn shaken shod shone shook shot shown shrank shrunk skydove slept
    slew slid slung slunk smelt smote snuck sold sought spat spelt spent spilt spoilt spoke spoken
    sprang sprung spun stank stole stolen stood strode strove struck strung stuck stung stunk sunburnt
    sung sunk swam swept swore sworn swum swung taken taught test-drove thought threw thrown told took
    tore torn trod unbent unbound understood undertook underwent undid unfroze unlearnt unmade unstuck
    unwound unwove upheld went wept withdrew withheld withstood woke woken won wore worn wound wove
    woven written wrote wrought wrung
""")

#: Verbs whose past is the bare form: present unless the sentence speaks of the past ("I fell and hit my head").
SAME_FORM = _words("""
    read put cut set let hit bet shut split spread cast broadcast upset beat shed burst rid reset fit cost bid bust beset
    forecast offset outbid overbid preset misread proofread reread recast slit sublet thrust telecast typeset
""")

#: Of these, the ones that tell of one time unless the sentence says how often: "I hit a deer".
OF_ONE_TIME = _words("hit burst bust bid cost misread outbid slit thrust upset")

#: Participles that make "I'd" mean "had"; -ed forms are recognised by their ending.
PARTICIPLES = _words("""
    been had done gone seen taken eaten known given written spoken gotten got forgotten chosen broken driven
    grown worn fallen thought bought brought caught taught found felt left lost met made said sold told
    heard held kept built sent spent slept understood won stood paid led
""")

#: Present forms that end like a past.
_BARE_IN_ED = _words(
    "need feed breed bleed speed seed exceed proceed succeed heed weed embed wed shred sled bed reed"
)

#: Verbs that end like an adverb.
_BARE_IN_LY = _words(
    "apply rely reply supply comply multiply imply fly bully rally tally ally misapply reapply"
)

#: Verbs that end like a gerund.
_BARE_IN_ING = _words("bring sing ring swing spring sting fling cling string ping wing king")

#: Bare verbs that end in a single s; any other such word is taken as already inflected.
_BARE_IN_S = _words("focus refocus canvas bias bus gas plus")

ADVERBS = _words("""
    always never often sometimes also still just only already ever even seldom not now then nowadays today
    currently almost maybe perhaps rather quite too so much both all really kinda sorta mostly once twice
    instead otherwise therefore hence thus though however again soon later first lately daily weekly monthly
    yearly myself fucking damn freaking literally likely pretty indeed somehow somewhat anyway normally
    least neither either honestly personally simply
""")

#: Adverbs of two words.
ADVERB_PAIRS = {
    "no": _words("longer"),
    "kind": _words("of"),
    "sort": _words("of"),
    "at": _words("least times present"),
    "in": _words("fact general particular"),
    "of": _words("course"),
    "for": _words("one example instance"),
    "any": _words("longer"),
    "very": _words("much rarely often seldom"),
    "more": _words("often"),
    "as": _words("well"),
    "right": _words("now"),
}

#: Verbs that are hardly ever nouns, so that one of them after "and" continues the subject.
CLEAR_VERBS = _words("""
    live love prefer have am do go want enjoy speak drive own know think believe hate keep teach write read
    cook bake eat like need use try make take get give come see hear feel find tell say ask seem become
    begin build bring buy choose grow hold lead learn leave lose meet mean pay sell send sing sit spend
    stand swim understand wear win consider create develop decide describe detest dislike despise earn
    employ explain follow forget remember handle happen hire identify include invest join maintain manage
    mentor observe organize organise perform practise prepare produce provide receive recommend reply rely
    require run serve share specialize specialise suffer suggest support tend tolerate treat trust wish work
    worry adore appreciate attend avoid bike commute contribute collect compose deploy direct edit exercise
    fish freelance garden host hike invent jog knit lecture lift listen meditate moonlight oversee paint
    photograph play pray program pronounce publish raise refuse renovate rent ride sew ski sleep smoke
    snowboard stream struggle study surf tutor travel train vape visit volunteer vote walk watch code drink
    dance draw design sail climb race blog vlog crochet sculpt skate cycle row box camp hunt coach consult
    sketch juggle report advise head chair co-own co-lead fly stay plan hope help talk chat test review ship
    order call check wake stop start end finish move return put set cut let
""")

#: Verbs that are as often nouns: after "and" they count only before a word that cannot follow a noun.
NOUN_LIKE = _words("""
    work travel walk run race train exercise garden fish program design code dance test review ship order
    call check report lecture host coach head chair box row camp hunt sketch sail surf stream cycle bike
    commute ride sleep smoke plan hope help talk chat start end finish move return lift vote visit trust
    support treat share paint wish worry struggle love hate need use drink study play stop stay blog skate
    climb cut set
""")

#: Of those, the ones that a bare object may follow ("and play guitar").
TAKES_BARE_OBJECT = _words("love hate need use drink study play visit treat support teach paint coach")

#: What one asks of an assistant: after a comma these are more likely an order than a statement.
ORDERS = _words("""
    use give write explain suggest call tell ask send add avoid check show remind include mention keep make
    be remember forget recommend assume answer reply respond format put let help stop provide treat skip try
    start worry refer consider
""")

#: Further common verbs: they confirm that a lower-case "i" or an "I" after a name is the pronoun.
_MORE_VERBS = _words("""
    accept ache achieve act adapt add admire admit adopt agree aim allow answer apologize apply argue arrive
    aspire assume attempt ban bank bathe beg behave belong benefit bless blame borrow breathe brew bring
    brush budget burn calculate care carry catch celebrate challenge change charge chase choose clean close
    collaborate combine compete complain complete comply concentrate conduct confess confirm connect cope
    copy count cover crave cry cultivate curate cure date deal debug defend delegate deliver demand depend
    deserve dictate die dig disagree discover discuss distrust divide donate doubt download dread dream
    dress dye embed embrace emphasize encourage endorse enter envy escape evaluate evolve examine exist
    expect experience explore express face fail fall fancy farm fast fear fight fit fix focus fold force
    forgive gain gamble game gather generate guarantee guess guide hang have host hug ignore imagine
    implement improve indulge insist install intend interact interview introduce iron jump keep kick kiss
    knock know lack last laugh launch lay lean lie limit live look mail mark market marry master match
    matter measure meditate memorize mention mind miss mix model mow narrate negotiate notice nurse object
    obsess offer open operate oppose overthink owe pack park participate partner pass pause perceive pick
    pitch place plant pledge point post pour practice praise preach present preserve pretend prevent
    prioritize process procrastinate promise promote propose protect prototype pull punish push quit rank
    reach realize rebuild recall reckon recognize record recover recycle refer reflect reject relate relax
    release remain remind repair repeat replace reply represent research resent resist respect respond rest
    restore retire reuse rise roast sail save schedule score scuba-dive search seek select self-host
    separate settle shave shop shout show shower sign sit skip sneeze snore solve sort sound spell spend
    stand stick store stretch strive study stutter subscribe succeed supervise suppose suspect swear swap
    switch tackle take taste team thank throw tip touch track trade translate trim turn type undergo update
    upload value vary vent verify wait wake wander warn wash waste water weigh welcome whistle wonder
    worship wrap yearn yell
""")

COMMON = CLEAR_VERBS | NOUN_LIKE | TAKES_BARE_OBJECT | _MORE_VERBS | SAME_FORM

#: Words that follow "I" without being its verb.
NOT_VERBS = _words("""
    a an the this that these those my your his her its our their me you he she it we they who whom whose
    which what and or nor but if because when while as than of in on at by for from with without to into
    onto about after before between during until since through over under up down out off is isn't are has
    hasn't does doesn't one two three i ii iii iv v no yes here there very more most less least any some
    each every ok okay please
""")


def is_adverb(word: str) -> bool:
    """Whether the word may stand between a subject and its verb."""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _BARE_IN_LY)


def is_past(word: str) -> bool:
    """Whether the word is a past form or a participle, judged by list and by ending."""
    if word in IRREGULAR_PAST:
        return True
    return word.endswith("ed") and len(word) > 3 and word not in _BARE_IN_ED


def is_participle(word: str) -> bool:
    """Whether "I'd" before the word means "I had"."""
    return word in PARTICIPLES or (word.endswith("ed") and is_past(word))


def is_gerund(word: str) -> bool:
    """Whether the word is an -ing form, which is never finite."""
    return word.endswith("ing") and len(word) > 4 and word not in _BARE_IN_ING


def is_inflected(word: str) -> bool:
    """Whether a word that ends in -s already carries the third person ("he likes")."""
    return word.endswith("s") and not word.endswith("ss") and len(word) > 2 and word not in _BARE_IN_S


def is_known(word: str) -> bool:
    """Whether the word can only be read as a verb, an auxiliary or an adverb before one."""
    return (
        word in COMMON
        or word in SPECIAL
        or word in MODALS
        or word in SHARED
        or word == "ain't"
        or is_adverb(word)
        or is_past(word)
    )


def third_singular(verb: str) -> str:
    """Spell the third person singular of a bare verb."""
    special = SPECIAL.get(verb)
    if special is not None:
        return special
    if is_inflected(verb):
        return verb
    last = verb[-1:]
    before = verb[-2:-1]
    if last == "y" and before not in ("a", "e", "i", "o", "u", ""):
        return verb[:-1] + "ies"
    if verb in ("quiz", "bus", "gas"):
        return f"{verb}{last}es"
    if last in ("s", "x", "z") or verb.endswith(("ch", "sh")):
        return verb + "es"
    if last == "o" and before not in ("a", "e", "i", "o", "u", ""):
        return verb + "es"
    return verb + "s"
