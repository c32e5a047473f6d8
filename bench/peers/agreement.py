"""Whether two implementations computed the same: the gate before any time counts."""
from pathlib import Path

import numpy as np

TOLERANCE = 1e-4  # the largest difference in an array, relative to its largest value; all are f32


def largest_difference(ours, theirs):
    """max |a - b| / max |b|; infinite for another shape or a number that is not finite."""
    if ours.size != theirs.size:
        return float("inf")
    theirs = theirs.reshape(ours.shape)
    scale = float(np.abs(theirs).max(initial=0.0))
    difference = float(np.abs(ours - theirs).max(initial=0.0))
    if not np.isfinite(difference) or not np.isfinite(scale):
        return float("inf")
    return difference / scale if scale > 0 else difference


def compare(ours, theirs, dropout):
    """(largest difference, the array that has it) of two folders of results. Gradients under dropout are random: there only
    what inference gives is compared."""
    worst = (0.0, "")
    names = sorted(path.stem for path in Path(ours).glob("*.npy"))
    if dropout:
        names = [name for name in names if name == "logits"]
    if not names:
        return float("inf"), "no results"
    for name in names:
        path = Path(theirs) / f"{name}.npy"
        here = largest_difference(np.load(Path(ours) / f"{name}.npy"), np.load(path)) if path.exists() else float("inf")
        worst = max(worst, (here, name))
    return worst
