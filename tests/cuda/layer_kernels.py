#!/usr/bin/env python3
"""Compiles the kernels of shipped layers for some architectures and looks at what nvcc made of them.

usage: layer_kernels.py --nvcc NVCC --host CXX --include DIR... --folder DIR [--arch 80]... [--every-layer] [--write]

Demanded of every kernel: no register is spilled, no array lies in local memory, and no more registers than the ceiling in
registers.json, which holds what it took plus a tenth. Of the PTX: 128-bit loads. --write renews the ceilings of the kernels
that were compiled.
"""
import argparse
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CEILINGS = HERE / "registers.json"
ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\w+)'\n(?:.*\n)*?\s*(\d+) bytes stack frame, (\d+) bytes spill "
                   r"stores, (\d+) bytes spill loads\n.*?Used (\d+) registers")


def named(mangled):
    """The kernel in words: program, called plainly or in training, unit; or an optimiser and its numbers."""
    text = subprocess.run(["c++filt", mangled], capture_output=True, text=True, check=True).stdout
    if optimizer := re.search(r"update_kernel<(\w+), stg::gpu::detail::(\w+)_element<", text):
        return f"{optimizer.group(2)} of {optimizer.group(1)}"
    program = re.search(r"ref<app::(\w+)>", text).group(1)
    half = "gradient" if "::gradient>" in text else "forward" if "::forward>" in text else "plain"
    unit = re.search(r", (\d+)> ?>", text).group(1)
    return f"{program} {half} {unit}"


def compiled(options, arch):
    """What ptxas says of the kernels for one architecture, and their PTX."""
    folder = options.folder / f"sm_{arch}"
    folder.mkdir(parents=True, exist_ok=True)
    command = [options.nvcc, "-std=c++20", "-ccbin", options.host, f"-arch=sm_{arch}", "--expt-relaxed-constexpr",
               "-Xptxas", "-v", "--keep", "--keep-dir", folder, "-c", HERE / "layer_kernels.cu", "-o", folder / "kernels.o"]
    command += ["-DSTG_EVERY_LAYER"] if options.every_layer else []
    for path in options.include:
        command += ["-I", path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    said = run.stdout + run.stderr
    if run.returncode != 0 or "warning" in said:
        sys.exit(f"sm_{arch}: nvcc says\n{said}")
    ptx = max(folder.glob("layer_kernels*.ptx"), key=lambda path: path.stat().st_mtime).read_text(encoding="utf-8")
    return said, ptx


def kernel_texts(ptx):
    """The PTX of each kernel by its mangled name."""
    parts = re.split(r"^\.visible \.entry (\w+)\(", ptx, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def look(options, arch, ceilings):
    """Findings for one architecture, and the registers of its kernels."""
    said, ptx = compiled(options, arch)
    texts, found, registers = kernel_texts(ptx), [], {}
    for mangled, target, stack, stores, loads, used in ENTRY.findall(said):
        name = f"{named(mangled)} {target}"
        registers[name] = int(used)
        if int(stores) or int(loads):
            found.append(f"{name}: {stores} bytes of spilled registers are stored, {loads} loaded")
        if int(stack) or re.search(r"\.local\b", texts[mangled]):
            found.append(f"{name}: {stack} bytes of local memory; values beyond the registers go to shared memory")
        if not options.write and int(used) > ceilings.get(name, 0):
            found.append(f"{name}: {used} registers; the ceiling is {ceilings.get(name, 'not written')}")
        if name.startswith("weighted_sum plain") and len(re.findall(r"ld\.global(?:\.nc)?\.v4", texts[mangled])) < 4:
            found.append(f"{name}: fewer than four 128-bit loads are in flight")
    if len(registers) != len(texts):
        found.append(f"sm_{arch}: ptxas speaks of {len(registers)} kernels, the PTX has {len(texts)}")
    return found, registers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--arch", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every-layer", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    ceilings = json.loads(CEILINGS.read_text(encoding="utf-8")) if CEILINGS.exists() else {}
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda arch: look(options, arch, ceilings), options.arch or ["80"]))
    findings = [finding for found, _ in results for finding in found]
    registers = {name: used for _, used_by in results for name, used in used_by.items()}
    if options.write:
        if options.every_layer:  # kernels that are no more
            ceilings = {name: most for name, most in ceilings.items() if name.rpartition("sm_")[2] not in options.arch}
        ceilings.update({name: used + used // 10 for name, used in registers.items()})
        CEILINGS.write_text(json.dumps(dict(sorted(ceilings.items())), indent=1) + "\n", encoding="utf-8")
    for finding in findings:
        print(f"FAILED {finding}")
    print(f"{len(registers)} kernels, {max(registers.values(), default=0)} registers at most, {len(findings)} findings")
    sys.exit(1 if findings or not registers else 0)


if __name__ == "__main__":
    main()
