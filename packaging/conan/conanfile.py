"""Conan 2's recipe of stg: the library and its headers, from the checkout that this file lies in (packaging/README.md)."""
import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

OWN_SOURCES = ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*")


class Stg(ConanFile):
    name = "stg"
    description = "An embedded C++20 language for graph neural networks"
    license = "MIT"
    topics = ("graph neural networks", "machine learning", "compiler", "header-only kernels")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "io": [True, False],
        "mpi": [True, False],
        "cuda": [True, False],
        "system_dependencies": [True, False],
        "fPIC": [True, False],
    }
    default_options = {"io": True, "mpi": False, "cuda": False, "system_dependencies": False, "fPIC": True}
    options_description = {
        "io": "stg::io, which reads and writes .npz and .gz",
        "mpi": "stg::mpi, processes as the ranks of a cut graph; the system's MPI",
        "cuda": "what stg_add_program needs to compile for GPUs; the system's CUDA toolkit",
        "system_dependencies": "take Boost, Thrust, zlib, libzip and JSON from the system instead of from Conan",
    }

    def set_version(self):
        text = load(self, Path(self.recipe_folder).parents[1] / "CMakeLists.txt")
        self.version = re.search(r"project\(stg VERSION ([0-9.]+)", text).group(1)

    def export_sources(self):
        root = Path(self.recipe_folder).parents[1]
        for pattern in OWN_SOURCES:
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("stg is built and tested on Linux alone")

    def requirements(self):
        if self.options.system_dependencies:
            return
        self.requires("boost/[>=1.74]", options={"header_only": True}, transitive_headers=True)
        self.requires("nlohmann_json/[>=3.10]")
        self.requires("thrust/[>=1.17]")
        if self.options.io:
            self.requires("zlib/[>=1.2.11]")
            self.requires("libzip/[>=1.7]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for off in ("TESTS", "BENCH", "EXAMPLES"):
            toolchain.cache_variables[f"STG_BUILD_{off}"] = "OFF"
        toolchain.cache_variables["STG_WARNINGS_AS_ERRORS"] = "OFF"
        toolchain.cache_variables["STG_PYTHON"] = "OFF"
        for option in ("io", "mpi", "cuda"):
            toolchain.cache_variables[f"STG_{option.upper()}"] = "ON" if self.options.get_safe(option) else "OFF"
        toolchain.generate()
        if not self.options.system_dependencies:
            from conan.tools.cmake import CMakeDeps
            CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        # stg's own file for CMake has its components, stg_add_program and the compilers' limits: Conan writes none beside it.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/stg"]
