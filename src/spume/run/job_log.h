// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>

#include "spume/io/file_system.h"

namespace spume {

/// DIR/log.txt. Writes go through the file layer; the first that fails is thrown by the next
/// `check`, never from a logging call.
class JobLog {
  public:
    JobLog(FileSystem& files, const std::string& directory);
    ~JobLog();

    void note(const std::string& text);
    void warn(const std::string& text);
    void check() const;

  private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace spume
