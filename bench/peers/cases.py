"""The cases of the comparison and the work that each must do at least: numbers only, no measurement."""
from dataclasses import dataclass

# vertices, edges (both directions and the loops), features of the models
GRAPHS = {
    "arxiv_like": (169_343, 2_484_941, 128),
    "reddit_like": (50_000, 5_050_000, 64),
    "cora": (2_708, 13_264, 1_433),
}


@dataclass(frozen=True)
class Case:
    """KIND:GRAPH:SIZE:PASS, as the driver and the workers spell it."""

    kind: str  # sum, attention, gcn, gat, tgcn, gconv_gru; on a device also convolution
    graph: str
    size: str  # a width, heads x dim, the hidden size of a model
    when: str  # forward, both, epoch

    @property
    def name(self):
        return f"{self.kind}:{self.graph}:{self.size}:{self.when}"

    @property
    def title(self):
        kind = {"sum": "weighted sum", "convolution": "sum, normalisation, bias, ReLU", "attention": "attention", "gcn": "GCN",
                "gat": "GAT", "tgcn": "TGCN", "gconv_gru": "GConvGRU"}[self.kind]
        when = {"forward": "forward", "both": "forward + backward", "epoch": "epoch"}[self.when]
        return f"{kind} {self.size.replace('x', ' × ')}, {self.graph.replace('_', '-')}, {when}"

    @property
    def dropout(self):
        return self.when == "epoch" and self.graph == "cora"


def parse(name):
    return Case(*name.split(":"))


CASES = [parse(name) for name in (
    *(f"sum:{g}:{w}:{p}" for g in ("arxiv_like", "reddit_like") for w in (64, 128) for p in ("forward", "both")),
    *(f"attention:{g}:{p}" for g in ("arxiv_like:8x8", "arxiv_like:1x64", "reddit_like:8x8") for p in ("forward", "both")),
    "gcn:arxiv_like:128:epoch", "gat:arxiv_like:8x8:epoch", "gcn:reddit_like:64:epoch", "gat:reddit_like:8x8:epoch",
    "gcn:cora:16:epoch", "gat:cora:8x8:epoch")]

# Recurrences, all steps in one gradient. `wikimaths_month` is 60 of the 723 steps of `wikimaths_like`, and `changing_week` 7 of the
# 60 of `changing`, for which a peer needs more than 10 GB.
TEMPORAL = ("tgcn", "gconv_gru")
CASES += [parse(f"{kind}:{graph}:32:epoch") for graph in ("chickenpox", "wikimaths_month", "wikimaths_like") for kind in TEMPORAL]
CASES += [parse(f"tgcn:{graph}:64:epoch") for graph in ("changing_week", "changing")]

# stg alone: a width that is no multiple of a register in turns with two that are, its variants "96" and "112".
WIDTHS = parse("sum:arxiv_like:100:forward")


def layer_sizes(case):
    """Widths of the rows that a layer writes, inputs included, for a case on one graph."""
    if case.kind == "sum":
        return [int(case.size)]
    if case.kind == "attention":
        return [64]
    features = GRAPHS[case.graph][2]
    classes = 7 if case.graph == "cora" else 40
    return [features, int(case.size) if case.kind == "gcn" else 64, classes]


def least_work(case):
    """(bytes, floating-point operations) of a layer: every id, weight and score read once, every source's row once per
    edge, every result written once; backward the same again, with the cotangent's rows. None for whole epochs."""
    n, m, _ = GRAPHS[case.graph]
    if case.kind == "sum":
        width = int(case.size)
        read, written, flops = m * (4 + 4 + 4 * width), n * 4 * width, 2 * m * width
        times = 2 if case.when == "both" else 1
        return times * (read + written), times * flops
    if case.kind == "attention":
        heads, dim = (int(part) for part in case.size.split("x"))
        width = heads * dim
        # per edge and head: add, leaky relu, exponential, division; an exponential counts as ten
        bytes_, flops = m * (4 + 4 * heads + 4 * width) + n * 4 * (width + heads), m * (2 * width + 14 * heads)
        if case.when == "both":  # the gradient reads both ends' rows and computes coefficients and their dot products
            bytes_, flops = bytes_ * 2 + m * 4 * width // 2, flops + m * (4 * width + 20 * heads)
        return bytes_, flops
    return None
