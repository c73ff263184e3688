import fc from 'fast-check';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

/** A project whose files say something of secrets, as the base has it and as a proposal changes it. */
export interface SecretWorld {
  readonly base: RandomFiles;
  readonly head: RandomFiles;
}

export interface RandomFiles {
  readonly fields: Readonly<Record<string, RandomField>>;
  readonly unique: readonly (readonly string[])[];
  readonly parameters: Readonly<Record<string, JsonObject>>;
  readonly maxDeletes: number;
  readonly resources: Readonly<Record<string, RandomResource>>;
  readonly outputs: readonly RandomValue[];
}

/** A row of a types file. */
export type RandomField = JsonObject;

interface RandomResource {
  /** Left out: the key, in clear. */
  readonly name: RandomValue | undefined;
  readonly properties: Readonly<Record<string, RandomValue>>;
  readonly import: RandomValue | undefined;
  readonly slot: RandomValue | undefined;
  readonly alias: string | undefined;
  readonly protect: boolean;
}

/** YAML of one value. */
type RandomValue = string;

const fieldNames = ['topic', 'pin', 'count', 'box', 'tags', 'notes', 'ref'] as const;

/** One time in `times`. */
function rarely<T>(value: fc.Arbitrary<T>, times = 12): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/** Long enough to be known again wherever it stands: half of all guesses and contents are one of these. */
const long = fc.constantFrom('zzzzzzzzzz', 'x@example.com');
const text = fc.oneof(long, fc.constantFrom('a', 'alpha', 'beta', '7'));
const limits = fc.oneof(
  fc.constantFrom<JsonObject>(
    { pattern: '^a' },
    { pattern: '^.{2}[^p]|^.{0,2}$' },
    { pattern: '^[0-9]+$' },
    { format: 'email' },
  ),
  fc.array(text, { minLength: 1, maxLength: 3 }).map((all) => ({ enum: [...new Set(all)] })),
);
const secrecy = fc.constantFrom<JsonObject>({}, {}, { secret: true }, { secret: true, writeOnly: true });
const size = rarely(fc.constantFrom([0, 3], [2, 8], [1, 40]), 5);
const range = fc.constantFrom<JsonObject>({}, { minimum: 5 }, { maximum: 9 }, { multipleOf: 7 });

function row(type: Json | undefined, more: fc.Arbitrary<JsonObject> = fc.constant({})): fc.Arbitrary<RandomField> {
  return fc
    .tuple(secrecy, more, fc.constantFrom<JsonObject>({}, {}, { replaces: true }, { equality: 'exact' }))
    .map(([hidden, rows, rule]) => ({
      description: 'D.',
      nullable: true,
      ...(type === undefined ? {} : { type }),
      ...hidden,
      ...rows,
      ...rule,
    }));
}

const limited = fc.tuple(rarely(limits, 5), size).map(([rule, least]) => ({
  ...(rule === undefined ? {} : { limits: rule }),
  ...(least === undefined ? {} : { size: [...least] }),
}));
const box = (hidden: boolean): Json => ({
  record: 'Box',
  description: 'A box.',
  members: {
    label: { description: 'Label.', optional: true },
    key: { description: 'Key.', optional: true, secret: hidden },
    level: { description: 'Level.', type: 'integer', optional: true, secret: false },
  },
});

const fields: fc.Arbitrary<RandomFiles['fields']> = fc.record({
  topic: row(undefined, limited),
  pin: row(undefined, limited),
  count: row(
    'integer',
    range.map((rule) => ({ limits: rule })),
  ),
  box: fc.boolean().chain((hidden) => row(box(hidden), fc.constantFrom<JsonObject>({}, { patched: true }))),
  tags: row(
    { list: 'string' },
    fc.constantFrom<JsonObject>({}, { equality: 'set' }, { limits: { uniqueItems: true } }, { size: [0, 2] }),
  ),
  notes: row({ map: 'string' }),
  ref: row(undefined, fc.constantFrom<JsonObject>({}, { references: 'Shelf' })),
});

const parameters: fc.Arbitrary<RandomFiles['parameters']> = fc
  .record({
    token: fc.constantFrom<JsonObject>({ secret: true }, { secret: true, allowed: ['alpha', 'beta'] }),
    level: fc.constantFrom<JsonObject>(
      { secret: true, type: 'number' },
      { secret: true, type: 'number', allowed: [7, 9] },
    ),
    table: fc.constantFrom<JsonObject>({ secret: true, type: 'map' }),
  })
  .map((all): RandomFiles['parameters'] => all);
