#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

// What the values of options have to be.
namespace assay::tools {

// A number between two others, and a number at all: CLI::Range takes "nan", with which every comparison says no.
[[nodiscard]] CLI::Validator number_between(double least, double most);

// Any number but "inf" and "nan", as a float.
[[nodiscard]] CLI::Validator finite_number();

// Digits alone: what wraps around or is cut is no number that somebody meant.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t most);

// The name of a run or a measurement, which has to be found and shown again: printable UTF-8, and nothing that means
// another run or none, such as a number or `latest`.
[[nodiscard]] CLI::Validator label_text();

}  // namespace assay::tools
