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

    kind: str  # sum, attention, gcn, gat, tgcn, gconv_gru, sampling, sage, rgcn, gin; on a device also convolution
    graph: str
    size: str  # a width, heads x dim, the hidden size of a model, neighbours of each hop
    when: str  # forward, both, epoch, step, draw

    @property
    def name(self):
        return f"{self.kind}:{self.graph}:{self.size}:{self.when}"

    @property
    def title(self):
        kind = {"sum": "weighted sum", "convolution": "sum, normalisation, bias, ReLU", "attention": "attention", "gcn": "GCN",
                "gat": "GAT", "tgcn": "TGCN", "gconv_gru": "GConvGRU", "sampling": "neighbours", "sage": "GraphSAGE", "rgcn": "RGCN",
                "gin": "GIN"}[self.kind]
        when = {"forward": "forward", "both": "forward + backward", "epoch": "epoch", "step": "steps on given batches",
                "draw": "drawn"}[self.when]
        return f"{kind} {self.size.replace('x', ' × ')}, {self.graph.replace('_', '-')}, {when}"

    @property
    def random(self):
        """Whether an epoch's gradients are: under dropout, and of neighbours that are drawn."""
        return self.when == "epoch" and (self.graph == "cora" or self.kind == "sage")


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
CASES.append(parse("tgcn:metr_la:32:epoch"))  # four batches of 32 windows of 12 steps

# Neighbours of 8 batches of 1,024 seeds; a GraphSAGE of three layers on 4 of them, and on 4 that everybody is given.
FAN_OUTS = (15, 10, 5)
CASES += [parse(f"sampling:{graph}:15-10-5:draw") for graph in ("arxiv_like", "reddit_like")]
CASES += [parse("sage:arxiv_like:128:step"), parse("sage:arxiv_like:128:epoch")]

# Four kinds of vertices with eight relations of 125,000 edges each, as pairs of kinds; and 1,024 graphs of 30 vertices, as
# one batch that is given (step), or put side by side before each step (epoch).
KINDS = (40_000, 30_000, 20_000, 10_000)
RELATIONS = ((0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (3, 0), (0, 3), (3, 1))
SMALL_GRAPHS, SMALL_VERTICES, SMALL_EDGES = 1024, 30, 120
CASES += [parse("rgcn:drawn_kinds:64:epoch"), parse("gin:small_graphs:64:step"), parse("gin:small_graphs:64:epoch")]

# The others, full graphs, whose memory has a limit that follows from the widths of their layers.
ON_ONE_GRAPH = ("sum", "attention", "gcn", "gat")

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
