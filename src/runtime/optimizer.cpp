// Updates of SGD and Adam over all parameters at once.
#include "isa_index.hpp"        // isa_index
#include "optimizer_table.hpp"  // optimizer_table

#include <algorithm>  // min
#include <cmath>      // sqrt
#include <string>     // string

#include <stg/base/error.hpp>            // error
#include <stg/runtime/cuda/updates.hpp>  // gpu::update_sgd, gpu::update_adam
#include <stg/runtime/optimizer.hpp>     // parameter_update
#include <stg/runtime/parallel.hpp>      // parallel_if_worth

namespace stg::detail {

namespace {

constexpr const optimizer_table* tables[] = {STG_FOR_EACH_ISA(&optimizer_table)};

constexpr std::int64_t block = 16384;  // elements of a part
/// Elements in a nanosecond, from the cache. Adam takes a root and divides: sixteen elements take some forty cycles.
constexpr std::int64_t sgd_per_ns = 8, adam_per_ns = 1;

/// update(parameter, first element, elements) for all blocks of all parameters, which are numbered one after the other
/// so that threads wake once.
template <class Update>
void for_blocks(std::span<const parameter_update> all, std::int64_t elements_per_ns, Update update) {
  const auto blocks = [](const parameter_update& u) { return (u.size + block - 1) / block; };
  std::int64_t parts = 0, elements = 0;
  for (const parameter_update& u : all) {
    parts += blocks(u);
    elements += u.size;
  }
  parallel_if_worth(elements / elements_per_ns, parts, [&](std::int64_t part) {
    const parameter_update* u = all.data();
    for (; part >= blocks(*u); ++u) part -= blocks(*u);
    update(*u, part * block, std::min(block, u->size - part * block));
  });
}

template <class T> T* at(void* array, std::int64_t i) { return static_cast<T*>(array) + i; }
template <class T> const T* at(const void* array, std::int64_t i) { return static_cast<const T*>(array) + i; }

template <class T>
void sgd_block(const optimizer_functions<T>& f, const parameter_update& u, std::int64_t i, std::int64_t n,
               const sgd_options& o) {
  const sgd_factors<T> factors{static_cast<T>(o.learning_rate), static_cast<T>(o.momentum), static_cast<T>(u.decay)};
  f.sgd(at<T>(u.value, i), at<T>(u.gradient, i), at<T>(u.first, i), n, factors);
}

template <class T>
void adam_block(const optimizer_functions<T>& f, const parameter_update& u, std::int64_t i, std::int64_t n,
                const adam_options& o, const adam_progress& now) {
  const adam_factors<T> factors{average<T>(o.beta1),       average<T>(o.beta2),       static_cast<T>(now.rate),
                                static_cast<T>(now.scale), static_cast<T>(o.epsilon), static_cast<T>(u.decay)};
  f.adam(at<T>(u.value, i), at<T>(u.gradient, i), at<T>(u.first, i), at<T>(u.second, i), n, factors);
}

}  // namespace

void update_sgd(location where, std::span<const parameter_update> all, const sgd_options& o) {
  if (!where.is_host()) return gpu::update_sgd(where, all, o);
  const optimizer_table& table = *tables[isa_index()];
  for_blocks(all, sgd_per_ns, [&](const parameter_update& u, std::int64_t i, std::int64_t n) {
    if (u.in_double) sgd_block(table.f64, u, i, n, o);
    else sgd_block(table.f32, u, i, n, o);
  });
}

void update_adam(location where, std::span<const parameter_update> all, const adam_options& o,
                 adam_progress* progress) {
  if (!where.is_host()) return gpu::update_adam(where, all, o, progress);
  const optimizer_table& table = *tables[isa_index()];
  progress->advance(o.learning_rate, o.beta1, o.beta2, [](double x) { return std::sqrt(x); });
  for_blocks(all, adam_per_ns, [&](const parameter_update& u, std::int64_t i, std::int64_t n) {
    if (u.in_double) adam_block(table.f64, u, i, n, o, *progress);
    else adam_block(table.f32, u, i, n, o, *progress);
  });
}

tensor<double> no_progress(location where) {
  constexpr adam_progress begin;
  static_assert(sizeof(begin) == 4 * sizeof(double));
  return tensor<double>::view_of(const_cast<double*>(&begin.beta1_power), {4}).to(where);
}

void wrong_gradient(std::string_view name, const dimensions& gradient, const dimensions& parameter) {
  throw error("gradient of '" + std::string(name) + "' has shape " + to_string(gradient) + "; the parameter has " +
              to_string(parameter));
}

void wrong_state(std::string_view name, const dimensions& state, const dimensions& parameter) {
  throw error("parameter '" + std::string(name) + "' has shape " + to_string(parameter) + ", the optimiser's state " +
              to_string(state) + "; make the optimiser after the parameters have their shapes");
}

void wrong_place(std::string_view what, std::string_view name, location lies, location optimiser) {
  throw error(std::string(what) + " '" + std::string(name) + "' lies on " + to_string(lies) +
              ", the optimiser's state on " + to_string(optimiser) +
              "; make the optimiser once all parameters are where they are trained");
}

}  // namespace stg::detail
