import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleFleet, RunningConsole } from '@platform-sync/core/model/console';
import type { JobQueue } from '@platform-sync/core/model/fleet';
import { realWorld } from '@platform-sync/core/model/world';
import { openStateStore } from '@platform-sync/state/open';
import { openConsole, openQueue } from 'platform-sync-fleet/main';
import { type LoginProvider, startLoginProvider } from '../harness/login-provider.js';
import { portToBind } from '../harness/port-to-bind.js';
import { resource } from '../engine/state/samples.js';
import { startPostgres, type PostgresServer } from '../postgres/server.js';
import { field, plan, step } from '../report/plan-builder.js';
import { browserReason, chromiumPath, launchChromium } from './chromium.js';
import { axeSource } from './report-page.js';

const stacks = Array.from({ length: 300 }, (_, at) => ({
  ...{ project: `team-${String(at).padStart(3, '0')}`, stack: 'production', folder: `teams/${String(at)}` },
  ...{ labels: { tier: at % 2 === 0 ? 'gold' : 'silver' }, owners: [`@acme/team-${String(at % 20)}`] },
}));
const effect = 'a'.repeat(64);

describe.runIf(chromiumPath !== undefined)(`the console in a browser${browserReason}`, () => {
  let server: PostgresServer;
  let provider: LoginProvider;
  let served: RunningConsole;
  let queue: JobQueue;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  /** Number of a run. */
  let long: number;

  beforeAll(async () => {
    [server, provider, browser] = await Promise.all([
      startPostgres(),
      startLoginProvider('sync', [{ sub: 'ole', email: 'ole@acme.example' }]),
      launchChromium(),
    ]);
    const [database, port] = await Promise.all([server.createDatabase(), portToBind()]);
    const url = `http://127.0.0.1:${String(port)}`;
    const login = { issuer: provider.issuer, client: 'sync' };
    const fleet: ConsoleFleet = {
      ...{ name: 'acme', stacks },
      settings: { url, login, roles: [{ role: 'operator', groups: ['*'] }] },
    };
    const onProblem = (words: string): void => void problems.push(words);
    const given = { database, world: realWorld, host: '127.0.0.1', port, version: '0', hookSecrets: {}, onProblem };
    served = await openConsole({ ...given, fleet: async () => fleet });
    queue = await openQueue(database, realWorld);
    await fill(queue);
    long = await recordLongRun(database);
    page = await (await browser.newContext()).newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      // The provider's own page has no icon.
      const of = message.location().url;
      if (message.type() === 'error' && of.startsWith(url) && !of.endsWith('/nowhere')) problems.push(message.text());
    });
    await page.goto(`${served.url}/?text=team-004`);
    await page.getByText('ole@acme.example').click();
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
    await Promise.all([queue.close(), provider.close()]);
    await server.stop();
    expect(problems).toEqual([]);
  });

  it('leads after a login to what was asked for, filters in the address, and goes by keyboard', async () => {
    expect(new URL(page.url()).search).toBe('?text=team-004');
    expect(await page.locator('.row').count()).toBe(1);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${served.url}/`);
    await figures(page, 'the first page of 300 stacks');
    // Who is dirty, since when, why, what waits for me, who applied last night: a look, without a scroll.
    for (const words of [
      'heading: 101 of 300 stacks need somebody',
      'heading: Waits for you 2',
      'link: 41 drift',
      'text: by ana. Needs 1 more approval, by somebody else.',
      'text: The token of team-041 was refused.',
      'text: since 2026-01-01 14:05',
      'text: Applied in the last 24 hours: 1 stack, by ana.',
    ]) {
      const [role = '', name = ''] = words.split(': ', 2);
      const found = role === 'text' ? page.getByText(words.slice(6)) : page.getByRole(role as 'heading', { name });
      const box = await found.first().boundingBox();
      expect([words, (box?.y ?? 800) + (box?.height ?? 0) < 800]).toEqual([words, true]);
    }
    await page.getByRole('link', { name: '41 drift' }).press('Enter');
    expect(new URL(page.url()).search).toBe('?state=drift');
    await page.locator('.fold summary').press('Enter');
    expect(await page.locator('.fold').textContent()).toContain('41 stackslabel team removed');
    await page.locator('.fold').getByRole('link', { name: 'team-000/production' }).press('Enter');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('team-000/production: drift');
  });

  it('shows a run of five thousand steps at once, troubles first, and the others page by page', async () => {
    const answer = await page.goto(`${served.url}/stacks/team-299/production/runs/${String(long)}`);
    expect((await answer?.body())?.length).toBeLessThan(150_000);
    await figures(page, 'a run of 5,000 steps');
    expect(await page.locator('.chip').allTextContents()).toEqual(['1 failed', '4999 done']);
    expect(await page.locator('#ui\\:steps').locator('xpath=..').locator('tbody tr').count()).toBe(200);
    expect(await page.locator('tbody tr').first().textContent()).toContain('failed');
    await page.getByRole('link', { name: 'Those after' }).press('Enter');
    await page.waitForURL(/from=200/);
    expect(await page.getByText('Steps 201 to 400 of 5000').count()).toBe(1);
  });

  it('weighs little for three hundred stacks, and works without a script', async () => {
    const quiet = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    const other = await quiet.newPage();
    const answer = await other.goto(`${served.url}/`);
    expect((await answer?.body())?.length).toBeLessThan(150_000);
    expect(await other.locator('.row').count()).toBe(stacks.length);
    await other.getByRole('searchbox').fill('tier:gold');
    await other.getByRole('button', { name: 'Filter' }).click();
    expect(await other.locator('.row').count()).toBe(stacks.length / 2);
    await other.goto(`${served.url}/stacks/team-000/production/plans/${effect}`);
    await other.getByRole('button', { name: 'Approve this effect' }).click();
    await other.goto(`${served.url}/audit`);
    expect(await other.getByText(`approved effect ${effect.slice(0, 12)}`).count()).toBe(1);
    await quiet.close();
  });

  it.each(['light', 'dark'] as const)(
    'has nothing that keeps somebody out, in %s colours, nor anything wider than 390 px',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      const paths = [
        '/',
        '/stacks/team-000/production',
        '/stacks/team-299/production/drift',
        `/stacks/team-299/production/runs/${String(long)}`,
        '/stacks/team-299/production/history',
        `/stacks/team-000/production/plans/${effect}`,
        `/stacks/team-000/production/plans/${effect}/diff`,
        '/nowhere',
        '/drift',
        '/audit',
        '/tokens',
      ];
      // Colours are those of a few parts, which the others have as well; pictures are of all.
      const few = paths.filter((path) => !/diff|^\/drift|history|nowhere|tokens/.test(path));
      const isBrief = scheme === 'dark' && process.env['SYNC_ARTIFACTS'] === undefined;
      for (const path of isBrief ? few : paths) {
        const name = path.replace(/a{64}/, 'a').replaceAll(/[/?]/g, '-');
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(`${served.url}${path}`);
        await page.evaluate(axeSource);
        const found = await page.evaluate(
          // What depends on the colours is asked in both.
          `axe.run(${scheme === 'dark' ? "{ runOnly: ['color-contrast'] }" : ''}).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
        );
        expect([path, found]).toEqual([path, []]);
        await shot(page, `console${name}-${scheme}`);
        // The layout is the same in both.
        if (isBrief) continue;
        await page.setViewportSize({ width: 390, height: 900 });
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
        await shot(page, `console${name}-${scheme}-390`);
      }
    },
  );
});

