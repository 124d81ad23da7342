// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/document.h"

#include <algorithm>
#include <tuple>

#include "spume/scene/content.h"
#include "spume/scene/nearest_key.h"
#include "spume/scene/overlay.h"
#include "spume/scene/read_params.h"

namespace spume {
namespace {

constexpr std::size_t kMostComplaints = 20;
constexpr std::size_t kEnoughComplaints = 1000;  // a file this wrong is no scene; stop looking
constexpr int kMostItems = 100000;

std::string shortened(std::string_view text) {
    return text.size() <= 80 ? std::string(text) : std::string(text.substr(0, 77)) + "…";
}

/// One "section.key=value" laid over the file's tables.
void apply_override(SceneContent& content, const std::string& argument) {
    const Place place{"--set " + shortened(argument), 0, 0};
    const std::size_t equals = argument.find('=');
    const auto keys =
        split_key_path(std::string_view(argument).substr(0, std::min(equals, argument.size())));
    if (equals == std::string::npos || keys.empty() || keys.size() > 8) {
        content.add(place, "", "this is not section.key=value",
                    "For example: --set time.frames=10");
        return;
    }
    TomlNode* table = content.root.get();
    std::string path;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        path += (i > 0 ? "." : "") + keys[i];
        TomlNode* next =
            table->kind == TomlKind::kArray ? find_item(*table, keys[i]) : table->find(keys[i]);
        if (next == nullptr && table->kind == TomlKind::kTable) {
            auto made = std::make_unique<TomlNode>();
            made->key = keys[i];
            made->key_place = made->place = place;
            next = table->add(std::move(made));
        }
        if (next == nullptr || (next->kind != TomlKind::kTable && next->kind != TomlKind::kArray)) {
            content.add(place, path, fmt::format("the scene has no {}", path),
                        "List items are named by number from 0 or by their name: emitter.0.rate.");
            return;
        }
        table = next;
    }
    auto value = parse_toml_value(std::string_view(argument).substr(equals + 1), place);
    value->key = keys.back();
    if (table->kind != TomlKind::kTable) {
        content.add(place, path, fmt::format("{} is a list", path),
                    "Name the item by number from 0 or by its name: emitter.0.rate.");
        return;
    }
    TomlNode* old = table->find(value->key);
    if (old == nullptr) {
        table->add(std::move(value));
    } else {
        const std::string key = old->key;
        *old = std::move(*value);
        old->key = key;
    }
}

/// Complains about a word on the command line that names none of those a scene has.
void complain_choice(SceneContent& content, const char* flag, const char* what,
                     const std::string& word, const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    const std::string near = nearest_key(word, known);
    std::string remedy = near.empty() ? "" : fmt::format("Did you mean {}? ", near);
    remedy += list.empty() ? "Leave it out." : fmt::format("It has: {}.", shortened(list));
    content.add({fmt::format("{} {}", flag, shortened(word)), 0, 0}, "",
                fmt::format("the scene has no {} of that name", what), remedy);
}

void take_presets(SceneContent& content) {
    content.presets = content.root->take("preset");
    if (content.presets == nullptr || content.presets->kind == TomlKind::kBroken) return;
    TomlNode& all = *content.presets;
    if (all.kind != TomlKind::kTable) {
        content.add(all.place, "preset", "preset must be a section",
                    "Write [preset.NAME], then section.key = value.");
        content.presets = nullptr;
        return;
    }
    for (const auto& item : all.items) {
        if (item->key == "default")
            content.add(item->key_place, "preset", "\"default\" is the scene as it stands",
                        "Give the preset another name, or change the scene itself.");
        if (item->kind != TomlKind::kTable) {
            content.add(item->place, "preset",
                        fmt::format("preset.{} must be a section", shortened(item->key)),
                        "Write [preset.NAME], then section.key = value.");
        } else if (const TomlNode* nested = item->find("preset")) {
            content.add(nested->key_place, "preset", "a preset cannot hold presets",
                        "Write one section [preset.NAME] for each.");
        }
    }
}

std::vector<std::string> preset_names(const SceneContent& content) {
    std::vector<std::string> names;
    if (content.presets != nullptr)
        for (const auto& item : content.presets->items) names.push_back(item->key);
    return names;
}

void apply_preset(SceneContent& content, const std::string& name) {
    if (name.empty() || name == "default") return;
    const TomlNode* preset = content.presets != nullptr ? content.presets->find(name) : nullptr;
    if (preset == nullptr) {
        std::vector<std::string> known = preset_names(content);
        if (!known.empty()) known.emplace_back("default");
        complain_choice(content, "--preset", "preset", name, known);
    } else if (preset->kind == TomlKind::kTable) {
        lay_over(content, *content.root, *preset);
    }
}

void apply_variant(SceneContent& content, const std::vector<PlannedVariant>& plan,
                   const std::string& name) {
    if (name.empty()) return;
    std::vector<std::string> known;
    for (const PlannedVariant& v : plan) {
        if (v.variant.name == name) return lay_over(content, *content.root, *v.over);
        known.push_back(v.variant.name);
    }
    complain_choice(content, "--variant", "variant", name, known);
}

bool about_the_sweep(const std::string& argument) { return argument.starts_with("sweep."); }

/// The right word in the wrong table.
std::string elsewhere(const SceneContent& content, const std::string& key) {
    for (const auto& [path, names] : content.declared) {
        if (std::find(names.begin(), names.end(), key) == names.end()) continue;
        if (path.empty()) return fmt::format("`{}` belongs at the top of the file. ", key);
        std::string section;
        for (char c : path)
            if (c != '[' && c != ']') section += c;
        return fmt::format("`{}` belongs in [{}]. ", key, section);
    }
    return {};
}

void find_unknown(SceneContent& content, const TomlNode& table, const std::string& path) {
    const std::vector<std::string> known = content.declared_in(path);
    std::vector<std::string> taken;
    for (const auto& item : table.items)
        if (item->known) taken.push_back(item->key);
    for (const auto& item : table.items) {
        const std::string item_path = path.empty() ? item->key : path + "." + item->key;
        if (item->known) continue;
        if (content.count() > kEnoughComplaints) return;
        const bool section = path.empty() && (item->kind == TomlKind::kTable || item->of_tables);
        const std::string near = nearest_key(item->key, known, taken);
        std::string remedy;
        if (near.empty() || edit_distance(near, item->key) > 1)
            remedy = elsewhere(content, item->key);
        if (remedy.empty() && !near.empty()) remedy = fmt::format("Did you mean `{}`? ", near);
        std::string list;
        for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
        remedy += fmt::format("Allowed here: {}.", list);
        content.add(
            item->key_place, path,
            fmt::format("unknown {} `{}`", section ? "section" : "key", shortened(item_path)),
            remedy);
    }
}

}  // namespace

