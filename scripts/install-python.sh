#!/usr/bin/env bash
# Makes build/python, the Python that modules are built for and tested with: nanobind and NumPy from PyPI, as
# tests/python/requirements.txt lists them. Silent when it is there. Where it cannot be made, that is said and no error:
# CMake leaves the tests of Python modules out then, unless its own Python has both.
set -euo pipefail
cd "$(dirname "$0")/.."

list=tests/python/requirements.txt
place=build/python
cmp -s "$list" "$place/made_of.txt" && [ -x "$place/bin/python3" ] && exit 0

base=/usr/bin/python3  # whose headers python3-dev brings
[ -x "$base" ] || base=$(command -v python3 || true)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "install-python: installing nanobind and NumPy from PyPI in $place"
rm -rf "$place"
if [ -n "$base" ] && "$base" -m venv "$place" >"$log" 2>&1 &&
  "$place/bin/python3" -m pip install --disable-pip-version-check --retries 1 --timeout 15 -r "$list" >>"$log" 2>&1; then
  cp "$list" "$place/made_of.txt"
  exit 0
fi
rm -rf "$place"
tail -n 3 "$log" | sed 's/^/  /' >&2
echo "install-python: THE TESTS OF PYTHON MODULES ARE LEFT OUT, for PyPI cannot be reached or Python has no venv. Later:" >&2
echo "  scripts/install-python.sh && make test" >&2
