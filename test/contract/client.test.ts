import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { rows } from '../conformance/rows.js';
import type { ConformanceRow } from '../conformance/row.js';
import { makeWorld, type World } from '../harness/world.js';
import { description, descriptionReason } from './description.js';
import { isLeftOutOfSmaller, unexpected } from './deviations.js';
import { type ContractChecker, contractChecker, type QueryValues } from './openapi.js';

interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly answered?: unknown;
}

// The public description is not part of this project; CI names it where it is at hand.
describe.runIf(description !== undefined)(`what the client sends keeps to the description${descriptionReason}`, () => {
  let world: World;
  let checker: ContractChecker;
  beforeAll(async () => {
    checker = contractChecker(String(description));
    world = await makeWorld();
  });
  afterAll(() => world.close());

  /** Records what goes over the wire during some work, and holds all of it against the description. */
  async function check(work: () => Promise<void>): Promise<readonly string[]> {
    await world.call('PUT', '/_sandbox/exchanges', { limit: 10_000 });
    await work();
    const { body } = await world.call('GET', '/_sandbox/exchanges');
    const { exchanges } = body as unknown as { exchanges: readonly Exchange[] };
    for (const { method, url, sent, status, answered } of exchanges) {
      const { pathname, searchParams } = new URL(url, 'http://platform');
      if (isLeftOutOfSmaller(pathname) && checker.operationOf(method, pathname) === undefined) continue;
      const query: QueryValues = Object.fromEntries(searchParams);
      const found = [
        ...checker.checkRequest(method, pathname, query, sent),
        ...checker.checkResponse(method, pathname, status, answered),
      ];
      expect(unexpected(found)).toEqual([]);
    }
    return [
      ...new Set(
        exchanges.map(
          ({ method, url }) =>
            `${method} ${checker.operationOf(method, new URL(url, 'http://platform').pathname) ?? url}`,
        ),
      ),
    ];
  }

  const write = (row: ConformanceRow, properties: JsonObject): Promise<void> =>
    world.write({
      'sync.yaml':
        'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 100, allow: [{guard: emptyCatalogue, reason: test}, {guard: "goes-along:subject", reason: a version of before}]}\n',
      'catalogue/all.yaml': { resources: { ...row.needs, subject: { type: row.type, properties } } },
    });

  it.each(rows.filter(({ type }) => type.startsWith('platform:')))('through the life of $type', async (row) => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    const operations = await check(async () => {
      await write(row, row.properties);
      await world.apply();
      await world.plan({ refresh: 'full' });
      for (const [field, { to, without = [], with: otherwise = {}, untried }] of Object.entries(row.changes)) {
        if (JSON.stringify(to).includes('${other') || untried !== undefined) continue;
        const group =
          [...platformPackage.types.values()].find((type) => type.shortToken === row.type)?.exactlyOne.flat() ?? [];
        const left = [...without, ...(group.includes(field) ? group : [])];
        const rest = Object.fromEntries(Object.entries(row.properties).filter(([name]) => !left.includes(name)));
        await write(row, { ...rest, ...otherwise, [field]: to });
        await world.apply();
      }
      await write(row, row.properties);
      await world.apply();
      for (const [field, left] of Object.entries(row.removals)) {
        if (left === 'untried') continue;
        await write(row, Object.fromEntries(Object.entries(row.properties).filter(([name]) => name !== field)));
        await world.apply();
      }
      world.loseState();
      await world.apply({ mode: 'adopt' });
      await world.apply({ mode: 'destroy' });
    });
    if (row.type === 'platform:ApplicationAuthStrategy') return;
    expect(operations.some((operation) => operation.startsWith('POST'))).toBe(true);
    expect(operations.some((operation) => operation.startsWith('DELETE'))).toBe(true);
  });

  it('through every lookup', async () => {
    const args: Readonly<Record<string, JsonObject>> = {
      getCloudGatewayNetwork: { filter: { name: { contains: 'a' }, state: { oeq: 'ready,offline' } } },
      getGatewayControlPlane: { filter: { name: { eq: 'default' }, cloudGateway: false }, filterLabels: 'env' },
      getGatewayControlPlaneList: { filter: { name: { contains: 'a' } }, sort: 'created_at desc' },
      getPortal: { filter: { name: { eq: 'dev' } }, sort: 'name desc' },
      getPortalClassicList: { sort: 'name' },
      getSystemAccount: { filter: { name: { contains: 'a' } } },
      getTeam: { filter: { name: { contains: 'a' } } },
    };
    const lookups = [...platformPackage.lookups.values()];
    const operations = await check(async () => {
      // Whether something is found is not the question here; what is asked is.
      for (const lookup of lookups)
        await world.open((project) => project.lookup(lookup.token, args[lookup.name] ?? {}));
    });
    expect(operations.length).toBeGreaterThanOrEqual(9);
  });
});
