import type { MapEntry } from '@platform-sync/core/model/expression';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { BuildContext } from '../read/build-context.js';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { Entries } from '../read/shape.js';

/** The entries that are inputs of the type; the others are reported, once, where they stand. */
export function keepInputs(
  entries: Entries,
  type: ResourceType,
  subject: string,
  address: string | undefined,
  { problems }: BuildContext,
): Entries {
  // Copied where something is left out.
  let kept: Map<string, MapEntry> | undefined;
  for (const [name, entry] of entries) {
    const rule = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (rule?.input === true && rule.deprecated === undefined) continue;
    const details = { address, field: name };
    if (rule?.input === true) {
      // One that has to be there is out of use as long as it is empty.
      const isUnused = rule.required && entry.value.kind === 'list' && entry.value.items.length === 0;
      if (rule.deprecated !== undefined && !isUnused) {
        const summary = `The property "${name}" of ${type.shortToken} is deprecated.`;
        problems.add('deprecated-property', entry.key, summary, {
          ...details,
          severity: 'warning',
          hint: rule.deprecated,
        });
      }
      continue;
    }
    (kept ??= new Map(entries)).delete(name);
    if (rule !== undefined || name === 'id') {
      problems.add('computed-property', entry.key, `The platform sets "${name}" of ${type.shortToken} itself.`, {
        ...details,
        detail: 'It can be read in a reference, but not be declared.',
        hint: name === 'id' ? 'To manage an existing object, give its id as options.import.' : 'Remove the line.',
      });
    } else {
      const inputs = inputNames(type);
      problems.add('unknown-property', entry.key, `${type.shortToken} has no property "${name}" (in ${subject}).`, {
        ...details,
        hint: didYouMean(name, inputs) ?? `Its properties are ${inputs.join(', ')}.`,
      });
    }
  }
  return kept ?? entries;
}

export function inputNames(type: ResourceType): string[] {
  return Object.values(type.fields).flatMap((rule) => (rule.input ? [rule.name] : []));
}
