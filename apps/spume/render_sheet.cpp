// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/spume/render_picture.h"
#include "apps/spume/render_progress.h"
#include "spume/io/atomic_file.h"
#include "spume/io/png.h"
#include "spume/render/contact_sheet.h"
#include "spume/run/job_signals.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 26;  // of a study's table

/// One cache on the sheet.
struct SheetMember {
    std::string directory, label;
};

/// The variants of a study in its order, or the one cache the directory is.
std::vector<SheetMember> members_of(FileSystem& files, const std::string& directory) {
    const std::string path = join_path(directory, "summary.json");
    if (read_manifest(files, directory) || !files.facts(path)) return {{directory, ""}};
    std::vector<SheetMember> members;
    try {
        for (const auto& row : nlohmann::json::parse(read_file(files, path, kMostBytes))) {
            const auto name = row.at("variant").get<std::string>();
            members.push_back({join_path(directory, name), row.at("label").get<std::string>()});
        }
    } catch (const nlohmann::json::exception&) {
        throw UserError(path + " is not the table of a study", "run spume sweep again");
    }
    if (members.empty()) throw UserError(path + " names no variants", "run spume sweep again");
    return members;
}

class SheetMaker {
  public:
    SheetMaker(const RenderFlags& flags, FileSystem& files, std::size_t pictures)
        : flags_(flags),
          files_(files),
          context_(flags.threads),
          progress_(flags.progress, pictures),
          sky_(sky_image(files, flags)) {}

    Context& context() { return context_; }
    bool stopped() const { return stopped_; }
    std::vector<Complaint>& problems() { return problems_; }
    void done() { progress_.clear(); }
    const std::string& title() const { return title_; }

    /// One colour scale for all pictures of the sheet; what cannot be read is told later.
    void share_range(const std::vector<SheetMember>& members) {
        for (const SheetMember& member : members) try {
                RenderFlags own = flags_;
                own.directory = member.directory;
                const OpenCache cache = open_cache(files_, member.directory);
                own = flags_for(own, cache.scene);
                const RenderJob job{own, cache.scene, cache.inputs, files_, context_, {}, {}, {}};
                const std::vector<int> all = committed_frames(files_, member.directory);
                std::vector<int> there;
                for (const int frame : flags_.sheet)
                    if (std::binary_search(all.begin(), all.end(), frame)) there.push_back(frame);
                const auto range = frames_range(job, there);
                if (!range) continue;
                if (!range_) range_ = range;
                range_->begin = std::min(range_->begin, range->begin);
                range_->end = std::max(range_->end, range->end);
            } catch (const UserError&) {
                continue;
            }
    }

    /// The pictures of one cache; those that cannot be made stay empty and are told.
    std::vector<Image> pictures(const SheetMember& member) {
        std::vector<Image> made(flags_.sheet.size());
        RenderFlags own = flags_;
        own.directory = member.directory;
        try {
            const OpenCache cache = open_cache(files_, member.directory);
            if (title_.empty()) title_ = cache.scene.title;
            own = flags_for(own, cache.scene);
            RenderJob job{own,
                          cache.scene,
                          cache.inputs,
                          files_,
                          context_,
                          [&](double share) { progress_.tell(share); },
                          [&](const std::string& text) { warn(text); },
                          std::nullopt};
            const std::vector<int> there = there_of(member.directory);
            job.sky = sky_;
            job.camera = shared_camera(job, there);
            job.range = range_;
            for (std::size_t i = 0; i < made.size() && !stopped_; ++i)
                if (std::find(there.begin(), there.end(), flags_.sheet[i]) != there.end())
                    made[i] = picture(job, flags_.sheet[i]);
                else
                    ++count_;
        } catch (const UserError& error) {
            tell(error);
            count_ += made.size();
        }
        return made;
    }

