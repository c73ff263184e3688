import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** Diagnostics of the command line itself. */
export const cliCodes = {
  'plan-file-unreadable': {
    title: 'The plan file cannot be read',
    explanation: 'The file named after `sync apply` or `sync show` does not exist or cannot be opened, or an apply in a pipeline found it as a part of the repository or behind a link. Check the path.',
  },
  'import-list-line': {
    title: 'A line of the list names no object',
    explanation:
      '`sync import --from FILE` takes an address and an id in each line, with a space between. Blank lines and lines that begin with `#` are left out. Nothing was asked or taken over.',
  },
  'state-address-unknown': {
    title: 'State has no such address',
    explanation: '`sync state show`, `mv` and `rm` take addresses as `sync state list` prints them.',
  },
  'output-unknown': {
    title: 'State has no such output',
    explanation: '`sync output NAME` takes a name under `outputs` of the catalogue that an apply has recorded.',
  },
  'output-secret': {
    title: 'The output is secret',
    explanation: 'State keeps a fingerprint of a secret, never its value, so `sync output NAME` has none to print.',
  },
  'state-address-taken': {
    title: 'The address is already taken in state',
    explanation: '`sync state mv` never overwrites a record. Remove or move the record that stands there first.',
  },
  'state-unfinished': {
    title: 'A record has a write that was not finished',
    explanation:
      'An earlier run was cut short, and what became of its last write is not known yet. `sync apply` finds out; then the record can be handed over.',
  },
  'state-other-target': {
    title: 'The stacks live at different servers',
    explanation:
      '`sync state mv --to-stack` hands over a record, not an object: both stacks must talk to the server that has it.',
  },
  'state-same-stack': {
    title: 'A record can not be handed to its own stack',
    explanation: '`--to-stack` names another stack. To rename within one, leave it out: `sync state mv FROM TO`.',
  },
  usage: {
    title: 'The command line makes no sense',
    explanation:
      'A word, flag or value that the command does not take, or a question that nobody is there to answer (exit code 64). `--help` of the command lists what it takes. With `--format json` it is told on stdout, too.',
  },
  'unexpected-plan': {
    title: 'The plan is not the expected one',
    explanation:
      '`apply --expect DIGEST` carries out a plan only if it has that digest. Something differs from the plan whose digest was given; nothing was done (exit code 5).',
  },
  'file-exists': {
    title: 'A file would be overwritten',
    explanation:
      '`sync init` and `sync export` only write files that do not exist. Remove the file, choose another folder, or (export) add --force.',
  },
  'result-unreadable': {
    title: 'The result cannot be read',
    explanation:
      '`sync comment` takes what `sync plan`, `apply` or `drift` left: a plan, `no-plan.json`, `result.json`, `drift.json`, or the folder they are in. The file does not exist, is none of these, is reached by a link, or git tracks it: a result is never part of the repository, where a proposed change could have written it.',
  },
  'run-failed': {
    title: 'The run broke down',
    explanation:
      'The program itself is at fault. Reports say so in place of a result; the log of the run has the message.',
  },
  'state-lease-held': {
    title: 'The stack is held by another run',
    explanation:
      'Another run writes to the state of this stack. Wait for it with `--lock-timeout`; `sync state unlock` is for a run that is dead.',
  },
  'report-unwritable': {
    title: 'A report or plan file cannot be written',
    explanation:
      'The file or folder that a report, a plan or the text of a comment was to go to does not allow it. What the command did stands; only the file is missing. Check the path and its rights.',
  },
  'output-failed': {
    title: 'The output cannot be written',
    explanation:
      'What standard output or standard error goes to takes no more (a full disk). An apply ends in order: what is in flight is finished and recorded, nothing more is started. Make room and run the command again.',
  },
  'system-error': {
    title: 'The system refused something',
    explanation: 'The message is the system’s own, with its code. What the command had done until then stands.',
  },
  'nested-too-deep': {
    title: 'Something is nested too deep',
    explanation:
      'Something is nested deeper than can be followed (thousands of levels). What is read from files and answers has limits of its own: 200 levels for data and answers, 300 for plans, results and states. Look for what a program has written.',
  },
  'result-of-another-job': {
    title: 'The result is of another job',
    explanation:
      'A result names its project and stack and, in a pipeline, the repository, the commit and the run that made it. `sync comment` tells only of its own: another stack than the one that was named, another repository, commit or run is refused, and so is a result that does not say which run made it. `--run NUMBER` names another run whose result is meant.',
  },
} as const satisfies DiagnosticCodes;
