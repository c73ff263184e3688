import ts from 'typescript';
import type { PlantedBug } from './planted.js';

/** A function of the sources in which bugs are planted: its body, and what that is with each of them. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly isBlock: boolean;
  readonly bodies: Map<number, string>;
}

/** What goes round in them asks each time, so that one that never ends is told. */
const loops = /^ *(?:(?:for|while) \(.*\) )(?:try )?\{/gm;

/**
 * A source with bugs in it that can be turned on and off while it runs: each function has its body once more for each bug, and asks
 * by the bug's number, with those of all that are in the same outermost function: one of these hides another.
 */
export function switched(text: string, bugs: readonly (readonly [number: number, bug: PlantedBug])[]): string {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const places = new Map<string, Place>();
  for (const [number, { name, before, after }] of bugs) {
    const parts = text.split(before);
    if (parts.length !== 2) throw new Error(`${name}: its text stands there ${String(parts.length - 1)} times`);
    const wrong = parts.join(after);
    const [from, end] = difference(text, wrong);
    const body = bodyAround(source, from, text.length - end);
    const range = [body?.getStart() ?? 0, body?.getEnd() ?? text.length] as const;
    const place = places.get(range.join()) ?? {
      ...{ from: range[0], to: range[1], bodies: new Map<number, string>() },
      isBlock: body !== undefined && ts.isBlock(body),
    };
    if (body === undefined) throw new Error(`${name}: it stands in no function`);
    places.set(range.join(), place);
    const wrongBody = wrong.slice(place.from, wrong.length - (text.length - place.to));
    place.bodies.set(number, wrongBody.replace(loops, `$&__planted(${String(number)});`));
  }
  const sorted = [...places.values()].sort((one, other) => one.from - other.from || other.to - one.to);
  return written(text, sorted, 0, text.length);
}

/** Where two texts begin to differ, and how much of their ends is the same. */
function difference(one: string, other: string): readonly [from: number, end: number] {
  const most = Math.min(one.length, other.length);
  let from = 0;
  while (from < most && one[from] === other[from]) from += 1;
  let end = 0;
  while (end < most - from && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [from, end];
}

/** The body of the innermost function around a part of a source; undefined: what stands there is done when it is loaded. */
function bodyAround(source: ts.SourceFile, from: number, to: number): ts.Node | undefined {
  let found: ts.Node | undefined;
  const look = (node: ts.Node): void => {
    if (node.getStart() > from || node.getEnd() < to) return;
    const body = ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined;
    if (body !== undefined && body.getStart() <= from && body.getEnd() >= to) found = body;
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** A part of a text, with a choice in the place of each body in it; `rivals`: bugs of the outermost function around it. */
function written(text: string, places: readonly Place[], from: number, to: number, rivals?: readonly number[]): string {
  let out = '';
  let at = from;
  for (const place of places) {
    if (place.from < at || place.to > to) continue;
    out += text.slice(at, place.from);
    const inside = places.filter((each) => each !== place && each.from >= place.from && each.to <= place.to);
    const all = rivals ?? [place, ...inside].flatMap(({ bodies }) => [...bodies.keys()]);
    const usual = written(text, inside, place.from, place.to, all);
    const choices = [...place.bodies].map(([number, body]) => [`__planted(${[number, ...all].join()})`, body] as const);
    out += place.isBlock
      ? `{ ${choices.map(([isOn, body]) => `if (${isOn}) ${body} else `).join('')}${usual} }`
      : `(${choices.map(([isOn, body]) => `${isOn} ? (${body}) : `).join('')}(${usual}))`;
    at = place.to;
  }
  return out + text.slice(at, to);
}
