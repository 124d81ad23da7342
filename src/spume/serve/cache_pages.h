// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/io/commit.h"
#include "spume/io/manifest.h"
#include "spume/serve/beneath.h"
#include "spume/serve/http.h"
#include "spume/serve/solids.h"

namespace spume {

/// A cache as answers to requests. Only committed frames are seen, so it may still be written; a
/// file is found by the name in its frame's record, never by a path that a client sends. Of two
/// that are shown side by side, `cache=1` in a query asks the second.
///
///   /api/cache                 what was simulated, and how far it is
///   /api/frames?after=N        records after frame N: time, statistics, names of what they hold
///   /api/points?frame=&name=&limit=      /api/mesh?frame=&name=      packets (packet.h)
///   /api/tiles?frame=&name=              /api/slice?frame=&name=&axis=&at=&component=
///   /api/solids?frame=         the scene's solids at the frame's time, one mesh
///   /api/log                   the end of the log
class CachePages {
  public:
    explicit CachePages(const std::string& directory);

    HttpResponse answer(const HttpRequest& request);

  private:
    HttpResponse cache();
    HttpResponse frames(const HttpRequest& request) const;
    HttpResponse log() const;
    HttpResponse packet(const HttpRequest& request) const;
    HttpResponse solids(const HttpRequest& request) const;

    std::optional<Manifest> manifest(std::string& problem) const;
    void look_for_solids(const Manifest& manifest);
    std::vector<int> committed() const;
    std::optional<CommitRecord> record(int frame) const;
    /// The content of the file that a record holds under folder/name, checked against its hash.
    std::optional<std::string> content(const CommitRecord& record, const std::string& folder,
                                       const std::string& name, std::string& path) const;

    std::string directory_;
    BeneathDirectory files_;
    std::unique_ptr<FileSystem> listing_;
    std::string scene_;  ///< that the solids and the camera are of
    Camera camera_;      ///< of the scene, at its first frame
    SceneSolids solids_;
};

}  // namespace spume
