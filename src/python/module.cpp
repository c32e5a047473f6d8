// Filling a module by the user's STG_PYTHON.
#include "module.hpp"

#include <stg/base/error.hpp>  // error
#include <stg/python.hpp>      // python_module

#include <nanobind/nanobind.h>    // module_, exception
#include <nanobind/stl/string.h>  // casters

#include <memory>   // make_unique, unique_ptr
#include <string>   // string
#include <utility>  // move
#include <vector>   // vector

#include "graphs.hpp"   // add_graphs
#include "loaders.hpp"  // add_loaders
#include "program.hpp"  // function, add_functions
#include "sparse.hpp"   // add_sparse

namespace stg {

namespace nb = nanobind;

struct python_module::state {
  std::vector<std::unique_ptr<python::function>> functions{};  // in the order of their names' first use

  python::function& named(std::string_view name, std::string_view text) {
    for (const auto& f : functions)
      if (f->name() == name) return with(*f, text);
    functions.push_back(std::make_unique<python::function>(std::string(name)));
    return with(*functions.back(), text);
  }

 private:
  static python::function& with(python::function& f, std::string_view text) {
    if (!text.empty()) f.text = text;
    return f;
  }
};

namespace {

/// Puts a program of a function where none is.
template <class T> void put(std::shared_ptr<T>& place, std::shared_ptr<T> made, std::string_view name) {
  if (place != nullptr) throw error("the module has two programs '" + std::string(name) + "'; give each its name");
  place = std::move(made);
}

constexpr const char* stub_head = R"(from typing import Any, Sequence, Union

Array = Any  # of NumPy, PyTorch, JAX, or whoever speaks DLPack; a number for a value without axes

class Error(ValueError): ...
class Graph:
    @staticmethod
    def from_edge_index(edge_index: Array, num_nodes: int | None = None) -> Graph: ...
    @staticmethod
    def from_csr(indptr: Array, indices: Array) -> Graph: ...
    @staticmethod
    def from_scipy(matrix: Any) -> Graph: ...
    @property
    def num_nodes(self) -> int: ...
    @property
    def num_edges(self) -> int: ...
class HeteroGraph:
    @staticmethod
    def from_dicts(num_nodes: dict[str, int], edge_index: dict[tuple[str, str, str], Array]) -> HeteroGraph: ...
    @staticmethod
    def from_hetero_data(data: Any) -> HeteroGraph: ...
class GraphSequence:
    @staticmethod
    def from_steps(num_nodes: int, edge_indices: Sequence[Array]) -> GraphSequence: ...
class Sparse:
    @staticmethod
    def from_scipy(matrix: Any) -> Sparse: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def entries(self) -> int: ...
class Blocks:
    @property
    def num_seeds(self) -> int: ...
class Batch:
    @property
    def graph(self) -> Graph: ...
    @property
    def blocks(self) -> Blocks: ...
    @property
    def batch_size(self) -> int: ...
    @property
    def n_id(self) -> Any: ...
    @property
    def e_id(self) -> Any: ...
    @property
    def edge_index(self) -> Any: ...
class HeteroBatch:
    @property
    def graph(self) -> HeteroGraph: ...
    @property
    def blocks(self) -> Blocks: ...
    @property
    def batch_size(self) -> int: ...
    @property
    def input_type(self) -> str: ...
    @property
    def n_id_dict(self) -> dict[str, Any]: ...
    @property
    def e_id_dict(self) -> dict[tuple[str, str, str], Any]: ...
    @property
    def edge_index_dict(self) -> dict[tuple[str, str, str], Any]: ...
    def __getitem__(self, key: str | tuple[str, str, str]) -> Any: ...
class NeighborLoader:
    def __init__(self, graph: Graph | HeteroGraph, num_neighbors: Sequence[int] | dict[tuple[str, str, str], Sequence[int]],
                 input_nodes: Array | str | tuple[str, Array | None] | None = None, batch_size: int = 1,
                 shuffle: bool = False, replace: bool = False, drop_last: bool = False, seed: int = 0, num_workers: int = 1) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> NeighborLoader: ...
    def __next__(self) -> Any: ...  # Batch, or HeteroBatch
AnyGraph = Union[Graph, HeteroGraph, GraphSequence, Blocks]
class Tape:
    @property
    def outputs(self) -> Any: ...
    def backward(self, *cotangents: Array | None) -> dict[str, Any]: ...
class FixedCall:
    def __call__(self, **inputs: Array) -> Any: ...
    def record(self, **inputs: Array) -> Tape: ...
    def seed(self, seed: int) -> None: ...
class BoundCall:
    def __call__(self) -> Any: ...
class Function:
    def into(self, out: Any, graph: AnyGraph, **inputs: Array) -> Any: ...
    def bound(self, graph: AnyGraph, out: Any, **inputs: Array) -> BoundCall: ...
    def fixed(self, graph: AnyGraph, **inputs: Array) -> FixedCall: ...
    def record(self, graph: AnyGraph, **inputs: Array) -> Tape: ...
    @property
    def gradients(self) -> Function | None: ...
    @property
    def in_float64(self) -> Function: ...
    def seed(self, seed: int) -> None: ...
)";

}  // namespace

void python_module::add(std::string_view name, std::string_view text, std::shared_ptr<door::program> made) {
  put(state_.named(name, text).of.program, std::move(made), name);
}
void python_module::add(std::string_view name, std::string_view text, std::shared_ptr<door::training> made) {
  put(state_.named(name, text).of.training, std::move(made), name);
}
void python_module::add(std::string_view name, std::string_view text, std::shared_ptr<door::loss> made) {
  put(state_.named(name, text).of.loss, std::move(made), name);
}

void python_module::add(std::string_view name, std::string_view text,
                        std::shared_ptr<door::binder<door::program>> made) {
  put(state_.named(name, text).with_fixed.program, std::move(made), name);
}
void python_module::add(std::string_view name, std::string_view text,
                        std::shared_ptr<door::binder<door::training>> made) {
  put(state_.named(name, text).with_fixed.training, std::move(made), name);
}
void python_module::add(std::string_view name, std::string_view text, std::shared_ptr<door::binder<door::loss>> made) {
  put(state_.named(name, text).with_fixed.loss, std::move(made), name);
}
void python_module::add_gradients(std::string_view name, std::string_view text, std::shared_ptr<door::training> made,
                                  std::vector<std::string> cotangents) {
  std::shared_ptr<python::function>& place = state_.named(name, text).gradients;
  auto backward = std::make_shared<python::function>(std::string(name) + ".gradients");
  backward->of.training = std::move(made);
  backward->cotangents = std::move(cotangents);
  put(place, std::move(backward), name);
}

void python::fill(_object* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  nb::exception<error>(m, "Error", PyExc_ValueError);
  add_graphs(m);
  add_loaders(m);
  add_sparse(m);
  add_functions(m);
  python_module::state filled;
  python_module into(filled);
  detail::fill_python_module(into);
  std::string stubs = stub_head;
  for (auto& f : filled.functions) {
    f->check_whole();
    stubs += f->stub();
    const std::string name = f->name();
    m.attr(name.c_str()) = nb::cast(f.release(), nb::rv_policy::take_ownership);
  }
  m.attr("__stubs__") = stubs;
}

}  // namespace stg
