// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as a MAC control frame: what is understood has the fields of its opcode, and all that
// counts of it survives being written and read again.

#include "fuzz-require.h"
#include "model/core/ethernet/mac-control.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    MacControlFrame frame;
    const MacControlResult result = DecodeMacControl(data, size, frame);
    if (result != MacControlResult::OK)
    {
        Require(size < 20 || result == MacControlResult::UNKNOWN_OPCODE,
                "20 bytes are enough for any known opcode");
        Require(frame.enabled == 0, "nothing is told of a frame that is refused");
        return 0;
    }
    const bool isPause = frame.opcode == MacControlOpcode::PAUSE;
    Require(size >= (isPause ? 4U : 20U), "all fields are there");
    const std::size_t first = isPause ? 2 : 4;
    Require(frame.quanta[0] == (data[first] << 8 | data[first + 1]), "the first time");
    const auto bytes = EncodeMacControl(frame);
    MacControlFrame again;
    Require(DecodeMacControl(bytes.data(), bytes.size(), again) == MacControlResult::OK,
            "what is written can be read");
    Require(again.opcode == frame.opcode && again.enabled == frame.enabled &&
                again.quanta == frame.quanta,
            "and is the same");
    return 0;
}
