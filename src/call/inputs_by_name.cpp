// Inputs by name, and what is wrong with them.
#include <stg/call/inputs_by_name.hpp>

#include <string>  // string, to_string
#include <vector>  // vector

#include <stg/base/error.hpp>  // error

namespace stg {

namespace {

std::string quoted(const ir::input& declared) { return "input '" + std::string(declared.name.view()) + "'"; }
/// The entry of a name among inputs, or -1.
int entry_named(std::span<const ir::input> inputs, std::string_view name) {
  for (std::size_t e = 0; e < inputs.size(); ++e)
    if (inputs[e].name.view() == name) return static_cast<int>(e);
  return -1;
}
}  // namespace

void inputs_by_name::bind_to(const program_view& p, bound_input* bound) const {
  detail::bind_by_name(p.inputs, p, inputs_, bound);
}

namespace detail {

int entry_among(std::span<const ir::input> inputs, const program_input& in) {
  if (in.entry < 0) return entry_named(inputs, in.name);
  return in.entry < static_cast<int>(inputs.size()) ? in.entry : -1;
}

std::string spelled(const program_input& in) {
  return "input '" + (in.entry >= 0 ? '#' + std::to_string(in.entry) : std::string(in.name)) + '\'';
}

void bind_by_name(std::span<const ir::input> asked, const program_view& p, std::span<const program_input> given,
                  bound_input* bound) {
  std::vector<const program_input*> by_entry(asked.size());
  for (const program_input& in : given) {
    const int entry = entry_among(asked, in);
    if (entry < 0) throw error("the program has no " + detail::spelled(in) + "; give those that it reads");
    const program_input*& place = by_entry[static_cast<std::size_t>(entry)];
    if (place != nullptr)
      throw error(quoted(asked[static_cast<std::size_t>(entry)]) + " is given twice; give each input once");
    place = &in;
  }
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    const ir::input& declared = p.inputs[static_cast<std::size_t>(s.entry())];
    const program_input* const in = by_entry[static_cast<std::size_t>(entry_named(asked, declared.name.view()))];
    if (in == nullptr) throw error(quoted(declared) + " is not given; add it to the call");
    if (in->type != s.type || in->is_sparse != declared.sparse)
      throw error(quoted(declared) + " takes a " + (declared.sparse ? "sparse " : "") + "tensor of " +
                  std::string(name_of(s.type)) + "; convert what is given, x.to<T>()");
    bound[s.entry()] = in->bound;
  }
}

}  // namespace detail

}  // namespace stg
