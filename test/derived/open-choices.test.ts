import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChoices } from '@platform-sync/core/model/resource-type';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { types } from './all-types.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const plane = { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } };
const write = (resources: JsonObject, defaults: JsonObject = {}): Promise<void> =>
  world.write({ 'catalogue/all.yaml': { defaults, resources: { plane, ...resources } } });
const limit = (config: JsonObject): JsonObject => ({
  type: 'platform:GatewayPluginRateLimiting',
  properties: { controlPlaneId: '${plane.id}', config: { minute: 5, ...config } },
});

async function told(): Promise<readonly (readonly unknown[])[]> {
  const { diagnostics } = await world.open((project) => project.validate());
  return diagnostics.map(({ severity, code, place, field, summary, hint }) => [
    ...[
      severity,
      code,
      place?.file,
      place?.text?.slice(place.column - 1, place.endColumn === undefined ? undefined : place.endColumn - 1),
      field,
      summary,
      hint,
    ],
  ]);
}

describe('a text that this release does not know', () => {
  it('is a warning with its place, and is planned as it stands', async () => {
    await write({ limit: limit({ limitBy: 'tenants' }) });
    expect(await told()).toEqual([
      [
        ...['warning', 'newer-choice', 'catalogue/all.yaml', '"tenants"', 'config.limitBy'],
        '"config.limitBy" of limit is "tenants", which this release does not know.',
        expect.stringContaining('It knows consumer, '),
      ],
    ]);
    expect([...actionsOf(await world.plan())].sort()).toEqual(['create limit', 'create plane']);
  });

  it('is told with the one that may be meant', async () => {
    await write({ limit: limit({ limitBy: 'consummer' }) });
    expect((await told()).map((each) => each.at(-1))).toEqual(['Did you mean consumer?']);
  });

  it('counts once where many take it from one place of a file', async () => {
    const shared = { 'platform:GatewayPluginRateLimiting': { config: { limitBy: 'tenants' } } };
    await write({ one: limit({}), other: limit({}) }, shared);
    expect((await told()).map(([severity, code]) => [severity, code])).toEqual([['warning', 'newer-choice']]);
  });

  it('is not quoted where it is a secret, nor taken for one where it is not known before the run', async () => {
    await write({ one: limit({ limitBy: { 'fn::secret': 'tenants' } }), other: limit({ limitBy: '${plane.id}' }) });
    expect(await told()).toEqual([]);
  });

  it('is an error where it chooses a branch of a union', async () => {
    await write({
      gateway: { type: 'platform:EventGateway', properties: { name: 'events' } },
      cluster: {
        type: 'platform:EventGatewayBackendCluster',
        properties: {
          ...{ gatewayId: '${gateway.id}', name: 'kafka', bootstrapServers: ['a.example.com:9092'] },
          ...{ authentication: { type: 'tickets' }, tls: { enabled: false } },
        },
      },
    });
    expect((await told()).map(([severity, code, , , field]) => [severity, code, field])).toContainEqual([
      ...['error', 'not-allowed', 'authentication.type'],
    ]);
  });

  it('is an error where no other is legal, and none at all where all are known', async () => {
    await write({ limit: limit({ limitBy: 5 }) });
    expect((await told()).map(([severity, code]) => [severity, code])).toEqual([['error', 'wrong-type']]);
    await write({ limit: limit({ limitBy: 'consumer' }) });
    expect(await told()).toEqual([]);
  });
});

/** What a path of members leads to: through lists, and `*` through maps. */
function at(schema: Json | undefined, [step, ...rest]: readonly string[]): JsonObject {
  if (!isObject(schema)) return {};
  if (isObject(schema['items'])) return at(schema['items'], step === undefined ? [] : [step, ...rest]);
  if (step === undefined) return schema;
  const members = schema['properties'];
  return at(step === '*' ? schema['additionalProperties'] : isObject(members) ? members[step] : undefined, rest);
}

describe('of the derived types', () => {
  const telling = types.flatMap((type) =>
    Object.values(type.fields).flatMap(({ name, schema, kindMembers = [] }) =>
      kindMembers.map((path) => ({ what: `${type.name}.${name}.${path}`, schema: at(schema, path.split('.')) })),
    ),
  );

  it('no member that tells the kind of a record is open', () => {
    const listed = telling.filter(({ schema }) => isList(schema['enum']));
    expect(listed.length).toBeGreaterThan(15);
    expect(listed.filter(({ schema }) => openChoices(schema) !== undefined)).toEqual([]);
  });

  it('no other choice of texts is closed, unless there is one text only', () => {
    const closed = (schema: Json): number => {
      if (isList(schema)) return schema.reduce((sum: number, each) => sum + closed(each), 0);
      if (!isObject(schema)) return 0;
      const isClosed = schema['type'] === 'string' && isList(schema['enum']) && openChoices(schema) === undefined;
      const one = isClosed && isList(schema['enum']) && schema['enum'].length > 1 ? 1 : 0;
      return one + Object.values(schema).reduce((sum: number, each) => sum + closed(each), 0);
    };
    const fields = types.flatMap((type) =>
      Object.values(type.fields).map(({ name, schema }) => ({ type, name, schema })),
    );
    const more = fields.filter(
      ({ type, name, schema }) =>
        type.fields[name]?.onChange !== 'replace' &&
        closed(schema) > telling.filter(({ what }) => what.startsWith(`${type.name}.${name}.`)).length,
    );
    expect(more.map(({ type, name }) => `${type.name}.${name}`)).toEqual([]);
  });
});
