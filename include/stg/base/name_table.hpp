// Finds names in a list of them: a model of many layers has hundreds, and reads each more than once.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/base/text.hpp>      // text

namespace stg {

/// Places in a list that others keep, by name: open addressing, twice as long as there are names.
class name_table {
 public:
  /// The place of a name, or -1. name_at(place): the name that stands there.
  template <class NameAt> constexpr int find(const text& name, const NameAt& name_at) const {
    return slots.empty() ? -1 : slots.first[slot(name, name_at)] - 1;
  }
  /// Adds the name at the next place, one that is not there yet.
  template <class NameAt> constexpr void add(const text& name, const NameAt& name_at) {
    if (2 * (count + 1) > slots.size()) {
      slots = sequence<int>(slots.empty() ? 16 : 2 * slots.size());
      for (int i = 0; i < count; ++i) slots.first[slot(name_at(i), name_at)] = i + 1;
    }
    slots.first[slot(name, name_at)] = ++count;
  }

 private:
  /// Of the length and a few letters: numbered names differ in the last ones, which are six at most. Mixed as FNV-1a
  /// mixes (Fowler, Noll, Vo), so that names with one number more are not neighbours.
  static constexpr unsigned hash(const text& name) {
    unsigned h = mixed(2166136261u, static_cast<unsigned>(name.length));
    h = mixed(h, static_cast<unsigned char>(name.letters[name.length / 2]));
    for (int at = name.length < 6 ? 0 : name.length - 6; at < name.length; ++at)
      h = mixed(h, static_cast<unsigned char>(name.letters[at]));
    return h ^ h >> 15;
  }
  static constexpr unsigned mixed(unsigned h, unsigned letter) { return (h ^ letter) * 16777619u; }
  template <class NameAt> constexpr int slot(const text& name, const NameAt& name_at) const {
    const unsigned mask = static_cast<unsigned>(slots.size()) - 1;
    unsigned at = hash(name) & mask;
    while (slots.first[at] != 0 && !(name_at(slots.first[at] - 1) == name)) at = (at + 1) & mask;
    return static_cast<int>(at);
  }

  sequence<int> slots{};  // a place plus 1, or 0
  int count = 0;
};

}  // namespace stg
