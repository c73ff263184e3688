import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultGoModule } from '../../pulumi/src/languages.js';
import { wholeSchema } from '../../pulumi/src/whole-schema.js';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { withoutMark } from '@platform-sync/core/model/ownership-mark';
import { type Json, type JsonObject, isObject } from '@platform-sync/core/model/value';
import type { ConformanceRow } from '../conformance/row.js';
import { rows } from '../conformance/rows.js';
import { Engine, schemas, unknownMarker, urnOf, type Members } from './engine.js';
import { partOf } from '../harness/part-of-table.js';

let sandbox: RunningSandbox;
const engines: Record<string, Engine> = {};
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true, shuffle: 1 });
  for (const name of ['platform', 'cloud'] as const) {
    engines[name] = await Engine.start(name, sandbox.url);
    await engines[name].configure();
  }
});
beforeEach(() => control('POST', '/_sandbox/reset'));
afterAll(async () => {
  for (const engine of Object.values(engines)) await engine.close();
  await sandbox.close();
});

async function control(method: string, path: string, body?: Json): Promise<JsonObject> {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const text = await (await fetch(sandbox.url + path, { method, ...json })).text();
  return text === '' ? {} : (JSON.parse(text) as JsonObject);
}

/** One resource of a stack's state. */
interface Recorded {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Members;
  readonly outputs: Members;
}

/** A stack with the resources of one row, as a program in this world writes them. */
class Stack {
  readonly recorded = new Map<string, Recorded>();
  readonly #row: ConformanceRow;

  constructor(row: ConformanceRow) {
    this.#row = row;
  }

  get subject(): Recorded {
    return this.#at('subject');
  }

  /** The properties with ids filled in, maps that are texts here as JSON. */
  program(type: string, properties: JsonObject): Members {
    const token = fullToken(type);
    const spec = schemas[token.split(':')[0] ?? '']?.resources?.[token]?.inputProperties ?? {};
    const filled = JSON.parse(
      JSON.stringify(properties).replace(/\$\{(\w+)\.id\}/g, (_, key: string) =>
        JSON.stringify(this.#at(key).id).slice(1, -1),
      ),
    ) as JsonObject;
    const members = Object.entries(filled).map(([name, value]) => [
      name,
      spec[name]?.type === 'string' && typeof value === 'object' ? JSON.stringify(value) : value,
    ]);
    return Object.fromEntries(members) as Members;
  }

  async up(key: string, type: string, properties: JsonObject): Promise<'create' | 'same' | 'update' | 'replace'> {
    const engine = engineOf(type);
    const urn = urnOf(fullToken(type), key);
    const old = this.recorded.get(key);
    const { inputs: news, failures } = await engine.check(urn, this.program(type, properties), old?.inputs);
    expect(failures).toEqual([]);
    if (old === undefined) return this.#create(key, urn, news, 'create');
    const known = { id: old.id, olds: old.outputs, oldInputs: old.inputs, news };
    const difference = await engine.diff(urn, known);
    if (difference.changes === 'none') return 'same';
    if (difference.replaces.length > 0) {
      if (difference.deleteBeforeReplace) await this.delete(key, type);
      const before = this.recorded.get(key);
      await this.#create(key, urn, news, 'replace');
      if (before !== undefined)
        await engine.delete(urn, { id: before.id, olds: before.outputs, oldInputs: before.inputs });
      return 'replace';
    }
    const shown = await engine.update(urn, { ...known, preview: true });
    const outputs = await engine.update(urn, known);
    const { fields = {} } = engine.host.session.loaded.types.get(fullToken(type)) ?? {};
    for (const [name, value] of Object.entries(shown)) {
      const rule = fields[name];
      // What nobody says stays, unless the platform makes it of what was said.
      const isSaid = name in news || name in old.inputs;
      if (rule?.input === true && !isSaid && rule.clearing.by !== 'derived')
        expect([name, value]).toEqual([name, old.outputs[name]]);
      if (value !== unknownMarker && (rule?.computed === true || !isSaid))
        expect([name, outputs[name]]).toEqual([name, value]);
    }
    this.recorded.set(key, { urn, id: old.id, inputs: news, outputs });
    return 'update';
  }

  /** Reads an object and keeps what was found; false when it is gone. */
  async refresh(key: string, type: string): Promise<boolean> {
    const { urn, id, inputs, outputs } = this.#at(key);
    const seen = await engineOf(type).read(urn, id, inputs, outputs);
    if (seen.id === '') {
      this.recorded.delete(key);
      return false;
    }
    this.recorded.set(key, { urn, ...seen });
    return true;
  }

  async delete(key: string, type: string): Promise<void> {
    const { urn, id, inputs, outputs } = this.#at(key);
    await engineOf(type).delete(urn, { id, olds: outputs, oldInputs: inputs });
    this.recorded.delete(key);
  }

  async upAll(properties: JsonObject = this.#row.properties, needs = this.#row.needs): Promise<string> {
    for (const [key, { type, properties: own = {} }] of Object.entries(needs))
      await this.up(key, String(type), own as JsonObject);
    return this.up('subject', this.#row.type, this.withConsent(properties));
  }

  withConsent(properties: JsonObject): JsonObject {
    return this.#row.guards === undefined ? properties : { ...properties, allowEmptyOnDelete: true };
  }

  async #create<Word>(key: string, urn: string, news: Members, word: Word): Promise<Word> {
    const engine = engineOf(urn.split('::')[2] ?? '');
    const shown = await engine.create(urn, news, true);
    expect(shown.id).toBe('');
    const { id, outputs } = await engine.create(urn, news);
    expect(id).not.toBe('');
    for (const name of Object.keys(outputs)) if (!(name in news)) expect(Object.keys(shown.outputs)).toContain(name);
    this.recorded.set(key, { urn, id, inputs: news, outputs });
    return word;
  }

  #at(key: string): Recorded {
    const found = this.recorded.get(key);
    if (found === undefined) throw new Error(`nothing at ${key}`);
    return found;
  }
}

