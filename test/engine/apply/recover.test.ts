import { describe, expect, it } from 'vitest';
import { recover, type Recovery } from '@platform-sync/engine/apply/recover';
import { leftBy } from '@platform-sync/engine/refresh/evidence';
import { ProviderError, type Provider, type RemoteObject } from '@platform-sync/core/model/provider';
import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Intent, RecordedResource } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { fingerprint } from '@platform-sync/engine/sealed-state';
import { Seals } from '@platform-sync/core/value/seal';
import { readsOf, creating, deleting, recorded, remote, stackState, stubProvider, typeOf } from './stubs.js';

const portalToken = 'platform:index/portal:Portal';
const seal = (value: Json): string => fingerprint('00', value);

/** The store of one stack, or of one beside which another has recorded these. */
function storeWith(...ids: readonly string[]): Pick<StateStore, 'managedElsewhere' | 'runs'> {
  const { token: type } = typeOf('platform:index/apiProduct:ApiProduct');
  const others = ids.map((id) => ({
    ...{ project: 'shop', stack: 'other', address: 'theirs', type },
    ...{ identity: { id, scope: {} }, targets: {} },
  }));
  return {
    managedElsewhere: (asked) => Promise.resolve(others.filter(({ identity }) => asked.includes(identity.id))),
    runs: () => Promise.resolve([]),
  };
}

function settle(
  intents: readonly Intent[],
  calls: Partial<Provider>,
  records: readonly RecordedResource[] = [],
  imported: Readonly<Record<string, string>> = {},
  kept: readonly OutboxWrite[] = [],
): Promise<Recovery> {
  return recover({
    ...{ state: stackState(records, intents), store: storeWith() },
    typeOf,
    reads: readsOf(stubProvider(calls)),
    seals: new Seals(seal),
    imported: new Map(Object.entries(imported)),
    kept,
  });
}

/** A platform that holds these products. */
function holding(...objects: readonly RemoteObject[]): Partial<Provider> {
  return {
    find: (_type, _scope, inputs) => Promise.resolve(objects.filter(({ values }) => values['name'] === inputs['name'])),
    list: () => Promise.resolve({ objects, isComplete: true, total: objects.length }),
    read: (_type, { id }) => Promise.resolve(objects.find(({ identity }) => identity.id === id)),
  };
}

const told = ({ changes }: Recovery): readonly string[] =>
  changes.map((change) => {
    if (change.kind === 'put')
      return `put ${change.resource.address} = ${[change.resource.identity.id, ...change.resource.deposed.map(({ identity }) => `old ${identity.id}`)].join(', ')}`;
    return change.kind === 'remove' ? `remove ${change.address}` : change.kind;
  });

