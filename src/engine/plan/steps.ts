import jsonpatch from 'fast-json-patch';
import type { Address } from '../model/address.js';
import { compareText } from '../model/address.js';
import { canonicalJson, sha256 } from '../model/canonical.js';
import type { FieldChange, Precondition, Step, Unmanaged } from '../model/plan.js';
import type { Json, JsonObject } from '../model/value.js';
import { normalForm } from './equality.js';
import type { Operation } from './operation.js';
import type { ExistingObject, Proposal } from './proposal.js';
import { risksOf, unmanagedUnder } from './risks.js';
import type { UnmanagedUnder } from './risks.js';
import { isSealed, planValue } from './seal.js';
import type { Fingerprint } from './seal.js';

/** The plan's steps, in the order of their last operation. */
export function buildSteps(
  proposals: ReadonlyMap<Address, Proposal>,
  operations: readonly Operation[],
  notManaged: readonly Unmanaged[],
  fingerprint: Fingerprint,
): readonly Step[] {
  const unmanaged = unmanagedUnder(notManaged);
  const addressOf = new Map(operations.map((operation) => [operation.id, operation.address]));
  const last = new Map<Address, number>();
  const dependencies = new Map<Address, Set<Address>>();
  for (const [index, operation] of operations.entries()) {
    last.set(operation.address, index);
    const needed = dependencies.get(operation.address) ?? new Set();
    for (const id of operation.dependsOn) needed.add(addressOf.get(id) ?? operation.address);
    dependencies.set(operation.address, needed);
  }
  return [...last]
    .sort(([, a], [, b]) => a - b)
    .flatMap(([address]) => {
      const proposal = proposals.get(address);
      if (proposal === undefined) return [];
      const dependsOn = [...(dependencies.get(address) ?? [])].filter((other) => other !== address).sort(compareText);
      return [buildStep(proposal, dependsOn, unmanaged, fingerprint)];
    });
}

function buildStep(
  proposal: Proposal,
  dependsOn: readonly Address[],
  unmanaged: UnmanagedUnder,
  fingerprint: Fingerprint,
): Step {
  const { address, type, action, order, cause, reasons, movedFrom } = proposal;
  if (action === 'none' || action === 'not-compared') throw new Error(`bug: ${address} has an operation but no action`);
  const fields =
    action === 'create' || proposal.decisions.length === 0
      ? declaredFields(proposal, fingerprint)
      : changedFields(proposal);
  const id = proposal.actual?.identity.id ?? (action === 'forget' ? proposal.recorded?.identity.id : undefined);
  return {
    address,
    type: type.token,
    action,
    ...(order === undefined ? {} : { order }),
    ...(cause === undefined ? {} : { cause }),
    ...(id === undefined ? {} : { id }),
    ...(movedFrom === undefined ? {} : { from: movedFrom }),
    fields,
    patch: patchOf(fields),
    reasons,
    risks: risksOf(proposal, fields, unmanaged),
    dependsOn,
    precondition: preconditionOf(proposal, fingerprint),
  };
}

function changedFields(proposal: Proposal): readonly FieldChange[] {
  return proposal.decisions.map((decision) => decision.change);
}

function declaredFields(proposal: Proposal, fingerprint: Fingerprint): readonly FieldChange[] {
  if (proposal.action !== 'create' && proposal.action !== 'replace') return [];
  return Object.values(proposal.type.fields).flatMap((rule): FieldChange[] => {
    const value = proposal.declared.get(rule.name);
    if (!rule.input || value === undefined || value === null) return [];
    return [
      { field: rule.name, rule: 'update', cause: proposal.cause ?? 'config', new: planValue(rule, value, fingerprint) },
    ];
  });
}

/** RFC 6902, from the old managed fields to the new ones. */
function patchOf(fields: readonly FieldChange[]): readonly JsonObject[] {
  const side = (pick: (change: FieldChange) => Json | undefined): JsonObject =>
    sortedKeys(
      Object.fromEntries(
        fields.flatMap((change) => (pick(change) === undefined ? [] : [[change.field, pick(change) as Json]])),
      ),
    );
  return jsonpatch.compare(
    side((change) => change.old),
    side((change) => (change.cannotClear === true ? change.old : change.new)),
  ) as unknown as readonly JsonObject[];
}

/** The patch library writes its operations in the order of the keys it meets. */
function sortedKeys(value: JsonObject): JsonObject {
  return JSON.parse(canonicalJson(value)) as JsonObject;
}

/** What must still hold when the step is carried out. */
export function preconditionOf(proposal: Proposal, fingerprint: Fingerprint): Precondition {
  if (proposal.actual === undefined) return { exists: false };
  return {
    exists: true,
    identity: proposal.actual.identity,
    digest: managedDigest(proposal, proposal.actual, fingerprint),
  };
}

/** Digest of the fields this tool answers for, as the platform shows them; write-only fields can't be read and don't count. */
export function managedDigest(proposal: Proposal, object: ExistingObject, fingerprint: Fingerprint): string {
  const managed: Record<string, Json> = {};
  for (const name of managedFields(proposal)) {
    const rule = proposal.type.fields[name];
    if (rule === undefined || rule.writeOnly) continue;
    const value = object.values[name];
    const secret =
      isSealed(proposal.recorded?.inputs[name]) ||
      proposal.decisions.some((d) => d.rule.name === name && isSealed(d.change.new));
    const form = isSealed(value) ? value : (normalForm(rule, value) ?? null);
    managed[name] = isSealed(form) ? form.$secret.fingerprint : secret ? fingerprint(form) : form;
  }
  return sha256(canonicalJson(managed));
}

function managedFields(proposal: Proposal): readonly string[] {
  return [...new Set([...proposal.declared.keys(), ...Object.keys(proposal.recorded?.inputs ?? {})])];
}
