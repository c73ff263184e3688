import type { Address } from '../model/address.js';
import type { Nesting } from '../model/resource-type.js';
import type { RecordedResource } from '../model/state.js';
import type { JsonObject } from '../model/value.js';
import type { FieldDecision } from './diff.js';
import { resourceType, type ExistingObject, type Proposal, type ProposalBase, type ProposalInput } from './proposal.js';

/**
 * The fields that say where the object lives, where that ends, at whatever level above, before there is the new home:
 * nothing can wait in between, and the platform may end what lives there with it.
 */
export function parentEndsFirst(
  input: ProposalInput,
  {
    address,
    type,
    actual,
    recorded,
  }: ProposalBase & { readonly actual: ExistingObject; readonly recorded?: RecordedResource },
  decisions: readonly FieldDecision[],
  done: ReadonlyMap<Address, Proposal>,
): readonly string[] {
  const moving = type.nesting.filter(({ field }) => decisions.some(({ rule }) => rule.name === field));
  if (moving.length === 0) return [];
  const ending = endingAbove(input, address, done);
  if (ending.size === 0) return [];
  const lives = { values: actual.values, dependencies: recorded?.dependencies ?? [] };
  return moving.filter((nesting) => livesIn(input, { ...lives, nesting: [nesting] }, ending)).map(({ field }) => field);
}

const objectKey = (token: string, id: unknown): string => `${token} ${String(id)}`;

/** Objects that end first, to be made anew, and that the resource needs from then on, directly or through others. */
function endingAbove(
  input: ProposalInput,
  address: Address,
  done: ReadonlyMap<Address, Proposal>,
): ReadonlySet<string> {
  const ending = new Set<string>();
  const needed = new Set(input.graph.get(address));
  // A set that grows while it is walked is walked to its end.
  for (const above of needed) {
    for (const other of input.graph.get(above) ?? []) needed.add(other);
    const proposal = done.get(above);
    if (proposal?.action === 'replace' && proposal.order === 'delete-first')
      ending.add(objectKey(proposal.type.token, proposal.actual?.identity.id));
  }
  return ending;
}

interface Living {
  readonly values: JsonObject;
  /** Addresses in state. */
  readonly dependencies: readonly Address[];
  readonly nesting: readonly Nesting[];
}

/** Does it live in one of these objects, or in what lives in one, as far as state knows? */
function livesIn(input: ProposalInput, start: Living, objects: ReadonlySet<string>): boolean {
  const seen = new Set<RecordedResource>();
  const levels = [start];
  for (const { values, dependencies, nesting } of levels) {
    if (nesting.some(({ under, field }) => objects.has(objectKey(under, values[field])))) return true;
    for (const dependency of dependencies) {
      const above = input.state.resources.get(dependency);
      if (above === undefined || seen.has(above)) continue;
      if (!nesting.some(({ under, field }) => under === above.type && values[field] === above.identity.id)) continue;
      seen.add(above);
      const reading = input.snapshot.readings.get(dependency);
      const now = reading?.kind === 'found' ? reading.values : above.outputs;
      levels.push({ values: now, dependencies: above.dependencies, nesting: resourceType(input, above.type).nesting });
    }
  }
  return false;
}
