// Writing networkx's node-link JSON.
#include "json_text.hpp"    // json_text
#include "text_writer.hpp"  // text_writer
#include "word.hpp"         // in_quotes

#include <stg/data/node_link.hpp>         // write_node_link
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <charconv>     // to_chars
#include <cmath>        // isfinite
#include <type_traits>  // is_floating_point_v
#include <utility>      // move

namespace stg {

namespace {

template <class T> void add_json_number(std::string& to, T number) {
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(number)) throw error("node-link json has no number that is not finite; replace it before");
  char digits[32];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

template <class T>
node_link_values::node_link_values(std::string name, const const_tensor<T>& rows)
    : name_(std::move(name)), shape_(rows.shape()) {
  const T* const first = rows.begin();  // on a device: an error
  const std::int64_t width = rows.rank() == 2 ? rows.extent(1) : 1;
  const bool is_list = rows.rank() == 2;
  add_row_ = [first, width, is_list](std::string& to, std::int64_t row) {
    if (is_list) to += '[';
    for (std::int64_t k = 0; k < width; ++k) {
      if (k > 0) to += ", ";
      add_json_number(to, first[row * width + k]);
    }
    if (is_list) to += ']';
  };
}

template node_link_values::node_link_values(std::string, const const_tensor<float>&);
template node_link_values::node_link_values(std::string, const const_tensor<double>&);
template node_link_values::node_link_values(std::string, const const_tensor<std::int32_t>&);
template node_link_values::node_link_values(std::string, const const_tensor<std::int64_t>&);

void write_node_link(const std::string& path, const graph& g, const std::vector<node_link_values>& of_vertices,
                     const std::vector<node_link_values>& of_edges) try {
  const auto check = [&](const std::vector<node_link_values>& all, std::int64_t rows, const char* of) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string what = "node-link json " + path + " attribute " + detail::in_quotes(all[i].name_);
      const dimensions& shape = all[i].shape_;
      if (shape.rank() < 1 || shape.rank() > 2 || shape[0] != rows)
        throw error(what + " has shape " + to_string(shape) + "; expected a row for each of " + std::to_string(rows) +
                    " " + of);
      for (const char* taken : {"id", "source", "target", "key"})
        if (all[i].name_ == taken) throw error(what + " has a name of the format's own; give another one");
      for (std::size_t j = 0; j < i; ++j)
        if (all[j].name_ == all[i].name_) throw error(what + " is there twice; give each its name");
    }
  };
  if (g.sources() != g.destinations())
    throw error("node-link json " + path + " of a relation between two vertex sets; write graphs of one");
  check(of_vertices, g.vertices(), "vertices");
  check(of_edges, g.edges(), "edges");
  const auto add_attributes = [](std::string& to, const std::vector<node_link_values>& all, std::int64_t row) {
    for (const node_link_values& values : all) {
      to += ", " + detail::json_text(values.name_) + ": ";
      values.add_row_(to, row);
    }
    to += '}';
  };
  detail::text_writer file("node-link json", path);
  const bool has_parallel = g.coalesce().edges() != g.edges();
  file.add(std::string("{\"directed\": true, \"multigraph\": ") + (has_parallel ? "true" : "false") +
           ", \"graph\": {}, \"nodes\": [");
  std::string row;
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    row = (v == 0 ? "\n{\"id\": " : ",\n{\"id\": ") + std::to_string(v);
    add_attributes(row, of_vertices, v);
    file.add(row);
  }
  file.add("], \"edges\": [");
  const edge_list list = g.edge_list();
  for (std::size_t e = 0; e < list.src.size(); ++e) {
    row = (e == 0 ? "\n{\"source\": " : ",\n{\"source\": ") + std::to_string(list.src[e]) +
          ", \"target\": " + std::to_string(list.dst[e]);
    add_attributes(row, of_edges, static_cast<std::int64_t>(e));
    file.add(row);
  }
  file.add("]}\n");
  file.finish();
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
