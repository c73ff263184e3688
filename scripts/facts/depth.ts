import { readFileSync } from 'node:fs';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { FieldType, MemberType, RecordType, TypeDefinition } from '@platform-sync/rest/definition';
import { memberOf } from '@platform-sync/rest/field-schema';
import { snakeCase } from '@platform-sync/rest/names';
import { fieldName, pathOfCall, type RestType } from '@platform-sync/rest/rest-type';
import { withOwnWords } from '@platform-sync/platform/wire';

/**
 * How much of what descriptions say of the values in a body that makes an object our definitions say, too, counted place by
 * place. Reads descriptions by itself: what makes definitions of them has no part in it.
 */
type Node = Readonly<Record<string, unknown>>;

/** What is counted: limits of fields, and what stands deeper: limits, members that must be written, values to choose from. */
export const subjects = ['limits of fields', 'limits inside', 'forms inside', 'required inside', 'choices'] as const;
export type Subject = (typeof subjects)[number];

/** A type, as its definition says it and as the engine holds catalogues against it. */
interface Subjected {
  readonly rest: RestType;
  readonly type: ResourceType;
}

/** Something that a description says. `[]` is an item of a list, `{}` an entry of a map. */
interface Said {
  readonly subject: Subject;
  readonly path: readonly string[];
  readonly word: string;
  readonly values: readonly unknown[];
}

export interface Depth {
  readonly type: string;
  readonly counts: Readonly<Record<Subject, { readonly said: number; readonly carried: number }>>;
  /** Places of what is said and not carried. */
  readonly missing: readonly string[];
}

const limitWords = new Set([
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties'],
]);
const root = new URL('../../', import.meta.url);

/** Of each type, what its description says of its bodies and what its definition carries of that. */
export function depthOf(types: readonly Subjected[]): readonly Depth[] {
  const documents = ['marked', 'unmarked', 'newest'].map(
    (name) =>
      JSON.parse(
        withOwnWords(readFileSync(new URL(`schemas/descriptions/platform-${name}.json`, root), 'utf8')),
      ) as Node,
  );
  return types.flatMap((one) => {
    const { definition } = one.rest;
    const found = documents.flatMap((document) => callOf(document, definition) ?? [])[0];
    return found === undefined ? [] : [depth(one, new Body(found.document, definition).said(found.schema))];
  });
}

function depth(one: Subjected, said: readonly Said[]): Depth {
  const { rest } = one;
  const judged = said.map((each) => ({ each, isCarried: isCarried(one, each) }));
  const counts = Object.fromEntries(
    subjects.map((subject) => {
      const own = judged.filter(({ each }) => each.subject === subject);
      return [subject, { said: own.length, carried: own.filter((one) => one.isCarried).length }];
    }),
  ) as unknown as Depth['counts'];
  const missing = judged
    .filter((one) => !one.isCarried)
    .map(({ each: { subject, path, word } }) => `${subject}: ${rest.definition.name}.${path.join('.')} ${word}`);
  return { type: rest.definition.name, counts, missing };
}

/** The body of the call that makes objects of a type; of several kinds at one path, that of its kind. */
function callOf(document: Node, { name, operations }: TypeDefinition): { document: Node; schema: Node } | undefined {
  const [method = '', path = ''] = [operations.create.split(' ')[0]?.toLowerCase(), pathOfCall(operations.create)];
  const plain = (text: string): string => text.replace(/\{[^}]*\}/g, '{}');
  const paths = Object.entries(document['paths'] as Node).filter(
    ([at, item]) => plain(at).split('#')[0] === plain(path) && (item as Node)[method] !== undefined,
  );
  const own = paths.filter(([at]) => at.includes('#') && fits(name, at.split('#')[1] ?? ''));
  const [, item] = own.sort(([a], [b]) => b.length - a.length)[0] ?? paths.find(([at]) => !at.includes('#')) ?? [];
  if (item === undefined) return undefined;
  const body = resolved(document, (item as Node)[method]);
  const content = Object.entries(resolved(document, body['requestBody'])['content'] ?? {});
  const media = content.find(([kind]) => kind.includes('json'))?.[1] as Node | undefined;
  return media === undefined ? undefined : { document, schema: media['schema'] as Node };
}

function fits(name: string, mark: string): boolean {
  const plain = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  return plain(name).endsWith(plain(mark));
}