/** Two out of three clean, one cause in forty-one stacks, others each with its own. */
async function fill(queue: JobQueue): Promise<void> {
  const notes = stacks.map(({ project, stack }, at) => {
    const lastGood = '2026-01-01T14:02:00.000Z';
    const own = {
      state: 'failed',
      cause: `The token of ${project} was refused.`,
      since: '2026-01-01T14:05:00.000Z',
    } as const;
    const found =
      at < 41
        ? ({
            state: 'drift',
            cause: 'label team removed',
            since: `2026-01-01T14:0${String(2 + (at % 3))}:00.000Z`,
            lastGood,
          } as const)
        : at < 100
          ? own
          : ({ state: 'clean', cause: '', lastGood } as const);
    return queue.note({ kind: 'check', project, stack }, { found });
  });
  await Promise.all(notes);
  const steps = [
    step({ address: 'pets', action: 'update', fields: [field('description', { old: 'Cats', new: 'Dogs' })] }),
  ];
  const made = { ...plan({ steps }), effectDigest: effect };
  const job = { kind: 'plan', stack: 'production', commit: 'd'.repeat(40) } as const;
  for (const project of ['team-000', 'team-299'])
    await queue.note({ ...job, project }, { found: { state: 'waiting', cause: '' }, plan: made, authors: ['ana'] });
}

