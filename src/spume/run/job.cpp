// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job.h"

#include <chrono>
#include <cstdio>

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include "spume/io/commit.h"
#include "spume/io/diagnosis.h"
#include "spume/io/lock.h"
#include "spume/io/stats.h"
#include "spume/io/vtk.h"
#include "spume/run/job_closing.h"
#include "spume/run/job_log.h"
#include "spume/run/job_signals.h"
#include "spume/run/job_start.h"

namespace spume {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t resident_bytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    unsigned long long total = 0, resident = 0;
    const int read = std::fscanf(file, "%llu %llu", &total, &resident);
    std::fclose(file);
    return read == 2 ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

class Job {
  public:
    Job(const JobOptions& options, FileSystem& files, Context& context)
        : options_(options),
          files_(files),
          context_(context),
          log_(files, options.directory),
          progress_(options.progress, options.terminal, options.manifest.first_frame,
                    options.manifest.last_frame, options.busy_from) {}

    int run(const SimulationFactory& make);
    void note(const std::string& text) {
        log_.note(text);
        progress_.message(text);
    }

  private:
    /// All go to the log, the first of each kind to whoever watches; `frame` < 0: to no frame.
    void warn(const std::string& text, int frame = -1) {
        log_.warn(frame < 0 ? text : fmt::format("frame {}: {}", frame, text));
        if (warnings_.add(text)) progress_.warning(frame, text);
    }
    void close();
    int last_frame() const { return options_.manifest.last_frame; }
    bool in_turn(int frame) const {
        return options_.checkpoint_every > 0 &&
               (frame - options_.manifest.first_frame + 1) % options_.checkpoint_every == 0;
    }
    /// To be written, and not yet there.
    bool is_new(int frame) const {
        return is_written(options_, frame) && start_.good.count(frame) == 0;
    }
    void begin(const SimulationFactory& make);
    int simulate();
    FrameReport advance(int frame, const FrameReport& before);
    void store(int frame, const FrameReport& report, Observation seen);
    void write(int frame, const FrameReport& report, const std::string& line, Frame view);
    bool wants_picture(int frame) const;
    FrameFile write_picture(const Frame& frame);
    void checkpoint(int frame, const FrameReport& unfinished, bool regular);
    void append_stats(int frame, const FrameReport& report, const std::string& line) {
        const std::string events = event_lines(frame, report.events);
        if (!events.empty())
            append_to_file(files_, join_path(options_.directory, "events.jsonl"), events, true);
        append_to_file(files_, join_path(options_.directory, "stats.jsonl"), line + "\n", true);
    }
    void write_collections();
    void keep_collections();
    void check_disk(int frame);
    void check_memory(int frame);
    int stop(int frame, const FrameReport& unfinished);
    int stopped(const std::string& text);
    void finish();

