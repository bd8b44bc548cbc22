#!/bin/sh
# The manual page is without a warning and has every option; the completions complete. What is not installed of man, zsh and
# fish is left out. Usage: install_help.sh PROGRAM SHARE_DIR
set -eu
program=$1 share=$2
page=$share/man/man1/sfgp.1
[ -e "$page" ] || page=$page.gz
if command -v man >/dev/null; then
    warnings=$(LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || { echo "$warnings"; exit 1; }
    LC_ALL=C.UTF-8 MANWIDTH=200 man -l "$page" >"${TMPDIR:-/tmp}/sfgp.$$"
    for verb in $("$program" help | sed -n '/^  sfgp /d; s/^  \([a-z]*\)  *[a-z].*/\1/p'); do
        for option in $("$program" help "$verb" | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p'); do
            grep -qe "^ .*$option\b" "${TMPDIR:-/tmp}/sfgp.$$" || { echo "sfgp(1) has no $option of $verb"; exit 1; }
        done
    done
    rm "${TMPDIR:-/tmp}/sfgp.$$"
fi
bash -eu -c '
    . "$1/bash-completion/completions/sfgp"
    complete_words() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _sfgp; echo "${COMPREPLY[@]}"; }
    [ "$(complete_words sfgp reg)" = register ]
    [ "$(complete_words sfgp register a b --outp)" = --output ]
    [ "$(complete_words sfgp register a b --method sfgp-s)" = sfgp-scalar ]
    [ "$(complete_words sfgp register a b --effort th)" = thorough ]
    [ "$(complete_words sfgp model comp)" = component ]
    [ "$(complete_words sfgp batch --retry)" = --retry-failed ]' bash "$share"
if command -v zsh >/dev/null; then zsh -n "$share/zsh/vendor-completions/_sfgp"; fi
if command -v fish >/dev/null; then fish -n "$share/fish/vendor_completions.d/sfgp.fish"; fi
