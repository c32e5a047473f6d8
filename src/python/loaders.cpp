// Samples of a graph, batch after batch: a loader of C++ as an iterator of Python.
#include "loaders.hpp"

#include "arrays.hpp"  // as_array, integers, library

#include <stg/base/error.hpp>                  // error
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <nanobind/stl/string.h>  // casters
#include <nanobind/stl/vector.h>  // casters

#include <cstdint>   // int32_t, int64_t, uint64_t
#include <limits>    // numeric_limits
#include <memory>    // make_shared, shared_ptr
#include <mutex>     // lock_guard, mutex
#include <optional>  // optional
#include <string>    // string, to_string
#include <utility>   // move
#include <vector>    // vector

namespace stg::python {

namespace {

/// A batch that lives as long as Python wants it to.
struct held_batch {
  graph sample{};
  std::optional<stg::blocks> hops{};
  std::vector<std::int32_t> vertices{}, edges{};
  std::int64_t seeds = 0;
  library arrays = library::numpy;

  nb::object array(const std::vector<std::int32_t>& numbers) const {
    tensor<std::int32_t> t({static_cast<std::int64_t>(numbers.size())});
    std::copy(numbers.begin(), numbers.end(), t.data());
    return as_array(std::move(t), arrays);
  }
  nb::object edge_index() const {
    const stg::edge_list list = sample.edge_list();
    const auto count = static_cast<std::int64_t>(list.src.size());
    tensor<std::int32_t> t({2, count});
    std::copy(list.src.begin(), list.src.end(), t.data());
    std::copy(list.dst.begin(), list.dst.end(), t.data() + count);
    return as_array(std::move(t), arrays);
  }
};

/// Where each edge, by its id, stands in the edge list that a graph was made of.
std::vector<std::int32_t> places_by_id(const graph& g) {
  tensor<std::int32_t> ids({g.edges()});
  for (std::int64_t i = 0; i < g.edges(); ++i) ids.data()[i] = static_cast<std::int32_t>(i);
  const tensor<std::int32_t> listed =
      g.to_input_order(edge_values<std::int32_t>::in_id_order(std::move(ids), g.edge_identity()));
  std::vector<std::int32_t> places(static_cast<std::size_t>(g.edges()));
  for (std::int64_t k = 0; k < g.edges(); ++k)
    places[static_cast<std::size_t>(listed.data()[k])] = static_cast<std::int32_t>(k);
  return places;
}

std::vector<std::int32_t> seeds_of(nb::handle given, const graph& g) {
  std::vector<std::int32_t> all;
  if (given.is_none()) {
    for (std::int64_t v = 0; v < g.vertices(); ++v) all.push_back(static_cast<std::int32_t>(v));
    return all;
  }
  for (const std::int64_t v : integers(given, "input_nodes")) {
    if (v < 0 || v >= g.vertices())
      throw error("input_nodes has " + std::to_string(v) + "; the graph has " + std::to_string(g.vertices()) +
                  " vertices");
    all.push_back(static_cast<std::int32_t>(v));
  }
  return all;
}

/// Batches of one epoch after the other; an iteration is an epoch, which begins where the one before was left.
class neighbour_loader {
 public:
  neighbour_loader(const graph& g, const std::vector<std::int64_t>& fan_outs, nb::handle seeds,
                   const loader_options& options, bool with_replacement)
      : places_(places_by_id(g)),
        arrays_(seeds.is_none() ? library::numpy : library_of(seeds)),
        loader_(neighbour_sampler(g, {.fan_outs = fan_outs, .with_replacement = with_replacement}), seeds_of(seeds, g),
                options) {}

  std::int64_t batches() const { return loader_.batches(); }
  void begin() {
    epoch_.emplace(loader_.epoch(next_epoch_++));
    now_.reset();
  }
  held_batch next() {
    held_batch b;
    bool is_there = false;
    {
      const nb::gil_scoped_release others_run;
      const std::lock_guard held(one_at_a_time_);
      is_there = take(b);
    }
    if (!is_there) throw nb::stop_iteration();
    return b;
  }

 private:
  bool take(held_batch& b) {
    if (!epoch_) return false;
    if (!now_) now_.emplace(epoch_->begin());
    else ++*now_;
    if (*now_ == epoch_->end()) {
      epoch_.reset();
      return false;
    }
    const loaded_batch& found = **now_;
    b.sample = found.graph;
    b.hops = found.blocks();
    b.vertices = found.vertices;
    for (const std::int64_t id : found.edges) b.edges.push_back(places_[static_cast<std::size_t>(id)]);
    b.seeds = found.seeds;
    b.arrays = arrays_;
    return true;
  }

  std::vector<std::int32_t> places_;
  library arrays_;
  loader loader_;
  std::int64_t next_epoch_ = 0;
  std::optional<loader::batches_of_epoch> epoch_{};
  std::optional<loader::batches_of_epoch::iterator> now_{};
  std::mutex one_at_a_time_{};
};

}  // namespace

void add_loaders(nb::module_& m) {
  nb::class_<held_batch>(m, "Batch", "A sample of a graph: its seeds are its first vertices.")
      .def_ro("graph", &held_batch::sample, "What programs are called on.")
      .def_prop_ro(
          "blocks", [](const held_batch& b) -> const stg::blocks& { return *b.hops; },
          nb::rv_policy::reference_internal,
          "What programs on blocks are called on; their results have a row for each seed.")
      .def_ro("batch_size", &held_batch::seeds, "The number of seeds.")
      .def_prop_ro(
          "n_id", [](const held_batch& b) { return b.array(b.vertices); }, "(vertices) their numbers in the graph.")
      .def_prop_ro(
          "e_id", [](const held_batch& b) { return b.array(b.edges); },
          "(edges) their places in the graph's edge list, in the order of values of this sample's edges.")
      .def_prop_ro("edge_index", &held_batch::edge_index,
                   "(2, edges) sources and destinations, numbered in the sample.");
  nb::class_<neighbour_loader>(
      m, "NeighborLoader",
      "Samples of neighbours by fan-out, made ahead on threads of their own: an iteration is an epoch.")
      .def(
          "__init__",
          [](neighbour_loader* self, const graph& g, const std::vector<std::int64_t>& num_neighbors,
             nb::object input_nodes, std::int64_t batch_size, bool shuffle, bool replace, bool drop_last,
             std::uint64_t seed, int num_workers) {
            const loader_options options{.batch_size = batch_size,
                                         .shuffle = shuffle,
                                         .drop_last = drop_last,
                                         .seed = seed,
                                         .threads = num_workers};
            new (self) neighbour_loader(g, num_neighbors, input_nodes, options, replace);
          },
          nb::arg("graph"), nb::arg("num_neighbors"), nb::arg("input_nodes") = nb::none(), nb::arg("batch_size") = 1,
          nb::arg("shuffle") = false, nb::arg("replace") = false, nb::arg("drop_last") = false, nb::arg("seed") = 0,
          nb::arg("num_workers") = 1)
      .def("__len__", &neighbour_loader::batches)
      .def("__iter__",
           [](nb::handle self) {
             nb::cast<neighbour_loader&>(self).begin();
             return nb::borrow(self);
           })
      .def("__next__", &neighbour_loader::next);
}

}  // namespace stg::python