    const JobOptions& options_;
    FileSystem& files_;
    Context& context_;
    JobLog log_;
    Progress progress_;
    StartingPoint start_;
    std::unique_ptr<Simulation> simulation_;
    std::uint64_t frame_bytes_ = 0, checkpoint_bytes_ = 0;
    std::size_t collected_ = 0;  ///< frames in ParaView's lists
    double write_seconds_ = 0;
    const Clock::time_point begin_ = Clock::now();
    WarningTally warnings_;
    StateSummary last_;  ///< of the last frame simulated
    int simulated_ = 0;
};

void Job::begin(const SimulationFactory& make) {
    frame_bytes_ = options_.expected_frame;
    checkpoint_bytes_ = options_.expected_checkpoint;
    start_ = prepare_directory(options_, files_, [&](const std::string& text) { warn(text); });
    write_collections();
    for (const std::string& text : options_.foreseen) warn(text);
    const int next = start_.next_frame;
    std::string what =
        fmt::format("simulating frames {} to {} into {}", next, last_frame(), options_.directory);
    if (start_.checkpoint) what += fmt::format(", going on from {}", start_.checkpoint->path);
    log_.note(fmt::format("Spume {}, {} threads: {}", options_.manifest.version,
                          context_.arena.threads(), what));
    if (next > last_frame()) return progress_.message("nothing left to simulate");
    progress_.starting(next, what);
    simulation_ = make(context_);
    if (start_.checkpoint)
        load_checkpoint(files_, *start_.checkpoint,
                        [&](StateVisitor& visitor) { simulation_->describe(visitor); });
}

int Job::run(const SimulationFactory& make) {
    try {
        begin(make);
    } catch (const Stopped&) {
        return stopped("stopped before the first frame; --resume starts again");
    }
    if (simulation_)
        if (const int status = simulate()) return status;
    finish();
    return 0;
}

int Job::simulate() {
    FrameReport unfinished;
    if (start_.checkpoint) unfinished = start_.checkpoint->info.unfinished;
    for (int frame = start_.next_frame; frame <= last_frame(); ++frame) {
        check_disk(frame);
        const auto begin = Clock::now();
        context_.times.clear();
        FrameReport report = advance(frame, unfinished);
        unfinished = {};
        if (!report.complete) return stop(frame - 1, report);
        write_seconds_ = 0;
        Observation seen = simulation_->observe(is_new(frame));
        last_ = seen.summary;
        for (std::string& text : audit_warnings(last_)) report.warnings.push_back(std::move(text));
        if (is_written(options_, frame)) store(frame, report, std::move(seen));
        if (in_turn(frame)) checkpoint(frame, {}, true);
        append_to_file(
            files_, join_path(options_.directory, "timing.jsonl"),
            timing_line(frame, context_.times,
                        {seconds_since(begin), write_seconds_,
                         static_cast<double>(resident_bytes()) / 1e6, context_.arena.threads()}) +
                "\n",
            false);
        for (const std::string& text : report.warnings) warn(text, frame);
        ++simulated_;
        progress_.finished(frame, report, last_);
        log_.check();
        if (context_.stop.requested() && frame < last_frame()) return stop(frame, {});
        check_memory(frame);
    }
    return 0;
}

/// `before` is the report of what a checkpoint already held of the frame.
FrameReport Job::advance(int frame, const FrameReport& before) {
    context_.progress = [&](double share) { progress_.within(frame, share); };
    FrameReport report = before;
    try {
        report.add(simulation_->advance_frame(frame));
    } catch (const SimulationError& error) {
        log_.warn(fmt::format("frame {}: {}", frame, error.what()));
        note("more about it in " +
             join_path(options_.directory,
                       write_diagnosis(files_, options_.directory, frame, error)));
        report.add(error.unfinished);
        if (!in_turn(frame - 1)) checkpoint(frame - 1, report, false);
        write_collections();
        throw;
    }
    return report;
}

void Job::store(int frame, const FrameReport& report, Observation seen) {
    const std::string line = stats_line(frame, simulation_->time(), report, seen.summary);
    if (start_.good.count(frame)) {
        check_same(frame, read_commit(files_, options_.directory, frame).stats, line);
        // It stood behind a damaged frame: its line comes back in its turn.
        if (frame > start_.stats_until) append_stats(frame, report, line);
        return;
    }
    const auto begin = Clock::now();
    write(frame, report, line, std::move(*seen.frame));
    write_seconds_ = seconds_since(begin);
}

void Job::write(int number, const FrameReport& report, const std::string& line, Frame frame) {
    frame.number = number;
    CommitRecord record;
    record.frame = number;
    record.time = simulation_->time();
    record.dimensions = frame.dimensions;
    record.free_surface = frame.free_surface;
    record.bodies = frame.bodies;
    record.stats = line;
    record.files = write_frame(files_, options_.directory, frame, options_.output);
    if (wants_picture(number)) record.files.push_back(write_picture(frame));
    append_stats(number, report, line);
    write_commit(files_, options_.directory, record);
    start_.good.insert(number);
    keep_collections();
    frame_bytes_ = 0;
    for (const FrameFile& file : record.files) frame_bytes_ += file.stamp.bytes;
}

/// The last frame is the last that is written: a picture belongs to a frame with a record.
bool Job::wants_picture(int frame) const {
    if (!options_.picture) return false;
    const bool last = frame + std::max(1, options_.output.every) > last_frame();
    return options_.output.preview == "all" || (options_.output.preview == "last" && last);
}

FrameFile Job::write_picture(const Frame& frame) {
    const std::string path = join_path("images", frame_file_name("preview", frame.number, "png"));
    return {path, write_file(files_, join_path(options_.directory, path), options_.picture(frame))};
}

/// ParaView's list of a sequence; derived from the commit records, so it is simply made anew.
void Job::write_collections() {
    collected_ = start_.good.size();
    if (!options_.output.vtk) return;
    std::map<std::string, std::vector<std::pair<double, std::string>>> sequences;
    for (const int number : start_.good) {
        const CommitRecord record = read_commit(files_, options_.directory, number);
        for (const FrameFile& file : record.files) {
            if (!file.path.ends_with(".vtp") && !file.path.ends_with(".vti")) continue;
            sequences[sequence_name(file.path)].emplace_back(record.time, file.path);
        }
    }
    for (const auto& [name, sequence] : sequences)
        write_file(files_, join_path(options_.directory, name + ".pvd"), encode_pvd(sequence));
}

/// While the run goes on, once a quarter of the frames is not listed: all these lists together are
/// then at most four times as long as the last, however many frames there are.
void Job::keep_collections() {
    if (4 * (start_.good.size() - collected_) >= std::max<std::size_t>(4, start_.good.size()))
        write_collections();
}

void Job::checkpoint(int frame, const FrameReport& unfinished, bool regular) {
    CheckpointInfo info{frame, unfinished, regular, run_identity(options_.manifest)};
    checkpoint_bytes_ =
        write_checkpoint(files_, options_.directory, info,
                         [&](StateVisitor& visitor) { simulation_->describe(visitor); });
}

int Job::stop(int frame, const FrameReport& unfinished) {
    if (unfinished.substeps > 0 || !in_turn(frame)) checkpoint(frame, unfinished, false);
    write_collections();
    return stopped(
        fmt::format("stopped after frame {} and {} substeps; --resume goes on from there", frame,
                    unfinished.substeps));
}

/// The status of a run that ends on request.
int Job::stopped(const std::string& text) {
    note(text);
    const int signal = options_.watch_signals ? SignalWatch::received() : 0;
    return 128 + (signal != 0 ? signal : SIGINT);
}

void Job::check_disk(int frame) {
    const std::uint64_t wanted = (frame_bytes_ + checkpoint_bytes_) / 10 * 11;
    const std::uint64_t free = files_.free_bytes(options_.directory);
    if (free < wanted)
        throw MachineError(fmt::format(
            "{} has {} free, frame {} with its checkpoint needs about {}; all frames before it are "
            "intact, make room and --resume",
            options_.directory, bytes_in_words(free), frame, bytes_in_words(wanted)));
}

void Job::check_memory(int frame) {
    if (options_.memory_limit == 0 || frame == last_frame()) return;
    const std::uint64_t used = resident_bytes();
    if (used <= options_.memory_limit) return;
    if (!in_turn(frame)) checkpoint(frame, {}, false);
    write_collections();
    throw MachineError(
        fmt::format("after frame {} the run uses {}, more than the {} of --memory; "
                    "--resume with a larger limit goes on from there",
                    frame, bytes_in_words(used), bytes_in_words(options_.memory_limit)));
}

void Job::finish() {
    if (simulation_ && !in_turn(last_frame())) checkpoint(last_frame(), {}, false);
    if (simulation_) write_collections();
    start_.manifest.complete = true;
    write_manifest(files_, options_.directory, start_.manifest);
    log_.note("done");
    log_.check();
    close();
}

void Job::close() {
    JobOutcome outcome{options_.directory,
                       start_.manifest.first_frame,
                       last_frame(),
                       simulated_,
                       seconds_since(begin_),
                       last_.liquid_drift,
                       last_.air,
                       {},
                       warnings_};
    if (!simulation_) return;
    for (auto frame = start_.good.rbegin(); frame != start_.good.rend(); ++frame) {
        const std::string path = join_path("images", frame_file_name("preview", *frame, "png"));
        if (!wants_picture(*frame) || !files_.facts(join_path(options_.directory, path))) continue;
        outcome.picture = join_path(options_.directory, path);
        break;
    }
    progress_.closing(closing_text(outcome), closing_json(outcome));
}

}  // namespace

int run_job(const JobOptions& options, FileSystem& files, const SimulationFactory& make,
            Context& context) {
    make_directories(files, options.directory);
    std::vector<std::string> notes;
    const auto lock = lock_directory(files, options.directory,
                                     [&](const std::string& text) { notes.push_back(text); });
    std::optional<SignalWatch> signals;
    if (options.watch_signals) signals.emplace(context.stop);
    Job job(options, files, context);
    for (const std::string& text : notes) job.note(text);
    return job.run(make);
}

}  // namespace spume
