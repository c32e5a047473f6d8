// Values of type `real`, which take the type of the values they meet: degrees, counts, constants and results of these.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/dsl/expr.hpp>       // expr, tracer

namespace stg::detail {

/// A real value written anew in another type, from its sources on. Conditions are written anew if no input, whose type
/// is given, has a part in them. An input has its type: a carried value is cast.
constexpr ir::value_id retyped(tracer& t, ir::value_id last, scalar_type to) {
  const std::size_t n = static_cast<std::size_t>(last) + 1;
  ir::flags has_inputs(n, false), anew(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const ir::statement& s = t.program.statements[i];
    has_inputs[i] = s.code == ir::opcode::input;
    for (int k = 0; k < s.arity(); ++k)
      if (has_inputs[static_cast<std::size_t>(s.operands[k])]) has_inputs[i] = true;
  }
  anew[n - 1] = true;
  for (std::size_t i = n; i-- > 0;) {
    const ir::statement& s = t.program.statements[i];
    for (int k = 0; anew[i] && k < s.arity(); ++k) {
      const std::size_t x = static_cast<std::size_t>(s.operands[k]);
      const scalar_type type = t.program.statements[x].type;
      if (type == scalar_type::f32 || (type == scalar_type::boolean && !has_inputs[x])) anew[x] = true;
    }
  }
  sequence<ir::value_id> at(n, ir::no_value);
  for (std::size_t i = 0; i < n; ++i) {
    at[i] = static_cast<ir::value_id>(i);
    if (!anew[i]) continue;
    ir::statement s = ir::renamed(t.program.statements[i], at);
    if (s.code == ir::opcode::input) {
      s = ir::statement();
      s.code = ir::opcode::cast;
      s.where = t.program.statements[i].where;
      s.dims = t.program.statements[i].dims;
      s.operands[0] = static_cast<ir::value_id>(i);
      s.type = to;
    }
    if (s.type == scalar_type::f32) s.type = to;
    at[i] = t.emit(s);
  }
  const sequence<ir::tag> said = t.program.tags;
  for (ir::tag one : said) {
    if (one.at > last || !anew[one.at]) continue;
    one.at = at[one.at];
    t.tag(one);
  }
  const sequence<ir::decision> decided = t.program.decisions;
  for (ir::decision one : decided) {
    const bool is_of_them = one.is_of_values() && one.at <= last && one.other <= last;
    if (!is_of_them || (!anew[one.at] && (one.other == ir::no_value || !anew[one.other]))) continue;
    one.at = at[one.at];
    if (one.other != ir::no_value) one.other = at[one.other];
    t.program.decide(one);
  }
  return at[n - 1];
}

/// The value in the type that it meets, if it has none of its own; any other as it is.
template <scalar_type To, class X> constexpr X typed(const X& x) { return x; }
template <scalar_type To, class S, class Sh> constexpr auto typed(const expr<S, Sh, scalar_type::real>& x) {
  if constexpr (To == scalar_type::real || !is_real(To)) return x;
  else return expr<S, Sh, To>{x.trace, To == scalar_type::f32 ? x.id : retyped(*x.trace, x.id, To)};
}

}  // namespace stg::detail
