#!/usr/bin/env bash
# Runs clang-tidy over the compiled sources of a build directory: scripts/tidy.sh build/dev [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build directory that holds compile_commands.json}
shift
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(find src examples tests/static tests/run bench -name '*.cpp' | sort)
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$build" --quiet \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument  # the compile commands are g++'s
