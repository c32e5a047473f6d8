// Fields: what an operation's members mean, read and written; and what no field names.
#include <stg/ir/fields.hpp>

namespace stg::ir {

constexpr statement of(opcode code, std::int64_t attribute = 0, int axis = 0, double number = 0) {
  statement s;
  s.code = code;
  s.attribute_ = attribute;
  s.axis_ = axis;
  s.number_ = number;
  return s;
}
/// The number of a field, or -1.
constexpr std::int64_t number_of(std::string_view name, const statement& s) {
  std::int64_t n = -1;
  each_field(s, [&](const field& f) { n = f.name == name ? f.get(s) : n; });
  return n;
}
constexpr statement with(std::string_view name, std::int64_t n, statement s) {
  for (const field& f : all_fields)
    if (f.of == s.code && f.name == name) f.set(s, n);
  return s;
}

static_assert(number_of("from", of(opcode::slice, -3, 1)) == -3 && number_of("axis", of(opcode::slice, -3, 1)) == 1);
static_assert(with("from", 4, of(opcode::slice)).beginning() == extent(4));
static_assert(number_of("transposed", of(opcode::matmul, 1)) == 1);
static_assert(number_of("relation", of(opcode::degree, 1, 3)) == 3 && number_of("side", of(opcode::degree, 1, 3)) == 1);

// one member of a scan: which way it goes, or that it is a call, with its first site
static_assert(number_of("backwards", of(opcode::scan, 0, 1)) == 1 && number_of("once", of(opcode::scan, 0, 1)) == 0);
static_assert(number_of("site", of(opcode::scan, 0, 1)) == -1 && number_of("site", of(opcode::scan, 0, 9)) == 7);
static_assert(first_site(with("site", 7, with("once", 1, of(opcode::scan)))) == 7);
static_assert(is_call(with("once", 1, of(opcode::scan))) && !is_call(with("backwards", 1, of(opcode::scan))));

static_assert(has_callee(of(opcode::scan)) && has_callee(of(opcode::own_gradient)) && !has_callee(of(opcode::exp)));
static_assert(!has_callee(of(opcode::own_gradient, -1)));
static_assert(attribute_is_extent(opcode::scatter_sum) && !attribute_is_extent(opcode::transpose));

constexpr bool is_allowed(const statement& s) { return members_of(s.code).allow(s); }
static_assert(is_allowed(of(opcode::constant, 0, 0, 0.5)) && !is_allowed(of(opcode::constant, 0, -3, 0.5)));
static_assert(!is_allowed(of(opcode::add, 1)) && !is_allowed(of(opcode::add, 0, 0, -0.0)) &&
              is_allowed(of(opcode::add)));
static_assert(is_allowed(of(opcode::matmul, 1)) && !is_allowed(of(opcode::matmul, 2)));
static_assert(is_allowed(of(opcode::scan, 0, 9, 2)) && !is_allowed(of(opcode::scan, 0, -1)));
static_assert(!is_allowed(of(opcode::sum_edges, 7)) && !is_allowed(of(opcode::scatter_sum, 4, 2)));

// the rows of an operation stand together
constexpr bool are_together() {
  for (int code = 0; code < opcode_count; ++code) {
    const members& m = members_of(static_cast<opcode>(code));
    for (int at = m.first; at < m.last; ++at)
      if (all_fields[at].of != static_cast<opcode>(code)) return false;
  }
  return true;
}
static_assert(are_together());

}  // namespace stg::ir
