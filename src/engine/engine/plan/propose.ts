import { type Address, compareText } from '@platform-sync/core/model/address';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Value } from '@platform-sync/core/model/value';
import { evaluate } from '@platform-sync/core/resolve/evaluate';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import { Homes } from './contents.js';
import { handedOutputs } from './handed-outputs.js';
import type { PlanningState } from './planning-state.js';
import { Matching, parseImportId } from './matching.js';
import { KeyIndex } from './keys.js';
import { Marks, Ownership } from './ownership.js';
import { planScope } from './selection.js';
import { proposeDeposed, proposeRemoval } from './removal.js';
import { proposeNew, proposeRecorded } from './resource.js';
import { resourceType, undecided, type Step, type ProposalInput, type Proposals } from './step.js';
import { holdBack } from './outside-keys.js';

interface Planning extends PlanningState {
  /** Grows with each value that rests on one. */
  readonly usedLookups: Map<string, LookupCall>;
}

/** Decides, resource by resource in dependency order, what has to happen. */
export function propose(input: ProposalInput): Proposals {
  const desired = input.mode === 'destroy' ? new Map<Address, DesiredResource>() : input.desired.resources;
  const planning = beginning(input, desired);
  const { done, usedLookups } = planning;
  for (const address of input.order) {
    const resource = desired.get(address);
    if (resource !== undefined) done.set(address, proposeDesired(planning, resource));
  }
  for (const step of [...removals(planning), ...deposedEnds(input)]) done.set(step.address, step);
  holdBack(planning);
  return {
    byAddress: done,
    outputs: outputsOf(planning),
    neededLookups: [...usedLookups].flatMap(([key, call]) => (input.lookups.has(key) ? [] : [{ key, call }])),
    usedLookups,
    neededObjects: planning.neededObjects,
    neededOwners: planning.neededOwners,
    problems: planning.problems,
    ownership: planning.ownership,
    movedTo: planning.matching.movedTo,
  };
}

function beginning(input: ProposalInput, desired: ReadonlyMap<Address, DesiredResource>): Planning {
  const ownership = new Ownership(input.state.resources.values(), (address) => desired.has(address));
  const matching = matchingOf(input, desired, ownership);
  const done = new Map<Address, Step>();
  const usedLookups = new Map<string, LookupCall>();
  return {
    input,
    matching,
    ownership,
    keys: new KeyIndex(input),
    marks: new Marks(input.state, desired.values(), matching, input.handedOver),
    scope: planScope(input.desired, done, input.lookups, usedLookups, input.seals),
    done,
    usedLookups,
    neededObjects: [],
    sought: new Set(),
    neededOwners: [],
    problems: [],
  };
}

function matchingOf(
  input: ProposalInput,
  desired: ReadonlyMap<Address, DesiredResource>,
  ownership: Ownership,
): Matching {
  const { looksForKeys, snapshot, state } = input;
  // What is to be deleted still hangs on the record.
  const isOver = ({ address, deposed }: RecordedResource): boolean =>
    looksForKeys && deposed.length === 0 && snapshot.readings.get(address)?.kind === 'gone';
  const homes = new Homes(input);
  const matching = new Matching(desired, state.resources, isOver, (record, above) => homes.livesIn(record, above));
  matching.matchSaid((address) => importedFrom({ input, ownership }, address));
  return matching;
}

/** What no resource is left for. */
function removals({ input, matching, ownership }: PlanningState): readonly Step[] {
  return [...matching.leftOver()]
    .sort((a, b) => compareText(a.address, b.address))
    .map((record) => proposeRemoval(input, record, ownership));
}

function deposedEnds(input: ProposalInput): readonly Step[] {
  return [...input.state.resources.values()].flatMap((record) => proposeDeposed(input, record));
}

function proposeDesired(planning: PlanningState, resource: DesiredResource): Step {
  const { input, matching } = planning;
  const type = resourceType(input, resource.type);
  const declared = new Map<string, Value>();
  for (const [name, expression] of resource.properties) declared.set(name, evaluate(expression, planning.scope));
  const base = { ...undecided({ address: resource.address, type, declared }), desired: resource };
  const match = matching.of(resource.address);
  return match === undefined ? proposeNew(planning, base) : proposeRecorded(planning, base, match);
}

/** The address that has the object a resource without a record imports, where state knows it. */
function importedFrom(
  { input, ownership }: Pick<PlanningState, 'input' | 'ownership'>,
  address: Address,
): { readonly from: Address; readonly id: string } | undefined {
  const resource = input.desired.resources.get(address);
  const id = input.imports.get(address) ?? resource?.options.import;
  if (resource === undefined || id === undefined) return undefined;
  const parsed = parseImportId(resourceType(input, resource.type), id);
  const from = 'identity' in parsed ? ownership.ownerOf(resource.type, parsed.identity) : undefined;
  return from === undefined ? undefined : { from, id };
}

function outputsOf({ input, scope }: PlanningState): ReadonlyMap<string, Value> {
  const outputs = new Map<string, Value>();
  if (input.mode === 'destroy') return outputs;
  const handed = new Set(handedOutputs(input.desired, input.types).map(({ name }) => name));
  for (const [name, expression] of [...input.desired.outputs].sort(([a], [b]) => compareText(a, b)))
    if (!handed.has(name)) outputs.set(name, evaluate(expression, scope));
  return outputs;
}
