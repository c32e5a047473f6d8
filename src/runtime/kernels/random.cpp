// Random masks: what the elements of a row have in common, and the choice of the instruction set.
#include "isa_index.hpp"     // isa_index
#include "random_table.hpp"  // random_table

#include <stg/base/keep_mask.hpp>  // keep_threshold, mask_key0, mask_key1
#include <stg/runtime/random.hpp>  // draw_keep_row, draw_keep_rows

namespace stg {

namespace {
constexpr const random_table* random_tables[] = {STG_FOR_EACH_ISA(&random_table)};
}  // namespace

template <class T>
void draw_keep_rows(T* to, std::int64_t stride, std::uint64_t seed, std::uint32_t call, std::int64_t site,
                    const std::int64_t* rows, std::int64_t count, std::int64_t width, double p) {
  const mask_draw draw{static_cast<std::uint32_t>(site), mask_key0(seed), mask_key1(seed, call), keep_threshold(p)};
  const T kept = static_cast<T>(1 / (1 - p));
  const random_table& table = *random_tables[detail::isa_index()];
  if constexpr (sizeof(T) == sizeof(float)) table.f32(to, stride, rows, count, width, draw, kept);
  else table.f64(to, stride, rows, count, width, draw, kept);
}

template <class T>
void draw_keep_row(T* to, std::uint64_t seed, std::uint32_t call, std::int64_t site, std::int64_t row,
                   std::int64_t width, double p) {
  draw_keep_rows(to, width, seed, call, site, &row, 1, width, p);
}

template void draw_keep_rows(float*, std::int64_t, std::uint64_t, std::uint32_t, std::int64_t, const std::int64_t*,
                             std::int64_t, std::int64_t, double);
template void draw_keep_rows(double*, std::int64_t, std::uint64_t, std::uint32_t, std::int64_t, const std::int64_t*,
                             std::int64_t, std::int64_t, double);
template void draw_keep_row(float*, std::uint64_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t, double);
template void draw_keep_row(double*, std::uint64_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t, double);

}  // namespace stg
