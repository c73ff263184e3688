import type { FieldChange, Risk } from '../model/plan.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Json, JsonObject } from '../model/value.js';
import type { Proposal } from './proposal.js';

/** What a reviewer must see of a step: what ends, what goes along, what the public will see or miss. */
export function risksOf(proposal: Proposal, fields: readonly FieldChange[], snapshot: Snapshot): readonly Risk[] {
  const ends = proposal.action === 'delete' || proposal.action === 'replace';
  return [
    ...(proposal.action === 'delete' ? [{ kind: 'deletes' } as const] : []),
    ...(proposal.action === 'replace' ? [{ kind: 'replaces' } as const] : []),
    ...(ends ? losses(proposal, snapshot) : []),
    ...visibility(proposal, fields),
  ];
}

function losses(proposal: Proposal, snapshot: Snapshot): readonly Risk[] {
  const listed = proposal.type.losses.flatMap((field) => {
    const entries = proposal.actual?.values[field];
    return Array.isArray(entries) ? (entries as readonly Json[]).map((entry) => `${field}: ${nameOf(entry)}`) : [];
  });
  const unmanaged = snapshot.unmanaged
    .filter((found) => found.under === proposal.address && proposal.type.cascades.includes(found.type))
    .map((found) => `${found.count} unmanaged ${found.type.split(':').at(-1) ?? found.type}`);
  return [...listed.sort(), ...unmanaged].map((what) => ({ kind: 'cascades', what }));
}

function nameOf(entry: Json): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const record = entry as JsonObject;
  return String(
    record['displayName'] ??
      record['name'] ??
      record['portalName'] ??
      record['id'] ??
      record['portalId'] ??
      JSON.stringify(entry),
  );
}

/** A field that only says published or unpublished decides what the public sees. */
function visibility(proposal: Proposal, fields: readonly FieldChange[]): readonly Risk[] {
  const rules = Object.values(proposal.type.fields).filter(
    (rule) => rule.enum?.includes('published') && rule.enum.includes('unpublished'),
  );
  return rules.flatMap((rule): readonly Risk[] => {
    const before = proposal.actual?.values[rule.name];
    if (proposal.action === 'delete') return before === 'published' ? [{ kind: 'unpublishes' }] : [];
    const change = fields.find((field) => field.field === rule.name);
    if (change?.new === 'published' && before !== 'published') return [{ kind: 'publishes' }];
    return change?.new === 'unpublished' && before === 'published' ? [{ kind: 'unpublishes' }] : [];
  });
}
