import type { Address } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import { hasUnknown, reveal } from '../model/value.js';
import type { Json } from '../model/value.js';
import { topologicalOrder } from '../resolve/graph.js';
import { normalForm } from './equality.js';
import type { Proposal } from './proposal.js';

/**
 * One call (or one record to write). A step is one operation, except a replacement: that is a `create` and the
 * delete of the old object (`delete` when it goes first, `delete-old` when it goes last).
 */
export type OperationKind = 'create' | 'update' | 'delete' | 'delete-old' | 'adopt' | 'record';

export interface Operation {
  /** `petstore/guide create`; unique. */
  readonly id: string;
  readonly address: Address;
  readonly kind: OperationKind;
  /** Ids of operations that must be done before. Sorted. */
  readonly dependsOn: readonly string[];
}

export interface OperationGraph {
  /** In an order that could be carried out one by one. */
  readonly operations: readonly Operation[];
  /** Addresses whose exchange of natural keys has no order: the platform may refuse the first of them. */
  readonly knots: readonly Address[];
}

/** Turns proposals into operations and orders them. */
export function orderOperations(
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): OperationGraph {
  const edges = new Map<string, Set<string>>();
  const kinds = new Map<string, { address: Address; kind: OperationKind }>();
  for (const proposal of proposals.values()) {
    for (const kind of kindsOf(proposal)) {
      const id = operationId(proposal.address, kind);
      edges.set(id, new Set());
      kinds.set(id, { address: proposal.address, kind });
    }
  }
  const link = (later: string, earlier: string): void => {
    if (later !== earlier && edges.has(earlier)) edges.get(later)?.add(earlier);
  };
  for (const proposal of proposals.values()) {
    linkReplacement(proposal, link);
    linkDesired(proposal, graph, proposals, link);
    linkDeletes(proposal, proposals, link);
  }
  const plain = copyOf(edges);
  linkUnique(proposals, link);
  const ordered = topologicalOrder(asGraph(edges));
  // Two objects that exchange their keys wait for each other; then the keys' order is given up, nothing else.
  const isKnotted = ordered.length < edges.size;
  const final = isKnotted ? plain : edges;
  const order = isKnotted ? topologicalOrder(asGraph(plain)) : ordered;
  const done = new Set(ordered);
  const knots = [...new Set([...edges.keys()].filter((id) => !done.has(id)).map((id) => kinds.get(id)?.address ?? id))];
  const operations = order.flatMap((id) => {
    const known = kinds.get(id);
    return known === undefined ? [] : [{ id, ...known, dependsOn: [...(final.get(id) ?? [])].sort() }];
  });
  return { operations, knots: isKnotted ? knots.sort() : [] };
}

export function operationId(address: Address, kind: OperationKind): string {
  return `${address} ${kind}`;
}

function kindsOf(proposal: Proposal): readonly OperationKind[] {
  switch (proposal.action) {
    case 'create':
    case 'update':
    case 'delete':
    case 'adopt':
      return [proposal.action];
    case 'replace':
      return proposal.order === 'create-first' ? ['create', 'delete-old'] : ['delete', 'create'];
    case 'forget':
    case 'move':
      return ['record'];
    case 'none':
    case 'not-compared':
      return [];
  }
}

type Link = (later: string, earlier: string) => void;

const settling: readonly OperationKind[] = ['create', 'update', 'adopt', 'record'];

function linkReplacement(proposal: Proposal, link: Link): void {
  if (proposal.action !== 'replace') return;
  if (proposal.order === 'create-first')
    link(operationId(proposal.address, 'delete-old'), operationId(proposal.address, 'create'));
  else link(operationId(proposal.address, 'create'), operationId(proposal.address, 'delete'));
}

/** What a resource needs is settled before it; an old object goes only after all that pointed at it moved on. */
function linkDesired(
  proposal: Proposal,
  graph: ReadonlyMap<Address, readonly Address[]>,
  proposals: ReadonlyMap<Address, Proposal>,
  link: Link,
): void {
  if (proposal.desired === undefined) return;
  for (const needed of graph.get(proposal.address) ?? []) {
    for (const own of settling) {
      for (const other of settling) link(operationId(proposal.address, own), operationId(needed, other));
      if (proposals.get(needed)?.order === 'create-first')
        link(operationId(needed, 'delete-old'), operationId(proposal.address, own));
    }
  }
}

/** Objects are deleted after everything that was recorded as depending on them is deleted or points elsewhere. */
function linkDeletes(proposal: Proposal, proposals: ReadonlyMap<Address, Proposal>, link: Link): void {
  for (const needed of proposal.recorded?.dependencies ?? []) {
    for (const last of ['delete', 'delete-old'] as const) {
      link(operationId(needed, last), operationId(proposal.address, 'delete'));
      link(operationId(needed, last), operationId(proposal.address, 'delete-old'));
    }
    if (proposals.get(needed)?.action === 'delete')
      link(operationId(needed, 'delete'), operationId(proposal.address, 'update'));
  }
}

/** Who takes a unique key waits until its holder has given it up. */
function linkUnique(proposals: ReadonlyMap<Address, Proposal>, link: Link): void {
  const holders = new Map<string, { address: Address; kind: OperationKind }>();
  for (const proposal of proposals.values()) {
    const kind = proposal.action === 'update' ? 'update' : proposal.order === 'create-first' ? 'delete-old' : 'delete';
    if (!['update', 'delete', 'replace'].includes(proposal.action)) continue;
    for (const key of heldKeys(proposal)) holders.set(key, { address: proposal.address, kind });
  }
  for (const proposal of proposals.values()) {
    if (!['create', 'update', 'replace'].includes(proposal.action)) continue;
    const kind = proposal.action === 'update' ? 'update' : 'create';
    const held = new Set(heldKeys(proposal));
    for (const key of wantedKeys(proposal)) {
      const holder = holders.get(key);
      if (holder === undefined || holder.address === proposal.address || held.has(key)) continue;
      link(operationId(proposal.address, kind), operationId(holder.address, holder.kind));
    }
  }
}

function heldKeys(proposal: Proposal): readonly string[] {
  const actual = proposal.actual;
  if (actual === undefined) return [];
  return uniqueKeys(proposal, (field) => actual.values[field] ?? null);
}

function wantedKeys(proposal: Proposal): readonly string[] {
  return uniqueKeys(proposal, (field) => {
    const value = proposal.declared.get(field);
    if (value !== undefined) return hasUnknown(value) ? undefined : reveal(value);
    const cleared = proposal.decisions.some((d) => d.rule.name === field);
    return proposal.action === 'update' && !cleared ? (proposal.actual?.values[field] ?? null) : null;
  });
}

function uniqueKeys(proposal: Proposal, valueOf: (field: string) => Json | undefined): readonly string[] {
  const groups = [...proposal.type.unique, ...(proposal.type.naturalKey.length > 0 ? [proposal.type.naturalKey] : [])];
  return groups.flatMap((group) => {
    const parts: Json[] = [];
    for (const field of group) {
      const rule = proposal.type.fields[field];
      const value = valueOf(field);
      if (value === undefined || rule === undefined) return [];
      parts.push(normalForm(rule, value) ?? null);
    }
    // A key whose every part is absent (an implementation without a service) holds nothing.
    return parts.every((part) => part === null)
      ? []
      : [`${proposal.type.token} ${group.join()} ${canonicalJson(parts)}`];
  });
}

function copyOf(edges: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  return new Map([...edges].map(([id, needed]) => [id, new Set(needed)]));
}

function asGraph(edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  return new Map([...edges].map(([id, needed]) => [id, [...needed]]));
}
