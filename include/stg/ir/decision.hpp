// decision: how a program is to be computed, in one entry of its table: of a value, a scope, a pair of values or the
// whole.
//
// Decisions are no part of what a program computes. The words of a lambda, with<f, pass::choices> and a user's passes
// write them; passes carry them along, as they carry names (attachments.hpp), and the passes that plan ask for them.
#pragma once

#include <cstdint>      // int64_t
#include <string_view>  // string_view

#include <stg/base/standard.hpp>  // C++20

namespace stg::ir {

// The numbers that passes decide by, with their measured values: word(type, name, measured value). `pass::choices`
// (analysis/choices.hpp) has a member for each, and a program a decision for each that differs. Costs are arithmetic
// operations per element (op::info).
// clang-format off
#define STG_CHOICES(word)                                                                                           \
  /* save: per-vertex work that is done again rather than stored costs no more */                                   \
  word(int, recomputed_cost, 12)                                                                                    \
  /* save: so many numbers per vertex are saved instead of a wider value computed from them */                      \
  word(int, few_numbers, 8)                                                                                         \
  /* hoist: cost from which one number per vertex is kept for calls with fixed inputs */                            \
  word(int, kept_number_cost, 4)                                                                                    \
  /* hoist: cost above which a whole row is kept */                                                                 \
  word(int, kept_row_cost, 12)                                                                                      \
  /* factor: a message is taken apart into so many terms at most */                                                 \
  word(int, most_terms, 4)                                                                                          \
  /* sink: highest cost of work moved from a vertex to its edges, so that a wide table is gathered as it lies */    \
  word(int, moved_cost, 1)                                                                                          \
  /* pack: bytes of a value worth packing, half a cache line */                                                     \
  word(std::int64_t, most_packed_bytes, 32)                                                                         \
  /* pack: bytes of a record */                                                                                     \
  word(std::int64_t, most_record_bytes, 128)                                                                        \
  /* fuse: of how many relations a sweep may have loops */                                                          \
  word(relations_of_sweep, relations, relations_of_sweep::several)                                                  \
  /* plan: values of up to so many features are computed across edges, for the registers of kernels */              \
  word(int, narrow_elements, most_narrow_elements)                                                                  \
  /* plan: values of this cost are computed once for all their readers */                                           \
  word(int, computed_once_cost, 4)                                                                                  \
  /* a CPU's sweeps: bytes of the edges' rows that a loop has at hand, and where rows are of a few features */      \
  word(std::int64_t, chunk_bytes, 8 << 10)                                                                          \
  word(std::int64_t, narrow_chunk_bytes, 128 << 10)                                                                 \
  /* a CPU's chains: bytes of the rows of a block, written and read by its units */                                 \
  word(std::int64_t, block_bytes, 128 << 10)                                                                        \
  /* a CPU's scans: rows of the steps that run as one */                                                            \
  word(std::int64_t, rows_together, 4096)                                                                           \
  /* a CPU's sweeps along out-edges: edges from which their values are moved into order, and in how many rounds */  \
  word(std::int64_t, least_ordered_edges, 1 << 20)                                                                  \
  word(std::int64_t, most_rounds, 4)                                                                                \
  /* parts of a cut graph: what ranks exchange of the values of a region waits for its later values, as long as */  \
  /* no unit waits for it. The region's number, of a scope, too; 0: none */                                         \
  word(int, merged_exchanges, 0)
//
// Other measured numbers of executors are none of these. Kernels are compiled with some, so that another number would be
// another form of each: the distances of prefetches (cpu/prefetch.hpp), rows of a product and of an added sum
// (cpu/wide.hpp), threads, rows in flight and shared bytes of a GPU's blocks (cuda/arguments.hpp, reduce.hpp,
// scatter.hpp). Some are limits of memory or of digits, not thresholds: registers of a vector, edges of a chunk from 8 to
// 1024. Some belong to the machine: the bytes of its last cache (cpu/past_caches.hpp), a thread's share of rows
// (src/codegen/swept_rows.cpp), a draft's blocks (src/codegen/draft/layout.cpp).
// clang-format on

/// What is decided.
enum class decided : int {
  keep,      // how values are kept for the gradient, a number of `keeping`: of a value, a scope or the whole
  stored,    // all rows of a value lie in memory
  inlined,   // no row of a value lies in memory: every reader computes it
  together,  // one unit computes both values of a pair
  apart,     // no unit computes both values of a pair
  width,     // the type of the numbers that stored rows lie in, of a value, a scope or the whole (pass/width.hpp)
  splits,    // of the step of a scan: the scan is cut into parts (pass/split_steps.hpp)
  overlaps,  // of a scope: something runs while what ranks exchange of its values is on its way (verify_overlap)
#define STG_CHOICE(type, name, measured) name,
  STG_CHOICES(STG_CHOICE)
#undef STG_CHOICE
};
/// Their words, as texts have them.
inline constexpr std::string_view decided_words[] = {"keep",
                                                     "stored",
                                                     "inlined",
                                                     "together",
                                                     "apart",
                                                     "width",
                                                     "splits",
                                                     "overlaps",
#define STG_CHOICE(type, name, measured) #name,
                                                     STG_CHOICES(STG_CHOICE)
#undef STG_CHOICE
};
constexpr bool is_of_pairs(decided what) { return what == decided::together || what == decided::apart; }
constexpr bool is_choice(decided what) { return what > decided::overlaps; }

/// Whom a decision is about.
enum class decided_of : int { whole, scope, value, pair };

struct decision {
  decided what = decided::keep;
  decided_of whom = decided_of::whole;
  int at = -1;              // the number of the scope, the value, or the first value of a pair
  int other = -1;           // the second value of a pair
  std::int64_t number = 0;  // a way of keeping, a scalar type, a region, or a choice

  constexpr bool is_of_values() const { return whom == decided_of::value || whom == decided_of::pair; }
  constexpr bool operator==(const decision&) const = default;
};

}  // namespace stg::ir
