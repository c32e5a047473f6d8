"""Trains on two network namespaces, two processes in each, and cuts the link between them: all processes end, by stg's own
heartbeat, within its silence and a few seconds, and one says who fell silent. Usage: cut_link_test.py MPIEXEC TRAIN
Exit code 77: namespaces are not permitted here. STG_SILENCE: milliseconds of silence, 5000."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from launcher import Launcher, is_alive

NAMESPACES = {"stg_link_1": "10.77.31.1", "stg_link_2": "10.77.31.2"}
# In place of ssh: drops its options and runs the rest in the namespace of the address.
AGENT = """#!/bin/bash
while [[ $1 == -* ]]; do shift; done
case $1 in 10.77.31.1) n=stg_link_1 ;; *) n=stg_link_2 ;; esac
shift
exec ip netns exec $n /bin/sh -c "$*"
"""


def ip(*words):
    return subprocess.run(["ip", *words], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def make_link():
    """What is not permitted, or nothing."""
    if shutil.which("ip") is None:
        return "there is no `ip` (iproute2)"
    for name in NAMESPACES:
        ip("netns", "del", name)
        made = ip("netns", "add", name)
        if made.returncode != 0:
            return made.stdout.strip()
    made = ip("link", "add", "stg_v1", "netns", "stg_link_1", "type", "veth", "peer", "name", "stg_v2", "netns", "stg_link_2")
    if made.returncode != 0:
        return made.stdout.strip()
    for end, (name, address) in zip(("stg_v1", "stg_v2"), NAMESPACES.items()):
        ip("-n", name, "addr", "add", address + "/24", "dev", end)
        ip("-n", name, "link", "set", end, "up")
        ip("-n", name, "link", "set", "lo", "up")
    return ""


def command(launcher, agent, *words):
    hosts = ",".join(address + ":2" for address in NAMESPACES.values())
    first = ["ip", "netns", "exec", "stg_link_1", launcher.mpiexec]
    if launcher.is_open_mpi:
        return [*first, "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include",
                "10.77.31.0/24", "--mca", "oob_tcp_if_include", "10.77.31.0/24", *launcher.options, "--host", hosts, "-n", "4",
                *words]
    return [*first, "-launcher", "ssh", "-launcher-exec", agent, "-iface", "stg_v1", "-hosts", hosts, "-n", "4", *words]


def cut_link(launcher, train, folder, silence):
    """What went wrong, and the seconds until all had ended."""
    agent = Path(folder) / "agent"
    agent.write_text(AGENT, encoding="utf-8")
    agent.chmod(0o755)
    with open(Path(folder) / "said", "w+", encoding="utf-8") as said:
        with subprocess.Popen(command(launcher, str(agent), train, "steps=1000000", f"folder={folder}", f"silence={silence}"),
                              env=launcher.settings, stdout=said, stderr=said, start_new_session=True) as running:
            saved = Path(folder) / "W.npy"
            began = time.monotonic()
            while not saved.exists() and running.poll() is None and time.monotonic() - began < 60:
                time.sleep(0.1)
            if not saved.exists():
                running.kill()
                return [f"no training began: {Path(said.name).read_text(encoding='utf-8')[-600:]}"], 0
            time.sleep(1)
            ip("-n", "stg_link_1", "link", "set", "stg_v1", "down")
            cut, limit = time.monotonic(), silence / 1000 + 30
            processes = [int(p.read_text(encoding="utf-8")) for p in Path(folder).glob("process.*")]
            while any(is_alive(p) for p in processes) and time.monotonic() - cut < limit:
                time.sleep(0.05)
            took = time.monotonic() - cut
            wrong = [f"process {p} is left after {took:.1f} s" for p in processes if is_alive(p)]
            running.kill()
            text = Path(said.name).read_text(encoding="utf-8")
    if len(processes) != 4:
        wrong.append(f"{len(processes)} processes began")
    if took > silence / 1000 + 10:
        wrong.append(f"all had ended after {took:.1f} s")
    if f"has been silent for {silence // 1000} s while rank" not in text:
        wrong.append("nobody is named")
    if wrong:
        wrong.append(f"said {text[-800:]!r}")
    return wrong, took


def main():
    launcher, train = Launcher(sys.argv[1]), sys.argv[2]
    silence = int(os.environ.get("STG_SILENCE", "5000"))
    problem = make_link()
    if problem:
        print(f"cut_link: SKIPPED, the link between two hosts is NOT tested: no network namespaces here: {problem}")
        return 77
    try:
        with tempfile.TemporaryDirectory() as folder:
            wrong, took = cut_link(launcher, train, folder, silence)
    finally:
        for name in NAMESPACES:
            ip("netns", "del", name)
    for sentence in wrong:
        print(f"cut_link: {sentence}")
    print(f"{launcher.name}: a link is cut, all processes ended {took:.1f} s later, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
