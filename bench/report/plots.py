"""The three pictures of the page: roofline, ratios and memory."""
import math

import cases
import figures
import svg

COLOURS = {"stg": "#0f766e", "torch": "#d97706", "pyg": "#7c3aed", "pyg_temporal": "#be185d", "dgl": "#2563eb"}
NAMES = {"stg": "stg", "torch": "PyTorch", "pyg": "PyG", "pyg_temporal": "PyG-T", "dgl": "DGL"}
PEERS = ("torch", "pyg", "pyg_temporal", "dgl")


def fastest(report, case, who, allocator):
    entries = [e for e in figures.entries_of(report, case, who) if e["allocator"] == allocator]
    return min(entries, key=lambda e: e["median"], default=None)


def compared(report):
    """Cases in which a peer was timed."""
    return [cases.parse(r["case"]) for r in report["cases"]
            if any("median" in e and e["who"] != "stg" for e in r["entries"]) and figures.our_entry(report, r["case"])]


def legend(x, y, items):
    parts = []
    for label, colour, opacity in items:
        parts.append(svg.element("rect", x=x, y=y - 10, width=12, height=12, rx=2, fill=colour, fill_opacity=opacity))
        parts.append(svg.text(x + 18, y, label, 12, colour=svg.MUTED))
        x += 36 + svg.text_width(label, 12)
    return parts


def ratios(report):
    """How many times longer a peer takes: its fastest way, as installed and tuned. One group per case."""
    groups, left, width, row = compared(report), 370, 960, 13
    bars = []
    for case in groups:
        # on Cora peers may take sparse features, so stg may
        ours = figures.our_entry(report, case.name, "fastest" if case.graph == "cora" else "stg")["median"]
        lines = []
        for who in PEERS:
            for allocator, opacity in (("default", 1), ("tuned", 0.45)):
                entry = fastest(report, case.name, who, allocator)
                if entry:
                    lines.append((who, entry["median"] / ours, opacity, entry))
        bars.append((case, lines))
    high = max((ratio for _, lines in bars for _, ratio, _, _ in lines), default=10)
    axis = svg.Log(0.5, max(20, high * 1.6), left, width - 60)
    top, parts = 64, []
    y = top
    for case, lines in bars:
        parts.append(svg.text(left - 12, y + row * len(lines) / 2 + 4, case.title, 12, "end"))
        for who, ratio, opacity, entry in lines:
            shape = svg.bar(axis(0.5), y + 1, axis(ratio) - axis(0.5), row - 2, COLOURS[who],
                            f"{NAMES[who]} {entry['variant']}, {entry['allocator']}: {entry['median']:.1f} ms")
            parts.append(svg.element("g", shape, fill_opacity=opacity))
            parts.append(svg.text(axis(ratio) + 5, y + row - 3, f"{ratio:.1f} ×", 10, colour=svg.MUTED))
            y += row
        y += 12
    grid = []
    for tick in axis.ticks():
        grid.append(svg.line(axis(tick), top - 6, axis(tick), y - 6))
        grid.append(svg.text(axis(tick), top - 12, svg.number(tick), 11, "middle", svg.MUTED))
    one = svg.line(axis(1), top - 6, axis(1), y - 6, COLOURS["stg"], 2)
    head = legend(left, 20, [(NAMES[who], COLOURS[who], 1) for who in PEERS] + [("lighter: tuned allocator", svg.MUTED, 0.45)])
    return svg.picture(width, y + 10, grid + parts + [one] + head, "Time of each peer divided by the time of stg")


def memory(report):
    """Memory of a run beyond its inputs: stg's plan, and the most that each peer held."""
    groups = [c for c in compared(report) if c.when != "forward"]
    left, width, row, top = 370, 960, 13, 64
    low, high, table = 1.0, 10.0, []
    for case in groups:
        lines = []
        for who in ("stg",) + PEERS:
            entry = figures.our_entry(report, case.name) if who == "stg" else fastest(report, case.name, who, "default")
            size = entry and entry.get("planned_bytes", entry.get("measured_bytes"))
            if size:
                lines.append((who, size / 2**20))
                high = max(high, size / 2**20)
        table.append((case, lines))
    axis, parts, y = svg.Log(low, high * 2, left, width - 60), [], top
    for case, lines in table:
        parts.append(svg.text(left - 12, y + row * len(lines) / 2 + 4, case.title, 12, "end"))
        for who, size in lines:
            parts.append(svg.bar(left, y + 1, axis(size) - left, row - 2, COLOURS[who], f"{NAMES[who]}: {size:.1f} MiB"))
            label = f"{size:.0f} MiB" if size >= 10 else f"{size:.1f} MiB"
            parts.append(svg.text(axis(size) + 5, y + row - 3, label, 10, colour=svg.MUTED))
            y += row
        y += 12
    grid = []
    for tick in axis.ticks():
        grid.append(svg.line(axis(tick), top - 6, axis(tick), y - 6))
        grid.append(svg.text(axis(tick), top - 12, f"{svg.number(tick)} MiB", 11, "middle", svg.MUTED))
    head = legend(left, 20, [(NAMES[who], COLOURS[who], 1) for who in ("stg",) + PEERS])
    return svg.picture(width, y + 10, grid + parts + head, "Memory of a run beyond its inputs")


