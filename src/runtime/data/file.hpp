// Opening files that somebody else wrote: what is no file, or cannot be read, is told from what is missing.
#pragma once

#include "bytes.hpp"  // byte_source

#include <memory>       // unique_ptr
#include <string>       // string
#include <string_view>  // string_view

namespace stg::detail {

/// A file at its first byte. `kind` begins the sentences: "npy", "edge list". Errors: nothing of that name, a folder,
/// what is no regular file, and what cannot be opened, with the system's reason.
std::unique_ptr<byte_source> open_file(std::string_view kind, const std::string& path);
/// The same of a text, which may be packed by gzip where the library stg::io is linked. Errors also for a packed text
/// where it is not, and for a file that is called .gz and is not packed.
std::unique_ptr<byte_source> open_text(std::string_view kind, const std::string& path);
/// All of a text.
std::string read_file(std::string_view kind, const std::string& path);

/// Removes the mark that some systems put before text in UTF-8 (the bytes EF BB BF). Error for text in UTF-16, which
/// begins with a mark of its own, FF FE or FE FF.
void skip_byte_order_mark(std::string_view kind, const std::string& path, std::string_view& text);

}  // namespace stg::detail
