#!/usr/bin/env bash
# Makes a Conan package of this checkout in a cache of its own, with what the system has, and builds and runs a program with it.
# Needs conan 2 on the path (python3 -m pip install conan): packaging/try_conan.sh [FOLDER for the cache]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v conan >/dev/null || { echo 'try_conan.sh: conan is missing; python3 -m pip install conan' >&2; exit 77; }
CONAN_HOME=${1:-$(mktemp -d)}
export CONAN_HOME
[ $# -gt 0 ] || trap 'rm -rf "$CONAN_HOME"' EXIT
conan profile detect --force >/dev/null
# What is built to try it lies beside the cache, too.
conan create packaging/conan -o 'stg/*:system_dependencies=True' -s compiler.cppstd=20 --no-remote \
  -c tools.cmake.cmake_layout:test_folder="$CONAN_HOME/test" -c tools.cmake.cmaketoolchain:user_presets=
