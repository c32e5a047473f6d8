"""Commands one after the other, each with a limit, a log, and a line that says what came of it."""
import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

LEAST = 5  # seconds that must be left for a step to begin


def members(session):
    """The processes of a session that are not over. ninja puts each compiler into a group of its own, so that to end ninja's
    ends none."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def end(process, patience=10):
    """Ends a process that leads a session, with all that it started. What waits for a driver that hangs cannot be ended: after
    `patience` seconds it is left alone."""
    given_up = time.monotonic() + patience
    while (left := members(process.pid)) and time.monotonic() < given_up:  # what was started meanwhile is found the next time
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        process.poll()
        time.sleep(0.01)
    process.poll()


class Steps:
    """What was done, in order: name, outcome ("passed", "FAILED: …", "not run: …", "left out: …"), seconds and log."""

    def __init__(self, out, limit, root, clock=time.monotonic):
        self.out, self.root, self.clock, self.limit = out, root, clock, limit
        self.least, self.deadline, self.done = min(LEAST, limit / 90), clock() + limit, []

    def left(self):
        return self.deadline - self.clock()

    def most(self, limit, leave=0.0):
        """Seconds that a step may take: all that are left, without the part of the whole limit that is left to others."""
        return min(limit, self.left() - leave * self.limit)

    def run(self, name, command, limit, needs=None, never=None, leave=0.0, optional=False):
        """Runs a command with its output in a log, and returns what came of it. Words that it must never say make it a
        failure. What is optional is left out, and is no failure, where there is no time for it or not enough."""
        step = {"name": name, "outcome": "running", "seconds": None, "log": None}
        self.done.append(step)
        most = self.most(limit, leave)
        if needs is not None and not needs.exists():
            step["outcome"] = f"not run: {needs.name} is not there"
        elif most < self.least:
            step["outcome"] = f"{'left out' if optional else 'not run'}: out of time"
        else:
            step["log"] = re.sub(r"\W+", "_", name) + ".log"
            start = self.clock()
            came = self.outcome(command, most, self.out / step["log"])
            step["seconds"] = self.clock() - start
            if came == "passed" and never and never in (self.out / step["log"]).read_text(errors="replace"):
                came = f"FAILED: it says '{never}'"
            if came.startswith("took"):
                came = f"{'left out' if optional else 'FAILED'}: {came}"
            step["outcome"] = came
        print(f"{name}: {step['outcome']}", flush=True)
        return step["outcome"]

    def begin(self, name, commands):
        """Starts commands that go on beside the steps after this one, until `end`."""
        step = {"name": name, "outcome": "running", "seconds": None, "log": re.sub(r"\W+", "_", name) + ".log"}
        self.done.append(step)
        line = " & ".join(shlex.join(str(word) for word in command) for command in commands)
        waiting = "; ".join(["failed=0"] + ["wait -n || failed=1"] * len(commands) + ["exit $failed"])
        with open(self.out / step["log"], "w", encoding="utf-8") as to:
            return step, self.clock(), subprocess.Popen(["bash", "-c", f"{line} & {waiting}"], cwd=self.root, stdout=to,
                                                        stderr=subprocess.STDOUT, start_new_session=True)

    def end(self, begun, limit, leave=0.0):
        """Waits for what `begin` started."""
        step, start, process = begun
        most = max(self.most(limit, leave), 0)
        try:
            code = process.wait(most)
            step["outcome"] = "passed" if code == 0 else f"FAILED: exit code {code}"
        except subprocess.TimeoutExpired:
            end(process)
            step["outcome"] = f"FAILED: took {most:.0f} s more than all before it"
        step["seconds"] = self.clock() - start
        print(f"{step['name']}: {step['outcome']}", flush=True)

    def leave_out(self, name, why):
        self.done.append({"name": name, "outcome": f"left out: {why}", "seconds": None, "log": None})
        print(f"{name}: left out: {why}", flush=True)

    def outcome(self, command, limit, log):
        with open(log, "w", encoding="utf-8") as to:
            print("$ " + shlex.join(str(word) for word in command), file=to, flush=True)
            try:
                process = subprocess.Popen([str(word) for word in command], cwd=self.root, stdout=to, stderr=subprocess.STDOUT,
                                           start_new_session=True)
            except OSError as error:
                return f"FAILED: {error}"
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                end(process)
                return f"took more than {limit:.0f} s"
            except BaseException:  # this program is ended
                end(process)
                raise
        return "passed" if code == 0 else f"FAILED: exit code {code}"