/** Names of the outputs that every object is said to have, by token of its type. */
const promised = new Map(
  Object.keys(schemas).flatMap((name) => {
    const { resources } = wholeSchema(name, defaultGoModule) as {
      readonly resources: Readonly<Record<string, { readonly required: readonly string[] }>>;
    };
    return Object.entries(resources).map(([token, { required }]) => [token, required] as const);
  }),
);

function engineOf(type: string): Engine {
  const engine = engines[type.split(':')[0] ?? ''];
  if (engine === undefined) throw new Error(type);
  return engine;
}

function fullToken(short: string): string {
  const name = short.split(':').at(-1) ?? '';
  const tokens = Object.values(schemas).flatMap(({ resources = {} }) => Object.keys(resources));
  return tokens.find((token) => token.endsWith(`:${name}`) && token.startsWith(short.split(':')[0] ?? '')) ?? '';
}

/** The platform's own id in an id that may hold its place as well. */
function ownId(row: ConformanceRow, id: string): string {
  const place = id.startsWith('{') ? (JSON.parse(id) as Record<string, string>) : {};
  const own = Object.values(place).at(-1) ?? id;
  return row.storedId?.(own, { apiId: place['api_id'] ?? '' }) ?? own;
}

/** Secrets as the texts they hide: what is read is marked as one. */
function open(inputs: Members): Members {
  const plain = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && secretMarker in value ? (value as JsonObject)['value'] : value;
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, plain(value)])) as Members;
}

const secretMarker = '4dabf18193072939515e22adb298388d';

const objectPath = (row: ConformanceRow, id: string): string =>
  `/_sandbox/objects/${row.collection}/${encodeURIComponent(ownId(row, id))}`;

/** What can be tried alone. */
function tried(row: ConformanceRow): ConformanceRow {
  const removals = Object.entries(row.removals).filter(([, each]) => each !== 'untried');
  return { ...row, removals: Object.fromEntries(removals) };
}

