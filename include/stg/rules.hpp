// Opt-in: the rewrite rules that come with the library.
#pragma once

#include <stg/rules/passes.hpp>    // chosen_in_training, out_of_sums
#include <stg/rules/products.hpp>  // distribute, factor_out
#include <stg/rules/sums.hpp>      // factors_out_of_sums
#include <stg/rules/zeros.hpp>     // without_zeros
