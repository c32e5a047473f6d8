"""Starts processes by whatever MPI there is, and sees that none is left.
Usage, of a program alone: launcher.py MPIEXEC PROCESSES PROGRAM"""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


class Launcher:
    def __init__(self, mpiexec):
        self.mpiexec = mpiexec
        version = subprocess.run([mpiexec, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.is_open_mpi = "OpenRTE" in version or "Open MPI" in version
        self.name = "Open MPI" if self.is_open_mpi else "MPICH or its like"
        # More processes than cores, by any user: what a laptop and a container are.
        self.options = (["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
                        if self.is_open_mpi else [])
        self.settings = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1")

    def command(self, processes, *words):
        return [self.mpiexec, *self.options, "-n", str(processes), *words]

    def run(self, processes, *words, timeout=60):
        """What it gave, and the seconds that it took; a launcher that does not end is killed, with status None."""
        began = time.monotonic()
        with subprocess.Popen(self.command(processes, *words), env=self.settings, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as running:
            try:
                said, complained = running.communicate(timeout=timeout)
                status = running.returncode
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                said, complained = running.communicate()
                status = None
        return subprocess.CompletedProcess(running.args, status, said, complained), time.monotonic() - began


def is_alive(process):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    done, _ = Launcher(sys.argv[1]).run(int(sys.argv[2]), *sys.argv[3:])
    print(done.stdout, done.stderr, end="")
    sys.exit(done.returncode if done.returncode is not None else 124)
