// Updates of SGD and Adam over all parameters at once.
#include "isa_index.hpp"        // isa_index
#include "optimizer_table.hpp"  // optimizer_table

#include <algorithm>  // min
#include <cmath>      // sqrt, pow
#include <string>     // string

#include <stg/base/error.hpp>         // error
#include <stg/runtime/optimizer.hpp>  // parameter_update
#include <stg/runtime/parallel.hpp>   // parallel_if_worth

namespace stg::detail {

namespace {

constexpr const optimizer_table* tables[] = {STG_FOR_EACH_ISA(&optimizer_table)};

constexpr std::int64_t block = 16384;        // elements of a part
constexpr std::int64_t elements_per_ns = 8;  // from the cache; a quarter of that from memory

/// update(parameter, first element, elements) for all blocks of all parameters, which are numbered one after the other
/// so that threads wake once.
template <class Update> void for_blocks(std::span<const parameter_update> all, Update update) {
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
  f.sgd(at<T>(u.value, i), at<T>(u.gradient, i), at<T>(u.first, i), n, static_cast<T>(o.learning_rate),
        static_cast<T>(o.momentum), static_cast<T>(u.decay));
}

template <class T>
void adam_block(const optimizer_functions<T>& f, const parameter_update& u, std::int64_t i, std::int64_t n,
                const adam_options& o, double rate, double scale) {
  const adam_factors<T> factors{static_cast<T>(o.beta1), static_cast<T>(o.beta2),   static_cast<T>(rate),
                                static_cast<T>(scale),   static_cast<T>(o.epsilon), static_cast<T>(u.decay)};
  f.adam(at<T>(u.value, i), at<T>(u.gradient, i), at<T>(u.first, i), at<T>(u.second, i), n, factors);
}

}  // namespace

void update_sgd(std::span<const parameter_update> all, const sgd_options& o) {
  const optimizer_table& table = *tables[isa_index()];
  for_blocks(all, [&](const parameter_update& u, std::int64_t i, std::int64_t n) {
    if (u.in_double) sgd_block(table.f64, u, i, n, o);
    else sgd_block(table.f32, u, i, n, o);
  });
}

void update_adam(std::span<const parameter_update> all, const adam_options& o, std::int64_t step) {
  const optimizer_table& table = *tables[isa_index()];
  const double rate = o.learning_rate / (1 - std::pow(o.beta1, static_cast<double>(step))),
               scale = 1 / std::sqrt(1 - std::pow(o.beta2, static_cast<double>(step)));
  for_blocks(all, [&](const parameter_update& u, std::int64_t i, std::int64_t n) {
    if (u.in_double) adam_block(table.f64, u, i, n, o, rate, scale);
    else adam_block(table.f32, u, i, n, o, rate, scale);
  });
}

void wrong_gradient(std::string_view name, const dimensions& gradient, const dimensions& parameter) {
  throw error("gradient of '" + std::string(name) + "' has shape " + to_string(gradient) + "; the parameter has " +
              to_string(parameter));
}

}  // namespace stg::detail
