// The entry points of one instruction set's probes.
#pragma once

#include <stg/runtime/adjacency.hpp>  // adjacency

#include <cstdint>  // int64_t

namespace stg {

/// Sums are returned so that no compiler drops the reads.
struct probe_table {
  float (*gather)(const adjacency& rows, std::int64_t first, std::int64_t last, const float* x, std::int64_t width,
                  int distance);
  float (*read)(const float* x, std::int64_t count);
  void (*write)(float* x, std::int64_t count);
  void (*triad)(float* a, const float* b, const float* c, std::int64_t count);
  float (*multiply_add)(std::int64_t rounds);
  std::int64_t operations_a_round;
};

extern const probe_table probe_table_baseline;
extern const probe_table probe_table_avx2;  // these two exist on x86-64 alone
extern const probe_table probe_table_avx512;

}  // namespace stg
