import { describe, expect, it } from 'vitest';
import { checkLookupArguments } from '@platform-sync/core/lookups/check-arguments';
import { ruledLookup, type HowMany } from '@platform-sync/core/lookups/by-rule';
import { findObjects } from '@platform-sync/engine/find-objects';
import { Reads } from '@platform-sync/engine/reads/reads';
import { ProviderError, type ListOptions, type Provider, type RemoteObject } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { realWorld } from '@platform-sync/core/model/world';

const service = platformPackage.types.get('platform:index/gatewayService:GatewayService');
if (service === undefined) throw new Error('no type');
const type = service;
const planeId = '11111111-1111-4111-8111-111111111111';
const plane = { controlPlaneId: planeId };
const object = (id: string, values: JsonObject): RemoteObject => ({ identity: { id, scope: plane }, values });

const there = [
  object('2', { name: 'orders', host: 'o.example.com', port: 80, enabled: true }),
  object('1', { name: 'users', host: 'u.example.com', port: 443, enabled: true }),
  object('4', { name: 'Orders-old', host: 'o.example.com', port: 80, enabled: false }),
  object('3', { name: null, host: 'x.example.com', port: 80 }),
];

/** A provider that notes what was asked. */
function provider(objects = there): Pick<Provider, 'list' | 'read'> & { readonly asked: ListOptions[] } {
  const asked: ListOptions[] = [];
  return {
    asked,
    list: async (_type, _scope, options = {}) => {
      asked.push(options);
      return { objects, isComplete: true, total: objects.length };
    },
    read: async (_type, identity) => objects.find((each) => each.identity.id === identity.id),
  };
}

const readsOf = (from: Pick<Provider, 'list' | 'read'>, isFresh = true): Reads =>
  new Reads({
    providerOf: () => Promise.resolve(from as unknown as Provider),
    concurrency: 4,
    isFresh,
    turn: realWorld.turn,
  });
const find = (many: HowMany, args: JsonObject, from = provider(), reads = readsOf(from)): Promise<JsonObject> =>
  findObjects({ type, many, args: { ...plane, ...args } }, reads);
const ids = async (args: JsonObject, objects = there): Promise<readonly unknown[]> =>
  ((await find('all', args, provider(objects)))['datas'] as readonly JsonObject[]).map(({ id }) => id);

describe('what a question means', () => {
  it.each([
    [{}, ['3', '4', '2', '1']],
    [{ name: 'orders' }, ['2']],
    [{ name: '3' }, ['3']],
    [{ filter: { name: 'orders' } }, ['2']],
    [{ filter: { name: { contains: 'ORD' } } }, ['4', '2']],
    [{ filter: { name: { neq: 'orders' } } }, ['3', '4', '1']],
    [{ filter: { name: { oeq: 'orders, users' } } }, ['2', '1']],
    [{ filter: { host: { ocontains: 'u.,x.' } } }, ['3', '1']],
    [{ filter: { port: 80, enabled: true } }, ['2']],
    [{ filter: { name: { contains: 'orders', neq: 'orders' } } }, ['4']],
    [{ filter: { id: '1' } }, ['1']],
    [{ filter: null, name: null }, ['3', '4', '2', '1']],
    [{ filter: { name: { eq: '' } } }, ['3']],
  ])('%j', async (args, expected) => {
    expect(await ids(args)).toEqual(expected);
    expect(await ids(args, [...there].reverse())).toEqual(expected);
  });

  it('has one answer, whatever the order of the list', async () => {
    expect(await find('all', {})).toEqual(await find('all', {}, provider([...there].reverse())));
  });
});

describe('one object', () => {
  const failure = async (args: JsonObject, from = provider()): Promise<JsonObject> => {
    const error: unknown = await find('one', args, from).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProviderError)) throw error;
    return { kind: error.kind, ...error.diagnostics[0] } as unknown as JsonObject;
  };

  it('is given with where it lies', async () => {
    expect(await find('one', { name: 'orders' })).toEqual({
      ...{ id: '2', controlPlaneId: planeId, name: 'orders', host: 'o.example.com', port: 80, enabled: true },
    });
  });

  it('that is not there is an error with the ones that are', async () => {
    expect(await failure({ name: 'order' })).toMatchObject({
      ...{ kind: 'not-found', code: 'nothing-found' },
      hint: 'Did you mean orders? There are 3, Orders-old, orders, users.',
    });
    expect((await failure({ name: 'a' }, provider([])))['hint']).toContain('There are none at all');
  });

  it('that several are is an error with all of them', async () => {
    expect(await failure({ filter: { host: 'o.example.com' } })).toMatchObject({
      ...{ kind: 'invalid', code: 'several-found', detail: 'They are Orders-old (4), orders (2).' },
    });
  });
});

