import type { Address } from '../../engine/model/address.js';
import type { Plan } from '../../engine/model/plan.js';
import { visible } from '../words/escape.js';
import { count } from '../words/plural.js';
import { markup, type Html, type Part } from './html.js';
import { graphOf, type GraphNode } from './graph-layout.js';
import { section } from './sections.js';

// Sizes in pixels.
const box = { width: 200, height: 30, gapX: 60, gapY: 12, margin: 8 };
const shownCharacters = 26;

/** A bounded picture of what is changed and what that touches; says how much is not in it. */
export function graphHtml(plan: Plan, anchors: ReadonlyMap<Address, string>): Part {
  const { nodes, edges, hidden } = graphOf(plan);
  if (edges.length === 0) return '';
  const width = Math.max(...nodes.map((node) => x(node))) + box.width + box.margin;
  const height = Math.max(...nodes.map((node) => y(node))) + box.height + box.margin;
  const lines = edges.map(([from, to]) => markup`<path d="${curve(from, to)}"/>`);
  const boxes = nodes.map((node) => nodeSvg(node, anchors));
  const caption = markup`What is needed first stands to the left. ${count(nodes.length, 'resource')} shown, <span id="ui:hidden">${hidden} hidden</span>.`;
  const body = markup`<figure><figcaption>${caption}</figcaption><div class="scroll" tabindex="0" role="region" aria-label="Graph of the changes"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><g class="edges" aria-hidden="true">${lines}</g>${boxes}</svg></div></figure>`;
  return section(
    'graph',
    'Graph',
    markup`<details open><summary>Changed resources and what they touch</summary>${body}</details>`,
  );
}

function x(node: GraphNode): number {
  return box.margin + node.column * (box.width + box.gapX);
}

function y(node: GraphNode): number {
  return box.margin + node.row * (box.height + box.gapY);
}

/** From the left side of a node to the right side of what it needs. */
function curve(from: GraphNode, to: GraphNode): string {
  const startX = x(from);
  const startY = y(from) + box.height / 2;
  const endX = x(to) + box.width;
  const endY = y(to) + box.height / 2;
  const bend = box.gapX / 2;
  return `M${startX} ${startY}C${startX - bend} ${startY} ${endX + bend} ${endY} ${endX} ${endY}`;
}

function nodeSvg(node: GraphNode, anchors: ReadonlyMap<Address, string>): Html {
  const name = node.action === undefined ? 'same' : `a-${node.action}`;
  const verb = node.action ?? 'unchanged';
  const label = markup`<title>${node.address} (${verb})</title><rect class="${name}" x="${x(node)}" y="${y(node)}" width="${box.width}" height="${box.height}" rx="4"/><text x="${x(node) + 10}" y="${y(node) + 20}">${shorter(visible(node.address))}</text>`;
  const anchor = anchors.get(node.address);
  return anchor === undefined ? markup`<g>${label}</g>` : markup`<a href="#${anchor}">${label}</a>`;
}

/** The end of an address tells more than its beginning. */
function shorter(name: string): string {
  return name.length <= shownCharacters ? name : `…${name.slice(1 - shownCharacters)}`;
}
