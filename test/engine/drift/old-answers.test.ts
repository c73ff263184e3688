import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { paperFolder, PaperWorld, removeFolder } from '../../harness/paper-world.js';

/** For a while answers show a key that an apply took out of a map: nobody else has put it there. */

let folder = '';
let cwd = '';
beforeAll(async () => {
  folder = await paperFolder({ shop: {} });
  cwd = join(folder, 'shop');
});
afterAll(() => removeFolder(folder));

let world: PaperWorld;
/** What answers show of the labels, as long as they are old. */
let old: JsonObject | undefined;
beforeEach(async () => {
  world = new PaperWorld();
  old = undefined;
  const aged = (object: RemoteObject): RemoteObject =>
    old === undefined ? object : { ...object, values: { ...object.values, labels: old } };
  world.calls = (inner) => ({
    list: async (...asked) => {
      const listing = await inner.list(...asked);
      return { ...listing, objects: listing.objects.map(aged) };
    },
    read: async (...asked) => {
      const object = await inner.read(...asked);
      return object === undefined ? undefined : aged(object);
    },
  });
  for (const labels of [{ a: '1', b: '2' }, { a: '1' }]) {
    write(labels);
    expect((await world.apply(cwd)).result.status).toBe('done');
  }
});

const write = (labels: JsonObject, address = 'shop'): void => {
  const properties = { name: 'Shop', portalIds: [], labels };
  world.write(cwd, { resources: { [address]: { type: 'platform:ApiProduct', properties } } });
};

/** What a plan says of the labels, from and to. */
function planned(open: { readonly settleSeconds?: number }): Promise<readonly unknown[]> {
  return world.open(
    cwd,
    async (project) => {
      const { steps } = await project.plan({}).then(({ plan }) => ({ steps: plan?.steps ?? [] }));
      return steps.flatMap(({ fields }) => fields.map((field) => [field.old, field.new]));
    },
    open,
  );
}

const settling = { settleSeconds: 600 };

describe('a key that was taken out of a map a moment ago, and that an answer still shows,', () => {
  const [from, to] = [{ a: '1' }, { a: '1', c: '3' }];

  it('is not there for a plan until answers show all that was written', async () => {
    old = { a: '1', b: '2' };
    write(to);
    expect(await planned(settling)).toEqual([[from, to]]);
    expect(await planned({})).toEqual([
      [
        { a: '1', b: '2' },
        { a: '1', b: '2', c: '3' },
      ],
    ]);
  });

  it('is not there after its object got another address, either', async () => {
    const store = world.store();
    const lease = await store.acquire('move', { owner: 'test', waitMs: 0 });
    await store.commit(lease, [{ kind: 'move', from: 'shop', to: 'store' }]);
    await lease.release();
    old = { a: '1', b: '2' };
    write(to, 'store');
    expect(await planned(settling)).toEqual([[from, to]]);
  });

  it('is another’s where it has another value', async () => {
    old = { a: '1', b: 'of somebody' };
    write(to);
    expect(await planned(settling)).toEqual([[old, { ...to, ...old }]]);
  });

  it('is taken into the record by no refresh', async () => {
    old = { a: '1', b: '2' };
    await world.open(cwd, (project) => project.refresh(), settling);
    expect(world.state().resources.get('shop')?.outputs['labels']).toEqual(from);
  });
});
