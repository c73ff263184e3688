import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { recorded } from './stubs.js';
import { PaperWorld, paperFolder, removeFolder } from '../../harness/paper-world.js';

/** The state store goes away in the middle of a run: what was done is kept on this machine, and handed over. */

let folder = '';
beforeAll(
  async () => void (folder = await paperFolder({ away: {}, back: {}, taken: {}, full: {}, asked: {}, silent: {} })),
);
afterAll(() => removeFolder(folder));

const pets: JsonObject = { pets: { type: 'platform:Api', properties: { name: 'Pets' } } };

const writes: readonly (keyof StateStore)[] = ['begin', 'commit', 'acquire', 'unlock'];

/** The store as it is, until `fails` says how these calls end. */
function failing(store: StateStore, fails: () => Error | undefined, calls = writes): StateStore {
  const orFail =
    <T extends readonly unknown[], R>(call: (...given: T) => Promise<R>) =>
    (...given: T): Promise<R> => {
      const error = fails();
      return error === undefined ? call(...given) : Promise.reject(error);
    };
  return new Proxy(store, {
    get: (target, name: keyof StateStore) => {
      const value: unknown = target[name];
      if (typeof value !== 'function') return value;
      const call = (value as (...given: readonly unknown[]) => Promise<unknown>).bind(target);
      return calls.includes(name) ? orFail(call) : call;
    },
  });
}

const unreachable = new StateStoreError('unreachable', 'The database does not answer.', 'Is it there?');

describe('a store that goes away once an object is made', () => {
  async function run(
    cwd: string,
    world: PaperWorld,
    comesBack: boolean,
    error: Error = unreachable,
    meanwhile = (): Promise<unknown> => Promise.resolve(),
  ) {
    let isAway = false;
    world.calls = (platform) => ({
      create: async (...call) => {
        const made = await platform.create(...call);
        isAway = true;
        return made;
      },
    });
    let waits = 0;
    world.write(cwd, { resources: pets, outputs: { id: '${pets.id}' } });
    return world.apply(cwd, {
      open: {
        openState: () => Promise.resolve(failing(world.store(), () => (isAway ? error : undefined))),
        world: {
          ...realWorld,
          sleep: async () => {
            waits += 1;
            // Six tries of the run, then those of the hand-over.
            if (!comesBack || waits <= 6) return;
            isAway = false;
            await meanwhile();
          },
        },
      },
    });
  }
  const recovered = ({ events }: PaperWorld) =>
    events.flatMap((event) => (event.type === 'recovered' ? [`${event.outcome} ${event.address}`] : []));

  it('and stays away: the result is kept here, and the next run takes it from here', async () => {
    const [world, cwd] = [new PaperWorld(), join(folder, 'away')];
    const { result } = await run(cwd, world, false);
    expect(result.status).not.toBe('done');
    expect(result.diagnostics.map(({ code }) => code)).toContain('state-unreachable');
    expect(result.outputs).toEqual({});
    expect([world.state().resources.size, world.state().intents.length]).toEqual([0, 1]);
    world.calls = () => ({ find: () => Promise.reject(new Error('nobody needs to ask')) });
    const next = await world.apply(cwd);
    expect([next.result.status, recovered(world)]).toEqual(['done', ['recorded pets']]);
    expect(world.state().resources.get('pets')?.identity.id).toBe('Api-1');
    expect(world.state().outputs).toEqual({ id: 'Api-1' });
    // It was handed over, and is not taken again.
    expect(recovered((await world.apply(cwd), world))).toEqual([]);
  });

  it('and comes back before the run gives up: it is handed over at once', async () => {
    const [world, cwd] = [new PaperWorld(), join(folder, 'back')];
    await run(cwd, world, true);
    expect([world.state().resources.get('pets')?.identity.id, world.state().intents]).toEqual(['Api-1', []]);
    world.calls = () => ({});
    await world.apply(cwd);
    expect(recovered(world)).toEqual([]);
  });

  it('and comes back after another run has taken over what it made: no object is recorded twice', async () => {
    const [world, cwd] = [new PaperWorld(), join(folder, 'taken')];
    await run(cwd, world, true, unreachable, async () => {
      const store = world.store();
      const lease = await store.acquire('adopt', { waitMs: 0 });
      const [intent] = (await store.read()).intents;
      const resource = { ...recorded('cats', 'Api-1'), type: intent?.type ?? '' };
      await store.commit(lease, [{ kind: 'put', resource }]);
      await lease.release();
    });
    const { resources, intents } = await world.store().read();
    expect([[...resources.keys()], intents]).toEqual([['cats'], []]);
  });

  it('and is full instead: nothing is kept here, and the next run looks', async () => {
    const [world, cwd] = [new PaperWorld(), join(folder, 'full')];
    await run(cwd, world, false, new StateStoreError('full', 'The disk is full.', 'Make room.'));
    world.calls = () => ({});
    await world.apply(cwd);
    expect(recovered(world)).toEqual(['adopted pets']);
  });
});

describe('a store that is away when it is to say whose an object is that a create with a lost answer may have made', () => {
  async function run(cwd: string, outage: number) {
    const [world, tries] = [new PaperWorld(), { left: 0 }];
    world.calls = (platform) => ({
      create: async (...call) => {
        await platform.create(...call);
        tries.left = outage;
        throw new ProviderError('ambiguous', [{ severity: 'error', code: 'outcome-unknown', summary: 'It is lost.' }]);
      },
    });
    const fails = (): Error | undefined => (tries.left-- > 0 ? unreachable : undefined);
    world.write(cwd, { resources: pets });
    const openState = () => Promise.resolve(failing(world.store(), fails, ['managedElsewhere', 'runs']));
    const { result } = await world.apply(cwd, {
      open: { openState, world: { ...realWorld, sleep: () => Promise.resolve() } },
    });
    return { result, made: world.platform.objects.size, recorded: world.state().resources.get('pets')?.identity.id };
  }

  it('is waited for, as it is for what is written', async () => {
    expect(await run(join(folder, 'asked'), 3)).toMatchObject({
      result: { status: 'done' },
      ...{ made: 1, recorded: 'Api-1' },
    });
  });

  it('for good: both are told, and the next run looks', async () => {
    const { result, made, recorded } = await run(join(folder, 'silent'), Infinity);
    expect(result.steps[0]?.diagnostics?.map(({ code }) => code)).toEqual(['outcome-unknown', 'state-unreachable']);
    expect([made, recorded]).toEqual([1, undefined]);
  });
});
