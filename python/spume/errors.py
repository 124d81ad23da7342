# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""What Spume raises, of the same kinds as the exit statuses of the program."""


class Error(Exception):
    """Any complaint of Spume."""


class UserError(Error, ValueError):
    """A scene, a file or an argument is wrong. `complaints` holds all that was found: dictionaries
    with file, line, column (0 where unknown), message and remedy."""

    def __init__(self, text, complaints=()):
        super().__init__(text)
        self.complaints = list(complaints)


class MachineError(Error, RuntimeError):
    """Disk full, no permission, no memory."""


class SimulationError(Error, RuntimeError):
    """The simulation cannot go on. `bad` holds the first numbers that were not finite, if that was
    it: dictionaries with stage, field, cell, position and value."""

    def __init__(self, text, bad=()):
        super().__init__(text)
        self.bad = list(bad)


class Defect(Error, RuntimeError):
    """A broken invariant of Spume itself: please report it."""
