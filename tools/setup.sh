# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
#
# Sourced by ./dev: installs Debian packages when they are missing, and times what it is given to do.

say() { printf '%s\n' "$*"; }

timed() { # timed LABEL COMMAND…
    local label=$1 begin=$SECONDS status=0
    shift
    say "== $label"
    "$@" || status=$?
    say "== $label: $((SECONDS - begin)) s$([ $status = 0 ] || echo ", failed with status $status")"
    return $status
}

missing_of() { # prints those of the packages that are not installed
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# For programs that people also install in other ways.
need_command() { # need_command PROGRAM PACKAGE…
    command -v "$1" >/dev/null || need "${@:2}"
}

# Installs what is missing. Returns 1 when it cannot; the tools may still be there from elsewhere, so
# the caller goes on and the first step that needs them says what it misses.
need() { # need PACKAGE…
    if ! command -v dpkg-query apt-get >/dev/null; then
        say "This is not a Debian system. Please provide the equivalent of these Debian 12 packages:" "$@"
        return 0
    fi
    local missing run=()
    missing=$(missing_of "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "Missing packages, and neither root nor sudo to install them. Please run as root:"
            say "    apt-get install --no-install-recommends" $missing
            return 0
        fi
        run=(sudo)
    fi
    say "installing" $missing
    mkdir -p build
    run+=(env DEBIAN_FRONTEND=noninteractive)
    if [ -z "${lists_are_fresh:-}" ]; then
        "${run[@]}" apt-get -q update >build/setup.log 2>&1 || say "apt-get update failed; trying with the old lists"
        lists_are_fresh=1
    fi
    if ! "${run[@]}" apt-get -q install -y --no-install-recommends $missing >>build/setup.log 2>&1; then
        tail -n 20 build/setup.log
        say "apt-get could not install these packages; the log above is build/setup.log"
        return 0
    fi
    installed=1 # a new library can change what CMake finds
}
