"""Samples and what is said of them: pure functions, without any package."""
import statistics


def times_per_run(ms):
    """How often a run of that many milliseconds is repeated in one sample: about 100 ms, at most 50 times."""
    return max(1, min(50, int(100 / ms))) if ms > 0 else 50


def hopeless(ms, rivals):
    """Whether a way of doing a case is so slow, and so much slower than another of its library, that no figure quotes it:
    above 1.5 s, and by half as much again. Such a way is run once, as installed."""
    return ms > 1500 and ms > 1.5 * min(rivals, default=ms)


def enough(samples, rivals):
    """Whether an entry has been repeated enough, although turns are left; `rivals` holds the times of the ways of its
    library. Above 1.5 s two samples do."""
    if not samples or min(samples) <= 1500:
        return False
    return len(samples) >= 2 or hopeless(min(samples), rivals)


def summary(samples):
    """Median, least and all samples, in milliseconds."""
    return {"median": statistics.median(samples), "least": min(samples), "samples": list(samples)}
