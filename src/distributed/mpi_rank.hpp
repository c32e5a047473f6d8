// Whether a rank is a process of MPI.
#pragma once

#include <stg/runtime/communicator.hpp>  // communicator

namespace stg::detail {

/// Else it is a thread, and MPI has not begun.
bool is_process(const communicator& ranks);

}  // namespace stg::detail
