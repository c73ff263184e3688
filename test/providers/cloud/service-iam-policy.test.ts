import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { NotSentError, type Fence } from '@platform-sync/core/model/state-store';
import type { Provider } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { cloudPackage } from '@platform-sync/cloud/package';
import type { Reaction, SeenRequest } from '../http/loopback.js';
import { failure, policy, refusal, rig, service, type Rig } from './rig.js';

const [type] = cloudPackage.types.values();
if (type === undefined) throw new Error('no type');

const bindings = [{ role: 'roles/viewer', members: ['user:a@example.com'] }];
const there: JsonObject = { version: 1, etag: 'BwA=', bindings };
const written: JsonObject = { ...there, etag: 'BwB=' };
const identity = { id: `services/${service}`, scope: {} };
const inputs: JsonObject = { serviceName: service, policyData: { bindings } };
const isSet = ({ url }: SeenRequest): boolean => url.endsWith(':setIamPolicy');
const drop = (response: ServerResponse): void => void response.destroy();

/** A service that answers reads so and writes so. */
const answering = (
  read: Reaction,
  write: Reaction = policy(written),
  more: Parameters<typeof rig>[1] = {},
): Promise<Rig> => rig((request) => (isSet(request) ? write : read), more);

const create = ({ provider }: { readonly provider: Provider }): Promise<unknown> => provider.create(type, {}, inputs);
const update = (
  { provider }: { readonly provider: Provider },
  actual: JsonObject = { etag: 'BwA=' },
): Promise<unknown> =>
  provider.update(type, { identity, set: { policyData: JSON.stringify({ bindings }) }, clear: [], actual });
const sent = ({ server }: Rig): readonly Json[] =>
  server.seen.filter(isSet).map(({ body }) => JSON.parse(body) as Json);

describe('reading', () => {
  test('gives name, policy and version; the id is in normal form, whichever was asked for', async () => {
    const { provider } = await answering(policy(there));
    for (const id of [service, `services/${service}`])
      expect(await provider.read(type, { id, scope: {} })).toEqual({
        identity,
        values: {
          serviceName: service,
          etag: 'BwA=',
          policyData: '{"bindings":[{"members":["user:a@example.com"],"role":"roles/viewer"}]}',
        },
      });
    expect(await provider.find(type, {}, inputs)).toMatchObject([{ identity }]);
  });

  test.each([{}, { etag: 'ACAB' }, { etag: 'BwA=', bindings: [] }])('%j counts as no policy', async (body) => {
    const { provider } = await answering(policy(body));
    expect(await provider.read(type, identity)).toBeUndefined();
    expect(await provider.find(type, {}, inputs)).toEqual([]);
  });

  test('an unknown service is an error, never a policy that is gone', async () => {
    const { provider } = await answering(refusal(403, 'not found or permission denied'));
    expect((await failure(provider.read(type, identity))).kind).toBe('not-found');
    expect((await failure(provider.find(type, {}, inputs))).kind).toBe('not-found');
  });

  test('nothing is listed: the list has no end, and one that is read whole is told of', async () => {
    const told: unknown[] = [];
    const { provider, server } = await answering(policy(there), policy(), { onDiagnostic: (one) => told.push(one) });
    const pages: number[] = [];
    const isEnough = ({ morePages }: { morePages: number }): boolean => pages.push(morePages) > 0;
    expect(await provider.list(type, {}, { isEnough })).toEqual({ objects: [], isComplete: false, total: 0 });
    expect(pages).toEqual([Number.MAX_SAFE_INTEGER]);
    expect(told).toEqual([]);
    await provider.list(type, {});
    expect(told).toMatchObject([{ code: 'unlisted-policies' }]);
    expect(server.seen).toEqual([]);
  });
});

describe('every write names the version that was read', () => {
  const whole = { updateMask: 'bindings,etag,auditConfigs' };
  test('a create, the one of the empty policy', async () => {
    const it = await answering(policy({ etag: 'ACAB' }));
    expect(await create(it)).toMatchObject({ identity, values: { etag: 'BwB=' } });
    expect(sent(it)).toEqual([{ policy: { bindings, version: 3, etag: 'ACAB' }, ...whole }]);
  });

  test('an update, the one that the plan saw; nothing is read first', async () => {
    const it = await answering(policy(there));
    expect(await update(it)).toMatchObject({ identity, values: { etag: 'BwB=' } });
    expect(it.server.seen).toHaveLength(1);
    expect(sent(it)).toEqual([{ policy: { bindings, version: 3, etag: 'BwA=' }, ...whole }]);
  });

  test('a delete, the one that was looked at last: it empties the policy', async () => {
    const it = await answering(policy(there));
    await it.provider.delete(type, identity, { actual: { etag: 'BwZ=' } });
    await it.provider.delete(type, identity);
    expect(sent(it)).toEqual(['BwZ=', 'BwA='].map((etag) => ({ policy: { version: 3, etag }, ...whole })));
  });

  test('a delete of what is empty already sends nothing', async () => {
    const it = await answering(policy({ etag: 'ACAB' }));
    await it.provider.delete(type, identity);
    expect(sent(it)).toEqual([]);
  });

  test.each([undefined, '', null])('without a version (%j) nothing is written', async (etag) => {
    const it = await answering(policy({}));
    for (const call of [() => create(it), () => update(it, etag === undefined ? {} : { etag })])
      expect((await failure(call())).diagnostics[0]?.code).toBe('policy-without-etag');
    expect(sent(it)).toEqual([]);
  });
});

