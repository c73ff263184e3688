import type { JsonObject } from '../engine/model/value.js';
import type { FieldDefinition, FieldType } from '../providers/rest/definition.js';
import type { Description } from './description.js';
import { kindOf, merged } from './merge.js';
import { singular } from './words.js';

/** How answers show what a body takes. */
export type Shown =
  /** Under its own name, or not at all. */
  | { readonly as: 'is' }
  /** At this path: under another spelling of its name, or as the id of the object that it names. */
  | { readonly as: 'moved'; readonly path: string; readonly rows?: SpelledRows }
  /** A number that bodies take as a text, or the other way round. */
  | { readonly as: 'spelled'; readonly rows: SpelledRows }
  /** In a form of which no rule knows how to read it; the paths that may be meant. */
  | { readonly as: 'unread'; readonly kind: string; readonly paths: readonly string[] };

type SpelledRows = Pick<FieldDefinition, 'as'> & { readonly type: FieldType };

const scalars: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'number', 'boolean']);
const numbers: ReadonlySet<string | undefined> = new Set(['integer', 'number', 'integer-or-text', 'number-or-text']);

/** Where the answers of a type have a member that bodies take, by the names and kinds on both sides. */
export function shownOf(description: Description, wire: string, taken: JsonObject, answers: JsonObject): Shown {
  const same = Object.hasOwn(answers, wire) ? wire : spelledElse(description, wire, answers);
  if (same === undefined) return shownObject(description, wire, taken, answers) ?? { as: 'is' };
  const shown = merged(description, answers[same]);
  const [own, other] = [shapeOf(description, taken), shapeOf(description, shown)];
  const moved: Shown = same === wire ? { as: 'is' } : { as: 'moved', path: same };
  if (own.kind === undefined || other.kind === undefined) return moved;
  if (own.isList !== other.isList) return { as: 'unread', kind: saidOf(other), paths: [] };
  if (own.kind === other.kind || (numbers.has(own.kind) && numbers.has(other.kind))) return moved;
  if (scalars.has(own.kind) && other.kind === 'object') {
    const members = description.at(other.of['properties']);
    if (hasId(description, other.of)) return { as: 'moved', path: `${same}.id` };
    const texts = Object.keys(members).filter((name) => kindOf(merged(description, members[name])) === own.kind);
    return { as: 'unread', kind: saidOf(other), paths: texts.map((name) => `${same}.${name}`) };
  }
  const spelled = own.kind === 'string' ? other.kind : other.kind === 'string' ? own.kind : undefined;
  if (spelled !== undefined && numbers.has(spelled)) {
    const kind: FieldType = spelled.startsWith('integer') ? 'integer-or-text' : 'number-or-text';
    const how = same === wire ? ({ as: 'spelled' } as const) : ({ as: 'moved', path: same } as const);
    return {
      ...how,
      rows: { type: own.isList ? { list: kind } : kind, ...(own.kind === 'string' ? { as: 'text' as const } : {}) },
    };
  }
  return own.kind === 'string' || other.kind === 'string' || own.kind === 'object' || other.kind === 'object'
    ? { as: 'unread', kind: saidOf(other), paths: [] }
    : moved;
}

interface Shape {
  readonly kind: string | undefined;
  readonly isList: boolean;
  /** What it is, or what a list of it holds. */
  readonly of: JsonObject;
}

function shapeOf(description: Description, schema: JsonObject): Shape {
  if (kindOf(schema) !== 'array') return { kind: kindOf(schema), isList: false, of: schema };
  const items = merged(description, schema['items']);
  return { kind: kindOf(items), isList: true, of: items };
}

function saidOf({ kind, isList }: Shape): string {
  return isList
    ? `a list of ${kind ?? 'value'}s`
    : `${kind === 'object' || kind === 'integer' ? 'an' : 'a'} ${kind ?? 'value'}`;
}

/** `workflow_ids` and `workflowIds` are one member in two spellings. */
function spelledElse(description: Description, wire: string, answers: JsonObject): string | undefined {
  const name = description.nameOf(wire);
  return Object.keys(answers).find((each) => description.nameOf(each) === name);
}

/** `owner_id` of bodies is the id of what answers show as `owner`; `peer_ids` those of `peers`. */
function shownObject(
  description: Description,
  wire: string,
  taken: JsonObject,
  answers: JsonObject,
): Shown | undefined {
  const stem = /^(.+?)(?:_|-)?ids?$/i.exec(wire)?.[1];
  const own = shapeOf(description, taken);
  if (stem === undefined || !scalars.has(own.kind)) return undefined;
  const name = description.nameOf(stem);
  const found = Object.keys(answers).find((each) => {
    const called = description.nameOf(each);
    const shown = shapeOf(description, merged(description, answers[each]));
    const isSame = called === name || (own.isList && singular(called) === singular(name));
    return isSame && shown.isList === own.isList && hasId(description, shown.of);
  });
  return found === undefined ? undefined : { as: 'moved', path: `${found}.id` };
}

function hasId(description: Description, { properties }: JsonObject): boolean {
  return scalars.has(kindOf(merged(description, description.at(properties)['id'])));
}
