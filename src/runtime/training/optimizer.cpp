// Updates of SGD, Adam and AdamW over all parameters at once.
#include "../kernels/optimizer_blocks.hpp"  // for_blocks, at, optimizer_loops
#include "../tensor/shortest_text.hpp"      // shortest_text
#include "state_numbers.hpp"                // check_shape, check_rate

#include <cmath>   // isfinite, sqrt
#include <string>  // string

#include <stg/base/error.hpp>            // error
#include <stg/runtime/cuda/updates.hpp>  // gpu::update_sgd, gpu::update_adam
#include <stg/runtime/optimizer.hpp>     // parameter_update

namespace stg::detail {

namespace {

/// Elements in a nanosecond, from the cache. Adam takes a root and divides: sixteen elements take some forty cycles.
constexpr std::int64_t sgd_per_ns = 8, adam_per_ns = 1;

template <class T>
void sgd_block(const optimizer_functions<T>& f, const parameter_update& u, std::int64_t i, std::int64_t n,
               const sgd_options& o) {
  const sgd_factors<T> factors{static_cast<T>(o.learning_rate), average<T>(o.momentum), static_cast<T>(u.decay)};
  f.sgd(at<T>(u.value, i), at<T>(u.gradient, i), at<T>(u.first, i), n, factors);
}

template <class T>
void adam_block(const optimizer_functions<T>& f, const parameter_update& u, std::int64_t i, std::int64_t n,
                const adam_options& o, decay_of decays, const adam_progress& now) {
  const adam_factors<T> factors{average<T>(o.beta1),
                                average<T>(o.beta2),
                                static_cast<T>(now.rate),
                                static_cast<T>(now.scale),
                                static_cast<T>(o.epsilon),
                                static_cast<T>(decays == decay_of::gradient ? u.decay : 0),
                                static_cast<T>(decays == decay_of::parameter ? o.learning_rate * u.decay : 0)};
  f.adam(at<T>(u.value, i), at<T>(u.gradient, i), at<T>(u.first, i), at<T>(u.second, i), n, factors);
}

}  // namespace

void update_sgd(location where, std::span<const parameter_update> all, const sgd_options& o) {
  if (!where.is_host()) return gpu::update_sgd(where, all, o);
  const optimizer_table& table = optimizer_loops();
  for_blocks(all, sgd_per_ns, [&](const parameter_update& u, std::int64_t i, std::int64_t n) {
    if (u.in_double) sgd_block(table.f64, u, i, n, o);
    else sgd_block(table.f32, u, i, n, o);
  });
}

void update_adam(location where, std::span<const parameter_update> all, const adam_options& o, decay_of decays,
                 adam_progress* progress) {
  if (!where.is_host()) return gpu::update_adam(where, all, o, decays, progress);
  const optimizer_table& table = optimizer_loops();
  progress->advance(o.learning_rate, o.beta1, o.beta2, [](double x) { return std::sqrt(x); });
  for_blocks(all, adam_per_ns, [&](const parameter_update& u, std::int64_t i, std::int64_t n) {
    if (u.in_double) adam_block(table.f64, u, i, n, o, decays, *progress);
    else adam_block(table.f32, u, i, n, o, decays, *progress);
  });
}

constexpr std::int64_t progress_numbers = 5;
static_assert(sizeof(adam_progress) == progress_numbers * sizeof(double));

tensor<double> no_progress(location where) {
  tensor<double> begin({progress_numbers}, where);
  write_progress(begin, {});
  return begin;
}

adam_progress read_progress(const tensor<double>& from) {
  adam_progress now;
  tensor<double>::view_of(&now.beta1_power, {progress_numbers}).assign(from);
  return now;
}

void write_progress(tensor<double>& to, const adam_progress& now) {
  to.assign(tensor<double>::view_of(&now.beta1_power, {progress_numbers}));
}

namespace {

/// An option that is a finite number, 0 or more.
void check_positive(const std::string& name, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw error(name + " is " + shortest_text(value) + "; give a finite number, 0 or more");
}
void check_share(const std::string& name, double value) {
  if (!(value >= 0 && value < 1)) throw error(name + " is " + shortest_text(value) + "; give a number in [0, 1)");
}
template <class Options> void check_adam(const Options& o) {
  check_positive("learning rate", o.learning_rate);
  check_share("beta1", o.beta1);
  check_share("beta2", o.beta2);
  check_positive("epsilon", o.epsilon);
}

}  // namespace

const sgd_options& checked(const sgd_options& o) {
  check_positive("learning rate", o.learning_rate);
  check_positive("momentum", o.momentum);
  return o;
}
const adam_options& checked(const adam_options& o) { return check_adam(o), o; }
const adamw_options& checked(const adamw_options& o) {
  check_adam(o);
  checked_decay(o.weight_decay, "");
  return o;
}

double checked_learning_rate(double rate) { return check_positive("learning rate", rate), rate; }
double checked_decay(double decay, std::string_view of) {
  check_positive(of.empty() ? "weight decay" : "weight decay of '" + std::string(of) + "'", decay);
  return decay;
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

void check_state_numbers(const tensor<double>& numbers, std::int64_t count, const std::string& file) {
  check_shape(numbers, count, file);
  check_rate(numbers(0), file);
  if (!is_whole(numbers(1))) refuse_file(file, "has " + shortest_text(numbers(1)) + " steps");
  for (std::int64_t i = 2; i < count; ++i)
    if (!(numbers(i) >= 0 && numbers(i) <= 1)) refuse_file(file, "has a power of beta of " + shortest_text(numbers(i)));
}

}  // namespace stg::detail
