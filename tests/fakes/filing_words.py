"""What filings say: events told with invented names and amounts, and sentences that say nothing."""

from __future__ import annotations

import random

from tests.fakes.company_names import COINED, TRADES, person_name
from tests.fakes.words import listed, place

LINES = (
    ("RevenueFromContractWithCustomerExcludingAssessedTax", "Total net revenue"),
    ("Revenues", "Total revenues"),
    ("RevenueFromContractWithCustomerIncludingAssessedTax", "Sales and other operating revenue"),
    ("OperatingIncomeLoss", "Operating income (loss)"),
    ("ProfitLoss", "Net income (loss) including noncontrolling interests"),
    ("NetIncomeLoss", "Net income (loss) attributable to shareholders"),
    ("EarningsPerShareDiluted", "Earnings (loss) per diluted share"),
    ("WeightedAverageNumberOfDilutedSharesOutstanding", "Weighted average diluted shares"),
)
SITES = listed(
    """
Distribution Center|Refinery|Terminal|Research Campus|Foundry|Bottling Plant|Data Hall|Smelter|
Cold Store|Assembly Works|Test Range|Solar Field
"""
)
LOANS = listed(
    """
Term Loan Agreement|Revolving Facility|Bridge Credit Agreement|Indenture|Receivables Facility|
Note Purchase Agreement
"""
)
OFFICES = listed(
    """
Chief Financial Officer|General Counsel|Chief Operating Officer|Chief Accounting Officer|
Chief Technology Officer
"""
)
# The first is the deal that hidden text tells; `{a}`, `{b}` are invented companies.
DETAILS = (
    "We agreed to buy {a} {trade} from {b} Partners for ${amount} million in cash. The {a} {trade} "
    "purchase brings {count} customers and is to close after the review of the {a} antitrust file.",
    "We opened the {a} {site} after a build of {months} months. The {a} {site} cost ${amount} "
    "million and can handle {count} pallets a week; {b} Builders carried out the work.",
    "We signed the Amended {a} {loan} with {b} Bank as agent. The {a} {loan} allows borrowings of "
    "${amount} million at a margin of {rate} percent and ends in {months} months.",
    "A supply contract with {b} {trade} covers {count} metric tons of {a} concentrate. We must pay "
    "{b} {trade} ${amount} million even if we take less than the agreed {a} volume.",
    "The {product} platform passed its {a} field trial. We expect {product} to bring ${amount} "
    "million of orders, most of them from the {b} Transit Authority.",
    "In {a} Pension Trust v. {b} {trade} the court dismissed {count} of the claims. We set aside "
    "${amount} million for the {a} Pension Trust matter and appealed the remainder.",
    "The board named {person} as {office}. {person} led the {a} division of {b} {trade} and "
    "receives an award of ${amount} million that vests over {months} months.",
    "A fire at the {a} {site} stopped two lines. Insurance with {b} Mutual pays ${amount} million "
    "of the {a} {site} loss above a deductible of {count} thousand dollars.",
    "We sold the {a} {trade} line to {b} Industries for ${amount} million. The {a} {trade} sale "
    "moved {count} employees and leaves a royalty of {rate} percent with us.",
)
APPOINTED = (
    "The board appointed {chief} as President and Chief Executive Officer, effective today.",
    "{chief}, Chief Executive Officer since today, takes over from {former}, who retired.",
)
STANDING = (
    "We operate the {a} {site} under a lease with {b} Land Company. The {a} {site} lease costs "
    "${amount} million a year and may be renewed for {months} months."
)
SPLIT = (
    "The board of {name} approved a {ratio}-for-1 split of the common stock, effective today. Each "
    "holder receives {ratio} shares for one; per share amounts of earlier periods will be restated."
)
BOILERPLATE = (
    "This report contains forward-looking statements. Words such as expects, plans and believes "
    "mark them. They rest on present assumptions, and actual results may differ in a material way.",
    "Nothing in this report is an offer to sell or a solicitation of an offer to buy any security "
    "of {name}, nor shall there be a sale in any state in which it would be unlawful.",
    "The preparation of financial statements in conformity with accepted principles requires "
    "management to make estimates that affect the reported amounts of assets and liabilities.",
    "The interim statements are unaudited. In the opinion of management they include all normal "
    "recurring adjustments that are needed for a fair presentation of the periods shown.",
    "Management evaluated the disclosure controls and procedures and concluded that they were "
    "effective. No change in internal control has materially affected financial reporting.",
    "From time to time we are party to legal proceedings in the ordinary course of business. We "
    "do not expect that any of them will have a material adverse effect on our position.",
    "There have been no material changes to the risk factors that were disclosed in the last "
    "annual report of {name}. Other risks that we do not know of may also affect us.",
    "The exhibits listed in the index are filed or furnished with this report. Certain schedules "
    "were omitted; a copy will be given to the Commission upon request.",
    "The information in this item is furnished and shall not be deemed filed for the purposes of "
    "Section 18 of the Exchange Act, nor incorporated by reference in any registration statement.",
    "Indicate by check mark whether the registrant has filed all reports required to be filed "
    "during the preceding twelve months, and has been subject to such filing requirements.",
    "Our revenue depends on general economic conditions, the demand of customers, the prices of "
    "materials, rates of interest and currencies, and the availability of qualified personnel.",
    "Recently issued accounting standards that are not yet effective are not expected to have a "
    "material impact on the consolidated statements of {name} upon their adoption.",
    "Certain amounts of prior periods have been reclassified to conform to the presentation of the "
    "present period. The changes had no effect on the results or on total equity.",
    "We recognize revenue when control of goods or services passes to the customer, in the amount "
    "of consideration to which we expect to be entitled in exchange for them.",
    "Income taxes for interim periods are based on the estimated annual effective rate, adjusted "
    "for discrete items. Tax positions are recognized when they are more likely than not to stand.",
    "The fair value of financial instruments is determined by quoted prices where they exist, by "
    "other observable inputs where they do not, and else by inputs that cannot be observed.",
    "Inventories are stated at the lower of cost and net realizable value. Property and equipment "
    "is depreciated by the straight-line method over the estimated useful lives of the assets.",
    "Holders of record at the close of business on the record date may vote in person or by proxy. "
    "A proxy may be revoked at any time before it is exercised by written notice to the secretary.",
    "We maintain a program to assess, identify and manage material risks from threats to our "
    "information systems, and the audit committee receives a report on it at regular intervals.",
    "Our policies on insider trading and on the recovery of compensation apply to directors and "
    "officers, who are asked each year to confirm that they have read and understood them.",
    "Goodwill is tested for impairment once a year, and between the annual dates if events show "
    "that the fair value of a reporting unit is more likely than not below its carrying amount.",
    "Concentrations of credit risk arise mainly from cash and receivables. No single customer made "
    "up more than ten percent of consolidated revenue in any of the periods presented.",
    "Basic earnings per share divides income by the weighted average of shares outstanding; the "
    "diluted figure adds shares that would be issued under awards if their effect is dilutive.",
    "Segment results are reviewed by the chief operating decision maker to allocate resources and "
    "assess performance. Transactions between segments are eliminated on consolidation.",
)
SIGNATURE = (
    "Pursuant to the requirements of the Securities Exchange Act of 1934, {name} has duly caused "
    "this report to be signed on its behalf by the undersigned, who is duly authorized."
)


def told(rng: random.Random, template: str, name: str) -> str:
    """One event with names and amounts of its own."""
    first, second = rng.sample(range(480), 2)
    return template.format(
        a=place(first),
        b=place(second),
        trade=rng.choice(TRADES),
        site=rng.choice(SITES),
        loan=rng.choice(LOANS),
        office=rng.choice(OFFICES),
        person=person_name(rng.randrange(6000))[0],
        product=f"{rng.choice(COINED)} {rng.randrange(2, 90)}",
        amount=f"{rng.randrange(110, 9900) / 10:g}",
        count=f"{rng.randrange(3, 4000):,}",
        rate=f"{rng.randrange(100, 700) / 100:g}",
        months=rng.randrange(7, 96),
        name=name,
    )