describe('lists', () => {
  it('are read once for all who ask at the same time', async () => {
    const from = provider();
    const reads = readsOf(from);
    await Promise.all(['orders', 'users', '3'].map((name) => find('one', { name }, from, reads)));
    expect(from.asked).toHaveLength(1);
    expect(from.asked[0]).not.toHaveProperty('having');
    await find('one', { name: 'users' }, from, reads);
    expect(from.asked).toHaveLength(2);
  });

  it('may leave out what a single question does not mean', async () => {
    const from = provider();
    const narrowed = { ...type, collection: { ...type.collection, narrowedBy: ['name'] } };
    const filter = { name: { eq: 'users' }, port: 443, host: { contains: 'u' } };
    await findObjects({ type: narrowed, many: 'one', args: { ...plane, filter } }, readsOf(from));
    expect(from.asked).toEqual([{ having: { name: 'users' } }]);
  });
});

describe('arguments', () => {
  const lookup = ruledLookup(type, 'one');
  if (lookup === undefined) throw new Error('no lookup');
  const check = (args: JsonObject): Promise<readonly unknown[]> =>
    checkLookupArguments(platformPackage, lookup, args).then((all) =>
      all.map(({ pointer, keyword, params }) => [pointer, keyword, ...Object.values(params)].flat()),
    );

  it.each([
    [{ ...plane, name: 'a' }, []],
    [{ ...plane, name: null, filter: { name: null, port: 80 } }, []],
    [{}, [['', 'required', 'controlPlaneId']]],
    // As the description says it: what is no uuid would only be refused.
    [{ controlPlaneId: 'shop', name: 'a' }, [['/controlPlaneId', 'format', 'uuid']]],
    [{ controlPlaneId: null }, [['', 'required', 'controlPlaneId']]],
    [{ ...plane, nam: 'a' }, [['', 'additionalProperties', 'nam']]],
    [{ ...plane, name: 3 }, [['/name', 'type', 'string']]],
    [{ ...plane, filter: [] }, [['/filter', 'type', 'object']]],
    [{ ...plane, filter: { nam: 'a' } }, [['/filter', 'additionalProperties', 'nam']]],
    [{ ...plane, filter: { tags: 'a' } }, [['/filter', 'additionalProperties', 'tags']]],
    [{ ...plane, filter: { port: '80' } }, [['/filter/port', 'type', 'number']]],
    [{ ...plane, filter: { name: { like: 'a' } } }, [['/filter/name', 'additionalProperties', 'like']]],
    [{ ...plane, filter: { name: 3 } }, [['/filter/name', 'type', 'string', 'object']]],
    [{ ...plane, filter: { constructor: 'a' } }, [['/filter', 'additionalProperties', 'constructor']]],
  ])('%j', async (args, expected) => {
    expect(await check(args as JsonObject)).toEqual(expected);
  });
});

it('of a record only the members that are secrets are left out', async () => {
  const loggly = platformPackage.types.get('platform:index/gatewayPluginLoggly:GatewayPluginLoggly');
  if (loggly === undefined) throw new Error('no type');
  const shown = [object('7', { instanceName: 'logs', config: { key: 'canary', host: 'l.example.com', port: 514 } })];
  for (const [many, args] of [
    ['one', { controlPlaneId: planeId, filter: { id: '7' } }],
    ['all', { controlPlaneId: planeId }],
  ] as const) {
    const found = await findObjects({ type: loggly, many, args }, readsOf(provider(shown)));
    expect(JSON.stringify(found)).not.toContain('canary');
    expect(many === 'one' ? found : (found['datas'] as readonly JsonObject[])[0]).toMatchObject({
      config: { key: null, host: 'l.example.com', port: 514 },
    });
  }
});
