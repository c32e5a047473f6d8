"""The figures that must hold, and what a run says of each: pure functions of results.json, without any package.

A ratio is the peer's median divided by stg's. "a" is the peer as installed, "b" the better of its two allocator settings.
"""
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))
import cases  # noqa: E402


@dataclass(frozen=True)
class Figure:
    """`who` is a library, or "peers" for all of them; `variants` narrows it to ways that begin so. `reference` holds the
    milliseconds (as installed, best) of older versions on another machine, which bind where today's peers are faster."""

    case: str
    who: str
    at_least: tuple
    variants: tuple = ()
    reference: tuple = (None, None)
    ours: str = "stg"  # the variant of stg that is held to it; "fastest" for the best of all

    @property
    def against(self):
        name = {"torch": "PyTorch, fastest sparse path", "pyg": "PyG", "pyg_temporal": "PyG-T", "dgl": "DGL", "peers": "best peer"}[self.who]
        return f"{name} {self.variants[0]}" if self.variants else name


def _sums():
    for graph in ("arxiv_like", "reddit_like"):
        for width, torch, pyg, dgl in ((64, (1.8, 1.3), (14, 7), 18), (128, (1.6, 1.2), (9, 5), 12)):
            case = f"sum:{graph}:{width}:both"
            yield Figure(case, "torch", torch)
            yield Figure(case, "pyg", pyg, ("sparse",))
            yield Figure(case, "dgl", (dgl, None))


FIGURES = [
    *_sums(),
    Figure("attention:arxiv_like:8x8:both", "dgl", (11.5, 8.2), reference=(773, 548)),
    Figure("attention:arxiv_like:8x8:both", "pyg", (38, 20), reference=(2571, 1357)),
    Figure("attention:arxiv_like:1x64:both", "dgl", (13.5, 11.5), reference=(512, 432)),
    Figure("attention:arxiv_like:1x64:both", "pyg", (50, 30), reference=(1938, 1093)),
    Figure("gcn:arxiv_like:128:epoch", "dgl", (3, 1.6), reference=(596, 317)),
    Figure("gcn:arxiv_like:128:epoch", "pyg", (5.5, 3.6), reference=(1046, 701)),
    Figure("gcn:arxiv_like:128:epoch", "dgl", (None, 2.2), reference=(596, 317), ours="fixed"),
    Figure("gat:arxiv_like:8x8:epoch", "dgl", (8, 5.5), reference=(1460, 997)),
    Figure("gat:arxiv_like:8x8:epoch", "pyg", (22, 13), reference=(4224, 2489)),
    Figure("gat:reddit_like:8x8:epoch", "dgl", (12, None), reference=(1851, None)),
    Figure("gat:reddit_like:8x8:epoch", "pyg", (40, None), reference=(7202, 6234)),
    Figure("gcn:cora:16:epoch", "peers", (8, None), reference=(3.7, None), ours="fastest"),
    Figure("gat:cora:8x8:epoch", "peers", (10, None), reference=(12.4, None), ours="fastest"),
    Figure("tgcn:chickenpox:32:epoch", "pyg_temporal", (100, None)),
    Figure("gconv_gru:chickenpox:32:epoch", "pyg_temporal", (100, None)),
    *(Figure(f"tgcn:{graph}:32:epoch", "pyg_temporal", (100, None)) for graph in ("wikimaths_month", "wikimaths_like")),
    *(Figure(f"gconv_gru:{graph}:32:epoch", "pyg_temporal", (60, None)) for graph in ("wikimaths_month", "wikimaths_like")),
    *(Figure(f"tgcn:{graph}:64:epoch", "pyg_temporal", (15, None)) for graph in ("changing_week", "changing")),
]


def entries_of(report, case, who=None):
    """The timed entries of a case: those that agreed with stg."""
    for record in report["cases"]:
        if record["case"] == case:
            return [e for e in record["entries"] if "median" in e and who in (None, e["who"])]
    return []


def our_entry(report, case, variant="stg"):
    """stg's entry, the least of those that are meant; None when there is none."""
    entries = [e for e in entries_of(report, case, "stg") if e["variant"] != "floor" or variant == "floor"]
    wanted = [e for e in entries if variant in (e["variant"], "fastest")]
    return min(wanted, key=lambda e: e["median"], default=None)


