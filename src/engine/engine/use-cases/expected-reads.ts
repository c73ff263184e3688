import type { DesiredState } from '@platform-sync/core/model/desired';
import { identityKey } from '@platform-sync/core/model/identity';
import type { StackState } from '@platform-sync/core/model/state';
import { isListed } from '@platform-sync/core/lookups/by-rule';
import { mustBe } from '@platform-sync/core/lookups/match';
import type { Reads } from '../reads/reads.js';
import { collectionsOf } from '../refresh/collections.js';
import { evaluate } from '@platform-sync/core/resolve/evaluate';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import { writtenScope } from '@platform-sync/core/resolve/written-scope';
import type { Workspace } from '../workspace.js';

/**
 * Tells a run's reads what will be asked of lists, as far as files and state say before: a list is then read as far as takes the
 * fewest calls for all of it. Packages of types and lookups must be loaded.
 */
export function expectReads(
  workspace: Workspace,
  reads: Reads,
  desired: DesiredState,
  { resources, intents }: StackState,
): void {
  const { lookups = [] } = desired;
  if (intents.length + lookups.length === 0) return;
  for (const { key, type, members } of collectionsOf(resources, desired.resources, workspace.typeOf))
    reads.expected.objects(key, new Set(members.map(({ identity }) => identityKey(type.token, identity))));
  const scope = writtenScope(
    desired,
    (address) => resources.get(address)?.identity,
    (call) => expectLookup(workspace, reads, call),
  );
  for (const lookup of lookups) evaluate(lookup, scope);
}

/** Types (tokens) of which objects are asked for once a refresh is through: by lookups, or because state knows none at an address. */
export function typesAskedAgain(
  workspace: Workspace,
  { lookups = [], resources }: DesiredState,
  stored: Pick<StackState, 'resources'>,
): ReadonlySet<string> {
  const sought = [...resources.values()].filter(({ address }) => !stored.resources.has(address));
  const lookedUp = lookups.flatMap((lookup) => workspace.lookedUpType(lookup.function) ?? []);
  return new Set([...lookedUp.map(({ token }) => token), ...sought.map(({ type }) => type)]);
}

function expectLookup(workspace: Workspace, reads: Reads, { token, args }: LookupCall): void {
  const type = workspace.lookedUpType(token);
  if (type === undefined || !isListed(type)) return;
  const scope = Object.fromEntries(type.collection.scope.map((field) => [field, String(args[field])]));
  reads.expectHaving(type, scope, mustBe(args));
}
