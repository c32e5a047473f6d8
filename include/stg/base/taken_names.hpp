// Names that are taken, and free ones for values that get a name later.
#pragma once

#include <stg/base/name_table.hpp>  // name_table
#include <stg/base/sequence.hpp>    // sequence
#include <stg/base/text.hpp>        // text

namespace stg {

class taken_names {
 public:
  /// No name at all is nobody's.
  constexpr void add(const text& name) {
    if (name.length == 0 || has(name)) return;
    names.push_back(name);
    table.add(name, name_at{names});
  }
  constexpr bool has(const text& name) const { return table.find(name, name_at{names}) >= 0; }
  /// The name, with underscores behind it where it is taken.
  constexpr text free(text name) const {
    while (has(name)) name.append('_');
    return name;
  }

 private:
  struct name_at {
    const sequence<text>& all;
    constexpr const text& operator()(int k) const { return all[k]; }
  };

  sequence<text> names{};
  name_table table{};
};

}  // namespace stg
