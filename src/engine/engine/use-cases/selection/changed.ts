import { addTo, reach } from '@platform-sync/core/model/graph';
import { resourceMeaning, meaning } from '@platform-sync/catalogue/build/meaning';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { type Expression, visitExpression } from '@platform-sync/core/model/expression';
import type { Workspace } from '../../workspace.js';
import { checkOut } from '../base/checkout.js';
import { loadBase } from '../base/load-base.js';

/**
 * Addresses of which the files say something else than where this branch left a commit: in the resource, in a file that it reads, in a
 * default, a patch or a variable; and those that the files no longer have. A comment or another order is no change.
 */
export async function changedSince(
  workspace: Workspace,
  desired: DesiredState,
  commit: string,
): Promise<ReadonlySet<Address>> {
  const { folder, name, close } = await checkOut(workspace.world, workspace.config.root, commit);
  try {
    // A project that the branch brings along is all new.
    if (folder === undefined) return new Set(desired.resources.keys());
    const loaded = await loadBase(workspace, folder, name);
    if (loaded.desired !== undefined) return changedBetween(loaded.desired, desired);
    if (loaded.problem.code === 'base-without-project') return new Set(desired.resources.keys());
    throw new DiagnosticError([
      {
        ...loaded.problem,
        severity: 'error',
        summary: `The catalogue of ${name} can't be read, so it is not known what changed since.`,
      },
    ]);
  } finally {
    await close();
  }
}

export function changedBetween(before: DesiredState, now: DesiredState): ReadonlySet<Address> {
  const variables = changedVariables(before.variables, now.variables);
  const gone = [...before.resources.keys()].filter((address) => !now.resources.has(address));
  const changed = [...now.resources].filter(([address, resource]) => {
    const earlier = before.resources.get(address);
    if (earlier === undefined || resourceMeaning(earlier) !== resourceMeaning(resource)) return true;
    return [...resource.properties.values()].some((value) => uses(value, variables));
  });
  return new Set([...gone, ...changed.map(([address]) => address)]);
}

/** Those that say something else, and those that use one. */
function changedVariables(before: DesiredState['variables'], now: DesiredState['variables']): ReadonlySet<string> {
  const changed = new Set(
    [...now].flatMap(([name, value]) => (meaning(before.get(name)) === meaning(value) ? [] : [name])),
  );
  const users = new Map<string, string[]>();
  for (const [name, value] of now) for (const used of variablesIn(value)) addTo(users, used, name);
  return reach(changed, (name) => users.get(name) ?? []);
}

function uses(value: Expression, variables: ReadonlySet<string>): boolean {
  return variables.size > 0 && variablesIn(value).some((name) => variables.has(name));
}

function variablesIn(value: Expression): readonly string[] {
  const found: string[] = [];
  visitExpression(value, {
    reference: ({ to, target }) => {
      if (to === 'variable') found.push(target);
    },
  });
  return found;
}
