import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { inProcessSandbox, type SandboxRequest } from '@platform-sync/sandbox/in-process';
import { nobody, seeded } from './client.js';

/** A sandbox whose time and ids are ours. */
function own(): ReturnType<typeof inProcessSandbox> {
  let [ticks, ids] = [0, 0];
  const clock = (): number => Date.UTC(2030, 0, 1) + (ticks += 1);
  const id = (): string => {
    const hex = createHash('sha256')
      .update(String((ids += 1)))
      .digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
  };
  return inProcessSandbox({ clock, id, shuffle: 3 });
}

const api = (name: string): SandboxRequest => ({
  ...{ method: 'POST', url: '/v3/apis' },
  body: JSON.stringify({
    name,
    spec_content: 'openapi: 3.0.3\ninfo: {version: 1.0.0}\n',
    attributes: { a: ['x', 'y', 'z'] },
  }),
});

const walk: readonly SandboxRequest[] = [
  ...['one', 'two', 'two'].map(api),
  { method: 'GET', url: '/v3/apis?filter[name][contains]=o&sort=name%20desc' },
  { method: 'GET', url: `/v3/apis/${nobody}` },
  { method: 'POST', url: '/v3/apis', body: '{' },
  { method: 'GET', url: '/v3/teams?page[size]=3' },
  { method: 'GET', url: '/v2/users' },
  { method: 'GET', url: '/v2/users/' },
  { method: 'POST', url: '/v3/portals', body: '{"name":"mine"}' },
  { method: 'GET', url: `/v3/portals/${seeded.portal}/customization` },
  { method: 'POST', url: '/v1/services/nothing:getIamPolicy' },
  { method: 'GET', url: '/nowhere' },
  { method: 'GET', url: '/_sandbox/objects' },
];

test('it answers without a socket, and the same to the same', () => {
  const [a, b] = [own(), own()];
  const answers = walk.map((request) => a.handle(request));
  expect(walk.map((request) => b.handle(request))).toEqual(answers);
  expect(answers.map(({ status }) => status)).toEqual([
    ...[201, 201, 409, 200, 404, 400, 200, 200, 200, 201, 200, 403, 404, 200],
  ]);
  expect(answers[7]?.body).toBe(answers[8]?.body);
});
