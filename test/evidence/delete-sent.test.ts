import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { json } from '../harness/lying-platform.js';
import { hurriedPackages } from '../fault/fault-world.js';
import { lyingWorld, type LyingWorld } from '../harness/lying-world.js';

/** No delete is left out on one answer: what is told as deleted was sent, whatever the look before it said. */

let lying: LyingWorld;
beforeEach(async () => {
  lying = await lyingWorld();
});
afterEach(() => lying.close());

const guards = 'guards: {maxDeletes: 1000, maxDeletePercent: 100}\n';
const page = (title: string): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title, content: title },
});
const pets: JsonObject = {
  type: 'platform:Api',
  properties: { name: 'Pets' },
  children: { first: page('First'), second: page('Second') },
};

const write = (resources: JsonObject) =>
  lying.world.write({ 'sync.yaml': `project: test\n${guards}`, 'catalogue/all.yaml': { resources } });

async function idsOf(kind: string): Promise<readonly string[]> {
  const { body } = await lying.world.call('GET', '/_sandbox/objects');
  return ((body as Record<string, readonly JsonObject[]>)[kind] ?? []).map((row) => String(row['id']));
}

/** Denies reads of single objects in the platform's own words, so often each. */
async function deny(kind: string, times: number): Promise<void> {
  const ids = await idsOf(kind);
  const path = '/v3/apis/00000000-0000-4000-8000-000000000000';
  const { body } = await lying.world.call('GET', path);
  const left = new Map(ids.map((id) => [id, times]));
  lying.platform.tell((asked) => {
    const id = asked.split('/').at(-1) ?? '';
    const more = left.get(id) ?? 0;
    left.set(id, more - 1);
    return more > 0 ? json(body as Json, 404) : undefined;
  });
}

const bare: JsonObject = { type: 'platform:Api', properties: { name: 'Pets' } };

describe('what a read before its delete denies', () => {
  it.each<[string, JsonObject, 'apply' | 'destroy', string]>([
    ['an API that is destroyed', { pets }, 'destroy', 'apis'],
    ['an API that left the catalogue', {}, 'apply', 'apis'],
    ['documents that are destroyed with their API', { pets }, 'destroy', 'documents'],
    ['documents that left the catalogue', { pets: bare }, 'apply', 'documents'],
  ])('ends all the same: %s, denied once or always', async (_what, after, mode, kind) => {
    for (const times of [1, 1000]) {
      await write({ pets });
      await lying.world.apply();
      await write(after);
      const result = await lying.world.open(async (project) => {
        const planned = await project.plan({ mode, allow: [{ guard: 'emptyCatalogue', reason: 'test' }] });
        await deny(kind, times);
        return project.apply(planned);
      });
      lying.platform.tell();
      expect(result.status).toBe('done');
      expect(await idsOf(kind)).toEqual([]);
    }
  });

  it.each<[string, JsonObject, string]>([
    ['an API', {}, 'apis'],
    ['a document', { pets: { ...bare, children: { first: page('First') } } }, 'documents'],
  ])('is not told as deleted when the delete never arrived: %s', async (_what, after, kind) => {
    await write({ pets });
    await lying.world.apply();
    await write(after);
    const allow = [{ guard: 'emptyCatalogue', reason: 'test' }];
    const before = await idsOf(kind);
    const result = await lying.world.open(
      async (project) => {
        const planned = await project.plan({ allow });
        await deny(kind, 1000);
        const rules = [{ match: { method: 'DELETE' }, times: 1000, action: { reset: 'before' } }];
        await lying.world.call('PUT', '/_sandbox/faults', { rules });
        return project.apply(planned);
      },
      { packages: hurriedPackages() },
    );
    expect([result.status, await idsOf(kind)]).toEqual(['failed', before]);
    lying.platform.tell();
    await lying.world.call('DELETE', '/_sandbox/faults');
    await lying.world.apply({ allow });
    expect(await idsOf(kind)).toHaveLength(before.length - 1);
  });
});
