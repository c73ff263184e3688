import type { Address } from '../model/address.js';
import { compareText } from '../model/address.js';
import type { DesiredResource } from '../model/desired.js';
import type { ActionReason, Cause } from '../model/plan.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Reading } from '../model/snapshot.js';
import type { RecordedResource } from '../model/state.js';
import { hasUnknown, reveal } from '../model/value.js';
import type { Json, JsonObject, Value } from '../model/value.js';
import { evaluate } from '../resolve/evaluate.js';
import type { EvaluationScope } from '../resolve/evaluate.js';
import type { LookupCall } from '../resolve/lookup-call.js';
import { diffResource } from './diff.js';
import type { FieldDecision } from './diff.js';
import { matchRecords } from './match.js';
import type { Matching } from './match.js';
import { planScope } from './plan-scope.js';
import type { ExistingObject, NeededObject, Proposal, ProposalInput, Proposals } from './proposal.js';
import { fieldReasons } from './reasons.js';
import { replacementOrder } from './replacement.js';

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
  const type = typeOf(input, resource.type);
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
  if (recorded === undefined) return proposeWithoutRecord(input, base, neededObjects);
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

type Base = Pick<Proposal, 'address' | 'type' | 'declared' | 'undeclared' | 'movedFrom'> & {
  readonly desired: DesiredResource;
};

function proposeWithoutRecord(input: ProposalInput, base: Base, neededObjects: NeededObject[]): Proposal {
  const create: Proposal = {
    ...base,
    action: 'create',
    decisions: [],
    reasons: [{ kind: 'not-in-state' }],
    recordOnly: false,
  };
  const importId = input.imports.get(base.address) ?? base.desired.options.import;
  if (importId === undefined && input.mode !== 'adopt') return create;
  const reading = input.snapshot.found.get(base.address);
  if (reading === undefined) {
    const needed = neededObject(base, importId);
    if (needed !== undefined) neededObjects.push(needed);
    return create;
  }
  if (reading.kind === 'failed') return { ...create, action: 'not-compared', reasons: [] };
  if (reading.kind === 'gone') return create;
  const actual: ExistingObject = { identity: reading.identity, values: reading.values };
  const reasons: readonly ActionReason[] = [{ kind: 'import', id: reading.identity.id }];
  return compare(input, { ...base, actual }, new Map(), reasons, 'adopt');
}

/** Where to look for an object the state knows nothing of; undefined while its place or key is not known yet. */
function neededObject(base: Base, importId: string | undefined): NeededObject | undefined {
  const { type, address } = base;
  const fields = importId === undefined ? [...type.collection.scope, ...type.naturalKey] : [];
  const inputs: Record<string, Json> = {};
  for (const [name, value] of base.declared) {
    if (!hasUnknown(value)) inputs[name] = reveal(value);
    else if (fields.includes(name)) return undefined;
  }
  return { address, type, scope: scopeOf(type, inputs), inputs, ...(importId === undefined ? {} : { importId }) };
}

/** The ids that select an object's place on the platform, out of its declared fields. */
export function scopeOf(type: ResourceType, inputs: JsonObject): Readonly<Record<string, string>> {
  const fields =
    type.parent === undefined ? type.collection.scope : [...new Set([...type.collection.scope, type.parent.field])];
  return Object.fromEntries(fields.flatMap((name) => (typeof inputs[name] === 'string' ? [[name, inputs[name]]] : [])));
}

