"""Given names and the short forms that mean the same person.

Which pairs count is decided by the table below alone: the `nicknames` package has each of them
and far more (Robert and Bill, John and Ian, Michael and Micah, Andrew and Andrea), gathered for
genealogy, where a pair too many costs nothing. The package serves for the other question, whether
a word is a given name of its own, and `_OWN_NAMES` adds names that it lacks.
"""

from __future__ import annotations

from functools import lru_cache

MIN_PREFIX = 3

_SHORT_FORMS = """
abigail: abby
abraham: abe
albert: al bert
alan: al
alexander: alex al alec sandy sasha
alexandra: alex sandy sasha
alexis: alex
alfred: al fred
alejandro: alex
allison: allie
amanda: mandy
andrew: andy drew
angela: angie
anthony: tony
antonio: tony
archibald: archie
arthur: art
barbara: barb
benjamin: ben benny
bernard: bernie
bradford: brad
bradley: brad
calvin: cal
cameron: cam
carolyn: carol
catherine: cathy cate kate
charles: charlie chuck
christian: chris
christina: chris christy tina
christine: chris christy tina
christopher: chris kit
clifford: cliff
clinton: clint
cornelius: con
curtis: curt
cynthia: cindy
daniel: dan danny
danielle: dani
david: dave
deborah: deb debbie
dennis: denny
dominic: dom nick
donald: don donnie
donovan: don
dorothy: dot dottie
douglas: doug
edgar: ed
edmund: ed ted ned
edward: ed eddie ted ned
edwin: ed
eleanor: ellie nell
elizabeth: beth liz betsy betty eliza lizzie libby
emily: em
ernest: ernie
eugene: gene
florence: flo
frances: fran
francis: frank
francisco: paco
franklin: frank
frederick: fred freddie rick
gabriel: gabe
gabriella: gabby
geoffrey: geoff
gerald: gerry jerry
gerard: gerry
gilbert: gil bert
gregory: greg
gustav: gus
harold: hal harry
harrison: harry
henry: hank harry
herbert: herb bert
howard: howie
hubert: bert
isabella: izzy bella
jacob: jake
james: jim jimmy jamie
janet: jan
jeffery: jeff
jeffrey: jeff
jennifer: jen jenny jenn
jeremy: jerry
jerome: jerry
jessica: jess
john: jack johnny
jonathan: jon
joseph: joe joey
joshua: josh
judith: judy
katherine: kate kathy katie kat
kathleen: kathy kate
kathryn: kathy kate katie
kenneth: ken kenny
kevin: kev
kimberly: kim
laurence: larry
lawrence: larry
leonard: len lenny leo
leslie: les
louis: lou
lucas: luke
malcolm: mal
marcus: marc
margaret: peggy maggie meg marge peg
martin: marty
martha: marty
matthew: matt
maurice: maury
maximilian: max
maxwell: max
megan: meg
melissa: mel
melvin: mel
michael: mike mick mickey
miguel: mike
mitchell: mitch
nancy: nan
natalie: nat
natasha: nat
nathan: nat nate
nathaniel: nat nate
nicholas: nick nicky
nicole: nicki
norman: norm
oliver: ollie
pamela: pam
patricia: pat patty trish tricia
patrick: pat paddy
peter: pete
philip: phil
phillip: phil
priscilla: cilla
rachel: rae
ralph: ralphie
randall: randy
randolph: randy
raymond: ray
rebecca: becky becca
reginald: reg reggie
ricardo: rick
richard: rick dick rich richie ricky
robert: bob rob bobby robbie bert
roberto: rob bob
roderick: rod
rodney: rod
roland: rolly
ronald: ron ronnie
russell: russ
samantha: sam sammy
samuel: sam sammy
sandra: sandy
sebastian: seb
sheldon: shelly
solomon: sol
stanley: stan
stephanie: steph
stephen: steve
steven: steve
stuart: stu
susan: sue susie
suzanne: sue suzy
sylvester: sly
terence: terry
teresa: terry tess
theodore: ted teddy theo
theresa: terry tess
thomas: tom tommy
timothy: tim timmy
tobias: toby
valerie: val
victor: vic
victoria: vicky vicki tori
vincent: vince vinny vin
virginia: ginny
walter: walt wally
wesley: wes
wilfred: fred
william: will bill billy willie liam
winston: win
zachary: zach zack zac
"""

