#!/usr/bin/env bash
# Installs the packages of packages.txt that are missing; silent when none is.
# usage: scripts/install-packages.sh [demo|test|site|proof|peers]
set -euo pipefail

door=${1:-test}
list="$(dirname "$0")/../packages.txt"
case $door in
  demo | test | site | proof | peers) ;;
  *) echo "install-packages: unknown section '$door'; write demo, test, site, proof or peers" >&2; exit 2 ;;
esac

# Names of all sections up to and including the door's own; only the proof needs what is in [proof], only it and the site
# what is in [site], and the site needs nothing else.
names=$(awk -v door="$door" '
  { sub(/#.*/, "") }
  /^\[/ { if (section == door) exit; section = substr($1, 2, length($1) - 2); next }
  NF && (door == "site" ? section == "site" : section != "proof" && section != "site" || door == "proof") { print $1 }' "$list")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install-packages: this is not a Debian system; taking what is installed. stg needs what these packages hold:" >&2
  echo "  $(echo $names)" >&2
  exit 0
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
missing=$(comm -23 <(sort -u <<<"$names") <(sort -u <<<"$installed"))
[ -n "$missing" ] || exit 0

command="apt-get install -y --no-install-recommends $(echo $missing)"
as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-packages: missing packages, and no right to install them; run as root:" >&2
    echo "  $command" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "install-packages: installing" $missing
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# An index that is absent or stale names versions that the mirror no longer has, so it is refreshed first.
# A third-party source that cannot be reached makes the refresh fail although Debian's own succeeded: install decides.
"${as_root[@]}" apt-get update -qq >"$log" 2>&1 || sed 's/^/  /' "$log" >&2
if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive $command >"$log" 2>&1; then
  tail -n 20 "$log" | sed 's/^/  /' >&2
  echo "install-packages: that failed; run as root, then try again: apt-get update && $command" >&2
  exit 1
fi
