import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { emptied } from '../harness/emptied.js';
import { ownTypes } from '../harness/own-types.js';
import { makeWorld, type World } from '../harness/world.js';

/** N APIs with D documents each; `implemented`: each with an implementation, too. */
function fleet(apis: number, documents: number): JsonObject {
  const child = (number: number) => [
    `doc${number}`,
    { type: 'platform:ApiDocument', properties: { title: `Doc ${number}`, content: 'x'.repeat(100) } },
  ];
  const children = Object.fromEntries(Array.from({ length: documents }, (_, number) => child(number)));
  return {
    resources: Object.fromEntries(
      Array.from({ length: apis }, (_, n) => [
        `api${n}`,
        { type: 'platform:Api', properties: { name: `API ${n}` }, children },
      ]),
    ),
  };
}

/** The least that is a valid one. */
const plainApi = 'openapi: 3.0.0\ninfo: {title: Plain, version: "1"}\npaths: {}\n';
const devPortal = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c01';

describe('requests', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  it('creates 50 APIs with 10 documents each in 551 requests, and sees in 51 that nothing is to do', async () => {
    await world.write({ 'catalogue/all.yaml': fleet(50, 10) });
    await world.resetRequests();
    await world.apply();
    expect((await world.requests()).total).toBe(551);
    await world.resetRequests();
    expect((await world.plan()).steps).toEqual([]);
    expect((await world.requests()).total).toBe(51);
  });

  it('creates 50 APIs, each with a version, a publication and 10 documents, in 652, and sees that nothing is to do in 52', async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    const fleets = fleet(50, 10) as { resources: Record<string, { children: Record<string, unknown> }> };
    for (const { children } of Object.values(fleets.resources)) {
      children['v1'] = { type: 'platform:ApiVersion', properties: { specContent: plainApi } };
      children['shown'] = { type: 'platform:ApiPublication', properties: { portalId: devPortal } };
    }
    await world.write({ 'catalogue/all.yaml': fleets as unknown as JsonObject });
    await world.resetRequests();
    await world.apply();
    expect((await world.requests()).total).toBe(652);
    await world.resetRequests();
    expect((await world.plan()).steps).toEqual([]);
    expect((await world.requests()).total).toBe(52);
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    await world.write({ 'catalogue/all.yaml': fleet(50, 10) });
    await world.apply();
  });

  it('destroys them in 156: two looks at the APIs, at the documents of each, and at all else that goes along, one call for each API', async () => {
    await world.resetRequests();
    await world.apply({ mode: 'destroy' });
    const { total, byRoute } = await world.requests();
    expect(byRoute).toEqual({
      'GET /v3/api-implementations': 2,
      'GET /v3/api-publications': 2,
      'GET /v3/apis': 2,
      'GET /v3/apis/{apiId}/documents': 100,
      'DELETE /v3/apis/{apiId}': 50,
    });
    expect(total).toBe(156);
    await world.apply();
  });

  // The least: each list, and each document's text; no list shows a version where the API shows none.
  const least = 1 + 50 + 500;

  it('takes them over in the least and a second look at the APIs, without a word of a list that another does not say', async () => {
    world.loseState();
    await world.resetRequests();
    await world.apply({ mode: 'adopt' });
    expect((await world.requests()).total).toBe(least + 1);
  });

  it('exports them in the least and a list for each other type', async () => {
    await emptied(world);
    await world.resetRequests();
    const { objects } = await world.open((project) => project.export({ types: ownTypes }));
    expect(objects).toBe(550);
    expect((await world.requests()).total).toBe(least + 5);
  });

  it('fetches the text of a changed document only', async () => {
    const { body } = await world.call('GET', '/_sandbox/objects');
    const documents = (body as { documents: { id: string }[] }).documents;
    await world.call('POST', `/_sandbox/objects/documents/${documents[3]?.id ?? ''}`, { content: 'clicked' });
    await world.resetRequests();
    expect((await world.plan()).summary.update).toBe(1);
    expect((await world.requests()).total).toBe(52);
  });

  it('fetches every text with --refresh full, and nothing with --refresh none', async () => {
    await world.resetRequests();
    await world.plan({ refresh: 'full' });
    expect((await world.requests()).total).toBe(51 + 500);
    await world.resetRequests();
    expect((await world.plan({ refresh: 'none' })).steps).toEqual([]);
    expect((await world.requests()).total).toBe(0);
  });

  it('reads few objects among many by id, and many by page', async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    const strangers = Array.from({ length: 950 }, (_, n) => ({ name: `Stranger ${n}` }));
    await world.call('POST', '/_sandbox/seed', { apis: strangers });
    await world.write({ 'catalogue/all.yaml': fleet(3, 0) });
    await world.apply();
    await world.resetRequests();
    const plan = await world.plan();
    expect(plan.unmanaged).toEqual([{ type: 'platform:index/api:Api', count: 950 }]);
    // One page tells the size; three objects by id are cheaper than nine more pages.
    expect((await world.requests()).total).toBeLessThanOrEqual(4);
    await world.write({ 'catalogue/all.yaml': fleet(60, 0) });
    await world.apply();
    await world.resetRequests();
    expect((await world.plan()).steps).toEqual([]);
    expect((await world.requests()).total).toBe(11);
  });
});
