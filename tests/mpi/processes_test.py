"""Runs train as one process, two, three and four, on parts and on batches: the same bits, by whatever MPI there is. A process
that dies, throws or stands still ends all others, soon and with an error. Usage: processes_test.py MPIEXEC TRAIN"""
import os
import subprocess
import sys
import time

MPIEXEC, TRAIN = sys.argv[1:]
VERSION = subprocess.run([MPIEXEC, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
IS_OPEN_MPI = "OpenRTE" in VERSION or "Open MPI" in VERSION
# More processes than cores, by any user: what a laptop and a container are.
OPTIONS = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"] if IS_OPEN_MPI else []
SETTINGS = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1")


def run(processes, *words):
    began = time.monotonic()
    done = subprocess.run([MPIEXEC, *OPTIONS, "-n", str(processes), TRAIN, *words], env=SETTINGS, text=True, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done, time.monotonic() - began


def main():
    wrong = []
    for words in [], ["batches"]:
        alone = subprocess.run([TRAIN, *words], env=SETTINGS, text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
        for processes in 1, 2, 3, 4:
            done, _ = run(processes, *words)
            if done.returncode != 0 or done.stdout.strip() != alone:
                wrong.append(f"{processes} processes {' '.join(words)} give {done.stdout.strip()!r}, one by itself {alone!r}: "
                             f"{done.stderr[-300:]}")
    for fault, said, seconds in ("dies", "", 10), ("throws", "rank 1 failed: stg: the disk is full", 10), \
            ("stands_still", "waited 3000 ms for a message from rank", 15):
        done, took = run(4, fault, "1")
        if done.returncode == 0 or took > seconds or said not in done.stderr + done.stdout:
            wrong.append(f"a process {fault}: status {done.returncode} after {took:.1f} s, said {done.stderr[-300:]!r}")
    for sentence in wrong:
        print(f"processes: {sentence}")
    print(f"{'Open MPI' if IS_OPEN_MPI else 'MPICH or its like'}: 4 numbers of processes, 3 faults, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