# Given names that another given name begins with, and that the package does not have.
_OWN_NAMES = frozenset(
    """
    abdul adrian aki alain albert aldo alena alessandra alessandro alexa alfons alma alois alvar
    amit ana anand anders andre andrea andreas andrei angel angelo anil anita anja anjali anna
    anne anton antoni antonia arno arun asha astrid aya ayan bala barb ben bern berna bernd
    bernhard bettina bianca bjorn blanca boris brigit bruno carina carl carla carlo carlos carmel
    carol caroline cary catalina cecil cecilia celine chandra charlotte chen chiara christ
    christa christian christiane claire clara claud claude claudia clemens clement corinna
    cornel dale dan dani daniel daniela dario david debra deepa delia denis denise dev devi diana
    dian dieter dietrich dina dirk dmitri dominik domenica dora doris eleanora elena eli elia
    elias elisa elise ella ellen elsa emanuel emil emilia emma enrico enrique eric erica erich
    erik erika erin ester eva eve fabian fabio fatima federica felicia felix ferdinand fernand
    fernanda filip flor florian francesca francesco francisca franco frank franz frederic
    frederik fritz gabriel gabriela gary georg george georgina gerhard gert gianna gina giorgia
    giovanna giuliana giulia greta gunter gustavo guy hanna hannah hans harald harriet harry
    harsh hassan heinrich helen helena helene helga henri henriette henrik hiro hiroshi hugo ida
    ilan ina ines inga ingrid irena irene irina isa isaac isabel ivan ivana jaan jacqueline jade
    jai jaime jakob jan jana jane janina janine jasmin javier jay jaya jean jeanne jens jere
    jerome jim jin joan joana joann joao joaquin joel johan johann johanna john jon jorg jorge
    josef josefina joseph josephina juan juana jules julia julian juliana julie juliet julius
    jun jung jurgen justin justina kai kamal kamala karen kari karim karin karina karl karla kat
    katarina kate kathrin katja kay kazu keith kelly kenji kerstin khalid kiran klaus klara
    krish krishna krist kristian kristin kristina kumar lana lara lars laura lauren laurent lea
    lee leila len lena leo leon leona leonard leonardo leonid lia lili lilian lin lina linda lisa
    liu liv liza lore lorena lorenz loren lou louis louisa louise luc luca lucia lucian luciana
    lucien luis luisa luke lukas lydia madeleine magda mahesh mai malik man mani manoj manuel
    manuela mar mara marc marcel marcela marco marcos margarete margaretha margot margret mari
    maria marian mariana marianna marianne marie mariel marina mario marion marisa marissa marit
    marius mark marko markus marlen marlene mart marta marte martha marti martin martina mary
    mats mattia matthias maur maureen mauro max may mei melina mercedes meredith mia michal
    michel michela michele michelle miguel mihai mika mike mila milan milena min mina mira miriam
    mo mohammad mohan monica monika morgan nadia nara naren natal natalia natan nick nicol nicola
    nicolas nicole niko nikola nils nina noel nora norma oliver olivia olga omar orla oscar oskar
    otto pablo paola paolo pascal patrice patricia paul paula paulina pauline pavel pedro per
    petra philip philippa philippe pierre pri pria priya radha rafael raj raja rajesh ralf ram
    rama ramesh ramon randi raoul raphael raul ravi ray rebecka regina reiner rena renat renata
    renate rene ricard ricarda rich rita robert roberta roberto robin rodrig rolf roman romana
    ronan rosa rosalie rose rosemary rub ruben rudolf ruth sab sabin sabina sally sam sanjay
    sara sarah satoshi serge sergio shan shanta shari sheila shin sigrid silvia simon simona
    simone sofia sofie sonia sophia sophie sri stefan stefania stella steph stephan stephana
    stev steven su sue sun sunil suresh susan susanna susanne sven svetlana sylvia tad takashi
    tamar tamara tan tania tanja tara tatiana tere thea theo theodor theresa thom thomas tina
    tom tomas ulrich ulrike uma ursula valentin valentina valeria venkat vera veronica veronika
    vicente victor victoria vijay vik viktor viktoria vincent vincenz viola virgil virginia
    vivian vladimir walt walter wang wei wilhelm will wim xia xiao yan yang yao yash yasmin yi
    yoko yoshi yuan yuki yuri yusuf yvon yvonne zhang zoe
    """.split()
)


@lru_cache(maxsize=1)
def _pairs() -> frozenset[tuple[str, str]]:
    """Every (name, short form) of the table, both ways round."""
    pairs = set()
    for line in _SHORT_FORMS.strip().splitlines():
        name, _, forms = line.partition(":")
        for form in forms.split():
            pairs |= {(name, form), (form, name)}
    return frozenset(pairs)


@lru_cache(maxsize=1)
def known_names() -> frozenset[str]:
    """Given names and their short forms, lower case: a word among them is a name of its own."""
    from nicknames import NickNamer

    lookup = NickNamer().nickname_lookup
    names = {name for pair in _pairs() for name in pair} | _OWN_NAMES | set(lookup)
    return frozenset(names.union(*lookup.values()))


@lru_cache(maxsize=8192)
def same_person_forms(given: str) -> frozenset[str]:
    """The other ways to write a given name (lower case, accents folded) for the same person.

    Its pairs in the table; and its beginnings of at least three letters (`satya` for
    Satyanarayana), save those that are a name of their own: Martin is not Martina.
    """
    paired = {other for name, other in _pairs() if name == given}
    begun = {given[:end] for end in range(MIN_PREFIX, len(given)) if given[:end].isalpha()}
    return frozenset(paired | (begun - known_names()))
