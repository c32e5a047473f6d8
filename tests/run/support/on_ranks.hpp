// What tests of ranks ask of their results and errors.
#pragma once

#include <stg/base/error.hpp>                // error
#include <stg/distributed/thread_ranks.hpp>  // run_ranks

#include <cstddef>     // byte
#include <functional>  // function
#include <string>      // string
#include <vector>      // vector

namespace stg::test {

using bytes = std::vector<std::byte>;

template <class T> bytes bytes_in(const T& t) {
  const auto* const first = reinterpret_cast<const std::byte*>(t.data());
  return {first, first + t.bytes()};
}

/// What `run_ranks` throws; empty if nothing.
inline std::string error_of(int ranks, const std::function<void(communicator&)>& work,
                            const thread_rank_options& how = {}) {
  try {
    run_ranks(ranks, work, how);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

}  // namespace stg::test
