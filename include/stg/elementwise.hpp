// Opt-in: operations of your own, a function of numbers with its gradient, that lambdas apply like ours.
#pragma once

#include <stg/call/check_operation.hpp>  // check_operation
#include <stg/call/elementwise.hpp>      // apply, elementwise, add_operation
