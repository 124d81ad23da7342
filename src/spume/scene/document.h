// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spume/core/describe.h"
#include "spume/core/error.h"
#include "spume/core/parallel.h"
#include "spume/scene/sweep.h"

namespace spume {

/// Which of the settings a scene offers is meant; empty: the scene as it stands.
struct SceneSelection {
    std::string preset;   ///< of [preset.NAME]; "default" is the scene as it stands
    std::string variant;  ///< of its sweep
};

/// What a scene offers besides the one run it describes.
struct SceneOffers {
    std::vector<std::string> presets;  ///< in file order, without "default"
    Sweep sweep;
    std::vector<std::string> warnings;  ///< what is right but should be written otherwise
};

/// A scene file as written, with places. Any described struct can be filled from it; what is wrong
/// is collected, and `finish` throws it all at once. Order: construct, fill …, complain …, finish.
class SceneDocument {
  public:
    /// `overrides` are "section.key=value", as given by --set; values read like those in a scene.
    /// List items are named by number from 0 or by their name: emitter.0.rate, emitter.jet.rate.
    /// A preset lies below a variant of the sweep, and both below the overrides.
    SceneDocument(std::string_view text, std::string file,
                  const std::vector<std::string>& overrides = {},
                  const SceneSelection& selection = {});
    ~SceneDocument();
    SceneDocument(const SceneDocument&) = delete;
    SceneDocument& operator=(const SceneDocument&) = delete;

    /// Fills a struct that has `describe(Params&, ParamVisitor&)` from the top of the file …
    template <class Params>
    void fill(Params& params) {
        auto body = [&](ParamVisitor& v) { describe(params, v); };
        visit(body);
    }
    /// … or from a section of it, which may be missing.
    template <class Params>
    void fill(const char* section, Params& params, const char* help = "") {
        auto body = [&](ParamVisitor& v) {
            v.section(section, help, [&](ParamVisitor& inner) { describe(params, inner); });
        };
        visit(body);
    }
    void visit(FunctionRef<void(ParamVisitor&)> body);

    /// Says what is wrong with the value at a path such as "emitter[0].rate", at its place in the
    /// file (or that of the nearest table around it).
    void complain(const std::string& path, std::string message, std::string remedy);
    /// The same for values that do not go together; dropped when one of the tables it depends on
    /// has a mistake of its own, since then the values are not what the user meant.
    void conflict(const std::string& path, const std::vector<std::string>& tables,
                  std::string message, std::string remedy);

    /// Reads [sweep] and names the presets; their keys are known from then on.
    SceneOffers offers();

    /// Lets a section stand unread: nobody here knows its keys.
    void accept(const std::string& section);

    /// Whether the scene gives a value at a path, and whether a text.
    bool gives(const std::string& path) const;
    bool has_text(const std::string& path) const;

    /// A warning: what is right but hardly meant.
    void remark(std::string warning);

    /// Throws UserError with the first 20 complaints in file order, unknown keys included.
    void finish();

  private:
    struct Content;
    std::unique_ptr<Content> content_;
};

}  // namespace spume
