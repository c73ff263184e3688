import { string } from './flag.js';
import type { SelectionOptions } from '@platform-sync/engine/api';

/** Of commands that take their time. */
export const eventsFlag = {
  events: string({
    description: 'write what happens to this file or pipe as it happens, one JSON object a line',
    helpValue: 'FILE',
  }),
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

interface SelectionFlagValues {
  readonly target: string[] | undefined;
  readonly exclude: string[] | undefined;
}

/** Empty where the whole is meant. */
export function selectionOptions({ target = [], exclude = [] }: SelectionFlagValues): SelectionOptions {
  if (target.length + exclude.length === 0) return {};
  return { targets: target, excludes: exclude };
}
