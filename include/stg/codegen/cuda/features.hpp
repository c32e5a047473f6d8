// Values of a row: pointwise work and work along feature axes, element by element or by all lanes together.
#pragma once

#include <bit>          // bit_ceil
#include <cstdint>      // int64_t, uint64_t
#include <type_traits>  // conditional_t

#include <stg/base/lowest.hpp>            // finite_or_zero, lowest
#include <stg/codegen/cuda/evaluate.hpp>  // evaluate, compute

namespace stg::gpu {

namespace detail {

struct add {
  template <class T> STG_KERNEL T operator()(T a, T b) const { return a + b; }
};
struct larger {
  template <class T> STG_KERNEL T operator()(T a, T b) const { return a < b ? b : a; }
};

/// Edges that a lane loads something of at the same time.
inline constexpr int edges_in_flight = 4;

/// How the lanes of a group share a row of few elements: runs of Width lanes, an element each, and one run for each
/// share of what is put together for it.
template <int Width, class C> struct lane_split {
  static constexpr int shares = C::group::size() / Width;
  const C& c;
  int f, share;
  bool has_element;

  STG_KERNEL lane_split(const C& c, int elements)
      : c(c), f(c.lanes.rank() % Width), share(c.lanes.rank() / Width), has_element(f < elements) {
    if (!has_element) f = 0;
  }
  /// Whether the lane keeps what was put together for its element.
  STG_KERNEL bool is_mine() const { return has_element && share == 0; }
  /// What the shares of an element give together, in every lane that has it.
  template <class T, class Op> STG_KERNEL T together(T v, Op op) const {
    for (int step = Width; step < C::group::size(); step *= 2) v = op(v, c.lanes.shuffle(v, c.lanes.rank() ^ step));
    return v;
  }
};
/// Whether a group is of several lanes of one warp, which can shuffle.
template <class C> constexpr bool is_in_a_warp() { return C::group::size() > 1 && C::group::size() <= 32; }

/// Lanes of a run that has one for every element of a row.
constexpr int lanes_for(const ir::shape& dims) {
  return static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(dims.size())));
}
/// Whether the lanes of a group can share such a row.
template <class C> constexpr bool is_split(const ir::shape& dims) {
  return is_in_a_warp<C>() && dims.is_static() && lanes_for(dims) <= C::group::size();
}
template <class C, ir::shape Dims> struct split_lanes : lane_split<lanes_for(Dims), C> {
  STG_KERNEL explicit split_lanes(const C& c) : lane_split<lanes_for(Dims), C>(c, static_cast<int>(Dims.size())) {}
};

/// The place of element f in the row that reduction I reads: f counts along the reduced axes (Reduced) or along the
/// kept ones, all other axes at 0. An element's place is the sum of the two.
template <class V, int I, bool Reduced, int Axis, class C> STG_KERNEL int place_along(const C& c, int f, int stride) {
  constexpr ir::statement s = V::program.statements[I];
  constexpr ir::shape dims = V::program.statements[s.operands[0]].dims;
  if constexpr (Axis < 0) {
    return 0;
  } else {
    const int e = static_cast<int>(extent_value<dims.axes[Axis].code>(c.call));
    if constexpr (s.reduces(Axis) != Reduced) return place_along<V, I, Reduced, Axis - 1>(c, f, stride * e);
    else return f % e * stride + place_along<V, I, Reduced, Axis - 1>(c, f / e, stride * e);
  }
}

