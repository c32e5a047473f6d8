// Opt-in: the rewrite rules that come with the library.
#pragma once

// As in stg.hpp: a user's globals that a template's own names hide are no mistake.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include <stg/rules/broadcasts.hpp>  // without_broadcasts
#include <stg/rules/passes.hpp>      // chosen_in_training, out_of_sums
#include <stg/rules/products.hpp>    // distribute, factor_out
#include <stg/rules/sums.hpp>        // factors_out_of_sums
#include <stg/rules/zeros.hpp>       // without_zeros

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#pragma GCC diagnostic ignored "-Wpsabi"  // to the end of the file: see base/config.hpp
#endif
