// Statements that compute the same get one number, in the order of first appearance.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program, renamed

namespace stg::examine {

/// For each statement the first statement that computes the same from equal operands, in any scope; itself if there is
/// none before it. Linear: every statement is looked up once.
constexpr sequence<ir::value_id> first_equals(const ir::program& p) {
  ir::program distinct;
  ir::take_scopes(distinct, p);
  distinct.reserve(p.size());
  sequence<ir::value_id> number(p.size(), ir::no_value), first, found(p.size(), ir::no_value);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    number[i] = distinct.emit(ir::renamed(p[i], number));
    if (number[i] == first.size()) first.push_back(i);
    found[i] = first[number[i]];
  }
  return found;
}

/// Statements that repeat an earlier one: with its operands and, while a lambda is traced, its scopes. They come from
/// passes that write a value again at its readers.
constexpr ir::flags repeats(const ir::program& p) {
  ir::program distinct;
  ir::take_scopes(distinct, p);
  distinct.scopes_apart = p.scopes_apart;
  distinct.reserve(p.size());
  ir::flags is(p.size(), 0);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const int before = distinct.size();
    distinct.emit(p[i]);
    is[i] = distinct.size() == before;
  }
  return is;
}

}  // namespace stg::examine
