// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/export_stage.h"
#include "spume/io/csv.h"
#include "spume/io/read_frame.h"
#include "spume/io/usd.h"
#include "spume/io/vtk.h"

namespace spume {
namespace {

std::vector<int> frames_in_range(FileSystem& files, const ExportFlags& flags) {
    std::vector<int> frames = committed_frames(files, flags.directory);
    std::erase_if(frames, [&](int f) {
        return (flags.first_frame >= 0 && f < flags.first_frame) ||
               (flags.last_frame >= 0 && f > flags.last_frame);
    });
    if (frames.empty())
        throw error_in_file(flags.directory, "holds no frames in this range",
                            "`spume info` says which there are");
    return frames;
}

void remember(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Converts frames one by one; what a format needs for the whole sequence is written at the end.
class Export {
  public:
    Export(FileSystem& files, const ExportFlags& flags, const Manifest& manifest)
        : files_(files), flags_(flags), directory_(flags.output) {
        if (directory_.empty()) directory_ = join_path(flags.directory, "export");
        usd_.fps = manifest.fps;
        manifest_ = manifest;
        output_.vdb = flags.format == "vdb" || flags.format == "usd";
        output_.ply = flags.format == "ply";
        output_.vtk = flags.format == "vtk";
        make_directories(files_, directory_);
        for (const char* folder : {"volumes", "points", "mesh"})
            if (flags.format != "solids") make_directories(files_, join_path(directory_, folder));
    }

    void add(const CommitRecord& record) {
        if (flags_.format == "solids") {
            usd_.frames.push_back(record.frame);
            records_.push_back(record);
            return;
        }
        FrameContents contents;
        contents.meshes = flags_.format != "csv";
        if (flags_.format != "csv") contents.volumes = volume_names(record);
        Frame frame = read_frame(files_, flags_.directory, record, contents, problems_);
        frame.number = record.frame;
        if (flags_.format == "usd") {
            records_.push_back(record);
            return add_usd(frame);
        }
        if (flags_.format == "csv") return add_csv(frame);
        for (const FrameFile& file : write_frame(files_, directory_, frame, output_))
            written(file.path, record.time);
    }

    void finish() {
        for (const auto& [name, sequence] : sequences_)
            write_file(files_, join_path(directory_, name + ".pvd"), encode_pvd(sequence));
        if (flags_.format != "usd" && flags_.format != "solids") return;
        add_solids_and_camera(usd_, manifest_, records_);
        if (flags_.format == "solids") return write_solids(files_, directory_, usd_);
        for (const std::string& name : volume_names_)
            usd_.volumes.emplace_back(name, volume_files_[name]);
        write_file(files_, join_path(directory_, "clips.usda"), encode_usda_clip_manifest(usd_));
        write_file(files_, join_path(directory_, "spume.usda"),
                   encode_usda_stage(usd_, "./clips.usda"));
    }

    const std::string& directory() const { return directory_; }
    const std::vector<Complaint>& problems() const { return problems_; }

  private:
    void written(const std::string& path, double time) {
        if (!path.ends_with(".vtp") && !path.ends_with(".vti")) return;
        sequences_[sequence_name(path)].emplace_back(time, path);
    }

    void add_csv(const Frame& frame) {
        for (const PointSet& p : frame.points) {
            const std::string name = frame_file_name(p.name, frame.number, "csv");
            write_file(files_, join_path(directory_, join_path("points", name)), encode_csv(p));
        }
    }

    void add_usd(const Frame& frame) {
        Frame volumes;  // USD names .vdb files; points and meshes are in its own text
        volumes.number = frame.number;
        volumes.volumes = frame.volumes;
        write_frame(files_, directory_, volumes, output_);
        std::vector<UsdVolume> assets;
        for (const Volume& v : frame.volumes) {
            const std::string file = "./volumes/" + frame_file_name(v.name, frame.number, "vdb");
            assets.push_back({v.name, file});
            remember(volume_names_, v.name);
            volume_files_[v.name].resize(usd_.frames.size());
            volume_files_[v.name].push_back(file);
        }
        const std::string name = frame_file_name("frame", frame.number, "usda");
        write_file(files_, join_path(directory_, name), encode_usda(frame, assets));
        usd_.frames.push_back(frame.number);
        usd_.files.push_back("./" + name);
        for (const PointSet& p : frame.points) remember(usd_.points, p.name);
        for (const NamedMesh& m : frame.meshes) remember(usd_.meshes, m.name);
    }

    FileSystem& files_;
    const ExportFlags& flags_;
    Manifest manifest_;
    std::vector<CommitRecord> records_;  ///< of what knows solids: their poses are in these
    std::string directory_;
    Output output_;
    std::vector<Complaint> problems_;
    std::map<std::string, std::vector<std::pair<double, std::string>>> sequences_;
    UsdSequence usd_;
    std::vector<std::string> volume_names_;
    std::map<std::string, std::vector<std::string>> volume_files_;
};

}  // namespace

int export_command(const ExportFlags& flags) {
    const auto files = make_posix_file_system();
    const auto manifest = read_manifest(*files, flags.directory);
    if (!manifest)
        throw error_in_file(flags.directory, "there is no cache here",
                            "give the directory that `spume run` wrote to");
    Export out(*files, flags, *manifest);
    std::vector<Complaint> problems;
    int done = 0;
    for (const int frame : frames_in_range(*files, flags)) {
        try {
            out.add(read_commit(*files, flags.directory, frame));
            ++done;
        } catch (const UserError& error) {
            problems.insert(problems.end(), error.complaints().begin(), error.complaints().end());
        }
    }
    out.finish();
    fmt::print("{} frames as {} in {}\n", done, flags.format, out.directory());
    problems.insert(problems.end(), out.problems().begin(), out.problems().end());
    if (!problems.empty()) throw UserError(problems);  // the rest is exported
    return 0;
}

}  // namespace spume
