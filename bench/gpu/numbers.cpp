// Numbers from their positions.
#include "numbers.hpp"

#include <stg/runtime/parallel.hpp>  // parallel

namespace device_bench {

stg::tensor<float> numbers(const stg::dimensions& shape, std::uint32_t seed, float scale) {
  auto t = stg::tensor<float>::for_overwrite(shape);
  constexpr std::int64_t parts = 64;
  stg::parallel(parts, [&](std::int64_t p) {
    for (std::int64_t i = t.size() * p / parts; i < t.size() * (p + 1) / parts; ++i)
      t.data()[i] = number(static_cast<std::uint32_t>(i), seed, scale);
  });
  return t;
}

}  // namespace device_bench