function compare(
  input: ProposalInput,
  base: Base & { readonly actual: ExistingObject; readonly recorded?: RecordedResource },
  done: ReadonlyMap<Address, Proposal>,
  reasons: readonly ActionReason[],
  whenSame: 'update' | 'adopt',
): Proposal {
  const { recorded, actual } = base;
  const diff = diffResource({
    address: base.address,
    type: base.type,
    declared: base.declared,
    inputs: recorded?.inputs ?? actual.values,
    outputs: recorded?.outputs ?? actual.values,
    actual: actual.values,
    options: base.desired.options,
    fingerprint: input.fingerprint,
  });
  const decisions = recorded === undefined ? adoptable(diff.decisions, base) : diff.decisions;
  const asked = input.replace.has(base.address);
  const replacing = recorded !== undefined && (asked || decisions.some((d) => d.change.rule === 'replace'));
  const changed = decisions.length > 0;
  const why = [
    ...fieldReasons(decisions, base.type, done),
    ...(asked ? [{ kind: 'requested' } as const] : []),
    ...reasons,
  ];
  const common = {
    ...base,
    decisions,
    undeclared: diff.undeclared,
    recordOnly: diff.converged || optionsDiffer(base.desired, recorded, input),
  };
  const cause = changed ? { cause: combinedCause(decisions) } : {};
  if (replacing)
    return { ...common, action: 'replace', order: replacementOrder(base, decisions), ...cause, reasons: why };
  if (whenSame === 'adopt') return { ...common, action: 'adopt', ...cause, reasons: why };
  if (changed) return { ...common, action: 'update', ...cause, reasons: why };
  return { ...common, action: base.movedFrom === undefined ? 'none' : 'move', reasons };
}

/**
 * What adopting changes at once: declared fields that can be updated. Fields the file is silent about are not ours
 * to clear; one that forces a replacement is left to the next plan, which shows it; one that can't be read counts as equal.
 */
function adoptable(decisions: readonly FieldDecision[], base: Pick<Proposal, 'declared'>): readonly FieldDecision[] {
  return decisions.filter(({ rule, change }) => base.declared.has(rule.name) && change.rule === 'update');
}

function optionsDiffer(
  desired: DesiredResource,
  recorded: RecordedResource | undefined,
  input: ProposalInput,
): boolean {
  if (recorded === undefined) return false;
  const dependencies = input.graph.get(desired.address) ?? [];
  return (
    recorded.protect !== desired.options.protect ||
    recorded.retainOnDelete !== desired.options.retainOnDelete ||
    recorded.dependencies.join('\n') !== dependencies.join('\n')
  );
}

function combinedCause(decisions: readonly FieldDecision[]): Cause {
  const causes = new Set(decisions.map((d) => d.change.cause));
  return causes.size === 1 ? ([...causes][0] as Cause) : 'both';
}

function proposeRemoval(input: ProposalInput, record: RecordedResource): Proposal {
  const type = typeOf(input, record.type);
  const base = {
    address: record.address,
    type,
    recorded: record,
    declared: new Map<string, Value>(),
    decisions: [],
    undeclared: [],
    recordOnly: false,
  };
  const reading: Reading | undefined = input.snapshot.readings.get(record.address);
  const reasons: readonly ActionReason[] = [{ kind: 'not-in-catalogue' }];
  // Adopting only takes in: what the catalogue lacks stays as it is.
  if (input.mode === 'adopt') return { ...base, action: 'none', reasons: [] };
  if (reading === undefined || reading.kind === 'failed') return { ...base, action: 'not-compared', reasons };
  if (reading.kind === 'gone') return { ...base, action: 'forget', reasons: [{ kind: 'gone' }, ...reasons] };
  const actual: ExistingObject = { identity: reading.identity, values: reading.values };
  return { ...base, actual, action: record.retainOnDelete ? 'forget' : 'delete', reasons };
}

/** Old objects of create-first replacements whose delete did not succeed: still to be deleted. */
function proposeDeposed(input: ProposalInput, record: RecordedResource): readonly Proposal[] {
  return record.deposed.map((old) => ({
    address: `${record.address}~${old.identity.id}`,
    type: typeOf(input, record.type),
    actual: { identity: old.identity, values: old.outputs },
    declared: new Map<string, Value>(),
    action: 'delete',
    decisions: [],
    reasons: [{ kind: 'deposed' }],
    undeclared: [],
    deposedOf: record.address,
    recordOnly: false,
  }));
}

function typeOf(input: ProposalInput, token: string): ResourceType {
  const type = input.types.get(token);
  if (type === undefined) throw new Error(`bug: no resource type ${token}`);
  return type;
}
