// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/render/image.h"

namespace spume {

/// A picture of a contact sheet and the words under it.
struct SheetTile {
    Image picture;  ///< may be empty: then only the words are there
    std::string label;
};

struct SheetOptions {
    std::string title;
    int columns = 0;  ///< 0: as many as make the sheet about square
    int tile_width = 320, tile_height = 320;
};

/// Pictures of the same size in rows, each with its label, a title above all. Words that are too
/// long for their place are cut and end in dots.
Image contact_sheet(const std::vector<SheetTile>& tiles, const SheetOptions& options);

/// Columns in use: as asked for, or those that make a sheet of so many pictures about square.
int sheet_columns(std::size_t tiles, const SheetOptions& options);

}  // namespace spume
