"""Whether two implementations computed the same: the gate before any time counts."""
from pathlib import Path

import numpy as np

TOLERANCE = 1e-4  # of a difference, relative to the array; all are f32


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


def overall_difference(ours, theirs):
    """||a - b|| / ||b||, Frobenius norms; infinite as above. For gradients of models: relu's has a jump, so that a number
    within rounding of 0 takes either side, and one vertex of 169,343 then moves a column by more than rounding does."""
    if not np.isfinite(largest_difference(ours, theirs)):
        return float("inf")
    theirs = theirs.reshape(ours.shape).astype(np.float64)
    scale = float(np.linalg.norm(theirs))
    difference = float(np.linalg.norm(ours - theirs))
    return difference / scale if scale > 0 else difference


def compare(ours, theirs, case):
    """(largest difference, the array that has it) of two folders of results. Gradients under dropout, and of
    neighbours that are drawn, are random: there only what inference gives is compared."""
    worst = (0.0, "")
    names = sorted(path.stem for path in Path(ours).glob("*.npy"))
    if case.random:
        names = [name for name in names if name == "logits"]
    if not names:
        return float("inf"), "no results"
    for name in names:
        path = Path(theirs) / f"{name}.npy"
        difference = overall_difference if case.when == "epoch" and name.startswith("gradient") else largest_difference
        here = difference(np.load(Path(ours) / f"{name}.npy"), np.load(path)) if path.exists() else float("inf")
        worst = max(worst, (here, name))
    return worst