/// The elements that reduction I reduces to its element f, from the First-th on, every Step-th.
template <class V, int Loop, int I, class C> struct reduced_elements {
  static constexpr ir::statement s = V::program.statements[I];
  static constexpr int X = s.operands[0];
  static constexpr int rank = V::program.statements[X].dims.rank;
  const C& c;
  int j, begin, count;

  STG_KERNEL reduced_elements(const C& c, int j, int f)
      : c(c),
        j(j),
        begin(place_along<V, I, false, rank - 1>(c, f, 1)),
        count(static_cast<int>(width<V, X>(c.call) / width<V, I>(c.call))) {}
  STG_KERNEL element<V, I> at(int k) const {
    return evaluate<V, Loop, X, 1>(c, j, begin + place_along<V, I, true, rank - 1>(c, k, 1)).at[0];
  }

  template <class Op> STG_KERNEL element<V, I> combined(element<V, I> begins_with, Op op, int first, int step) const {
    element<V, I> r = begins_with;
    for (int k = first; k < count; k += step) r = op(r, at(k));
    return r;
  }
  STG_KERNEL element<V, I> exponentials(element<V, I> shift, int first, int step) const {
    element<V, I> sum{};
    for (int k = first; k < count; k += step) sum += math::functions<element<V, I>>::exp(at(k) - shift);
    return sum;
  }
};

/// Element f of a reduction, by this lane alone (Together false) or by all lanes of the row, who all get it.
template <class V, int Loop, int I, bool Together, class C> STG_KERNEL element<V, I> reduced(const C& c, int j, int f) {
  constexpr ir::statement s = V::program.statements[I];
  using T = element<V, I>;
  const reduced_elements<V, Loop, I, C> elements(c, j, f);
  const int first = Together ? c.lanes.rank() : 0, step = Together ? c.lanes.size() : 1;
  const auto together = [&](T mine, auto op) {
    if constexpr (Together) return c.lanes.reduce(mine, op);
    else return mine;
  };
  if constexpr (s.code == ir::opcode::reduce_sum) {
    return together(elements.combined(T{}, add(), first, step), add());
  } else {
    const T most = together(elements.combined(lowest<T>(), larger(), first, step), larger());
    if constexpr (s.code == ir::opcode::reduce_max) return most;
    if constexpr (s.code == ir::opcode::reduce_top_share) {
      const T shift = finite_or_zero(most);
      return 1 / together(elements.exponentials(shift, first, step), add());
    }
  }
}

/// An extent, as a number of elements within a row.
template <std::int64_t Code, class C> STG_KERNEL int extent_of(const C& c) {
  return static_cast<int>(extent_value<Code>(c.call));
}

/// Element f of what moves along the axes of one value: concat, slice, pad, pick, put, transpose.
template <class V, int Loop, int I, class C> STG_KERNEL element<V, I> moved(const C& c, int j, int f) {
  using enum ir::opcode;
  constexpr ir::statement s = V::program.statements[I];
  constexpr int X = s.operands[0];
  constexpr ir::shape from = V::program.statements[X].dims;
  using T = element<V, I>;
  const auto at = [&](int k) { return evaluate<V, Loop, X, 1>(c, j, k).at[0]; };
  if constexpr (s.code == pick || s.code == put) {
    const int entry = static_cast<int>(evaluate<V, Loop, s.operands[1], 1>(c, j, 0).at[0]);
    const int run = static_cast<int>(s.code == pick ? width<V, I>(c.call) : width<V, X>(c.call));
    if constexpr (s.code == pick)
      return entry >= 0 && entry < extent_of<from.axes[0].code>(c) ? at(entry * run + f) : T{};
    else return f / run == entry ? at(f % run) : T{};
  } else if constexpr (s.code == transpose) {
    constexpr int one = s.swapped_axis(), other = s.other_axis();
    constexpr int A = one < other ? one : other, B = one < other ? other : one;
    if constexpr (A == B) {
      return at(f);
    } else {
      const int run = static_cast<int>(axes_product<V, I, B + 1, s.dims.rank>(c.call));
      const int b = extent_of<s.dims.axes[B].code>(c), a = extent_of<s.dims.axes[A].code>(c);
      const int between = static_cast<int>(axes_product<V, I, A + 1, B>(c.call));
      const int k = f % run, in_b = f / run % b, m = f / run / b % between, in_a = f / run / b / between % a;
      const int o = f / run / b / between / a;
      return at((((o * b + in_b) * between + m) * a + in_a) * run + k);
    }
  } else {
    const int run = static_cast<int>(axes_product<V, I, s.part_axis() + 1, s.dims.rank>(c.call));
    const int mine = extent_of<s.dims.axes[s.part_axis()].code>(c),
              theirs = extent_of<from.axes[s.part_axis()].code>(c);
    const int k = f % run, along = f / run % mine, o = f / run / mine;
    if constexpr (s.code == concat) {
      if (along < theirs) return at((o * theirs + along) * run + k);
      return evaluate<V, Loop, s.operands[1], 1>(c, j, (o * (mine - theirs) + along - theirs) * run + k).at[0];
    } else if constexpr (s.code == slice) {
      return at((o * theirs + along + extent_of<s.beginning().code>(c)) * run + k);
    } else {
      static_assert(s.code == pad, "stg internal: not a statement along feature axes");
      const int there = along - extent_of<s.beginning().code>(c);
      return there >= 0 && there < theirs ? at((o * theirs + there) * run + k) : T{};
    }
  }
}

