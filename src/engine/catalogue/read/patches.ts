import type { Address } from '../../model/address.js';
import type { MapEntry } from '../../model/expression.js';
import { didYouMean } from '../../model/nearest.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { BuildContext } from './build-context.js';
import { mapEntries, type Entries } from './shape.js';
import { isUnset } from './unset.js';

/** What an overlay does to one resource. */
export interface RawPatch {
  readonly address: Address;
  readonly at: SourceRange;
  /** True: the resource is not there in this stack. */
  readonly off: boolean;
  readonly properties: Entries;
  readonly options: Entries;
}

const patchKeys = ['properties', 'options'];

export function readPatches(entries: Entries, context: BuildContext): RawPatch[] {
  return [...entries].map(([address, { key, value }]) => {
    const off = isUnset(value);
    const what = `The patch of ${address}`;
    const parts = off ? new Map<string, MapEntry>() : mapEntries(value, what, context);
    refusePatchKeys(parts, address, context);
    const part = (name: string): Entries => {
      const entry = parts.get(name);
      return entry === undefined ? new Map() : mapEntries(entry.value, `"${name}" of ${address}`, context);
    };
    return { address, at: key, off, properties: part('properties'), options: part('options') };
  });
}

function refusePatchKeys(parts: Entries, address: Address, context: BuildContext): void {
  for (const [name, { key }] of parts) {
    if (patchKeys.includes(name)) continue;
    const hints: Readonly<Record<string, string>> = {
      children: `Patch a child by its address: ${address}/KEY.`,
      type: 'The type stays: switch the resource off with !unset and declare another one.',
    };
    context.problems.add('unknown-key', key, `A patch has no key "${name}".`, {
      hint:
        (Object.hasOwn(hints, name) ? hints[name] : didYouMean(name, patchKeys)) ??
        'Its keys are properties and options.',
    });
  }
}
