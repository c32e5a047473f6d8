// Samples of a graph, batch after batch: loaders of C++ as iterators of Python.
#include "loaders.hpp"

#include "arrays.hpp"   // integers, library
#include "batches.hpp"  // add_batches, held_batch, held_kinds, places_by_id

#include <stg/base/error.hpp>                  // error
#include <stg/sampling/graphs_loader.hpp>      // graphs_loader, graphs_sampler
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <nanobind/stl/string.h>  // casters
#include <nanobind/stl/vector.h>  // casters

#include <cstdint>   // int32_t, int64_t, uint64_t
#include <memory>    // make_unique, unique_ptr
#include <mutex>     // lock_guard, mutex
#include <optional>  // optional
#include <string>    // string, to_string
#include <utility>   // move, pair
#include <vector>    // vector

namespace stg::python {

namespace {

/// Of a set of so many vertices; None: all of them.
std::vector<std::int32_t> seeds_of(nb::handle given, std::int64_t vertices, const std::string& of) {
  std::vector<std::int32_t> all;
  if (given.is_none()) {
    for (std::int64_t v = 0; v < vertices; ++v) all.push_back(static_cast<std::int32_t>(v));
    return all;
  }
  for (const std::int64_t v : integers(given, "input_nodes")) {
    if (v < 0 || v >= vertices)
      throw error("input_nodes has " + std::to_string(v) + "; " + of + " has " + std::to_string(vertices) +
                  " vertices");
    all.push_back(static_cast<std::int32_t>(v));
  }
  return all;
}

/// Batches of one epoch after the other; an iteration is an epoch, which begins where the one before was left.
class epochs {
 public:
  virtual ~epochs() = default;
  virtual std::int64_t batches() const = 0;
  virtual void begin() = 0;
  /// A batch for Python. Error: nb::stop_iteration behind the last.
  virtual nb::object next() = 0;
};

/// Loader: of one kind or of several. Held: what Python holds of its batches, made with Places.
template <class Loader, class Held, class Places> class epochs_of final : public epochs {
 public:
  epochs_of(Loader loads, Places places, library arrays)
      : loader_(std::move(loads)), places_(std::move(places)), arrays_(arrays) {}
  std::int64_t batches() const override { return loader_.batches(); }
  void begin() override {
    epoch_.emplace(loader_.epoch(next_epoch_++));
    now_.reset();
  }
  nb::object next() override {
    std::unique_ptr<Held> found;
    {
      const nb::gil_scoped_release others_run;
      const std::lock_guard held(one_at_a_time_);
      found = taken();
    }
    if (found == nullptr) throw nb::stop_iteration();
    return nb::cast(found.release(), nb::rv_policy::take_ownership);
  }

 private:
  std::unique_ptr<Held> taken() {
    if (!epoch_) return nullptr;
    if (!now_) now_.emplace(epoch_->begin());
    else ++*now_;
    if (*now_ == epoch_->end()) {
      epoch_.reset();
      return nullptr;
    }
    return std::make_unique<Held>(**now_, places_, arrays_);
  }

  Loader loader_;
  Places places_;
  library arrays_;
  std::int64_t next_epoch_ = 0;
  std::optional<typename Loader::batches_of_epoch> epoch_{};
  std::optional<typename Loader::batches_of_epoch::iterator> now_{};
  std::mutex one_at_a_time_{};
};

std::unique_ptr<epochs> of_one_kind(const graph& g, nb::handle num_neighbors, nb::handle input_nodes,
                                    const loader_options& options, bool with_replacement) {
  std::vector<std::int64_t> fan_outs;
  if (!nb::try_cast(num_neighbors, fan_outs))
    throw error("num_neighbors takes a number for each hop; a dictionary by edge type is of a HeteroGraph");
  if (nb::isinstance<nb::tuple>(input_nodes) || nb::isinstance<nb::str>(input_nodes))
    throw error("input_nodes takes vertices of the graph; a set and its vertices are of a HeteroGraph");
  const library arrays = input_nodes.is_none() ? library::numpy : library_of(input_nodes);
  return std::make_unique<epochs_of<loader, held_batch, std::vector<std::int32_t>>>(
      loader(neighbour_sampler(g, {.fan_outs = std::move(fan_outs), .with_replacement = with_replacement}),
             seeds_of(input_nodes, g.vertices(), "the graph"), options),
      places_by_id(g), arrays);
}

/// Fan-outs of all relations, or by (source, relation, destination).
graphs_options fan_outs_of(nb::handle num_neighbors, const graphs& g) {
  graphs_options all;
  if (!nb::isinstance<nb::dict>(num_neighbors)) {
    if (!nb::try_cast(num_neighbors, all.fan_outs))
      throw error("num_neighbors takes a number for each hop, or a dictionary of them by edge type");
    return all;
  }
  for (const auto& [type, hops] : nb::borrow<nb::dict>(num_neighbors)) {
    const relation_names* found = nullptr;
    const std::vector<relation_names> names = g.relations();
    for (const relation_names& r : names)
      if (nb::make_tuple(r.source, r.name, r.destination).equal(type)) found = &r;
    if (found == nullptr)
      throw error("num_neighbors has " + nb::cast<std::string>(nb::repr(type)) +
                  ", which is no edge type of the graph: (source, relation, destination)");
    all.of.push_back({found->name, nb::cast<std::vector<std::int64_t>>(hops)});
  }
  return all;
}

std::unique_ptr<epochs> of_kinds(const graphs& g, nb::handle num_neighbors, nb::handle input_nodes,
                                 const loader_options& options, bool with_replacement) {
  nb::object set = nb::borrow(input_nodes), seeds = nb::none();
  if (nb::isinstance<nb::tuple>(input_nodes) && nb::len(input_nodes) == 2) {
    set = input_nodes[nb::int_(0)];
    seeds = input_nodes[nb::int_(1)];
  }
  std::string name;
  if (!nb::try_cast(set, name))
    throw error("input_nodes takes a set of the graph, or a set and its vertices: (\"paper\", ids)");
  graphs_options fan_outs = fan_outs_of(num_neighbors, g);
  fan_outs.with_replacement = with_replacement;
  std::vector<std::vector<std::int32_t>> places;
  for (const relation_names& r : g.relations()) places.push_back(places_by_id(g.relation(r.name)));
  const library arrays = seeds.is_none() ? library::numpy : library_of(seeds);
  return std::make_unique<epochs_of<graphs_loader, held_kinds, std::vector<std::vector<std::int32_t>>>>(
      graphs_loader(graphs_sampler(g, std::move(fan_outs)), name,
                    seeds_of(seeds, g.vertices(name), "set '" + name + "'"), options),
      std::move(places), arrays);
}

/// PyTorch Geometric's names, over a Graph or a HeteroGraph.
struct neighbour_loader {
  std::unique_ptr<epochs> of;

