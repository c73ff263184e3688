import type { Address } from '../model/address.js';
import { removedBy, type DesiredResource, type DesiredState } from '../model/desired.js';
import { keepFieldsElsewhere } from '../model/fields-elsewhere.js';
import type { SourceRange } from '../model/place-in-file.js';
import type { PlanMeta, PlanStep } from '../model/plan.js';
import type { Step } from './step.js';

/** Where steps and their fields stand in the files. Of fields that is a text each, which few ask for: they are made then. */
export function sourcesOf(
  shown: readonly PlanStep[],
  steps: ReadonlyMap<Address, Step>,
  catalogue: DesiredState,
): Pick<PlanMeta, 'sources' | 'fieldSources'> {
  const text = (range: SourceRange): string => {
    const place = catalogue.sources.place(range);
    // A text made by joining is one piece; one made of others keeps them, each with a head of its own.
    return [place.file, place.line, place.column].join(':');
  };
  const places = new Map<Address, string>();
  const keys: (readonly [PlanStep, DesiredResource['propertyKeys']])[] = [];
  const elsewhere = new Set<Address>();
  for (const step of shown) {
    const desired = steps.get(step.address)?.desired;
    const letGo = catalogue.removed?.get(removedBy(catalogue, step.address) ?? '');
    const at = desired?.at ?? letGo;
    if (at !== undefined) places.set(step.address, text(at));
    if (desired === undefined) continue;
    keys.push([step, desired.propertyKeys]);
    if (step.fields.some(({ field }) => isElsewhere(desired.propertyKeys.get(field), desired)))
      elsewhere.add(step.address);
  }
  const sources = Object.fromEntries(places);
  keepFieldsElsewhere(sources, elsewhere);
  let made: PlanMeta['fieldSources'] | undefined;
  return {
    sources,
    get fieldSources() {
      return (made ??= fieldSourcesOf(keys, text));
    },
  };
}

function isElsewhere(key: SourceRange | undefined, { at }: DesiredResource): boolean {
  return key !== undefined && key.file !== at.file;
}

function fieldSourcesOf(
  keys: readonly (readonly [PlanStep, DesiredResource['propertyKeys']])[],
  text: (range: SourceRange) => string,
): PlanMeta['fieldSources'] {
  const found = new Map<Address, Readonly<Record<string, string>>>();
  for (const [{ address, fields }, places] of keys) {
    const named: [string, string][] = [];
    for (const { field } of fields) {
      const key = places.get(field);
      if (key !== undefined) named.push([field, text(key)]);
    }
    if (named.length > 0) found.set(address, Object.fromEntries(named));
  }
  return Object.fromEntries(found);
}
