import type { SelectionOptions } from '../../api.js';
import { reach } from '@platform-sync/core/model/graph';
import { containersOf, keyOf, referencedIn, withoutLiving, type FoundObject } from '../../export/found-object.js';
import { nameObjects } from '../../export/name-objects.js';
import { placeObjects } from '../../export/place-objects.js';
import { chooses, compareText, type Address } from '@platform-sync/core/model/address';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import { selected } from './select.js';
import type { Choosable } from './terms.js';

/**
 * The objects that terms choose, by the addresses that an export gives them: those, what they live in and refer to, and nothing that
 * lives in what is left out. Rejects with DiagnosticError where a term stands for nothing.
 */
export async function selectedObjects(
  objects: readonly FoundObject[],
  types: ReadonlyMap<string, ResourceType>,
  terms: SelectionOptions,
): Promise<readonly FoundObject[]> {
  const { targets = [], excludes = [] } = terms;
  if (targets.length + excludes.length === 0) return objects;
  const addresses = nameObjects(placeObjects(objects), types);
  const choice = exportChoice(objects, addresses);
  const named = await selected(terms, choice, noFiles);
  const isTarget = chooses({ targets: named.targets, excludes: [] });
  const isKept = chooses({ targets: [], excludes: named.excludes });
  const wanted = reach(choice.addresses.filter(isTarget), choice.needsOf);
  const addressOf = (object: FoundObject): Address => addresses.get(keyOf(object)) ?? '';
  const dropped = objects.filter((object) => !isKept(addressOf(object)));
  const chosen = objects.filter((object) => wanted.has(addressOf(object)));
  return withoutLiving(chosen, new Set(dropped.map(keyOf)));
}

function exportChoice(objects: readonly FoundObject[], addresses: ReadonlyMap<string, Address>): Choosable {
  const byAddress = new Map(
    objects.flatMap((object): (readonly [Address, FoundObject])[] => {
      const address = addresses.get(keyOf(object));
      return address === undefined ? [] : [[address, object]];
    }),
  );
  return {
    addresses: [...byAddress.keys()].sort(compareText),
    typeOf: (address) => byAddress.get(address)?.type.token ?? '',
    valueOf: (address, field) => {
      const { type, values } = byAddress.get(address) ?? {};
      return mayHoldSecret(type?.fields[field]) ? undefined : values?.[field];
    },
    needsOf: (address) => {
      const object = byAddress.get(address);
      if (object === undefined) return [];
      const referenced = Object.values(object.type.fields).map((rule) => referencedIn(addresses, object, rule));
      const containers = containersOf(object).map((key) => addresses.get(key));
      return [...containers, ...referenced].filter((found) => found !== undefined);
    },
  };
}

function noFiles(commit: string): never {
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'term-about-files',
      summary: `changed:${commit} is about catalogue files, and export reads none.`,
      hint: 'Choose by address, type:, a field, or dependents:.',
    },
  ]);
}
