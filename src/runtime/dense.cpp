// Dense products cut into blocks, and the choice of the instruction set.
#include "dense_table.hpp"  // dense_table

#include <stg/base/error.hpp>        // error
#include <stg/runtime/dense.hpp>     // product, reduced_product
#include <stg/runtime/parallel.hpp>  // parallel

#include <algorithm>  // fill_n, min
#include <atomic>     // atomic
#include <cstdlib>    // getenv
#include <string>     // string

namespace stg {

namespace {

constexpr std::int64_t block_rows = 256;         // of a product
constexpr std::int64_t block_columns = 256;      // of x in a reduced product
constexpr std::int64_t serial_work = 1 << 19;    // multiplications below which waking threads costs more
constexpr std::int64_t combine_elements = 4096;  // of slabs added up by one part

struct choice {
  const char* name;
  bool (*available)();
  const dense_table& (*table)();
};

constexpr choice choices[] = {
#if defined(STG_DENSE_X86)
    {"avx512",
     [] {
       return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
     },
     dense_table_avx512},
    {"avx2", [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }, dense_table_avx2},
#endif
    {"baseline", [] { return true; }, dense_table_baseline},
};

const choice* named(std::string_view name) {
  for (const choice& c : choices)
    if (c.name == name) {
      if (!c.available()) throw error("instruction set " + std::string(name) + " is not on this machine; use baseline");
      return &c;
    }
  throw error("instruction set \"" + std::string(name) + "\" is unknown; use baseline, avx2 or avx512");
}

const choice* chosen_at_start() {
  if (const char* asked = std::getenv("STG_ISA"); asked != nullptr && *asked != '\0') return named(asked);
  for (const choice& c : choices)
    if (c.available()) return &c;
  return &choices[std::size(choices) - 1];
}

std::atomic<const choice*>& chosen() {
  static std::atomic<const choice*> c{chosen_at_start()};
  return c;
}

template <class T> const dense_functions<T>& functions() {
  const dense_table& table = chosen().load(std::memory_order_relaxed)->table();
  if constexpr (sizeof(T) == sizeof(float))
    return table.f32;
  else
    return table.f64;
}

/// Same parts either way; only who runs them differs.
template <class Body> void parallel_if_large(std::int64_t work, std::int64_t parts, Body&& body) {
  if (work < serial_work)
    for (std::int64_t part = 0; part < parts; ++part) body(part);
  else
    parallel(parts, body);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

const char* dense_isa() { return chosen().load(std::memory_order_relaxed)->name; }

void set_dense_isa(std::string_view name) { chosen().store(named(name), std::memory_order_relaxed); }

template <class T>
void product(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols, bool transpose_w) {
  if (rows == 0 || cols == 0) return;
  if (inner == 0) {
    std::fill_n(y, rows * cols, T{0});
    return;
  }
  const auto run = functions<T>().product_block;
  parallel_if_large(rows * inner * cols, ceil_div(rows, block_rows), [&](std::int64_t part) {
    const std::int64_t begin = part * block_rows;
    run(x + begin * inner, w, y + begin * cols, std::min(block_rows, rows - begin), inner, cols, transpose_w);
  });
}

template <class T>
void reduced_product(const T* x, const T* g, T* y, T* scratch, std::int64_t rows, std::int64_t k, std::int64_t m) {
  if (k == 0 || m == 0) return;
  if (rows == 0) {
    std::fill_n(y, k * m, T{0});
    return;
  }
  const std::int64_t slabs = reduced_product_slabs(rows), strips = ceil_div(k, block_columns), size = k * m;
  T* const sums = slabs == 1 ? y : scratch;  // (slabs, k, m)
  const auto run = functions<T>().reduced_block;
  parallel_if_large(rows * size, slabs * strips, [&](std::int64_t part) {
    const std::int64_t slab = part / strips, column = part % strips * block_columns;
    const std::int64_t begin = rows * slab / slabs, end = rows * (slab + 1) / slabs;
    run(x + begin * k + column, k, std::min(block_columns, k - column), g + begin * m, sums + slab * size + column * m,
        end - begin, m);
  });
  if (slabs == 1) return;
  parallel_if_large(size * slabs, ceil_div(size, combine_elements), [&](std::int64_t part) {
    const std::int64_t begin = part * combine_elements, end = std::min(begin + combine_elements, size);
    for (std::int64_t i = begin; i < end; ++i) {
      T sum = sums[i];
      for (std::int64_t slab = 1; slab < slabs; ++slab) sum += sums[slab * size + i];
      y[i] = sum;
    }
  });
}

template void product(const float*, const float*, float*, std::int64_t, std::int64_t, std::int64_t, bool);
template void product(const double*, const double*, double*, std::int64_t, std::int64_t, std::int64_t, bool);
template void reduced_product(const float*, const float*, float*, float*, std::int64_t, std::int64_t, std::int64_t);
template void reduced_product(const double*, const double*, double*, double*, std::int64_t, std::int64_t, std::int64_t);

}  // namespace stg
