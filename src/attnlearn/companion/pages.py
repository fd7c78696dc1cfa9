"""The pages and passages that the build writes: verdicts, the ledger, the gallery, each figure's own page."""

import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import attnlearn
from attnlearn.companion.claims import Measurement

BADGES = {"holds": "holds", "holds in part": "part", "does not hold": "fails", "not run": "not-run"}
AUTHORS = "The How Attention Learns authors"
LICENCE = (
    'Figure and words <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>, '
    'code <a href="https://opensource.org/license/mit">MIT</a>.'
)

Row = Mapping[str, Any]


def figure_passage(figure: Row, page: str) -> str:
    """The figure in its chapter: picture, alt text, caption, and the line that leads to its address."""
    up = _up(page)
    home = f"{up}figures/{figure['id']}"
    links = " · ".join(
        [
            f'<a href="{home}/index.html">cite</a>',
            f'<a href="{home}/{figure["id"]}.csv">data</a>',
            f'<a href="{up}notebooks/{figure["chapter"]}.ipynb">code</a>',
        ]
    )
    return "\n".join(
        [
            f":::{{figure}} /figures/{figure['id']}/{figure['id']}.svg",
            f":name: {figure['id']}",
            f":alt: {_one_line(figure['alt'])}",
            ":figclass: book-figure",
            f'{figure["caption"].strip()} <span class="figure-links">{links}</span>',
            ":::",
        ]
    )


def verdict_passage(claim: Row) -> str:
    """The claim's verdict in its chapter: rule, value, interval, control, profile."""
    badge = BADGES[claim["verdict"]]
    title = f'Verdict: {claim["verdict"]} <span class="claim-id">{claim["id"]}</span>'
    lines = [f":::{{admonition}} {title}", f":class: verdict verdict-{badge}", "", claim["statement"].strip(), ""]
    if claim["verdict"] == "not run":
        lines += [f"The {claim['profile']} profile does not measure this claim. {_recorded(claim['recorded'])}"]
    else:
        control = claim["control"]
        lines += [
            f"- **Measured**: {claim['measure']}: {_number(claim)}.",
            f"- **Rule**: it holds where {claim['rule']}.",
            f"- **Control**: with {control['what']}, {_number(control)}: there the claim *{control['verdict']}*.",
            f"- **Profile**: {claim['profile']}.",
        ]
    return "\n".join([*lines, ":::"])


def ledger(claims: Iterable[Row]) -> str:
    """The table of all claims, as HTML that folds into cards on a phone."""
    rows = []
    for claim in claims:
        control = claim["control"]
        measured = _recorded(claim["recorded"]) if claim["value"] is None else f"{_number(claim)}."
        against = "" if control["value"] is None else f"{_number(control)}: {control['verdict']}."
        figures = ", ".join(f'<a href="../figures/{name}/index.html">{name}</a>' for name in claim["figures"])
        cells = {
            "Claim": f'<a href="../{claim["chapter"]}.html"><code>{claim["id"]}</code></a> '
            f'<span class="paper">{claim["paper"]}</span><br>{html.escape(claim["statement"])}'
            + (f"<br><small>Figures: {figures}</small>" if figures else ""),
            "Verdict": f'<span class="badge verdict-{BADGES[claim["verdict"]]}">{claim["verdict"]}</span>',
            "Measured": f"{html.escape(measured)}<br><small>The {html.escape(claim['measure'])}. "
            f"Holds where {html.escape(claim['rule'])}.</small>",
            "Control": f"{html.escape(against)}<br><small>With {html.escape(control['what'])}.</small>",
        }
        tds = "".join(f'<td data-label="{label}">{cell}</td>' for label, cell in cells.items())
        rows.append(f'<tr id="{claim["id"]}">{tds}</tr>')
    head = "".join(f'<th scope="col">{label}</th>' for label in ("Claim", "Verdict", "Measured", "Control"))
    return f'<table class="ledger"><thead><tr>{head}</tr></thead><tbody>\n' + "\n".join(rows) + "\n</tbody></table>\n"


