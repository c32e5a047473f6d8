// What Python reads of a batch: its graph, and which rows of the large graph it has.
#include "batches.hpp"

#include <stg/base/error.hpp>  // error

#include <nanobind/stl/string.h>  // casters

#include <algorithm>  // copy
#include <utility>    // move

namespace stg::python {

namespace {

nb::object array_of(const std::vector<std::int32_t>& numbers, library arrays) {
  tensor<std::int32_t> t({static_cast<std::int64_t>(numbers.size())});
  std::copy(numbers.begin(), numbers.end(), t.data());
  return as_array(std::move(t), arrays);
}
nb::object edges_of(const graph& sample, library arrays) {
  const stg::edge_list list = sample.edge_list();
  const auto count = static_cast<std::int64_t>(list.src.size());
  tensor<std::int32_t> t({2, count});
  std::copy(list.src.begin(), list.src.end(), t.data());
  std::copy(list.dst.begin(), list.dst.end(), t.data() + count);
  return as_array(std::move(t), arrays);
}
std::vector<std::int32_t> listed(const std::vector<std::int64_t>& ids, const std::vector<std::int32_t>& places) {
  std::vector<std::int32_t> all;
  all.reserve(ids.size());
  for (const std::int64_t id : ids) all.push_back(places[static_cast<std::size_t>(id)]);
  return all;
}
nb::tuple triple(const relation_names& r) { return nb::make_tuple(r.source, r.name, r.destination); }

}  // namespace

std::vector<std::int32_t> places_by_id(const graph& g) {
  tensor<std::int32_t> ids({g.edges()});
  for (std::int64_t i = 0; i < g.edges(); ++i) ids.data()[i] = static_cast<std::int32_t>(i);
  const tensor<std::int32_t> in_list =
      g.to_input_order(edge_values<std::int32_t>::in_id_order(std::move(ids), g.edge_identity()));
  std::vector<std::int32_t> places(static_cast<std::size_t>(g.edges()));
  for (std::int64_t k = 0; k < g.edges(); ++k)
    places[static_cast<std::size_t>(in_list.data()[k])] = static_cast<std::int32_t>(k);
  return places;
}

held_batch::held_batch(const loaded_batch& found, const std::vector<std::int32_t>& places, library arrays)
    : sample_(found.graph),
      hops_{found.blocks()},
      vertices_(found.vertices),
      edges_(listed(found.edges, places)),
      seeds_(found.seeds),
      arrays_(arrays) {}
nb::object held_batch::n_id() const { return array_of(vertices_, arrays_); }
nb::object held_batch::e_id() const { return array_of(edges_, arrays_); }
nb::object held_batch::edge_index() const { return edges_of(sample_, arrays_); }

held_kinds::held_kinds(const loaded_graphs& found, const std::vector<std::vector<std::int32_t>>& places, library arrays)
    : sample_(std::make_shared<const graphs>(found.graph)),
      hops_{found.blocks(), sample_},
      seeds_(found.seeds),
      seed_set_(found.seed_set),
      arrays_(arrays) {
  for (const graphs_batch::set_rows& set : found.sets) vertices_.emplace_back(set.name, set.vertices);
  const std::vector<relation_names> names = found.large.relations();
  for (std::size_t r = 0; r < names.size(); ++r)
    edges_.emplace_back(names[r], listed(found.of_relation(names[r].name).edges, places[r]));
}
nb::dict held_kinds::n_id() const {
  nb::dict all;
  for (const auto& [set, rows] : vertices_) all[set.c_str()] = array_of(rows, arrays_);
  return all;
}
nb::dict held_kinds::e_id() const {
  nb::dict all;
  for (const auto& [relation, rows] : edges_) all[triple(relation)] = array_of(rows, arrays_);
  return all;
}
nb::dict held_kinds::edge_index() const {
  nb::dict all;
  for (const auto& [relation, rows] : edges_)
    all[triple(relation)] = edges_of(sample_->relation(relation.name), arrays_);
  return all;
}
nb::object held_kinds::at(nb::handle key) const {
  const nb::object made = nb::module_::import_("types").attr("SimpleNamespace");
  for (const auto& [set, rows] : vertices_)
    if (nb::str(set.c_str()).equal(key)) {
      const nb::object found = made(nb::arg("n_id") = array_of(rows, arrays_));
      if (set == seed_set_) found.attr("batch_size") = seeds_;
      return found;
    }
  for (const auto& [relation, rows] : edges_)
    if (triple(relation).equal(key))
      return made(nb::arg("e_id") = array_of(rows, arrays_),
                  nb::arg("edge_index") = edges_of(sample_->relation(relation.name), arrays_));
  throw error("the batch has no set and no relation " + nb::cast<std::string>(nb::repr(key)) +
              "; write batch[\"paper\"], or batch[\"author\", \"writes\", \"paper\"]");
}

void add_batches(nb::module_& m) {
  nb::class_<held_batch>(m, "Batch", "A sample of a graph: its seeds are its first vertices.")
      .def_prop_ro("graph", &held_batch::sample, nb::rv_policy::reference_internal, "What programs are called on.")
      .def_prop_ro("blocks", &held_batch::hops, nb::rv_policy::reference_internal,
                   "What programs on blocks are called on; their results have a row for each seed.")
      .def_prop_ro("batch_size", &held_batch::seeds, "The number of seeds.")
      .def_prop_ro("n_id", &held_batch::n_id, "(vertices) their numbers in the graph.")
      .def_prop_ro("e_id", &held_batch::e_id,
                   "(edges) their places in the graph's edge list, in the order of values of this sample's edges.")
      .def_prop_ro("edge_index", &held_batch::edge_index,
                   "(2, edges) sources and destinations, numbered in the sample.");
  nb::class_<held_kinds>(m, "HeteroBatch", "A sample of a graph of several kinds: seeds are first in their set.")
      .def_prop_ro("graph", &held_kinds::sample, nb::rv_policy::reference_internal, "What programs are called on.")
      .def_prop_ro("blocks", &held_kinds::hops, nb::rv_policy::reference_internal,
                   "What programs on blocks are called on; their results have a row for each seed.")
      .def_prop_ro("batch_size", &held_kinds::seeds, "The number of seeds.")
      .def_prop_ro("input_type", &held_kinds::seed_set, "The set of the seeds.")
      .def_prop_ro("n_id_dict", &held_kinds::n_id, "By set: (vertices) their numbers in the graph.")
      .def_prop_ro(
          "e_id_dict", &held_kinds::e_id,
          "By edge type: (edges) their places in the relation's edge list, in the order of this sample's edges.")
      .def_prop_ro("edge_index_dict", &held_kinds::edge_index,
                   "By edge type: (2, edges) sources and destinations, numbered in the sample.")
      .def("__getitem__", &held_kinds::at, nb::arg("key"),
           "batch['paper'].n_id, batch['author', 'writes', 'paper'].e_id and .edge_index.");
}

}  // namespace stg::python
