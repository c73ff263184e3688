import { expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { compileTypes } from '@platform-sync/describe/compile';
import { Description } from '@platform-sync/describe/description';
import { noRules } from '@platform-sync/describe/rules-file';
import { livesOf } from '../providers/own/whole-lives.js';

/** Keys that stand in the path and in bodies, too. */
const text: JsonObject = { type: 'string' };
const content = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  ...{ type: 'object', properties, required },
});
const collection = (schema: JsonObject, body: JsonObject): JsonObject => ({
  post: { requestBody: content(body), responses: { '201': content(schema) } },
  get: { responses: { '200': content({ type: 'array', items: schema }) } },
});
const item = (schema: JsonObject, body: JsonObject): JsonObject => ({
  get: { responses: { '200': content(schema), '404': {} } },
  put: { requestBody: content(body), responses: { '200': content(schema) } },
  delete: { responses: { '204': {} } },
});

const plan = { code: text, name: text, ends: { type: ['string', 'null'] } };
const charge = { id: text, code: text, name: text, plan_code: text };
const preset = object({ name: text, value: text }, ['name']);
const description = {
  openapi: '3.1.0',
  info: { title: 'Prices', version: '1' },
  paths: {
    '/plans': collection(object(plan, ['code']), object(plan, ['code', 'name'])),
    // Takes the code without asking for it, and asks for what nobody has to say at first.
    '/plans/{code}': item(object(plan, ['code']), object(plan, ['ends'])),
    '/plans/{code}/charges': collection(object(charge, ['id']), object(charge, ['name', 'plan_code'])),
    '/plans/{code}/charges/{charge_id}': item(object(charge, ['id']), object(charge, ['plan_code'])),
    '/presets': { get: { responses: { '200': content({ type: 'array', items: preset }) } } },
    '/presets/{presetId}': item(preset, object({ value: text })),
    '/marks': collection(object({ code: text, name: text }, ['code']), object({ code: text, name: text })),
    '/marks/{mark_code}': item(object({ code: text, name: text }, ['code']), object({ code: text, name: text })),
  },
} as unknown as JsonObject;

it('are sent in both places, and what lies in an object with a code has another name for it than for its own', async () => {
  const { lived, failed } = await livesOf(
    description,
    { absent: { status: 404, body: { message: 'no' } } },
    {
      absence: { status: 404, body: { message: '*' } },
    },
  );
  expect([...failed]).toEqual([]);
  expect(lived).toEqual(['Charge', 'Mark', 'Plan', 'Preset']);
  const { definitions } = compileTypes(new Description(description, 'api.json'), noRules).types;
  const [ofCharge, mark, ofPlan, put] = definitions;
  expect(ofPlan?.operations.resent).toEqual({ ends: 'ends', code: 'id' });
  expect(ofPlan?.fields['code']?.sent).toBe('code');
  expect(ofCharge?.operations.read).toBe('GET /plans/{planCode}/charges/{id}');
  expect(ofCharge?.operations.resent).toEqual({ plan_code: 'planCode' });
  expect(ofCharge?.fields['planCode']).toMatchObject({ sent: 'plan_code', references: 'Plan' });
  // What is put in a place is called there as answers call it.
  expect(put?.fields['presetId']).toMatchObject({ wire: 'name' });
  // What the service chooses unless people say it: another one is another object.
  expect(mark?.idWire).toBe('code');
  expect(mark?.fields['code']).toMatchObject({ replaces: 'if-declared', stable: true });
});
