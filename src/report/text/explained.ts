import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { Place } from '@platform-sync/core/model/diagnostic';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { visible } from '../words/escape.js';
import { limits } from '../words/limits.js';
import { inline, isRecord, typeName } from '../words/value.js';
import { inputNotes, kindOfField } from './schema.js';
import { kindOf, memberRows, membersOf } from './schema-members.js';
import type { Style } from './style.js';
import { table } from './table.js';

/** A code with what it means. */
interface ExplainedCode {
  readonly code: string;
  readonly title: string;
  readonly explanation: string;
  readonly heading: string;
}

/** What a code means, what to do, and where that stands. */
export function explainedCode({ code, title, explanation, heading }: ExplainedCode, style: Style): string {
  const commands = new Set([...explanation.matchAll(/`(sync [^`]+)`/g)].map(([, command = '']) => command));
  const typed = [...commands].map((command) => `  ${style.typed(command)}\n`).join('');
  return `${style.bold(code)}  ${title}\n\n${filled(explanation)}\n${typed}\n${style.dim(`${heading}: docs/errors.md#${code}`)}\n`;
}

/** A field, or what is inside one. */
interface ExplainedField {
  readonly kind: string;
  readonly description: string;
  readonly notes: readonly string[];
  readonly schema: JsonObject;
  readonly secretMembers: readonly string[];
}

/** What a type says at `path` (`labels`, `config.minute`); undefined where it has nothing there. */
export function fieldAt(type: ResourceType, path: string): ExplainedField | undefined {
  const [name = '', ...inside] = path.split('.');
  const rule = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  if (rule === undefined) return undefined;
  return inside.length === 0 ? wholeField(rule) : memberAt(rule, inside);
}

function wholeField(rule: FieldRule): ExplainedField {
  const { description, schema, secretMembers = [] } = rule;
  const notes = rule.input ? inputNotes(rule) : ['set by the platform'];
  return { kind: kindOfField(rule), description, notes, schema, secretMembers };
}

function memberAt({ schema, secretMembers = [] }: FieldRule, inside: readonly string[]): ExplainedField | undefined {
  let member: JsonObject | undefined = schema;
  for (const name of inside) {
    const below: ReadonlyMap<string, JsonObject> = membersOf(itemsOf(member));
    member = below.get(name);
    if (member === undefined) return undefined;
  }
  const start = `${inside.join('.')}.`;
  const isSecret = secretMembers.includes(inside.join('.'));
  return {
    kind: kindOf(member),
    description: String(member['description'] ?? ''),
    notes: [...limits(member), ...(isSecret ? ['secret'] : [])],
    schema: member,
    secretMembers: secretMembers.flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : [])),
  };
}

function itemsOf(schema: JsonObject): JsonObject {
  return isRecord(schema['items']) ? schema['items'] : schema;
}

/** One field, told whole. */
export function explainedField(type: ResourceType, path: string, field: ExplainedField, style: Style): string {
  const rows = memberRows(field.schema, field.secretMembers);
  return [
    `${style.bold(`${type.shortToken}.${path}`)}  ${field.kind}\n`,
    ...(field.description === '' ? [] : [`${filled(field.description)}\n`]),
    ...(field.notes.length === 0 ? [] : [field.notes.map((note) => `- ${note}\n`).join('')]),
    ...(rows.length === 0 ? [] : [`${style.bold('Its members')}\n${table(rows)}`]),
    `The whole type:\n  sync schema ${type.shortToken}\n`,
  ].join('\n');
}

/** A resource of the catalogue, and what depends on what. */
interface ResourceInGraph {
  readonly resource: DesiredResource;
  readonly place: Place;
  readonly needs: readonly string[];
  readonly neededBy: readonly string[];
}

/** Where a resource stands, what it needs, who needs it, and what to ask next. */
export function explainedResource({ resource, place, needs, neededBy }: ResourceInGraph, style: Style): string {
  const { address, options } = resource;
  const set = Object.entries(options).filter(
    ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
  );
  const all = (addresses: readonly string[]): string => addresses.map(visible).join(', ') || 'nothing';
  return [
    `${style.bold(visible(address))}  ${typeName(resource.type)}\n`,
    table([
      ['  Stands at', `${visible(place.file)}:${place.line}:${place.column}`],
      ['  Declares', [...resource.properties.keys()].map(visible).join(', ') || 'nothing'],
      ...(set.length === 0 ? [] : [['  Options', set.map(([name]) => name).join(', ')]]),
      ['  Needs', all(needs)],
      ['  Needed by', all(neededBy)],
    ]),
    table([
      ['  What would be done', `sync plan --target ${visible(address)}`],
      ['  What is recorded', `sync state show ${visible(address)}`],
      ['  Its type', `sync schema ${typeName(resource.type)}`],
    ]),
  ].join('\n');
}

/** An expression with its value, and the parts that it is made from. */
interface EvaluatedExpression {
  readonly value: Json;
  readonly parts: readonly {
    readonly text: string;
    readonly from: keyof typeof sources;
    readonly place?: string;
    readonly value: Json;
    readonly depth: number;
  }[];
}

const sources = {
  ...{ file: 'written at', overlay: 'overlay', parameter: 'parameter, by', settings: 'sync.yaml' },
  ...{ environment: 'the environment', state: 'as recorded by the last apply', lookup: 'looked up on the platform' },
};

/** The value, and below it where each part comes from. */
export function evaluatedText({ value, parts }: EvaluatedExpression, style: Style): string {
  const rows = parts.map(({ text, from, place, value: part, depth }) => [
    `  ${'  '.repeat(depth)}${visible(text)}`,
    inline(part),
    [sources[from], ...(place === undefined ? [] : [visible(place)])].join(' '),
  ]);
  return `${style.bold(inline(value))}\n${rows.length === 0 ? '' : `\n${table(rows)}`}`;
}

/** Lines of about a hundred characters. */
function filled(text: string): string {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.length - 1;
    const line = lines[last] ?? '';
    if (line !== '' && line.length + word.length >= 100) lines.push(word);
    else lines[last] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