  neighbour_loader(nb::handle g, nb::handle num_neighbors, nb::handle input_nodes, const loader_options& options,
                   bool with_replacement) {
    if (nb::isinstance<graphs>(g))
      of = of_kinds(*nb::inst_ptr<graphs>(g), num_neighbors, input_nodes, options, with_replacement);
    else if (nb::isinstance<graph>(g))
      of = of_one_kind(*nb::inst_ptr<graph>(g), num_neighbors, input_nodes, options, with_replacement);
    else throw error("a NeighborLoader samples a Graph or a HeteroGraph; make one of the edges first");
  }
};

}  // namespace

void add_loaders(nb::module_& m) {
  add_batches(m);
  nb::class_<neighbour_loader>(
      m, "NeighborLoader",
      "Samples of neighbours by fan-out, made ahead on threads of their own: an iteration is an epoch.")
      .def(
          "__init__",
          [](neighbour_loader* self, nb::object graph, nb::object num_neighbors, nb::object input_nodes,
             std::int64_t batch_size, bool shuffle, bool replace, bool drop_last, std::uint64_t seed, int num_workers) {
            const loader_options options{.batch_size = batch_size,
                                         .shuffle = shuffle,
                                         .drop_last = drop_last,
                                         .seed = seed,
                                         .threads = num_workers};
            new (self) neighbour_loader(graph, num_neighbors, input_nodes, options, replace);
          },
          nb::arg("graph"), nb::arg("num_neighbors"), nb::arg("input_nodes") = nb::none(), nb::arg("batch_size") = 1,
          nb::arg("shuffle") = false, nb::arg("replace") = false, nb::arg("drop_last") = false, nb::arg("seed") = 0,
          nb::arg("num_workers") = 1)
      .def("__len__", [](const neighbour_loader& l) { return l.of->batches(); })
      .def("__iter__",
           [](nb::handle self) {
             nb::cast<neighbour_loader&>(self).of->begin();
             return nb::borrow(self);
           })
      .def("__next__", [](neighbour_loader& l) { return l.of->next(); });
}

}  // namespace stg::python
