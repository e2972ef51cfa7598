"""The word lists of the programmatic haystack: who did what to which thing, and where.

Within a topic every verb goes with every thing. All of it is in the past tense and about other
people, so that no sentence can be taken for something the reader is asked to do.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    people: tuple[str, ...]
    verbs: tuple[str, ...]
    things: tuple[str, ...]
    places: tuple[str, ...]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split("/"))


TOPICS = (
    Topic(
        _listed("miller/carter/baker's widow/grain merchant/apprentice/ferryman/tax collector"),
        _listed("weighed/carried off/stored/sold/counted/sifted/praised/covered"),
        _listed(
            "the last of the barley/six sacks of rye/a barrel of bran/the coarse flour/"
            "the seed corn/a cartload of oats/the damp wheat/the spare millstone"
        ),
        _listed(
            "below the weir/in the upper loft/beside the mill race/at the toll bridge/"
            "behind the granary/on the market steps"
        ),
    ),
    Topic(
        _listed("pilot/harbour master/net mender/ship's cook/sailmaker/lighthouse keeper/diver"),
        _listed("hauled up/inspected/mended/traded/lost/painted over/borrowed/tied down"),
        _listed(
            "the torn mainsail/a coil of tarred rope/the spare anchor/two baskets of herring/"
            "the brass lantern/an oak rudder/the patched dinghy/the storm flag"
        ),
        _listed(
            "along the eastern quay/under the sea wall/out on the sandbar/in the boat shed/"
            "near the customs house/at the mouth of the river"
        ),
    ),
    Topic(
        _listed("botanist/head gardener/seed dealer/beekeeper/vicar's niece/hedge layer/forester"),
        _listed("planted/pruned/sketched/watered/dug up/labelled/sheltered/admired"),
        _listed(
            "the young pear trees/a row of foxgloves/the climbing roses/three quince bushes/"
            "the winter kale/an ancient mulberry/the lavender border/a bed of irises"
        ),
        _listed(
            "against the south wall/in the glasshouse/beyond the orchard/by the lily pond/"
            "at the end of the avenue/under the yew hedge"
        ),
    ),
    Topic(
        _listed("clockmaker/engraver/lens grinder/bell founder/locksmith/jeweller/tuner of organs"),
        _listed("took apart/polished/repaired/measured/wrapped up/tested/restored/examined"),
        _listed(
            "the church clock/a silver watch/the worn mainspring/a set of tiny gears/"
            "the cracked bell/an ivory dial/the long pendulum/a musical box"
        ),
        _listed(
            "in the narrow workshop/at the bench by the window/above the chandler's shop/"
            "inside the bell tower/across the cathedral square/in the back room"
        ),
    ),
    Topic(
        _listed("shepherd/drover/wool buyer/farrier/cheese maker/dairy maid/cattle doctor"),
        _listed("drove home/tended/counted/bought/separated/watched over/sheared/fed"),
        _listed(
            "the black-faced ewes/a flock of geese/the lame heifer/four yearling lambs/"
            "the mountain goats/a pair of oxen/the dun ponies/the brindled calves"
        ),
        _listed(
            "on the high pasture/in the stone fold/along the drove road/near the spring/"
            "at the autumn fair/below the pass"
        ),
    ),
    Topic(
        _listed("surveyor/bridge builder/quarryman/stonecutter/canal engineer/lock keeper/foreman"),
        _listed("measured/strengthened/raised/levelled/rebuilt/marked out/opened/tore down"),
        _listed(
            "the second arch/a length of towpath/the sluice gate/the retaining wall/"
            "an iron girder/the old aqueduct/the granite pier/a timber scaffold"
        ),
        _listed(
            "above the gorge/at the foot of the hill/between the two locks/beside the quarry/"
            "where the road forked/upstream of the village"
        ),
    ),
    Topic(
        _listed("violinist/choirmaster/copyist/flute player/singer/opera patron/drummer"),
        _listed("rehearsed/performed/admired/transposed/remembered/hummed/revived/applauded"),
        _listed(
            "the slow movement/a forgotten serenade/the opening chorus/an old dance tune/"
            "the wedding march/a set of variations/the evening hymn/the overture"
        ),
        _listed(
            "in the concert room/under the gallery/at the summer theatre/behind the curtain/"
            "on the bandstand/in the duke's winter palace"
        ),
    ),
    Topic(
        _listed("astronomer/map maker/night porter/professor/balloonist/weather watcher/glazier"),
        _listed("observed/charted/described/sketched/missed/measured/explained/pointed out"),
        _listed(
            "the faint comet/a ring around the moon/the northern lights/a bank of low cloud/"
            "the evening star/an eclipse of the sun/the shower of meteors/a double rainbow"
        ),
        _listed(
            "from the observatory roof/over the marshes/beyond the last houses/above the ridge/"
            "from the deck of the steamer/through the skylight"
        ),
    ),
    Topic(
        _listed("weaver/dyer/tailor/lace maker/draper/seamstress/cloth merchant"),
        _listed("folded/dyed/cut/embroidered/unrolled/mended/packed/compared"),
        _listed(
            "a bolt of blue linen/the velvet curtains/the heavy brocade/a shawl of grey wool/"
            "the silk ribbons/an unfinished tapestry/the striped cotton/a travelling cloak"
        ),
        _listed(
            "in the long attic/beside the dye vats/at the cloth hall/under the arcade/"
            "in the house on the corner/near the fulling mill"
        ),
    ),
    Topic(
        _listed("stationmaster/engine driver/porter/signalman/traveller/conductor/inspector"),
        _listed("noticed/unloaded/searched for/forwarded/guarded/recognised/delivered/mislaid"),
        _listed(
            "the leather trunk/a crate of oranges/the mail bags/a birdcage under a cloth/"
            "the milk churns/an umbrella with an ivory handle/the late parcels/a cello case"
        ),
        _listed(
            "on the northern platform/in the waiting room/at the junction/inside the last carriage/"
            "near the water tower/beneath the station clock"
        ),
    ),
)

TEMPERS = _listed(
    "old/young/patient/careful/cheerful/tired/stubborn/quiet/thoughtful/proud/curious/gentle/"
    "absent-minded/hard-working/well-known/retired"
)
TIMES = _listed(
    "early in the morning/towards evening/after the rain/before the first frost/late in the autumn/"
    "on the day of the fair/during the long winter/at the turn of the year/a little before noon/"
    "when the bells had fallen silent/in the week after Easter/on a windless afternoon/"
    "shortly after sunrise/in the last days of August/at the height of summer/by lamplight"
)
REASONS = _listed(
    "because the roads were still flooded/as the custom of the valley required/"
    "although nobody had expected it/since the weather had finally turned/"
    "without telling the neighbours/for the sake of an old promise/in spite of the cold/"
    "with more patience than skill/to the surprise of the whole parish/as if nothing had happened"
)
CONNECTIVES = _listed(
    "Meanwhile/Later that year/Some days afterwards/As it turned out/In those years/"
    "Not long after that/According to the neighbours/On the whole/Towards the end/By that time"
)
SCENES = _listed(
    "The wind had dropped/A thin mist lay over the fields/The lamps were already lit/"
    "The street was almost empty/Snow had begun to fall/The river stood high/"
    "The air smelled of smoke and apples/A dog barked somewhere/The shutters were closed/"
    "The moon had not yet risen"
)
REMARKS = _listed(
    "nobody thought it strange/the matter was soon forgotten/it was talked of for weeks/"
    "the children followed at a distance/the evening was long/the day passed slowly/"
    "few people took any notice/the old quarrel came to rest/it seemed a good omen/"
    "the whole household was pleased"
)
