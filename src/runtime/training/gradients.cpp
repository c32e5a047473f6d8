// Sums, norms and limits of gradient sets.
#include "../kernels/optimizer_blocks.hpp"  // for_blocks, at, optimizer_loops
#include "../tensor/shortest_text.hpp"      // shortest_text

#include <algorithm>  // max, min
#include <cmath>      // sqrt
#include <string>     // string

#include <stg/base/error.hpp>            // error
#include <stg/runtime/cuda/updates.hpp>  // gpu::add_scaled and its like
#include <stg/runtime/gradients.hpp>     // add_scaled

namespace stg::detail {

namespace {

constexpr std::int64_t added_per_ns = 8;  // elements, from the cache

/// update(loops of T, block's array, its source or null, elements)
template <class Update> void for_each_block(std::span<const parameter_update> all, Update update) {
  const optimizer_table& table = optimizer_loops();
  for_blocks(all, added_per_ns, [&](const parameter_update& u, std::int64_t i, std::int64_t n) {
    if (u.in_double) update(table.f64, at<double>(u.value, i), at<double>(u.gradient, i), n);
    else update(table.f32, at<float>(u.value, i), at<float>(u.gradient, i), n);
  });
}

/// The sum of squares of one array: of at most 64 parts, whose number its size alone decides, added in order.
template <class T> double squares_of(const optimizer_functions<T>& loops, const T* x, std::int64_t size) {
  constexpr std::int64_t most = 64;
  const std::int64_t parts = std::min(most, (size + updated_block - 1) / updated_block);
  double sums[most] = {};
  parallel_if_worth(size / added_per_ns, parts, [&](std::int64_t part) {
    const std::int64_t begin = size * part / parts, end = size * (part + 1) / parts;
    sums[part] = loops.squares(x + begin, end - begin);
  });
  double sum = 0;
  for (std::int64_t part = 0; part < parts; ++part) sum += sums[part];
  return sum;
}

}  // namespace

void add_scaled(location where, std::span<const parameter_update> all, double factor) {
  if (!where.is_host()) return gpu::add_scaled(where, all, factor);
  for_each_block(all, [&]<class T>(const optimizer_functions<T>& loops, T* to, const T* from, std::int64_t n) {
    loops.add(to, from, n, static_cast<T>(factor));
  });
}

void scale(location where, std::span<const parameter_update> all, double factor) {
  if (!where.is_host()) return gpu::scale(where, all, factor);
  for_each_block(all, [&]<class T>(const optimizer_functions<T>& loops, T* x, const T*, std::int64_t n) {
    loops.scale(x, n, static_cast<T>(factor));
  });
}

void limit(location where, std::span<const parameter_update> all, double most) {
  if (!where.is_host()) return gpu::limit(where, all, most);
  for_each_block(all, [&]<class T>(const optimizer_functions<T>& loops, T* x, const T*, std::int64_t n) {
    loops.limit(x, n, static_cast<T>(most));
  });
}

double norm(location where, std::span<const parameter_update> all) {
  if (!where.is_host()) return std::sqrt(gpu::sum_of_squares(where, all));
  const optimizer_table& table = optimizer_loops();
  double sum = 0;
  for (const parameter_update& u : all)
    sum += u.in_double ? squares_of(table.f64, at<double>(u.value, 0), u.size)
                       : squares_of(table.f32, at<float>(u.value, 0), u.size);
  return std::sqrt(sum);
}

double checked_limit(double limit) {
  if (!(limit > 0)) throw error("gradients are clipped to " + shortest_text(limit) + "; give a number above 0");
  return limit;
}

void wrong_summand(std::string_view name, const dimensions& to, const dimensions& from) {
  throw error("'" + std::string(name) + "' has shape " + to_string(from) + " in the set that is added, " +
              to_string(to) + " in the sum; add sets of the same parameters");
}

void scattered_set(std::string_view name, location lies, location other) {
  throw error("'" + std::string(name) + "' lies on " + to_string(lies) + ", other values on " + to_string(other) +
              "; bring them to one place");
}

}  // namespace stg::detail
