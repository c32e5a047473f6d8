// The attachments of a program, carried to another one: outputs, names, tags, decisions about values, and checks.
#pragma once

#include <utility>  // swap

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/decisions.hpp>   // drop_decisions
#include <stg/ir/program.hpp>     // program, label, tag, decision

namespace stg::ir {

/// Gives values their names, tags or decisions from elsewhere, with values renamed by at[old] (no_value: dropped) and
/// without duplicates. Linear time: the labels of one value are chained. `to` may be of values that are not there yet.
template <class T> constexpr void carry_labels(const sequence<T>& from, sequence<T>& to, const sequence<value_id>& at) {
  if (from.empty()) return;
  sequence<int> latest;  // of each value, the last of its own
  sequence<int> before;  // of each label, the one before it of the same value
  const auto latest_of = [&](value_id i) -> int& {
    while (latest.size() <= i) latest.push_back(-1);
    return latest[i];
  };
  const auto chain = [&](int label) {
    int& last = latest_of(to[label].at);
    before.push_back(last);
    last = label;
  };
  for (int k = 0; k < to.size(); ++k) chain(k);
  for (T copy : from) {
    copy.at = at[copy.at];
    if (copy.at == no_value) continue;
    int same = latest_of(copy.at);
    while (same >= 0 && !(to[same] == copy)) same = before[same];
    if (same >= 0) continue;
    to.push_back(copy);
    chain(to.size() - 1);
  }
}
constexpr void carry_names(const program& p, program& q, const sequence<value_id>& at) {
  carry_labels(p.names, q.names, at);
}
constexpr void carry_tags(const program& p, program& q, const sequence<value_id>& at) {
  carry_labels(p.tags, q.tags, at);
}
/// Carries decisions about values and pairs, if `which` is true of them. They stand behind decisions about scopes and
/// the whole, which take_scopes takes along. A pair with a dropped value is dropped.
constexpr void carry_decisions(const program& p, program& q, const sequence<value_id>& at, decision_test which) {
  sequence<decision> from, to;
  for (decision d : p.decisions) {
    if (!d.is_of_values() || !which(d)) continue;
    if (d.whom == decided_of::pair) {
      if (at[d.other] < at[d.at]) std::swap(d.at, d.other);  // the first in q comes first
      d.other = at[d.other];
      if (d.other == no_value || (d.other == at[d.at] && d.what == decided::together)) continue;
    }
    from.push_back(d);
  }
  if (from.empty()) return;
  for (const decision& d : q.decisions)
    if (d.is_of_values()) to.push_back(d);
  drop_decisions(q, [](const decision& d) { return d.is_of_values(); });
  carry_labels(from, to, at);
  for (const decision& d : to) q.decisions.push_back(d);
}
constexpr void carry_decisions(const program& p, program& q, const sequence<value_id>& at) {
  carry_decisions(p, q, at, [](const decision&) { return true; });
}
/// The same, in the order of the values that they belong to: linear in both.
template <class T, class Value>
constexpr sequence<T> sorted_by_value(const sequence<T>& all, Value T::*of, int statements) {
  if (all.size() < 2) return all;
  sequence<int> next(statements + 1, 0);
  for (const T& l : all) ++next[(l.*of) + 1];
  for (int i = 1; i <= statements; ++i) next[i] += next[i - 1];
  sequence<T> sorted(all.size());
  for (const T& l : all) sorted[next[l.*of]++] = l;
  return sorted;
}

/// Copies all attachments of values into q, with values renamed by at[old] (no_value: dropped).
constexpr void carry_attachments(const program& p, program& q, const sequence<value_id>& at) {
  for (const output& o : p.outputs) {
    output copy = o;
    copy.at = at[o.at];
    q.outputs.push_back(copy);
  }
  carry_names(p, q, at);
  carry_tags(p, q, at);
  carry_decisions(p, q, at);
  for (const label_range& c : p.checks) {
    label_range copy = c;
    copy.labels = at[c.labels];
    if (c.mask != no_value) copy.mask = at[c.mask];
    q.checks.push_back(copy);
  }
}

}  // namespace stg::ir
