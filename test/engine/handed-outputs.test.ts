import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realWorld } from '@platform-sync/core/model/world';
import { destinationsOf } from '@platform-sync/cli/run/destinations';
import type { Destination } from '@platform-sync/core/model/destination';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

/** A secret that the platform shows once, on its way to where the operator wants it. */

let world: World;
freshWorlds((made) => (world = made));

const catalogue = (outputs: JsonObject, more: JsonObject = {}): JsonObject => ({
  resources: {
    bot: {
      type: 'platform:SystemAccount',
      properties: { name: 'bot', description: 'Pipelines' },
      children: {
        token: {
          type: 'platform:SystemAccountAccessToken',
          properties: { name: 'token', expiresAt: '2031-01-01T00:00:00Z' },
        },
      },
    },
    ...more,
  },
  outputs,
});
const write = (outputs: JsonObject, more?: JsonObject): Promise<void> =>
  world.write({ 'catalogue/all.yaml': catalogue(outputs, more) });
const apply = (deliver: Destination['deliver']) => {
  const destinations = new Map([['botToken', { kind: 'a test', deliver }]]);
  return world.open(async (project) => project.apply(await project.plan({ destinations }), { destinations }));
};
const output = { botToken: '${bot/token.token}' };

describe('an output of a secret that is shown once', () => {
  it('is handed over once, and recorded as no output', async () => {
    await write(output);
    const got: string[] = [];
    const { status, outputs } = await apply((secret) => {
      got.push(secret);
      return Promise.resolve(undefined);
    });
    expect([status, got, outputs]).toEqual(['done', [expect.stringMatching(/^shown-once-/)], {}]);
    const { status: again } = await apply((secret) => {
      got.push(secret);
      return Promise.resolve(undefined);
    });
    expect([again, got.length]).toEqual(['done', 1]);
    const state = await world.open(async (project) => (await project.state()).read());
    expect(JSON.stringify([...state.resources.values(), state.outputs])).not.toContain('shown-once-');
  });

  it('may be lost where the run ends in between, and the next one says so', async () => {
    await write(output);
    await expect(apply(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    const { diagnostics } = await world.planResult();
    expect(diagnostics.map(({ code, address }) => [code, address])).toContainEqual(['secret-maybe-lost', 'bot/token']);
  });

  it('is lost with the answer that shows it', async () => {
    await write(output);
    const cut = { match: { method: 'POST', route: '/v3/system-accounts/*/access-tokens' }, times: 1 };
    await world.call('PUT', '/_sandbox/faults', { rules: [{ ...cut, action: { reset: 'after-commit' } }] });
    const { steps } = await apply(() => Promise.resolve(undefined));
    const token = steps.find(({ address }) => address === 'bot/token');
    expect(token).toMatchObject({ outcome: 'failed', diagnostics: [{ code: 'secret-lost' }] });
  });

  it('can be put into nothing else', async () => {
    await write(output, {
      other: { type: 'platform:Api', properties: { name: 'x', description: '${bot/token.token}' } },
    });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ code }) => code)).toEqual(['shown-once-used']);
  });
});

describe('a file descriptor', () => {
  it('gets the secret on a line of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sync-fd-'));
    const file = openSync(join(folder, 'out'), 'w');
    const place = { env: {}, cwd: folder, folder, world: realWorld };
    const [made] = [...(destinationsOf([`a=fd:${String(file)}`], place)?.values() ?? [])];
    expect([made?.kind, await made?.deliver('hush')]).toEqual([`file descriptor ${String(file)}`, undefined]);
    closeSync(file);
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('hush\n');
    rmSync(folder, { recursive: true });
  });
});
