import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApplyOptions, ApplyResult, OpenOptions, PackageSource } from '@platform-sync/engine/api';
import type { ProviderContext } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { openStateStore } from '@platform-sync/state/open';
import { providerPackages } from '@platform-sync/sdk/registry';
import type { FaultRule } from '@platform-sync/sandbox/control/fault-rule';
import { leapingClock } from '../harness/leaping-clock.js';
import { makeWorld, type World } from '../harness/world.js';
import { asWritten } from './catalogues.js';
import { existingIds, existingObjects, wantedObjects, type Dump, type Resources } from './inventory.js';

/** Deletes are what these tests are about, so no guard speaks up. */
export const lenient = 'project: test\nguards: {maxDeletes: 1000, maxDeletePercent: 100}\n';

/** The engine waits this much shorter between its looks than in earnest. */
const hurry = 50;

const hurriedWorld = { ...realWorld, sleep: (ms: number, until?: AbortSignal) => realWorld.sleep(ms / hurry, until) };

/** Packages whose provider waits in no time, and gives up on an answer after `attemptMs`. */
export function hurriedPackages(attemptMs = 60_000): PackageSource {
  const clock = leapingClock();
  return {
    names: providerPackages.names,
    load: async (name) => {
      const loaded = await providerPackages.load(name);
      // The provider hands what it is given to its HTTP client.
      const hurried = (context: ProviderContext) => ({ ...context, clock, limits: { attemptMs } });
      return { ...loaded, start: (context) => loaded.start(hurried(context)) };
    },
  };
}

/** A world whose platform can be told to fail, and what must be true of it in the end. */
export interface FaultWorld {
  readonly world: World;
  /** A platform with nothing on it, a stack with nothing in it. */
  readonly reset: () => Promise<void>;
  readonly write: (resources: Resources) => Promise<void>;
  /** Sets rules for the requests from now on; counts start anew. */
  readonly fault: (...rules: readonly FaultRule[]) => Promise<void>;
  /** Plans and applies once; `meanwhile` happens between the two. */
  readonly run: (
    options?: ApplyOptions,
    open?: Partial<OpenOptions>,
    meanwhile?: () => Promise<void>,
  ) => Promise<ApplyResult>;
  readonly dump: () => Promise<Dump>;
  /** POSTs that reached the platform since the rules were set. */
  readonly posts: () => Promise<number>;
  /** Catalogue and platform are equal, nothing is there twice or left over, state knows it all, and nothing is to do. */
  readonly expectConverged: (resources: Resources, open?: Partial<OpenOptions>) => Promise<void>;
}

/** `state`: in memory, or in the file that other processes see, too. */
export async function makeFaultWorld(state: 'memory' | 'sqlite' = 'memory'): Promise<FaultWorld> {
  const made = await makeWorld();
  const onDisk: Partial<OpenOptions> =
    state === 'memory' ? {} : { openState: (config) => openStateStore(config.state, config.project, config.stack) };
  const world: World = { ...made, open: (work, options) => made.open(work, { ...onDisk, ...options }) };
  const dump = async (): Promise<Dump> => (await world.call('GET', '/_sandbox/objects')).body as unknown as Dump;
  return {
    world,
    dump,
    reset: async () => {
      world.loseState();
      await rm(join(world.folder, '.sync'), { recursive: true, force: true });
      await world.call('POST', '/_sandbox/reset');
    },
    write: (resources) =>
      world.write({ 'sync.yaml': lenient, 'catalogue/all.yaml': { resources: { ...asWritten(resources) } } }),
    fault: async (...rules) => {
      await world.resetRequests();
      const answer = await world.call('PUT', '/_sandbox/faults', rules as unknown as JsonObject[]);
      expect(answer.status).toBe(200);
    },
    run: (options, open, meanwhile) =>
      world.open(
        async (project) => {
          const planned = await project.plan();
          expect(planned.plan, planned.diagnostics.map(({ summary }) => summary).join('\n')).toBeDefined();
          await meanwhile?.();
          return project.apply(planned, options);
        },
        { packages: hurriedPackages(), world: hurriedWorld, ...open },
      ),
    posts: async () => {
      const { byRoute } = await world.requests();
      return Object.entries(byRoute).reduce((sum, [route, n]) => (route.startsWith('POST ') ? sum + n : sum), 0);
    },
    expectConverged: async (resources, open) => {
      await world.call('DELETE', '/_sandbox/faults');
      await expectConverged(world, await dump(), resources, open);
    },
  };
}

async function expectConverged(
  world: World,
  dump: Dump,
  resources: Resources,
  open?: Partial<OpenOptions>,
): Promise<void> {
  expect(existingObjects(dump)).toEqual(wantedObjects(resources));
  const [plan, state] = await world.open(async (project) => {
    const { plan: made, diagnostics } = await project.plan();
    expect(diagnostics).toEqual([]);
    return [made, await (await project.state()).read()] as const;
  }, open);
  expect(plan?.steps).toEqual([]);
  expect(state.intents).toEqual([]);
  expect([...state.resources.values()].map((record) => record.identity.id).sort()).toEqual(existingIds(dump));
}
