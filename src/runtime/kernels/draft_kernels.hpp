// Kernels of drafts: one operation over many numbers, compiled once per instruction set with registers as wide as it
// has. What an operation does is what compiled programs do (codegen/cpu/apply.hpp).
#pragma once

#include "dense_tile.hpp"   // vector_bytes
#include "draft_table.hpp"  // draft_table

#include <type_traits>  // is_base_of_v, remove_extent_t

#include <stg/codegen/cpu/apply.hpp>  // apply_unary, apply_binary, apply_ternary

namespace stg::STG_ISA::draft {

using cpu::lanes_t;
using dense::vector_bytes;

/// Lanes of a register of the wider of two types. A truth value takes as much as a float.
template <scalar_type A, scalar_type B>
constexpr int lanes_of = vector_bytes / (A == scalar_type::f64 || B == scalar_type::f64 ? 8 : 4);

// ---- pointwise ----

/// Where the operands of a register lie, and how far the next register's are.
template <class A, class B = A> struct operand_places {
  const A* a;
  const B *b, *c;
  std::int64_t step_a, step_b, step_c;
};

template <class A, class B, int Arity> STG_INLINE operand_places<A, B> places_of(const draft_operands& from) {
  operand_places<A, B> p{};
  p.a = static_cast<const A*>(from.at[0]);
  p.step_a = from.repeats[0] ? 0 : 1;
  if constexpr (Arity > 1) p.b = static_cast<const B*>(from.at[1]);
  if constexpr (Arity > 1) p.step_b = from.repeats[1] ? 0 : 1;
  if constexpr (Arity > 2) p.c = static_cast<const B*>(from.at[2]);
  if constexpr (Arity > 2) p.step_c = from.repeats[2] ? 0 : 1;
  return p;
}

/// A pointwise statement's last numbers, fewer than a register: computed by its kernel as a whole one of operands that
/// are copied, since what is behind them is not ours. So a number does not depend on where it stands, and the kernel
/// has its operation once.
template <class To, class A, class B, int L, int Arity>
[[gnu::noinline]] static void last_register(draft_pointwise kernel, void* to, const draft_operands& from, double number,
                                            std::int64_t i, std::int64_t n) {
  A a[array_length(L)];
  B b[array_length(L)], c[array_length(L)];
  draft_operands copied = from;
  const auto copy = [&](int which, auto& last) {
    using T = std::remove_extent_t<std::remove_reference_t<decltype(last)>>;
    if (from.repeats[which]) return;
    for (int k = 0; k < L; ++k) last[k] = k < n - i ? static_cast<const T*>(from.at[which])[i + k] : T{};
    copied.at[which] = last;
  };
  copy(0, a);
  if constexpr (Arity > 1) copy(1, b);
  if constexpr (Arity > 2) copy(2, c);
  To last[array_length(L)];
  kernel(last, copied, number, L);
  for (int k = 0; i + k < n; ++k) static_cast<To*>(to)[i + k] = last[k];
}
/// `body(r, a, b, c)` for every register of n numbers, of a kernel that does this alone.
template <scalar_type To, int L, int Arity, class A, class B, class Body>
STG_INLINE void for_each_register(draft_pointwise kernel, void* to, const draft_operands& operands, double number,
                                  std::int64_t n, const Body& body) {
  const operand_places<A, B> from = places_of<A, B, Arity>(operands);
  lanes_t<To, L> r;
  std::int64_t i = 0;
  for (; i + L <= n; i += L) {
    body(r, from.a + i * from.step_a, from.b + i * from.step_b, from.c + i * from.step_c);
    cpu::store<To, L>(static_cast<element_t<To>*>(to) + i, r);
  }
  if (i < n) last_register<element_t<To>, A, B, L, Arity>(kernel, to, operands, number, i, n);
}

template <ir::opcode Code, scalar_type To, scalar_type From>
static void pointwise(void* to, const draft_operands& from, double number, std::int64_t n) {
  constexpr int L = lanes_of<To, From>, arity = op::of_code_t<Code>::arity;
  using T = element_t<From>;
  for_each_register<To, L, arity, T, T>(
      &pointwise<Code, To, From>, to, from, number, n,
      [&](lanes_t<To, L> & r, const T* x, [[maybe_unused]] const T* y, [[maybe_unused]] const T* z)
          __attribute__((always_inline)) {
            lanes_t<From, L> a;
            cpu::load<From, L>(a, x);
            if constexpr (arity == 1) {
              cpu::apply_unary<Code, 0, To, From, L>(r, number, a);
            } else {
              lanes_t<From, L> b;
              cpu::load<From, L>(b, y);
              if constexpr (arity == 2) {
                cpu::apply_binary<Code, 0, To, From, L>(r, a, b);
              } else {
                lanes_t<From, L> c;
                cpu::load<From, L>(c, z);
                cpu::apply_ternary<Code, 0, To, L>(r, a, b, c);
              }
            }
          });
}

template <scalar_type S> static void select(void* to, const draft_operands& from, double number, std::int64_t n) {
  constexpr int L = lanes_of<S, S>;
  using T = element_t<S>;
  for_each_register<S, L, 3, bool, T>(
      &select<S>, to, from, number,
      n, [&](lanes_t<S, L> & r, const bool* condition, const T* x, const T* y) __attribute__((always_inline)) {
        lanes_t<scalar_type::boolean, L> c;
        lanes_t<S, L> a, b;
        cpu::load<scalar_type::boolean, L>(c, condition);
        cpu::load<S, L>(a, x);
        cpu::load<S, L>(b, y);
        cpu::choose<S, L>(r, c, a, b);
      });
}

// ---- sums, maxima and products: How, an aggregate that takes messages element by element ----

/// L features of all rows, in a register.
template <class How, scalar_type S, int L, class Row>
STG_INLINE void fold_features(element_t<S>* to, std::int64_t rows, const Row& row) {
  lanes_t<S, L> sum, x;
  cpu::splat<S, L>(sum, How::template neutral<element_t<S>>());
  for (std::int64_t r = 0; r < rows; ++r) {
    cpu::load<S, L>(x, row(r));
    sum = How::apply(sum, x);
  }
  cpu::load<S, L>(x, to);
  cpu::store<S, L>(to, How::apply(x, sum));
}
template <class How, scalar_type S, int L, class Row>
STG_INLINE void fold_rest(element_t<S>* to, std::int64_t rows, std::int64_t from, std::int64_t width, const Row& row) {
  if (width & L) {
    fold_features<How, S, L>(
        to + from, rows, [&](std::int64_t r) __attribute__((always_inline)) { return row(r) + from; });
    from += L;
  }
  if constexpr (L > 1) fold_rest<How, S, L / 2>(to, rows, from, width, row);
}
/// Several registers at a time, so that their sums do not wait for each other.
template <class How, scalar_type S, class Row>
STG_INLINE void fold_rows(element_t<S>* to, std::int64_t rows, std::int64_t width, const Row& row) {
  constexpr int L = lanes_of<S, S>, registers = 4;
  if (rows == 0) return;
  std::int64_t f = 0;
  for (; f + registers * L <= width; f += registers * L) {
    lanes_t<S, L> sum[registers], x;  // (registers, L) features
    for (int k = 0; k < registers; ++k) cpu::splat<S, L>(sum[k], How::template neutral<element_t<S>>());
    for (std::int64_t r = 0; r < rows; ++r) {
      const element_t<S>* const from = row(r) + f;
      for (int k = 0; k < registers; ++k) {
        cpu::load<S, L>(x, from + k * L);
        sum[k] = How::apply(sum[k], x);
      }
    }
    for (int k = 0; k < registers; ++k) {
      cpu::load<S, L>(x, to + f + k * L);
      cpu::store<S, L>(to + f + k * L, How::apply(x, sum[k]));
    }
  }
  for (; f + L <= width; f += L)
    fold_features<How, S, L>(
        to + f, rows, [&](std::int64_t r) __attribute__((always_inline)) { return row(r) + f; });
  if constexpr (L > 1) fold_rest<How, S, L / 2>(to, rows, f, width, row);
}

template <class How, scalar_type S>
static void fold(void* to, const void* from, std::int64_t rows, std::int64_t width) {
  const auto* const first = static_cast<const element_t<S>*>(from);
  fold_rows<How, S>(
      static_cast<element_t<S>*>(to), rows, width,
      [ first, width ](std::int64_t r) __attribute__((always_inline)) { return first + r * width; });
}
template <class How, scalar_type S>
static void fold_of(void* to, const void* table, const std::int32_t* ids, std::int64_t rows, std::int64_t width) {
  const auto* const first = static_cast<const element_t<S>*>(table);
  fold_rows<How, S>(
      static_cast<element_t<S>*>(to), rows, width,
      [ first, ids, width ](std::int64_t r) __attribute__((always_inline)) { return first + ids[r] * width; });
}

/// L features of all rows times a weight each, in a register.
template <scalar_type S, int L, class Row, class Weight>
STG_INLINE void weigh_features(element_t<S>* to, std::int64_t rows, const Row& row, const Weight& weight) {
  lanes_t<S, L> sum, x, w;
  cpu::splat<S, L>(sum, element_t<S>{});
  for (std::int64_t r = 0; r < rows; ++r) {
    cpu::load<S, L>(x, row(r));
    cpu::splat<S, L>(w, weight(r));
    sum = op::sum_edges::apply(sum, x * w);
  }
  cpu::load<S, L>(x, to);
  cpu::store<S, L>(to, op::sum_edges::apply(x, sum));
}
template <scalar_type S, int L, class Row, class Weight>
STG_INLINE void weigh_rest(element_t<S>* to, std::int64_t rows, std::int64_t from, std::int64_t width, const Row& row,
                           const Weight& weight) {
  if (width & L) {
    weigh_features<S, L>(
        to + from, rows, [&](std::int64_t r) __attribute__((always_inline)) { return row(r) + from; }, weight);
    from += L;
  }
  if constexpr (L > 1) weigh_rest<S, L / 2>(to, rows, from, width, row, weight);
}
template <scalar_type S, class Row, class Weight>
STG_INLINE void weigh_rows(element_t<S>* to, std::int64_t rows, std::int64_t width, const Row& row,
                           const Weight& weight) {
  constexpr int L = lanes_of<S, S>, registers = 4;
  std::int64_t f = 0;
  for (; f + registers * L <= width; f += registers * L) {
    lanes_t<S, L> sum[registers], x, w;  // (registers, L) features
    for (int k = 0; k < registers; ++k) cpu::splat<S, L>(sum[k], element_t<S>{});
    for (std::int64_t r = 0; r < rows; ++r) {
      const element_t<S>* const from = row(r) + f;
      cpu::splat<S, L>(w, weight(r));
      for (int k = 0; k < registers; ++k) {
        cpu::load<S, L>(x, from + k * L);
        sum[k] = op::sum_edges::apply(sum[k], x * w);
      }
    }
    for (int k = 0; k < registers; ++k) {
      cpu::load<S, L>(x, to + f + k * L);
      cpu::store<S, L>(to + f + k * L, op::sum_edges::apply(x, sum[k]));
    }
  }
  for (; f + L <= width; f += L)
    weigh_features<S, L>(
        to + f, rows, [&](std::int64_t r) __attribute__((always_inline)) { return row(r) + f; }, weight);
  if constexpr (L > 1) weigh_rest<S, L / 2>(to, rows, f, width, row, weight);
}
template <scalar_type S>
static void weighted_sum(void* to, const void* table, const std::int32_t* ids, const void* weights, std::int64_t rows,
                         std::int64_t heads, std::int64_t width, std::int64_t known) {
  using T = element_t<S>;
  constexpr std::int64_t ahead = 16, line = 64 / sizeof(T);
  const std::int64_t row_length = heads * width;
  const auto* const first = static_cast<const T*>(table);
  for (std::int64_t r = 0; r < rows && r + ahead < known; ++r)
    for (std::int64_t f = 0; f < row_length; f += line) __builtin_prefetch(first + ids[r + ahead] * row_length + f);
  for (std::int64_t h = 0; h < heads; ++h)
    weigh_rows<S>(
        static_cast<T*>(to) + h * width, rows,
        width, [=](std::int64_t r) __attribute__((always_inline)) { return first + ids[r] * row_length + h * width; },
        [=](std::int64_t r) __attribute__((always_inline)) { return static_cast<const T*>(weights)[r * heads + h]; });
}

template <class How, scalar_type S>
static void reduce(void* to, const void* from, std::int64_t rows, std::int64_t inner) {
  constexpr int L = lanes_of<S, S>;
  using T = element_t<S>;
  const T* x = static_cast<const T*>(from);
  for (std::int64_t r = 0; r < rows; ++r, x += inner) {  // (rows, inner)
    T total = How::template neutral<T>();
    std::int64_t i = 0;
    if (inner >= L) {
      lanes_t<S, L> sum, next;
      cpu::splat<S, L>(sum, How::template neutral<T>());
      for (; i + L <= inner; i += L) {
        cpu::load<S, L>(next, x + i);
        sum = How::apply(sum, next);
      }
      T of_lane[array_length(L)];
      cpu::store<S, L>(of_lane, sum);
      for (int k = 0; k < L; ++k) total = How::apply(total, of_lane[k]);
    }
    for (; i < inner; ++i) total = How::apply(total, x[i]);
    static_cast<T*>(to)[r] = total;
  }
}

// ---- all of them ----

template <class Op, scalar_type S> constexpr draft_pointwise pointwise_of() {
  if constexpr (Op::kind != op::category::pointwise || Op::code == ir::opcode::cast || ir::applies_own(Op::code))
    return nullptr;
  else if constexpr (!op::takes(Op::operands, S)) return nullptr;
  else if constexpr (Op::code == ir::opcode::select) return &select<S>;
  else if constexpr (std::is_base_of_v<op::comparison<Op::code>, Op>) return &pointwise<Op::code, boolean, S>;
  else return &pointwise<Op::code, S, S>;
}
template <class Op, scalar_type S> constexpr draft_kernels kernels_of() {
  draft_kernels k{};
  k.pointwise = pointwise_of<Op, S>();
  if constexpr (is_number(S)) {
    if constexpr (op::ElementwiseAggregate<Op>) {
      k.fold = &fold<Op, S>;
      k.fold_of = &fold_of<Op, S>;
    }
    if constexpr (Op::code == ir::opcode::reduce_sum) k.reduce = &reduce<op::sum_edges, S>;
    if constexpr (Op::code == ir::opcode::reduce_max) k.reduce = &reduce<op::max_edges, S>;
  }
  return k;
}

template <scalar_type From, scalar_type... To> constexpr void fill_casts(draft_table& t) {
  ((t.cast[static_cast<int>(To)][static_cast<int>(From)] = &pointwise<ir::opcode::cast, To, From>), ...);
}
template <scalar_type S> constexpr void fill_type(draft_table& t) {
#define STG_KERNELS_OF(word) t.of[static_cast<int>(ir::opcode::word)][static_cast<int>(S)] = kernels_of<op::word, S>();
  STG_OPERATIONS(STG_KERNELS_OF)
#undef STG_KERNELS_OF
  fill_casts<S, f32, f64, i32, boolean, bf16, f16>(t);
}
template <scalar_type... S> constexpr draft_table table_of() {
  draft_table t{};
  (fill_type<S>(t), ...);
  t.weighted_sum[static_cast<int>(f32)] = &weighted_sum<f32>;
  t.weighted_sum[static_cast<int>(f64)] = &weighted_sum<f64>;
  return t;
}
inline constexpr draft_table table = table_of<f32, f64, i32, boolean, bf16, f16>();

}  // namespace stg::STG_ISA::draft
