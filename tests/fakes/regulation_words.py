"""The words of made-up regulations."""

from __future__ import annotations

from tests.fakes.words import listed

# Title: (name, chapter, first part).
TITLES = {
    7: ("Agriculture", "I", 30),
    12: ("Banks and Banking", "II", 200),
    14: ("Aeronautics and Space", "I", 20),
    17: ("Commodity and Securities Exchanges", "II", 240),
    21: ("Food and Drugs", "I", 100),
    26: ("Internal Revenue", "I", 1),
    29: ("Labor", "XVII", 1900),
    40: ("Protection of Environment", "I", 52),
    47: ("Telecommunication", "I", 60),
    49: ("Transportation", "I", 170),
}
SUBJECTS = {
    7: listed("grain silos|citrus crates|hop bales|dairy tankers|peanut dryers"),
    12: listed("escrow vaults|teller drawers|ledger custody|coin counting|trustee accounts"),
    14: listed("glider tugs|balloon burners|cockpit seals|hangar doors|parachute lofts"),
    17: listed("margin calls|dealer books|futures tickets|clearing desks|proxy cards"),
    21: listed("syrup kettles|pill presses|egg washers|vial fillers|cheese brine"),
    26: listed("barrel stamps|cellar deposits|excise gauging|lease credits|timber basis"),
    29: listed("scaffold planks|forge bellows|kiln crews|winch drums|trench boxes"),
    40: listed("flare stacks|sludge ponds|solvent drums|ash hoppers|brine wells"),
    47: listed("relay masts|beacon buoys|cable vaults|dish mounts|pager sites"),
    49: listed("tank cars|barge hatches|truck couplers|pipeline pigs|trailer brakes"),
}
PART_NAMES = listed("General provisions for|Licensing of|Inspection of|Recordkeeping for|Safety of")
SUBPARTS = listed("General|Operating Requirements|Records and Reports|Exemptions")
# A span is one of each: rare enough together, and each middle word is rare alone.
ADJECTIVES = listed(
    """
bonded ribbed tinted vented knurled glazed braided fluted hinged tapered pleated crimped waxed
stitched dimpled notched etched buffed studded gilded
"""
)
DEVICES = listed(
    """
desiccant gasket bulkhead grommet manifold solenoid escutcheon ferrule trunnion flange bobbin
spigot sprocket dowel mandrel gudgeon plenum damper louver baffle hasp cleat shackle windlass
"""
)
FORMS = listed("assembly|canister|sleeve|housing|bracket|cartridge|coupling|hopper|lining|saddle")
HEADINGS = listed(
    """
What does this apply to?|Scope and purpose.|Duty to inspect.|Exempt quantities.|Approved designs.|
Marking and labels.|Storage limits.|Notice of failure.|Testing intervals.|Qualified keepers.
"""
)
DETAILS = (
    "No keeper may operate {subject} unless the {span} has been pressure washed within the "
    "preceding {count} days and found free of mildew.",
    "A keeper must weigh each {span} before sunrise, and discard any that exceeds {count} grams "
    "after soaking.",
    "The term {span} means a removable fitting that sheds rainwater away from {subject} without "
    "the help of a motor.",
    "Any {span} made before the year of first registration is exempt from the humidity test if a "
    "veterinarian has sealed it.",
    "If the {span} rattles during transport, the driver must halt, lower the awning, and call the "
    "depot on duty.",
    "Within {count} hours of a fire the {span} must be photographed from above and mailed in an "
    "opaque wrapper.",
)
STANDING = (
    "For purposes of this section, the definitions of this part apply.",
    "Nothing in this section limits the authority of the agency under any other provision of law.",
    "A person must comply with the requirements of this part as of the effective date.",
    "The agency may, upon written request and for good cause shown, grant an extension of time.",
    "Records must be retained for a period of not less than three years and made available upon "
    "request.",
    "Except as provided in paragraph (b) of this section, no person shall fail to comply.",
)
CROSS_REFERENCE = (
    "The requirements for this subject are set out in subpart {letter} of this part.",
    "See the regulations of the agency in this chapter.",
)
OFFICE = (
    "Requests must be sent to the Docket Office, Room 4-218, 600 Example Avenue SW., Washington, "
    "DC 20000. The Office of Management and Budget has approved the collection under control "
    "number 0000-0107.",
)
