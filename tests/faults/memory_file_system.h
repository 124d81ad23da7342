// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>

#include "spume/io/file_system.h"

namespace spume::test {

/// Thrown where the machine stops. Not a std::exception: no handler of the program may catch it.
struct SimulatedCrash {};

/// What is on the disk after the crash.
enum class Survival {
    kAll,     ///< the process was killed; the system lived on
    kSynced,  ///< power loss: only what was synced
    kMixed,   ///< power loss: unsynced names may or may not be there, unsynced data is garbage
};

/// Files in memory that remember what was synced, fail on request and crash on request. Calls that
/// change something are counted; call number `fault.at` (from 1) fails.
class MemoryFileSystem : public FileSystem {
  public:
    struct Fault {
        long at = 0;  ///< 0: never
        int code = ENOSPC;
        bool sticky = false;
        bool crash = false;
    };
    Fault fault;
    long calls = 0;
    std::size_t longest_write = SIZE_MAX;  ///< a call to write takes at most so many bytes
    std::uint64_t free = std::uint64_t(1) << 40;
    std::map<std::string, std::uint64_t> arrived;  ///< bytes that came to stand under a name

    MemoryFileSystem() { directories_ = durable_directories_ = {"/", "."}; }

    Handle create(const std::string& path) override {
        count("create", path);
        need_directory(path);
        if (names_.count(path)) throw FileError("create", path, EEXIST);
        names_[path] = std::make_shared<Node>();
        return open(names_[path]);
    }
    Handle open_append(const std::string& path) override {
        count("open", path);
        need_directory(path);
        auto& node = names_[path];
        if (!node) node = std::make_shared<Node>();
        return open(node);
    }
    Handle open_read(const std::string& path) override {
        alive();
        const auto found = names_.find(path);
        if (found == names_.end()) throw FileError("open", path, ENOENT);
        return open(found->second);
    }
    std::size_t write(Handle file, std::span<const std::byte> bytes) override {
        auto& node = *opened_.at(file).node;
        std::size_t n = std::min(bytes.size(), longest_write);
        const char* data = reinterpret_cast<const char*>(bytes.data());
        try {
            count("write", "the file");
        } catch (...) {
            node.data.append(data, n / 2);  // a failing disk takes a part first
            throw;
        }
        node.data.append(data, n);
        return n;
    }
    std::size_t read(Handle file, std::span<std::byte> bytes) override {
        alive();
        auto& o = opened_.at(file);
        const std::size_t n = std::min(bytes.size(), o.node->data.size() - o.position);
        if (n > 0) std::memcpy(bytes.data(), o.node->data.data() + o.position, n);
        o.position += n;
        return n;
    }
    void sync(Handle file) override {
        count("sync", "the file");
        opened_.at(file).node->durable = opened_.at(file).node->data;
    }
    void close(Handle file) override {
        opened_.erase(file);
        count("close", "the file");
    }
    void rename(const std::string& from, const std::string& to) override {
        count("rename", to);
        const auto found = names_.find(from);
        if (found == names_.end()) throw FileError("rename", from, ENOENT);
        names_[to] = found->second;
        arrived[to] += found->second->data.size();
        names_.erase(from);
    }
    void sync_directory(const std::string& path) override {
        count("sync the directory", path);
        for (auto i = durable_.begin(); i != durable_.end();)
            i = directory_of(i->first) == path && !names_.count(i->first) ? durable_.erase(i)
                                                                          : std::next(i);
        for (const auto& [name, node] : names_)
            if (directory_of(name) == path) durable_[name] = node;
        for (const std::string& d : directories_)
            if (directory_of(d) == path) durable_directories_.insert(d);
    }
    void remove(const std::string& path) override {
        count("remove", path);
        if (names_.erase(path) == 0) throw FileError("remove", path, ENOENT);
    }
    void make_directory(const std::string& path) override {
        count("make the directory", path);
        need_directory(path);
        if (!directories_.insert(path).second) throw FileError("make the directory", path, EEXIST);
    }
    std::optional<Facts> facts(const std::string& path) override {
        alive();
        if (directories_.count(path)) return Facts{true, 0};
        const auto found = names_.find(path);
        if (found == names_.end()) return std::nullopt;
        return Facts{false, found->second->data.size()};
    }
    std::vector<std::string> list(const std::string& path) override {
        alive();
        if (!directories_.count(path)) throw FileError("list", path, ENOENT);
        std::vector<std::string> names;
        for (const auto& [name, node] : names_)
            if (directory_of(name) == path) names.push_back(name_of(name));
        for (const std::string& d : directories_)
            if (d != path && directory_of(d) == path) names.push_back(name_of(d));
        std::sort(names.begin(), names.end());
        return names;
    }
    std::uint64_t free_bytes(const std::string&) override {
        alive();
        return free;
    }
    LockAttempt lock(const std::string& path) override {
        count("create", path);
        need_directory(path);
        auto& node = names_[path];
        if (!node) node = std::make_shared<Node>();
        if (locked_.count(path)) return {nullptr, node->data};
        locked_.insert(path);
        return {std::make_unique<Held>(*this, path), node->data};
    }

