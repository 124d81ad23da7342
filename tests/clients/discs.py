# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""What balls seen along -z without perspective cover of a picture."""

import numpy


def coverage(place, radius, centre, pixel, width, height, fine):
    """Share of each pixel (of that size in metres) that discs cover, sampled fine x fine."""
    mask = numpy.zeros((height * fine, width * fine), bool)
    for (x, y, _), r in zip(place, radius):
        u = ((x - centre[0]) / pixel + width / 2) * fine
        v = (height / 2 - (y - centre[1]) / pixel) * fine
        reach = r / pixel * fine
        i = numpy.arange(max(0, int(u - reach)), min(mask.shape[1], int(u + reach) + 2))
        j = numpy.arange(max(0, int(v - reach)), min(mask.shape[0], int(v + reach) + 2))
        if len(i) and len(j):
            disc = (i[None] + 0.5 - u) ** 2 + (j[:, None] + 0.5 - v) ** 2 <= reach ** 2
            mask[j[0]:j[-1] + 1, i[0]:i[-1] + 1] |= disc
    return mask.reshape(height, fine, width, fine).mean(axis=(1, 3))
