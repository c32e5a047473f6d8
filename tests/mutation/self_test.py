#!/usr/bin/env python3
"""Shows that rules are found and that broken ones are told apart: on a made library of three operations and a test of it."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from breaking import Breaker, arguments, broken_gradient, broken_shape, structs
from changing import Changer
from mutation import Judge, explained, known_holes, verdict
from passes import PASSES, change_all

OPERATIONS = """\
template <ir::opcode Code, int Arity> struct pointwise : operation<Code, category::pointwise, Arity> {
  static constexpr void infer(const program& p, statement& s) {
    s.where = p.first;
    if (p.second != s.where) throw rule_is_broken{};
  }
};
struct half : pointwise<ir::opcode::half, 1> {
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.cotangent() / d.number(2)); }
};
struct choose : pointwise<ir::opcode::choose, 2> {
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(1, d.select(d.operand(0), d.cotangent(), d.zero()));
  }
};
"""
# A rule of three numbers: the second mutant changes what nobody can see.
PROGRAM = """\
#include "mutation.hpp"
int main() {
  int sign = stg::mutation::scaled(stg::mutation::on(1), false, 3);
  int same = stg::mutation::on(2) ? 2 * 2 : 2 + 2;
  int mine = stg::mutation::on(3, 7) ? 0 : 1;
  static_assert(stg::mutation::scaled(stg::mutation::on(1), false, 3) == 3);
  return sign == 3 && same == 4 && mine == 1 ? 0 : 1;
}
"""


# A pass of two numbers, and its test.
PASS = """\
constexpr int half(const program& p) {
  if (p.size() < 2 && !p.odd) return p.size() - 1;
  int n = 0;  // a comment with if (n == 3)
  n += p.size();
  return n == 0 ? 1 : n;
}
"""
STATIC = """\
#include "mutation.hpp"
static_assert((::stg::mutation::on(1) ? 2 : 1) == 1 && ::stg::mutation::less(2, 1, 3));
"""


def mutant(number, code="", name="", owner=""):
    return {"number": number, "code": code, "name": name, "owner": owner, "place": "here"}


class Changes(unittest.TestCase):
    def test_what_is_changed_in_a_pass(self):
        changer = Changer("half", "half.hpp", PASS, 1)
        self.assertEqual([(c.place, c.what) for c in changer.run()], [
            ("half.hpp:2", "never if (p.size() < 2 && !p.odd)"),
            ("half.hpp:2", "always if (p.size() < 2 && !p.odd)"),
            ("half.hpp:2", "without p.size() < 2 in p.size() < 2 && !p.odd"),
            ("half.hpp:2", "without !p.odd in p.size() < 2 && !p.odd"),
            ("half.hpp:5", "the other of n == 0 ? ... in return n == 0 ? 1 : n;"),
            ("half.hpp:2", "on or off by one: p.size() < 2"),
            ("half.hpp:2", "the other sign in p.size() - 1 in if (p.size() < 2 && !p.odd) return p.size() - 1;"),
            ("half.hpp:2", "another number than 2 in if (p.size() < 2 && !p.odd) return p.size() - 1;"),
            ("half.hpp:2", "another number than 1 in if (p.size() < 2 && !p.odd) return p.size() - 1;"),
            ("half.hpp:5", "another number than 0 in return n == 0 ? 1 : n;"),
            ("half.hpp:5", "another number than 1 in return n == 0 ? 1 : n;"),
            ("half.hpp:4", "without n += p.size()")])

    def test_changes_lie_within_each_other(self):
        changer = Changer("half", "half.hpp", PASS, 1)
        changer.run()
        on = "::stg::mutation::on"
        self.assertIn(f"return ({on}(5) != static_cast<bool>(n == ({on}(10) ? 1 : 0))) ? ({on}(11) ? 0 : 1) : n;",
                      changer.written())
        self.assertIn(f"{on}(12) ? void() : static_cast<void>(n += p.size());", changer.written())

    def test_letters_are_operands(self):
        changer = Changer("half", "half.hpp", "bool is_mark(char c) { return c == '%' || c == ';'; }\n", 1)
        self.assertEqual([c.what for c in changer.run()],
                         ["without c == '%' in c == '%' || c == ';'", "without c == ';' in c == '%' || c == ';'"])
        on = "::stg::mutation::on"
        self.assertIn(f"return (!{on}(1) && (c == '%')) || (!{on}(2) && (c == ';'));", changer.written())

    def test_every_pass_is_changed(self):
        root = Path(__file__).parents[2] / "include/stg"
        changes = change_all(root)[1]
        names = [change.name for change in changes]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual({change.owner for change in changes}, set(PASSES))
        explanations = explained(Path(__file__).with_name("surviving_changes.txt"))
        holes = known_holes(Path(__file__).with_name("holes_in_changes.txt"))
        self.assertEqual(explanations.keys() - set(names), set())
        self.assertEqual(set(holes) - set(names), set())
        self.assertEqual(set(holes) & explanations.keys(), set())


class Rules(unittest.TestCase):
    def test_structs_are_found_with_their_bases_and_operands(self):
        found = structs("made.hpp", OPERATIONS)
        self.assertEqual([(s.name, s.base, s.arity) for s in found.values()],
                         [("pointwise", "operation", 0), ("half", "pointwise", 1), ("choose", "pointwise", 2)])

    def test_a_gradient_is_broken_term_by_term(self):
        breaker = Breaker(owner="choose", kind="gradient")
        text = broken_gradient("d.add(1, d.select(d.operand(0), d.cotangent(), d.zero()));", 2, breaker)
        self.assertEqual([m.what for m in breaker.mutants],
                         ["no term for operand 1", "minus the term for operand 1", "twice the term for operand 1",
                          "operand 1 for 0", "1 for 0", "the other branch of d.operand(0), d.cotangent(), d.zero()"])
        self.assertTrue(text.startswith("::stg::mutation::on(1) ? void() : d.add(1, "))

    def test_an_else_behind_a_term_stays_with_its_own_if(self):
        text = broken_gradient("if (axis == 0) d.add(0, x);\nelse d.add(0, y);", 1, Breaker(owner="pick", kind="gradient"))
        self.assertEqual(text.count("if ("), 1)

    def test_a_shape_rule_is_broken_for_each_operation_that_inherits_it(self):
        breaker = Breaker(kind="shape", codes=("half", "choose"), code="Code")
        text = broken_shape("s.where = p.first;\nif (p.second != s.where) throw rule_is_broken{};", breaker)
        self.assertEqual([(m.owner, m.what) for m in breaker.mutants],
                         [("half", "no check of p.second != s.where"), ("choose", "no check of p.second != s.where"),
                          ("half", "another where than p.first"), ("choose", "another where than p.first")])
        self.assertIn("if (!::stg::mutation::on(1, Code) && (p.second != s.where)) throw", text)

    def test_commas_in_brackets_do_not_separate(self):
        self.assertEqual(arguments("a, f(b, c), d"), ["a", "f(b, c)", "d"])


class Runs(unittest.TestCase):
    def test_a_broken_rule_is_caught_and_one_that_only_looks_broken_lives(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "main.cpp").write_text(PROGRAM, encoding="utf-8")
            subprocess.run(["c++", "-std=c++20", f"-I{Path(__file__).parent}", f"{folder}/main.cpp", "-o", f"{folder}/sweep"],
                           check=True)
            sweep = [f"{folder}/sweep"]
            judge = Judge(sweep)
            caught = [judge.caught_by(m) for m in (None, mutant(1), mutant(2), mutant(3, "7"), mutant(3, "6"))]
            self.assertEqual(caught, ["", "*", "", "*", ""])
            self.assertEqual(judge.allowed, {"*": 2})  # seconds: without a mutant it takes none

    def test_tests_are_named_after_the_pass(self):
        judge = Judge(["sh", "-c", 'test "$2" != --gtest_filter=of_half', "sweep"], ["of_{owner}", "*"])
        self.assertEqual([judge.caught_by(m) for m in (None, mutant(1, owner="half"), mutant(1, owner="other"))],
                         ["", "of_{owner}", ""])

    def test_static_tests_see_a_change_that_a_macro_names(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "half.cpp").write_text(STATIC, encoding="utf-8")
            Path(folder, "passes").mkdir()
            for name, includes in (("half", "quarter"), ("quarter", "eighth"), ("eighth", "half")):
                Path(folder, "passes", f"{name}.hpp").write_text(f"#include <stg/pass/{includes}.hpp>\n", encoding="utf-8")
            judge = Judge(["true"], ["static"], ["c++", "-std=c++20", "-fsyntax-only", f"-I{Path(__file__).parent}"],
                          Path(folder), passes=[Path(folder, "passes")])
            self.assertEqual([judge.caught_by(mutant(number, owner="half")) for number in (1, 2)], ["static", ""])
            self.assertEqual(judge.caught_by(mutant(1, owner="eighth")), "static")  # by way of quarter
            self.assertEqual([judge.caught_by(None), judge.caught_by(mutant(1, owner="other"))], ["", ""])

    def test_survivors_are_held_against_the_table(self):
        mutants = [mutant(k, name=f"rule {k}") for k in range(40)]
        self.assertEqual(verdict(mutants, mutants[:2], {"rule 0": "same", "rule 1": "same"}), [])
        self.assertEqual(verdict(mutants, mutants[:1], {}), ["survives and is not explained: rule 0 (here)"])
        self.assertEqual(verdict(mutants, [], {"rule 3": "same"}), ["is explained and was caught: rule 3"])
        self.assertEqual(verdict(mutants, [], {"rule 40": "same"}), ["is explained and is no mutant any more: rule 40"])
        self.assertEqual(verdict(mutants[:3], [], {"rule 3": "same"}, mutants), [])  # and was not run
        self.assertEqual(verdict(mutants, mutants[:2], {"rule 0": "same"}, holes=["rule 1"]), [])
        self.assertEqual(verdict(mutants, [], {}, holes=["rule 1", "rule 40"]),
                         ["is a hole and was caught: rule 1", "is a hole and is no mutant any more: rule 40"])
        three = {m["name"]: "same" for m in mutants[:3]}
        self.assertEqual(verdict(mutants, mutants[:3], three), [])  # they are not counted, whatever their share
        self.assertEqual(verdict(mutants, mutants[:6], three),  # 34 of 37
                         [f"survives and is not explained: rule {k} (here)" for k in (3, 4, 5)]
                         + ["34 of 37 that can be seen are caught: less than 95%"])

    def test_every_operation_of_the_library_has_rules_that_are_broken(self):
        root = Path(__file__).parents[2]
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, Path(__file__).with_name("headers.py"), root / "include/stg",
                                   f"{folder}/stg", f"{folder}/mutants.json"], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            names = {m["name"] for m in json.loads(Path(folder, "mutants.json").read_text(encoding="utf-8"))}
            self.assertEqual(explained(Path(__file__).with_name("survivors.txt")).keys() - names, set())


if __name__ == "__main__":
    unittest.main()
