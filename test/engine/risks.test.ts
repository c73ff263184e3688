import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

describe('what a plan says will be lost', () => {
  let world: World;
  freshWorlds((made) => (world = made));

  const spec = (title: string): string => `openapi: 3.0.3\ninfo: {title: ${title}, version: "1"}\npaths: {}\n`;
  const write = (title: string, children: JsonObject = {}): Promise<void> =>
    world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100, allow: [{guard: emptyCatalogue, reason: test}]}\n',
      'catalogue/all.yaml': {
        resources: {
          pets: {
            type: 'platform:Api',
            properties: { name: 'Pets', version: '1', specContent: spec(title) },
            children,
          },
        },
        outputs: { id: '${pets.id}' },
      },
    });

  const publish = async (id: unknown): Promise<void> => {
    const path = `/v3/apis/${String(id)}/publications/8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c01`;
    expect((await world.call('PUT', path, {})).status).toBeLessThan(300);
  };

  it('a replacement takes publications and unmanaged documents with it, and the plan says so first', async () => {
    const guide = { type: 'platform:ApiDocument', properties: { title: 'Guide', content: 'x', status: 'published' } };
    await write('a', { guide });
    const { outputs } = await world.apply();
    const id = String(outputs['id']);
    await publish(id);
    await world.call('POST', `/v3/apis/${id}/documents`, { title: 'Made by hand', content: 'x' });
    await write('b', { guide });
    const plan = await world.plan();
    const [api, document] = plan.steps;
    expect(api?.risks).toEqual([
      { kind: 'replaces' },
      { kind: 'cascades', what: 'portals: Dev portal' },
      { kind: 'cascades', what: '1 unmanaged ApiDocument' },
      { kind: 'cascades', what: '1 unmanaged ApiPublication' },
    ]);
    expect(document?.risks).toContainEqual({ kind: 'replaces' });
    expect(plan.unmanaged).toEqual([{ type: 'platform:index/apiDocument:ApiDocument', under: 'pets', count: 1 }]);
  });

  it.each<[string, string | undefined, string | undefined, readonly string[]]>([
    ['a document that becomes visible', 'unpublished', 'published', ['publishes']],
    ['a document that disappears', 'published', 'unpublished', ['unpublishes']],
    ['a status line that is removed', 'published', undefined, ['unpublishes']],
    ['a text that changes in a visible document', 'published', 'published', []],
  ])('%s', async (_name, before, after, expected) => {
    const guide = (status: string | undefined, content: string): JsonObject => ({
      guide: {
        type: 'platform:ApiDocument',
        properties: { title: 'Guide', content, ...(status === undefined ? {} : { status }) },
      },
    });
    await write('a', guide(before, 'one'));
    const { outputs } = await world.apply();
    await write('a', guide(after, 'two'));
    const kinds = async (): Promise<readonly string[] | undefined> =>
      (await world.plan()).steps[0]?.risks.map(({ kind }) => kind);
    expect(await kinds()).toEqual([]);
    await publish(outputs['id']);
    expect(await kinds()).toEqual(expected);
  });

  it('deleting a visible document unpublishes it', async () => {
    await write('a', {
      guide: { type: 'platform:ApiDocument', properties: { title: 'Guide', content: 'x', status: 'published' } },
    });
    const { outputs } = await world.apply();
    await publish(outputs['id']);
    await write('a');
    const [step] = (await world.plan()).steps;
    expect(step?.risks.map(({ kind }) => kind)).toEqual(['deletes', 'unpublishes']);
    expect(step?.patch).toContainEqual({ op: 'remove', path: '/title' });
    // What is lost, as it was last seen; where it lives is no content.
    expect(Object.fromEntries(step?.fields.map(({ field, old }) => [field, old]) ?? [])).toEqual({
      ...{ title: 'Guide', content: 'x', slug: 'guide', status: 'published' },
    });
  });

  it('what is lost with a deleted object hides secrets, and shows what somebody changed by hand', async () => {
    world.env = { ...world.env, TITLE: 'canary-title' };
    const children = { guide: { type: 'platform:ApiDocument', properties: { title: 'PLACE', content: 'x' } } };
    await write('a', children);
    const path = join(world.folder, 'catalogue/all.yaml');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"PLACE"', '{"fn::env": "TITLE"}'));
    await world.apply();
    const before = await world.open((project) => project.state().then((store) => store.read()));
    const { id, scope } = before.resources.get('pets/guide')?.identity ?? { id: '', scope: {} };
    await world.call('PATCH', `/v3/apis/${String(scope['apiId'])}/documents/${id}`, { content: 'by hand' });
    await write('a');
    const [step] = (await world.plan()).steps;
    const old = new Map(step?.fields.map((field) => [field.field, field.old]));
    expect(old.get('content')).toBe('by hand');
    expect(old.get('title')).toHaveProperty('$secret');
    expect(JSON.stringify(step)).not.toContain('canary');
  });
});
