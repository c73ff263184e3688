import { boolean, string } from './flag.js';
import type { SelectionOptions } from '@platform-sync/engine/api';
import { defined, ownMember } from '@platform-sync/core/model/value';
import { UsageError } from '../process/usage-error.js';

/** Of commands that take their time. */
export const eventsFlag = {
  events: string({
    description: 'write events to this file or pipe (one JSON object a line)',
    helpValue: 'FILE',
  }),
};

/** The work goes on by `run/watching.ts`. `exclusive`: what writes into the project would wake it again. */
export const watchFlag = (...exclusive: readonly string[]) => ({
  watch: boolean({ description: 'again whenever a file changes, until Ctrl-C', exclusive: [...exclusive] }),
});

/** Of commands that may be answered by what earlier runs left in `.sync/memory.db`. */
export const coldFlag = {
  cold: boolean({ description: 'work everything out anew, and remember nothing for the next run' }),
};

/** Flags of every command that is about a part of a stack. */
export const selectionFlags = {
  target: string({
    multiple: true,
    description:
      'only this and what it needs: an address, payments/** (any keys), type:Api, labels.team=payments (a field), dependents:petstore, changed:origin/main (resources that differ from that commit)',
    helpValue: 'TERM',
  }),
  exclude: string({
    multiple: true,
    description: 'leave this out and keep its parents; terms as for --target',
    helpValue: 'TERM',
  }),
};

export interface SelectionFlagValues {
  readonly target?: string[] | undefined;
  readonly exclude?: string[] | undefined;
}

/** Empty where the whole is meant. */
export function selectionOptions({ target = [], exclude = [] }: SelectionFlagValues): SelectionOptions {
  if (target.length + exclude.length === 0) return {};
  return { targets: target, excludes: exclude };
}

/** The flag of every command that writes state: how long to wait for the run that holds it. */
export const lockTimeout = string({
  description: 'wait for another run to finish: 30s, 5m; also for what a killed run left to show',
  helpValue: 'TIME',
  default: '0s',
});

export interface LockTimeoutFlag {
  readonly 'lock-timeout': string;
  /** The freeze that it may write in spite of. */
  readonly frozen?: string | undefined;
}

/** How long to wait, as the engine is told. */
export function lockWait(flags: LockTimeoutFlag): { readonly lockTimeoutMs: number; readonly frozen?: string } {
  const { frozen } = flags;
  return { lockTimeoutMs: durationMs(flags['lock-timeout'], '--lock-timeout'), ...defined({ frozen }) };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30s`, `5m`, `1h`, `500ms`, or plain seconds → milliseconds. */
export function durationMs(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  if (match === null) throw new UsageError(`${flag} takes a time like 30s or 5m, not "${text}"`);
  return Math.round(Number(match[1]) * (ownMember(units, match[2] ?? 's') ?? 1000));
}
