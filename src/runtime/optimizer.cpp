// Updates of SGD and Adam.
#include <stg/runtime/optimizer.hpp>

#include <cmath>   // sqrt, pow
#include <string>  // string

#include <stg/base/error.hpp>  // error

namespace stg::detail {

template <class T> void update_sgd(T* w, const T* g, T* velocity, std::int64_t n, const sgd_options& o, double decay) {
  const T rate = static_cast<T>(o.learning_rate), momentum = static_cast<T>(o.momentum),
          penalty = static_cast<T>(decay);
  for (std::int64_t i = 0; i < n; ++i) {
    velocity[i] = momentum * velocity[i] + (g[i] + penalty * w[i]);
    w[i] -= rate * velocity[i];
  }
}

template <class T>
void update_adam(T* w, const T* g, T* m, T* v, std::int64_t n, const adam_options& o, double decay, std::int64_t step) {
  const T b1 = static_cast<T>(o.beta1), b2 = static_cast<T>(o.beta2), penalty = static_cast<T>(decay);
  const double c1 = 1 - std::pow(o.beta1, static_cast<double>(step)),
               c2 = 1 - std::pow(o.beta2, static_cast<double>(step));
  const T rate = static_cast<T>(o.learning_rate / c1), scale = static_cast<T>(1 / std::sqrt(c2)),
          epsilon = static_cast<T>(o.epsilon);
  for (std::int64_t i = 0; i < n; ++i) {
    const T d = g[i] + penalty * w[i];
    m[i] = b1 * m[i] + (1 - b1) * d;
    v[i] = b2 * v[i] + (1 - b2) * d * d;
    w[i] -= rate * m[i] / (std::sqrt(v[i]) * scale + epsilon);
  }
}

void wrong_gradient(std::string_view name, const dimensions& gradient, const dimensions& parameter) {
  throw error("gradient of '" + std::string(name) + "' has shape " + to_string(gradient) + "; the parameter has " +
              to_string(parameter));
}

template void update_sgd(float*, const float*, float*, std::int64_t, const sgd_options&, double);
template void update_sgd(double*, const double*, double*, std::int64_t, const sgd_options&, double);
template void update_adam(float*, const float*, float*, float*, std::int64_t, const adam_options&, double,
                          std::int64_t);
template void update_adam(double*, const double*, double*, double*, std::int64_t, const adam_options&, double,
                          std::int64_t);

}  // namespace stg::detail
