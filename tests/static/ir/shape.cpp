// Shapes: broadcasting is right-aligned, an extent of 1 stretches.
#include <stg/ir/shape.hpp>

#include <initializer_list>  // initializer_list

namespace stg::ir {

constexpr shape of(std::initializer_list<std::int64_t> codes) {
  shape s;
  for (std::int64_t c : codes) s.push(extent(c));
  return s;
}
constexpr std::int64_t F = -1, G = -2;  // entries of a table of run-time extents

static_assert(of({}).size() == 1 && of({}).is_scalar());
static_assert(of({2, 3}).size() == 6 && !of({2, 3}).is_scalar());
static_assert(of({1, 1}).is_scalar());
static_assert(!of({2, F}).is_static());
static_assert(of({2, 3}) == of({2, 3}) && !(of({2, 3}) == of({3, 2})) && !(of({3}) == of({1, 3})));

constexpr bool broadcasts_to(const shape& a, const shape& b, const shape& to) {
  return broadcast(a, b).ok && broadcast(a, b).dims == to && broadcast(b, a).ok && broadcast(b, a).dims == to;
}
static_assert(broadcasts_to(of({8, 16}), of({16}), of({8, 16})));
static_assert(broadcasts_to(of({8, 1}), of({16}), of({8, 16})));
static_assert(broadcasts_to(of({8, 1}), of({1, 16}), of({8, 16})));
static_assert(broadcasts_to(of({}), of({2, F}), of({2, F})));
static_assert(broadcasts_to(of({1, F}), of({2, F}), of({2, F})));
static_assert(!broadcast(of({8, 16}), of({8})).ok);
static_assert(!broadcast(of({F}), of({G})).ok);
static_assert(!broadcast(of({F}), of({2})).ok);

}  // namespace stg::ir
