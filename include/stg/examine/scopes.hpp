// The tree of the scopes of a program: paths, scopes within, values, and the parameters that they read.
#pragma once

#include <algorithm>    // max
#include <cstddef>      // size_t
#include <string>       // string, to_string
#include <string_view>  // string_view

#include <stg/base/sequence.hpp>             // sequence
#include <stg/examine/walk.hpp>              // node
#include <stg/ir/callees.hpp>                // arguments_of
#include <stg/ir/decisions.hpp>              // is_within
#include <stg/ir/program.hpp>                // program
#include <stg/analysis/scan_dependence.hpp>  // inputs_by_entry

namespace stg::examine {

/// A scope, or the program as a whole, which is the root.
struct scope_node {
  text path{};                  // "conv1/norm"; of the root empty
  int parent = -1;              // its number in the tree; of the root -1
  int depth = 0;                // of the root 0
  sequence<int> children{};     // scopes that lie directly within, by number
  sequence<node> members{};     // values written in it and not in a scope within, in the order of the program
  sequence<text> parameters{};  // that its members, or those of scopes within, read
  constexpr std::string_view name() const {
    const std::size_t slash = path.view().rfind('/');
    return slash == std::string_view::npos ? path.view() : path.view().substr(slash + 1);
  }
};

/// The scopes of a program and, by the calls they stand in, those of its steps and callees. The tree refers
/// to values of the program, which has to live as long. Equal values of two scopes are one member of both; a value of
/// a called layer is a member for each call.
///
///   const examine::scope_tree tree(p);
///   for (const int k : tree.find("encoder")->children) std::cout << tree[k].path.view() << '\n';
class scope_tree {
 public:
  static constexpr int any_depth = text::capacity;
  /// A scope at the depth that is the most has the values of all that lies deeper; 0: the root alone.
  constexpr explicit scope_tree(const ir::program& p, int most = any_depth) : of(&p), deepest(most) {
    all.push_back({});
    sequence<text> named(p.inputs.size());
    for (int e = 0; e < p.inputs.size(); ++e)
      if (p.inputs[e].trainable) named[e] = p.inputs[e].name;
    add(p, {}, {}, named);
  }
  /// The same program down to a depth.
  constexpr scope_tree flattened(int depth) const { return scope_tree(*of, depth); }

  constexpr int size() const { return all.size(); }
  constexpr const scope_node& operator[](int k) const { return all[k]; }
  constexpr const scope_node& root() const { return all[0]; }
  constexpr const scope_node* begin() const { return all.begin(); }
  constexpr const scope_node* end() const { return all.end(); }
  /// The scope of a path; null where there is none.
  constexpr const scope_node* find(std::string_view path) const {
    const int k = number_of(path);
    return k < 0 ? nullptr : &all[k];
  }
  /// The innermost scopes that read a parameter: those of several share it.
  constexpr sequence<int> readers_of(std::string_view parameter) const {
    sequence<int> found;
    for (int k = 0; k < size(); ++k) {
      bool is_read_within = false;
      for (const int child : all[k].children) is_read_within = is_read_within || reads(child, parameter);
      if (reads(k, parameter) && !is_read_within) found.push_back(k);
    }
    return found;
  }

