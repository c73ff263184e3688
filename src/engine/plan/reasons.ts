import type { Address } from '../model/address.js';
import type { ActionReason } from '../model/plan.js';
import type { ResourceType } from '../model/resource-type.js';
import { isList, isObject, referencedAddress, type Json } from '../model/value.js';
import type { Change } from './diff.js';
import type { Step } from './step.js';

/** Why: the replaced resources a field waits for, with the chain that forced them, else the field itself. */
export function fieldReasons(
  changes: readonly Change[],
  type: ResourceType,
  done: ReadonlyMap<Address, Step>,
): readonly ActionReason[] {
  return changes.map(({ rule, shown, resent }) => {
    if (resent === true) return { kind: 'resend', field: rule.name };
    const awaited = unknownAddresses(shown.new).map((address) => done.get(address));
    const replaced = awaited.find((one) => one?.action === 'replace');
    if (shown.rule === 'replace' && replaced !== undefined) {
      const path = [replaced.address, ...forcedBy(replaced)];
      return rule.name === type.parent?.field
        ? { kind: 'parent-replaced', path }
        : { kind: 'reference-replaced', field: rule.name, path };
    }
    return { kind: shown.rule === 'replace' ? 'field-forces-replacement' : 'field-changed', field: rule.name };
  });
}

function unknownAddresses(value: Json | undefined): readonly Address[] {
  const names = isObject(value) ? value['$unknown'] : undefined;
  return isList(names) ? names.filter((name) => typeof name === 'string').map(referencedAddress) : [];
}

function forcedBy({ reasons }: Step): readonly Address[] {
  for (const reason of reasons) {
    if (reason.kind === 'parent-replaced' || reason.kind === 'reference-replaced') return reason.path;
  }
  return [];
}
