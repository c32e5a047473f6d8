// Batches that Python holds: samples of a graph, of one kind or of several.
#pragma once

#include <stg/sampling/graphs_loader.hpp>  // loaded_graphs
#include <stg/sampling/loader.hpp>         // loaded_batch

#include <nanobind/nanobind.h>  // module_, object

#include <cstdint>  // int32_t, int64_t
#include <memory>   // shared_ptr
#include <string>   // string
#include <utility>  // pair
#include <vector>   // vector

#include "arrays.hpp"  // library
#include "graphs.hpp"  // held_blocks

namespace stg::python {

namespace nb = nanobind;

/// Where each edge, by its id, stands in the edge list that a graph was made of.
std::vector<std::int32_t> places_by_id(const graph& g);

/// A batch that lives as long as Python wants it to.
class held_batch {
 public:
  /// places: of the large graph's edges.
  held_batch(const loaded_batch& found, const std::vector<std::int32_t>& places, library arrays);
  const graph& sample() const { return sample_; }
  const held_blocks& hops() const { return hops_; }
  std::int64_t seeds() const { return seeds_; }
  nb::object n_id() const;
  nb::object e_id() const;
  nb::object edge_index() const;

 private:
  graph sample_;
  held_blocks hops_;
  std::vector<std::int32_t> vertices_, edges_{};
  std::int64_t seeds_;
  library arrays_;
};

/// The same of several kinds.
class held_kinds {
 public:
  /// places: of each relation's edges, in the large graphs' order.
  held_kinds(const loaded_graphs& found, const std::vector<std::vector<std::int32_t>>& places, library arrays);
  const graphs& sample() const { return *sample_; }
  const held_blocks& hops() const { return hops_; }
  std::int64_t seeds() const { return seeds_; }
  const std::string& seed_set() const { return seed_set_; }
  /// By the names of sets, and by (source, relation, destination).
  nb::dict n_id() const;
  nb::dict e_id() const;
  nb::dict edge_index() const;
  /// What the dictionaries have of a set or of a relation, as the attributes of one object. Error: no such name.
  nb::object at(nb::handle key) const;

 private:
  nb::object edge_index_of(const std::string& relation) const;

  std::shared_ptr<const graphs> sample_;
  held_blocks hops_;
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> vertices_{};
  std::vector<std::pair<relation_names, std::vector<std::int32_t>>> edges_{};
  std::int64_t seeds_;
  std::string seed_set_;
  library arrays_;
};

/// The classes Batch and HeteroBatch of a module.
void add_batches(nb::module_& m);

}  // namespace stg::python