    /// The machine comes up again.
    void restart(Survival survival, unsigned seed) {
        std::mt19937 random(seed);
        auto coin = [&] { return random() % 2 == 0; };
        if (survival != Survival::kAll) {
            std::map<std::string, std::shared_ptr<Node>> kept = durable_;
            if (survival == Survival::kMixed)
                for (const auto& [name, node] : names_) {
                    if (coin())
                        kept[name] = node;
                    else if (!durable_.count(name))
                        kept.erase(name);
                }
            names_.clear();
            for (const auto& [name, node] : kept) {
                auto copy = std::make_shared<Node>();
                copy->durable = node->durable;
                copy->data = node->durable;
                if (survival == Survival::kMixed && node->data != node->durable) {
                    copy->data = node->data.substr(0, random() % (node->data.size() + 1));
                    for (char& c : copy->data)
                        if (random() % 16 == 0) c = static_cast<char>(random());
                    copy->durable = copy->data;
                }
                names_[name] = copy;
            }
            directories_ = durable_directories_;
        }
        durable_ = names_;
        for (auto& [name, node] : names_) node->durable = node->data;
        durable_directories_ = directories_;
        opened_.clear();
        locked_.clear();
        fault = {};
        calls = 0;
        crashed_ = false;
    }

    /// Every file with its content, for comparing two runs.
    std::map<std::string, std::string> contents() const {
        std::map<std::string, std::string> all;
        for (const auto& [name, node] : names_) all[name] = node->data;
        return all;
    }
    std::string& content(const std::string& path) { return names_.at(path)->data; }
    bool has(const std::string& path) const { return names_.count(path) > 0; }

  private:
    struct Node {
        std::string data, durable;
    };
    struct Opened {
        std::shared_ptr<Node> node;
        std::size_t position = 0;
    };
    class Held : public Lock {
      public:
        Held(MemoryFileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
        ~Held() override {
            if (files_.crashed_) return;
            files_.locked_.erase(path_);
            if (ours_) files_.names_.erase(path_);
        }
        void sign(const std::string& owner) override {
            files_.count("write", path_);
            files_.names_[path_]->data = files_.names_[path_]->durable = owner;
            ours_ = true;
        }

      private:
        MemoryFileSystem& files_;
        std::string path_;
        bool ours_ = false;
    };

    void alive() const {
        if (crashed_) throw SimulatedCrash{};
    }
    void count(const char* doing, const std::string& path) {
        alive();
        ++calls;
        const bool hit = fault.at > 0 && (calls == fault.at || (fault.sticky && calls > fault.at));
        if (!hit) return;
        if (fault.crash) {
            crashed_ = true;
            throw SimulatedCrash{};
        }
        throw FileError(doing, path, fault.code);
    }
    void need_directory(const std::string& path) const {
        if (!directories_.count(directory_of(path))) throw FileError("create", path, ENOENT);
    }
    Handle open(std::shared_ptr<Node> node) {
        opened_[next_] = {std::move(node), 0};
        return next_++;
    }

    std::map<std::string, std::shared_ptr<Node>> names_, durable_;
    std::set<std::string> directories_, durable_directories_;
    std::map<Handle, Opened> opened_;
    std::set<std::string> locked_;
    Handle next_ = 3;
    bool crashed_ = false;
};

}  // namespace spume::test
