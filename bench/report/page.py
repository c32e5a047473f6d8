"""The page: figures, pictures and conditions in one HTML file that loads nothing."""
from html import escape

import figures
import plots
import table

STYLE = """
body { margin: 0 auto; max-width: 1000px; padding: 32px 20px 64px; color: #1f2430; background: #fff;
       font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; }
h1 { font-size: 28px; margin: 0 0 4px; } h2 { font-size: 20px; margin: 44px 0 8px; }
p { margin: 8px 0; } .quiet { color: #667085; font-size: 13px; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid #d0d5dd; padding: 6px 10px 6px 0; }
td { border-bottom: 1px solid #e4e7ec; padding: 5px 10px 5px 0; vertical-align: top; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.yes { color: #067647; } .no { color: #b42318; font-weight: 600; } .not { color: #667085; }
svg { max-width: 100%; height: auto; display: block; }
code { font-size: 12px; background: #f2f4f7; padding: 1px 4px; border-radius: 3px; }
"""


def cell(content, holds=False):
    content = content.strip()
    if holds:
        shade = "no" if "no" in content.split(" / ") else "not" if "not measured" in content else "yes"
        return f"<td class='{shade}'>{escape(content)}</td>"
    kind = " class='number'" if content[:1] in "≥≤–1234567890" else ""
    return f"<td{kind}>{marked(content)}</td>"


def marked(text):
    """Escaped text in which `code` is code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def from_markdown(text, verdict_columns=()):
    """A Markdown table as HTML."""
    head, _, *rows = [line.strip("|").split("|") for line in text.strip().splitlines()]
    body = "".join("<tr>" + "".join(cell(c, k in verdict_columns) for k, c in enumerate(row)) + "</tr>" for row in rows)
    return "<table><tr>" + "".join(f"<th>{escape(c.strip())}</th>" for c in head) + f"</tr>{body}</table>"


def html(report):
    sections = [("Figures", "A ratio is the peer's median over stg's: as installed / in its better allocator setting. "
                 "“Reference” holds the same figure against the times of older versions on another machine.",
                 from_markdown(table.ratio_table(report), (5,)))]
    roof = plots.roofline(report)
    if roof:
        sections.append(("Roofline", "Layers on stg and on the fastest peer, below what this machine can move and compute.", roof))
    sections += [
        ("Time of the peers, stg = 1", "Each library's fastest way of doing the work; a logarithmic scale.", plots.ratios(report)),
        ("Memory of a run beyond its inputs", "Outputs and gradients included; a logarithmic scale.", plots.memory(report)),
        ("Memory against the limit", "The limit is 3 × (sum of layer widths) × |V| × 4 bytes; the plan must be within 2 % or "
         "4 MiB of what was counted.", from_markdown(table.memory_table(report), (4, 5))),
        ("Times", "Medians; in brackets the same library with huge pages and without fresh mappings for big blocks.",
         from_markdown(table.time_table(report)))]
    body = "".join(f"<h2>{escape(title)}</h2><p class='quiet'>{escape(words)}</p>{content}" for title, words, content in sections)
    left = table.refused(report)
    if left:
        body += "<h2>Left out</h2>" + "".join(f"<p>{marked(entry[2:])}</p>" for entry in left.strip().splitlines())
    conditions = "".join(f"<p class='quiet'>{marked(entry)}</p>" for entry in table.conditions(report).strip().splitlines())
    return (f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>stg and its peers</title>"
            f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style></head><body>"
            f"<h1>stg and its peers</h1>{conditions}{body}</body></html>\n")