/** What a proposal would rather have them be. */
const openParameters: fc.Arbitrary<RandomFiles['parameters']> = fc
  .record({
    token: fc.constantFrom<JsonObject>(
      {},
      { allowed: ['alpha'] },
      { type: 'number' },
      { type: 'boolean' },
      { secret: true },
    ),
    level: fc.constantFrom<JsonObject>({}, { type: 'number' }, { secret: true, type: 'number' }),
    table: fc.constantFrom<JsonObject>({}, { type: 'list' }, { secret: true, type: 'map' }),
  })
  .map((all): RandomFiles['parameters'] => all);

const source = fc.constantFrom(
  '!env ONE',
  '!env TWO',
  '${param.token}',
  '${param.level}',
  '${vars.mine}',
  '!env SYNC_VAR_TOKEN',
);
const secretText: fc.Arbitrary<RandomValue> = fc.oneof(
  source.map((from) => (from.startsWith('$') ? JSON.stringify(from) : from)),
  fc.constantFrom(
    '"x-${param.token}"',
    '{fn::join: ["-", [a, !env ONE]]}',
    '{fn::join: [!env ONE, [a, b]]}',
    '!json {a: !env ONE, b: "${param.token}"}',
    '!secret [!env ONE]',
    '"${vars.deep.it}"',
    '"${first.pin}"',
    '"${first.box.key}"',
    '!secret alpha',
    '!lookup {function: "acme:getShelf", arguments: {name: !env ONE}, return: id}',
  ),
);
const plain: fc.Arbitrary<RandomValue> = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom('null', '"${first.id}"'),
);
/** Of three, two are secrets. */
const anything = fc.oneof({ weight: 2, arbitrary: secretText }, { weight: 1, arbitrary: plain });
const number = fc.oneof(fc.constantFrom('7', '9', '"${param.level}"'), secretText);
/** Inside of another value nothing is null. */
const part = anything.filter((value) => value !== 'null');
const member = (name: string, value: fc.Arbitrary<RandomValue>): fc.Arbitrary<RandomValue> =>
  value.map((said) => `${name}: ${said}`);
const boxed = fc
  .tuple(member('label', part), member('key', part), member('level', number))
  .chain((all) => fc.shuffledSubarray(all))
  .map((all) => `{${all.join(', ')}}`);
const listed = fc.array(part, { maxLength: 3 }).map((all) => `[${all.join(', ')}]`);
const tabled = fc.dictionary(fc.constantFrom('k1', 'k2'), part).map(
  (all) =>
    `{${Object.entries(all)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ')}}`,
);
const orSecret = (value: fc.Arbitrary<RandomValue>): fc.Arbitrary<RandomValue> =>
  fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 1, arbitrary: secretText },
    { weight: 1, arbitrary: fc.constant('"${param.table}"') },
  );

const valueOf: Readonly<Record<(typeof fieldNames)[number], fc.Arbitrary<RandomValue>>> = {
  ...{ topic: anything, pin: anything, count: number },
  ref: fc.oneof(fc.constant('"${first.id}"'), anything),
  ...{ box: orSecret(boxed), tags: orSecret(listed), notes: orSecret(tabled) },
};

const properties = fc
  .shuffledSubarray([...fieldNames], { maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((name) => member(name, valueOf[name]))))
  .map((all) =>
    Object.fromEntries(all.map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 2)])),
  );

const resource = (isProposal: boolean): fc.Arbitrary<RandomResource> =>
  fc.record({
    name: isProposal ? rarely(secretText, 20) : fc.constant(undefined),
    properties,
    import: isProposal ? rarely(fc.constantFrom('s1', '!env ONE', '"${param.token}"')) : fc.constant(undefined),
    slot: rarely(anything, 3),
    alias: isProposal ? rarely(fc.constantFrom('second', 'gone')) : fc.constant(undefined),
    protect: fc.boolean(),
  });

