// networkx's node-link JSON: nodes with ids, and edges that name them.
#include "json.hpp"         // json_file
#include "number_rows.hpp"  // tensor_of_list

#include <stg/data/node_link.hpp>         // read_node_link
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <optional>       // optional
#include <type_traits>    // is_same_v
#include <unordered_map>  // unordered_map

namespace stg {

namespace detail {

class node_link_json {
 public:
  explicit node_link_json(const std::string& path) : json_(path), root_(json_.root(), "") {
    edges_name_ = root_.find("edges") || !root_.find("links") ? "edges" : "links";
  }
  const json_object& root() const { return root_; }
  json_value nodes() const { return root_.at("nodes").array("nodes"); }
  json_value edges() const { return root_.at(edges_name_).array(edges_name_); }
  const std::string& edges_name() const { return edges_name_; }

 private:
  json_file json_;
  json_object root_;
  std::string edges_name_;
};

namespace {

/// Whether a member that says true or false says true; it is false where it is missing.
bool says_true(const json_object& root, const std::string& name) {
  const auto member = root.find(name);
  return member && member->boolean(name);
}

template <class T> T number_of(const json_value& value, const std::string& field) {
  if constexpr (std::is_same_v<T, std::int64_t>) return value.integer(field);
  else return static_cast<T>(value.number(field));
}

/// Whether the first element of a list has an attribute.
bool first_has(const json_value& list, const std::string& of, const std::string& name) {
  return list.size() > 0 && json_object(list.first(), of + " 0").find(name).has_value();
}

/// An attribute of all elements of a list: rows of as many numbers as the first has.
template <class T> tensor<T> attribute_of(const json_value& list, const std::string& of, const std::string& name) {
  std::vector<T> numbers;
  std::optional<std::int64_t> width;  // of lists; nothing where each is a number
  json_value element = list.first();
  for (std::int64_t i = 0; i < list.size(); ++i, element = element.behind()) {
    const std::string field = of + " " + std::to_string(i);
    const json_value value = json_object(element, field).at(name);
    const std::string where = field + " " + name;
    if (i == 0 && value.is_array()) width = value.size();
    if (!width) {
      numbers.push_back(number_of<T>(value, where));
      continue;
    }
    if (value.array(where).size() != *width)
      value.fail(where, "has " + std::to_string(value.size()) + " numbers; expected " + std::to_string(*width) +
                            " as the first has");
    json_value number = value.first();
    for (std::int64_t k = 0; k < *width; ++k, number = number.behind()) numbers.push_back(number_of<T>(number, where));
  }
  return tensor_of_list(std::move(numbers), width ? dimensions{list.size(), *width} : dimensions{list.size()});
}

}  // namespace
}  // namespace detail

node_link_graph read_node_link(const std::string& path) try {
  node_link_graph data;
  const auto file = std::make_shared<const detail::node_link_json>(path);
  data.file_ = file;
  data.directed_ = detail::says_true(file->root(), "directed");
  std::unordered_map<std::string, std::int64_t> number;
  const detail::json_value nodes = file->nodes(), edges = file->edges();
  detail::json_value element = nodes.first();
  for (std::int64_t v = 0; v < nodes.size(); ++v, element = element.behind()) {
    const std::string field = "nodes " + std::to_string(v);
    const detail::json_value id = detail::json_object(element, field).at("id");
    const std::string key = id.id(field + " id");  // begins with a quote where it is a text
    if (!number.emplace(key, v).second) id.fail(field + " id", "is another node's too; expected one for each");
    data.ids_.push_back(key.starts_with('"') ? key.substr(1) : key);
  }
  std::vector<std::int64_t> src, dst;
  element = edges.first();
  for (std::int64_t e = 0; e < edges.size(); ++e, element = element.behind()) {
    const std::string field = file->edges_name() + " " + std::to_string(e);
    const detail::json_object members(element, field);
    const auto vertex = [&](const char* end) {
      const detail::json_value id = members.at(end);
      const auto found = number.find(id.id(field + " " + end));
      if (found == number.end()) id.fail(field + " " + end, "is the id of no node; expected one of the nodes'");
      return found->second;
    };
    src.push_back(vertex("source"));
    dst.push_back(vertex("target"));
    if (data.directed_ || src.back() == dst.back()) continue;
    src.push_back(dst.back());
    dst.push_back(src[src.size() - 2]);
  }
  data.graph_ = graph::from_edges(nodes.size(), src, dst);
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

bool node_link_graph::has_vertex_values(std::string_view attribute) const {
  return detail::first_has(file_->nodes(), "nodes", std::string(attribute));
}
bool node_link_graph::has_edge_values(std::string_view attribute) const {
  return detail::first_has(file_->edges(), file_->edges_name(), std::string(attribute));
}

template <class T> tensor<T> node_link_graph::vertex_values(std::string_view attribute) const try {
  return detail::attribute_of<T>(file_->nodes(), "nodes", std::string(attribute));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> edge_values<T> node_link_graph::edge_values(std::string_view attribute) const try {
  tensor<T> stored = detail::attribute_of<T>(file_->edges(), file_->edges_name(), std::string(attribute));
  if (directed_) return graph_.edge_values(stored);
  const dimensions shape =
      stored.rank() == 2 ? dimensions{graph_.edges(), stored.extent(1)} : dimensions{graph_.edges()};
  auto both = tensor<T>::for_overwrite(shape);
  const edge_list list = graph_.edge_list();
  std::int64_t from = 0;
  for (std::int64_t e = 0; e < graph_.edges(); ++e, ++from) {
    const auto at = static_cast<std::size_t>(e);
    both.row(e).assign(stored.row(from));
    if (list.src[at] != list.dst[at]) both.row(++e).assign(stored.row(from));
  }
  return graph_.edge_values(both);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

#define STG_ATTRIBUTES_OF(T)                                                    \
  template tensor<T> node_link_graph::vertex_values<T>(std::string_view) const; \
  template edge_values<T> node_link_graph::edge_values<T>(std::string_view) const;
STG_ATTRIBUTES_OF(float)
STG_ATTRIBUTES_OF(double)
STG_ATTRIBUTES_OF(std::int64_t)
#undef STG_ATTRIBUTES_OF

}  // namespace stg
