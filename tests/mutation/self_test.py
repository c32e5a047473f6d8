#!/usr/bin/env python3
"""Shows that rules are found and that broken ones are told apart: on a made library of three operations and a test of it."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from breaking import Breaker, arguments, broken_gradient, broken_shape, structs
from mutation import explained, passes, verdict

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


def mutant(number, code="", name=""):
    return {"number": number, "code": code, "name": name, "place": "here"}


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
        self.assertTrue(text.startswith("if (!::stg::mutation::on(1)) d.add(1, "))

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
            self.assertTrue(passes(sweep, None))
            self.assertFalse(passes(sweep, mutant(1)))
            self.assertTrue(passes(sweep, mutant(2)))
            self.assertFalse(passes(sweep, mutant(3, "7")))
            self.assertTrue(passes(sweep, mutant(3, "6")))

    def test_survivors_are_held_against_the_table(self):
        mutants = [mutant(k, name=f"rule {k}") for k in range(40)]
        self.assertEqual(verdict(mutants, mutants[:2], {"rule 0": "same", "rule 1": "same"}), [])
        self.assertEqual(verdict(mutants, mutants[:1], {}), ["survives and is not explained: rule 0 (here)"])
        self.assertEqual(verdict(mutants, [], {"rule 3": "same"}), ["is explained and was caught: rule 3"])
        self.assertEqual(verdict(mutants, mutants[:3], {m["name"]: "same" for m in mutants[:3]}),
                         ["3 of 40 survive: more than 5%"])

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
