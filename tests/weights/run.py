#!/usr/bin/env python3
"""Makes the environment of the libraries that weights come from, and runs what compares stg with them.

usage: run.py ENVIRONMENT TOOLS    ENVIRONMENT: a folder, whose venv is made; TOOLS: the folder of the built programs
"""
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    environment, tools = Path(sys.argv[1]), Path(sys.argv[2])
    python = environment / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(environment / "venv", with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", HERE / "requirements.txt"], check=True)
    return subprocess.run([python, HERE / "safetensors_peer.py", tools / "safetensors_copy"]).returncode


if __name__ == "__main__":
    sys.exit(main())
