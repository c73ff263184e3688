import { parentAddress } from '../../engine/model/address.js';
import type { Address } from '../../engine/model/address.js';
import { defined } from '../../engine/model/defined.js';
import type { Action, Plan, Step } from '../../engine/model/plan.js';
import { referencedAddress } from '../../engine/model/value.js';
import { unknownFrom } from '../words/value.js';

export interface GraphNode {
  readonly address: Address;
  /** Absent: not changed by this plan, shown because a change touches it. */
  readonly action?: Action;
  readonly column: number;
  readonly row: number;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  /** From a node to what it needs first. */
  readonly edges: readonly (readonly [GraphNode, GraphNode])[];
  /** Nodes there was no room for. */
  readonly hidden: number;
}

// More is a picture nobody reads.
const maxNodes = 60;
const maxColumns = 8;

/** The changed resources and what they touch directly, in columns: what is needed first stands to the left. */
export function graphOf(plan: Plan): Graph {
  const steps = new Map(plan.steps.map((step) => [step.address, step]));
  const needs = new Map(plan.steps.map((step) => [step.address, neighbours(step)]));
  const total = new Set([...steps.keys(), ...[...needs.values()].flatMap((list) => [...list])]).size;
  const chosen = choose(plan.steps, needs);
  const columns = columnsOf(plan.steps, chosen, needs);
  const nodes = new Map<Address, GraphNode>();
  const filled: number[] = [];
  for (const address of [...columns.keys()]) {
    const column = columns.get(address) ?? 0;
    const row = filled[column] ?? 0;
    filled[column] = row + 1;
    const action = steps.get(address)?.action;
    nodes.set(address, { address, ...defined({ action }), column, row });
  }
  const edges = [...nodes.values()].flatMap((from) =>
    [...(needs.get(from.address) ?? [])].flatMap((other) => {
      const to = nodes.get(other);
      return to === undefined ? [] : [[from, to] as const];
    }),
  );
  return { nodes: [...nodes.values()], edges, hidden: total - nodes.size };
}

/** What a step waits for, refers to, or is nested in: one hop, changed or not. */
function neighbours(step: Step): ReadonlySet<Address> {
  const found = new Set<Address>(step.dependsOn);
  for (const { new: now } of step.fields) {
    for (const source of unknownFrom(now) ?? []) found.add(referencedAddress(source));
  }
  for (const reason of step.reasons) {
    if (reason.kind === 'parent-replaced' || reason.kind === 'reference-replaced') found.add(reason.path[0] ?? '');
  }
  found.add(parentAddress(step.address) ?? '');
  found.delete(step.address);
  found.delete('');
  return found;
}

/** What can hurt first, then the rest in the order of the plan; each with its neighbours as long as there is room. */
function choose(steps: readonly Step[], needs: ReadonlyMap<Address, ReadonlySet<Address>>): ReadonlySet<Address> {
  const chosen = new Set<Address>();
  const ranked = [...steps.filter((step) => step.risks.length > 0), ...steps.filter((step) => step.risks.length === 0)];
  for (const { address } of ranked) {
    if (chosen.size >= maxNodes) break;
    chosen.add(address);
  }
  for (const { address } of ranked) {
    if (chosen.size >= maxNodes) break;
    if (!chosen.has(address)) continue;
    for (const other of needs.get(address) ?? []) if (chosen.size < maxNodes) chosen.add(other);
  }
  return chosen;
}

/** A node stands right of everything it needs. The plan's order can be carried out, so one pass is enough. */
function columnsOf(
  steps: readonly Step[],
  chosen: ReadonlySet<Address>,
  needs: ReadonlyMap<Address, ReadonlySet<Address>>,
): ReadonlyMap<Address, number> {
  const changed = new Set(steps.map((step) => step.address));
  const columns = new Map<Address, number>();
  for (const address of chosen) if (!changed.has(address)) columns.set(address, 0);
  for (const { address } of steps) {
    if (!chosen.has(address)) continue;
    let column = 0;
    for (const other of needs.get(address) ?? []) column = Math.max(column, (columns.get(other) ?? -1) + 1);
    columns.set(address, Math.min(column, maxColumns - 1));
  }
  return columns;
}
