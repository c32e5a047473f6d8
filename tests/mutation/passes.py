"""Writes a copy of the library's headers in which every pass, and what passes ask, can be changed, and the list of the changes."""
import dataclasses
import json
import sys
from pathlib import Path

from changing import Changer
from headers import Headers

# Which are changed in the proof: of each change that survives it is known why nobody can see it.
PASSES = ("aggregate_first", "algebra", "autodiff", "call", "chain", "cse", "dce", "dependence", "edge_plan",
          "expand", "factor", "fold", "fuse", "fuse_moves", "fuse_placement", "hoist", "hoist_steps",
          "inference", "inline", "inline_promised", "multiply_first", "order", "overwrite", "pack", "plan",
          "promise", "readings", "reads_edges", "save", "save_steps", "save_widths", "scan_dependence", "scan_gradient",
          "scan_parts", "sink", "split_steps", "split_sums", "training", "trim_steps", "unit_order", "users",
          "width")


def change_all(root, passes=PASSES):
    """(headers with their edits, changes)"""
    headers, changes, seen = Headers(root), [], {}
    for name in passes:
        file = f"pass/{name}.hpp" if (headers.root / "pass" / f"{name}.hpp").exists() else f"analysis/{name}.hpp"
        text = headers.text(file)
        changer = Changer(name, file, text, 1 + len(changes))
        changes += changer.run()
        headers.edit(file, 0, len(text), changer.written())
    for change in changes:
        name = f"{change.owner}: {change.what}"
        seen[name] = seen.get(name, 0) + 1
        change.name = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return headers, changes


def main():
    if len(sys.argv) < 4:
        print("passes.py include/stg COPY/stg changes.json [PASS]...", file=sys.stderr)
        return 2
    headers, changes = change_all(Path(sys.argv[1]), sys.argv[4:] or PASSES)
    headers.write(Path(sys.argv[2]))
    Path(sys.argv[3]).write_text(json.dumps([dataclasses.asdict(change) for change in changes], indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
