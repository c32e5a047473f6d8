// The entry points of one instruction set's kernels for drafts: a statement's numbers, one after the other.
#pragma once

#include <cstdint>  // int32_t, int64_t

#include <stg/ir/opcode.hpp>               // opcode_count
#include <stg/ir/scalar.hpp>               // scalar_type
#include <stg/runtime/own_operations.hpp>  // draft_operands, draft_pointwise, draft_register

namespace stg {

/// to[f] combined with from[r * width + f] for all r < rows. Rows are combined with each other first.
using draft_fold = void (*)(void* to, const void* from, std::int64_t rows, std::int64_t width);
/// The same of rows ids[r] of a table.
using draft_fold_of = void (*)(void* to, const void* table, const std::int32_t* ids, std::int64_t rows,
                               std::int64_t width);
/// Sums of a table's rows ids[r] times weights: to[h * width + f] gets the sum of weights[r * heads + h] times element
/// (h, f) of the row. known: how many ids lie there; rows behind the last are asked for ahead.
using draft_weighted_sum = void (*)(void* to, const void* table, const std::int32_t* ids, const void* weights,
                                    std::int64_t rows, std::int64_t heads, std::int64_t width, std::int64_t known);
/// to[r] is the fold of from[r * inner + i] for all i < inner.
using draft_reduction = void (*)(void* to, const void* from, std::int64_t rows, std::int64_t inner);

inline constexpr int draft_types = 6;  // f32, f64, i32, boolean, bf16, f16: those of a program

/// What there is for an operation and a type; null where it has no numbers of it.
struct draft_kernels {
  draft_pointwise pointwise;  // by the type of the last operand
  draft_fold fold;            // of an aggregate that takes messages element by element
  draft_fold_of fold_of;
  draft_reduction reduce;  // of a sum or a maximum along features
};
struct draft_table {
  draft_kernels of[ir::opcode_count][draft_types];
  draft_pointwise cast[draft_types][draft_types];  // to, from
  draft_weighted_sum weighted_sum[draft_types];    // of real numbers; else null

  const draft_kernels& kernels(ir::opcode code, scalar_type type) const {
    return of[static_cast<int>(code)][static_cast<int>(type)];
  }
};

extern const draft_table draft_table_baseline;
extern const draft_table draft_table_avx2;  // these two exist on x86-64 alone
extern const draft_table draft_table_avx512;

}  // namespace stg
