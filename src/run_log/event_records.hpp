// Records of TensorBoard's event files: messages Event of protocol buffers, framed as TensorFlow's records are.
#pragma once

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/run_log.hpp>  // hyper_parameter

namespace stg::detail {

/// A message's bytes as a record: length, its checksum, the bytes, their checksum.
std::string framed(std::string_view message);

// Each is a whole record. Times are seconds since 1970.

/// The first record of a file.
std::string version_record(double time);
/// Says that a run begins again at a step: what earlier files of the folder have from there on is not shown.
std::string session_record(double time, std::int64_t step);
std::string scalar_record(double time, std::int64_t step, std::string_view name, double value);
/// The table HPARAMS: the start of a session with its settings.
std::string hyper_parameters_record(double time, const std::vector<hyper_parameter>& settings);

}  // namespace stg::detail
