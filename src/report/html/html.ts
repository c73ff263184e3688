import { entities, visible, visibleLine } from '../words/escape.js';

/** A piece of a page. Only what is in this file makes one, so that no text gets onto a page as it is. */
export class Html {
  constructor(readonly source: string) {}
}

export type Part = Html | string | number | readonly Part[] | undefined;

/** Markup; texts in it become harmless and visible, pieces and lists of pieces stand as they are. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let source = texts[0] ?? '';
  for (let at = 0; at < parts.length; at += 1) source += sourceOf(parts[at]) + (texts[at + 1] ?? '');
  return new Html(source);
}

/** Parts one after the other, a text between them. */
export function joined(parts: readonly Part[], between = ''): Html {
  return new Html(parts.map(sourceOf).join(entities(between)));
}

/** Lines of a text: tabs stay tabs. */
export function lines(texts: readonly string[]): Html {
  return new Html(entities(texts.map(visibleLine).join('\n')));
}

/** For what this program holds itself: its style, its script. */
export function own(source: string): Html {
  return new Html(source);
}

// What most texts are made of: nothing in it is hidden, an order or markup.
const plain = /^[\w /.,()-]*$/;

function sourceOf(part: Part): string {
  if (typeof part === 'string') return plain.test(part) ? part : entities(visible(part));
  if (part === undefined) return '';
  if (part instanceof Html) return part.source;
  return typeof part === 'object' ? joined(part).source : String(part);
}
