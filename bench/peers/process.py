"""A resident process that answers commands with one line of JSON each; while another one runs, it sleeps on its pipe."""
import json
import os
import select
import subprocess
import time

# Big blocks from the heap, kept when freed, on huge pages: what a careful user of glibc sets.
TUNED = ("glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:"
         "glibc.malloc.trim_threshold=68719476736")


class Failed(RuntimeError):
    """What the process answered instead of a result."""


class Process:
    def __init__(self, command, threads, allocator, log):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "DGLBACKEND": "pytorch"}
        environment.pop("GLIBC_TUNABLES", None)
        if allocator == "tuned":
            environment["GLIBC_TUNABLES"] = TUNED
        self.command, self.environment, self.log = command, environment, log
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        env=self.environment, bufsize=1)

    def revive(self):
        """Starts the process anew when it has ended, as one does that the system took for its memory."""
        if self.process.poll() is not None:
            self.start()

    def ask(self, *words, limit=300):
        try:
            self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Failed(f"has ended: {error}") from error
        deadline = time.monotonic() + limit
        if not select.select([self.process.stdout], [], [], deadline - time.monotonic())[0]:
            self.process.kill()
            raise Failed(f"no answer within {limit} s")
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"ended with code {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
