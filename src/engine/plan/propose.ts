import type { Address } from '../model/address.js';
import { compareText } from '../model/address.js';
import type { DesiredResource } from '../model/desired.js';
import type { ActionReason } from '../model/plan.js';
import { hasUnknown, reveal } from '../model/value.js';
import type { Json, Value } from '../model/value.js';
import { evaluate } from '../resolve/evaluate.js';
import type { EvaluationScope } from '../resolve/evaluate.js';
import type { LookupCall } from '../resolve/lookup-call.js';
import { compare } from './compare.js';
import { matchRecords } from './match.js';
import type { Matching } from './match.js';
import { planScope } from './plan-scope.js';
import { isHeldBack } from './held-back.js';
import { scopeOf } from './object-scope.js';
import { proposeDeposed, proposeRemoval } from './propose-removal.js';
import { resourceType } from './proposal.js';
import type { ExistingObject, NeededObject, Proposal, ProposalBase, ProposalInput, Proposals } from './proposal.js';

/** Decides, resource by resource in dependency order, what has to happen. */
export function propose(input: ProposalInput): Proposals {
  const desired = input.mode === 'destroy' ? new Map<Address, DesiredResource>() : input.desired.resources;
  const matching = matchRecords(desired, input.state.resources);
  const byAddress = new Map<Address, Proposal>();
  const usedLookups = new Map<string, LookupCall>();
  const neededObjects: NeededObject[] = [];
  const scope = planScope(input.desired, byAddress, input.lookups, usedLookups);
  for (const address of input.order) {
    const resource = desired.get(address);
    if (resource === undefined) continue;
    byAddress.set(address, proposeDesired(input, resource, matching, scope, byAddress, neededObjects));
  }
  const leftOver = [...matching.leftOver.values()].sort((a, b) => compareText(a.address, b.address));
  const removals = leftOver.map((record) => proposeRemoval(input, record));
  for (const proposal of removals) byAddress.set(proposal.address, proposal);
  for (const proposal of [...input.state.resources.values()].flatMap((record) => proposeDeposed(input, record))) {
    byAddress.set(proposal.address, proposal);
  }
  const outputs = new Map<string, Value>();
  if (input.mode !== 'destroy') {
    for (const [name, expression] of [...input.desired.outputs].sort(([a], [b]) => compareText(a, b))) {
      outputs.set(name, evaluate(expression, scope));
    }
  }
  return {
    all: [...byAddress.values()],
    byAddress,
    outputs,
    neededLookups: [...usedLookups].flatMap(([key, call]) => (input.lookups.has(key) ? [] : [{ key, call }])),
    usedLookups,
    neededObjects,
    notices: [],
  };
}

function proposeDesired(
  input: ProposalInput,
  resource: DesiredResource,
  matching: Matching,
  scope: EvaluationScope,
  done: ReadonlyMap<Address, Proposal>,
  neededObjects: NeededObject[],
): Proposal {
  const type = resourceType(input, resource.type);
  const declared = new Map<string, Value>();
  for (const [name, expression] of resource.properties) declared.set(name, evaluate(expression, scope));
  const recorded = matching.recordOf.get(resource.address);
  const movedFrom = matching.movedFrom.get(resource.address);
  const base = {
    address: resource.address,
    type,
    desired: resource,
    declared,
    undeclared: [],
    ...(movedFrom === undefined ? {} : { movedFrom }),
  };
  if (recorded === undefined) {
    const isHeld = isHeldBack(input.snapshot, type, declared, input.graph.get(resource.address) ?? [], done);
    return proposeWithoutRecord(input, base, neededObjects, isHeld);
  }
  const reading = input.snapshot.readings.get(recorded.address);
  const moved: readonly ActionReason[] = movedFrom === undefined ? [] : [{ kind: 'alias', from: movedFrom }];
  if (reading === undefined || reading.kind === 'failed') {
    return {
      ...base,
      recorded,
      action: movedFrom === undefined ? 'not-compared' : 'move',
      decisions: [],
      reasons: moved,
      recordOnly: false,
    };
  }
  if (reading.kind === 'gone') {
    return {
      ...base,
      recorded,
      action: 'create',
      cause: 'drift',
      decisions: [],
      reasons: [{ kind: 'gone' }, ...moved],
      recordOnly: false,
    };
  }
  const actual: ExistingObject = { identity: reading.identity, values: reading.values };
  if (recorded.type !== type.token) {
    const reasons: readonly ActionReason[] = [{ kind: 'type-changed', from: recorded.type }, ...moved];
    return {
      ...base,
      recorded,
      actual,
      action: 'replace',
      order: 'delete-first',
      cause: 'config',
      decisions: [],
      reasons,
      recordOnly: false,
    };
  }
  return compare(input, { ...base, actual, recorded }, done, moved, 'update');
}

function proposeWithoutRecord(
  input: ProposalInput,
  base: ProposalBase,
  neededObjects: NeededObject[],
  isHeld: boolean,
): Proposal {
  const create: Proposal = {
    ...base,
    action: 'create',
    decisions: [],
    reasons: [{ kind: 'not-in-state' }],
    recordOnly: false,
  };
  const importId = input.imports.get(base.address) ?? base.desired.options.import;
  const unmade: Proposal = isHeld ? { ...create, action: 'not-compared', reasons: [] } : create;
  if (importId === undefined && input.mode !== 'adopt') return unmade;
  const reading = input.snapshot.found.get(base.address);
  if (reading === undefined) {
    const needed = neededObject(base, importId);
    if (needed !== undefined) neededObjects.push(needed);
    return unmade;
  }
  if (reading.kind === 'failed') return { ...create, action: 'not-compared', reasons: [] };
  if (reading.kind === 'gone') return unmade;
  const actual: ExistingObject = { identity: reading.identity, values: reading.values };
  const reasons: readonly ActionReason[] = [{ kind: 'import', id: reading.identity.id }];
  return compare(input, { ...base, actual }, new Map(), reasons, 'adopt');
}

/** Where to look for an object the state knows nothing of; undefined while its place or key is not known yet. */
function neededObject(base: ProposalBase, importId: string | undefined): NeededObject | undefined {
  const { type, address } = base;
  const fields = importId === undefined ? [...type.collection.scope, ...type.naturalKey] : [];
  const inputs: Record<string, Json> = {};
  for (const [name, value] of base.declared) {
    if (!hasUnknown(value)) inputs[name] = reveal(value);
    else if (fields.includes(name)) return undefined;
  }
  return { address, type, scope: scopeOf(type, inputs), inputs, ...(importId === undefined ? {} : { importId }) };
}
