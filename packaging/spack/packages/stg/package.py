"""Spack's package of stg, for a checkout: spack repo add packaging/spack && spack dev-build stg@main (packaging/README.md)."""
from spack.package import *


class Stg(CMakePackage):
    """An embedded C++20 language for graph neural networks: what a vertex does, as a C++ lambda, becomes kernels."""

    license("MIT")
    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("io", default=True, description="stg::io, which reads and writes .npz and .gz")
    variant("mpi", default=False, description="stg::mpi, processes as the ranks of a cut graph")
    variant("cuda", default=False, description="What stg_add_program needs to compile for GPUs")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("boost@1.74:")
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("cccl", type="build", when="~cuda")
    depends_on("metis@5.1:", type="build")
    depends_on("zlib-api", when="+io")
    depends_on("libzip@1.7:", when="+io")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")

    conflicts("%gcc@:11", msg="stg needs g++ 12 or newer")
    conflicts("%clang@:13", msg="stg needs clang 14 or newer")

    def cmake_args(self):
        off = ["STG_BUILD_TESTS", "STG_BUILD_BENCH", "STG_BUILD_EXAMPLES", "STG_WARNINGS_AS_ERRORS"]
        return [self.define(name, False) for name in off] + [
            self.define("STG_PYTHON", "OFF"),
            *(self.define(f"STG_{name.upper()}", "ON" if f"+{name}" in self.spec else "OFF") for name in ("io", "mpi", "cuda")),
        ]
