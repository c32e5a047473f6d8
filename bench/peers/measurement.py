"""Samples and what is said of them: pure functions, without any package."""
import statistics


def times_per_run(ms):
    """How often a run of that many milliseconds is repeated in one sample: about 100 ms, at most 50 times."""
    return max(1, min(50, int(100 / ms))) if ms > 0 else 50


def enough(samples, rivals):
    """Whether a slow entry has been repeated enough: `rivals` holds the least times of all ways of its library. Above
    1.5 s three samples, above 4 s two, and one for a way that half as much again beats: no figure quotes it."""
    if not samples or min(samples) <= 1500:
        return False
    if min(samples) > 1.5 * min(rivals):
        return True
    return len(samples) >= (2 if min(samples) > 4000 else 3)


def summary(samples):
    """Median, least and all samples, in milliseconds."""
    return {"median": statistics.median(samples), "least": min(samples), "samples": list(samples)}
