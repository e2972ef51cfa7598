"""Whether words make an unsigned amount a loss.

`Net loss for the third quarter of 2026 was $12.3 million` states -12.3 million. A loss word does
that where it heads the amount's own clause: before it in the same sentence, with no other metric
and no other amount between. Amounts that share one head are the exception: `from A to B`, `A, or
B per share`, `A, compared with B`, and the unsigned figures of one table row.

A word in a line label with its opposite (`income (loss)`, `(loss)/earnings`) says nothing: there
the figure's own sign counts. Neither does another noun's loss (credit losses, a loss on a sale).
A noun right after the amount is the stronger head: `a $5 million net loss`, `a $5 million profit`.
"""

from __future__ import annotations

import re

from runner.benches.finance.matching.figures import NUMBER, Figure, Sign, figure_at

_REACH = 320  # characters; a head further away than that is not read as one

_OPPOSITE = r"(?:income|profits?|earnings|gains?)"
# In the order of the alternatives: a label says nothing, a loss of something else says nothing.
_TOKEN = re.compile(
    rf"""(?P<label>[(\[](?:loss(?:es)?|deficit)[)\]]/?|/[ ]?(?:loss(?:es)?|deficit)\b
        |\b(?:loss(?:es)?|deficit)[ ]?/|\b{_OPPOSITE}[ ](?:or|and)[ ]loss(?:es)?\b
        |\bloss(?:es)?[ ](?:or|and)[ ]{_OPPOSITE}\b)
    |(?<![\w-])(?P<loss>loss(?:es)?|deficit|negative|minus|lost)(?![\w-])
    |(?P<period>\bq[1-4]\b(?:'?[0-9]{{2}}\b)?|\bfy\s?[0-9]{{2,4}}\b)
    |(?P<tax>\bincome[ ]tax(?:es)?\b)
    |(?<![\w-])(?P<metric>income|profits?|earnings?|earned|gains?|revenues?|sales|turnover|margins?
        |ebitda|ebit|eps|cash|proceeds|charges?|expenses?|costs?|dividends?|assets|liabilities
        |equity|debt|backlog|bookings|savings|benefits?|capex|expenditures?|goodwill|inventor(?:y|ies)
        |impairments?|repurchases?|buybacks?|investments?|guidance)(?![\w-])
    |(?P<number>{NUMBER.pattern})
    |(?P<code>\b(?-i:[A-Z]{{3}})(?=[0-9]))
    |(?P<word>[A-Za-z][\w'’-]*)""",
    re.VERBOSE | re.IGNORECASE,
)
_OTHER_NOUNS = frozenset(
    "credit tax loan loans lease hedge hedging investment investments trading derivative"
    " derivatives impairment exchange currency fx forex catastrophe cat insurance reinsurance"
    " underwriting weight job jobs hearing inventory fire storm hurricane flood wildfire accident"
    " disposal sale extinguishment debt equity-method securities unrealized realized actuarial"
    " pension mark-to-market translation capital goodwill customer data share memory casualty"
    " property expected allowance settlement litigation value warrant crypto bitcoin unpaid ceded"
    " mortgage default fraud theft market energy heat water blood hair".split()
)
_OTHER_FOLLOWERS = frozenset(
    "on reserve reserves provision provisions ratio ratios carryforward carryforwards"
    " carry-forward carry-forwards adjustment allowance contingency contingencies recovery"
    " recoveries coverage exposure event events expense expenses rate rates prevention".split()
)
_OTHER_OBJECTS = frozenset("and but its their the his her case ground to out".split())
_LINKS = frozenset("to or compared versus vs against from than".split())
_BETWEEN = _LINKS | frozenset(
    "in a an the year years quarter quarters earlier ago prior last same period of for first"
    " second third fourth fiscal with up down narrower wider that per share diluted basic common"
    " january february march april may june july august september october november december"
    " and ended months month three was down improved increased decreased widened narrowed".split()
)
_BREAK = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[A-Z0-9$(“\"])|;|•|\n(?!\s*[a-z])")
_ABBREVIATION = re.compile(
    r"(?:^|[^A-Za-z])(?:Inc|Corp|Co|Ltd|Bros|Cos|Mr|Ms|Dr|St|U\.S|vs|approx|No|Jan|Feb|Mar|Apr"
    r"|Aug|Sept?|Oct|Nov|Dec|[A-Z])\.\Z"
)
_ADJECTIVES = r"(?:(?:net|operating|quarterly|adjusted|diluted|basic|pre-?tax|annual)[ -]){0,3}"
_PER_SHARE = r"(?:[ -](?:per|a)[ -](?:diluted[ -]|basic[ -])?share|/share)?"
_PROFIT_AFTER = re.compile(
    rf"{_PER_SHARE}[ -](?:in |of )?{_ADJECTIVES}(?:income|profits?|earnings|gains?|revenues?|sales"
    r"|cash|debt|assets|charges?|expenses?|costs?|savings|dividends?|proceeds)\b(?! tax)"
)
_LOSS_AFTER = re.compile(
    rf"{_PER_SHARE}[ -]{_ADJECTIVES}loss(?:es)?\b(?! (?:of|was|on|ratio|reserve))"
)
_ARTICLE_BEFORE = re.compile(r"\b(?:a|an|its|the)[ ](?:[\w-]+[ ]){0,2}\Z", re.IGNORECASE)
_COUNT = re.compile(r" [a-z]")  # after a small number: what is counted
_IS_PER_SHARE = re.compile(r"[ -](?:per|a)\b|/")


def is_loss(text: str, figure: Figure) -> bool:
    """Whether a loss word heads the clause of a figure that has no sign of its own."""
    if not figure.is_bare or figure.currency is not None:
        if _PROFIT_AFTER.match(text, figure.end):
            return False
        if _LOSS_AFTER.match(text, figure.end):
            reach = max(0, figure.start - 60)
            if _ARTICLE_BEFORE.search(text, reach, figure.start):
                return True
    begin = _clause_start(text, figure.start)
    tokens = list(_TOKEN.finditer(text, begin, figure.start))
    return _head_is_loss(text, tokens, figure)


def _clause_start(text: str, end: int) -> int:
    """Where the sentence of a figure begins; a table cell on a line of its own belongs above."""
    begin = max(0, end - _REACH)
    start = begin
    for found in _BREAK.finditer(text, begin, end):
        if found[0] == "\n" and not any(sign.isalpha() for sign in text[found.end() : end]):
            continue
        if found[0][0] == "." and _ABBREVIATION.search(text, begin, found.start() + 1):
            continue
        start = found.end()
    return start


def _head_is_loss(text: str, tokens: list[re.Match[str]], figure: Figure) -> bool:
    """Read the words before a figure backwards to the first that decides."""
    right = figure  # the amount whose head is looked for: the figure, or one it is linked to
    words: list[tuple[int, str]] = []  # since then, with their places
    for place in range(len(tokens) - 1, -1, -1):
        token = tokens[place]
        kind, word = token.lastgroup, token[0].lower()
        if kind in ("label", "tax"):
            words.append((token.start(), "label"))
        elif kind in ("period", "code"):
            continue
        elif kind == "metric":
            return _is_negated(tokens, place)
        elif kind == "loss":
            if word == "lost":
                return _is_object([between for _, between in words])
            return not _is_another_nouns(text, tokens, place)
        elif kind == "number":
            amount = _amount(text, token)
            if amount is None:
                continue
            between = [word for start, word in words if start >= amount.end]
            if not _share_a_head(text, amount, right, between):
                return False
            right, words = amount, []
        else:
            words.append((token.start(), word))
    return False


def _is_negated(tokens: list[re.Match[str]], place: int) -> bool:
    """Whether `negative` stands before a metric or its adjective (`negative operating income`)."""
    before = [token[0].lower() for token in tokens[max(0, place - 2) : place]]
    return "negative" in before


def _is_object(words: list[str]) -> bool:
    """Whether an amount is what was lost: few words between, and nothing else that was."""
    return len(words) <= 3 and _OTHER_OBJECTS.isdisjoint(words)


def _is_another_nouns(text: str, tokens: list[re.Match[str]], place: int) -> bool:
    """Whether a loss is the loss of something else (`credit losses`, `a loss on a sale`)."""
    word = tokens[place]
    if not word[0].lower().startswith("loss"):
        return False
    before = tokens[place - 1] if place else None
    if before and before[0].lower() in _OTHER_NOUNS and text[before.end() : word.start()].isspace():
        return True
    following = [token[0].lower() for token in tokens[place + 1 : place + 5]]
    if not following or "basis" in following:  # `a loss on a GAAP basis` is its own
        return False
    is_joined = text[word.end() : tokens[place + 1].start()].isspace()
    return is_joined and following[0] in _OTHER_FOLLOWERS


def _amount(text: str, token: re.Match[str]) -> Figure | None:
    """The amount at a number, or None where it is a date, percentage, note or count of weeks."""
    figure = figure_at(text, token.start())
    if figure is None:
        return None
    is_small = figure.is_bare and figure.currency is None and token[0].isdigit()
    if is_small and len(token[0]) <= 2 and _COUNT.match(text, token.end()):
        return None
    if is_small and len(token[0]) == 1 and figure.sign is Sign.NEGATIVE:
        return None
    return figure


def _share_a_head(text: str, left: Figure, right: Figure, words: list[str]) -> bool:
    """Whether one noun heads both of two amounts: joined by a link word, or cells of one row."""
    if left.sign is not Sign.UNSIGNED:
        return False
    if words == ["and"] and text.endswith("between ", 0, left.start):
        return True
    if words:
        return not _LINKS.isdisjoint(words) and _BETWEEN.issuperset(words)
    between = text[left.end : right.start].strip(" |\n")
    is_aside = (
        text[right.start] == "("
    )  # `$4 million ($0.06 per share)`, `C$7 million ($5 million)`
    if is_aside and (left.currency == "other" or _IS_PER_SHARE.match(text, right.end)):
        return not between
    return not between and left.is_bare and right.is_bare and right.sign is Sign.UNSIGNED
