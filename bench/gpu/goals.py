"""The figures that must hold on a device, and what a run says of each. Pure functions of results.json."""
import math
import statistics

GRAPHS = ("rmat_200k", "rmat_1m", "rmat_50k")
WIDTHS = (16, 64, 128, 256)
SHAPES = ("8x8", "4x64", "1x128")
EPOCHS = ("gcn:cora:16:epoch", "gat:cora:8x8:epoch")
DENSE = "rmat_50k"
NO_MEMORY = "out of memory"

SUMS = [f"sum:{graph}:{width}:forward" for graph in GRAPHS for width in WIDTHS]
CONVOLUTIONS = [f"convolution:{graph}:{width}:forward" for graph in GRAPHS for width in WIDTHS]
LAYERS = [f"gat:{graph}:{shape}:both" for graph in GRAPHS for shape in SHAPES]


def record_of(report, case):
    return next((record for record in report["cases"] if record["case"] == case), None)


def entries_of(report, case, who, variant=None):
    record = record_of(report, case) or {"entries": []}
    return [e for e in record["entries"] if e["who"] == who and (variant is None or e["variant"] == variant)]


def milliseconds(report, case, who, variant=None):
    """The fastest way's median, or None."""
    timed = [statistics.median(e["samples"]) for e in entries_of(report, case, who, variant) if e.get("samples")]
    return min(timed, default=None)


def failure(report, case):
    """Why nothing counts in a case: it ended in an error, or stg computed something else. None when neither."""
    record = record_of(report, case)
    if record is None:
        return None
    wrong = [c for c in record.get("checks", ()) if c["difference"] is None or not c["difference"] <= c["limit"]]
    if wrong:
        apart = "by more than any number" if wrong[0]["difference"] is None else f"by {wrong[0]['difference']:.1e}"
        return f"{case}: '{wrong[0]['array']}' disagrees {apart}"
    return f"{case}: {record['error']}" if record.get("error") else None


def ratios(report, cases, who, ours=None):
    """{case: who's time over stg's} of the cases that have both."""
    found = {}
    for case in cases:
        mine, theirs = milliseconds(report, case, "stg", ours), milliseconds(report, case, who)
        if mine and theirs and not failure(report, case):
            found[case] = theirs / mine
    return found


def sum_bytes(record, width):
    """Bytes that must reach the SMs for a weighted sum: each edge's id, weight and source row, each vertex's offset; and each
    row of results once on its way out."""
    return record["edges"] * (4 + 4 + 4 * width) + record["vertices"] * (8 + 4 * width)


def shares_of_copy(report):
    """{case: fraction of the copy's bandwidth} on the dense graph."""
    found = {}
    for width in WIDTHS:
        case = f"sum:{DENSE}:{width}:forward"
        record, mine, copy = record_of(report, case), milliseconds(report, case, "stg"), milliseconds(report, case, "copy")
        if not (mine and copy) or failure(report, case):
            continue
        copied = entries_of(report, case, "copy")[0]["bytes"]
        found[case] = (sum_bytes(record, width) / mine) / (copied / copy)
    return found


def memory_shares(report):
    """{case: stg's bytes over PyTorch Geometric's peak}; the way of theirs that takes least."""
    found = {}
    for case in LAYERS:
        ours = [max(e["planned_bytes"], e["allocated_bytes"]) for e in entries_of(report, case, "stg") if "planned_bytes" in e]
        theirs = [e["peak_bytes"] for e in entries_of(report, case, "pyg") if e.get("peak_bytes")]
        if ours and theirs and not failure(report, case):
            found[case] = ours[0] / min(theirs)
    return found


def without_memory(report):
    """Cases that stg does and for which no way of PyTorch Geometric found memory: nothing to hold stg against."""
    found = []
    for case in LAYERS:
        theirs = entries_of(report, case, "pyg")
        if milliseconds(report, case, "stg") and theirs and all(NO_MEMORY in e.get("error", "") for e in theirs):
            found.append(case)
    return found


def row(goal, must, cases, found, report, holds, text, excused=()):
    """A row of the table. A case that failed fails it; a case that is missing leaves it undecided."""
    failed = [reason for reason in (failure(report, case) for case in cases) if reason]
    missing = [case for case in cases if case not in found and case not in excused]
    if failed:
        return {"goal": goal, "must": must, "measured": failed[0], "holds": "no"}
    if not found:
        return {"goal": goal, "must": must, "measured": "–", "holds": "not measured"}
    measured = text(found)
    if missing:
        return {"goal": goal, "must": must, "measured": f"{measured}; {len(missing)} of {len(cases)} cases not measured",
                "holds": "not measured" if holds(found) else "no"}
    return {"goal": goal, "must": must, "measured": measured, "holds": "yes" if holds(found) else "no"}


def mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def least(found, unit=" ×"):
    case = min(found, key=found.get)
    return f"least {found[case]:.2f}{unit} ({case})"


def most(found):
    case = max(found, key=found.get)
    return f"most {found[case]:.3f} ({case})"


def wide(found):
    """The ratios of the widths from 64 on, which the mean is of."""
    return [value for case, value in found.items() if int(case.split(":")[2]) >= 64]


def goals(report):
    """All rows. `must` is what is asked; where the goal says nothing else it must hold in every case."""
    excused = without_memory(report)
    suffix = f"; PyTorch Geometric had no memory for {len(excused)} cases" if excused else ""
    return [
        row("weighted sum against cuSPARSE, descriptors cached, best algorithm",
            "geometric mean from width 64 on ≥ 1.0 ×, least of all ≥ 0.95 ×", SUMS, ratios(report, SUMS, "cusparse"), report,
            lambda f: bool(wide(f)) and mean(wide(f)) >= 1.0 and min(f.values()) >= 0.95,
            lambda f: (f"mean {mean(wide(f)):.2f} ×, " if wide(f) else "") + least(f)),
        row("sum, normalisation, bias and ReLU in one kernel against cuSPARSE and an epilogue kernel", "each ≥ 1.3 ×",
            CONVOLUTIONS, ratios(report, CONVOLUTIONS, "cusparse"), report, lambda f: min(f.values()) >= 1.3,
            lambda f: f"mean {mean(f.values()):.2f} ×, {least(f)}"),
        row("weighted sum on 50 k / 50 M: fraction of a copy's bandwidth", "each ≥ 0.7",
            [f"sum:{DENSE}:{width}:forward" for width in WIDTHS], shares_of_copy(report), report,
            lambda f: min(f.values()) >= 0.7, lambda f: least(f, "")),
        row("GAT layer, forward and backward, against PyTorch Geometric's fastest way", "each ≥ 8 ×", LAYERS,
            ratios(report, LAYERS, "pyg"), report, lambda f: min(f.values()) >= 8,
            lambda f: f"mean {mean(f.values()):.1f} ×, {least(f)}{suffix}", excused),
        row("the same: memory beyond the inputs, results included", "each ≤ 1/10", LAYERS, memory_shares(report), report,
            lambda f: max(f.values()) <= 0.1, lambda f: most(f) + suffix, excused),
        row("GCN and GAT epochs on Cora as a captured step against PyTorch Geometric's fastest way", "each ≥ 5 ×", EPOCHS,
            ratios(report, EPOCHS, "pyg", "captured"), report, lambda f: min(f.values()) >= 5, least),
    ]
