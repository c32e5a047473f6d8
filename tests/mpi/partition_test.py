"""Cuts a graph of planted communities by PT-Scotch on processes: parts of even work, no more cut edges than METIS has but for
a tenth, the same on all ranks, from a graph that every rank has and from parts on disk.
Usage: partition_test.py MPIEXEC PROGRAM"""
import sys

from launcher import Launcher


def main():
    launcher, wrong = Launcher(sys.argv[1]), []
    for processes in 1, 2, 3, 4:
        done, _ = launcher.run(processes, sys.argv[2], timeout=120)
        print(f"{processes} processes: {done.stdout.strip()}")
        if done.returncode != 0 or "2 cuts are right" not in done.stdout:
            wrong.append(f"{processes} processes: status {done.returncode}, {done.stderr[-600:]!r}")
    for sentence in wrong:
        print(f"partition: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
