import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApplyResult, OpenOptions } from '@platform-sync/engine/api';
import type { Event } from '@platform-sync/core/model/event';
import { openStateStore } from '@platform-sync/state/open';
import { startPostgres, type PostgresServer } from '../postgres/server.js';
import { product } from './catalogues.js';
import { cuttableProxy } from './cuttable-proxy.js';
import { makeFaultWorld, type FaultWorld } from './fault-world.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

// More than are at work at once: four for each request in flight.
const shops = Object.fromEntries(
  Array.from({ length: 24 }, (_, n) => [`shop${n}`, product(`Shop ${n}`, { description: `secret-free ${n}` })]),
);
const keptName = join('.sync', 'kept-test-default.jsonl');

/** A platform, and a database that goes away while creates are under way. */
async function outage(
  work: (given: {
    readonly faulty: FaultWorld;
    readonly open: Partial<OpenOptions>;
    readonly mend: () => void;
    readonly run: (onEvent: (event: Event) => void, drain?: AbortSignal) => Promise<ApplyResult>;
  }) => Promise<void>,
): Promise<void> {
  const proxy = await cuttableProxy(await server.createDatabase());
  const faulty = await makeFaultWorld();
  const openState: OpenOptions['openState'] = ({ project, stack }) =>
    openStateStore({ backend: 'postgres', url: proxy.url }, project, stack);
  const open = { openState, concurrency: 4 };
  let finished = 0;
  const run = (onEvent: (event: Event) => void, drain?: AbortSignal): Promise<ApplyResult> =>
    faulty.run(drain === undefined ? {} : { drain }, {
      ...open,
      onEvent: (event) => {
        if (event.type === 'step-done' && (finished += 1) === 2) proxy.cut();
        onEvent(event);
      },
    });
  try {
    await faulty.write(shops);
    await faulty.fault({ match: { method: 'POST' }, action: { delayMs: 300 } });
    await work({ faulty, open, mend: () => proxy.mend(), run });
  } finally {
    await faulty.world.close();
    await proxy.close();
  }
}

/** The run could not, while the database was away; otherwise the next one waits for half a minute. */
function giveBackLease({ world }: FaultWorld, open: Partial<OpenOptions>): Promise<void> {
  return world.open(async (project) => {
    const store = await project.state();
    const holder = await store.holder();
    if (holder !== undefined) expect(await store.unlock(holder.id, { now: true })).toBe(true);
  }, open);
}

const isKeptWait = (event: Event): boolean => event.type === 'waiting' && event.reason.includes('kept on this machine');

describe('a database that goes away in the middle of a run', { concurrent: true }, () => {
  it('gets the results when it is back: nothing more is started, and nothing is lost', () =>
    outage(async ({ faulty, open, mend, run }) => {
      const result = await run((event) => {
        if (isKeptWait(event)) mend();
      });
      expect(result.status).toBe('partly');
      expect(result.diagnostics.map(({ code }) => code)).toEqual(['state-unreachable', 'state-was-away']);
      const done = result.steps.filter(({ outcome }) => outcome === 'done').length;
      expect(await faulty.posts()).toBe(done);
      // What was never sent has not failed.
      const rest = result.steps.filter(({ outcome }) => outcome !== 'done');
      expect(new Set(rest.map(({ outcome, because }) => `${outcome}: ${String(because)}`))).toEqual(
        new Set(['skipped: stopped']),
      );
      expect(existsSync(join(faulty.world.folder, keptName))).toBe(false);

      const recorded = await faulty.world.open(async (project) => (await project.state()).read(), open);
      expect([recorded.resources.size, recorded.intents]).toEqual([done, []]);
      expect((await faulty.run({}, open)).status).toBe('done');
      await faulty.expectConverged(shops, open);
    }));

  it('finds them kept beside the project otherwise, and the next run there records them without asking', () =>
    outage(async ({ faulty, open, mend, run }) => {
      const user = new AbortController();
      const result = await run((event) => {
        if (isKeptWait(event)) user.abort();
      }, user.signal);
      expect(result.diagnostics.at(-1)).toMatchObject({ code: 'results-kept-here' });
      const kept = readFileSync(join(faulty.world.folder, keptName), 'utf8').trim().split('\n').filter(Boolean);
      expect(kept.length).toBeGreaterThan(0);
      const posts = await faulty.posts();

      mend();
      await faulty.fault();
      await giveBackLease(faulty, open);
      const events: Event[] = [];
      expect((await faulty.run({}, { ...open, onEvent: (event) => events.push(event) })).status).toBe('done');
      const outcomes = events.flatMap((event) => (event.type === 'recovered' ? [event.outcome] : []));
      expect(outcomes.filter((outcome) => outcome === 'recorded').length).toBeGreaterThan(0);
      expect(outcomes).not.toContain('adopted');
      expect(posts + (await faulty.posts())).toBe(Object.keys(shops).length);
      expect(existsSync(join(faulty.world.folder, keptName))).toBe(false);
      await faulty.expectConverged(shops, open);
    }));
});
