import type { Address } from '@platform-sync/core/model/address';
import { entities, visible } from '../words/escape.js';
import { typeName } from '../words/value.js';

/** Resources and what each needs to be done before it. */
interface GraphView {
  readonly types: ReadonlyMap<Address, string>;
  /** Address → addresses it depends on. */
  readonly dependencies: ReadonlyMap<Address, readonly Address[]>;
}

/** Mermaid flowchart; an arrow points to what is needed first. */
export function mermaidGraph(view: GraphView): string {
  const ids = numbered(view);
  const lines = ['flowchart LR'];
  for (const [address, type] of view.types)
    lines.push(`  ${idOf(ids, address)}["${html(address)}<br>${html(typeName(type))}"]`);
  for (const [from, to] of edges(view)) lines.push(`  ${idOf(ids, from)} --> ${idOf(ids, to)}`);
  return `${lines.join('\n')}\n`;
}

/** Graphviz; an arrow points to what is needed first. */
export function dotGraph(view: GraphView): string {
  const quote = (text: string): string => JSON.stringify(visible(text));
  const lines = ['digraph catalogue {', '  rankdir=LR;', '  node [shape=box];'];
  for (const [address, type] of view.types) lines.push(`  ${quote(address)} [tooltip=${quote(typeName(type))}];`);
  for (const [from, to] of edges(view)) lines.push(`  ${quote(from)} -> ${quote(to)};`);
  return `${lines.join('\n')}\n}\n`;
}

function numbered(view: GraphView): ReadonlyMap<Address, number> {
  return new Map([...view.types.keys()].map((address, at) => [address, at]));
}

function idOf(ids: ReadonlyMap<Address, number>, address: Address): string {
  return `n${ids.get(address) ?? 'x'}`;
}

function edges(view: GraphView): readonly (readonly [Address, Address])[] {
  return [...view.dependencies].flatMap(([from, needs]) => needs.map((to) => [from, to] as const));
}

/** An apostrophe stays: Mermaid takes `#39;` for a code of its own. */
function html(text: string): string {
  return entities(visible(text)).replaceAll('&#39;', "'");
}
