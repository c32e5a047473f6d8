// Looking at named values while drafts run.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>      // int64_t
#include <memory>       // make_shared, shared_ptr
#include <string_view>  // string_view
#include <type_traits>  // is_constructible_v, is_invocable_v, is_same_v
#include <utility>      // move

namespace stg {

/// A value of a program that has just run, by the name that named<"..."> gave to it, with its scopes: "conv1/score".
struct watched_value {
  std::string_view name;
  std::int64_t rows = 0;     // vertices, edges, or 1
  std::int64_t numbers = 0;  // of all rows
  std::int64_t nans = 0, infinities = 0;
  double min = 0, max = 0;          // of all other numbers; 0 if there are none
  std::int64_t first_bad_row = -1;  // the least vertex or edge id with a NaN or an infinity; -1: none
};

/// A function that looks at a value, or none. std::function would make <functional> a part of every program.
class watcher {
 public:
  watcher() = default;
  template <class See>
    requires(!std::is_same_v<See, watcher> && std::is_invocable_v<See&, const watched_value&>)
  watcher(See see) {
    if constexpr (std::is_constructible_v<bool, See&>)
      if (!static_cast<bool>(see)) return;
    see_ = [](void* of, const watched_value& v) { static_cast<void>((*static_cast<See*>(of))(v)); };
    of_ = std::make_shared<See>(std::move(see));
  }

  explicit operator bool() const { return see_ != nullptr; }
  void operator()(const watched_value& v) const { see_(of_.get(), v); }

 private:
  std::shared_ptr<void> of_;
  void (*see_)(void*, const watched_value&) = nullptr;
};

/// From now on calls `see` for the value of this name whenever a draft has computed it, after each run of a program
/// that has one; forward and gradient are a program each. Nothing is seen of a value that a rewrite has replaced by
/// another, nor by compiled programs. One function per name, the last that was given; an empty one ends it. Functions
/// are called one at a time, by the thread that made the call, and may watch and run programs.
///
///   stg::watch("conv1/score", [](const stg::watched_value& v) {
///     if (v.nans > 0) std::cerr << v.name << ": NaN at edge " << v.first_bad_row << '\n';
///   });
void watch(std::string_view name, watcher see);

}  // namespace stg