 private:
  constexpr int number_of(std::string_view path) const {
    for (int k = 0; k < size(); ++k)
      if (all[k].path.view() == path) return k;
    return -1;
  }
  constexpr bool reads(int k, std::string_view parameter) const {
    for (const text& one : all[k].parameters)
      if (one.view() == parameter) return true;
    return false;
  }
  /// The number of a scope, made with those around it where it is new.
  constexpr int made(std::string_view path) {
    if (const int known = number_of(path); known >= 0) return known;
    const std::size_t slash = path.rfind('/');
    const int parent = slash == std::string_view::npos ? 0 : made(path.substr(0, slash));
    all.push_back({text(path), parent, all[parent].depth + 1});
    all[parent].children.push_back(size() - 1);
    return size() - 1;
  }
  /// The path of a scope that is not too deep.
  constexpr std::string_view shortened(std::string_view path) const {
    std::size_t end = 0;
    for (int k = 0; k < deepest && end < path.size(); ++k) {
      end = path.find('/', end == 0 ? 0 : end + 1);
      if (end == std::string_view::npos) return path;
    }
    return path.substr(0, end);
  }
  /// A statement in two scopes that are one here is one member.
  constexpr void add_member(int k, const node& value) {
    sequence<node>& members = all[k].members;
    if (members.empty() || members.back().in != value.in || members.back().at != value.at) members.push_back(value);
  }
  constexpr void add_parameter(int k, const text& name) {
    for (; k >= 0; k = all[k].parent)
      if (!reads(k, name.view())) all[k].parameters.push_back(name);
  }
  /// A path of a callee as one of a call: equal callees are one program, with the scopes around one of its calls.
  static constexpr text moved(const text& path, const sequence<text>& calls, const text& to) {
    std::size_t from = 0;
    for (const text& call : calls)
      if (ir::is_within(path.view(), call.view())) from = std::max(from, call.view().size());
    std::string_view rest = path.view().substr(from);
    if (!rest.empty() && rest.front() == '/') rest.remove_prefix(1);
    if (rest.empty()) return to;
    text whole = to;
    if (to.length + rest.size() + 1 > text::capacity) return to;
    if (to.length > 0) whole.append('/');
    whole.append(rest);
    return whole;
  }
  static constexpr sequence<text> paths_of(const ir::program& p, const ir::statement& s) {
    sequence<text> paths;
    ir::each_scope(p, s, [&](int k) { paths.push_back(p.scopes[k]); });
    return paths;
  }

  /// A program, called in the scope `to`; `calls` are the scopes of all its calls. named: for each input the name of
  /// the parameter, or none.
  constexpr void add(const ir::program& p, const sequence<text>& calls, const text& to, const sequence<text>& named) {
    sequence<sequence<text>> of_callees(p.callees.size());
    for (const ir::statement& s : p.statements)
      if (ir::is_scan(s.code))
        for (const text& path : paths_of(p, s)) of_callees[s.callee()].push_back(path);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const ir::statement& s = p[i];
      if (s.code == ir::opcode::input) continue;
      sequence<text> paths = paths_of(p, s);
      if (paths.empty()) paths.push_back({});
      for (const text& raw : paths) {
        const text path = moved(raw, calls, to);
        const int k = made(shortened(path.view()));
        add_member(k, {&p, i});
        for (int o = 0; o < s.arity(); ++o) add_parameter_of(k, p.operand(s, o), named);
        if (ir::is_scan(s.code)) add_callee(p, s, of_callees[s.callee()], path, named);
      }
    }
  }
  constexpr void add_parameter_of(int k, const ir::statement& read, const sequence<text>& named) {
    if (read.code == ir::opcode::input && named[read.entry()].length > 0) add_parameter(k, named[read.entry()]);
  }
  constexpr void add_callee(const ir::program& p, const ir::statement& s, const sequence<text>& calls, const text& to,
                            const sequence<text>& named) {
    const ir::program& callee = p.callees[s.callee()];
    const sequence<ir::value_id> given = ir::arguments_of(p, s);
    sequence<text> theirs(callee.inputs.size());
    for (int e = 0; e < given.size() && e < theirs.size(); ++e)
      if (p[given[e]].code == ir::opcode::input) theirs[e] = named[p[given[e]].entry()];
    add(callee, calls, to, theirs);
  }

  const ir::program* of;
  int deepest;
  sequence<scope_node> all{};
};

namespace detail {
inline void write_scope(std::string& to, const scope_tree& tree, int k) {
  const scope_node& one = tree[k];
  const std::size_t values = static_cast<std::size_t>(one.members.size());
  to += std::string(2 * static_cast<std::size_t>(one.depth), ' ') + std::string(k == 0 ? "the program" : one.name());
  to += ": " + std::to_string(values) + (values == 1 ? " value" : " values");
  for (const text& name : one.parameters) to += ", " + std::string(name.view());
  to += '\n';
  for (const int child : one.children) write_scope(to, tree, child);
}
}  // namespace detail

/// The tree as text: a line for each scope, with how many values are its members and the parameters that are read in
/// it.
///
///   the program: 3 values, W1, W2
///     conv1: 4 values, W1
inline std::string to_text(const scope_tree& tree) {
  std::string all;
  detail::write_scope(all, tree, 0);
  return all;
}

}  // namespace stg::examine