struct SceneDocument::Content : SceneContent {
    std::vector<PlannedVariant> plan;
};

SceneDocument::SceneDocument(std::string_view text, std::string file,
                             const std::vector<std::string>& overrides,
                             const SceneSelection& selection)
    : content_(std::make_unique<Content>()) {
    SceneContent& c = *content_;
    c.file = std::move(file);
    TomlResult result = parse_toml(text, c.file);
    c.root = std::move(result.root);
    for (Complaint& complaint : result.complaints) c.add_syntax(std::move(complaint));
    take_presets(c);
    apply_preset(c, selection.preset);
    for (const std::string& argument : overrides)
        if (about_the_sweep(argument)) apply_override(c, argument);
    content_->plan = plan_sweep(c);
    apply_variant(c, content_->plan, selection.variant);
    for (const std::string& argument : overrides)
        if (!about_the_sweep(argument)) apply_override(c, argument);
    if (const TomlNode* domain = c.root->find("domain");
        domain != nullptr && domain->kind == TomlKind::kTable)
        if (const TomlNode* d = domain->find("dimensions"); d != nullptr) c.flat = d->integer == 2;
}

SceneDocument::~SceneDocument() = default;

void SceneDocument::visit(FunctionRef<void(ParamVisitor&)> body) {
    ParamReader reader(*content_, kMostItems);
    body(reader);
}

void SceneDocument::complain(const std::string& path, std::string message, std::string remedy) {
    const std::size_t dot = path.find_last_of(".[");
    content_->add(content_->place_of(path), dot == std::string::npos ? "" : path.substr(0, dot),
                  std::move(message), std::move(remedy));
}

void SceneDocument::conflict(const std::string& path, const std::vector<std::string>& tables,
                             std::string message, std::string remedy) {
    std::vector<std::string> all = tables;
    all.emplace_back();  // a mistyped section changes everything
    content_->add_dependent(SceneContent::Stage::kConflict, content_->place_of(path), all,
                            std::move(message), std::move(remedy));
}

SceneOffers SceneDocument::offers() {
    SceneOffers offers;
    SceneContent& c = *content_;
    offers.presets = preset_names(c);
    fill("sweep", offers.sweep);
    accept("preset");
    const auto free_of_form = [&](const std::string& table, const char* name) {
        auto& names = c.declared_in(table);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
        const TomlNode* node = c.find(table);
        if (node == nullptr || node->kind != TomlKind::kTable) return;
        if (TomlNode* item = node->find(name)) item->known = true;
    };
    free_of_form("sweep", "values");
    free_of_form("sweep", "show");
    for (std::size_t i = 0; i < offers.sweep.variants.size(); ++i)
        free_of_form(fmt::format("sweep.variant[{}]", i), "set");
    offers.sweep.frames = sweep_frames(c);
    offers.sweep.variants.clear();
    for (const PlannedVariant& v : content_->plan) offers.sweep.variants.push_back(v.variant);
    offers.warnings = c.warnings;
    return offers;
}

void SceneDocument::accept(const std::string& section) {
    if (TomlNode* node = content_->root->find(section)) node->known = true;
    auto& names = content_->declared_in("");
    if (std::find(names.begin(), names.end(), section) == names.end()) names.push_back(section);
}

bool SceneDocument::gives(const std::string& path) const { return content_->find(path) != nullptr; }

void SceneDocument::remark(std::string warning) {
    content_->warnings.push_back(std::move(warning));
}

bool SceneDocument::has_text(const std::string& path) const {
    const TomlNode* node = content_->find(path);
    return node != nullptr && node->kind == TomlKind::kText;
}

void SceneDocument::finish() {
    SceneContent& c = *content_;
    for (const auto& [path, table] : c.tables) find_unknown(c, *table, path);
    std::vector<Complaint> complaints = c.settled();
    if (complaints.empty()) return;
    std::stable_sort(complaints.begin(), complaints.end(),
                     [](const Complaint& a, const Complaint& b) {
                         const auto rank = [](const Complaint& x) {
                             return std::tuple{x.place.line == 0, x.place.line, x.place.column};
                         };
                         return rank(a) < rank(b);
                     });
    if (complaints.size() > kMostComplaints) {
        const std::size_t more = complaints.size() - (kMostComplaints - 1);
        complaints.resize(kMostComplaints - 1);
        Complaint last;
        last.place.file = c.file;
        last.message = fmt::format("{} more mistakes are not shown", more);
        last.remedy = "Mend these first.";
        complaints.push_back(std::move(last));
    }
    throw UserError(std::move(complaints));
}

}  // namespace spume
