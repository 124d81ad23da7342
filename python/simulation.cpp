// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <thread>

#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/on_the_side.h"
#include "python/state_arrays.h"
#include "spume/io/stats.h"
#include "spume/run/job_setup.h"

namespace py = pybind11;

namespace spume::python {
namespace {

/// Who is using a simulation: one thread at a time, and while it advances only its own callbacks,
/// which may look but not advance.
class Users {
  public:
    class Use {
      public:
        Use(Users& users, bool alone) : users_(users) {
            const std::lock_guard lock(users_.mutex_);
            if (users_.depth_ > 0 && users_.owner_ != std::this_thread::get_id())
                throw UserError("another thread is using this simulation",
                                "give each thread a simulation of its own");
            if (users_.depth_ > 0 && alone)
                throw UserError("the simulation is advancing already",
                                "a callback may look at it, not advance it");
            ++users_.depth_;
            users_.owner_ = std::this_thread::get_id();
        }
        ~Use() {
            const std::lock_guard lock(users_.mutex_);
            --users_.depth_;
        }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        Users& users_;
    };

  private:
    std::mutex mutex_;
    int depth_ = 0;
    std::thread::id owner_;
};

class Runner {
  public:
    Runner(const SceneHandle& scene, int threads)
        : scene_(scene.loaded), context_(threads), frame_(scene_->manifest.first_frame) {
        refuse_too_large(*scene_, 0, "");
        OnTheSide side(context_.stop);
        side.run([&] {
            simulation_ = start_session(scene_->scene, scene_->params, scene_->inputs, context_);
        });
        context_.stop.clear();
    }

    /// To the end of the frame, or over one substep.
    py::object advance(const py::object& callback, bool one_substep) {
        const Users::Use use(users_, true);
        if (finished()) throw py::stop_iteration("all frames of the scene are simulated");
        context_.stop.clear();
        OnTheSide side(context_.stop);
        const std::function<void()> call = [&] {
            if (callback(share_).is(py::bool_(false))) context_.stop.request();
        };
        context_.progress = [&](double share) {
            share_ = share;
            if (one_substep) context_.stop.request();
            if (!callback.is_none()) side.ask(call);
        };
        FrameReport report;
        side.run([&] { report = simulation_->advance_frame(frame_); });
        return told(report);
    }

    FrameHandle view() {
        const Users::Use use(users_, false);
        const py::gil_scoped_release others;
        Frame frame = simulation_->view();
        frame.number = frame_ - (finished_frame_ ? 1 : 0);
        return {std::make_shared<const Frame>(std::move(frame)), {}};
    }

    py::dict state() {
        const Users::Use use(users_, false);
        StateArrays visitor;
        simulation_->describe(visitor);
        return visitor.arrays;
    }

    /// Before the first substep: later, members that others are made from would no longer agree.
    void set(const std::string& name, const py::array& values) {
        const Users::Use use(users_, true);
        if (simulation_->time() > 0)
            throw UserError("the simulation has begun",
                            "set() is for the start, before the first substep");
        StateWriter writer(name, values);
        simulation_->describe(writer);
        if (writer.found()) return;
        std::string known;
        for (const std::string& other : writer.names())
            known += (known.empty() ? "" : ", ") + other;
        throw py::key_error(name + ": the state has " + known);
    }

    double time() const { return simulation_->time(); }
    int frame() const { return frame_; }
    bool finished() const { return frame_ > scene_->manifest.last_frame; }
    SceneHandle scene() const { return {scene_}; }

  private:
    /// In the words of stats.jsonl, over what is done of the frame.
    py::object told(const FrameReport& report) {
        report_.add(report);
        const std::string line =
            stats_line(frame_, simulation_->time(), report_, simulation_->summary());
        finished_frame_ = report.complete;
        if (report.complete) {
            ++frame_;
            report_ = {};
        }
        py::object stats = from_json(line);
        stats["complete"] = report.complete;
        return stats;
    }

    std::shared_ptr<const LoadedScene> scene_;
    Context context_;
    std::unique_ptr<Simulation> simulation_;
    Users users_;
    FrameReport report_;  ///< of the frame that is not finished
    int frame_;           ///< the next to be finished
    bool finished_frame_ = false;
    double share_ = 0;
};

}  // namespace

void add_simulation(py::module_& module) {
    py::class_<Runner>(module, "Simulation", "A scene being simulated, in memory.")
        .def(py::init<const SceneHandle&, int>(), py::arg("scene"), py::arg("threads") = 0)
        .def(
            "advance", [](Runner& r, const py::object& f) { return r.advance(f, false); },
            py::arg("on_substep") = py::none(),
            "To the end of the frame. on_substep(share of the frame) is called after each substep; "
            "when it returns False, advance ends there and the next call goes on exactly. Returns "
            "the statistics.")
        .def(
            "substep", [](Runner& r) { return r.advance(py::none(), true); },
            "One substep. Returns the statistics of the frame so far.")
        .def("__iter__", [](py::object self) { return self; })
        .def("__next__", [](Runner& r) { return r.advance(py::none(), false); })
        .def("view", &Runner::view, "The present state as a Frame.")
        .def("state", &Runner::state, "Copies of everything the next substep reads, by name.")
        .def("set", &Runner::set, py::arg("name"), py::arg("values"),
             "Before the first substep: replaces a member of state() by values of its shape.")
        .def_property_readonly("scene", &Runner::scene)
        .def_property_readonly("time", &Runner::time, "s")
        .def_property_readonly("frame", &Runner::frame, "The frame to be finished next.")
        .def_property_readonly("finished", &Runner::finished);
}

}  // namespace spume::python
