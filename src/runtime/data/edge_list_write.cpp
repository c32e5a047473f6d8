// Writing lists of edges, and coordinates of matrices: an edge on each line.
#include "text_writer.hpp"  // text_writer

#include <stg/data/edge_list_write.hpp>   // write_edge_list
#include <stg/data/matrix_market.hpp>     // write_matrix_market
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <cmath>        // isfinite
#include <type_traits>  // is_floating_point_v

namespace stg {

namespace {

/// How a kind of file has its edges: its name in sentences, what stands between words, the number of the first vertex.
struct edge_lines {
  const char* kind;
  char separator;
  std::int64_t first;

  std::string named(const std::string& path) const { return std::string(kind) + ' ' + path; }
};

constexpr edge_lines in_matrix{"matrix", ' ', 1};

/// Errors before a file is opened.
void check_one_set(const edge_lines& how, const std::string& path, const graph& g) {
  if (g.sources() != g.destinations())
    throw error(how.named(path) + " would have " + std::to_string(g.sources()) + " rows and " +
                std::to_string(g.destinations()) + " columns; write graphs of one vertex set");
}
void check_separator(const std::string& path, char separator) {
  if (separator != ' ' && separator != '\t' && separator != ',')
    throw error("edge list " + path + " would have words that nobody tells apart; separate them by ' ', '\\t' or ','");
}

/// `add_value` writes the value of an edge of the list, if there is one.
template <class AddValue>
void add_edges(detail::text_writer& file, const edge_lines& how, const graph& g, const AddValue& add_value) {
  const edge_list list = g.edge_list();
  for (std::size_t e = 0; e < list.src.size(); ++e) {
    file.add_number(how.first + list.src[e]);
    file.add({&how.separator, 1});
    file.add_number(how.first + list.dst[e]);
    add_value(file, static_cast<std::int64_t>(e));
    file.add("\n");
  }
}
void add_no_value(detail::text_writer&, std::int64_t) {}

/// Values in the order of the list. Error for several numbers for an edge.
template <class T>
tensor<T> one_for_each(const edge_lines& how, const std::string& path, const graph& g, const edge_values<T>& values) {
  tensor<T> in_order = g.to_input_order(values);
  if (in_order.size() != g.edges())
    throw error(how.named(path) + " would have values of shape " + to_string(in_order.shape()) +
                "; give one number for each edge");
  return in_order;
}
template <class T>
void add_value_of(detail::text_writer& file, const edge_lines& how, const std::string& path, const tensor<T>& of,
                  std::int64_t e) {
  const T value = of.data()[e];
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value))
      throw error(how.named(path) + " would have a value of edge " + std::to_string(e) +
                  " that is not finite; give numbers that text can hold");
  file.add({&how.separator, 1});
  file.add_number(value);
}

template <class AddValue>
void write_matrix(const std::string& path, const graph& g, const char* field, const AddValue& add_value) {
  detail::text_writer file(in_matrix.kind, path);
  file.add(std::string("%%MatrixMarket matrix coordinate ") + field + " general\n");
  file.add_number(g.vertices());
  file.add(" ");
  file.add_number(g.vertices());
  file.add(" ");
  file.add_number(g.edges());
  file.add("\n");
  add_edges(file, in_matrix, g, add_value);
  file.finish();
}

}  // namespace

void write_matrix_market(const std::string& path, const graph& g) try {
  check_one_set(in_matrix, path, g);
  write_matrix(path, g, "pattern", add_no_value);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> void write_matrix_market(const std::string& path, const graph& g, const edge_values<T>& values) try {
  check_one_set(in_matrix, path, g);
  const tensor<T> in_order = one_for_each(in_matrix, path, g, values);
  write_matrix(path, g, std::is_floating_point_v<T> ? "real" : "integer",
               [&](detail::text_writer& file, auto e) { add_value_of(file, in_matrix, path, in_order, e); });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void write_edge_list(const std::string& path, const graph& g, char separator) try {
  const edge_lines how{"edge list", separator, 0};
  check_one_set(how, path, g);
  check_separator(path, separator);
  detail::text_writer file(how.kind, path);
  add_edges(file, how, g, add_no_value);
  file.finish();
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T>
void write_edge_list(const std::string& path, const graph& g, const edge_values<T>& weights, char separator) try {
  const edge_lines how{"edge list", separator, 0};
  check_one_set(how, path, g);
  check_separator(path, separator);
  const tensor<T> in_order = one_for_each(how, path, g, weights);
  detail::text_writer file(how.kind, path);
  // `how` is made anew: g++ warns of a template's lambda that holds a type of this file (-Wsubobject-linkage).
  add_edges(file, how, g, [&in_order, &path, separator](detail::text_writer& to, auto e) {
    add_value_of(to, {"edge list", separator, 0}, path, in_order, e);
  });
  file.finish();
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template void write_matrix_market(const std::string&, const graph&, const edge_values<float>&);
template void write_matrix_market(const std::string&, const graph&, const edge_values<double>&);
template void write_matrix_market(const std::string&, const graph&, const edge_values<std::int32_t>&);
template void write_matrix_market(const std::string&, const graph&, const edge_values<std::int64_t>&);
template void write_edge_list(const std::string&, const graph&, const edge_values<float>&, char);
template void write_edge_list(const std::string&, const graph&, const edge_values<double>&, char);
template void write_edge_list(const std::string&, const graph&, const edge_values<std::int32_t>&, char);
template void write_edge_list(const std::string&, const graph&, const edge_values<std::int64_t>&, char);

}  // namespace stg
