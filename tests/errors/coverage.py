#!/usr/bin/env python3
"""Counts the sentences of static_asserts in <stg/stg.hpp> that no case of the catalogue expects: there is to be none.

The preprocessor spells them, one for each operation where a macro makes them. `stg internal:` is not for users.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

import check

LITERAL = r'"(?:[^"\\]|\\.)*"'
ASSERTION = re.compile(r"\bstatic_assert\s*\(")
MESSAGE = re.compile(rf",\s*((?:{LITERAL}\s*)+)\)")


def sentences(text):
    """The sentences of the assertions in preprocessed text: the last literals before an assertion ends."""
    found = set()
    for assertion in ASSERTION.finditer(text):
        end = MESSAGE.search(text, assertion.end())
        words = "".join(literal[1:-1] for literal in re.findall(LITERAL, end.group(1))) if end else ""
        if words.startswith("stg: "):
            found.add(re.sub(r"\\(.)", r"\1", words))
    return found


def expected(directory):
    """The sentences that the cases expect, as regular expressions."""
    return [re.compile(pattern) for fail in directory.rglob("*.fail.cpp")
            for source in check.Source.of(fail, check.names_of(fail)) for pattern in source.expected]


def uncovered(found, patterns):
    return sorted(sentence for sentence in found if not any(pattern.fullmatch(sentence) for pattern in patterns))


def self_test():
    text = r'static_assert(a(")") && b, "stg: exp" " takes \"x\"; write y"); f("stg: no"); static_assert(c, "stg internal: z");'
    if sentences(text) != {'stg: exp takes "x"; write y'}:
        raise SystemExit(f"coverage: {sentences(text)} of {text}")
    if uncovered({"stg: a", "stg: a b"}, [re.compile("stg: a")]) != ["stg: a b"]:
        raise SystemExit("coverage: a sentence counts as expected that only begins like another")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[], help="directory of headers")
    parser.add_argument("--directory", type=Path, default=Path(__file__).resolve().parent)
    options = parser.parse_args()
    self_test()
    run = subprocess.run([options.compiler, "-std=c++20", *(f"-I{path}" for path in options.include), "-E", "-P", "-x",
                          "c++", "-"], input="#include <stg/stg.hpp>\n", capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"coverage: <stg/stg.hpp> does not preprocess:\n{run.stderr}")
    found = sentences(run.stdout)
    missing = uncovered(found, expected(options.directory))
    for sentence in missing:
        print(f"FAILED no case of tests/errors expects: {sentence}")
    if missing:
        print("Write a case, tests/errors/<section>/<name>.fail.cpp with its twin; an operation's sentence may be one more "
              "name in an `// each NAME:` line.")
    print(f"{len(found)} sentences, {len(missing)} without a case")
    return 1 if missing or not found else 0


if __name__ == "__main__":
    sys.exit(main())
