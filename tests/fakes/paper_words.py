"""The words of made-up papers. The lists of titles, details and plots share no word.

A title speaks of topics, a body of named details, and a plot retells the finding in plain words:
so that a test can tell which part of a paper a query was made from.
"""

from __future__ import annotations

from tests.fakes.words import listed

# Categories of arXiv by domain; the first of each is the commonest.
CATEGORIES = {
    "computer science": listed("cs.LG cs.CL cs.CV cs.RO cs.DB cs.CR"),
    "physical sciences": listed(
        "physics.optics math.CO stat.ME cond-mat.soft astro-ph.GA physics.flu-dyn"
    ),
    "life sciences": listed("q-bio.NC q-bio.PE q-bio.QM q-bio.BM"),
    "social sciences": listed("econ.GN econ.EM q-fin.ST q-fin.RM"),
}
QUALITIES = listed(
    """
Delayed Sparse Asymmetric Seasonal Latent Intermittent Layered Anisotropic Stochastic Reversible
Nonlinear Adaptive Coarse Fragmented Transient Periodic Hierarchical Distributed
"""
)
TOPICS = {
    "computer science": listed(
        """
query planning|speech decoding|image inpainting|cache eviction|code completion|graph partitioning|
intrusion detection|gesture tracking|schema matching|policy gradients|token pruning|map building
"""
    ),
    "physical sciences": listed(
        """
photon transport|vortex shedding|lattice coloring|galaxy clustering|foam coarsening|kernel testing|
plasma heating|crystal growth|spin relaxation|wave breaking|shear banding|matrix completion
"""
    ),
    "life sciences": listed(
        """
synaptic pruning|enzyme folding|predator cycling|membrane budding|gene silencing|cortical rhythms|
allele fixation|wing patterning|spore dispersal|axon guidance|nutrient uptake|embryo polarity
"""
    ),
    "social sciences": listed(
        """
wage bargaining|tariff incidence|credit rationing|option hedging|migration choice|auction entry|
pension uptake|inflation forecasting|school sorting|bank contagion|price dispersion|land reform
"""
    ),
    "health sciences": listed(
        """
sepsis triage|wound healing|insulin titration|asthma relapse|stroke rehabilitation|renal dosing|
migraine prophylaxis|hip arthroplasty|dental screening|sleep apnoea|vaccine uptake|frailty scoring
"""
    ),
}
OBJECTS = {
    "computer science": listed(
        """
streaming tables|bilingual transcripts|aerial mosaics|legged walkers|encrypted backups|
compiler traces|social graphs|wearable sensors
"""
    ),
    "physical sciences": listed(
        """
turbid media|granular columns|thin membranes|dwarf satellites|planar networks|porous electrodes|
rotating annuli|magnetised disks
"""
    ),
    "life sciences": listed(
        """
zebrafish larvae|soil microbiomes|hippocampal slices|island populations|yeast colonies|
marine copepods|songbird nestlings|moss gametophytes
"""
    ),
    "social sciences": listed(
        """
rural households|regional lenders|informal vendors|export firms|municipal bonds|pension savers|
seasonal workers|school districts
"""
    ),
    "health sciences": listed(
        """
ambulatory adults|preterm infants|dialysis patients|community pharmacies|trauma wards|
elderly residents|outpatient clinics|intensive units
"""
    ),
}
LINKS = listed("in|among|across|with")
GENERIC_TITLES = listed(
    """
A novel approach to learning|An efficient framework for analysis|New methods and improved results|
Towards a robust system model|A study of effective learning methods
"""
)
SHORT_TITLES = listed("Corrigendum|Letter reply|Editorial remarks|On foams again")
LATEX_TITLES = (
    r"$\mathcal{{O}}(n\log n)$ {0} {1} {2} {3}",
    r"{0} {1} {2} {3} in $L^{{2}}(\mathbb{{R}}^{{d}})$",
    r"{0} {1} beyond $\alpha$-regular {2} {3}",
    r"{0} \'Etale {1} {2} {3} at $z \sim 6$",
)
MARKUP_TITLES = (
    "{0} {1} {2} {3} carrying <i>Quercus borealis</i> extract.",
    "{0} {1} {2} {3} under low CO<sub>2</sub>.",
    "[{0} {1} {2} {3}].",
)
AUTHORS = listed(
    """
Ada Ravensworth|Björn Quillfeather|Chiara D'Amico|Dmitri Okonkwo|Elena Peña|Farid Underhill|
Grace Carrowmore|Hiro Lindqvist|Ines Tremaine|Jonas Everdale|Keiko Norcross|Luis Sandoval
"""
)
TOOLS = listed(
    """
hydrophone goniometer cryostat magnetometer fluorimeter calorimeter dosimeter gravimeter anemometer
centrifuge theodolite polarimeter spectrograph viscometer hygrometer sextant
"""
)
SITES = listed(
    """
hatchery quarry boatyard orchard foundry cannery granary sawmill tannery aqueduct lighthouse
vineyard creamery smokehouse kiln bathhouse
"""
)
STUFF = listed(
    """
lacquer gelatin pollen mortar varnish silage peat resin tallow beeswax gypsum pumice charcoal tar
glycerol shellac
"""
)
MISHAPS = listed(
    """
corroded valve|cracked gasket|clogged siphon|frozen hinge|leaking bellows|swollen bearing|
scorched fuse|warped spindle
"""
)
# `{name}` is a coined name that no other paper has, `{thing}` what kind of thing it names.
DETAILS = {
    "tool": (
        "Curves came from the {name} {thing}, whose baseline wandered by {small} counts until we "
        "replaced a {mishap}.",
        "We calibrated the {name} {thing} against {stuff} blanks on {count} mornings before dawn.",
        "Without shielding, the {name} {thing} lost {count} of its readings to a {mishap}.",
    ),
    "site": (
        "Most material was collected at the {name} {thing}, where {count} barrels of {stuff} had "
        "been sealed since the flood.",
        "Stewards of the {name} {thing} kept a diary of {count} pages about spoiled {stuff}.",
        "At the {name} {thing} a {mishap} interrupted sampling for {small} weeks.",
    ),
    "stuff": (
        "Coating with the {name} {thing} halved the drag and left {value} grams of residue.",
        "Only the {name} {thing} survived {count} rinses with warm brine.",
        "A pinch of the {name} {thing} stopped every {mishap} within {small} minutes.",
    ),
    "cohort": (
        "The largest group, the {name} {thing}, held {value} enrolled members and {small} twins.",
        "Attrition in the {name} {thing} reached {small} members after the harvest holidays.",
        "Interviews with the {name} {thing} lasted {small} hours and mentioned {stuff} throughout.",
    ),
}
SECOND_LOOKS = (
    "Entries from the {name} {thing} were stored apart, since a courier had soaked the envelopes.",
    "Later visits to the archive confirmed what the {name} {thing} had hinted about {stuff}.",
    "Nobody has repeated the {name} {thing} trial with cheaper {stuff} so far.",
)
COHORTS = listed("cohort panel registry roster")
FILLERS = (
    "This choice follows earlier work [{cite}] and is discussed again in Section {small}.",
    "Figure {small} shows the same pattern for every subset that we looked at.",
    "As Marchetti et al. [{cite}] remark, the literature is divided on this point.",
    "Table {small} lists the settings, which were fixed before any comparison was made.",
    "We repeated the comparison with a different random order and saw no change.",
    "The difference was larger than the noise between repeated runs \x02.",
    "A full treatment is beyond the scope of this article.",
    "These numbers should be read with care, because the sample is not balanced.",
    "We return to the limits of this argument at the end of the section.",
    "By Theorem {small} the bound is tight up to a constant factor \x02.",
    "All parameters were left at their defaults unless stated otherwise.",
    "Further checks are given in the supplementary material.",
)
ABSTRACTS = (
    "{topic} for {object} has drawn much interest, yet its limits are poorly understood.",
    "We present a study of {quality} {topic} and compare it with common baselines.",
    "Across several settings the proposed treatment of {object} improves on prior results.",
    "Our findings suggest that {quality} effects matter more for {topic} than is usually assumed.",
    "We discuss what this means for the design of future studies of {object}.",
)
SECTIONS = listed("Introduction|Setting|Materials|Procedure|Findings|Robustness|Discussion|Outlook")
# The plot of a paper in plain words: no names, no numbers, no word of any title.
WHO = listed(
    """
beekeepers|ferry crews|night nurses|river otters|young oysters|delivery drones|street musicians|
glass blowers|mountain goats|retired miners|stray kittens|carrier pigeons|ice skaters|cargo porters|
choir singers|garden snails|barn owls|lobster fishers|tram drivers|puppet makers
"""
)
WHERE = listed(
    """
inside a disused tunnel|beside a muddy creek|on a windy rooftop|beneath a wooden pier|
in a crowded bakery|near a noisy airport|behind a frozen waterfall|around a salty lagoon|
under a stone bridge|along a dusty railway|within a dim greenhouse|above a busy kitchen
"""
)
WHAT = listed(
    """
slept longer|lost their way|grew paler|became calmer|ate less fruit|forgot familiar faces|
worked faster|fell ill earlier|shared more food|avoided strangers|sang louder|gave up sooner
"""
)
WHEN = listed(
    """
once the lamps were dimmed|after heavy snowfall|whenever church bells rang|while the radio played|
before the market opened|when cinnamon filled the air|as the moon waned|if the floor was heated
"""
)
PLOTS = (
    "In plain words, {who} {where} {what} {when}.",
    "It turned out that {who} {what} {when}, at least {where}.",
    "Put simply, {who} observed {where} {what} {when}.",
    "What surprised us was that {who} {where} {what} {when}.",
)

_STARTS = listed("Vor Kel Brac Thel Myr Osk Quel Zan Drev Ulm Hesp Jor Nax Pell Ryv Sval Trem Wex")
_MIDDLES = listed("a e i o u ae ia ou")
_JOINTS = listed("th lm rk nd sk vr bl mp x zz gn lt")
_ENDS = listed("orin ume avel issa oque und eny arro iska omel ivax etta uldo yrr")
NAMES = len(_STARTS) * len(_MIDDLES) * len(_JOINTS) * len(_ENDS)
_STRIDE = 7919  # a prime that does not divide NAMES: neighbours look unlike each other


def coined(number: int) -> str:
    """An invented name; distinct for numbers below NAMES (24,192)."""
    rest = number * _STRIDE % NAMES
    parts = []
    for choices in (_STARTS, _MIDDLES, _JOINTS, _ENDS):
        rest, at = divmod(rest, len(choices))
        parts.append(choices[at])
    return "".join(parts)
