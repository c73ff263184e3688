#!/bin/sh
# One step of a pipeline: sync-ci.sh plan|comment|apply|drift
#
# Settings come from the environment, never from the pipeline's own syntax, so that no name can become a command:
#   SYNC_DIR           folder of sync.yaml                                   default: .
#   SYNC_STACK         stack, read by the program itself                     default: what sync.yaml says
#   SYNC_ALL_STACKS    true: each stack of sync.yaml, its reports in a folder of its name  default: false
#   SYNC_ID_TOKEN      true: leaves what the job's identity is asked for with, for credentials by it  default: false
#   SYNC_OUT           folder for the plan and its reports                   default: .git/sync-out, where no commit reaches
#   SYNC_ARTIFACT      folder of the checkout that goes from job to job; reports are made elsewhere and put there
#                      in the end, and comment and apply take what is there    default: none
#   SYNC_BASE          commit to tell this branch's changes from others      default: none
#   SYNC_UNTRUSTED     true: the files are a proposal, settings are SYNC_BASE's  default: false
#   SYNC_ALLOW         for plan, guards to lift, separated by spaces or lines default: none
#   SYNC_REASON        why they may be lifted; goes into the plan            default: none
#   SYNC_APPROVED      for apply, effect: the plan that was approved may be made anew, as long as it does the same  default: the very plan
#   SYNC_LOCK_TIMEOUT  how long to wait for another apply of the stack       default: 10m
#   SYNC_ISSUE         for drift, true keeps one issue up to date            default: false
#   SYNC_PLAN_RUN      for comment, the run whose result is meant            default: this one
#   SYNC_AFTER         for comment, what was to leave the result: plan, apply  default: plan
#   SYNC_ENDED         for comment, how a job without a result ended         default: failed (or: cancelled)
#   SYNC_PLAN_JOB, SYNC_APPLY_JOB  for comment on GitLab, whose jobs' ends are asked for instead  default: none
#   SYNC_HOME          folder of a release of the program, dist/ in it       default: platform-sync from the PATH
#
# The exit code is the program's: see docs/guides/ci.md.
set -eu

dir=${SYNC_DIR:-.}
code=0

refuse() {
  echo "$1" >&2
  exit 1
}

