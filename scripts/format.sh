#!/usr/bin/env bash
# Lays out all sources as .clang-format says (--write), or fails on the first that is not (--check).
# Exit code 77: no clang-format 14, whose layout is the one that counts.
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
  --write) mode=(-i) ;;
  --check) mode=(--dry-run -Werror) ;;
  *) echo "format: write --check or --write" >&2; exit 2 ;;
esac

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$tool" ] || ! "$tool" --version | grep -q 'version 14\.'; then
  echo "format: needs clang-format 14 (Debian 12's clang-format)" >&2
  exit 77
fi

sources() {
  local patterns=('*.hpp' '*.cpp' '*.cu' '*.cuh')
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard -- "${patterns[@]}"
  else
    find include src tests examples bench \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0
  fi
}
# Files that are deleted but not yet committed are still listed by git.
sources | while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
  xargs -0 -r -n 16 -P 2 "$tool" "${mode[@]}" --style=file
