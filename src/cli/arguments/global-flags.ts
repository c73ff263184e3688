import { boolean, custom, integer, option, string } from './flag.js';

/** How much is told on stderr besides results: problems only, … every wait and read. */
const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** True when messages of `level` are shown at the chosen one. */
export function shows(chosen: LogLevel, level: LogLevel): boolean {
  return logLevels.indexOf(level) <= logLevels.indexOf(chosen);
}

const logLevel = custom<LogLevel>({ options: [...logLevels] });

/** Flags of every command; they may also stand before it. */
export const globalFlags = {
  cwd: string({
    char: 'C',
    description: 'run as if started in this folder (the one with sync.yaml, or one below it)',
    helpGroup: 'GLOBAL',
    helpValue: 'DIR',
  }),
  stack: string({
    description: 'stack to work on; default: SYNC_STACK, else what sync.yaml says',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
  }),
  concurrency: integer({
    description: 'most requests at a time; overrides sync.yaml',
    helpGroup: 'GLOBAL',
    helpValue: 'N',
    min: 1,
    max: 256,
  }),
  var: string({
    description: 'value of a catalogue parameter; overrides every other source',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME=VALUE',
    multiple: true,
  }),
  'var-file': string({
    description: 'file with parameter values, YAML or JSON; later files override earlier ones',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
    multiple: true,
  }),
  'log-level': logLevel({
    description: 'how much to write to stderr',
    helpGroup: 'GLOBAL',
    helpValue: 'LEVEL',
    default: 'info',
  }),
  'no-color': boolean({ description: 'plain text (also: NO_COLOR)', helpGroup: 'GLOBAL' }),
};

/** Of every command; one that has forms of its own says which. */
export const jsonFlag = {
  format: option({
    options: ['text', 'json'] as const,
    description: 'json: one document {ok, exitCode, result, diagnostics} on stdout; no questions',
    helpGroup: 'GLOBAL',
    default: 'text' as const,
  })(),
  fields: string({
    description: 'with --format json or jsonl: only these fields, such as steps.address,summary',
    helpGroup: 'GLOBAL',
    helpValue: 'NAMES',
  }),
  limit: integer({
    description: 'with --format json or jsonl: of each list only so many entries; the rest is counted in leftOut',
    helpGroup: 'GLOBAL',
    helpValue: 'N',
    min: 1,
  }),
};

/** What the global flags say. */
export interface GlobalFlags {
  readonly cwd: string | undefined;
  readonly stack: string | undefined;
  readonly concurrency: number | undefined;
  readonly var: readonly string[] | undefined;
  readonly 'var-file': readonly string[] | undefined;
  readonly 'log-level': LogLevel;
  readonly 'no-color': boolean;
}
