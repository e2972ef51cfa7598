"""Words that make an unsigned amount a loss, and words that do not."""

from __future__ import annotations

import pytest

from runner.benches.finance.matching.cleaning import clean
from runner.benches.finance.matching.figures import figure_at
from runner.benches.finance.matching.losses import is_loss


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("net loss of $458 million", True),
        ("Net loss: $458 million", True),
        ("Net loss $458", True),
        ("losses of $458 million", True),
        ("a deficit of $458 million", True),
        ("minus $458 million", True),
        ("lost $458 million", True),
        ("loss from continuing operations, net of tax, of $458 million", True),
        ("Loss before income taxes of $458 million", True),
        ("Net loss in the 13 weeks ended June 30, 2026 was $458 million", True),
        ("Net loss grew 12% in Q2 FY26 to $458 million", True),
        ("Net loss for Acme Inc. was $458 million", True),
        ("Net loss for Acme (U.S.) Corp. and others was $458 million", True),
        ("net loss from $9 million to $458 million", True),
        ("net loss of $9 million, or $458 per share", True),
        ("net loss of $9 million ($458 per share)", True),
        ("net loss of $9 million compared with $458 million", True),
        ("Net loss 9,123 458", True),
        ("Net loss\n458", True),
        ("Net loss (1) 458", True),
        ("Net loss at 25 subsidiaries of $458 million", True),
        ("Net loss 12 458", True),
        ("net loss of RMB9.1 million (US$458 million)", True),
        ("net loss of C$9 million ($458 million)", True),
        ("Net loss for the quarter\nwas $458 million", True),
        ("Net loss on a GAAP basis was $458 million", True),
        ("negative net income of $458 million", True),
        ("a $458 million loss", True),
        ("a record $458 million net loss", True),
        ("a $458 per share loss", True),
        ("hail, and other losses of $458 million", True),
        ("net income of $458 million", False),
        ("$458 million", False),
        ("loss. It earned $458 million", False),
        ("loss; $458 million", False),
        ("Net loss\nRevenue 458", False),
        ("loss of share, revenue of $458 million", False),
        ("loss, and earned $458 million", False),
        ("net loss of $9 million on $458 million", False),
        ("net loss of USD9 million on USD458 million", False),
        ("net loss of $9 million, $458 million", False),
        ("Net loss (9,123) 458", False),
        ("Loss before taxes 12 Provision 458", False),
        ("Loss before taxes (12) Provision 458", False),
        ("Operating income (loss) 458", False),
        ("(Loss)/income 458", False),
        ("(Loss) income 458", False),
        ("Loss/income 458", False),
        ("Income/loss 458", False),
        ("income or loss of $458 million", False),
        ("profit and loss statement 458", False),
        ("Net (loss) 458", False),
        ("credit losses of $458 million", False),
        ("tax losses of $458 million", False),
        ("a loss on the sale of a unit of $458 million", False),
        ("loss reserves of $458 million", False),
        ("loss-making units, $458 million", False),
        ("stop-loss at $458", False),
        ("glossy 458", False),
        ("swung from a loss to a $458 million profit", False),
        ("after a loss, $458 million in net income", False),
        ("a $458 million hedge loss", False),
        ("$458 million Loss per share", False),
    ],
)
def test_a_loss_word_heads_an_amount_or_does_not(text: str, expected: bool) -> None:
    cleaned = clean(text)
    figure = figure_at(cleaned, cleaned.index("458"))
    assert figure is not None
    assert is_loss(cleaned, figure) is expected
