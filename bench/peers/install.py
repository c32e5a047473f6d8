#!/usr/bin/env python3
"""Makes the Python environment that the peers live in and installs pinned versions into it.

usage: install.py FOLDER; the environment is FOLDER/venv. What is there stays. A peer that cannot be installed is named with
its reason, on the terminal and in FOLDER/left_out.json, and the others go on.
"""
import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Parts in the order in which they need each other: (name, what it is, the parts it needs, a line that must run).
PARTS = [
    ("torch", "PyTorch", [], "import torch, numpy; torch.ones(2) @ torch.ones(2)"),
    ("pyg", "PyTorch Geometric", ["torch"], "import torch_geometric.nn"),
    ("build", "what the sparse path is built with", ["torch"], "import setuptools, wheel"),
    ("pyg_sparse", "PyTorch Geometric's sparse path", ["pyg", "build"], "import torch_scatter, torch_sparse"),
    ("pyg_temporal", "PyTorch Geometric Temporal", ["pyg"], "import importlib.metadata as m; m.version('torch_geometric_temporal')"),
    ("dgl", "DGL", ["torch"], "import dgl"),
]
BUILD_LIMIT = 5400  # seconds; compiling torch_sparse takes about six minutes on two idle cores, ten times that on busy ones


def reason_of(text):
    """The last line that says something, for a person to read."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "importerror", "modulenotfounderror", "oserror"))]
    return (errors or lines or ["no reason was given"])[-1][:200]


def run(command, limit, log, **environment):
    """The output when the command fails or takes too long; None when it succeeds."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return f"took more than {limit} s"
    log.write(done.stdout)
    return done.stdout if done.returncode != 0 else None


def install(part, python, stamps, log):
    """The reason why a part is not there, or None. Nothing is done when its list has not changed since it was."""
    name, what, _, line = part
    requirements = HERE / "requirements" / f"{name}.txt"
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()
    stamp = stamps / name
    if stamp.exists() and stamp.read_text() == digest:
        return None
    print(f"peers: installing {what}", flush=True)
    pip = [str(python), "-m", "pip", "install", "--no-deps", "--disable-pip-version-check"]
    if name == "pyg_sparse":
        pip.append("--no-build-isolation")
    failed = run(pip + ["-r", str(requirements)], BUILD_LIMIT, log, FORCE_ONLY_CPU="1", MAX_JOBS=os.environ.get("MAX_JOBS", "2"))
    failed = failed or run([str(python), "-c", line], 120, log, DGLBACKEND="pytorch")
    if failed is None:
        stamp.write_text(digest)
        return None
    return reason_of(failed)


def main():
    folder = Path(sys.argv[1])
    stamps = folder / "installed"
    stamps.mkdir(parents=True, exist_ok=True)
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        try:
            venv.create(folder / "venv", with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"peers: no environment: {error}; install Python's venv (Debian: python3-venv)", file=sys.stderr)
            return 1
    left_out = {}
    with open(folder / "install.log", "a", encoding="utf-8") as log:
        for part in PARTS:
            name, what, needs, _ = part
            missing = [n for n in needs if n in left_out]
            reason = f"needs {missing[0]}, which is left out" if missing else install(part, python, stamps, log)
            if reason:
                left_out[name] = reason
                print(f"peers: {what} is left out: {reason} (whole story: {log.name})", file=sys.stderr, flush=True)
    (folder / "left_out.json").write_text(json.dumps(left_out, indent=1) + "\n")
    return 1 if "torch" in left_out else 0


if __name__ == "__main__":
    sys.exit(main())