function resolved(document: Node, node: unknown): Node {
  let at = (node ?? {}) as Node;
  for (let steps = 0; typeof at['$ref'] === 'string' && steps < 20; steps += 1) {
    const { $ref: reference, ...beside } = at;
    const target = String(reference).slice(2).split('/');
    at = { ...target.reduce<Node>((from, name) => (from[name] ?? {}) as Node, document), ...beside };
  }
  return at;
}

/** Everything that the schema of one body says. */
class Body {
  readonly #document: Node;
  readonly #definition: TypeDefinition;
  readonly #found = new Map<string, { said: Omit<Said, 'values'>; values: Set<unknown> }>();

  constructor(document: Node, definition: TypeDefinition) {
    this.#document = document;
    this.#definition = definition;
  }

  said(schema: Node): readonly Said[] {
    const { envelope } = this.#definition;
    this.#visit(schema, [], []);
    return [...this.#found.values()].flatMap(({ said, values }) => {
      const path = envelope !== undefined && said.path[0] === envelope ? said.path.slice(1) : said.path;
      // An id is the name of the object, no field of it.
      return path.length === 0 || path[0] === 'id' ? [] : [{ ...said, path, values: [...values] }];
    });
  }

  #visit(node: unknown, path: readonly string[], refs: readonly string[]): void {
    const own = (node ?? {}) as Node;
    const reference = String(own['$ref'] ?? '');
    if (reference !== '' && refs.includes(reference)) return;
    const seen = reference === '' ? refs : [...refs, reference];
    const at = resolved(this.#document, own);
    if (at['readOnly'] === true || path.length > 12) return;
    this.#limits(at, path);
    for (const word of ['allOf', 'oneOf', 'anyOf'])
      for (const part of (at[word] ?? []) as readonly unknown[]) this.#visit(part, path, seen);
    const members = Object.entries((at['properties'] ?? {}) as Node);
    for (const name of (at['required'] ?? []) as readonly string[])
      // What is only required to be there says nothing where the body has no such member, or nobody writes it.
      if (path.length > 0 && members.some(([own, schema]) => own === name && !this.#isReadOnly(schema)))
        this.#note('required inside', path, `required ${name}`, name);
    for (const [name, schema] of members) this.#visit(schema, [...path, name], seen);
    if (at['items'] !== undefined) this.#visit(at['items'], [...path, '[]'], seen);
    const entries = at['additionalProperties'];
    if (typeof entries === 'object' && members.length === 0) this.#visit(entries, [...path, '{}'], seen);
  }

  #isReadOnly(schema: unknown): boolean {
    return resolved(this.#document, schema)['readOnly'] === true;
  }

  #limits(at: Node, path: readonly string[]): void {
    if (path.length === 0) return;
    const isInside = path.length > 1;
    for (const [word, value] of Object.entries(at)) {
      // No less than nothing is no limit.
      const isLimit =
        limitWords.has(word) && value !== false && !(value === 0 && /^min./.test(word) && word !== 'minimum');
      if (isLimit) this.#note(isInside ? 'limits inside' : 'limits of fields', path, word, value);
      if (word === 'format' && value !== 'set' && isInside) this.#note('forms inside', path, word, value);
    }
    const listed = at['enum'] ?? ('const' in at ? [at['const']] : undefined);
    for (const value of (listed ?? []) as readonly unknown[])
      if (value !== null) this.#note('choices', path, 'choice', value);
  }

  #note(subject: Subject, path: readonly string[], word: string, value: unknown): void {
    const key = `${path.join('.')} ${word}`;
    const known = this.#found.get(key) ?? { said: { subject, path, word }, values: new Set() };
    known.values.add(value);
    this.#found.set(key, known);
  }
}

/** A value that people write: what a catalogue may say there, and how its members are called on the wire. */
interface Held {
  readonly schema: Node;
  /** What else is said there of objects of one kind or another. */
  readonly beyond: readonly Node[];
  readonly type: FieldType | undefined;
}

function isCarried({ rest, type }: Subjected, { subject, path, word, values }: Said): boolean {
  // What all objects of a type have the same is in the type itself.
  if (rest.definition.tells?.member === path[0]) return true;
  const [held, isId] = heldAt(rest, type, path);
  if (held === undefined || (isId && !subject.startsWith('limits'))) return isId;
  const schemas = [held.schema, ...held.beyond];
  if (subject === 'required inside') return values.every((name) => isRequired(held, String(name)));
  if (subject === 'choices')
    return values.every((value) => schemas.some((schema) => listIn(schema, 'enum').includes(value)));
  // Values that are listed need no limits.
  if (listIn(held.schema, 'enum').length > 0) return true;
  const own = schemas.map((schema) => schema[word]).filter((limit) => limit !== undefined);
  return own.length > 0 && own.every((limit) => values.includes(limit));
}

