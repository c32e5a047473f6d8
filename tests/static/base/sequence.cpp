// sequence: a growable array in constant evaluation, of numbers, of structs and of what has to be destroyed.
#include <stg/base/sequence.hpp>

#include <vector>  // vector

namespace stg {

constexpr bool grows() {
  sequence<int> s;
  for (int i = 0; i < 100; ++i) s.push_back(i * i);
  s.push_back(s[99]);  // of its own
  int sum = 0;
  for (int x : s) sum += x;
  s.pop_back();
  return s.size() == 100 && s.back() == 99 * 99 && sum == 328350 + 99 * 99;
}
static_assert(grows());

constexpr bool begins_with_zeros() {
  sequence<int> s(5);
  s.resize(3);
  s[2] = 7;
  s.resize(2);
  s.resize(4);  // what was there before is gone
  return sequence<int>(3) == sequence<int>{0, 0, 0} && s == sequence<int>(4, 0) && s != sequence<int>(4, 1);
}
static_assert(begins_with_zeros());

struct initialised {
  int at = -1, times = 1;
  constexpr bool operator==(const initialised&) const = default;
};
constexpr bool begins_with_initialisers() {
  sequence<initialised> s(3);
  for (int i = 0; i < 40; ++i) s.push_back({i, 2});
  s.push_back(s[3]);  // of its own
  const bool grew = s.size() == 44 && s[0] == initialised() && s[3].at == 0 && s.back().at == 0;
  s.resize(2);
  s[1].at = 5;
  s.resize(4);  // what was there before is gone
  const sequence<initialised> copy = s;
  s.assign(2, {7, 7});
  return grew && copy.size() == 4 && copy[1].at == 5 && copy[2] == initialised() && copy[3] == initialised() &&
         s == sequence<initialised>{{7, 7}, {7, 7}};
}
static_assert(begins_with_initialisers());

constexpr bool holds_sequences() {
  sequence<sequence<int>> all(3);
  all[1].push_back(4);
  sequence<sequence<int>> copy = all;
  all.push_back(all[1]);
  all[1].clear();
  copy.swap(all);
  const sequence<sequence<int>> moved = static_cast<sequence<sequence<int>>&&>(copy);
  all = moved;
  all = static_cast<const sequence<sequence<int>>&>(all);
  return all.size() == 4 && all[1].empty() && all[3] == sequence<int>{4} && copy.empty();
}
static_assert(holds_sequences());

static_assert(sequence<int>(std::vector<int>{1, 2}) == sequence<int>{1, 2});
static_assert(sequence<int>().empty() && sequence<int>(0).size() == 0);

}  // namespace stg
