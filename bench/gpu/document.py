"""A run on a device as Markdown: conditions, steps, goals and times. Pure functions of results.json."""
import statistics

import cases
import goals
from table import aligned, number

BYTES = ("Bytes that must reach the SMs, for the fraction of the copy's bandwidth: for each edge its id (4), its weight (4) and its "
         "source's row (4 × width), for each vertex its offset (8), and its row of results on the way out (4 × width). Rows that "
         "are read again count again, whether L2 or memory gives them. The copy counts bytes read and bytes written.")
HOW = ("Times are medians of rounds in which all ways of a case take turns, by CUDA events around as many calls as take 2 ms; so "
       "they hold what the host does between launches. Caches are as the call before left them. PyTorch Geometric runs after "
       "that, in a process of its own, on the same graphs and numbers. A time counts when the results agree.")

EPOCHS = ("An epoch is dropout, forward, loss, gradient and one step of Adam on the full batch. `loop` is what a "
          "user writes, which waits for every loss; `launched` does not, and `captured` is one launch of all of it.")


def conditions(report):
    about = [f"{report['date']}, commit {report['commit']}: {report['gpu']}, compute capability {report['capability']}, driver "
             f"{report['driver']}, CUDA {report['cuda']}, {report['cores']} cores."]
    peer = report.get("peer", {})
    if peer.get("versions"):
        about.append("Peers: " + ", ".join(f"{name} {version}" for name, version in sorted(peer["versions"].items())) + ".")
    else:
        about.append(f"PyTorch Geometric: {peer.get('left_out', 'not run')}.")
    return "\n".join(about) + "\n"


def step_table(report):
    rows = [("step", "outcome", "seconds", "log")]
    rows += [(s["name"], s["outcome"], number(s["seconds"]) if s["seconds"] is not None else "–", s["log"] or "–")
             for s in report["steps"]]
    return aligned(rows)


def goal_table(report):
    rows = [("goal", "must be", "measured", "holds")]
    rows += [(r["goal"], r["must"], r["measured"], r["holds"]) for r in goals.goals(report)]
    return aligned(rows)


def cell(report, case, who, variant=None):
    """The time of a way, or why there is none."""
    ms = goals.milliseconds(report, case, who, variant)
    if ms is not None:
        return f"{ms:.3f}" if ms < 1 else number(ms)
    errors = [e["error"] for e in goals.entries_of(report, case, who, variant) if e.get("error")]
    if who == "stg" and goals.failure(report, case):
        return "failed"
    return errors[0].replace("|", "/").splitlines()[0][:60] if errors else "–"


def fastest_algorithm(report, case):
    timed = [e for e in goals.entries_of(report, case, "cusparse") if e.get("samples")]
    return f" `{min(timed, key=lambda e: statistics.median(e['samples']))['variant']}`" if timed else ""


def sum_table(report):
    rows = [("milliseconds", "stg", "cuSPARSE", "copy GB/s")]
    for case in goals.SUMS + goals.CONVOLUTIONS:
        copied = [e for e in goals.entries_of(report, case, "copy") if e.get("samples")]
        speed = number(copied[0]["bytes"] / statistics.median(copied[0]["samples"]) / 1e6) if copied else "–"
        rows.append((cases.parse(case).title, cell(report, case, "stg"),
                     cell(report, case, "cusparse") + fastest_algorithm(report, case), speed))
    return aligned(rows)


def mebibytes(report, case, who, key):
    held = [e[key] for e in goals.entries_of(report, case, who) if e.get(key)]
    return number(min(held) / 2**20) if held else "–"


def gat_table(report):
    rows = [("milliseconds", "stg", "PyG eager", "PyG compile", "stg MiB", "PyG MiB")]
    for graph in goals.GRAPHS:
        for shape in goals.SHAPES:
            for when in ("forward", "both"):
                case = f"gat:{graph}:{shape}:{when}"
                rows.append((cases.parse(case).title, cell(report, case, "stg"), cell(report, case, "pyg", "eager"),
                             cell(report, case, "pyg", "compile"), mebibytes(report, case, "stg", "planned_bytes"),
                             mebibytes(report, case, "pyg", "peak_bytes")))
    return aligned(rows)


def epoch_table(report):
    rows = [("milliseconds", "stg captured", "stg launched", "stg loop", "PyG")]
    for case in goals.EPOCHS:
        rows.append((cases.parse(case).title, *(cell(report, case, "stg", v) for v in ("captured", "launched", "loop")),
                     cell(report, case, "pyg")))
    return aligned(rows)


def failures(report):
    """What disagreed, ended in an error or was left out, a line each."""
    skipped = report.get("bench", {}).get("skipped")
    lines = [f"* not measured: {skipped}"] if skipped else []
    for record in report["cases"]:
        reason = goals.failure(report, record["case"])
        lines += [f"* {reason}"] if reason else []
        lines += [f"* {record['case']}: {e['who']} {e['variant']}: {e['error'].splitlines()[0]}" for e in record["entries"]
                  if e.get("error") and e["who"] != "stg"]
    return "\n".join(lines) + "\n" if lines else ""


def document(report):
    parts = ["# A run on a GPU\n", conditions(report), "## Steps\n", step_table(report), "## Goals\n", goal_table(report),
             f"{BYTES}\n", "## Sums\n", HOW + "\n", sum_table(report), "## Graph attention layers\n", gat_table(report),
             "## Epochs on Cora\n", EPOCHS + "\n", epoch_table(report)]
    failed = failures(report)
    return "\n".join(parts + (["## What failed or was left out\n", failed] if failed else []))
