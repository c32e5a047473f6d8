// Expecting an stg::error whose sentence says certain things.
#pragma once

#include <stg/base/error.hpp>  // error

#include <gtest/gtest.h>  // ADD_FAILURE

#include <initializer_list>  // initializer_list
#include <string>            // string
#include <string_view>       // string_view

namespace stg::test {

/// Fails unless action() throws an stg::error that begins with "stg: " and contains every one of the parts.
template <class Action> void expect_error(Action&& action, std::initializer_list<std::string_view> parts) {
  try {
    action();
  } catch (const error& e) {
    const std::string what = e.what();
    if (what.rfind("stg: ", 0) != 0) ADD_FAILURE() << "does not begin with stg: " << what;
    for (const std::string_view part : parts)
      if (what.find(part) == std::string::npos) ADD_FAILURE() << "lacks \"" << part << "\": " << what;
    return;
  }
  ADD_FAILURE() << "nothing was thrown; expected an error about " << *parts.begin();
}

}  // namespace stg::test