describe('what an interrupted run did after all', () => {
  it('a create that was carried out is recorded, one that was not is dropped', async () => {
    const recovery = await settle(
      [creating('shop', { name: 'Shop' }), creating('cafe', { name: 'Cafe' })],
      holding(remote('1', { name: 'Shop' })),
    );
    expect(told(recovery)).toEqual(['put shop = 1', 'close-intent', 'close-intent']);
  });

  it('a create that no key rules out is held for as long as its object may not show, and says until when', async () => {
    const intent = creating('shop', { name: 'Shop' });
    const at = Date.parse(intent.createdAt);
    const seen = (now: number): Promise<Recovery> =>
      recover({
        ...{ state: stackState([], [intent]), store: storeWith() },
        ...{ typeOf, reads: readsOf(stubProvider(holding())), seals: new Seals(seal) },
        ...{ settledBefore: new Date(now - 120_000).toISOString(), settleMs: 120_000 },
      });
    const early = await seen(at + 129_000);
    const until = new Date(at + 130_000).toISOString();
    expect(early.changes).toEqual([]);
    expect(early.held.get('shop')).toMatchObject({
      ...{ code: 'not-visible-yet', address: 'shop' },
      summary: `An interrupted run may have created shop at ${intent.createdAt}, but the platform does not show it yet. The platform allows a second ApiProduct with that key, so shop is created only if none shows up by ${until}.`,
      hint: `Run the command again after ${until}: no earlier answer proves that it was not created. With --lock-timeout 5m it waits by itself.`,
    });
    const late = await seen(at + 130_000);
    expect([told(late), late.held.size]).toEqual([['close-intent'], 0]);
  });

  it('a create of whose key there is one is made again at once, and its intent stays open until its object would show', async () => {
    const { createdAt, ...intent } = creating('portal', { name: 'Shop' });
    const late = { ...intent, createdAt, type: portalToken, renewedAt: '2026-01-01T12:10:00.000Z' };
    const seen = (settledBefore: string, wanted = portalToken): Promise<Recovery> =>
      recover({
        ...{ state: stackState([], [late]), store: storeWith(), wanted: new Map([['portal', { type: wanted }]]) },
        ...{ typeOf, reads: readsOf(stubProvider(holding())), seals: new Seals(seal), settledBefore },
      });
    const early = await seen('2026-01-01T12:10:09.999Z');
    expect([told(early), early.held.size, early.recovered]).toEqual([[], 0, []]);
    // What is no more in the files is told, and nothing of another type is made at its address.
    const left = await seen('2026-01-01T12:10:09.999Z', typeOf('platform:index/api:Api').token);
    expect([told(left), left.held.get('portal')?.summary]).toEqual([
      [],
      `An interrupted run may have created portal at ${createdAt}, but the platform does not show it yet.`,
    ]);
    expect(told(await seen('2026-01-01T12:10:10.000Z'))).toEqual(['close-intent']);
  });

  it('what was kept on this machine is taken without asking, and its object is nobody else’s', async () => {
    const kept = (intent: string, more: Partial<OutboxWrite> = {}): OutboxWrite => ({
      lineage: 'lineage',
      intent,
      changes: [
        { kind: 'put', resource: recorded('left', '1') },
        { kind: 'close-intent', id: intent },
      ],
      ...more,
    });
    const intents = [creating('left', { name: 'Twin' }), creating('right', { name: 'Twin' })];
    const [left, right] = intents.map(({ id }) => id);
    const calls = holding(remote('1', { name: 'Twin' }));
    expect(told(await settle(intents.slice(0, 1), {}, [], {}, [kept(left ?? '')]))).toEqual([
      'put left = 1',
      'close-intent',
    ]);
    expect(told(await settle(intents, calls, [], {}, [kept(left ?? '')]))).toEqual([
      'put left = 1',
      'close-intent',
      'close-intent',
    ]);
    // Settled by another run since, or of another stack's history: the platform is asked.
    const asked = ['put right = 1', 'close-intent'];
    expect(told(await settle(intents.slice(1), calls, [], {}, [kept(left ?? '')]))).toEqual(asked);
    expect(told(await settle(intents.slice(1), calls, [], {}, [kept(right ?? '', { lineage: 'other' })]))).toEqual(
      asked,
    );
  });

  it('two creates of equal objects get one each, never the same one', async () => {
    const recovery = await settle(
      [creating('left', { name: 'Twin' }), creating('right', { name: 'Twin' })],
      holding(remote('1', { name: 'Twin' }), remote('2', { name: 'Twin' })),
    );
    expect(told(recovery)).toEqual(['put left = 1', 'close-intent', 'put right = 2', 'close-intent']);
  });

  it('of two creates of equal objects, one carried out, one gets it', async () => {
    const recovery = await settle(
      [creating('left', { name: 'Twin' }), creating('right', { name: 'Twin' })],
      holding(remote('1', { name: 'Twin' })),
    );
    expect(told(recovery)).toEqual(['put left = 1', 'close-intent', 'close-intent']);
  });

  it('of two equal creates at one address, the last one that was begun before the object made it', async () => {
    const begun = (run: string, at: string): Intent => ({
      ...creating('shop', { name: 'Shop' }),
      ...{ id: run, run, createdAt: at, record: recorded('shop', '', { inputs: { name: 'Shop', run } }) },
    });
    const runs = [begun('1', '2026-01-01T12:00:00.000Z'), begun('2', '2026-01-01T12:01:00.000Z')];
    const maker = async (createdAt: string): Promise<unknown> => {
      const { changes } = await settle(runs, holding(remote('1', { name: 'Shop', createdAt })));
      return changes.flatMap((change) => (change.kind === 'put' ? [change.resource.inputs['run']] : []));
    };
    expect(await maker('2026-01-01T12:00:01.000Z')).toEqual(['1']);
    expect(await maker('2026-01-01T12:01:01.000Z')).toEqual(['2']);
    // The clock of the platform is slow.
    expect(await maker('2026-01-01T11:59:59.000Z')).toEqual(['1']);
  });

  it('two creates at one address under two names were both carried out: the first object is still to be deleted', async () => {
    // Both were to take the place of a third one.
    const record = recorded('shop', '', { deposed: [{ identity: { id: '0', scope: {} }, outputs: {} }] });
    const first = { ...creating('shop', { name: 'Shop' }), record };
    const later = {
      ...creating('shop', { name: 'Other' }),
      record,
      id: 'later',
      createdAt: '2026-01-01T12:01:00.000Z',
    };
    const recovery = await settle(
      [first, later],
      holding(remote('1', { name: 'Shop' }), remote('2', { name: 'Other', createdAt: '2026-01-01T12:01:01.000Z' })),
    );
    expect(told(recovery)).toEqual([
      'put shop = 1, old 0',
      'close-intent',
      'put shop = 2, old 0, old 1',
      'close-intent',
    ]);
  });

  it('of two creates of one key, the one that sent more takes the object that has it', async () => {
    const recovery = await settle(
      [creating('plain', { name: 'Twin' }), creating('rich', { name: 'Twin', description: 'rich' })],
      holding(remote('1', { name: 'Twin', description: 'rich' }), remote('2', { name: 'Twin', description: null })),
    );
    expect(told(recovery)).toEqual(['put plain = 2', 'close-intent', 'put rich = 1', 'close-intent']);
  });

  it('an object whose name is a secret is found by its fingerprint, on whatever page it is', async () => {
    const name = { $secret: { expression: '!env NAME', fingerprint: seal('Hush') } };
    const recovery = await settle(
      [creating('hush', { name })],
      holding(remote('1', { name: 'Loud' }), remote('2', { name: 'Hush' })),
    );
    expect(told(recovery)).toEqual(['put hush = 2', 'close-intent']);
    // The name itself does not get into state.
    expect(JSON.stringify(recovery.changes)).not.toContain('Hush');
  });

  it('what was made in a parent that is gone went with it; that its list is not found proves nothing', async () => {
    const gone = new ProviderError('not-found', [{ severity: 'error', code: 'object-not-found', summary: 'gone' }]);
    const type = 'platform:index/apiDocument:ApiDocument';
    const page = { ...creating('pets/guide', { slug: 'guide' }), type, scope: { apiId: '1' } };
    const find = (): Promise<never> => Promise.reject(gone);
    const settled = await settle([page], { find, read: () => Promise.resolve(undefined) });
    expect([told(settled), settled.diagnostics]).toEqual([['close-intent'], []]);
    const open = await settle([page], { find, read: () => Promise.resolve(remote('1', {})) });
    expect([told(open), open.diagnostics.map(({ code }) => code)]).toEqual([[], ['object-not-found']]);
  });

  it('objects that were being deleted leave the records that hold them', async () => {
    const old = (id: string) => ({ identity: { id, scope: {} }, outputs: {} });
    const recovery = await settle(
      [deleting('shop', '1'), deleting('cafe', '3'), deleting('cafe', '4'), deleting('bar', '5')],
      holding(remote('5', { name: 'Bar' })),
      [recorded('shop', '1'), recorded('cafe', '2', { deposed: [old('3'), old('4')] }), recorded('bar', '5')],
    );
    expect(told(recovery)).toEqual([
      'remove shop',
      'close-intent',
      'put cafe = 2, old 4',
      'close-intent',
      'put cafe = 2',
      'close-intent',
      'close-intent',
    ]);
  });

  it('a record whose object has ended stays while it alone knows of an old one', async () => {
    const held = [recorded('shop', '1', { deposed: [{ identity: { id: '2', scope: {} }, outputs: {} }] })];
    expect(told(await settle([deleting('shop', '1')], holding(), held))).toEqual(['close-intent']);
    const both = await settle([deleting('shop', '1'), deleting('shop', '2')], holding(), held);
    expect(told(both)).toEqual(['close-intent', 'remove shop', 'close-intent']);
  });

  it('what lived in a deleted object left with it, at any depth, and so did the old ones of what lives elsewhere', async () => {
    const api = recorded('pets', '1', { type: 'platform:index/api:Api' });
    const page = (address: string, id: string, apiId: string, more: Partial<RecordedResource> = {}) =>
      recorded(address, id, {
        type: 'platform:index/apiDocument:ApiDocument',
        identity: { id, scope: { apiId } },
        ...more,
      });
    const old = { identity: { id: '3', scope: { apiId: '1' } }, outputs: {} };
    const recovery = await settle([{ ...deleting('pets', '1'), type: api.type }], holding(), [
      api,
      page('pets/guide', '2', '1'),
      page('cats/guide', '4', '5', { deposed: [old] }),
      page('cats/faq', '2', '5'),
    ]);
    expect(told(recovery)).toEqual(['remove pets/guide', 'put cats/guide = 4', 'remove pets', 'close-intent']);
    const gateway = (address: string, kind: string, scope: Record<string, string>) =>
      recorded(address, address, {
        type: `platform:index/gateway${kind}:Gateway${kind}`,
        identity: { id: address, scope },
      });
    const plane = gateway('plane', 'ControlPlane', {});
    const deep = await settle([{ ...deleting('plane', 'plane'), type: plane.type }], holding(), [
      plane,
      gateway('upstream', 'Upstream', { controlPlaneId: 'plane' }),
      gateway('target', 'Target', { controlPlaneId: 'plane', upstreamId: 'upstream' }),
      gateway('other', 'Upstream', { controlPlaneId: 'another' }),
    ]);
    expect(told(deep)).toEqual(['remove target', 'remove upstream', 'remove plane', 'close-intent']);
  });

  it('what cannot be looked up keeps its intent, and everything waits', async () => {
    const down = new ProviderError('unavailable', [{ severity: 'error', code: 'server-unavailable', summary: 'down' }]);
    const recovery = await settle([creating('shop', { name: 'Shop' })], { find: () => Promise.reject(down) });
    expect(told(recovery)).toEqual([]);
    expect(recovery.diagnostics).toEqual([expect.objectContaining({ code: 'server-unavailable', address: 'shop' })]);
  });

  it('what cannot be decided is shown with both objects and the commands that decide it', async () => {
    const twins = holding(remote('1', { name: 'Twin' }), remote('2', { name: 'Twin' }));
    const [diagnostic] = (await settle([creating('left', { name: 'Twin' })], twins)).diagnostics;
    expect(diagnostic?.code).toBe('undecided-intent');
    expect(diagnostic?.detail).toBe(
      '1 "Twin", created 2026-01-01T12:00:01.000Z\n2 "Twin", created 2026-01-01T12:00:01.000Z',
    );
    expect(diagnostic?.hint).toContain("sync adopt left '1'\nsync adopt left '2'");
    // The command that decides it is not stopped by the question, and the one that it names is what was made.
    const decided = (left: string): Promise<Recovery> =>
      settle([creating('left', { name: 'Twin' })], twins, [], { left });
    for (const [id, changes] of [
      ['2', ['put left = 2', 'close-intent']],
      ['3', ['close-intent']],
    ] as const) {
      const { diagnostics, ...rest } = await decided(id);
      expect([told({ ...rest, diagnostics }), diagnostics]).toEqual([changes, []]);
    }
  });

  it('of what was changed by hand since, and is named, all is ours that was sent', async () => {
    const inputs = { name: 'Twin', labels: { a: '1' } };
    const changed = holding(remote('1', { name: 'Twin', labels: { a: '1', b: '2' }, description: 'by hand' }));
    const intent = creating('left', { ...inputs, description: 'sent' });
    const { changes } = await settle([intent], changed, [], { left: '1' });
    const [put] = changes;
    expect(put?.kind === 'put' && put.resource).toMatchObject({
      inputs: { ...inputs, description: 'sent' },
      outputs: { labels: { a: '1', b: '2' }, description: 'sent' },
    });
  });

  it('what this stack had recorded before the run that was killed ended is not what that has made', async () => {
    const found = (run: number, before: RecordedResource | null, killed = '7'): Promise<Recovery> => {
      const intent = { ...creating('shop', { name: 'Shop' }), run: killed };
      const row = { number: 1, run, at: intent.createdAt, digest: '', content: { kind: 'record', before } } as const;
      const runs: StateStore['runs'] = ({ id }) => Promise.resolve(id === '1' ? [row] : []);
      return recover({
        ...{ state: stackState([], [intent]), store: { ...storeWith(), runs }, typeOf, seals: new Seals(seal) },
        reads: readsOf(stubProvider(holding(remote('1', { name: 'Shop' })))),
        ...{ settledBefore: intent.createdAt, settleMs: 120_000 },
      });
    };
    const ended = recorded('cafe', '1');
    const replaced = { ...recorded('cafe', '2'), deposed: [{ identity: ended.identity, outputs: {} }] };
    for (const before of [ended, replaced]) {
      const recovery = await found(7, before);
      expect([told(recovery), [...recovery.held.keys()]]).toEqual([[], ['shop']]);
    }
    expect(told(await found(7, ended, 'killed'))).toEqual(['put shop = 1', 'close-intent']);
    // Others say its id, or a later run had found it.
    for (const [run, before] of [
      [7, null],
      [7, recorded('cafe', '2')],
      [8, ended],
    ] as const)
      expect(told(await found(run, before))).toEqual(['put shop = 1', 'close-intent']);
  });

  it('of what may be there twice, one list that shows one only proves nothing', async () => {
    const [ours, other] = [remote('1', { name: 'Shop' }), remote('2', { name: 'Shop' })];
    const by = (...lists: (readonly RemoteObject[])[]): Promise<Recovery> =>
      settle([creating('shop', { name: 'Shop' })], {
        ...holding(ours, other),
        find: () => Promise.resolve((lists.length > 1 ? lists.shift() : lists[0]) ?? []),
      });
    const lacking = await by([other], [ours, other]);
    expect([told(lacking), lacking.diagnostics.map(({ code }) => code)]).toEqual([[], ['undecided-intent']]);
    // The second one may be the one that lacks it.
    expect((await by([ours], [other])).diagnostics.map(({ code }) => code)).toEqual(['undecided-intent']);
    expect(told(await by([ours], []))).toEqual(['put shop = 1', 'close-intent']);
  });

  it('what another stack had recorded a moment ago is not what a killed run made', async () => {
    const intent = creating('shop', { name: 'Shop' });
    const theirs = (await storeWith('1').managedElsewhere(['1'])).map((one) => ({ ...one, had: true as const }));
    const managedElsewhere: StateStore['managedElsewhere'] = (_, since) =>
      Promise.resolve(since === undefined ? [] : theirs);
    const found = (settledBefore?: string): Promise<Recovery> =>
      recover({
        ...{ state: stackState([], [intent]), store: { ...storeWith(), managedElsewhere }, typeOf },
        ...{ seals: new Seals(seal), settledBefore, settleMs: 120_000 },
        reads: readsOf(stubProvider(holding(remote('1', { name: 'Shop' })))),
      });
    const recovery = await found(intent.createdAt);
    expect([told(recovery), [...recovery.held.keys()]]).toEqual([[], ['shop']]);
    expect(told(await found())).toEqual(['put shop = 1', 'close-intent']);
  });

  it('what another stack has recorded is never taken for what a killed run made', async () => {
    const found = (store: Pick<StateStore, 'managedElsewhere' | 'runs'>): Promise<Recovery> =>
      recover({
        ...{ state: stackState([], [creating('shop', { name: 'Shop' })]), store, typeOf, seals: new Seals(seal) },
        reads: readsOf(stubProvider(holding(remote('1', { name: 'Shop' })))),
      });
    const taken = await found(storeWith('1'));
    expect([told(taken), taken.recovered.map(({ outcome }) => outcome)]).toEqual([['close-intent'], ['managed']]);
    expect(told(await found(storeWith('2')))).toEqual(['put shop = 1', 'close-intent']);
  });

  it('somebody who says which object it is decides nothing before everything shows, and nothing that is proven', async () => {
    const intent = creating('left', { name: 'Twin' });
    const named = (now: string, ...objects: readonly RemoteObject[]): Promise<Recovery> =>
      recover({
        ...{ state: stackState([], [intent]), store: storeWith(), imported: new Map([['left', '1']]) },
        ...{ typeOf, reads: readsOf(stubProvider(holding(...objects))), seals: new Seals(seal), settledBefore: now },
      });
    const [early, late] = [intent.createdAt, new Date(Date.parse(intent.createdAt) + 10_000).toISOString()];
    const twins = [remote('1', { name: 'Twin' }), remote('2', { name: 'Twin' })];
    for (const shown of [[], twins]) {
      const open = await named(early, ...shown);
      expect([told(open), open.held.get('left')?.code, open.diagnostics]).toEqual([[], 'not-visible-yet', []]);
      const put = shown.length === 0 ? [] : ['put left = 1'];
      expect(told(await named(late, ...shown))).toEqual([...put, 'close-intent']);
    }
    expect(told(await named(early, remote('1', { name: 'Twin' })))).toEqual(['put left = 1', 'close-intent']);
  });

  it('what was kept here, and made once more by a run that did not know of it, is still to be deleted', async () => {
    const [first, second] = [
      creating('shop', { name: 'Shop' }),
      { ...creating('shop', { name: 'New' }), id: 'second' },
    ];
    const kept: OutboxWrite = {
      ...{ lineage: 'lineage', intent: first.id },
      changes: [{ kind: 'put', resource: recorded('shop', '1', { outputs: { name: 'Shop' } }) }],
    };
    const platform = holding(remote('1', { name: 'Shop' }), remote('2', { name: 'New' }));
    expect(told(await settle([first, second], platform, [], {}, [kept]))).toEqual([
      'put shop = 1',
      'put shop = 2, old 1',
      'close-intent',
    ]);
  });

  it('tells what became of each', async () => {
    const outcomes = async (...given: Parameters<typeof settle>) =>
      (await settle(...given)).recovered.map(({ outcome }) => outcome);
    expect(await outcomes([creating('shop', { name: 'Shop' })], holding(remote('1', { name: 'Shop' })))).toEqual([
      'adopted',
    ]);
    expect(await outcomes([creating('shop', { name: 'Shop' })], holding())).toEqual(['not-sent']);
    expect(await outcomes([deleting('shop', '1')], holding())).toEqual(['deleted']);
    expect(await outcomes([deleting('shop', '1')], holding(remote('1', {})))).toEqual([]);
    expect(await outcomes([], {})).toEqual([]);
  });

  it('an update is seen by the next plan: nobody is asked', async () => {
    const updating: Intent = { ...deleting('shop', '1'), action: 'update' };
    expect(told(await settle([updating], {}))).toEqual(['close-intent']);
    const { identity: _nobody, ...nameless } = deleting('shop', '1');
    expect(told(await settle([nameless], {}))).toEqual(['close-intent']);
  });

  describe('what an update newly said', () => {
    const updating = (inputs: JsonObject): Intent => ({ ...deleting('shop', '1'), action: 'update', inputs });
    const before = recorded('shop', '1', {
      inputs: { name: 'Shop', labels: { team: 'a' } },
      outputs: { name: 'Shop', labels: { team: 'a', theirs: 'x' } },
    });
    const claimed = async (inputs: JsonObject, values: JsonObject, settledBefore?: string) => {
      const { changes } = await recover({
        ...{ state: stackState([before], [updating(inputs)]), store: storeWith(), typeOf, seals: new Seals(seal) },
        ...{ reads: readsOf(stubProvider(holding(remote('1', values)))), settledBefore },
      });
      return changes.map((change) => (change.kind === 'put' ? change.resource : change.kind));
    };

    it('is ours as far as the platform shows it, and what others have stays theirs', async () => {
      const [now, close] = await claimed(
        { labels: { team: 'b', stage: 'test' }, description: 'new' },
        { name: 'Shop', description: 'new', labels: { team: 'b', stage: 'test', theirs: 'x', other: 'y' } },
      );
      expect(now).toMatchObject({
        inputs: { name: 'Shop', description: 'new', labels: { team: 'b', stage: 'test' } },
        outputs: { name: 'Shop', description: 'new', labels: { team: 'b', stage: 'test', theirs: 'x' } },
      });
      expect(now).not.toHaveProperty('outputs.labels.other');
      expect(close).toBe('close-intent');
    });

    it('is ours part by part where somebody has changed the rest since, and old answers may follow', async () => {
      const said = { labels: { stage: 'test', tier: 'x' }, description: 'new' };
      const shows = { name: 'Shop', description: 'by hand', labels: { team: 'a', stage: 'test', tier: 'y' } };
      const [now, close] = await claimed(said, shows);
      expect(now).toMatchObject({
        inputs: { name: 'Shop', labels: { team: 'a', stage: 'test' } },
        writtenAt: leftBy(updating(said)),
      });
      expect(now).not.toHaveProperty('inputs.description');
      expect(now).not.toHaveProperty('inputs.labels.tier');
      expect(close).toBe('close-intent');
    });

    it('is ours although one answer denies the object', async () => {
      const shown = [undefined, remote('1', { name: 'Shop', labels: { team: 'a', stage: 'test' } })];
      const { changes } = await recover({
        ...{ state: stackState([before], [updating({ labels: { team: 'a', stage: 'test' } })]), store: storeWith() },
        ...{
          typeOf,
          seals: new Seals(seal),
          reads: readsOf(stubProvider({ read: () => Promise.resolve(shown.shift()) })),
        },
      });
      const [put] = changes;
      expect(put).toMatchObject({ resource: { inputs: { labels: { team: 'a', stage: 'test' } } } });
    });

    it('that may not show yet is asked for again, and is nobody’s when it would show', async () => {
      const lacking = [{ labels: { team: 'a', stage: 'test' } }, { labels: { team: 'a' } }] as const;
      expect(await claimed(...lacking, '2026-01-01T00:00:00.000Z')).toEqual([]);
      expect(await claimed(...lacking, '2026-01-02T00:00:00.000Z')).toEqual(['close-intent']);
      expect(await claimed(...lacking)).toEqual(['close-intent']);
    });

    it.each<[string, JsonObject, JsonObject]>([
      ['another word', { name: 'Shop', description: 'old' }, { description: 'new' }],
      ['the first word', { name: 'Shop' }, { description: 'new' }],
      ['no word any more', { name: 'Shop', description: 'old' }, { description: null }],
    ])(
      'in a field that no answer shows, %s, leaves no record that vouches for what is there',
      async (_, inputs, said) => {
        const hidden = (token: string): ResourceType => {
          const type = typeOf(token);
          const { description } = type.fields;
          return description === undefined
            ? type
            : { ...type, fields: { ...type.fields, description: { ...description, writeOnly: true } } };
        };
        const seals = new Seals(seal);
        const { changes } = await recover({
          ...{
            state: stackState([{ ...before, inputs }], [updating(said)]),
            store: storeWith(),
            typeOf: hidden,
            seals,
          },
          reads: readsOf(stubProvider({})),
        });
        const [put, close] = changes;
        const known = put?.kind === 'put' ? put.resource.inputs['description'] : undefined;
        expect([known !== undefined, close?.kind]).toEqual([true, 'close-intent']);
        const rule = hidden(before.type).fields['description'] as FieldRule;
        expect(['old', 'new', undefined].map((value) => seals.same(rule, value, known))).toEqual([false, false, false]);
      },
    );

    it.each<[string, JsonObject, JsonObject]>([
      ['another word', { description: { lock: 'a', pin: 'old' } }, { description: { lock: 'a', pin: 'new' } }],
      ['the first word', { name: 'Shop' }, { description: { lock: 'a', pin: 'new' } }],
      ['no word any more', { description: { lock: 'a', pin: 'old' } }, { description: { lock: 'a' } }],
    ])(
      'in a member of a record that no answer shows, %s, leaves no record that vouches for it',
      async (_, inputs, said) => {
        const description = typeOf(before.type).fields['description'] as FieldRule;
        const rule: FieldRule = { ...description, equality: 'record', hiddenMembers: ['pin'] };
        const hiding = (token: string): ResourceType => {
          const type = typeOf(token);
          return token === before.type ? { ...type, fields: { ...type.fields, description: rule } } : type;
        };
        const shown = remote(before.identity.id, { name: 'Shop', description: { lock: 'a' } });
        const { changes } = await recover({
          ...{ state: stackState([{ ...before, inputs }], [updating(said)]), store: storeWith(), typeOf: hiding },
          ...{ seals: new Seals(seal), reads: readsOf(stubProvider({ read: () => Promise.resolve(shown) })) },
        });
        const last = changes.findLast((change) => change.kind === 'put');
        const known = last?.kind === 'put' ? last.resource.inputs['description'] : undefined;
        expect(known).toMatchObject({ lock: 'a', pin: { $secret: {} } });
        expect(changes.at(-1)?.kind).toBe('close-intent');
      },
    );

    it('is ours, too, where it is another value of what was: a plan would take it for somebody else’s', async () => {
      const said = { name: 'Other', labels: { team: 'b' } };
      const shows = { name: 'Other', labels: { team: 'a', theirs: 'x' } };
      const [now, close] = await claimed(said, shows);
      expect(now).toMatchObject({
        inputs: { name: 'Other', labels: { team: 'a' } },
        outputs: { name: 'Other', labels: { team: 'a', theirs: 'x' } },
      });
      expect(close).toBe('close-intent');
      expect(await claimed(said, {}, '2026-01-01T00:00:00.000Z')).toEqual(['close-intent']);
    });

    it('asks nobody where the record says all of it, or there is none; nor does it matter that nobody answers where it knows whose all of it is', async () => {
      const known = { labels: { team: 'a' }, name: 'Shop' };
      expect(told(await settle([updating(known)], {}, [before]))).toEqual(['close-intent']);
      expect(told(await settle([updating({ description: 'new' })], {}))).toEqual(['close-intent']);
      const away = new ProviderError('unavailable', [{ severity: 'error', code: 'unreachable', summary: 'away' }]);
      const read: Provider['read'] = () => Promise.reject(away);
      expect(told(await settle([updating({ name: 'Other' })], { read }, [before]))).toEqual(['close-intent']);
    });
  });

  it.each<[string, readonly string[], string, string]>([
    ['one object', ['1'], 'one object with its key exists', 'it'],
    ['two', ['1', '2'], '2 objects with its key exist', 'one of them'],
  ])('%s that may be its own: the question says how many there are', async (_name, ids, count, which) => {
    const others = ids.map((id) => remote(id, { name: 'Twin', description: 'theirs' }));
    const [diagnostic] = (await settle([creating('left', { name: 'Twin', description: 'ours' })], holding(...others)))
      .diagnostics;
    expect(diagnostic).toMatchObject({
      ...{ severity: 'error', code: 'undecided-intent', address: 'left' },
      summary: `An earlier run was interrupted while it created ApiProduct left; ${count}, and nothing tells whether it made ${which}.`,
    });
  });

  it('only a key with a secret in it is looked for among all; of any other the open parts are asked for; each twice, as one list may be wrong', async () => {
    const asked: unknown[] = [];
    const hidden = { $secret: { expression: '!env X', fingerprint: seal('x') } };
    const find: Provider['find'] = (_type, _scope, inputs) => {
      asked.push(inputs);
      return Promise.resolve([]);
    };
    await settle([creating('shop', { name: 'Shop', description: hidden })], { find });
    expect(asked).toEqual([{ name: 'Shop' }, { name: 'Shop' }]);
    const page = { ...creating('pets/guide', { slug: 'guide', apiId: hidden, title: hidden }) };
    const type = 'platform:index/apiDocument:ApiDocument';
    const listed: unknown[] = [];
    const list: Provider['list'] = (_type, scope) => {
      listed.push(scope);
      return Promise.resolve({ objects: [], total: 0, isComplete: true });
    };
    await settle([{ ...page, type, scope: { apiId: '1' } }], { list });
    expect(listed).toEqual([{ apiId: '1' }, { apiId: '1' }]);
  });

  it('a list that is not found says nothing about what lives in nothing', async () => {
    const gone = new ProviderError('not-found', [{ severity: 'error', code: 'object-not-found', summary: 'gone' }]);
    const open = await settle([creating('shop', { name: 'Shop' })], { find: () => Promise.reject(gone) });
    expect([told(open), open.diagnostics.map(({ code }) => code)]).toEqual([[], ['object-not-found']]);
  });

  it('a bug while looking comes out', async () => {
    const bug = new Error('bug');
    await expect(settle([creating('shop', { name: 'Shop' })], { find: () => Promise.reject(bug) })).rejects.toBe(bug);
  });
});
