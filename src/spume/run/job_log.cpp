// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_log.h"

#include <exception>
#include <mutex>

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include "spume/io/atomic_file.h"

namespace spume {
namespace {

class FileSink : public spdlog::sinks::base_sink<std::mutex> {
  public:
    FileSink(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {
        set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
    }
    std::exception_ptr failure;

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        if (failure) return;
        spdlog::memory_buf_t text;
        formatter_->format(message, text);
        try {
            append_to_file(files_, path_, {text.data(), text.size()}, false);
        } catch (...) {  // spdlog would print it and go on
            failure = std::current_exception();
        }
    }
    void flush_() override {}

  private:
    FileSystem& files_;
    std::string path_;
};

}  // namespace

struct JobLog::Inside {
    std::shared_ptr<FileSink> sink;
    spdlog::logger logger;
};

JobLog::JobLog(FileSystem& files, const std::string& directory) {
    auto sink = std::make_shared<FileSink>(files, join_path(directory, "log.txt"));
    inside_ = std::make_unique<Inside>(Inside{sink, spdlog::logger("spume", sink)});
}

JobLog::~JobLog() = default;

void JobLog::note(const std::string& text) { inside_->logger.info(text); }
void JobLog::warn(const std::string& text) { inside_->logger.warn(text); }
void JobLog::check() const {
    if (inside_->sink->failure) std::rethrow_exception(inside_->sink->failure);
}

}  // namespace spume