const files = (isProposal: boolean): fc.Arbitrary<RandomFiles> =>
  fc.record({
    fields,
    unique: fc.constantFrom([], [['pin']], [['topic', 'count']]),
    parameters: isProposal ? fc.oneof(parameters, openParameters) : parameters,
    maxDeletes: fc.constantFrom(0, 1, 50),
    resources: fc
      .record({ first: resource(isProposal), second: resource(isProposal), third: resource(isProposal) })
      .chain((all) =>
        fc
          .shuffledSubarray(Object.keys(all) as (keyof typeof all)[], { minLength: 1 })
          .map((names) => Object.fromEntries(names.map((name) => [name, all[name]]))),
      ),
    outputs: fc.array(anything, { maxLength: 2 }),
  });

export const secretWorld: fc.Arbitrary<SecretWorld> = fc
  .record({
    base: files(false),
    head: files(true),
    keepsTypes: fc.boolean(),
    keepsParameters: fc.boolean(),
    /** Of the base, resources that the proposal leaves as they are, and those of which it changes some fields. */
    kept: fc.subarray(['first', 'second', 'third']),
    changed: fc.subarray(['first', 'second', 'third']),
    removes: fc.boolean(),
  })
  .map(({ base, head, keepsTypes, keepsParameters, kept, changed, removes }) => ({
    base,
    head: {
      ...head,
      ...(keepsTypes ? { fields: base.fields, unique: base.unique } : {}),
      ...(keepsParameters ? { parameters: base.parameters } : {}),
      resources: mapped(removes ? head.resources : { ...base.resources, ...head.resources }, (now, key) => {
        const before = base.resources[key];
        if (before === undefined || (!kept.includes(key) && !changed.includes(key))) return now;
        return kept.includes(key) ? before : { ...now, properties: { ...before.properties, ...now.properties } };
      }),
    },
  }));

/** The same without review, where secrets may name things and break rules: a world that has neither. */
export const plainWorld: fc.Arbitrary<SecretWorld> = secretWorld.map(({ base, head }) => ({
  base: withoutRules(base),
  head: withoutRules({ ...head, fields: base.fields, unique: base.unique }),
}));

/** The same files without anything that a secret could break. */
export function withoutRules({ fields: rows, resources, outputs, ...rest }: RandomFiles): RandomFiles {
  const hidden = { secret: true };
  return {
    ...rest,
    fields: mapped(rows, ({ limits: _limits, size: _size, ...row }) => row),
    parameters: { token: hidden, level: { ...hidden, type: 'number' }, table: { ...hidden, type: 'map' } },
    resources: mapped(resources, ({ properties: said, ...others }) => ({
      ...{ ...others, name: undefined, import: undefined, slot: withoutLookup(others.slot) },
      properties: mapped(said, (value, name) => {
        if (name === 'count') return '"${param.level}"';
        if (name === 'notes') return value.startsWith('{k') ? withoutLookup(value) : '"${param.table}"';
        if (name === 'tags') return value.startsWith('[') ? withoutLookup(value) : '[!env ONE]';
        if (name === 'box') return '{label: !env ONE, key: "${param.token}", level: 3}';
        return withoutLookup(value);
      }),
    })),
    outputs: outputs.map(withoutLookup),
  };
}

/** A lookup sends no secret. */
function withoutLookup<T extends RandomValue | undefined>(value: T): T {
  return (value?.replaceAll(/!lookup \{.*?return: id\}/g, '!env TWO') ?? value) as T;
}

function mapped<T, U>(all: Readonly<Record<string, T>>, change: (value: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(value, name)]));
}

/** What the environment holds. Rules, lists of what is allowed and guesses of the files know some of these, and not others. */
export type SecretValues = Readonly<Record<string, string>>;

const valuesOf = ([one, two, token, level, table]: readonly [
  string,
  string,
  string,
  string,
  string,
]): SecretValues => ({
  ...{ ONE: one, TWO: two, SYNC_VAR_TOKEN: token, SYNC_VAR_LEVEL: level, SYNC_VAR_TABLE: table },
});
const content = fc.oneof(
  long,
  fc.constantFrom(
    '',
    'a',
    'alpha',
    'beta',
    '7',
    '9',
    '70',
    'zzzzzzzzzz',
    'x@example.com',
    'null',
    'true',
    '{"k1":"v"}',
    '- a',
    'Ünïcödé ✓',
    'two\nlines\n',
    'first',
    's1',
  ),
);
const newText = fc.constantFrom('new', 'newer by far', 'Ω', '{"k1":"w"}', '31');
const level = fc.constantFrom('7', '9', '70', '1e3');
const table = fc.constantFrom('{"k1":"v"}', '{"k1":"alpha","k2":"b"}', '{}');
/** What an apply can be made with. */
export const secretValues: fc.Arbitrary<SecretValues> = fc.tuple(content, content, content, level, table).map(valuesOf);

