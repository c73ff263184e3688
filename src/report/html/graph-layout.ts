import { parentAddress, type Address } from '../../engine/model/address.js';
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

interface Graph {
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
  // Few are shown: what all the others need is only counted.
  const needs: Needs = (address) => neighbours(steps.get(address));
  const total = new Set(plan.steps.flatMap(touched)).size;
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
    [...needs(from.address)].flatMap((other) => {
      const to = nodes.get(other);
      return to === undefined ? [] : [[from, to] as const];
    }),
  );
  return { nodes: [...nodes.values()], edges, hidden: total - nodes.size };
}

type Needs = (address: Address) => ReadonlySet<Address>;

/** What a step waits for, refers to, or is nested in: one hop, changed or not. */
function neighbours(step: Step | undefined): ReadonlySet<Address> {
  const found = new Set(step === undefined ? [] : touched(step));
  if (step !== undefined) found.delete(step.address);
  return found;
}

/** A step's own address and those of its neighbours. */
function touched(step: Step): readonly Address[] {
  const found = [step.address, ...step.dependsOn];
  for (const { new: now } of step.fields) {
    for (const source of unknownFrom(now) ?? []) found.push(referencedAddress(source));
  }
  for (const reason of step.reasons) {
    if (reason.kind === 'parent-replaced' || reason.kind === 'reference-replaced') found.push(reason.path[0] ?? '');
  }
  found.push(parentAddress(step.address) ?? '');
  return found.filter((address) => address !== '');
}

/** What can hurt first, then the rest in the order of the plan; each with its neighbours as long as there is room. */
function choose(steps: readonly Step[], needs: Needs): ReadonlySet<Address> {
  const chosen = new Set<Address>();
  const ranked = [...steps.filter((step) => step.risks.length > 0), ...steps.filter((step) => step.risks.length === 0)];
  for (const { address } of ranked) {
    if (chosen.size >= maxNodes) break;
    chosen.add(address);
  }
  for (const { address } of ranked) {
    if (chosen.size >= maxNodes) break;
    if (!chosen.has(address)) continue;
    for (const other of needs(address)) if (chosen.size < maxNodes) chosen.add(other);
  }
  return chosen;
}

/** A node stands right of everything it needs. The plan's order can be carried out, so one pass is enough. */
function columnsOf(steps: readonly Step[], chosen: ReadonlySet<Address>, needs: Needs): ReadonlyMap<Address, number> {
  const changed = new Set(steps.map((step) => step.address));
  const columns = new Map<Address, number>();
  for (const address of chosen) if (!changed.has(address)) columns.set(address, 0);
  for (const { address } of steps) {
    if (!chosen.has(address)) continue;
    let column = 0;
    for (const other of needs(address)) column = Math.max(column, (columns.get(other) ?? -1) + 1);
    columns.set(address, Math.min(column, maxColumns - 1));
  }
  return columns;
}