describe.each(partOf(rows, 2).map(tried))('$type', (row) => {
  it('is created; then nothing differs, neither before nor after a refresh', async () => {
    const stack = new Stack(row);
    expect(await stack.upAll()).toBe('create');
    expect(await stack.upAll()).toBe('same');
    const { inputs, outputs } = stack.subject;
    expect(await stack.refresh('subject', row.type)).toBe(true);
    expect(open(stack.subject.inputs)).toEqual(open(inputs));
    expect(Object.keys(stack.subject.outputs).sort()).toEqual(Object.keys(outputs).sort());
    // What the schema calls always there is there, for a program that says as little as it may, too.
    for (const name of promised.get(fullToken(row.type)) ?? [])
      expect([name, outputs[name] ?? null]).not.toEqual([name, null]);
    expect(await stack.upAll()).toBe('same');
  });

  it.each(Object.entries(row.changes))(
    '%s changed: as the planner would, and then nothing differs',
    async (field, change) => {
      if (JSON.stringify(change.to).includes('${other') || change.untried !== undefined) return;
      const stack = new Stack(row);
      const properties = {
        ...Object.fromEntries(
          Object.entries(row.properties).filter(([name]) => change.without?.includes(name) !== true),
        ),
        ...change.with,
      };
      await stack.upAll(properties);
      const { id } = stack.subject;
      const type = engineOf(row.type).host.session.loaded.types.get(fullToken(row.type));
      const group = type?.exactlyOne.find((names) => names.includes(field)) ?? [];
      const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => !group.includes(name)));
      expect(await stack.upAll({ ...rest, [field]: change.to })).toBe(change.action);
      if (row.storedId === undefined || change.action === 'update' || field === 'portalId' || field === 'apiId')
        expect(stack.subject.id === id).toBe(change.action === 'update');
      expect(await stack.upAll({ ...rest, [field]: change.to })).toBe('same');
    },
  );

  it.each(Object.entries(row.removals))('%s left out: put back as the planner would', async (field, expected) => {
    const stack = new Stack(row);
    await stack.upAll();
    const before = await control('GET', objectPath(row, stack.subject.id));
    const rest = Object.fromEntries(Object.entries(row.properties).filter(([name]) => name !== field));
    // What the platform keeps as an object of its own stays with that one.
    const rule = engineOf(row.type).host.session.loaded.types.get(fullToken(row.type))?.fields[field];
    expect(await stack.upAll(rest)).toBe(rule?.keptAs === undefined ? 'update' : 'same');
    const wire = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const after = await control('GET', objectPath(row, stack.subject.id));
    const left = after[wire] ?? null;
    // The mark of the stack stays: it is no label of the program's.
    const bare = isObject(left) ? withoutMark(left).labels : left;
    expect(bare).toEqual(typeof expected === 'string' ? (before[wire] ?? null) : expected.leaves);
    expect(await stack.upAll(rest)).toBe('same');
  });

  it.each(Object.entries(row.drift))(
    '%s edited by hand: a refresh shows it, the next update repairs it',
    async (field, edit) => {
      const stack = new Stack(row);
      await stack.upAll();
      const { inputs } = stack.subject;
      await control('POST', objectPath(row, stack.subject.id), edit);
      expect(await stack.refresh('subject', row.type)).toBe(true);
      const moved = Object.keys({ ...inputs, ...stack.subject.inputs }).filter(
        (name) => JSON.stringify(open(inputs)[name]) !== JSON.stringify(open(stack.subject.inputs)[name]),
      );
      expect(moved).toEqual([field]);
      expect(await stack.upAll()).toBe(row.changes[field]?.action);
      expect(await stack.refresh('subject', row.type)).toBe(true);
      expect(open(stack.subject.inputs)).toEqual(open(inputs));
      expect(await stack.upAll()).toBe('same');
    },
  );

  // What is always there is never gone.
  it.skipIf(row.remains !== undefined)(
    'deleted by hand: gone after a refresh, and a delete of it is fine',
    async () => {
      const stack = new Stack(row);
      await stack.upAll();
      const { urn, id, outputs, inputs } = stack.subject;
      await control('POST', objectPath(row, id), row.gone ?? { $delete: true });
      expect(await stack.refresh('subject', row.type)).toBe(false);
      await engineOf(row.type).delete(urn, { id, olds: outputs, oldInputs: inputs });
      expect(await stack.upAll()).toBe('create');
    },
  );

  it('is imported by its id, with inputs that say what there is, and deleted', async () => {
    const stack = new Stack(row);
    await stack.upAll();
    const { urn, id, inputs } = stack.subject;
    const seen = await engineOf(row.type).read(urn, id);
    expect(seen.id).toBe(id);
    const fields = engineOf(row.type).host.session.loaded.types.get(fullToken(row.type))?.fields ?? {};
    // What is never shown is not known after an import.
    const said = Object.entries(inputs).filter(
      ([name]) => name !== 'allowEmptyOnDelete' && (fields[name]?.writeOnly !== true || name in seen.inputs),
    );
    const { changes } = await engineOf(row.type).diff(urn, {
      ...{ id, olds: seen.outputs, oldInputs: seen.inputs },
      // Pulumi writes into the program what an import finds, with what the platform added to a record.
      news: Object.fromEntries(
        said.map(([name, value]) => {
          const found = seen.inputs[name];
          return [name, isObject(value) && isObject(found) ? { ...found, ...value } : value];
        }),
      ),
    });
    expect(changes).toBe('none');
    await stack.delete('subject', row.type);
    expect((await engineOf(row.type).read(urn, id)).id).toBe(row.remains === undefined ? '' : id);
  });
});

describe('an API of which a program says only the name', () => {
  const made = async (): Promise<Stack> => {
    const stack = new Stack({
      type: 'platform:Api',
      properties: { name: 'Bare' },
      needs: {},
    } as unknown as ConformanceRow);
    await stack.upAll();
    return stack;
  };

  it('has all that its type promises, an empty text for the version that it lacks, before a refresh and after it', async () => {
    const stack = await made();
    for (const name of promised.get('platform:index/api:Api') ?? [])
      expect([name, stack.subject.outputs[name] ?? null]).not.toEqual([name, null]);
    expect(stack.subject.outputs).toMatchObject({ version: '', implementationMode: '' });
    await stack.refresh('subject', 'platform:Api');
    expect(stack.subject.outputs).toMatchObject({ version: '', implementationMode: '' });
    expect(stack.subject.inputs).toEqual({ name: 'Bare' });
    expect(await stack.upAll()).toBe('same');
  });

  it('keeps what nobody says while something else is updated', async () => {
    const { id, urn, outputs, inputs } = (await made()).subject;
    const news = { ...inputs, description: 'Said now.' };
    const shown = await engineOf('platform:').update(urn, {
      id,
      olds: outputs,
      oldInputs: inputs,
      news,
      preview: true,
    });
    expect(shown).toMatchObject({
      attributes: outputs['attributes'],
      labels: outputs['labels'],
      version: '',
      name: 'Bare',
    });
  });
});
