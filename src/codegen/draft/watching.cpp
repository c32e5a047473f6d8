// Named values of drafts.
#include "watching.hpp"

#include <atomic>      // atomic
#include <cmath>       // isnan, isinf
#include <cstring>     // memcpy
#include <functional>  // less
#include <map>         // map
#include <utility>     // move

#include <stg/ir/program.hpp>  // root_of

#include "../with_type.hpp"  // with_element

namespace stg {

namespace {

struct watcher_list {
  std::recursive_mutex mutex;  // what is called may watch, and run programs
  std::map<std::string, watcher, std::less<>> by_name;
  std::atomic<bool> any{false};
};
watcher_list& watchers() {
  static watcher_list all;
  return all;
}

double number_at(const std::byte* from, scalar_type type) {
  double number = 0;
  codegen::with_element(type, [&](auto x) {
    std::memcpy(static_cast<void*>(&x), from, sizeof x);
    number = static_cast<double>(x);
  });
  return number;
}

}  // namespace

void watch(std::string_view name, watcher see) {
  watcher_list& all = watchers();
  const std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (see) all.by_name.insert_or_assign(std::string(name), std::move(see));
  else if (const auto found = all.by_name.find(name); found != all.by_name.end()) all.by_name.erase(found);
  all.any = !all.by_name.empty();
}

namespace drafts {

watching::watching(const made_program& of, bool again) {
  watcher_list& all = watchers();
  if (again || !all.any) return;
  const std::lock_guard<std::recursive_mutex> lock(all.mutex);
  for (const ir::label& l : of.program.names) {
    const std::string name(l.name.view());
    if (l.at == ir::no_value || all.by_name.count(name) == 0) continue;
    const int root = root_of(of.program, l.at);
    if (entry_of(root) < 0) values_.push_back({root, -1, of.program[root].type, name, {}});
  }
}

int watching::entry_of(int i) const {
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (values_[k].at == i) return static_cast<int>(k);
  return -1;
}

bool watching::take_row(value& v, const std::byte* row, std::int64_t width) {
  watched_value& s = v.seen;
  bool bad = false;
  for (std::int64_t f = 0; f < width; ++f) {
    const double x = number_at(row + f * bytes_of(v.type), v.type);
    const bool first = s.numbers == s.nans + s.infinities;
    ++s.numbers;
    if (std::isnan(x)) ++s.nans;
    else if (std::isinf(x)) ++s.infinities;
    bad = bad || !std::isfinite(x);
    if (!std::isfinite(x)) continue;
    s.min = first || x < s.min ? x : s.min;
    s.max = first || x > s.max ? x : s.max;
  }
  ++s.rows;
  return bad;
}

void watching::note_bad(value& v, std::int64_t id) {
  if (v.seen.first_bad_row < 0 || id < v.seen.first_bad_row) v.seen.first_bad_row = id;
}

void watching::tell() {
  for (value& v : values_) {
    if (v.where < 0) continue;
    v.seen.name = v.name;
    watcher_list& all = watchers();
    const std::lock_guard<std::recursive_mutex> lock(all.mutex);
    const auto found = all.by_name.find(v.name);
    if (found == all.by_name.end()) continue;
    const watcher see = found->second;  // which may end itself
    see(v.seen);
  }
}

}  // namespace drafts

}  // namespace stg
