// Signals from JSON: each form that is in use, told by its fields.
#include "json.hpp"      // json_file
#include "temporal.hpp"  // edge_outside

#include <stg/data/temporal.hpp>          // read_graph_signal
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <optional>       // optional
#include <unordered_map>  // unordered_map
#include <utility>        // move

namespace stg {

namespace {

using detail::json_file;
using detail::json_object;
using detail::json_value;

/// Numbers of all steps, row by row of the file, and the shape that the first row has.
class signal_builder {
 public:
  explicit signal_builder(std::string field) : field_(std::move(field)) {}

  /// Adds a step: [vertices] or [vertices][features].
  void add_step(const json_value& step) {
    const std::string field = field_ + " step " + std::to_string(steps_);
    const std::int64_t vertices = step.array(field).size();
    if (steps_ == 0) {
      vertices_ = vertices;
      if (vertices > 0 && step.first().is_array()) features_ = step.first().size();
    }
    if (vertices != vertices_) step.fail(field, has(vertices, "vertices", vertices_) + " as step 0 has");
    json_value at = step.first();
    for (std::int64_t v = 0; v < vertices; ++v, at = at.behind()) {
      if (!features_) {
        add(at, field, v);
        continue;
      }
      if (!at.is_array() || at.size() != *features_)
        at.fail(of_vertex(field, v),
                has(at.array(of_vertex(field, v)).size(), "features", *features_) + " as the first vertex has");
      json_value number = at.first();
      for (std::int64_t f = 0; f < *features_; ++f, number = number.behind()) add(number, field, v);
    }
    ++steps_;
  }
  std::int64_t vertices() const { return vertices_; }
  tensor<double> signal() const {
    const dimensions shape = features_ ? dimensions{steps_, vertices_, *features_} : dimensions{steps_, vertices_};
    return tensor<double>::from(shape, numbers_);
  }

 private:
  /// Fields are written for mistakes alone: for every number they would take longer than to read it.
  void add(const json_value& number, const std::string& field, std::int64_t vertex) {
    numbers_.push_back(number.is_number() ? number.number(field) : number.number(of_vertex(field, vertex)));
  }
  static std::string of_vertex(const std::string& field, std::int64_t v) {
    return field + " vertex " + std::to_string(v);
  }
  static std::string has(std::int64_t found, const char* what, std::int64_t expected) {
    return "has " + std::to_string(found) + " " + what + "; expected " + std::to_string(expected);
  }

