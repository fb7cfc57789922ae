// SPDX-License-Identifier: GPL-2.0-only

// Runs a fuzz target without libFuzzer: with each file of a folder, each beginning of it, and it
// with each bit changed. So any compiler tests what fuzzing has found, and always the same.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);

namespace
{

/// Calls the target with an input.
void
Run(const std::vector<uint8_t>& bytes)
{
    // A copy without spare capacity, so that a sanitizer sees a read beyond the end
    const std::vector<uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

/// Calls the target with a file and what is made of it.
std::size_t
RunFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t length = 0; length <= bytes.size(); ++length)
    {
        Run({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
    }
    for (std::size_t i = 0; i < 8 * bytes.size(); ++i)
    {
        const auto bit = static_cast<uint8_t>(1U << i % 8);
        bytes[i / 8] ^= bit;
        Run(bytes);
        bytes[i / 8] ^= bit;
    }
    return 1 + 9 * bytes.size();
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2 || !std::filesystem::is_directory(argv[1]))
    {
        std::fprintf(stderr, "expected a folder of inputs as the only argument\n");
        return 1;
    }
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    {
        paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::size_t nInputs = 0;
    for (const auto& path : paths)
    {
        nInputs += RunFile(path);
    }
    std::printf("%zu files, %zu inputs\n", paths.size(), nInputs);
    return paths.empty() ? 1 : 0;
}
