// order_units: what is launched first, what is one unit, and the heap behind it.
#include <stg/analysis/unit_order.hpp>

#include <initializer_list>

namespace stg {

using pass::reading;
using pass::sweep_side;
using pass::unit_kind;
using pass::unit_slot;

/// Numbers come out of a heap in ascending order, whatever the order in which they came in.
constexpr bool ascends(std::initializer_list<int> pushed) {
  pass::detail::earliest heap;
  for (const int number : pushed) heap.push(number);
  int last = -1;
  for (int k = 0; k < static_cast<int>(pushed.size()); ++k) {
    if (heap.is_empty()) return false;
    const int next = heap.pop();
    if (next <= last) return false;
    last = next;
  }
  return heap.is_empty();
}
static_assert(ascends({7}) && ascends({2, 1}) && ascends({1, 2}));
static_assert(ascends({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
static_assert(ascends({9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
static_assert(ascends({5, 3, 8, 1, 9, 2, 7, 0, 6, 4}));
static_assert(ascends({0, 2, 1, 3}) && ascends({0, 3, 1, 4, 5, 2, 6}));

/// Value k is made by unit k of these; `readings` are of values. The new number of each unit.
struct ordered {
  sequence<unit_slot> units{};
  sequence<int> unit_of{};
  constexpr bool is(std::initializer_list<int> numbers) const {
    int k = 0;
    for (const int number : numbers)
      if (unit_of[k++] != number) return false;
    return k == unit_of.size();
  }
};
constexpr ordered order(std::initializer_list<unit_kind> kinds, std::initializer_list<reading> given) {
  ordered o;
  sequence<reading> readings;
  for (const unit_kind kind : kinds) {
    o.unit_of.push_back(o.units.size());
    unit_slot slot;
    slot.kind = kind;
    o.units.push_back(slot);
  }
  for (const reading& r : given) readings.push_back(r);
  pass::detail::order_units(o.units, o.unit_of, readings);
  return o;
}
constexpr unit_kind sweep = unit_kind::sweep, product = unit_kind::product, reduction = unit_kind::reduction,
                    graph = unit_kind::graph, reduced = unit_kind::reduced_product;

// What is ready in its turn; what gives back little before what is large.
static_assert(order({sweep, product, sweep}, {}).is({0, 1, 2}));
static_assert(order({sweep, sweep, product}, {{0, 1}, {1, 2}}).is({2, 1, 0}));
static_assert(order({sweep, product, reduced, sweep}, {}).is({1, 2, 0, 3}));
static_assert(order({product, sweep, sweep, graph}, {{1, 0}, {3, 0}}).is({0, 2, 3, 1}));
// A unit is ready when all is there that it reads, however often it reads it.
static_assert(order({sweep, sweep, product}, {{0, 1}, {0, 1}, {0, 2}}).is({2, 0, 1}));
// What a unit reads of itself is no reason to wait.
static_assert(order({sweep, product}, {{0, 0}, {1, 1}}).is({0, 1}));

// Reductions in a row are one unit, where one does not read the other; arithmetic of the graph is one either way.
static_assert(order({reduction, reduction}, {}).is({0, 0}) && order({reduction, reduction}, {}).units.size() == 1);
static_assert(order({reduction, reduction}, {{1, 0}}).is({0, 1}));
static_assert(order({reduction, reduction, reduction}, {{2, 0}}).is({0, 0, 1}), "whichever of one unit it reads");
static_assert(order({sweep, reduction, reduction, reduction}, {{1, 0}, {2, 0}, {3, 2}}).is({0, 1, 1, 2}));
static_assert(order({graph, graph}, {{1, 0}}).is({0, 0}));
static_assert(order({graph, reduction}, {}).is({0, 1}) && order({sweep, sweep}, {}).units.size() == 2);
static_assert(order({reduced, reduced}, {}).units.size() == 2);

}  // namespace stg
