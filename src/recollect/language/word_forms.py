"""Forms of one word that no stemmer joins: "ate" and "eat", "children" and "child", "colour" and "color".

Only for looking up: a word of a question stands for each of its forms, and what is stored stays as it was said, so that a
longer list needs no new index. Forms of different words that look alike ("rose", "saw", "wound") are told apart by the
other words of the question. Synonyms were rejected: on labelled questions "film" for "movie" lost as much as it found.
English only.
"""

from functools import cache

from recollect.language.terms import terms

_FORMS = """
beat beaten; become became; begin began begun; bend bent; bite bit bitten; blow blew blown; break broke broken; bring brought;
build built; burn burnt; buy bought; catch caught; choose chose chosen; come came; creep crept; deal dealt; dig dug; dive dove;
draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
fight fought; find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden;
hold held; keep kept; know knew known; lay laid; lead led; learn learnt; leave left; lend lent; light lit; lose lost; make made;
mean meant; meet met; overcome overcame; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said;
see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown;
shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; smell smelt; speak spoke spoken;
speed sped; spell spelt; spend spent; spill spilt; spin spun; spoil spoilt; spring sprang sprung; stand stood; steal stole stolen;
stick stuck; sting stung; strike struck; swear swore sworn; sweep swept; swim swam swum; swing swung; take took taken;
teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn;
weep wept; win won; wind wound; withdraw withdrew withdrawn; write wrote written;
child children kid; man men; woman women; person people; foot feet; tooth teeth; goose geese; mouse mice; wife wives; knife knives;
life lives; leaf leaves; shelf shelves; half halves; wolf wolves; thief thieves; loaf loaves; scarf scarves; bus buses;
colour color; favourite favorite; favour favor; neighbour neighbor; behaviour behavior; honour honor; labour labor; flavour flavor;
humour humor; harbour harbor; rumour rumor; centre center; theatre theater; metre meter; litre liter; fibre fiber; grey gray;
jewellery jewelry; cheque check; tyre tire; pyjamas pajamas; programme program; organise organize; realise realize;
recognise recognize; apologise apologize; analyse analyze; travelling traveling; cancelled canceled; licence license;
defence defense; catalogue catalog; dialogue dialog; doughnut donut; aluminium aluminum; yoghurt yogurt; mum mom
"""


def forms(term: str) -> tuple[str, ...]:
    """The terms that stand for the same word as this one, itself among them."""
    return _forms_of().get(term, (term,))


@cache
def _forms_of() -> dict[str, tuple[str, ...]]:
    """For each term its forms. A term of two words ("leaves") has those of both."""
    found: dict[str, set[str]] = {}
    for line in _FORMS.split(";"):
        stems = {term for word in line.split() for term in terms(word)}
        for stem in stems:
            found.setdefault(stem, set()).update(stems)
    return {stem: tuple(sorted(stems)) for stem, stems in found.items()}
