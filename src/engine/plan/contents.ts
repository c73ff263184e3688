import type { Address } from '../model/address.js';
import type { RecordedResource } from '../model/state.js';
import type { RecordedElsewhere } from '../model/state-store.js';
import type { JsonObject } from '../model/value.js';
import type { Proposal, ProposalInput } from './proposal.js';

/** A recorded object that ends with what it lives in, although no step ends it. */
export interface GoingAlong {
  /** Its address in the catalogue, or else in state. */
  readonly address: Address;
  readonly record: RecordedResource;
  readonly proposal: Proposal | undefined;
  /** The nearest object above it that a step ends. */
  readonly home: Proposal;
  /** The other stack that manages it. */
  readonly owner?: Pick<RecordedElsewhere, 'project' | 'stack'>;
}

export type ContentsInput = Pick<ProposalInput, 'state' | 'snapshot' | 'types'>;

/** True for a step that ends an object: the old one of a replacement is as gone as any other. */
export function isEnd({ action }: Pick<Proposal, 'action'>): boolean {
  return action === 'delete' || action === 'replace';
}

/** Ids of what ends and of what that lives in: whatever lives in the one or the other has one of them in its scope. */
export function idsOfEnds(ends: Iterable<Proposal>): ReadonlySet<string> {
  return new Set(
    [...ends].filter(isEnd).flatMap(({ actual }) => {
      return actual === undefined ? [] : [actual.identity.id, ...Object.values(actual.identity.scope)];
    }),
  );
}

/**
 * What ends without a step of its own: every recorded object that lives, at whatever depth, in one that ends. `all` are the
 * proposals of the whole plan, `ends` those of it that are to be carried out and end an object, `elsewhere` what other
 * stacks have recorded.
 */
export function goingAlong(
  input: ContentsInput,
  ends: readonly Proposal[],
  all: Iterable<Proposal>,
  elsewhere: readonly RecordedElsewhere[] = [],
): readonly GoingAlong[] {
  if (ends.length === 0) return [];
  const ended = byId(
    ends.filter(({ actual }) => actual !== undefined),
    (each) => each.actual?.identity.id ?? '',
  );
  const records = byId(
    [...input.state.resources.values(), ...elsewhere.map(({ record }) => record)],
    ({ identity }) => identity.id,
  );
  const proposals = new Map<Address, Proposal>();
  for (const proposal of all) if (proposal.recorded !== undefined) proposals.set(proposal.recorded.address, proposal);
  const hasEnd = new Set(ends.flatMap(({ recorded }) => recorded?.address ?? []));
  const index = { ended, records, proposals };
  const own = [...input.state.resources.values()].flatMap((record): GoingAlong[] => {
    if (hasEnd.has(record.address) || input.snapshot.readings.get(record.address)?.kind === 'gone') return [];
    const home = endedHome(input, record, index);
    if (home === undefined) return [];
    const proposal = proposals.get(record.address);
    return [{ address: proposal?.address ?? record.address, record, proposal, home }];
  });
  const others = elsewhere.flatMap(({ project, stack, record }): GoingAlong[] => {
    const home = endedHome(input, record, index);
    const owner = { project, stack };
    return home === undefined ? [] : [{ address: record.address, record, proposal: undefined, home, owner }];
  });
  return [...own, ...others];
}

interface Index {
  readonly ended: ReadonlyMap<string, readonly Proposal[]>;
  readonly records: ReadonlyMap<string, readonly RecordedResource[]>;
  readonly proposals: ReadonlyMap<Address, Proposal>;
}

/** Levels are walked from the nearest up. */
function endedHome(input: ContentsInput, start: RecordedResource, index: Index): Proposal | undefined {
  const levels = [start];
  const seen = new Set(levels);
  for (const record of levels)
    for (const { type, id } of homesOf(input, record, index)) {
      const isHome = (token: string): boolean => type === undefined || type === token;
      const end = index.ended.get(id)?.find((each) => isHome(each.recorded?.type ?? each.type.token));
      if (end !== undefined) return end;
      for (const above of index.records.get(id) ?? []) {
        if (!isHome(above.type) || seen.has(above)) continue;
        seen.add(above);
        levels.push(above);
      }
    }
  return undefined;
}

interface Home {
  /** Undefined where the type does not say of what type its home is. */
  readonly type: string | undefined;
  readonly id: string;
}

/** What an object lives in: whatever its path names, and what it is nested in. What moves out of its home has left it in time. */
function homesOf(
  { state, types, snapshot }: ContentsInput,
  record: RecordedResource,
  { proposals }: Index,
): readonly Home[] {
  // Of another stack's nothing is known but its record, and maybe not even its type.
  const isOwn = state.resources.get(record.address) === record;
  const type = types.get(record.type);
  const proposal = isOwn ? proposals.get(record.address) : undefined;
  const reading = isOwn ? snapshot.readings.get(record.address) : undefined;
  const values: JsonObject = reading?.kind === 'found' ? reading.values : record.outputs;
  const leaves = (field: string): boolean =>
    proposal?.action === 'update' && proposal.decisions.some(({ rule }) => rule.name === field);
  const places = Object.entries(record.identity.scope).map(([field, id]) => ({
    field,
    id,
    type: field === type?.parent?.field ? type.parent.type : type?.fields[field]?.references,
  }));
  const nested = (type?.nesting ?? []).flatMap(({ under, field }) => {
    const id = values[field];
    return typeof id === 'string' ? [{ field, id, type: under }] : [];
  });
  return [...places, ...nested].filter(({ field }) => !leaves(field));
}

function byId<T>(all: Iterable<T>, idOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const id = idOf(one);
    const known = found.get(id);
    if (known === undefined) found.set(id, [one]);
    else known.push(one);
  }
  return found;
}
