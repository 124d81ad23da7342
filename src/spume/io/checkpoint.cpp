// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/checkpoint.h"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include "spume/io/checkpoint_format.h"

namespace spume {
namespace {

constexpr const char* kFolder = "checkpoints";
constexpr std::size_t kRegularKept = 2;
constexpr const char* kDamaged = "an older checkpoint is used if there is one";

template <class T>
std::string_view bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

class Writer : public StateVisitor {
  public:
    explicit Writer(AtomicFile& file) : file_(file) {}
    bool loading() const override { return false; }
    template <class T>
    void number(const T& value) {
        write(bytes_of(value));
    }
    void write(std::string_view bytes) {
        hasher_.add(bytes);
        file_.write(bytes);
    }
    void finish() {
        const Hash128 hash = hasher_.result();
        file_.write(bytes_of(hash.high));
        file_.write(bytes_of(hash.low));
    }

  protected:
    void fixed(std::string_view name, ElementType type, std::span<std::byte> bytes) override {
        member(name, type, bytes.data(), 1);
    }
    void array(std::string_view name, ElementType type, const std::byte* data, std::size_t count,
               FunctionOfSize) override {
        member(name, type, data, count);
    }

  private:
    void member(std::string_view name, ElementType type, const std::byte* data, std::size_t count) {
        SPUME_CHECK_OP(name.size(), <=, kMostNameBytes);
        number(static_cast<std::uint32_t>(name.size()));
        write(name);
        number(type.kind);
        number(static_cast<std::uint32_t>(type.bytes));
        number(static_cast<std::uint32_t>(type.width));
        number(static_cast<std::uint64_t>(count));
        const std::size_t size = count * static_cast<std::size_t>(type.bytes * type.width);
        if (size > 0) write({reinterpret_cast<const char*>(data), size});
    }
    AtomicFile& file_;
    Hasher hasher_;
};

/// The file as a stream that knows how many bytes are left.
class Source {
  public:
    Source(FileSystem& files, const std::string& path) : files_(files), path_(path) {
        const auto facts = files.facts(path);
        if (!facts || facts->directory) throw FileError("read", path, ENOENT);
        left_ = facts->bytes;
        file_ = files.open_read(path);
    }
    ~Source() {
        try {
            files_.close(file_);
        } catch (...) {  // nothing was written: nothing can be lost
        }
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::uint64_t left() const { return left_; }
    void read(std::span<std::byte> bytes) {
        if (bytes.size() > left_) damaged("ends too early");
        left_ -= bytes.size();
        while (!bytes.empty()) {
            const std::size_t got = files_.read(file_, bytes);
            if (got == 0) damaged("ends too early");
            hasher_.add(bytes.first(got));
            bytes = bytes.subspan(got);
        }
    }
    template <class T>
    T number() {
        T value;
        read(std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }
    std::string text(std::uint32_t limit) {
        const auto size = number<std::uint32_t>();
        if (size > limit || size > left_) damaged("an impossible length");
        std::string text(size, '\0');
        read(std::as_writable_bytes(std::span(text)));
        return text;
    }
    /// Reads to the end and compares the hash there with that of all before it.
    void check_hash() {
        if (left_ < 16) damaged("ends too early");
        std::vector<std::byte> piece(std::min<std::uint64_t>(left_, std::uint64_t(1) << 20));
        while (left_ > 16)
            read(std::span(piece).first(std::min<std::uint64_t>(piece.size(), left_ - 16)));
        const Hash128 expected = hasher_.result();
        Hash128 found;
        found.high = number<std::uint64_t>();
        found.low = number<std::uint64_t>();
        if (found != expected) damaged("its content does not fit its hash");
    }
    [[noreturn]] void damaged(const std::string& why) const {
        throw error_in_file(path_, why, kDamaged);
    }

  private:
    FileSystem& files_;
    const std::string& path_;
    FileSystem::Handle file_;
    std::uint64_t left_;
    Hasher hasher_;
};

CheckpointInfo read_header(Source& in, const std::string& path) {
    char magic[8];
    in.read(std::as_writable_bytes(std::span(magic)));
    if (std::memcmp(magic, kCheckpointMagic, sizeof magic) != 0) in.damaged("not a checkpoint");
    if (const auto format = in.number<std::uint32_t>(); format != kCheckpointFormat)
        in.damaged(fmt::format("format {}, not {}", format, kCheckpointFormat));
    return decode_checkpoint_header(in.text(kMostHeaderBytes), path);
}

class Loader : public StateVisitor {
  public:
    explicit Loader(Source& in) : in_(in) {}
    bool loading() const override { return true; }

  protected:
    void fixed(std::string_view name, ElementType type, std::span<std::byte> bytes) override {
        if (begin_member(name, type) != 1) in_.damaged(fmt::format("'{}' is not one value", name));
        in_.read(bytes);
    }
    void array(std::string_view name, ElementType type, const std::byte*, std::size_t,
               FunctionOfSize resize) override {
        const std::uint64_t count = begin_member(name, type);
        const auto element =
            static_cast<std::uint64_t>(type.bytes) * static_cast<std::uint64_t>(type.width);
        if (count > in_.left() / element)
            in_.damaged(fmt::format("'{}' announces {} values", name, count));
        std::byte* to = resize(count);
        in_.read({to, static_cast<std::size_t>(count * element)});
    }

  private:
    std::uint64_t begin_member(std::string_view name, ElementType type) {
        const std::string found = in_.text(kMostNameBytes);
        ElementType stored;
        stored.kind = in_.number<char>();
        stored.bytes = static_cast<int>(in_.number<std::uint32_t>());
        stored.width = static_cast<int>(in_.number<std::uint32_t>());
        if (found != name || !(stored == type))
            in_.damaged(fmt::format("holds '{}' where '{}' is expected", found, name));
        return in_.number<std::uint64_t>();
    }
    Source& in_;
};

}  // namespace

void remove_old_checkpoints(FileSystem& files, const std::string& directory,
                            const std::string& newest) {
    const std::string folder = join_path(directory, kFolder);
    std::vector<std::string> names = list_checkpoints(files, directory);
    std::size_t regular = 0;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        const bool kept =
            place_of_checkpoint(*name)->regular ? regular++ < kRegularKept : *name == newest;
        if (!kept) files.remove(join_path(folder, *name));
    }
}

std::uint64_t write_checkpoint(FileSystem& files, const std::string& directory,
                               const CheckpointInfo& info, const StateWalk& walk) {
    const std::string name = checkpoint_name(info);
    const std::string path = join_path(join_path(directory, kFolder), name);
    AtomicFile file(files, path);
    Writer writer(file);
    writer.write({kCheckpointMagic, 8});
    writer.number(kCheckpointFormat);
    const std::string header = encode_checkpoint_header(info);
    writer.number(static_cast<std::uint32_t>(header.size()));
    writer.write(header);
    walk(writer);
    writer.finish();
    const std::uint64_t bytes = file.commit().bytes;
    remove_old_checkpoints(files, directory, name);
    return bytes;
}

std::vector<std::string> list_checkpoints(FileSystem& files, const std::string& directory) {
    const std::string folder = join_path(directory, kFolder);
    std::vector<std::string> names;
    if (!files.facts(folder)) return names;
    for (const std::string& name : files.list(folder))
        if (place_of_checkpoint(name)) names.push_back(name);
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return *place_of_checkpoint(a) < *place_of_checkpoint(b);
    });
    return names;
}

