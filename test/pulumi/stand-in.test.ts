import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/engine/model/value.js';
import { startSandbox } from '../../src/sandbox/server.js';
import type { RunningSandbox } from '../../src/sandbox/server.js';
import { schemas } from './engine.js';
import type { Members } from './engine.js';
import { asScript, emptied, everyField, spareService } from './every-field.js';
import type { Op, Step } from './stand-in/deployment.js';
import { counts, Stack } from './stand-in/stack.js';

const page = fileURLToPath(new URL('../../docs/guides/pulumi-programs.md', import.meta.url));

let sandbox: RunningSandbox;
let stack: Stack;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
beforeEach(() => control('POST', '/_sandbox/reset'));
afterEach(async () => {
  await control('DELETE', '/_sandbox/faults');
  await stack.close();
});
afterAll(() => sandbox.close());

async function control(method: string, path: string, body?: Json): Promise<Json> {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const text = await (await fetch(sandbox.url + path, { method, ...json })).text();
  return text === '' ? null : (JSON.parse(text) as Json);
}

type Stored = Readonly<Record<string, Json>>;
const stored = async (collection: string): Promise<readonly Stored[]> =>
  ((await control('GET', '/_sandbox/objects')) as Record<string, Stored[]>)[collection] ?? [];
const requests = async (): Promise<number> => ((await control('GET', '/_sandbox/requests')) as { total: number }).total;

/** A program in JavaScript: what is declared is given as the SDK's classes take it. */
const script = (lines: string): string =>
  `const pulumi = require('@pulumi/pulumi');\nconst platform = require('pulumi-platform');\nconst cloud = require('pulumi-cloud');\n${lines}`;

async function made(lines: string, config: Readonly<Record<string, Members>> = {}): Promise<void> {
  stack = await Stack.make(sandbox.url, { 'index.js': script(lines) }, config);
}

const write = (lines: string): Promise<void> => stack.program.write({ 'index.js': script(lines) });

describe('the program in TypeScript of the page, as it stands there', () => {
  it('is previewed, made, unchanged, repaired after an edit by hand, and gone', async () => {
    const text = /```ts\n([^]*?)```/.exec(await readFile(page, 'utf8'))?.[1] ?? '';
    stack = await Stack.make(sandbox.url, {
      'index.ts': text,
      'package.json': '{ "name": "shop", "main": "index.ts" }',
    });
    const preview = await stack.preview();
    expect([preview.failures, counts(preview)]).toEqual([[], { create: 3 }]);
    expect(await stored('apis')).toEqual([]);
    const up = await stack.up();
    expect([up.failures, counts(up)]).toEqual([[], { create: 3 }]);
    const [api] = await stored('apis');
    expect(up.outputs).toMatchObject({ id: api?.['id'], count: expect.any(Number) as number });
    expect(JSON.stringify(up.outputs['server'])).toContain(sandbox.url);
    expect(stack.checkpoint.export()).not.toContain('test-token');
    expect(counts(await stack.preview())).toEqual({ same: 3 });
    expect(counts(await stack.up())).toEqual({ same: 3 });
    await control('POST', `/_sandbox/objects/apis/${String(api?.['id'])}`, { version: 'by-hand' });
    expect(await stack.refresh()).toEqual({ gone: [], moved: ['petstore'] });
    expect(counts(await stack.up())).toEqual({ same: 2, update: 1 });
    expect(await stored('apis')).toMatchObject([{ version: '1.4.0' }]);
    expect(counts(await stack.destroy())).toEqual({ delete: 3 });
    expect(await stored('apis')).toEqual([]);
  });
});

describe('every type', () => {
  it('each input edited, each in a resource of its own: updated or replaced as the planner would', async () => {
    const { before, after, expected } = everyField();
    await control('POST', `/_sandbox/objects/cloud-services/${spareService}`, emptied);
    await made(asScript(before));
    const first = await stack.up();
    expect([first.failures, counts(first)]).toEqual([[], { create: before.length }]);
    const ids = new Map([...expected.keys()].map((name) => [name, stack.checkpoint.at(name).id]));
    expect(counts(await stack.up())).toEqual({ same: before.length });
    await write(asScript(after));
    const shown = await stack.preview();
    expect(shown.failures).toEqual([]);
    const second = await stack.up();
    expect(second.failures).toEqual([]);
    for (const { steps } of [shown, second]) expect(done(steps, expected)).toEqual(Object.fromEntries(expected));
    for (const [name, action] of expected)
      if (action === 'update') expect([name, stack.checkpoint.at(name).id]).toEqual([name, ids.get(name)]);
    expect(counts(await stack.up())).toEqual({ same: after.length });
    expect(await stack.refresh()).toEqual({ gone: [], moved: [] });
    expect(counts(await stack.destroy())).toEqual({ delete: after.length });
    expect(new Set(before.map(({ type }) => type))).toEqual(
      new Set(Object.values(schemas).flatMap(({ resources = {} }) => Object.keys(resources))),
    );
  });
});

/** What was done to the resources whose inputs were edited; of the others, nothing may be. */
function done(steps: readonly Step[], expected: ReadonlyMap<string, string>): Readonly<Record<string, Op>> {
  const found = steps.flatMap(({ op, urn }) => {
    const name = urn.split('::').at(-1) ?? '';
    return (op === 'same' && !expected.has(name)) || op === 'delete' || urn.includes('pulumi:Stack')
      ? []
      : [[name, op]];
  });
  return Object.fromEntries(found) as Record<string, Op>;
}