constexpr bool is_reduction(ir::opcode code) {
  return code == ir::opcode::reduce_sum || code == ir::opcode::reduce_max || code == ir::opcode::reduce_top_share;
}

template <class V, int Loop, int I, int N, class C>
STG_KERNEL pack<element<V, I>, N> element_of(const C& c, int j, int f) {
  constexpr ir::statement s = V::program.statements[I];
  constexpr op::category kind = op::info_of(s.code).kind;
  if constexpr (kind == op::category::pointwise) {
    return compute<V, Loop, I, N>(c, j, f);
  } else if constexpr (s.code == ir::opcode::keep_mask) {
    return mask<V, I, N>(c, j, f);
  } else {
    pack<element<V, I>, N> r;
    for (int k = 0; k < N; ++k) {
      if constexpr (kind == op::category::source) r.at[k] = source<V, I>(c, j, f + k);
      else if constexpr (is_reduction(s.code)) r.at[k] = reduced<V, Loop, I, false>(c, j, f + k);
      else r.at[k] = moved<V, Loop, I>(c, j, f + k);
    }
    return r;
  }
}

/// Whether lanes work together on each element of a reduction, since it takes in more elements than there are lanes.
template <class V, int I> constexpr bool is_reduced_together() {
  const ir::statement& s = V::program.statements[I];
  if (!is_reduction(s.code)) return false;
  const ir::shape& from = V::program.statements[s.operands[0]].dims;
  return !from.is_static() || !s.dims.is_static() || from.size() / (s.dims.size() == 0 ? 1 : s.dims.size()) >= 8;
}

/// How many packs statement I reduces to an element, where these follow each other in the row and are as many as a
/// power of two; else 0. Then lanes read the row in one stream and put together what neighbours have.
template <class V, int I> constexpr int reduced_packs() {
  const ir::statement& s = V::program.statements[I];
  if (s.code != ir::opcode::reduce_sum && s.code != ir::opcode::reduce_max) return 0;
  const ir::shape& from = V::program.statements[s.operands[0]].dims;
  if (!from.is_static() || from.size() == 0) return 0;
  int first = 0;
  while (first < from.rank && !s.reduces(first)) ++first;
  std::int64_t numbers = 1;
  for (int a = first; a < from.rank; ++a) {
    if (!s.reduces(a)) return 0;
    numbers *= from.axes[a].code;
  }
  const std::int64_t packs = numbers / pack_of(from);
  return packs > 1 && packs <= (1 << 10) && (packs & (packs - 1)) == 0 ? static_cast<int>(packs) : 0;
}
template <class V, int I, class C> constexpr bool is_reduced_in_runs() {
  return is_in_a_warp<C>() && reduced_packs<V, I>() > 1;
}

