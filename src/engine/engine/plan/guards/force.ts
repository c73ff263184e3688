import type { Address } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/value';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { GuardAllowance } from '@platform-sync/core/model/project';
import type { Step } from '../step.js';

/** Name of the guard that forces what the platform refuses. */
export function forceGuard(address: Address): string {
  return `force:${address}`;
}

/** Proposals, those marked whose delete or change is to be forced. `allowed` are guards lifted today. */
export function withForced(
  steps: ReadonlyMap<Address, Step>,
  allowed: readonly GuardAllowance[],
): ReadonlyMap<Address, Step> {
  const lifted = new Set(allowed.map(({ guard }) => guard));
  const isForced = ({ address, type, action }: Step): boolean =>
    isForcible(type, action) && lifted.has(forceGuard(address));
  if (![...steps.values()].some(isForced)) return steps;
  return new Map([...steps].map(([address, p]) => [address, isForced(p) ? { ...p, force: true } : p]));
}

/** True for what the platform may refuse for the sake of what hangs on the object, and can be told to do all the same. */
export function isForcible({ forcible = [] }: ResourceType, action: Step['action']): boolean {
  const isEnd = action === 'delete' || action === 'replace';
  return (isEnd && forcible.includes('delete')) || (isWrite(action) && forcible.includes('update'));
}

function isWrite(action: Step['action']): boolean {
  return action === 'update' || action === 'adopt';
}

/** The refusal of a conflict with the way on, where the platform could be told to do it all the same. */
export function withForceHint({ address, action, type, force }: Step, error: ProviderError): ProviderError {
  if (error.kind !== 'conflict' || force === true || !isForcible(type, action)) return error;
  const what = isWrite(action)
    ? 'To change it anyway, and remove what the platform names'
    : 'To delete it with everything in it, unmanaged objects included';
  const hint = `${what}: --allow ${forceGuard(address)} --reason TEXT`;
  const diagnostics = error.diagnostics.map((each, at) => (at === 0 ? { ...each, hint } : each));
  return new ProviderError(error.kind, diagnostics, { ...defined({ status: error.status }), cause: error });
}
