// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/on_the_side.h"
#include "spume/io/read_frame.h"
#include "spume/io/stats.h"
#include "spume/run/job_setup.h"
#include "spume/run/job_warnings.h"

namespace py = pybind11;

namespace spume::python {
namespace {

/// An output directory. Everything is read anew at each call: a run may be writing it.
class Cache {
  public:
    explicit Cache(std::string directory)
        : directory_(std::move(directory)), files_(make_posix_file_system()) {
        (void)manifest();
    }

    const std::string& directory() const { return directory_; }

    Manifest manifest() const {
        auto found = read_manifest(*files_, directory_);
        if (!found)
            throw error_in_file(directory_, "there is no cache here",
                                "give the directory that `spume run` wrote to");
        return std::move(*found);
    }

    std::vector<int> frames() const { return committed_frames(*files_, directory_); }

    py::list stats() const {
        py::list list;
        for (const int frame : frames())
            list.append(from_json(read_commit(*files_, directory_, frame).stats));
        return list;
    }

    FrameHandle frame(int number, bool points, bool meshes,
                      const std::optional<std::vector<std::string>>& volumes,
                      bool allow_damage) const {
        const py::gil_scoped_release others;
        const CommitRecord record = read_commit(*files_, directory_, number);
        FrameContents contents;
        contents.points = points;
        contents.meshes = meshes;
        contents.volumes = volumes.value_or(volume_names(record));
        std::vector<Complaint> problems;
        Frame frame = read_frame(*files_, directory_, record, contents, problems);
        if (!problems.empty() && !allow_damage) throw UserError(problems);
        return {std::make_shared<const Frame>(std::move(frame)), std::move(problems)};
    }

    py::list damages() const {
        std::vector<Damage> found;
        {
            const py::gil_scoped_release others;
            found = check_cache(*files_, directory_);
        }
        py::list list;
        for (const Damage& d : found) list.append(py::make_tuple(d.frame, d.path, d.what));
        return list;
    }

  private:
    std::string directory_;
    std::unique_ptr<FileSystem> files_;
};

py::dict manifest_of(const Cache& cache) {
    const Manifest m = cache.manifest();
    py::dict d;
    d["version"] = m.version;
    d["method"] = m.method;
    d["free_surface"] = m.free_surface;
    d["preset"] = m.preset;
    d["variant"] = m.variant;
    d["seed"] = m.seed;
    d["fps"] = m.fps;
    d["first_frame"] = m.first_frame;
    d["last_frame"] = m.last_frame;
    d["complete"] = m.complete;
    d["scene"] = m.scene;
    return d;
}

/// Tells of a frame once the job has committed it, that is when the next one begins.
class Watched final : public Simulation {
  public:
    Watched(std::unique_ptr<Simulation> simulation, std::string& pending,
            const std::function<void()>& tell)
        : simulation_(std::move(simulation)), pending_(pending), tell_(tell) {}

    FrameReport advance_frame(int frame) override {
        tell_();
        frame_ = frame;
        return report_ = simulation_->advance_frame(frame);
    }
    /// The job looks at each finished frame once.
    Observation observe(bool with_frame) override {
        Observation seen = simulation_->observe(with_frame);
        FrameReport told = report_;
        for (std::string& text : audit_warnings(seen.summary))
            told.warnings.push_back(std::move(text));
        pending_ = stats_line(frame_, simulation_->time(), told, seen.summary);
        return seen;
    }
    Frame view() override { return simulation_->view(); }
    StateSummary summary() override { return simulation_->summary(); }
    double time() const override { return simulation_->time(); }
    void describe(StateVisitor& visitor) override { simulation_->describe(visitor); }

  private:
    std::unique_ptr<Simulation> simulation_;
    std::string& pending_;
    const std::function<void()>& tell_;
    int frame_ = 0;
    FrameReport report_;
};

bool run(const SceneHandle& scene, const std::string& directory, const py::object& on_frame,
         int threads, bool resume, bool overwrite, bool force, double memory_gb) {
    const LoadedScene& loaded = *scene.loaded;
    refuse_too_large(loaded, memory_gb, "memory");
    const auto files = make_posix_file_system();
    Context context(threads);
    JobOptions job =
        job_options(loaded, {directory, resume, overwrite, force, -1, memory_gb}, context);
    job.progress = ProgressMode::kNone;
    job.watch_signals = false;  // they are Python's
    OnTheSide side(context.stop);
    std::string pending;
    const std::function<void()> call = [&] {
        const py::object answer = on_frame(from_json(pending));
        if (answer.is(py::bool_(false))) context.stop.request();
    };
    const std::function<void()> tell = [&] {
        if (!pending.empty() && !on_frame.is_none()) side.ask(call);
        pending.clear();
    };
    int status = 0;
    side.run([&] {
        status = run_job(
            job, *files,
            [&](Context& c) {
                return std::make_unique<Watched>(
                    start_session(loaded.scene, loaded.params, loaded.inputs, c), pending, tell);
            },
            context);
        if (status == 0) tell();
    });
    return status == 0;
}

}  // namespace

void add_caches(py::module_& module) {
    py::class_<Cache>(module, "Cache", "What `spume run` wrote, or is still writing.")
        .def(py::init([](const py::object& directory) {
                 return Cache(py::str(directory).cast<std::string>());
             }),
             py::arg("directory"))
        .def_property_readonly("directory", &Cache::directory)
        .def_property_readonly("manifest", manifest_of)
        .def_property_readonly("frames", &Cache::frames, "Numbers of the committed frames.")
        .def_property_readonly("stats", &Cache::stats, "One dictionary a committed frame.")
        .def("frame", &Cache::frame, py::arg("number"), py::arg("points") = true,
             py::arg("meshes") = true, py::arg("volumes") = py::none(),
             py::arg("allow_damage") = false,
             "Reads a frame; `volumes` names those wanted, None means all. Files are checked "
             "against their hash: one that is damaged raises UserError, or is left out and named "
             "in Frame.problems when allow_damage is set.")
        .def("verify", &Cache::damages,
             "Checks every file against its hash: a list of (frame, path, what).");
    module.def("run", run);
}

}  // namespace spume::python
