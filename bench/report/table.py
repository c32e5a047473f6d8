"""A run as Markdown: the table of figures, all times, and the conditions. Pure functions of results.json."""
import cases
import figures


def number(value):
    """Three digits that matter, without an exponent."""
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def pair(values, write=number):
    """a / b as times; a alone where b says nothing, "best b" where a says nothing, "–" for neither."""
    a, b = values
    if a is None:
        return "–" if b is None else f"best {write(b)} ×"
    return f"{write(a)} ×" if b is None else f"{write(a)} / {write(b)} ×"


def aligned(rows):
    """A Markdown table; the first row is its head."""
    head, *body = [[str(cell) for cell in row] for row in rows]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body]) + "\n"


def ratio_table(report):
    rows = [("work", "against", "must be", "is", "reference", "holds")]
    for figure in figures.FIGURES:
        row = figures.judge(report, figure)
        asked = [m if r is not None else None for r, m in zip(row["required"], row["measured"])]
        verdicts = [v for v in row["verdicts"] if v]
        holds = "not measured" if set(verdicts) == {"not measured"} else " / ".join(verdicts)
        reference = pair([m if r is not None else None for r, m in zip(row["required"], row["reference"])])
        rows.append((row["work"], row["against"], "≥ " + pair(row["required"], "{:g}".format), pair(asked), reference, holds))
    rows += other_rows(report)
    return aligned(rows)


def other_rows(report):
    """The figures that are no ratio of times."""
    rows = [(row["work"], "floor", "≥ 0.95 of it", number(row["ratio"]), "", "yes" if row["ratio"] >= 0.95 else "no")
            for row in figures.floor_rows(report)]
    part = figures.attention_memory(report)
    if part is not None:
        rows.append(("attention 8 × 8, arxiv-like, extra memory", "DGL", "≤ 1/20", f"1/{1 / part:.0f}" if part else "none", "",
                     "yes" if part <= 1 / 20 else "no"))
    scaling = figures.thread_rows(report)
    if scaling:
        least = min(scaling, key=lambda row: row["ratio"])
        rows.append((f"two threads; least: {least['work']}", "one thread", "≥ 1.8 ×", number(least["ratio"]) + " ×", "",
                     "yes" if least["ratio"] >= 1.8 else "no"))
    widths = figures.width_100(report)
    if widths:
        rows.append(("weighted sum 100, time per feature", "widths 96 and 112", "≤ 1.15 ×",
                     " and ".join(number(w) for w in widths), "", "yes" if max(widths) <= 1.15 else "no"))
    return rows


def memory_table(report):
    rows = [("work", "limit MiB", "planned MiB", "counted MiB", "within the limit", "as predicted")]
    for row in figures.memory_rows(report):
        rows.append((row["work"], *(number(row[key] / 2**20) for key in ("limit", "planned", "measured")),
                     "yes" if row["within"] else "no", "yes" if row["predicted"] else "no"))
    return aligned(rows)


def own_times(report, case):
    """stg's plain way, and the fastest one by its name where that is another."""
    plain, fastest = (figures.our_entry(report, case, variant) for variant in ("stg", "fastest"))
    if plain is None or plain is fastest:
        return number(fastest["median"] if fastest else None)
    return f"{number(plain['median'])}, {number(fastest['median'])} `{fastest['variant']}`"


def time_table(report):
    """Every case: stg's times, and each library's fastest way, as installed [and tuned]."""
    rows = [("milliseconds", "stg", "PyTorch", "PyG", "PyG-T", "DGL")]
    for record in report["cases"]:
        entries = [e for e in record["entries"] if "median" in e]
        if not any(e["who"] != "stg" for e in entries):
            continue
        cells = [cases.parse(record["case"]).title]
        cells.append(own_times(report, record["case"]))
        for who in ("torch", "pyg", "pyg_temporal", "dgl"):
            fastest = {}
            for allocator in ("default", "tuned"):
                fastest[allocator] = min((e for e in entries if (e["who"], e["allocator"]) == (who, allocator)),
                                         key=lambda e: e["median"], default=None)
            if fastest["default"] is None:
                cells.append("–")
                continue
            tuned = f" [{number(fastest['tuned']['median'])}]" if fastest["tuned"] else ""
            cells.append(f"{number(fastest['default']['median'])}{tuned} `{fastest['default']['variant']}`")
        rows.append(cells)
    return aligned(rows)


def refused(report):
    """What was left out and whose times do not count, one line each."""
    lines = [f"* {name} is left out: {reason}" for name, reason in sorted(report["left_out"].items())]
    for record in report["cases"]:
        if "error" in record:
            lines.append(f"* {cases.parse(record['case']).title}: {record['error']}")
        lines += [f"* {cases.parse(record['case']).title}: {e['who']} {e['variant']} ({e['allocator']}): {e['error']}"
                  for e in record["entries"] if "error" in e]
    return "\n".join(lines) + "\n" if lines else ""


def conditions(report):
    machine = report["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    return (f"{report['date']}, commit {report['revision']}, `{report['command']}`: {machine['processor']}, "
            f"{machine['cores']} cores, L3 {machine['l3']}, {machine['memory_bytes'] / 2**30:.0f} GiB, Linux "
            f"{machine['kernel']}, huge pages {machine['huge_pages']}; {report['threads']} threads, medians of up to "
            f"{report['repetitions']} samples.\nVersions: {versions}.\n")


def document(report):
    """Everything that stands between the marks in docs/performance.md."""
    parts = [conditions(report), "### Figures\n", ratio_table(report), "### Memory\n", memory_table(report),
             "### Times\n", time_table(report)]
    left = refused(report)
    if left:
        parts += ["### Left out\n", left]
    return "\n".join(parts)
