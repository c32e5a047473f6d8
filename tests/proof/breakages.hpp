// Programs that are broken at a random place: any member of any part of a program, in what it calls, too.
#pragma once

#include "choices.hpp"  // choices

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program

#include <cstdint>  // int64_t
#include <limits>   // numeric_limits
#include <utility>  // swap

namespace stg::test {

/// Writes something else into members of a program: near what was there, around 0, or at an end of the type.
class breaking {
 public:
  explicit breaking(choices& from) : c(from) {}

  /// Changes one member of p, or of a program that it calls, or the length of a list.
  void change(ir::program& p) {
    if (!p.callees.empty() && c.one_in(3)) return change(any_of(p.callees));
    switch (c.below(17)) {
      case 0:
        return change_list(p.inputs, [&](ir::input& in) { change(in); });
      case 1:
        return change_list(p.outputs, [&](ir::output& o) { c.one_in(4) ? change(o.name) : change(o.at, p.size()); });
      case 2:
        return change_list(p.extents, [&](ir::polynomial& e) { change(e); });
      case 3:
        return change_list(p.names, [&](ir::label& l) { change(l, p.size()); });
      case 4:
        return change_list(p.tags, [&](ir::tag& t) { change(t, p.size()); });
      case 5:
        return change_list(p.checks, [&](ir::label_range& r) { change(r, p.size()); });
      case 6:
        return change_list(p.kinds, [&](ir::kind& k) { change(k, p.kinds.size()); });
      case 7:
        if (c.one_in(2)) return change_list(p.scopes, [&](text& t) { change(t); });
        return change_list(p.scope_sets,
                           [&](ir::scope_set& s) { change(c.one_in(2) ? s.last : s.others, p.scopes.size()); });
      case 8:
        return change_list(p.decisions, [&](ir::decision& d) { change(d, p.size()); });
      case 9:
        return change_rest(p);
      default:
        return change_list(
            p.statements, [&](ir::statement& s) { change(s, p); }, 12);
    }
  }

 private:
  template <class T> T& any_of(sequence<T>& list) { return list[c.below(list.size())]; }

  /// An integer: near the one that was there, from -2 up to n + 2, or an extreme one.
  template <class T> void change(T& x, int n) {
    constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    const T extremes[] = {least, most, T(least + 1), T(most - 1), T(most / 2), T(1 << 30), T(-(1 << 30)), T(1000)};
    const int kind = c.below(8);
    if (kind == 0) x = extremes[c.below(8)];
    else if (kind == 1) x = static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(c.below(5) - 2));
    else x = static_cast<T>(c.below(n + 4) - 2);
  }
  /// A word of an enumeration, or none of them.
  template <class Word> void change_word(Word& w, int words) {
    int number = static_cast<int>(w);
    if (c.one_in(8)) change(number, words);
    else number = c.below(words);
    w = static_cast<Word>(number);
  }
  void change(double& x) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const double extremes[] = {infinite, -infinite, std::numeric_limits<double>::quiet_NaN(), 1e308, -1e308, 5e-324,
                               -0.0,     4e9};
    const int kind = c.below(4);
    x = kind == 0 ? extremes[c.below(8)] : kind == 1 ? c.below(8) - 2 : c.number();
  }
  void change(text& t) {
    const int kind = c.below(6);
    if (kind == 0) t.length = static_cast<unsigned char>(c.below(256));
    else if (kind == 1) t = text();
    else if (kind == 2) t.letters[c.below(text::capacity)] = static_cast<char>(c.below(256));
    else t = text(c.one_in(2) ? "x" : "F");
  }
  void change(ir::extent& e) { change(e.code, 6); }
  void change(ir::input& in) {
    const int member = c.below(3);
    if (member == 0) change(in.name);
    else if (member == 1) in.trainable = !in.trainable;
    else in.sparse = !in.sparse;
  }
  void change(ir::polynomial& e) {
    if (c.one_in(3)) return change(e.count, ir::polynomial::max_terms);
    ir::term& t = e.terms[c.below(ir::polynomial::max_terms)];
    const int member = c.below(3);
    if (member == 0) change(t.coefficient, 4);
    else if (member == 1) change(t.degree, ir::term::max_factors);
    else change(t.factors[c.below(ir::term::max_factors)]);
  }
  void change(ir::label& l, int values) {
    if (c.one_in(2)) change(l.name);
    else change(l.at, values);
  }
  void change(ir::decision& d, int values) {
    const int member = c.below(5);
    if (member == 0) change_word(d.what, static_cast<int>(std::size(ir::decided_words)));
    else if (member == 1) change_word(d.whom, 4);
    else if (member == 2) change(d.at, values);
    else if (member == 3) change(d.other, values);
    else change(d.number, 5);
  }
  void change(ir::tag& t, int values) {
    const int member = c.below(3);
    if (member == 0) change(t.name);
    else if (member == 1) change(t.at, values);
    else change(t.axis, ir::shape::max_rank);
  }
  void change(ir::label_range& r, int values) {
    const int member = c.below(3);
    if (member == 0) change(r.labels, values);
    else if (member == 1) change(r.mask, values);
    else change(r.classes);
  }
  void change(ir::kind& k, int kinds) {
    const int member = c.below(3);
    if (member == 0) change(k.name);
    else change(member == 1 ? k.source : k.destination, kinds);
  }
  void change(ir::statement& s, const ir::program& p) {
    switch (c.below(12)) {
      case 0:
        return change_word(s.code, ir::opcode_count);
      case 1:
        return change_word(s.where.kind, 3);
      case 2:
        return change(s.where.set, p.kinds.size());
      case 3:
        return change_word(s.type, 7);
      case 4:
        return change(s.dims.rank, ir::shape::max_rank);
      case 5:
        return change(s.dims.axes[c.below(ir::shape::max_rank)]);
      case 6:
        return change(s.over);
      case 7:
        return change(s.operands[c.below(ir::statement::max_operands)], p.size());
      case 8:
        return change(s.number_);
      case 9:
        return change(s.axis_, 4);
      case 10:
        return change(s.scopes, p.scope_sets.size());
      default:
        return change(s.attribute_, 4);
    }
  }
  void change_rest(ir::program& p) {
    switch (c.below(4)) {
      case 0:
        return change(p.forward_outputs, p.outputs.size());
      case 1:
        p.scopes_apart = !p.scopes_apart;
        return;
      case 2:
        return change_word(p.wrong, 14);
      default:
        return change_list(p.callees, [&](ir::program& step) { change(step); });
    }
  }

  /// A member of an element, or an element is left out, there twice, or in another's place: the latter once in `rare`.
  template <class T, class Change> void change_list(sequence<T>& list, const Change& element, int rare = 3) {
    const int what = c.one_in(rare) ? c.below(4) : 4;
    if (list.empty() || what == 0) {
      list.push_back(T());
      if (!list.empty() && c.one_in(2)) element(list.back());
    } else if (what == 1) {
      const int out = c.below(list.size());
      for (int k = out; k + 1 < list.size(); ++k) list[k] = list[k + 1];
      list.pop_back();
    } else if (what == 2) {
      list.push_back(T(any_of(list)));
    } else if (what == 3) {
      std::swap(any_of(list), any_of(list));
    } else {
      element(any_of(list));
    }
  }

  choices& c;
};

/// p with one to three changes.
inline ir::program broken(ir::program p, choices& c) {
  for (int changes = 1 + c.below(3) * c.below(2); changes > 0; --changes) breaking(c).change(p);
  return p;
}

}  // namespace stg::test