/** The same, or none of what parameters may be. */
export const anyValues: fc.Arbitrary<SecretValues> = fc
  .tuple(content, content, content, fc.oneof(level, content), fc.oneof(table, content, fc.constant('[1]')))
  .map(valuesOf);

/** What it may hold instead, of the same shapes, in a world that says nothing of what is right: none of it is recorded. */
export const otherValues: fc.Arbitrary<SecretValues> = fc
  .tuple(newText, newText, newText, fc.constantFrom('11', '31'), fc.constantFrom('{"k1":"m"}', '{"k1":"n"}'))
  .map(valuesOf);

/** The files of a project at a server. */
export function writtenFiles(
  { fields: rows, unique, parameters: declared, maxDeletes, resources, outputs }: RandomFiles,
  server: string,
): Readonly<Record<string, string>> {
  const settings = {
    project: 'shop',
    providers: { acme: { types: 'types.json', serverUrl: server } },
    parameters: declared,
    guards: { maxDeletes },
  };
  return {
    'types.json': JSON.stringify({ formatVersion: 1, definitions: [shelf(rows, unique), slot] }),
    'sync.yaml': JSON.stringify(settings),
    'catalogue/main.yaml': [
      'variables: {vars: {mine: !env TWO, deep: {it: !env ONE}}}',
      'resources:',
      ...Object.entries(resources).map(([key, value]) =>
        withoutCycle(writtenResource(key, value), key !== 'first' && 'first' in resources),
      ),
      'outputs:',
      '  none: x',
      ...outputs.map((value, at) => `  out${at}: ${withoutCycle(value, 'first' in resources)}`),
      '',
    ].join('\n'),
  };
}

/** Nothing refers to itself, or to what is not there. */
function withoutCycle(text: string, mayRefer: boolean): string {
  return mayRefer ? text : text.replaceAll(/\$\{first\.[a-z.]+\}/g, '${vars.mine}');
}

function writtenResource(
  key: string,
  { name, properties: said, import: id, slot: inner, alias, protect }: RandomResource,
): string {
  const all = Object.entries({ name: name ?? key, ...said });
  const options = [
    ...(id === undefined ? [] : [`import: ${id}`]),
    ...(alias === undefined ? [] : [`aliases: [${alias}]`]),
    ...(protect ? ['protect: true'] : []),
  ];
  const children =
    inner === undefined ? '' : `, children: {slot: {type: acme:Slot, properties: {name: slot, note: ${inner}}}}`;
  return `  ${key}: {type: acme:Shelf, properties: {${all.map(([field, value]) => `${field}: ${value}`).join(', ')}}, options: {${options.join(', ')}}${children}}`;
}

function shelf(rows: RandomFiles['fields'], unique: RandomFiles['unique']): JsonObject {
  return {
    ...{ name: 'Shelf', description: 'A shelf.', derived: true, absence: 'empty-404' },
    operations: {
      create: 'POST /shelves',
      read: 'GET /shelves/{id}',
      update: 'PATCH /shelves/{id}',
      delete: 'DELETE /shelves/{id}',
    },
    list: { get: '/shelves', paging: { by: 'none', items: 'data' }, findBy: { name: 'name' } },
    ...{ naturalKey: ['name'], required: ['name'], always: ['name'], unique: unique.map((group) => [...group]) },
    fields: { name: { description: 'Name.' }, ...rows },
  };
}

const slot: JsonObject = {
  ...{ name: 'Slot', description: 'A slot.', derived: true, absence: 'empty-404' },
  operations: {
    create: 'POST /shelves/{shelfId}/slots',
    read: 'GET /shelves/{shelfId}/slots/{id}',
    update: 'PATCH /shelves/{shelfId}/slots/{id}',
    delete: 'DELETE /shelves/{shelfId}/slots/{id}',
  },
  list: { get: '/shelves/{shelfId}/slots', paging: { by: 'none', items: 'data' } },
  ...{ naturalKey: ['name'], required: ['name'], always: ['name'] },
  fields: {
    shelfId: { description: 'Shelf.', references: 'Shelf', nests: true, diesWith: true },
    name: { description: 'Name.' },
    note: { description: 'Note.', nullable: true },
  },
};
