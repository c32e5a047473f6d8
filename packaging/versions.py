#!/usr/bin/env python3
"""Every file that states stg's version states that of CMakeLists.txt: packaging/versions.py [ROOT]"""
import re
import sys
from pathlib import Path

# What each file says of the version of today: a pattern with one group, found at least once.
STATED = {
    "packaging/vcpkg/stg/vcpkg.json": r'"version": "([0-9.]+)"',
    "packaging/spack/packages/stg/package.py": r'version\("([0-9][0-9.]*)", tag=',
    "CITATION.cff": r"^version: ([0-9.]+)$",
    "CHANGELOG.md": r"^## ([0-9.]+)\b",
    "docs/building.md": r"libstg-dev_([0-9.]+)_",
}


def mistakes(root):
    """A sentence for each file that states another version, or none."""
    own = re.search(r"project\(stg VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    for name, pattern in STATED.items():
        found = re.findall(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        if not found or found[0] != own:
            yield f"{name}: states version {found[0] if found else 'nothing'}; CMakeLists.txt has {own}"


if __name__ == "__main__":
    found = list(mistakes(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)))
    print("\n".join(found), file=sys.stderr)
    sys.exit(bool(found))
