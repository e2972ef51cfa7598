"""The part of HTML that the site uses: elements, their attributes, and what may stand in what."""

from __future__ import annotations

# Attributes of one element beside the global ones; an element that is not here is unknown.
ATTRIBUTES: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "html": "", "head": "", "body": "", "title": "",
        "meta": "charset name content http-equiv property media",
        "link": "rel href type sizes as media hreflang crossorigin integrity",
        "style": "type media", "script": "src type defer async",
        "header": "", "footer": "", "main": "", "nav": "", "section": "", "article": "",
        "aside": "", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "", "div": "",
        "p": "", "hr": "", "pre": "", "blockquote": "cite", "figure": "", "figcaption": "",
        "ul": "", "ol": "start reversed type", "li": "value", "dl": "", "dt": "", "dd": "",
        "a": "href rel target download hreflang type", "em": "", "strong": "", "small": "",
        "b": "", "i": "", "u": "", "s": "", "q": "cite", "cite": "", "code": "", "kbd": "",
        "samp": "", "var": "", "sub": "", "sup": "", "mark": "", "abbr": "", "time": "datetime",
        "data": "value", "bdi": "", "bdo": "", "br": "", "wbr": "", "span": "",
        "img": "src alt width height srcset sizes loading decoding fetchpriority",
        "picture": "", "source": "src srcset sizes type media width height",
        "table": "", "caption": "", "colgroup": "span", "col": "span", "thead": "", "tbody": "",
        "tfoot": "", "tr": "", "td": "colspan rowspan headers",
        "th": "colspan rowspan headers scope abbr",
        "details": "open name", "summary": "", "noscript": "", "template": "", "search": "",
        "button": "type disabled name value popovertarget", "label": "for",
        "input": "type name value placeholder checked disabled autocomplete list min max step "
        "size maxlength required readonly inputmode",
        "select": "name disabled multiple size", "optgroup": "label disabled",
        "option": "value selected disabled label", "datalist": "", "output": "for name",
        "textarea": "rows cols name placeholder disabled readonly maxlength",
        "fieldset": "disabled name", "legend": "", "meter": "value min max low high optimum",
        "progress": "value max", "dialog": "open", "menu": "", "hgroup": "", "address": "",
    }.items()
}  # fmt: skip
GLOBAL = frozenset(
    "id class lang dir title hidden tabindex role translate inert autofocus enterkeyhint popover"
    " spellcheck".split()
)
DRAWN = frozenset(
    "svg g path circle rect line polyline polygon ellipse text tspan title desc defs use symbol"
    " clippath mask pattern lineargradient radialgradient stop marker a filter image".split()
)  # lower case, as the parser gives them

TRANSPARENT = frozenset({"a", "ins", "del", "noscript"})
PHRASING_ONLY = frozenset(
    "p h1 h2 h3 h4 h5 h6 span em strong small b i u s q cite code kbd samp var sub sup mark abbr"
    " time data bdi bdo button label pre output meter progress".split()
)
FLOW_ONLY = frozenset(
    "p h1 h2 h3 h4 h5 h6 div hr pre blockquote figure ul ol dl table header footer main nav section"
    " article aside details fieldset form address dialog menu hgroup search".split()
)
INTERACTIVE = frozenset("button details label select textarea input iframe embed".split())
PARENTS: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "li": "ul ol menu", "dt": "dl div", "dd": "dl div", "tr": "thead tbody tfoot",
        "td": "tr", "th": "tr", "thead": "table", "tbody": "table", "tfoot": "table",
        "caption": "table", "colgroup": "table", "col": "colgroup", "option": "select optgroup "
        "datalist", "optgroup": "select", "summary": "details", "figcaption": "figure",
        "legend": "fieldset", "source": "picture", "head": "html", "body": "html",
        "meta": "head", "style": "head",
    }.items()
}  # fmt: skip
# What alone may be inside, in this order where order is said; text is then white space only.
CHILDREN: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "html": "head body", "head": "meta title link script style", "ul": "li", "ol": "li",
        "menu": "li", "dl": "dt dd div", "table": "caption colgroup thead tbody tfoot",
        "thead": "tr", "tbody": "tr", "tfoot": "tr", "tr": "td th", "colgroup": "col",
        "select": "option optgroup hr", "optgroup": "option", "datalist": "option",
    }.items()
}  # fmt: skip
ORDERED = {
    "table": ("caption", "colgroup", "thead", "tbody", "tfoot"),
    "html": ("head", "body"),
}
REQUIRED: dict[str, tuple[str, ...]] = {
    "html": ("lang",), "img": ("src", "alt"), "link": ("rel", "href"), "th": ("scope",),
    "button": ("type",), "input": ("type",), "optgroup": ("label",), "time": ("datetime",),
    "abbr": ("title",), "meter": ("value",), "data": ("value",),
}  # fmt: skip
EMPTY_ALLOWED = frozenset({"alt", "value", "hidden", "content"})
REFERENCES = (
    "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-details", "headers",
    "for", "list", "popovertarget", "aria-activedescendant", "aria-flowto", "aria-errormessage",
)  # fmt: skip
ROLES = frozenset(
    "alert alertdialog application article banner button cell checkbox columnheader combobox"
    " complementary contentinfo definition dialog directory document feed figure form"
    " graphics-document graphics-object graphics-symbol grid gridcell group heading img link list"
    " listbox listitem log main marquee math menu menubar menuitem meter navigation none note"
    " option presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar"
    " search searchbox separator slider spinbutton status switch tab table tablist tabpanel term"
    " textbox timer toolbar tooltip tree treegrid treeitem".split()
)