def gallery(figures: Iterable[Row]) -> str:
    """All figures, each a picture that leads to its page."""
    items = []
    for figure in figures:
        name, alt = figure["id"], html.escape(_one_line(figure["alt"]))
        items.append(
            f'<a class="gallery-item" href="../figures/{name}/index.html">'
            f'<img src="../figures/{name}/{name}.svg" alt="{alt}" loading="lazy">'
            f"<span>{html.escape(figure['title'])}</span> <code>{name}</code></a>"
        )
    return '<div class="gallery">\n' + "\n".join(items) + "\n</div>\n"


def figure_page(figure: Row, chapter_title: str, provenance: Row) -> str:
    """The figure's permanent page, in MyST."""
    name = figure["id"]
    links = " · ".join(f'<a href="{name}.{kind}" download>{kind}</a>' for kind in ("svg", "png", "pdf", "csv"))
    claims = ", ".join(
        f'<a href="../../appendix/claims.html#{claim}"><code>{claim}</code></a>' for claim in figure["claims"]
    )
    seeds = ", ".join(map(str, provenance["seeds"])) or "none: nothing here is random"
    facts = {
        "Claim": claims or "none",
        "Chapter": f'<a href="../../{figure["chapter"]}.html">{html.escape(chapter_title)}</a>',
        "Profile": provenance["profile"],
        "Seeds": seeds,
        "Commit": f"<code>{provenance['commit']}</code>{' with local changes' if provenance['dirty'] else ''}",
        "Made in": f"{provenance['wall_seconds']} s, with its whole chapter, on {html.escape(provenance['processor'])}",
        "Everything else": '<a href="provenance.json">provenance.json</a>',
    }
    rows = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in facts.items())
    return "\n".join(
        [
            "---\norphan: true\n---",
            f"# {figure['title']}\n",
            f":::{{figure}} {name}.svg\n:alt: {_one_line(figure['alt'])}\n:figclass: book-figure",
            f"{figure['caption'].strip()}\n:::\n",
            f'<p class="downloads">Download: {links}</p>\n',
            f"## In words\n\n{figure['alt'].strip()}\n",
            f"## Cite\n\n```bibtex\n{bibtex(figure, provenance)}```\n",
            '<p class="downloads"><a href="cite.bib" download>cite.bib</a></p>\n',
            f"## Make it again\n\n```bash\n{provenance['command']}\n```\n",
            f'<dl class="facts">{rows}</dl>\n',
            f"<p>{LICENCE}</p>\n",
        ]
    )


def bibtex(figure: Row, provenance: Row) -> str:
    """A BibTeX entry for one figure."""
    commit = (provenance["commit"] or "unknown")[:12]
    year = (provenance["date"] or "n.d.")[:4]
    title = re.sub(r"([%&#])", r"\\\1", figure["title"])  # which LaTeX reads as its own
    return (
        f"@misc{{attnlearn-{figure['id']},\n"
        f"  author = {{{{{AUTHORS}}}}},\n"
        f"  title = {{{title}}},\n"
        f"  year = {{{year}}},\n"
        f"  howpublished = {{Figure {figure['id']} of How Attention Learns, version {attnlearn.__version__}}},\n"
        f"  note = {{Commit {commit}, profile {provenance['profile']}; CC BY 4.0}}\n"
        "}\n"
    )


def made_by(provenance: Row, page: str) -> str:
    """The line under a chapter's title that says which run the page comes from."""
    commit = (provenance["commit"] or "unknown")[:9]
    return (
        f'<p class="made-by">Run with profile <strong>{provenance["profile"]}</strong> in '
        f"{provenance['wall_seconds']:.0f} s, at commit <code>{commit}</code> · "
        f'<a href="{_up(page)}notebooks/{page}.ipynb" download>notebook</a></p>'
    )


def as_json(content: Any) -> str:
    """The way every .json of the site is written."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _recorded(row: Row | None) -> str:
    if row is None:
        return "No result is recorded at paper scale yet."
    made = row["provenance"]
    return (
        f"Recorded at paper scale: {row['verdict']}, {_number(row)}; control {_number(row['control'])} "
        f"({row['control']['verdict']}), at commit {(made['commit'] or 'unknown')[:9]}."
    )


def _number(row: Row) -> str:
    low, high = row["ci"]
    return str(Measurement(row["value"], low, high, row["n"]))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _up(page: str) -> str:
    return "../" * page.count("/")
