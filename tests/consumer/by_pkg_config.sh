#!/bin/sh
# Compiles a program as a Makefile would: by_pkg_config.sh COMPILER SOURCE OUTPUT
set -eu
eval "set -- \"\$1\" \"\$2\" \"\$3\" $(pkg-config --cflags --libs stg)"  # which quotes a prefix with a blank
compiler=$1 source=$2 output=$3
shift 3
"$compiler" -std=c++20 -O1 "$source" "$@" -o "$output"
