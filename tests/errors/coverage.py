#!/usr/bin/env python3
"""Counts the sentences of static_asserts, of what clang says at calls, and of functions that nobody may call, in <stg/stg.hpp> and <stg/rewrite.hpp> that no case of the catalogue expects: there is to be none.

The preprocessor spells them, one for each operation where a macro makes them. `stg internal:` is not for users.

What is thrown in constant evaluation, `throw is_too_long()`, a compiler shows in its own words, at a line of stg's. So a sentence
has to come before it: a case in whose place it would be thrown says so, `// instead of: is_too_long`. stg::error, and what is one,
is thrown at run time and has its sentence with it.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

import check

LITERAL = r'"(?:[^"\\]|\\.)*"'
ASSERTION = re.compile(r"\b(?:static_assert|diagnose_if)\s*\(")
UNAVAILABLE = re.compile(rf"\bunavailable\s*\(\s*((?:{LITERAL}\s*)+)\)")
MESSAGE = re.compile(rf",\s*((?:{LITERAL}\s*)+)(?:,\s*\"error\"\s*)?\)")
THROWN = re.compile(r"\bthrow\s+(?:\w+::)*(\w+)\s*[({]")
AT_RUN_TIME = re.compile(r"\b(?:struct|class)\s+(\w+)\s*:\s*(?:public\s+)?(?:::)?(?:stg::)?error\b")
MARKER = re.compile(r'# \d+ "([^"]*)"')


def sentences(text):
    """The sentences of the assertions in preprocessed text: the last literals before an assertion ends, or before the
    word behind which it ends."""
    found = set()
    said = [MESSAGE.search(text, assertion.end()) for assertion in ASSERTION.finditer(text)]
    for end in [*said, *UNAVAILABLE.finditer(text)]:
        words = "".join(literal[1:-1] for literal in re.findall(LITERAL, end.group(1))) if end else ""
        if words.startswith("stg: "):
            found.add(re.sub(r"\\(.)", r"\1", words))
    return found


def of_stg(text, includes):
    """The lines of preprocessed text that come from the library's own headers, which stand in a folder stg/ of one included."""
    ours, kept = False, []
    for line in text.splitlines():
        marker = MARKER.match(line)
        if marker:
            ours = any(marker.group(1).startswith(f"{folder}/stg/") for folder in includes)
        elif ours:
            kept.append(line)
    return "\n".join(kept)


def thrown(text):
    """What is thrown in preprocessed text: all, and without errors that carry a sentence."""
    everything = set(THROWN.findall(text))
    return everything, everything - {"error", *AT_RUN_TIME.findall(text)}


def preceded(directory):
    """What the cases say a sentence is said instead of."""
    lines = [line for fail in directory.rglob("*.fail.cpp") for line in check.head(fail.read_text().splitlines())]
    return {name for line in map(check.INSTEAD.match, lines) if line for name in line.group(1).split()}


def expected(directory):
    """The sentences that the cases expect, as regular expressions."""
    return [re.compile(pattern) for fail in directory.rglob("*.fail.cpp")
            for source in check.Source.of(fail, check.names_of(fail)) for pattern in source.expected]


def uncovered(found, patterns):
    return sorted(sentence for sentence in found if not any(pattern.fullmatch(sentence) for pattern in patterns))


def self_test():
    text = r'static_assert(a(")") && b, "stg: exp" " takes \"x\"; write y"); f("stg: no"); static_assert(c, "stg internal: z"); diagnose_if(d, "stg: s" "t", "error"); f __attribute__((unavailable("stg: u")))'
    if sentences(text) != {'stg: exp takes "x"; write y', "stg: st", "stg: u"}:
        raise SystemExit(f"coverage: {sentences(text)} of {text}")
    if uncovered({"stg: a", "stg: a b"}, [re.compile("stg: a")]) != ["stg: a b"]:
        raise SystemExit("coverage: a sentence counts as expected that only begins like another")
    text = 'struct lost : ::stg::error { }; throw lost(1); throw error("x"); throw ir::p::too_large(); throw broken{1}; throw p.wrong;'
    if thrown(text) != ({"lost", "error", "too_large", "broken"}, {"too_large", "broken"}):
        raise SystemExit(f"coverage: {thrown(text)} is thrown in {text}")
    text = '# 1 "/a/stg/b.hpp" 1\nthrow a();\n# 3 "/usr/include/c" 2\nthrow c();\n'
    if of_stg(text, ["/a"]) != "throw a();":
        raise SystemExit(f"coverage: {of_stg(text, ['/a'])} is stg's of {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[], help="directory of headers")
    parser.add_argument("--directory", type=Path, default=Path(__file__).resolve().parent)
    options = parser.parse_args()
    self_test()
    run = subprocess.run([options.compiler, "-std=c++20", *(f"-I{path}" for path in options.include), "-E", "-x", "c++",
                          "-"], input="#include <stg/stg.hpp>\n#include <stg/rewrite.hpp>\n", capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"coverage: <stg/stg.hpp> or <stg/rewrite.hpp> does not preprocess:\n{run.stderr}")
    text = of_stg(run.stdout, options.include)
    found, (everything, named), said = sentences(text), thrown(text), preceded(options.directory)
    missing = uncovered(found, expected(options.directory))
    for sentence in missing:
        print(f"FAILED no case of tests/errors expects: {sentence}")
    if missing:
        print("Write a case, tests/errors/<section>/<name>.fail.cpp with its twin; an operation's sentence may be one more "
              "name in an `// each NAME:` line.")
    bare, stale = sorted(named - said), sorted(said - everything)
    for name in bare:
        print(f"FAILED {name} is thrown in constant evaluation, and no case says which sentence a user gets `// instead of: {name}`")
    for name in stale:
        print(f"FAILED a case says `// instead of: {name}`, which nothing throws")
    print(f"{len(found)} sentences, {len(missing)} without a case; {len(named)} exceptions, {len(bare)} without one")
    return 1 if missing or bare or stale or not found or not named else 0


if __name__ == "__main__":
    sys.exit(main())
