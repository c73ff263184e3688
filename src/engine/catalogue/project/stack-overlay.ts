import type { MapEntry } from '@platform-sync/core/model/expression';
import { overlay, withoutUnset } from '../read/overlay.js';
import type { Entries } from '../read/shape.js';

/** What a stack may override. */
const stackKeys = [
  'catalogue',
  'overlays',
  'providers',
  'state',
  'concurrency',
  'requestsPerMinute',
  'timing',
  'guards',
  'adopt',
  'ownership',
  'labels',
  'drift',
] as const;

export type StackKey = (typeof stackKeys)[number];

/** A stack's block over the settings of the file: maps merge, everything else is replaced. */
export function overlayStack(settings: Entries, stack: Entries): Entries {
  const merged = new Map<string, MapEntry>(settings);
  for (const name of ['stacks', 'defaultStack', 'parameters']) merged.delete(name);
  for (const name of stackKeys) {
    const entry = stack.get(name);
    if (entry === undefined) continue;
    const below = settings.get(name);
    // Another backend shares no settings with the one it replaces.
    const replaces = name === 'state' && entry.value.kind === 'map' && entry.value.entries.has('backend');
    const value = below === undefined || replaces ? entry.value : overlay(below.value, entry.value);
    merged.set(name, { key: entry.key, value });
  }
  return withoutUnset(merged);
}
