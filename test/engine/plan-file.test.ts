import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { parsePlan, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { makeWorld, type World } from '../harness/world.js';

describe('the plan file', () => {
  let world: World;
  let valid: (document: unknown) => string[];
  beforeAll(async () => {
    world = await makeWorld();
    const schema = JSON.parse(
      await readFile(new URL('../../schemas/plan.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ allErrors: true, formats: { uuid: true, 'date-time': true } }).compile(schema);
    valid = (document) =>
      validate(document) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
  });
  afterAll(() => world.close());

  const api = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'platform:Api',
    properties,
    ...more,
  });
  const guards = 'guards: {maxDeletePercent: 100}\n';
  const write = (resources: JsonObject, outputs: JsonObject = {}): Promise<void> =>
    world.write({ 'sync.yaml': `project: test\n${guards}`, 'catalogue/all.yaml': { resources, outputs } });

  it('follows its schema, whatever is planned, and survives writing and reading', async () => {
    const spec = (title: string): string => `openapi: 3.0.3\ninfo: {title: ${title}, version: "1"}\npaths: {}\n`;
    const doc: JsonObject = {
      guide: { type: 'platform:ApiDocument', properties: { title: 'Guide', content: 'x', status: 'published' } },
    };
    world.env = { ...world.env, OWNER: 'ann' };
    const check = async (): Promise<void> => {
      const plan = await world.plan();
      const text = serializePlan(plan);
      expect(valid(JSON.parse(text))).toEqual([]);
      expect(parsePlan(text)).toEqual({ plan });
    };
    await write(
      {
        a: api({ version: '1', specContent: spec('a'), labels: { owner: { 'fn::env': 'OWNER' } } }, { children: doc }),
        b: api({ description: '${a.id}' }),
        gone: api({}),
      },
      { id: '${a.id}' },
    );
    await check();
    await world.apply();
    await write(
      {
        a: api({ version: '1', specContent: spec('b') }, { children: doc, options: { protect: true } }),
        c: api({ description: '${a.id}' }, { options: { aliases: ['b'] } }),
      },
      { other: 'x' },
    );
    await check();
    await check();
  });

  it.each([
    ['nothing', '', 'plan-not-a-plan'],
    ['text', 'hello', 'plan-not-a-plan'],
    ['another JSON file', '{"name":"x"}', 'plan-not-a-plan'],
    ['null', 'null', 'plan-not-a-plan'],
    ['a plan of a later version', '{"checksum":"x","formatVersion":2,"steps":[]}', 'plan-version'],
    ['a plan of an earlier version', '{"checksum":"x","formatVersion":0,"steps":[]}', 'plan-outdated'],
    ['a plan somebody edited', '{"checksum":"x","formatVersion":1,"steps":[]}', 'plan-altered'],
  ])('%s is no plan to apply, and the error says why', (_name, text, code) => {
    expect(parsePlan(text)).toMatchObject({ diagnostic: { code } });
  });
});
