// Operations of a user's own, as they are made known when a process starts.
#include <stg/runtime/own_operations.hpp>

#include <stg/base/error.hpp>         // error
#include <stg/ir/operation_name.hpp>  // operation_name

#include <map>     // map
#include <mutex>   // lock_guard, mutex
#include <string>  // string

namespace stg {

namespace {

struct known_operation {
  own_operation one{};
  std::string other{};  // a second struct of its name
};
struct operation_list {
  std::mutex guard;
  std::map<std::int64_t, known_operation> by_number;
};
/// Made when it is first asked for, since files make operations known in any order; never unmade, since threads may
/// still run when a process ends.
operation_list& operations() {
  static operation_list* const all = new operation_list;
  return *all;
}

/// Whether two structs of one name are one. Those of unnamed namespaces are written alike in every file.
bool are_one(const own_operation& a, const own_operation& b) {
  const bool is_of_its_file = a.written.find("anonymous") != std::string_view::npos;
  return a.written == b.written && (!is_of_its_file || a.value == b.value);
}

}  // namespace

bool add_operation(const own_operation& one) {
  operation_list& all = operations();
  const std::lock_guard lock(all.guard);
  known_operation& here = all.by_number[one.number];
  if (here.one.number == 0) here.one = one;
  else if (!are_one(here.one, one)) here.other = one.written;
  return true;
}

std::string why_no_operation(std::int64_t number) {
  operation_list& all = operations();
  const std::lock_guard lock(all.guard);
  const auto found = all.by_number.find(number);
  if (found != all.by_number.end() && found->second.other.empty()) return {};
  const std::string name(ir::operation_name(number).view());
  if (found == all.by_number.end())
    return "this program has no operation " + name +
           "; include the struct that is called so, and call stg::add_operation with it";
  return "two operations are called " + name + ": " + std::string(found->second.one.written) + " and " +
         found->second.other;
}

const own_operation& operation_of(std::int64_t number) {
  {
    operation_list& all = operations();
    const std::lock_guard lock(all.guard);
    const auto found = all.by_number.find(number);
    if (found != all.by_number.end() && found->second.other.empty()) return found->second.one;
  }
  throw error(why_no_operation(number));
}

}  // namespace stg
