// The arrays of a program by name: each once, with as many elements as its sizes say, frozen or not.
#include <stg/ir/frozen.hpp>
#include <stg/ir/tables.hpp>

namespace stg::ir {

constexpr program two_of_each() {
  program p;
  for (int k = 0; k < 2; ++k) {
    p.statements.push_back(statement());
    p.inputs.push_back(input());
    p.extents.push_back(polynomial());
    p.outputs.push_back(output());
    p.scopes.push_back(text());
    p.scope_sets.push_back(scope_set());
    p.names.push_back(label());
    p.checks.push_back(label_range());
    p.tags.push_back(tag());
  }
  return p;
}
constexpr int tables_of_two(const program& p) {
  int n = 0;
  each_table(p, [&](std::string_view name, const auto& table) { n += !name.empty() && table.size() == 2; });
  return n;
}
static_assert(tables_of_two(two_of_each()) == 9 && tables_of_two(program()) == 0);
static_assert(sizes_of(two_of_each()).statements == 2 && sizes_of(two_of_each()).tags == 2);

/// Frozen and back, every array is what it was.
constexpr bool is_kept() {
  program p = two_of_each();
  p.tags[1].name = text("tag");
  p.names[1].name = text("name");
  p.scopes[1] = text("scope");
  const program q = roomy_program<frozen_program<sizes_of(two_of_each())>>(p).thaw();
  return q == p && q.tags == p.tags && q.names == p.names && q.scopes == p.scopes;
}
static_assert(is_kept());

}  // namespace stg::ir
