// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// libFuzzer target fuzz_http: any bytes in any pieces are a request or a refusal, within the
// limits, and how they are cut makes no difference.

#include <cstdint>
#include <cstdlib>

#include "spume/serve/gate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using spume::HttpParser;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    HttpParser whole, cut;
    const std::size_t used = whole.feed(text);
    std::size_t at = 0;
    while (at < size && cut.state() == HttpParser::State::kMore)
        at += cut.feed(text.substr(at, 1 + data[at] % 5));
    if (whole.state() != cut.state() || used != at) std::abort();
    if (whole.state() == HttpParser::State::kBad && whole.refusal() < 400) std::abort();
    if (whole.state() != HttpParser::State::kDone) return 0;
    const spume::HttpRequest& request = whole.request();
    if (request.path.empty() || request.path[0] != '/' || request.headers.size() > 64) std::abort();
    // Nobody gets in who cannot know the token.
    const auto answer = spume::Gate(8017, "0f1e2d3c4b5a69788796a5b4c3d2e1f0").answer(request);
    if (!answer || answer->status < 400) std::abort();
    return 0;
}