CheckpointInfo check_checkpoint(FileSystem& files, const std::string& path) {
    Source in(files, path);
    CheckpointInfo info = read_header(in, path);
    in.check_hash();
    return info;
}

std::optional<StoredCheckpoint> find_checkpoint(
    FileSystem& files, const std::string& directory, const std::string& run, int last_good_frame,
    const std::function<void(const std::string&)>& warn) {
    const std::vector<std::string> names = list_checkpoints(files, directory);
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        if (place_of_checkpoint(*name)->frame > last_good_frame) continue;
        const std::string path = join_path(join_path(directory, kFolder), *name);
        try {
            StoredCheckpoint found{path, check_checkpoint(files, path)};
            if (found.info.run == run && checkpoint_name(found.info) == *name) return found;
            warn(fmt::format("{} belongs to another run: passed over", path));
        } catch (const UserError& error) {
            warn(fmt::format("{} is damaged ({}): passed over", path,
                             error.complaints()[0].message));
        }
    }
    return std::nullopt;
}

void load_checkpoint(FileSystem& files, const StoredCheckpoint& checkpoint, const StateWalk& walk) {
    Source in(files, checkpoint.path);
    read_header(in, checkpoint.path);
    Loader loader(in);
    walk(loader);
    if (in.left() != 16) in.damaged("holds more than the state");
}

}  // namespace spume
