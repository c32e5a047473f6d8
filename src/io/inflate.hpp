// Unpacking deflated bytes as they are asked for.
#pragma once

#include "../runtime/data/bytes.hpp"  // byte_source, is_bomb

#include <memory>  // unique_ptr
#include <string>  // string

namespace stg::detail {

/// How bytes are packed: deflated alone, as in a ZIP archive, or with gzip's heads and checksums around one or several
/// parts.
enum class packed { deflated, gzip };

/// What packed bytes unpack to. `name` begins the sentences. Errors of reading: damaged bytes, an end within them,
/// another checksum, bytes behind the last part that begin no further one.
std::unique_ptr<byte_source> inflated(std::unique_ptr<byte_source> bytes, packed how, const std::string& name);

}  // namespace stg::detail
