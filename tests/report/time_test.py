#!/usr/bin/env python3
"""Tests what scripts/test.py says of the time that `make test` took."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "scripts"))
import test  # noqa: E402

LOG = ("# ninja log v5\n"
       "0\t1500\t9\tsrc/CMakeFiles/stg.dir/run.cpp.o\taa\n"
       "1000\t3000\t9\ttests/run/CMakeFiles/chain_test.dir/chain_test.cpp.o\tbb\n"
       "0\t9000\t9\ttests/run/chain_test\tcc\n"
       "3000\t3100\t9\ttests/run/chain_test\tcc\n")


class Slowest(unittest.TestCase):
    def test_is_what_took_longest_when_it_was_last_made(self):
        self.assertEqual(test.slowest(LOG, 2), [("tests/run/CMakeFiles/chain_test.dir/chain_test.cpp.o", 2.0),
                                                ("src/CMakeFiles/stg.dir/run.cpp.o", 1.5)])
        self.assertEqual(test.slowest(LOG)[2], ("tests/run/chain_test", 0.1))

    def test_is_called_as_a_person_calls_it(self):
        self.assertEqual(test.source_of("tests/run/CMakeFiles/chain_test.dir/chain_test.cpp.o"), "tests/run/chain_test.cpp")
        self.assertEqual(test.source_of("tests/run/chain_test"), "tests/run/chain_test")


class Timed(unittest.TestCase):
    def test_counts_the_processor_time_of_all_that_a_command_starts(self):
        work = "import sys; sum(range(2_000_000)); sys.exit(3)"
        code, processor, wall = test.timed("sh", "-c", f"'{sys.executable}' -c '{work}'")
        self.assertEqual(code, 3)
        self.assertGreater(processor, 0.01)
        self.assertGreater(wall, 0.01)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
