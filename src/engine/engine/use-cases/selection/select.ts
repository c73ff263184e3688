import type { SelectionOptions } from '../../api.js';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { nearest } from '@platform-sync/core/model/nearest';
import type { Workspace } from '../../workspace.js';
import { commitOf, expandTerms, isTerm, type Choosable } from './terms.js';

/** The addresses that terms stand for. Rejects with DiagnosticError where one stands for nothing, or a commit is not known. */
export async function selected(
  terms: SelectionOptions,
  choice: Choosable,
  changedSince: (commit: string) => Promise<ReadonlySet<Address>>,
): Promise<Required<SelectionOptions>> {
  const { targets = [], excludes = [] } = terms;
  const all = [...targets, ...excludes];
  if (all.length === 0) return { targets, excludes };
  const changed = new Map<string, ReadonlySet<Address>>();
  for (const commit of new Set(all.map(commitOf).filter((found) => found !== undefined)))
    changed.set(commit, await changedSince(commit));
  const expanded = all.some(isTerm) ? expandTerms({ targets, excludes }, choice, changed) : { targets, excludes };
  const known = new Set(choice.addresses);
  const problems = unknownAddresses(
    [...expanded.targets, ...expanded.excludes],
    (address) => known.has(address),
    new Set(choice.addresses.map(choice.typeOf)),
  );
  if (problems.length > 0) throw new DiagnosticError(problems);
  return expanded;
}

/** `changed:REF`: only who says it pays for the code that knows. */
export function sinceCommit(
  workspace: Workspace,
  desired: DesiredState,
): (commit: string) => Promise<ReadonlySet<Address>> {
  return async (commit) => (await import('./changed.js')).changedSince(workspace, desired, commit);
}

/** Addresses on the command line that nothing has. That nothing changed since a commit is no mistake. */
export function unknownAddresses(
  addresses: readonly string[],
  isKnown: (address: Address) => boolean,
  types: Iterable<string> = [],
): readonly Diagnostic[] {
  return [...new Set(addresses)]
    .filter((address) => !isKnown(address) && commitOf(address) === undefined)
    .map((address) => ({
      severity: 'error',
      code: 'unknown-address',
      summary: isTerm(address)
        ? `No resource matches ${address}, neither in the catalogue nor in state.`
        : `There is no resource ${address}, neither in the catalogue nor in state.`,
      hint: hintFor(address, types),
    }));
}

function hintFor(address: string, types: Iterable<string>): string {
  const [, type] = /^type:(.+)$/.exec(address) ?? [];
  const names = [...types].map((token) => token.slice(token.lastIndexOf(':') + 1));
  const meant = type === undefined ? undefined : nearest(type.slice(type.lastIndexOf(':') + 1), names);
  if (meant !== undefined) return `Did you mean type:${meant}?`;
  return 'An address is petstore, or petstore/guide for a nested resource. Those of state: sync state list';
}
