"""Given names and their short forms: Bob is how people call a Robert.

A short table of names that are common where English is spoken, made for this package. It helps in two places: to see
that two names may mean one person, and to tell a person from a firm where a sentence leaves both open. It does not
know most of the world's names and nothing may depend on a name being here. A full list of first names was rejected:
it would be large, and it would know some people and not others.
"""

# The formal name first; a short form may stand in several rows.
_ROWS = """
abigail abby gail
albert al bert bertie
alexander alex alec sasha xander lex
alexandra alex sasha sandra lexi
alfred alf fred freddie
alice ali
alison ali
amanda mandy
andrew andy drew
angela angie
anna annie
anthony tony ant
antonio tony toni
arthur art artie
barbara barb barbie babs
benedict ben
benjamin ben benny benji
bernard bernie
bradley brad
carolyn carol carrie
catherine cathy kate katie cate
charles charlie chuck chas
charlotte charlie lottie
christina chris tina chrissy
christine chris tina chrissy
christopher chris topher kit
clifford cliff
cynthia cindy
daniel dan danny
david dave davey
deborah deb debbie
dennis denny
dominic dom nick
donald don donnie
dorothy dot dottie
douglas doug
edward ed eddie ted teddy ned
eleanor ellie nell nora
elizabeth liz lizzie beth betty betsy eliza lisa libby
emily em emmy
eugene gene
ferdinand ferdi
florence flo
frances fran francie
francis frank fran
francisco paco pancho
franklin frank
frederick fred freddie fritz
friedrich fritz
gabriel gabe
gabriella gabby
geoffrey geoff jeff
george georgie
gerald gerry jerry
gregory greg
guillermo memo
harold hal harry
heinrich heinz
helena lena
henry hank harry hal
ignacio nacho
isaac ike zac
isabella bella izzy
jacob jake
jacqueline jackie
james jim jimmy jamie
jane janie
janet jan
jeffrey jeff
jennifer jen jenny
jeremy jerry
jessica jess jessie
joanna jo joann
johann hans
johannes hans
john jack johnny
jonathan jon jonny
jose pepe
joseph joe joey
joshua josh
judith judy
julia jules
julian jules
katharina kati kathi
katherine kathy kate katie kat kay
kenneth ken kenny
kimberly kim
kristina kris tina
lawrence larry
leonard len leo lenny
leonardo leo
leslie les
lillian lily
louis lou louie
luis lucho
madeleine maddie
magdalena lena magda
manuel manny
margaret maggie meg peggy marge margie rita greta daisy
maria mia
martha marty
martin marty
mary molly polly
matilda tilda tilly
matthew matt matty
maximilian max
megan meg
melissa mel missy
michael mike mick mickey mikey micky
miguel migue
mikhail misha
mitchell mitch
mohammed mo muhammad mohamed mohammad
nancy nan
natalia nata natasha
nathan nate
nathaniel nate nathan nat
nicholas nick nicky nico
nicole nicky nikki
nikolai kolya
olivia liv livvy
oliver ollie
pamela pam
patricia pat patty trish tricia
patrick pat paddy
penelope penny
peter pete
philip phil pip
phillip phil
rachel rach
rafael rafa
raymond ray
rebecca becky becca
richard rick dick ricky rich richie
robert bob rob bobby robbie bert
roberto beto
ronald ron ronnie
rosemary rose rosie
russell russ
samantha sam sammy
samuel sam sammy
sandra sandy
sarah sally sadie
sebastian seb bastian basti
sergei seryozha
simon si
sofia sofie
sophia sophie
stanley stan
stephanie steph
stephen steve stevie
steven steve stevie
stuart stu
susan sue susie suzy
suzanne sue susie
tatiana tanya
terence terry
theodore ted teddy theo
theresa terry tess tessa
thomas tom tommy
timothy tim timmy
tobias tobi toby
valentina vale
valerie val
veronica ronnie vera
victor vic
victoria vicky tori
vincent vince vinny
virginia ginny
walter walt wally
wilhelm willi
william will bill billy willie liam
wolfgang wolf wolfi
zachary zach zac
"""
# Names without a short form of their own, and those that are easily taken for another one's variant.
_OTHERS = """
aaron adam adrian adriana ahmed aisha akira alan alejandro ali amir amira amy ana andrea andreas angelo anja anne
antonia ari arjun asha ashley astrid audrey beatrice ben bianca birgit bjorn boris brandon brian bruno camila carl
carla carlos carmen caroline cecilia chen chloe christian claire clara claudia clara colin dana daniela danielle
daria dario deepak diana diego dieter dmitri elena eli elias ella emil emilia emma enrique eric erica erik erika
erin esther eva evan fabian farid fatima felipe felix fiona franz gabriela gemma georg gerard giovanni giulia gloria
grace greta gunter hamid hannah hans harriet hassan hector heidi helen helga holly hugo ian ibrahim ines ingrid irene
iris ivan jan jana jasmine jasper javier jean jens joan joana joel jonas jorge juan juana judy julie jurgen kai
karen karim karl karla keith kevin khalid klaus kumar kyle lara lars laura lauren laurent lea leah leila lena leon
leonie liam linda lisa lorenzo louise luca lucas lucia lucy luigi luisa lukas mahmoud malik manuela marc marco marcus
mariam marie marina mario marion marius mark markus marta martina matteo maya megan mehmet mei mila milan mina miriam
monica monika nadia naomi natalie neha nicolas nikita nils nina noah nora norbert olga omar oscar
otto pablo paolo paul paula pauline pavel pedro petra pierre priya rahul raj ralf ramon raquel ravi ricardo roger
rohan rosa ruben ruth ryan sabine salma sanjay sara sean selma sergio shreya silvia simone sita sonia stefan
stefanie sven tamara tanja tariq thea theo tina tomas torsten ulrich ursula vanessa vera vikram viktor wei werner
xavier yasmin yuki yusuf zara zoe
"""

_FORMAL_OF: dict[str, frozenset[str]] = {}
for _row in _ROWS.split("\n"):
    for _name in _row.split():
        _FORMAL_OF[_name] = _FORMAL_OF.get(_name, frozenset()) | {_row.split()[0]}

#: Every name of the table, lower case: somebody called so is a person, as far as one word can tell.
GIVEN_NAMES = frozenset(_FORMAL_OF) | frozenset(_OTHERS.split())


def formal_names(name: str) -> frozenset[str]:
    """The formal names behind a lower-case name; itself among them when it is one, or when it is unknown."""
    return _FORMAL_OF.get(name, frozenset((name,)))


def same_given_name(first: str, second: str) -> bool:
    """Whether one of two lower-case names is a short form of the other, or both of the same one."""
    return first == second or not formal_names(first).isdisjoint(formal_names(second))