/** Where a definition has what bodies have at a path; true for what only holds an id, which has a field of its own. */
function heldAt(
  rest: RestType,
  type: ResourceType,
  path: readonly string[],
): readonly [held: Held | undefined, isId: boolean] {
  const kinds = thenOf({ allOf: type.kinds ?? [] });
  for (const [name, field] of Object.entries(rest.fields)) {
    const laidOut = Object.entries(field.members ?? {}).map(
      ([ours, wire]) => [ours.split('.'), wire.split('.')] as const,
    );
    const [ours = [], wire = fieldName(rest, name).split('.')] =
      laidOut.find(([, member]) => startsWith(path, member)) ?? [];
    if (!startsWith(path, wire)) continue;
    const schema = (type.fields[name]?.schema ?? {}) as Node;
    const beyond = [schema, ...kinds.map((kind) => propertyOf(kind, name) ?? {})];
    const top: Held = { schema, beyond: beyond.flatMap((each) => [each, ...thenOf(each)]), type: field.type };
    const inside = path.slice(wire.length);
    if (field.as === 'id-object' && inside.at(-1) === 'id') return [top, true];
    const start = ours.reduce<Held | undefined>((at, step) => at && within(at, step), top);
    return [inside.reduce<Held | undefined>((at, step) => at && within(at, step), start), false];
  }
  return [undefined, false];
}

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((step, at) => path[at] === step);
}

function within({ schema, beyond, type }: Held, step: string): Held | undefined {
  const types: Readonly<Record<string, unknown>> = typeof type === 'object' ? { ...type } : {};
  const held = (at: (node: Node) => unknown, own: unknown): Held | undefined => {
    const nodes = [schema, ...beyond].flatMap((node) => (at(node) ?? []) as Node | readonly Node[]);
    const deeper = nodes.flatMap((node) => [node, ...thenOf(node)]);
    return deeper.length === 0
      ? undefined
      : { schema: (at(schema) ?? {}) as Node, beyond: deeper, type: own as FieldType | undefined };
  };
  if (step === '[]') return held((node) => node['items'], types['list']);
  if (step === '{}') return held((node) => isNode(node['additionalProperties']) ?? undefined, types['map']);
  const members = new Map(Object.entries((types['members'] ?? {}) as RecordType['members']));
  const names = [schema, ...beyond].flatMap((node) => Object.keys((node['properties'] ?? {}) as Node));
  const name = names.find((each) => each === step || wireOf(each, members.get(each)) === step);
  const said = name === undefined ? undefined : members.get(name);
  return name === undefined
    ? undefined
    : held((node) => propertyOf(node, name), said === undefined ? undefined : (memberOf(said).type ?? 'string'));
}

/** What is said of one kind alone, and of kinds of it. */
function thenOf(node: Node): readonly Node[] {
  const own = listIn(node, 'allOf').flatMap((part) => {
    const { then, ...plain } = part as Node;
    return [plain, ...(then === undefined ? [] : [then as Node])];
  });
  return own.flatMap((part) => [part, ...thenOf(part)]);
}

function isNode(value: unknown): Node | undefined {
  return typeof value === 'object' ? (value as Node) : undefined;
}

function propertyOf(node: Node, name: string): Node | undefined {
  return ((node['properties'] ?? {}) as Readonly<Record<string, Node>>)[name];
}

function wireOf(name: string, said: MemberType | string | undefined): string {
  return (said === undefined ? undefined : memberOf(said).wire) ?? snakeCase(name);
}

/** Always, or of an object of one kind. */
function isRequired({ schema, beyond, type }: Held, wire: string): boolean {
  const members = new Map(typeof type === 'object' && 'record' in type ? Object.entries(type.members) : []);
  return [schema, ...beyond].some((node) =>
    listIn(node, 'required').some((name) => name === wire || wireOf(String(name), members.get(String(name))) === wire),
  );
}

function listIn(node: Node, word: string): readonly unknown[] {
  return (node[word] ?? []) as readonly unknown[];
}