def peer_time(report, figure, best):
    """The fastest way of the figure's peers: as installed, or in the better allocator setting; None when not measured."""
    entries = [e for e in entries_of(report, figure.case) if e["who"] != "stg"]
    if figure.who != "peers":
        entries = [e for e in entries if e["who"] == figure.who]
    if figure.variants:
        entries = [e for e in entries if e["variant"] in figure.variants]
    if not best:
        entries = [e for e in entries if e["allocator"] == "default"]
    return min((e["median"] for e in entries), default=None)


WORDS = {"stg": "", "fastest": "", "fixed": ", fixed features"}


def verdict(required, measured, reference):
    """yes, by reference, or no for one ratio; "" where nothing is required, "not measured" without a time."""
    if required is None:
        return ""
    if measured is None:
        return "not measured"
    if measured >= required:
        return "yes"
    return "by reference" if reference is not None and reference >= required and reference > measured else "no"


def judge(report, figure):
    """One row: what is required, measured and, against the reference's times, would be; for (a, b)."""
    ours = our_entry(report, figure.case, figure.ours)
    row = {"work": cases.parse(figure.case).title + WORDS[figure.ours],
           "against": figure.against, "required": figure.at_least, "measured": [], "reference": [], "verdicts": []}
    for best in (False, True):
        peer = peer_time(report, figure, best)
        reference = figure.reference[best]
        measured = peer / ours["median"] if ours and peer else None
        from_reference = reference / ours["median"] if ours and reference else None
        row["measured"].append(measured)
        row["reference"].append(from_reference)
        row["verdicts"].append(verdict(figure.at_least[best], measured, from_reference))
    return row


def memory_rows(report):
    """Peak memory of a run beyond its inputs: against 3 × (sum of layer widths) × |V| × 4 bytes, and the plan's prediction
    against what was counted (2 % or 4 MiB)."""
    rows = []
    for record in report["cases"]:
        case, ours = cases.parse(record["case"]), our_entry(report, record["case"])
        if ours is None or case.when == "forward" or case.kind not in cases.ON_ONE_GRAPH:
            continue
        limit = 3 * sum(cases.layer_sizes(case)) * cases.GRAPHS[case.graph][0] * 4
        planned, measured = ours["planned_bytes"], ours["measured_bytes"]
        rows.append({"work": case.title, "limit": limit, "planned": planned, "measured": measured,
                     "within": planned <= limit,
                     "predicted": abs(measured - planned) <= max(0.02 * planned, 4 * 2**20)})
    return rows


def extra_memory(entry):
    """Bytes of a run beyond its inputs, outputs and gradients; `result_bytes` comes from stg's entry of the same case."""
    return max(0, entry.get("planned_bytes", entry.get("measured_bytes", 0)) - entry["result_bytes"])


def floor_rows(report):
    """The share of the floor that a sum reaches: floor / stg, must be 0.95 or more."""
    rows = []
    for record in report["cases"]:
        floor, ours = our_entry(report, record["case"], "floor"), our_entry(report, record["case"])
        if floor and ours:
            rows.append({"work": cases.parse(record["case"]).title, "ratio": floor["median"] / ours["median"]})
    return rows


def attention_memory(report):
    """stg's temporary memory as a part of DGL's for attention 8 × 8 (must be 1/20 at most); None when not measured."""
    case = "attention:arxiv_like:8x8:both"
    ours = our_entry(report, case)
    theirs = [e for e in entries_of(report, case, "dgl") if "measured_bytes" in e]
    if ours is None or not theirs:
        return None
    return extra_memory(ours) / max(1, extra_memory({**theirs[0], "result_bytes": ours["result_bytes"]}))


def thread_rows(report):
    """Two threads against one on large graphs: must be 1.8 × or more."""
    rows = []
    for record in report["cases"]:
        ours = our_entry(report, record["case"])
        alone = ours.get("one_thread", {}) if ours else {}
        if "all" in alone:
            rows.append({"work": cases.parse(record["case"]).title, "ratio": alone["median"] / alone["all"]})
    return rows


def width_100(report):
    """Time per feature at width 100 divided by that at 96 and at 112: must be 1.15 at most; None when not measured."""
    ours = {width: our_entry(report, cases.WIDTHS.name, variant)
            for width, variant in ((96, "96"), (100, "stg"), (112, "112"))}
    if None in ours.values():
        return None
    per_feature = {width: entry["median"] / width for width, entry in ours.items()}
    return per_feature[100] / per_feature[96], per_feature[100] / per_feature[112]
