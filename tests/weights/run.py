#!/usr/bin/env python3
"""Makes the environment of the libraries that weights come from, and runs what compares stg with them; writes agreement.md.

usage: run.py ENVIRONMENT TOOLS    ENVIRONMENT: a folder, whose venv is made; TOOLS: the folder of the built programs
"""
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-5


def installed(environment):
    """The Python of the environment, with everything in it."""
    python = environment / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(environment / "venv", with_pip=True)
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", HERE / "requirements.txt"], check=True)
    subprocess.run([*pip, "--no-deps", "-r", HERE / "requirements_alone.txt"], check=True)
    return python


def said(command):
    """Lines NAME<tab>NUMBER of a program."""
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    rows = [line.split("\t") for line in ended.stdout.splitlines() if "\t" in line]
    if ended.returncode not in (0, 1) or not rows:
        print(ended.stdout)
    return ended.returncode, {name: rest for name, rest in rows}


def layers(python, tools, environment):
    """Whether results of all layers agree, here and of what went back; a row for each."""
    file, returned = environment / "pyg.safetensors", environment / "returned.safetensors"
    subprocess.run([python, HERE / "pyg_weights.py", "write", file], check=True)
    code, here = said([tools / "pyg_layers", file, returned])
    code_back, back = said([python, HERE / "pyg_weights.py", "read", file, returned])
    print(f"{len(here)} layers in nn/ with PyG's weights, {len(back)} in PyG with those that came back, within {TOLERANCE} of the largest number")
    wrong = [name for name in back if name not in here or not float(here[name]) <= TOLERANCE]
    for name in wrong:
        print(f"{name}: {here.get(name, 'is compared with nothing')}")
    versions = subprocess.run([python, "-c", "import sys; from safetensors import safe_open; print(safe_open(sys.argv[1], 'np').metadata()['versions'])", file],
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    table = "\n".join(f"| `{name}` | {here.get(name, 'none')} | {back[name]} |" for name in sorted(back))
    (HERE / "agreement.md").write_text(
        f"# Layers with PyG's weights\n\nWritten by `make peers-weights`: {versions}. The largest difference of a result beside its largest number;\n"
        "at most 1e-5. \"Back\" is PyG with the weights that `to_pyg` wrote of those that `from_pyg` read.\n\n"
        f"| case | in nn/ | back |\n|---|---|---|\n{table}\n", encoding="utf-8")
    return code == 0 and code_back == 0 and not wrong


def main():
    environment, tools = Path(sys.argv[1]), Path(sys.argv[2])
    python = installed(environment)
    files = subprocess.run([python, HERE / "safetensors_peer.py", tools / "safetensors_copy"]).returncode == 0
    return 0 if layers(python, tools, environment) and files else 1


if __name__ == "__main__":
    sys.exit(main())
