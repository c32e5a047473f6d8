"""Graph neural networks as compiled programs. `stg.torch` has layers for PyTorch, `help(stg.programs)` what they call."""
from importlib.metadata import PackageNotFoundError, version

from stg import _programs as programs
from stg._programs import Error, Graph, GraphSequence, HeteroGraph

try:
    __version__ = version("stg")
except PackageNotFoundError:  # imported from a folder
    __version__ = "0"

__all__ = ["Error", "Graph", "GraphSequence", "HeteroGraph", "programs"]