def roofline(report):
    """Operations per second over operations per byte: layers alone, since an epoch has no single intensity. Every limit of
    moving bytes is a slope that ends where the arithmetic begins."""
    limits, points = report.get("limits"), []
    for case in compared(report):
        work = cases.least_work(case)
        if work:
            points.append((case, work[1] / work[0], work[1] / 1e6))
    if not limits or not points:
        return ""
    width, height, left, right, top, bottom = 960, 540, 60, 345, 40, 480
    end = width - right
    x, y = svg.Log(0.2, 2, left, end), svg.Log(1, limits["gflops"] * 1.7, bottom, top)
    parts = [svg.text(left, top - 16, "GFLOP/s", 12, colour=svg.MUTED),
             *legend(left + 90, top - 16, [("stg", COLOURS["stg"], 1)] + [(f"hollow: {NAMES[p]}", COLOURS[p], 1) for p in PEERS]),
             svg.text((left + end) / 2, bottom + 40, "operations per byte that must move", 12, "middle", svg.MUTED)]
    for tick in x.ticks():
        parts += [svg.line(x(tick), top, x(tick), bottom),
                  svg.text(x(tick), bottom + 18, svg.number(tick), 11, "middle", svg.MUTED)]
    for tick in y.ticks():
        parts += [svg.line(left, y(tick), end, y(tick)), svg.text(left - 8, y(tick) + 4, svg.number(tick), 11, "end", svg.MUTED)]
    parts += [svg.line(left, y(limits["gflops"]), end, y(limits["gflops"]), svg.INK, 2),
              svg.text(left + 8, y(limits["gflops"]) - 7, f"arithmetic {limits['gflops']:.0f} GFLOP/s", 11)]
    parts += slopes(limits, x, y, left)
    parts += layers(report, points, x, y, end, top, bottom)
    return svg.picture(width, height, parts, "Roofline of the layers")


def slopes(limits, x, y, left):
    """Memory streamed, and rows gathered on each graph, with their words beside the left end."""
    roofs = [("streamed", limits["triad_gbs"], svg.INK)]
    roofs += [(f"rows of {graph.replace('_', '-')}", gbs, "#b42318") for graph, gbs in limits["gather_gbs"].items()]
    parts = []
    for label, gbs, colour in roofs:
        knee = min(limits["gflops"] / gbs, x.high)
        start, rise = y(x.low * gbs), (y(x.low * gbs) - y(knee * gbs)) / (x(knee) - left)
        parts += [svg.line(left, start, x(knee), y(knee * gbs), colour, 2),
                  svg.text(left + 10, start - 10 * rise - 5, f"{label} {gbs:.0f} GB/s", 11, colour=colour,
                           degrees=-math.degrees(math.atan(rise)))]
    return parts


def layers(report, points, x, y, end, top, bottom):
    """A dot for stg and a hollow one for the fastest peer, with the case's name at the right edge."""
    parts = []
    rates = [work / figures.our_entry(report, case.name)["median"] for case, _, work in points]
    for (case, intensity, work), rate, at in zip(points, rates, svg.spread([y(rate) for rate in rates], 16, top, bottom)):
        peers = [e for e in figures.entries_of(report, case.name) if e["who"] != "stg"]
        peer = min(peers, key=lambda e: e["median"])
        theirs = y(work / peer["median"])
        parts += [svg.line(x(intensity), y(rate), x(intensity), theirs, "#98a2b3", 1, "2 3"),
                  svg.line(x(intensity), y(rate), end + 8, at, "#d0d5dd"),
                  svg.dot(x(intensity), theirs, COLOURS[peer["who"]], f"{case.title}: {NAMES[peer['who']]} {peer['median']:.1f} ms",
                          True),
                  svg.dot(x(intensity), y(rate), COLOURS["stg"], f"{case.title}: stg {rate:.1f} GFLOP/s"),
                  svg.text(end + 12, at + 4, case.title, 11)]
    return parts