# A proposed change may hold a link of a folder's name: nothing outside is written or removed through it. Links above the checkout
# are the machine's own.
require_no_link() {
  top=$(git rev-parse --show-toplevel 2>/dev/null) || top=$(pwd -P)
  place=${1%/}
  case $place in /*) ;; *) place=$(pwd -P)/$place ;; esac
  while [ "$place" != / ]; do
    above=$(dirname -- "$place")
    if [ -L "$place" ]; then
      case $(CDPATH='' cd -- "$above" && pwd -P)/ in
        "$top"/*) refuse "$place is a link: remove it from the repository, or name another folder by $2" ;;
      esac
    fi
    place=$above
  done
}

if [ -n "${SYNC_ARTIFACT:-}" ]; then
  require_no_link "$SYNC_ARTIFACT" SYNC_ARTIFACT
  # An apply that is killed leaves what it began with: it writes where that is kept.
  if [ "${1:-}" = apply ]; then out=$SYNC_ARTIFACT; else out=$(mktemp -d); fi
elif [ -n "${SYNC_OUT:-}" ]; then
  out=$SYNC_OUT
else
  git=$(git rev-parse --absolute-git-dir 2>/dev/null) || refuse 'this is no git checkout: name a folder for the reports by SYNC_OUT'
  out=$git/sync-out
fi
require_no_link "$out" SYNC_OUT
mkdir -p "$out"
out=$(CDPATH='' cd -- "$out" && pwd)
# What the job before left.
given=${SYNC_ARTIFACT:-$out}
plan=$out/plan.json
if [ "${SYNC_ALL_STACKS:-}" = true ] && [ -n "$(find "$out" "$given" -type l 2>/dev/null)" ]; then
  refuse "$given holds a link: no report is written or read through it"
fi

# What was found out goes where the next job finds it, and nothing else: a proposal may have put files there.
hand_on() {
  if [ -n "${SYNC_ARTIFACT:-}" ]; then
    rm -rf "$SYNC_ARTIFACT"
    cp -R "$out" "$SYNC_ARTIFACT"
  fi
}

# Each command gets the secrets it needs, and no others.
unset ACTIONS_RUNTIME_TOKEN
case ${1:-}:${SYNC_ID_TOKEN:-} in
  plan:true | apply:true | drift:true) ;;
  *) unset ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL ;;
esac
case ${1:-}:${SYNC_ISSUE:-} in
  comment:*) unset PLATFORM_TOKEN PLATFORM_SPAT SYNC_STATE_URL PGPASSWORD ;;
  drift:true) ;;
  *) unset GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN CI_JOB_TOKEN ;;
esac

program() {
  if [ -n "${SYNC_HOME:-}" ]; then node "$SYNC_HOME/bin/sync.js" "$@"; else platform-sync "$@"; fi
}

# Adds a file to one that the pipeline reads, where there are both.
hand_over() {
  if [ -n "${2:-}" ] && [ -f "$1" ]; then cat "$1" >>"$2"; fi
}

# Folders that reports lie in: one for each stack, or the one.
folders() {
  echo "$out"
  if [ "${SYNC_ALL_STACKS:-}" = true ]; then find "$out" -mindepth 1 -maxdepth 1 -type d | sort; fi
}

# What an earlier run left must not pass for this run's.
forget() {
  folders | while IFS= read -r folder; do
    for name in "$@"; do rm -f "$folder/$name"; done
  done
}

# Everything a step found out goes to the pipeline, whatever the code: its outputs, its page, the lines of the files.
report() {
  folders | while IFS= read -r folder; do
    hand_over "$folder/$1-output.txt" "${GITHUB_OUTPUT:-}"
    hand_over "$folder/$2.md" "${GITHUB_STEP_SUMMARY:-}"
    if [ -n "${GITHUB_OUTPUT:-}" ] && [ -f "$folder/$1-annotations.txt" ]; then cat "$folder/$1-annotations.txt"; fi
  done
}

# True where an output is true for one of several stacks below a folder.
any_true() {
  find "$2" -type f -name github-output.txt 2>/dev/null | while IFS= read -r file; do
    if grep -A1 "^$1<<" "$file" | grep -qx true; then echo true; fi
  done
}

output() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; fi
}

case ${1:-} in
  plan)
    forget plan.json no-plan.json plan.txt plan.md plan.html plan.sarif gitlab-code-quality.json gitlab-terraform.json \
      github-annotations.txt github-summary.md github-output.txt
    forget result.json result.md result.html result-annotations.txt result-output.txt result-events.jsonl comment.md
    if [ "${SYNC_ALL_STACKS:-}" = true ]; then
      set -- plan --all-stacks --report-dir "$out"
    else
      set -- plan --out "$plan" --report-dir "$out"
    fi
    if [ -n "${SYNC_BASE:-}" ]; then set -- "$@" --base "$SYNC_BASE"; fi
    if [ "${SYNC_UNTRUSTED:-}" = true ]; then set -- "$@" --untrusted; fi
    # Split into words, and nothing else: a name is no pattern for files.
    set -f
    for guard in ${SYNC_ALLOW:-}; do set -- "$@" --allow "$guard"; done
    set +f
    if [ -n "${SYNC_REASON:-}" ] && [ -n "${SYNC_ALLOW:-}" ]; then set -- "$@" --reason "$SYNC_REASON"; fi
    program "$@" -C "$dir" || code=$?
    report github github-summary
    if [ -f "$plan" ]; then output plan-file "$plan"; fi
    if [ "${SYNC_ALL_STACKS:-}" = true ]; then
      for name in has-changes needs-approval; do
        if [ -n "$(any_true $name "$out")" ]; then output $name true; else output $name false; fi
      done
    fi
    hand_on
    ;;
  comment)
    forget comment.md
    set -- comment "$given" --after "${SYNC_AFTER:-plan}" --file "$out/comment.md"
    if [ -n "${SYNC_PLAN_RUN:-}" ]; then set -- "$@" --run "$SYNC_PLAN_RUN"; fi
    case ${SYNC_ENDED:-${SYNC_JOB_STATUS:-}}:${SYNC_PLAN_JOB:-} in
      cancelled:*) set -- "$@" --ended cancelled ;;
      :?*)
        set -- "$@" --job "$SYNC_PLAN_JOB"
        if [ -n "${SYNC_APPLY_JOB:-}" ]; then set -- "$@" --job "$SYNC_APPLY_JOB"; fi
        ;;
      *) set -- "$@" --ended failed ;;
    esac
    program "$@" -C "$dir" || code=$?
    ;;
  apply)
    forget result.json result.md result.html result-annotations.txt result-output.txt result-events.jsonl comment.md
    if [ "${SYNC_APPROVAL:-}" = when-dangerous ]; then
      if [ -n "$(any_true needs-approval "$given")" ] || [ -z "$(any_true has-changes "$given")" ]; then
        echo 'Nothing is applied unasked: the plan needs an approval, or has nothing to do.'
        exit 0
      fi
    fi
    set -- "$given/plan.json"
    if [ "${SYNC_ALL_STACKS:-}" = true ]; then
      set -- "$given" --all-stacks
    elif [ "${SYNC_APPROVED:-}" = effect ]; then
      # An approval stands as long as the plan does the same, whatever else was merged or applied meanwhile.
      effect=$(sed -n 's/.*"effectDigest":"\([0-9a-f]\{64\}\)","engine":.*/\1/p' "$given/plan.json" 2>/dev/null) || effect=
      if [ -n "$effect" ]; then set -- "$@" --expect-effect "$effect"; fi
    fi
    program apply "$@" --yes --lock-timeout "${SYNC_LOCK_TIMEOUT:-10m}" --report-dir "$out" -C "$dir" || code=$?
    report result result
    ;;
  drift)
    forget drift.json drift.md drift.html drift.prom
    set -- drift --report-dir "$out"
    if [ "${SYNC_ALL_STACKS:-}" = true ]; then set -- "$@" --all-stacks; fi
    if [ "${SYNC_ISSUE:-}" = true ]; then set -- "$@" --issue; fi
    program "$@" -C "$dir" || code=$?
    report none drift
    hand_on
    ;;
  *)
    echo 'usage: sync-ci.sh plan|comment|apply|drift' >&2
    exit 64
    ;;
esac

output exit-code "$code"
exit "$code"