describe('nothing is written over', () => {
  test('a service that has a policy is not given another one', async () => {
    const it = await answering(policy(there));
    const error = await failure(create(it));
    expect(error).toMatchObject({ kind: 'conflict', diagnostics: [{ code: 'policy-exists', field: 'serviceName' }] });
    expect(sent(it)).toEqual([]);
  });

  test.each([409, 412])('%i: changed meanwhile, told once and not tried again', async (status) => {
    const it = await answering(policy(there), refusal(status, 'There were concurrent policy changes.'));
    const error = await failure(update(it));
    expect(error).toMatchObject({ kind: 'conflict', diagnostics: [{ code: 'policy-changed' }] });
    expect(sent(it)).toHaveLength(1);
  });

  test.each([{}, { policyData: '[]' }, { policyData: 'no JSON' }, { policyData: {} }])(
    'what is no policy (%j) is not sent',
    async (set) => {
      const it = await answering(policy(there));
      const error = await failure(it.provider.update(type, { identity, set, clear: [], actual: { etag: 'BwA=' } }));
      expect(error).toMatchObject({ kind: 'invalid', diagnostics: [{ field: 'policyData' }] });
      expect(it.server.seen).toEqual([]);
    },
  );
});

describe('a write whose fate is unclear', () => {
  test.each<[string, Reaction]>([
    ['a lost connection', drop],
    ['500', refusal(500, 'broken')],
    ['503', refusal(503, 'later')],
    ['408', refusal(408, 'slow')],
  ])('%s: is sent once, and told as unclear', async (_name, write) => {
    const it = await answering(policy(there), write);
    const error = await failure(update(it));
    expect(error).toMatchObject({ kind: 'ambiguous', diagnostics: [{ code: 'outcome-unknown' }] });
    expect(sent(it)).toHaveLength(1);
  });

  test('429 carried nothing out, so it is sent again', async () => {
    const it = await rig((request, nth) => (nth === 0 ? refusal(429, 'slow down') : policy(written)));
    expect(await update(it)).toMatchObject({ values: { etag: 'BwB=' } });
    expect(sent(it)).toHaveLength(2);
  });

  test('an answer that cannot be understood: what the service has now counts', async () => {
    const it = await answering(policy(written), { status: 200, text: '<p>done</p>' });
    expect(await update(it)).toMatchObject({ values: { etag: 'BwB=' } });
    const lost = await answering(refusal(400, 'no'), { status: 200, text: '' });
    expect((await failure(update(lost))).kind).toBe('ambiguous');
  });

  test('403 names the right that setting takes', async () => {
    const it = await answering(policy(there), refusal(403, 'The caller does not have permission'));
    expect(await failure(update(it))).toMatchObject({
      kind: 'forbidden',
      diagnostics: [{ hint: expect.stringContaining('setIamPolicy') }],
    });
  });
});

describe('the right to send', () => {
  const fence = (mayWrite: boolean): Fence => ({
    mayWrite: () => mayWrite,
    dropped: new AbortController().signal,
    cut: new AbortController().signal,
  });
  test.each([
    ['is asked for', () => undefined],
    ['was lost', () => fence(false)],
  ])('%s: nothing leaves', async (_name, given) => {
    const it = await answering(policy(there), policy(written), { fence: given });
    await expect(update(it)).rejects.toThrow(NotSentError);
    expect(sent(it)).toEqual([]);
    // Reading takes no right.
    expect(await it.provider.read(type, identity)).toMatchObject({ identity });
  });

  test('is there: it is written', async () => {
    const it = await answering(policy(there), policy(written), { fence: () => fence(true) });
    expect(await update(it)).toMatchObject({ identity });
  });
});

describe('what a file may say', () => {
  const valid = (policyData: Json, serviceName: Json = service): Promise<readonly string[]> =>
    Promise.resolve(cloudPackage.validate(type.token, { serviceName, policyData })).then((all) =>
      all.map(({ pointer, keyword }) => `${pointer} ${keyword}`),
    );
  test.each<[string, Json]>([
    ['an object', { bindings }],
    ['its text', JSON.stringify({ bindings })],
    ['everybody', { bindings: [{ role: 'r', members: ['allUsers', 'allAuthenticatedUsers', 'principalSet://x'] }] }],
    ['a condition', { bindings: [{ ...bindings[0], condition: { title: 't', expression: 'e' } }] }],
    ['audit rules', { bindings, auditConfigs: [{ service: 's', auditLogConfigs: [{ logType: 'DATA_READ' }] }] }],
  ])('%s', async (_name, value) => {
    expect(await valid(value)).toEqual([]);
  });

  test.each<[string, Json, string]>([
    ['nobody', { bindings: [] }, '/policyData/bindings minItems'],
    ['an empty policy', {}, '/policyData required'],
    ['text that is no JSON', 'x', '/policyData contentMediaType'],
    ['the text of a list', '[]', '/policyData contentMediaType'],
    ['an etag', { bindings, etag: 'x' }, '/policyData additionalProperties'],
    ['a version in text', JSON.stringify({ bindings, version: 3 }), '/policyData additionalProperties'],
    ['a role without members', { bindings: [{ role: 'r', members: [] }] }, '/policyData/bindings/0/members minItems'],
    ['a bare address', { bindings: [{ role: 'r', members: ['a@b.c'] }] }, '/policyData/bindings/0/members/0 pattern'],
    [
      'somebody whose account is gone',
      { bindings: [{ role: 'r', members: ['deleted:user:a@b.c?uid=1'] }] },
      '/policyData/bindings/0/members/0 pattern',
    ],
  ])('not %s', async (_name, value, broken) => {
    expect(await valid(value)).toContain(broken);
  });

  test.each(['', 'services/a.example.com', 'A.example.com', 'a b', 'a/b', 5])('not the service %j', async (name) => {
    expect((await valid({ bindings }, name)).join()).toMatch(/^\/serviceName /);
  });
});
