#!/usr/bin/env python3
"""Makes the environment of the libraries that other formats are of, and runs what holds stg to them; writes agreement.md.

usage: run.py ENVIRONMENT TOOLS    ENVIRONMENT: a folder, whose venv is made; TOOLS: the folder of the built programs
"""
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What each is: its script, and the program that it runs.
PAIRS = {"a log of a run": ("run_log_peer.py", "run_log_written"), "HDF5": ("hdf5_peer.py", "hdf5_read"),
         "Arrow": ("arrow_peer.py", "libarrow_library.so")}


def installed(environment):
    """The Python of the environment, with everything in it."""
    python = environment / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(environment / "venv", with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", HERE / "requirements.txt"], check=True)
    return python


def main():
    environment, tools = Path(sys.argv[1]), Path(sys.argv[2])
    python = installed(environment)
    rows, failed = [], []
    for what, (script, program) in PAIRS.items():
        folder = environment / script.removesuffix(".py")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        ended = subprocess.run([python, HERE / script, tools / program, folder], stdout=subprocess.PIPE, text=True)
        print(ended.stdout, end="")
        rows += [f"| {what} | {peer} | {result} |" for peer, result in (line.split("\t") for line in ended.stdout.splitlines())]
        if ended.returncode != 0:
            failed.append(what)
    for what in failed:
        print(f"{what}: failed")
    versions = ", ".join(line.replace("==", " ") for line in (HERE / "requirements.txt").read_text().split())
    if not failed:
        (HERE / "agreement.md").write_text(f"# Files and arrays of other libraries\n\nWritten by `make peers-formats`: {versions}. Every number was compared, bit by bit.\n\n"
                                           "| what | with | what was compared |\n|---|---|---|\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
