#!/bin/sh
# One step of a pipeline: sync-ci.sh plan|comment|apply|drift
#
# Settings come from the environment, never from the pipeline's own syntax, so that no name can become a command:
#   SYNC_DIR           folder of sync.yaml                                   default: .
#   SYNC_STACK         stack, read by the program itself                     default: default
#   SYNC_OUT           folder for the plan and its reports                   default: sync-out
#   SYNC_BASE          commit to tell this branch's changes from others      default: none
#   SYNC_ALLOW         for plan, guards to lift, separated by spaces or lines default: none
#   SYNC_REASON        why they may be lifted; goes into the plan            default: none
#   SYNC_LOCK_TIMEOUT  how long to wait for another apply of the stack       default: 10m
#   SYNC_ISSUE         for drift, true keeps one issue up to date            default: false
#   SYNC_HOME          folder of a built checkout of the program             default: platform-sync from the PATH
#
# The exit code is the program's: see docs/guides/ci.md.
set -eu

dir=${SYNC_DIR:-.}
out=${SYNC_OUT:-sync-out}
mkdir -p "$out"
out=$(CDPATH='' cd -- "$out" && pwd)
plan=$out/plan.json
code=0

program() {
  if [ -n "${SYNC_HOME:-}" ]; then node "$SYNC_HOME/bin/sync.js" "$@"; else platform-sync "$@"; fi
}

# Adds a file to one that the pipeline reads, where there are both.
hand_over() {
  if [ -n "${2:-}" ] && [ -f "$1" ]; then cat "$1" >>"$2"; fi
}

output() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; fi
}

case ${1:-} in
  plan)
    # What an earlier run left must not pass for this run's plan.
    rm -f "$plan"
    set -- plan --out "$plan" --report-dir "$out"
    if [ -n "${SYNC_BASE:-}" ]; then set -- "$@" --base "$SYNC_BASE"; fi
    # Split into words, and nothing else: a name is no pattern for files.
    set -f
    for guard in ${SYNC_ALLOW:-}; do set -- "$@" --allow "$guard"; done
    set +f
    if [ -n "${SYNC_REASON:-}" ] && [ -n "${SYNC_ALLOW:-}" ]; then set -- "$@" --reason "$SYNC_REASON"; fi
    program "$@" -C "$dir" || code=$?
    if [ -f "$plan" ]; then
      hand_over "$out/github-output.txt" "${GITHUB_OUTPUT:-}"
      hand_over "$out/github-summary.md" "${GITHUB_STEP_SUMMARY:-}"
      if [ -n "${GITHUB_OUTPUT:-}" ] && [ -f "$out/github-annotations.txt" ]; then cat "$out/github-annotations.txt"; fi
      output plan-file "$plan"
    fi
    ;;
  comment)
    program comment "$plan" --file "$out/plan.md" -C "$dir" || code=$?
    ;;
  apply)
    # Nor must an earlier result pass for this one's.
    rm -f "$out/result.json"
    program apply "$plan" --yes --lock-timeout "${SYNC_LOCK_TIMEOUT:-10m}" --report "$out/result.json" -C "$dir" ||
      code=$?
    ;;
  drift)
    rm -f "$out/drift.md"
    set -- drift --report-dir "$out"
    if [ "${SYNC_ISSUE:-}" = true ]; then set -- "$@" --issue; fi
    program "$@" -C "$dir" || code=$?
    hand_over "$out/drift.md" "${GITHUB_STEP_SUMMARY:-}"
    ;;
  *)
    echo 'usage: sync-ci.sh plan|comment|apply|drift' >&2
    exit 64
    ;;
esac

output exit-code "$code"
exit "$code"