  private:
    /// The frames asked for that a cache has; the others are told.
    std::vector<int> there_of(const std::string& directory) {
        const std::vector<int> all = committed_frames(files_, directory);
        std::vector<int> there;
        std::string missing;
        for (const int frame : flags_.sheet)
            if (std::binary_search(all.begin(), all.end(), frame))
                there.push_back(frame);
            else
                missing += fmt::format("{}{}", missing.empty() ? "" : ", ", frame);
        if (!missing.empty()) {
            Complaint complaint;
            complaint.place.file = directory;
            complaint.message = "there is no frame " + missing;
            complaint.remedy = all.empty() ? "there are none yet"
                                           : fmt::format("there are {} to {}; the others are shown",
                                                         all.front(), all.back());
            problems_.push_back(std::move(complaint));
        }
        return there;
    }
    Image picture(const RenderJob& job, int frame) {
        progress_.start(count_++, frame);
        try {
            RenderedPicture picture = render_picture(job, frame, problems_);
            stopped_ = picture.stopped;
            return std::move(picture.screen);
        } catch (const UserError& error) {
            tell(error);
            return {};
        }
    }
    void tell(const UserError& error) {
        problems_.insert(problems_.end(), error.complaints().begin(), error.complaints().end());
    }
    void warn(const std::string& text) {
        if (warned_.insert(text).second) progress_.message("warning: " + text);
    }

    const RenderFlags& flags_;
    FileSystem& files_;
    Context context_;
    PictureProgress progress_;
    std::optional<SkyImage> sky_;
    std::optional<Interval> range_;
    std::vector<Complaint> problems_;
    std::set<std::string> warned_;
    std::string title_;
    std::size_t count_ = 0;
    bool stopped_ = false;
};

void check_flags(const RenderFlags& flags) {
    check_picture_name(flags);
    if (!flags.movie.empty())
        throw UserError("--sheet makes one picture and --movie a film", "give one of them");
    if (flags.file.ends_with(".exr") || flags.format == RenderFormat::kExr)
        throw UserError("a sheet is a PNG file", "leave out EXR, or render the frames one by one");
    const double all = static_cast<double>(flags.sheet.size()) * flags.width * flags.height;
    if (all > 4e8)
        throw UserError(fmt::format("a sheet of {} pictures of {} x {} is too large",
                                    flags.sheet.size(), flags.width, flags.height),
                        "name fewer frames, or a smaller --size");
}

}  // namespace

int sheet_command(const RenderFlags& flags) {
    check_flags(flags);
    const auto files = make_posix_file_system();
    const std::vector<SheetMember> members = members_of(*files, flags.directory);
    const std::size_t moments = flags.sheet.size();
    SheetMaker maker(flags, *files, members.size() * moments);
    const SignalWatch watch(maker.context().stop);
    if (members.size() * moments > 1) maker.share_range(members);
    std::vector<std::vector<Image>> all;
    for (const SheetMember& member : members) {
        all.push_back(maker.pictures(member));
        if (maker.stopped()) return 128 + SignalWatch::received();
    }
    maker.done();
    std::vector<SheetTile> tiles;
    bool any = false;
    for (std::size_t m = 0; m < moments; ++m)
        for (std::size_t i = 0; i < members.size(); ++i) {
            std::string label = members[i].label;
            if (moments > 1 || label.empty())
                label += fmt::format("{}frame {}", label.empty() ? "" : ", ", flags.sheet[m]);
            any = any || all[i][m].width > 0;
            tiles.push_back({std::move(all[i][m]), std::move(label)});
        }
    if (!any) throw UserError(std::move(maker.problems()));
    SheetOptions options{maker.title(), flags.columns, flags.width, flags.height};
    if (options.columns == 0 && moments > 1)
        options.columns = static_cast<int>(members.size() > 1 ? members.size() : moments);
    const Image sheet = contact_sheet(tiles, options);
    std::string path = flags.file;
    if (path.empty()) {
        make_directories(*files, join_path(flags.directory, "images"));
        path = join_path(flags.directory, "images/sheet.png");
    }
    write_file(*files, path, encode_png(sheet.width, sheet.height, sheet.rgb));
    fmt::print("{}\n", path);
    if (!maker.problems().empty()) throw UserError(std::move(maker.problems()));
    return 0;
}

}  // namespace spume
