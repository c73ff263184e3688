import { encodeExpression } from '../build/meaning.js';
import type { Entries } from '../read/shape.js';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { UnsetVariables } from './parameter-values.js';

/** Everything that says where secrets go, and whose state is meant. */
export const trustedSettings = ['project', 'providers', 'state', 'drift', 'specificationRules'] as const;

/** What the base says in a proposal's place, as text that is equal where the meaning is. */
export type Meanings = Readonly<Record<'types' | 'parameters' | (typeof trustedSettings)[number], string>>;

/** `described`: provider → what its file of types says. `declaring`: blocks that say something of parameters. */
export function meaningsOf(
  described: ReadonlyMap<string, string>,
  declaring: readonly (Entries | undefined)[],
  chosen: Entries,
  unset: UnsetVariables,
): Meanings {
  return {
    types: JSON.stringify([...described].sort()),
    parameters: declaring.map((block) => writtenMeaning(block, 'parameters', unset)).join('\n'),
    project: writtenMeaning(chosen, 'project', unset),
    providers: writtenMeaning(chosen, 'providers', unset),
    state: writtenMeaning(chosen, 'state', unset),
    drift: writtenMeaning(chosen, 'drift', unset),
    specificationRules: writtenMeaning(chosen, 'specificationRules', unset),
  };
}

/** A variable counts by its name, whether it is set or not. */
function writtenMeaning(block: Entries | undefined, name: string, unset: UnsetVariables): string {
  const written = (value: Expression): Expression => {
    const missing = unset.get(value);
    if (missing !== undefined) return { kind: 'secret', value, text: `!env ${missing.name}`, at: value.at };
    if (value.kind === 'secret') return { ...value, value: written(value.value) };
    if (value.kind === 'list') return { ...value, items: value.items.map(written) };
    if (value.kind !== 'map') return value;
    const entries = [...value.entries].map(([key, entry]): [string, MapEntry] => [
      key,
      { ...entry, value: written(entry.value) },
    ]);
    return { ...value, entries: new Map(entries) };
  };
  const value = block?.get(name)?.value;
  return value === undefined ? '' : encodeExpression(written(value));
}