  std::string field_;
  std::int64_t steps_ = 0, vertices_ = 0;
  std::optional<std::int64_t> features_;
  std::vector<double> numbers_;
};

/// Edges [[source, destination], …], and their weights where there are any.
snapshot_edges edges_of(const json_value& pairs, const std::string& field, const std::optional<json_value>& weights,
                        const std::string& weights_field) {
  snapshot_edges edges;
  json_value pair = pairs.array(field).first();
  for (std::int64_t e = 0; e < pairs.size(); ++e, pair = pair.behind()) {
    const std::string of_edge = field + " edge " + std::to_string(e);
    if (pair.array(of_edge).size() != 2)
      pair.fail(of_edge, "has " + std::to_string(pair.size()) + " numbers; expected [source, destination]");
    edges.src.push_back(pair.first().integer(of_edge));
    edges.dst.push_back(pair.first().behind().integer(of_edge));
  }
  if (!weights) return edges;
  if (weights->array(weights_field).size() != pairs.size())
    weights->fail(weights_field, "has " + std::to_string(weights->size()) + " numbers for " +
                                     std::to_string(pairs.size()) + " edges; expected one per edge");
  json_value weight = weights->first();
  for (std::int64_t e = 0; e < weights->size(); ++e, weight = weight.behind())
    edges.weights.push_back(weight.number(weights_field + " edge " + std::to_string(e)));
  return edges;
}

void check_vertices_of(const snapshot_edges& edges, std::int64_t vertices, const json_value& pairs,
                       const std::string& field) {
  if (const std::int64_t e = detail::edge_outside(edges, vertices); e >= 0)
    pairs.fail(field, "has " + detail::outside_sentence(edges, e, vertices));
}

std::int64_t steps_in(const json_object& root) {
  const json_value periods = root.at("time_periods");
  const std::int64_t steps = periods.integer("time_periods");
  if (steps < 0) periods.fail("time_periods", "is " + std::to_string(steps) + "; expected 0 or more");
  return steps;
}

graph_signal node_link(const json_object& root) {
  graph_signal data;
  const json_value nodes = root.at("nodes").array("nodes"), links = root.at("links").array("links");
  data.vertices = nodes.size();
  std::unordered_map<std::string, std::int64_t> number;
  std::vector<json_value> signals;
  json_value node = nodes.first();
  for (std::int64_t v = 0; v < data.vertices; ++v, node = node.behind()) {
    const std::string field = "nodes vertex " + std::to_string(v);
    const json_object members(node, field);
    if (!number.emplace(members.at("id").id(field + " id"), v).second)
      members.at("id").fail(field + " id", "is another vertex's too; expected one for each");
    signals.push_back(members.at("y").array(field + " y"));
    if (signals[0].size() != signals.back().size())
      signals.back().fail(field + " y", "has " + std::to_string(signals.back().size()) + " steps; expected " +
                                            std::to_string(signals[0].size()) + " as the first vertex has");
  }
  const std::int64_t steps = signals.empty() ? 0 : signals[0].size();
  data.signal = tensor<double>({steps, data.vertices});
  for (std::int64_t v = 0; v < data.vertices; ++v) {
    json_value at = signals[static_cast<std::size_t>(v)].first();
    for (std::int64_t t = 0; t < steps; ++t, at = at.behind()) {
      if (!at.is_number()) at.number("nodes vertex " + std::to_string(v) + " y step " + std::to_string(t));
      data.signal(t, v) = at.number("y");
    }
  }
  json_value link = links.first();
  for (std::int64_t e = 0; e < links.size(); ++e, link = link.behind()) {
    const std::string field = "links edge " + std::to_string(e);
    const json_object members(link, field);
    const auto vertex = [&](const char* end) {
      const json_value id = members.at(end);
      const auto found = number.find(id.id(field + " " + end));
      if (found == number.end()) id.fail(field + " " + end, "is the id of no vertex; expected one of the nodes'");
      return found->second;
    };
    data.edges.src.push_back(vertex("source"));
    data.edges.dst.push_back(vertex("target"));
    const auto weight = members.find("weight");
    if (weight.has_value() == data.edges.weights.empty() && e > 0)
      link.fail(field, weight ? "has a weight; expected none as the first has" : "has no weight; the first has one");
    if (weight) data.edges.weights.push_back(weight->number(field + " weight"));
  }
  return data;
}

constexpr const char* forms_of_one_graph =
    "has none of the forms that are known; expected edges with FX, X or block, edges with time_periods, or nodes with "
    "links";
constexpr const char* forms_of_changing_graphs =
    "has none of the forms that are known; expected edge_mapping with y, or time_periods whose steps have edges";

}  // namespace

graph_signal read_graph_signal(const std::string& path) try {
  const json_file file(path);
  const json_object root(file.root(), "");
  if (root.find("edge_mapping"))
    file.fail(0, "edge_mapping", "is of a graph that changes; write read_changing_graph_signal");
  if (root.find("nodes") && root.find("links")) return node_link(root);
  if (!root.find("edges")) {
    if (root.find("time_periods"))
      file.fail(0, "edges", "is missing; where each step has its own, write read_changing_graph_signal");
    file.fail(0, "", forms_of_one_graph);
  }
  graph_signal data;
  const json_value pairs = root.at("edges");
  data.edges = edges_of(pairs, "edges", root.find("weights"), "weights");
  const auto of_rows = [&](const char* name, const json_value& rows) {
    signal_builder signal(name);
    json_value step = rows.array(name).first();
    for (std::int64_t t = 0; t < rows.size(); ++t, step = step.behind()) signal.add_step(step);
    return signal;
  };
  const auto of_fields = [&] {
    signal_builder signal("time_periods");
    const std::int64_t steps = steps_in(root);
    for (std::int64_t t = 0; t < steps; ++t) {
      const json_value step = root.at(std::to_string(t));
      signal.add_step(step.is_object() ? json_object(step, std::to_string(t)).at("y") : step);
    }
    return signal;
  };
  std::optional<signal_builder> signal;
  for (const char* name : {"FX", "X", "block"})
    if (const auto rows = root.find(name); rows && !signal) signal = of_rows(name, *rows);
  if (!signal && root.find("time_periods")) signal = of_fields();
  if (!signal) file.fail(0, "", forms_of_one_graph);
  data.signal = signal->signal();
  data.vertices = signal->vertices();
  check_vertices_of(data.edges, data.vertices, pairs, "edges");
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

changing_graph_signal read_changing_graph_signal(const std::string& path) try {
  const json_file file(path);
  const json_object root(file.root(), "");
  if (!root.find("time_periods")) file.fail(0, "", forms_of_changing_graphs);
  if (root.find("edges") || root.find("nodes")) file.fail(0, "", "is of one graph; write read_graph_signal");
  const std::int64_t steps = steps_in(root);
  changing_graph_signal data;
  std::vector<std::pair<json_value, std::string>> pairs;  // and their fields, for messages
  const auto add_edges = [&](const json_value& edges, const std::string& field,
                             const std::optional<json_value>& weights, const std::string& weights_field) {
    data.edges.push_back(edges_of(edges, field, weights, weights_field));
    pairs.emplace_back(edges, field);
  };
  if (const auto mapping = root.find("edge_mapping")) {
    const json_object parts(*mapping, "edge_mapping");
    const json_object indices(parts.at("edge_index"), "edge_index");
    const auto found = parts.find("edge_weight");
    std::optional<json_object> weights;
    if (found) weights.emplace(*found, "edge_weight");
    const json_value y = root.at("y");
    signal_builder signal("y");
    if (y.array("y").size() != steps)
      y.fail("y",
             "has " + std::to_string(y.size()) + " steps; expected " + std::to_string(steps) + ", its time_periods");
    json_value row = y.first();
    for (std::int64_t t = 0; t < steps; ++t, row = row.behind()) {
      const std::string step = std::to_string(t);
      add_edges(indices.at(step), "edge_index step " + step, weights ? std::optional(weights->at(step)) : std::nullopt,
                "edge_weight step " + step);
      signal.add_step(row);
    }
    data.signal = signal.signal();
    data.vertices = signal.vertices();
  } else {
    signal_builder signal("X"), targets("y");
    for (std::int64_t t = 0; t < steps; ++t) {
      const std::string step = std::to_string(t);
      const json_object members(root.at(step), "step " + step);
      add_edges(members.at("edges"), "edges step " + step, members.find("weights"), "weights step " + step);
      signal.add_step(members.at("X"));
      const json_value y = members.at("y");
      targets.add_step(y);
      if (targets.vertices() != signal.vertices())
        y.fail("y step " + step, "has " + std::to_string(targets.vertices()) + " vertices; expected " +
                                     std::to_string(signal.vertices()) + " as X has");
    }
    data.signal = signal.signal();
    data.targets = targets.signal();
    if (data.targets.rank() != 2) file.fail(0, "y", "has features; expected one number per vertex");
    data.vertices = signal.vertices();
  }
  for (std::size_t t = 0; t < data.edges.size(); ++t)
    check_vertices_of(data.edges[t], data.vertices, pairs[t].first, pairs[t].second);
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
