import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../../harness/world.js';

const canary = 'canary-9f8e7d';

describe('a drift check', () => {
  let world: World;
  let problems: (document: unknown) => unknown;
  beforeAll(async () => {
    world = await makeWorld();
    const text = await readFile(new URL('../../../schemas/drift.schema.json', import.meta.url), 'utf8');
    const formats = { 'date-time': true, date: true } as const;
    const validate = new Ajv2020({ allErrors: true, formats }).compile(JSON.parse(text) as object);
    problems = (document) => (validate(document) ? [] : validate.errors);
  });
  beforeEach(async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    await world.call('PUT', '/_sandbox/faults', []);
  });
  afterAll(() => world.close());

  const api = (properties: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
    type: 'platform:Api',
    properties,
    ...more,
  });
  const write = (resources: JsonObject, drift?: JsonObject): Promise<void> =>
    world.write({
      'sync.yaml': { project: 'test', guards: { maxDeletePercent: 100 }, ...(drift === undefined ? {} : { drift }) },
      'catalogue/all.yaml': { resources },
    });

  /** Checks, and insists that the document is as its schema says. */
  async function check(): Promise<DriftResult> {
    const result = await world.open((project) => project.drift());
    expect(problems(JSON.parse(JSON.stringify(result)))).toEqual([]);
    return result;
  }

  async function idOf(address: string): Promise<string> {
    return world.open(async (project) => {
      const record = (await (await project.state()).read()).resources.get(address);
      return record?.identity.id ?? '';
    });
  }

  async function edit(collection: string, address: string, body: Json): Promise<void> {
    const { status } = await world.call('POST', `/_sandbox/objects/${collection}/${await idOf(address)}`, body);
    expect([200, 204]).toContain(status);
  }

  const brief = (result: DriftResult): readonly string[] =>
    result.findings.map((found) => [found.severity, found.class, found.address, found.field ?? ''].join(' ').trim());

  it('tells what the catalogue has not applied yet from what somebody changed', async () => {
    await write({ pets: api({ description: 'a', version: '1' }), gone: api() });
    await world.apply();
    await edit('apis', 'pets', { version: '2' });
    await write({ pets: api({ description: 'b', version: '1' }), fresh: api() });
    const result = await check();
    expect(brief(result)).toEqual(['medium modified pets version']);
    expect(result.unapplied.map(({ action, address, fields }) => [action, address, fields])).toEqual([
      ['create', 'fresh', []],
      ['delete', 'gone', []],
      ['update', 'pets', ['description']],
    ]);
  });

  it('is no evidence of a stack that nothing is recorded for, and keeps what was found before', async () => {
    await write({ pets: api({ description: 'a' }), cats: api() });
    await world.apply();
    await edit('apis', 'pets', { description: 'b' });
    expect(await check()).toMatchObject({ status: 'drift' });
    const lineage = await world.open(async (project) => {
      const store = await project.state();
      const { resources } = await store.read();
      const lease = await store.acquire('a test', { owner: 'me', waitMs: 0 });
      const removed = [...resources.keys()].map((address) => ({ kind: 'remove', address }) as const);
      await store.commit(lease, removed);
      await lease.release();
      return (await store.read()).lineage;
    });
    expect(await check()).toMatchObject({
      ...{ status: 'incomplete', unrecorded: 2, compared: 0, lineage },
      ...{ findings: [], resolved: [], unapplied: [] },
      diagnostics: [{ code: 'no-record', hint: expect.stringContaining('sync adopt') as unknown }],
    });
    world.loseState();
    const lost = await check();
    expect(lost).toMatchObject({ status: 'incomplete', unrecorded: 2 });
    expect(lost.lastSuccess).toBeUndefined();
  });

  it('of an empty catalogue that nothing is recorded for is clean', async () => {
    await write({});
    expect(await check()).toMatchObject({ status: 'clean', compared: 0 });
  });

  it('does not call unapplied changes drift', async () => {
    await write({ pets: api({ description: 'a' }) });
    await world.apply();
    await write({ pets: api({ description: 'b' }) });
    expect(await check()).toMatchObject({ status: 'clean', findings: [], unapplied: [{ address: 'pets' }] });
  });

  it('names a field that moved in both places, once, and says so', async () => {
    await write({ pets: api({ description: 'a' }) });
    await world.apply();
    await edit('apis', 'pets', { description: 'clicked' });
    await write({ pets: api({ description: 'b' }) });
    const { findings } = await check();
    expect(findings).toMatchObject([{ field: 'description', old: 'a', new: 'clicked', alsoInFile: true }]);
  });

  it('calls a change converged that ended where the catalogue wants it', async () => {
    await write({ pets: api({ description: 'a' }), cats: api(), dogs: api() });
    await world.apply();
    await edit('apis', 'pets', { description: 'b' });
    await edit('apis', 'cats', { $delete: true });
    await write({ pets: api({ description: 'b' }), dogs: api() });
    const result = await check();
    expect(result).toMatchObject({ status: 'clean', findings: [] });
    expect(result.converged.map(({ address, field }) => [address, field])).toEqual([
      ['cats', undefined],
      ['pets', 'description'],
    ]);
  });

  it('says what went with a deleted parent', async () => {
    const guide = { type: 'platform:ApiDocument', properties: { title: 'Guide', content: 'x' } };
    await write({ pets: api({}, { children: { guide } }), other: api() });
    await world.apply();
    await edit('apis', 'pets', { $delete: true });
    const { findings } = await check();
    expect(findings.map(({ address, with: along }) => [address, along])).toEqual([
      ['pets', undefined],
      ['pets/guide', 'pets'],
    ]);
    // Reverting the child alone makes the parent first: it can't exist without.
    const planned = await world.open((project) => project.revertDrift(['pets/guide']));
    expect(planned.plan?.steps.map(({ action, address }) => `${action} ${address}`)).toEqual([
      'create pets',
      'create pets/guide',
    ]);
  });

  it('never claims anything about what could not be read', async () => {
    await write({
      pets: api({ version: '1' }),
      bundle: { type: 'platform:ApiProduct', properties: { portalIds: [] } },
    });
    await world.apply();
    await edit('apis', 'pets', { version: '2' });
    const before = await check();
    expect(before.status).toBe('drift');
    await world.call('PUT', '/_sandbox/faults', [
      { match: { method: 'GET', route: '/v3/apis' }, probability: 1, action: { status: 400 } },
      { match: { method: 'GET', route: '/v3/apis/**' }, probability: 1, action: { status: 400 } },
    ]);
    const blind = await check();
    expect(blind).toMatchObject({ status: 'incomplete', findings: [], resolved: [] });
    expect(blind.notCompared).toMatchObject([{ address: 'pets', trend: 'new' }]);
    expect(blind.lastSuccess).toBe(before.checkedAt);
    await world.call('PUT', '/_sandbox/faults', []);
    const after = await check();
    // Known all along: not being able to look is no news about it.
    expect(after.findings).toMatchObject([{ trend: 'known', firstSeen: before.checkedAt }]);
    expect(after.resolved).toMatchObject([{ class: 'not-compared', address: 'pets' }]);
  });

  it('remembers since when, and tells new, worse and resolved', async () => {
    await write({ pets: api({ version: '1', description: 'a' }) });
    await world.apply();
    await edit('apis', 'pets', { version: '2' });
    const first = await check();
    expect(first.findings).toMatchObject([{ trend: 'new', firstSeen: first.checkedAt }]);
    const second = await check();
    expect(second.findings).toMatchObject([{ trend: 'known', firstSeen: first.checkedAt, lastSeen: second.checkedAt }]);
    await edit('apis', 'pets', { version: '3' });
    expect((await check()).findings).toMatchObject([{ trend: 'worse', firstSeen: first.checkedAt }]);
    await edit('apis', 'pets', { version: '1' });
    const last = await check();
    expect(last).toMatchObject({ status: 'clean', findings: [], resolved: [{ field: 'version', by: 'settled' }] });
    expect((await check()).resolved).toEqual([]);
    await edit('apis', 'pets', { version: '2' });
    expect((await check()).findings).toMatchObject([{ trend: 'new' }]);
  });

  it('bumps no serial and takes no lease: a reviewed plan stays what it was', async () => {
    await write({ pets: api({ version: '1' }) });
    await world.apply();
    await edit('apis', 'pets', { version: '2' });
    const { serial, digest } = await world.plan();
    await world.open(async (project) => {
      const lease = await (await project.state()).acquire('apply', { owner: 'somebody', waitMs: 0 });
      expect((await project.drift()).status).toBe('drift');
      await lease.release();
    });
    expect(await world.plan()).toMatchObject({ serial, digest });
  });

  it('leaves out what ignoreChanges leaves alone, and only that', async () => {
    const labels = { team: 'a', tier: 'gold' };
    await write({ pets: api({ labels, version: '1' }, { options: { ignoreChanges: ['labels.team', 'version'] } }) });
    await world.apply();
    await edit('apis', 'pets', { version: '2', labels: { team: 'b' } });
    expect(brief(await check())).toEqual([]);
    await edit('apis', 'pets', { labels: { tier: 'iron' } });
    expect(brief(await check())).toEqual(['medium modified pets labels']);
  });

  it('weighs by field, and by what sync.yaml says', async () => {
    const document = {
      type: 'platform:ApiDocument',
      properties: { title: 'Guide', content: 'x', status: 'published' },
    };
    const resources = { pets: api({ description: 'a', version: '1' }, { children: { guide: document } }) };
    await write(resources);
    await world.apply();
    await edit('apis', 'pets', { description: 'b', version: '2' });
    await edit('documents', 'pets/guide', { title: 'X', status: 'unpublished' });
    expect(brief(await check())).toEqual([
      'high modified pets/guide status',
      'medium modified pets version',
      'low modified pets description',
      'low modified pets/guide title',
    ]);
    await write(resources, { severity: { 'Api.version': 'low', title: 'high', status: 'medium' } });
    expect(brief(await check())).toEqual([
      'high modified pets/guide title',
      'medium modified pets/guide status',
      'low modified pets description',
      'low modified pets version',
    ]);
  });

  describe('with rules', () => {
    const rule = (more: JsonObject): JsonObject => ({ ignore: [{ address: 'pets', reason: 'campaign', ...more }] });
    beforeEach(async () => {
      await write({ pets: api({ version: '1', labels: { team: 'a', tier: 'x' } }), cats: api({ version: '1' }) });
      await world.apply();
      await edit('apis', 'pets', { version: '2', labels: { team: 'b' } });
      await edit('apis', 'cats', { version: '2' });
    });
    const withRule = async (drift: JsonObject): Promise<DriftResult> => {
      await write(
        { pets: api({ version: '1', labels: { team: 'a', tier: 'x' } }), cats: api({ version: '1' }) },
        drift,
      );
      return check();
    };

    it.each([
      ['a whole resource', rule({}), ['cats version'], ['labels', 'version']],
      ['one field', rule({ field: 'version' }), ['cats version', 'pets labels'], ['version']],
      ['a part of a field', rule({ field: 'labels.team' }), ['cats version', 'pets version'], ['labels']],
      ['another part of it', rule({ field: 'labels.tier' }), ['cats version', 'pets labels', 'pets version'], []],
      ['all addresses', rule({ address: '*', field: 'version' }), ['pets labels'], ['version', 'version']],
      ['one that has not run out', rule({ until: '2999-12-31' }), ['cats version'], ['labels', 'version']],
    ])('ignores %s', async (_name, drift, left, ignored) => {
      const result = await withRule(drift);
      expect(result.findings.map(({ address, field }) => `${address} ${field ?? ''}`)).toEqual(left);
      expect(result.ignored.map(({ field }) => field)).toEqual(ignored);
    });

    it('takes a rule that has run out for a finding, and shows again what it hid', async () => {
      const result = await withRule(rule({ field: 'version', until: '2020-01-31' }));
      expect(brief(result)).toContain('low expired-rule pets version');
      const hidden = result.findings.find(
        ({ address, field, verbs }) => address === 'pets' && field === 'version' && verbs.length > 0,
      );
      expect(hidden).toMatchObject({ expired: { reason: 'campaign', until: '2020-01-31' } });
      const expired = result.findings.find(({ class: kind }) => kind === 'expired-rule');
      expect(expired).toMatchObject({ source: expect.stringMatching(/^sync\.yaml:1:\d+$/), verbs: [] });
      const refused = await world.open((project) => project.revertDrift([expired?.id ?? '']));
      expect(refused.diagnostics.map(({ code }) => code)).toEqual(['cannot-revert']);
    });

    it('says of what was found before that a rule ended it', async () => {
      await check();
      const result = await withRule(rule({}));
      expect(result.resolved.map(({ by }) => by)).toEqual(['ignored', 'ignored']);
    });
  });

  it('shows no secret, in any direction', async () => {
    world.env = { ...world.env, TEXT: canary };
    await world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
      'catalogue/all.yaml':
        'resources:\n  pets:\n    type: platform:Api\n    properties: {description: !env TEXT, labels: {team: !secret canary-5a5a}}\n',
    });
    await world.apply();
    await edit('apis', 'pets', { description: 'canary-of-the-platform', labels: { team: 'canary-6b6b' } });
    const result = await check();
    expect(brief(result)).toEqual(['medium modified pets labels', 'low modified pets description']);
    const accepted = await world.open((project) => project.acceptDrift(['pets']));
    expect(accepted.accepted).toEqual([]);
    expect(accepted.skipped.map(({ why }) => why.includes('secret'))).toEqual([true, true]);
    const recorded = await world.open(async (project) => {
      await project.recordDrift(['pets']);
      return (await project.state()).pull();
    });
    expect(JSON.stringify([result, accepted]) + recorded).not.toContain('canary-');
    expect(await check()).toMatchObject({ findings: [] });
  });

  it('is a failed check when the catalogue is broken, and resolves nothing', async () => {
    await write({ pets: api({ version: '1' }) });
    await world.apply();
    await edit('apis', 'pets', { version: '2' });
    const before = await check();
    await write({ pets: { type: 'platform:Nothing' } });
    expect(await check()).toMatchObject({ status: 'failed', resolved: [], lastSuccess: before.checkedAt });
    await write({ pets: api({ version: '1' }) });
    expect((await check()).findings).toMatchObject([{ trend: 'known', firstSeen: before.checkedAt }]);
  });
});