/** A run of five thousand steps, one of which failed. */
async function recordLongRun(url: string): Promise<number> {
  const state = await openStateStore({ backend: 'postgres', url }, 'team-299', 'production');
  await state.read();
  const lease = await state.acquire('apply', { waitMs: 0 });
  const addresses = Array.from({ length: 5_000 }, (_, at) => `api-${String(at)}`);
  const action = 'update';
  const steps = addresses.map((address) => ({ address, action, fields: ['description', 'labels'] }));
  await state.commit(
    lease,
    [],
    [{ kind: 'plan', mode: 'apply', actor: 'ana', lifted: [], effectDigest: effect, steps }],
  );
  await state.commit(
    lease,
    addresses.map((address) => ({ kind: 'put', resource: resource(address) }) as const),
  );
  const failed = [{ severity: 'error', code: 'apply-failed', summary: 'The platform refused it.' }] as const;
  const results = addresses.map((address, at) => ({
    ...{ address, action, durationMs: 40 },
    ...(at === 4_000 ? { outcome: 'failed' as const, diagnostics: failed } : { outcome: 'done' as const }),
  }));
  await state.commit(lease, [], [{ kind: 'end', status: 'partly', requests: 5_000, steps: results }]);
  await lease.release();
  await state.noteDrift({
    at: '2026-01-01T14:02:00.000Z',
    status: 'drift',
    resolved: [],
    seen: [
      { id: '1a2b3c4d5e', address: 'pets', field: 'labels', class: 'modified', severity: 'high', digest: 'x' },
      { id: '2b3c4d5e6f', address: 'pets/guide', class: 'deleted', severity: 'low', digest: 'x' },
    ],
  });
  await state.close();
  return lease.token;
}

/** Tells how long a page took: all in all as its reader waits for it, on a machine that may do other things, and what this process spent on it. */
async function figures(page: Page, name: string): Promise<void> {
  if (process.env['SYNC_ARTIFACTS'] === undefined) return;
  const [before, bytes] = [process.cpuUsage(), (await (await page.reload())?.body())?.length ?? 0];
  const { user, system } = process.cpuUsage(before);
  const [answered, useful] = (await page.evaluate(
    "(({ responseEnd, domInteractive }) => [responseEnd, domInteractive])(performance.getEntriesByType('navigation')[0])",
  )) as [number, number];
  const times = `answered in ${answered.toFixed(0)} ms, useful in ${useful.toFixed(0)} ms`;
  const cpu = `${((user + system) / 1_000).toFixed(0)} ms of CPU in the server and its test`;
  process.stdout.write(`${name}: ${bytes} bytes, ${times}, ${cpu}\n`);
}

async function shot(page: Page, name: string): Promise<void> {
  const { SYNC_ARTIFACTS: folder } = process.env;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: name.includes('stacks') });
}
