// SPDX-License-Identifier: GPL-2.0-only

// Any text as a training step: it is refused in a line, or all ranks can execute it.

#include "model/core/workload/json-value.h"
#include "model/core/workload/text-reader.h"
#include "test/fuzz/fuzz-require.h"

#include "ns3/training-step-file.h"

#include <array>
#include <sstream>
#include <stdexcept>

namespace
{

/// A step of which these numbers multiply to more than MOST takes too long here.
const std::array<std::string, 11> SIZES{"ranks",
                                        "dp",
                                        "tp",
                                        "cp",
                                        "pp",
                                        "ep",
                                        "layers",
                                        "microbatches",
                                        "chunks",
                                        "channels",
                                        "per_layer"};
constexpr uint64_t MOST = 2048; //!< see SIZES

/// Returns the product of all sizes in it; a large number if that is larger.
uint64_t
GetProduct(const JsonValue& value)
{
    uint64_t product = 1;
    for (std::size_t i = 0; i < value.items.size(); ++i)
    {
        const JsonValue& item = value.items[i];
        uint64_t factor = GetProduct(item);
        uint64_t size = 0;
        if (i < value.keys.size() && item.type == JsonValue::Type::NUMBER &&
            std::find(SIZES.begin(), SIZES.end(), value.keys[i]) != SIZES.end() &&
            ParseWholeNumber(item.text, size))
        {
            factor = std::max<uint64_t>(size, 1);
        }
        product = std::min(product, MOST + 1) * std::min(factor, MOST + 1);
    }
    return product;
}

bool
IsLarge(const std::string& text)
{
    try
    {
        return GetProduct(ParseJsonText(text)) > MOST;
    }
    catch (const std::invalid_argument&)
    {
        return false; // to be refused
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (IsLarge(text))
    {
        return 0;
    }
    std::istringstream stream(text);
    try
    {
        const WorkloadPlan plan = ParseTrainingStepFile(stream, "file");
        Require(plan.GetNRanks() >= 1 && plan.GetNRanks() <= MOST, "the text tells the ranks");
        plan.Check();
    }
    catch (const std::runtime_error& error)
    {
        const std::string what = error.what();
        Require(IsOneLine(what), "a refusal is a line");
        Require(what.compare(0, 5, "file:") == 0, "which names the file");
        Require(what.find_first_of("123456789") == 5, "and the line");
    }
    return 0;
}