/// Reduction I of the row, or of `edges` edges, several at a time: a run of lanes has an element.
template <class V, int Loop, int I, class C> STG_KERNEL void fill_in_runs(const C& c, int edges) {
  constexpr ir::statement s = V::program.statements[I];
  constexpr int X = s.operands[0], N = pack_of(V::program.statements[X].dims), packs = reduced_packs<V, I>();
  constexpr int size = C::group::size(), run = packs < size ? packs : size,
                at_once = Loop == no_loop ? 1 : edges_in_flight;
  constexpr int elements = static_cast<int>(V::program.statements[X].dims.size()) / (packs * N);
  using op = std::conditional_t<s.code == ir::opcode::reduce_sum, add, larger>;
  using T = element<V, I>;
  const int place = c.lanes.rank() % run;
  for (int j = 0; j < edges; j += at_once)
    for (int first = 0; first < elements; first += size / run) {
      const int mine = first + c.lanes.rank() / run, f = mine < elements ? mine : 0;
      T r[at_once];
      for (int e = 0; e < at_once; ++e) r[e] = s.code == ir::opcode::reduce_sum ? T{} : lowest<T>();
      for (int k = place; k < packs; k += run)
        for (int e = 0; e < at_once; ++e) {
          const auto x = evaluate<V, Loop, X, N>(c, j + e < edges ? j + e : j, (f * packs + k) * N);
          for (int n = 0; n < N; ++n) r[e] = op()(r[e], x.at[n]);
        }
      for (int step = run / 2; step > 0; step /= 2)
        for (int e = 0; e < at_once; ++e) r[e] = op()(r[e], c.lanes.shuffle(r[e], c.lanes.rank() ^ step));
      for (int e = 0; e < at_once; ++e)
        if (j + e < edges && mine < elements && place == 0) c.lanes.store(row_of<V, Loop, I>(c, j + e) + mine, r[e]);
    }
}

/// Whether computing value i reads memory: then elements of several edges are on their way at the same time.
template <class V, int Loop> constexpr bool reads_memory(int value) {
  const int i = root_of<V>(value);
  const ir::statement& s = V::program.statements[i];
  if (s.where != ir::space::edge) return false;
  if (is_leaf<V>(i)) return s.code != ir::opcode::edge_index;
  for (int o = 0; o < s.arity(); ++o) {
    const int x = root_of<V>(s.operands[o]);
    if (!is_in_scratch<V, Loop>(x) && reads_memory<V, Loop>(x)) return true;
  }
  return false;
}

}  // namespace detail

/// Computes value I for the row, or for `edges` edges of the chunk, and puts it where it is read. Lanes wait for each
/// other afterwards.
template <class V, int Loop, int I, class C> STG_KERNEL void fill(const C& c, int edges) {
  constexpr int N = pack_of(V::program.statements[I].dims);
  const int w = static_cast<int>(width<V, I>(c.call));
  if constexpr (detail::is_reduced_in_runs<V, I, C>()) {
    detail::fill_in_runs<V, Loop, I>(c, edges);
  } else if constexpr (detail::is_reduced_together<V, I>()) {
    for (int j = 0; j < edges; ++j)
      for (int f = 0; f < w; ++f) {
        const auto r = detail::reduced<V, Loop, I, true>(c, j, f);
        if (c.lanes.rank() == 0) c.lanes.store(detail::row_of<V, Loop, I>(c, j) + f, r);
      }
  } else {
    constexpr int in_flight = detail::reads_memory<V, Loop>(I) ? detail::edges_in_flight : 1;
    const int packs = w / N, all = edges * packs, step = c.lanes.size();
    const auto made = [&](int k) {
      const int j = edges == 1 ? 0 : k / packs;
      return detail::element_of<V, Loop, I, N>(c, j, (k - j * packs) * N);
    };
    const auto put = [&](int k, const auto& x) {
      const int j = edges == 1 ? 0 : k / packs;
      c.lanes.store_pack(detail::row_of<V, Loop, I>(c, j) + (k - j * packs) * N, x);
    };
    int k = c.lanes.rank();
    if constexpr (in_flight > 1)
      for (; k + (in_flight - 1) * step < all; k += in_flight * step) {
        pack<element<V, I>, N> x[in_flight];
        for (int r = 0; r < in_flight; ++r) x[r] = made(k + r * step);
        for (int r = 0; r < in_flight; ++r) put(k + r * step, x[r]);
      }
    for (; k < all; k += step) put(k, made(k));
  }
  c.lanes.sync();
}

}  // namespace stg::gpu
