#!/usr/bin/env python3
"""Feeds check.py cases that break one rule each, and expects it to say so first."""
import argparse
import contextlib
import io
import sys
import tempfile
from pathlib import Path

import check

RULE = """template <class T>
constexpr T half(T x) {
  static_assert(sizeof(T) > 1, "%s");
  return x / 2;
}
template <int N> constexpr int third(int x) {  // stg: a third takes a constant
  return x / N;
}
"""
SENTENCE = "stg: half of a char loses a bit; write half(int(x))"
HEAD = "// build error: stg: half of a char .*int"
USE = '#include "rule.hpp"\nauto y = half(char(4));'
TWIN = '#include "rule.hpp"\nauto y = half(int(4));\n'

SHOWN = "// shown: stg: a third takes"
NO_THIRD = '#include "rule.hpp"\nint n = 4;\nauto y = third<n>(1);'
THIRD = '#include "rule.hpp"\nauto y = third<4>(1);\n'

# what is wrong, the failing file, its twin, the rule's sentence, and what the checker must say (None: nothing)
CASES = [
    ("nothing", f"{HEAD}\n{USE}  // <- here\n", TWIN, SENTENCE, None),
    ("another sentence", f"// build error: stg: a third .*\n{USE}  // <- here\n", TWIN, SENTENCE, "no error says"),
    ("only the sentence's end", f"// build error: stg: .* nothing\n{USE}  // <- here\n", TWIN, SENTENCE,
     "no error says"),
    ("another line", f"{HEAD}\n{USE}\nint x;  // <- here\n", TWIN, SENTENCE, "does not name the user's line"),
    ("another word", f"{HEAD}\n// names: tail\n{USE}  // <- here\n", TWIN, SENTENCE, "does not name tail"),
    ("no line", f"{HEAD}\n{USE}\n", TWIN, SENTENCE, "needs exactly one line that ends"),
    ("no sentence", f"{USE}  // <- here\n", TWIN, SENTENCE, "needs one line `// build error"),
    ("a failing file that compiles", f"{HEAD}\n{TWIN}int x;  // <- here\n", TWIN, SENTENCE,
     "compiles, and must not"),
    ("a further error", f"{HEAD}\n{USE}  // <- here\nint z = nothing;\n", TWIN, SENTENCE, "further error"),
    ("a further error that is allowed", f"{HEAD}\n// allows: further errors\n{USE}  // <- here\nint z = nothing;\n",
     TWIN, SENTENCE, None),
    ("flags of its own", f"{HEAD}\n// flags: -Dchar=int\n{USE}  // <- here\n", TWIN, SENTENCE, "compiles, and must not"),
    ("the sentence twice", f"{HEAD}\n{USE}  // <- here\nauto z = half(true);\n", TWIN, SENTENCE,
     "2 errors say the sentence"),
    ("a capital letter", f"// build error: stg: Half\n{USE}  // <- here\n", TWIN, "stg: Half", "lower case"),
    ("a long sentence", f"// build error: stg: half\n{USE}  // <- here\n", TWIN, "stg: half" + " of a" * 25,
     "more than 110"),
    ("much output", f"{HEAD}\n{USE}  // <- here\n" + "#warning much\n" * 60, TWIN, SENTENCE, "lines of output"),
    ("a twin that fails", f"{HEAD}\n{USE}  // <- here\n", USE, SENTENCE, "does not compile, and must"),
    ("a twin that warns", f"{HEAD}\n{USE}  // <- here\n", TWIN + "int one() { int unused; return 1; }\n", SENTENCE,
     "compiles with warnings"),
    ("a list that was wrapped", f"{HEAD}\n// each NAME: half\n// half\n{USE}  // <- here\n", TWIN, SENTENCE,
     "the end of the one before: // half"),
    ("a sentence that was wrapped", f"{HEAD}\n// too\n{USE}  // <- here\n", TWIN, SENTENCE, "the end of the one before"),
    ("a list below the head", f"{HEAD}\n{USE}  // <- here\n// each NAME: half\n", TWIN, SENTENCE, "below the file's head"),
    ("nothing, of what is shown", f"{SHOWN}\n{NO_THIRD}  // <- here\n", THIRD, SENTENCE, None),
    ("another one is shown", f"// shown: stg: a fourth\n{NO_THIRD}  // <- here\n", THIRD, SENTENCE, "nothing shows"),
    ("an error elsewhere, of what is shown", f"{SHOWN}\n{NO_THIRD}  // <- here\nint z = nothing;\n", THIRD, SENTENCE,
     "further error"),
    ("an error at another line, of what is shown", f"{SHOWN}\n{NO_THIRD}\nint x = nothing;  // <- here\n", THIRD, SENTENCE,
     "further error"),
    ("both said and shown", f"{HEAD}\n{SHOWN}\n{NO_THIRD}  // <- here\n", THIRD, SENTENCE, "needs one line"),
    ("no twin", f"{HEAD}\n{USE}  // <- here\n", None, SENTENCE, "has no twin"),
]


def verdict(compiler, fail, twin, sentence, precompile):
    with tempfile.TemporaryDirectory(prefix="stg_self_test_") as folder:
        directory = Path(folder)
        (directory / "rule.hpp").write_text("#pragma once\n" + RULE % sentence)
        (directory / "case.fail.cpp").write_text(fail)
        if twin is not None:
            (directory / "case.pass.cpp").write_text(twin)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = check.main(["--compiler", compiler, "--include", folder, "--directory", folder]
                              + (["--precompile", "rule.hpp"] if precompile else []))
        return code, said.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    compiler = parser.parse_args().compiler
    wrong = 0
    runs = [(case, False) for case in CASES] + [(CASES[0], True), (CASES[1], True)]
    for (what, fail, twin, sentence, expected), precompile in runs:
        code, said = verdict(compiler, fail, twin, sentence, precompile)
        found = [line for line in said.splitlines() if line.startswith("FAILED")]
        right = (code == 0 and not found) if expected is None else (
            code == 1 and bool(found) and expected in found[0])
        if not right:
            wrong += 1
            print(f"FAILED {what}: expected {'no finding' if expected is None else expected}; check.py says\n{said}")
    print(f"{len(runs)} cases, {wrong} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
