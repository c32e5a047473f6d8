"""Runs programs as one process, two, three and four: the same bits, by whatever MPI there is. A process that dies, throws,
stands still, returns early or has no memory ends all others, soon and with an error that names it.
Usage: processes_test.py MPIEXEC TRAIN [BATCHES]"""
import subprocess
import sys

from launcher import Launcher

FAULTS = [  # what a rank does, what is said of it, and within how many seconds all have ended
    ("dies", "", 5),
    ("throws", "rank 1 failed: stg: the disk is full", 5),
    ("exits_0", "rank 1 failed: it called exit before it returned from its work", 5),
    ("returns", "rank 1 has returned from its work while rank", 10),
    ("hoards", "rank 1 failed: stg: ", 5),
    ("sleeps", "rank 1 has stood still for 3 s while rank", 15),
    ("stops", "rank 1 has been silent for 3 s while rank", 15),
]


def main():
    launcher, train, wrong = Launcher(sys.argv[1]), sys.argv[2], []
    for program in [train], *([p] for p in sys.argv[3:]), [train, "by=features"]:
        alone = subprocess.run(program, env=launcher.settings, text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
        for processes in 1, 2, 3, 4:
            done, _ = launcher.run(processes, *program)
            if done.returncode != 0 or done.stdout.strip() != alone:
                wrong.append(f"{processes} processes give {done.stdout.strip()!r}, one by itself {alone!r}: {done.stderr[-300:]}")
    for fault, said, seconds in FAULTS:
        done, took = launcher.run(4, train, f"fault={fault}", "rank=1")
        if done.returncode in (0, None) or took > seconds or said not in done.stderr + done.stdout:
            wrong.append(f"a process {fault}: status {done.returncode} after {took:.1f} s, said {done.stderr[-600:]!r}")
    for sentence in wrong:
        print(f"processes: {sentence}")
    print(f"{launcher.name}: 4 numbers of processes, {len(FAULTS)} faults, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
