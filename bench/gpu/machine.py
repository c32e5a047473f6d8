"""What is here: the GPU, the toolkit, and how much the machine can do at a time."""
import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BYTES_OF_A_JOB = 3 << 30  # what nvcc takes for the largest file, about


def output_of(*command):
    """What a command says, or None where it fails or is not there."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", timeout=20,
                              check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def device_in(said):
    """The GPU of a line `name, driver, compute capability`, or None."""
    parts = [part.strip() for part in (said or "").split("\n")[0].split(",")]
    if len(parts) != 3 or not re.fullmatch(r"\d+\.\d+", parts[2]):
        return None
    return dict(zip(("gpu", "driver", "capability"), parts))


def device(ask=output_of):
    """What is known of the first GPU that programs see, or None. nvidia-smi does not know every name that
    CUDA_VISIBLE_DEVICES may hold (a slice's, MIG-…, the beginning of one) and is missing in some containers: then the driver
    itself is asked, in a process of its own."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    if not first:  # set, to none
        return None
    by_id = ask("nvidia-smi", f"--id={first}", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader")
    return device_in(by_id) or device_in(ask(sys.executable, Path(__file__).resolve()))


def said_by_driver():
    """The line of the driver's first device; errors where there is none."""
    driver = ctypes.CDLL("libcuda.so.1")

    def get(call, *arguments):
        value = ctypes.c_int()
        if getattr(driver, call)(ctypes.byref(value), *arguments) != 0:
            raise OSError(call)
        return value.value

    if driver.cuInit(0) != 0:
        raise OSError("cuInit")
    first, name, version = get("cuDeviceGet", 0), ctypes.create_string_buffer(256), get("cuDriverGetVersion")
    if driver.cuDeviceGetName(name, 256, first) != 0:
        raise OSError("cuDeviceGetName")
    major, minor = (get("cuDeviceGetAttribute", attribute, first) for attribute in (75, 76))
    return (f"{name.value.decode(errors='replace').replace(',', ' ')}, for CUDA {version // 1000}.{version % 1000 // 10}, "
            f"{major}.{minor}")


def nvcc():
    """Where nvcc is, before CMake has looked for it; None where it is not found."""
    folders = [os.environ.get(name) for name in ("CUDAToolkit_ROOT", "CUDA_PATH", "CUDA_HOME")] + ["/usr/local/cuda"]
    return shutil.which("nvcc") or next((found for f in folders if f and (found := shutil.which("nvcc", path=f + "/bin"))), None)


def architecture(capability, known):
    """What to compile for: the device's own architecture, or the newest that is older, whose intermediate code the driver
    compiles, where nvcc (its --list-gpu-arch) does not know that one yet."""
    here = int(capability.replace(".", ""))
    numbers = [int(number) for number in re.findall(r"^compute_(\d+)$", known or "", re.MULTILINE)]
    return str(max((number for number in numbers if number <= here), default=here))


def toolkit(build):
    """The version of the nvcc that was configured, such as 12.4."""
    cache = build / "CMakeCache.txt"
    found = re.search(r"^CUDAToolkit_NVCC_EXECUTABLE:\w+=(.+)$", cache.read_text(encoding="utf-8") if cache.exists() else "",
                      re.MULTILINE)
    return version(found.group(1) if found else "nvcc")


def version(compiler):
    said = re.search(r"release ([0-9.]+)", output_of(compiler, "--version") or "")
    return said.group(1) if said else "unknown"


def sanitizer(compiler):
    """compute-sanitizer on the PATH or beside nvcc, or None."""
    beside = Path(compiler).resolve().parent if compiler else None
    folders = [beside, beside.parent / "compute-sanitizer"] if beside else []
    return shutil.which("compute-sanitizer") or next(
        (found for folder in folders if (found := shutil.which("compute-sanitizer", path=str(folder)))), None)


def library_folders(python):
    """Where packages of Python keep CUDA's libraries, for a toolkit that lacks cuSPARSE."""
    said = output_of(python, "-c", "import os, nvidia; print(os.pathsep.join(nvidia.__path__))")
    return [folder for root in (said or "").split(os.pathsep) if root
            for folder in sorted(Path(root).glob("*")) if (folder / "include" / "cusparse.h").exists()]


def find_libraries(compiler, python):
    """Lets programs that were built elsewhere find CUDA's libraries: of the toolkit, else of Python's packages."""
    toolkit_folder = [Path(compiler).resolve().parent.parent / "lib64"] if compiler else []
    folders = toolkit_folder + [folder / "lib" for folder in library_folders(python)]
    known = [os.environ["LD_LIBRARY_PATH"]] if os.environ.get("LD_LIBRARY_PATH") else []
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(known + [str(folder) for folder in folders if folder.is_dir()])


def numbers_in(path):
    """The words of a file as numbers, or None: cgroups write `max` where there is no limit."""
    try:
        return [int(word) for word in Path(path).read_text(encoding="utf-8").split()] or None
    except (OSError, ValueError):
        return None


def cores(cgroup="/sys/fs/cgroup"):
    """Cores that this process may use: of those that it may run on, as many as its container has time of."""
    mine = len(os.sched_getaffinity(0))
    time_of_period = numbers_in(f"{cgroup}/cpu.max")
    return mine if time_of_period is None else max(1, min(mine, time_of_period[0] // time_of_period[-1]))


def jobs(cgroup="/sys/fs/cgroup"):
    """Compilers that may run at a time: one to a core, and no more than there is memory for."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    memory = min(memory, *(numbers_in(f"{cgroup}/memory.max") or [memory]))
    return max(1, min(cores(cgroup), memory // BYTES_OF_A_JOB))


def generator():
    """(CMake's name of it, the file that it writes, its words for: go on where something cannot be built)."""
    return ("Ninja", "build.ninja", ["-k", "0"]) if shutil.which("ninja") else ("Unix Makefiles", "Makefile", ["-k"])


if __name__ == "__main__":
    print(said_by_driver())
