// Writing the coordinates of a matrix, an entry on each line.
#include "text_writer.hpp"  // text_writer

#include <stg/data/matrix_market.hpp>     // write_matrix_market
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <cmath>        // isfinite
#include <type_traits>  // is_floating_point_v

namespace stg {

namespace {

/// `add_value` writes the value of an edge of the list, if there is one.
template <class AddValue>
void write_matrix(const std::string& path, const graph& g, const char* field, const AddValue& add_value) {
  if (g.sources() != g.destinations())
    throw error("matrix " + path + " would have " + std::to_string(g.sources()) + " rows and " +
                std::to_string(g.destinations()) + " columns; write graphs of one vertex set");
  detail::text_writer file("matrix", path);
  file.add(std::string("%%MatrixMarket matrix coordinate ") + field + " general\n");
  const auto add_pair = [&](std::int64_t first, std::int64_t second) {
    file.add_number(first);
    file.add(" ");
    file.add_number(second);
  };
  add_pair(g.vertices(), g.vertices());
  file.add(" ");
  file.add_number(g.edges());
  file.add("\n");
  const edge_list list = g.edge_list();
  for (std::size_t e = 0; e < list.src.size(); ++e) {
    add_pair(std::int64_t{list.src[e]} + 1, std::int64_t{list.dst[e]} + 1);
    add_value(file, static_cast<std::int64_t>(e));
    file.add("\n");
  }
  file.finish();
}

}  // namespace

void write_matrix_market(const std::string& path, const graph& g) try {
  write_matrix(path, g, "pattern", [](detail::text_writer&, std::int64_t) {});
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> void write_matrix_market(const std::string& path, const graph& g, const edge_values<T>& values) try {
  const tensor<T> in_order = g.to_input_order(values);
  constexpr bool is_real = std::is_floating_point_v<T>;
  if (in_order.size() != g.edges())
    throw error("matrix " + path + " would have values of shape " + to_string(in_order.shape()) +
                "; give one number for each edge");
  write_matrix(path, g, is_real ? "real" : "integer", [&](detail::text_writer& file, std::int64_t e) {
    const T value = in_order.data()[e];
    if constexpr (is_real)
      if (!std::isfinite(value))
        throw error("matrix " + path + " would have a value of edge " + std::to_string(e) +
                    " that is not finite; give numbers that text can hold");
    file.add(" ");
    file.add_number(value);
  });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template void write_matrix_market(const std::string&, const graph&, const edge_values<float>&);
template void write_matrix_market(const std::string&, const graph&, const edge_values<double>&);
template void write_matrix_market(const std::string&, const graph&, const edge_values<std::int32_t>&);
template void write_matrix_market(const std::string&, const graph&, const edge_values<std::int64_t>&);

}  // namespace stg
