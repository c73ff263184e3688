import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import type { StackState } from '@platform-sync/core/model/state';
import type { Lease, StateStore } from '@platform-sync/core/model/state-store';
import { openStateStore } from '@platform-sync/state/open';
import { providerPackages } from '@platform-sync/sdk/registry';
import { fakeProgram } from '../cli/fake-host.js';
import { realProgram, type RealProgram } from '../cli/real-program.js';

/** Without a reviewed plan the stack comes first: what is planned is what is there when the other run has ended. */
let program: RealProgram;
beforeEach(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 't' });
  await program.write({
    'sync.yaml': 'project: shop\nguards: {maxDeletePercent: 100}\n',
    'catalogue/a.yaml': 'resources:\n  pets: {type: platform:Api}\n  cats: {type: platform:Api}\n',
  });
  expect((await program.run('apply', '--yes')).code).toBe(0);
});
afterEach(() => program.close());

const store = (): Promise<StateStore> =>
  openStateStore({ backend: 'sqlite', path: join(program.folder, '.sync/state.db') }, 'shop', 'default');

interface Waited {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What had been printed to stdout when it began to wait. */
  readonly before: string;
}

/** Runs a command while another run holds the stack; that one works once it is waited for, and ends. */
async function beside(
  argv: readonly string[],
  work: (state: StateStore, lease: Lease) => Promise<void>,
): Promise<Waited> {
  const state = await store();
  const lease = await state.acquire('apply', { owner: 'ann@box pid 7', waitMs: 0 });
  let before: string | undefined;
  let worked = Promise.resolve();
  const said = { out: '', err: '' };
  const { run } = fakeProgram({
    host: {
      ...{ env: program.env, cwd: program.folder, openProject, packages: async () => providerPackages },
      out: (text) => void (said.out += text),
      err: (text) => {
        said.err += text;
        if (before !== undefined || !text.includes('the stack is locked by ann@box pid 7 (apply)')) return;
        before = said.out;
        worked = work(state, lease).then(() => lease.release());
      },
    },
  });
  try {
    const { code } = await run(...argv, '--yes', '--lock-timeout', '60s', '--log-level', 'debug');
    await worked;
    return { code, ...said, before: before ?? 'it never waited' };
  } finally {
    await lease.release();
    await state.close();
  }
}

const idOf = async (name: string): Promise<string> => {
  const { data } = (await program.call('GET', '/v3/apis')) as { data: { id: string; name: string }[] };
  return data.find((api) => api.name === name)?.id ?? '';
};

describe('beside a run that changes the stack', () => {
  it('destroy waits, and deletes what is left then', async () => {
    const { code, out, err, before } = await beside(['destroy'], async (state, lease) => {
      await program.call('DELETE', `/v3/apis/${await idOf('cats')}?force=true`);
      await state.commit(lease, [{ kind: 'remove', address: 'cats' }]);
    });
    expect([code, before], err).toEqual([0, '']);
    expect(out).toContain('1 to delete');
    expect(out).not.toContain('cats');
    expect((await reading()).resources.size).toBe(0);
    // The history says what the run waited for.
    const state = await store();
    const [end] = await state.runs({ kinds: ['end'], limit: 1 });
    await state.close();
    const reason = expect.stringContaining('locked by ann@box pid 7 (apply)') as unknown;
    expect(end?.content).toMatchObject({ waited: [{ reason, times: 1 }] });
  });

  it('adopt waits, and takes over what is there then', async () => {
    await program.run('state', 'rm', 'pets', 'cats', '--yes');
    const { code, out, err, before } = await beside(['adopt'], async () => {
      await program.call('DELETE', `/v3/apis/${await idOf('cats')}?force=true`);
    });
    expect([code, before], err).toEqual([0, '']);
    expect(out).toContain('1 to adopt');
    expect([...(await reading()).resources.keys()]).toEqual(['pets']);
  });

  it.each(['apply', 'destroy', 'adopt'])(
    '%s that may not wait says who holds the stack, and plans nothing',
    async (command) => {
      const state = await store();
      const lease = await state.acquire('apply', { owner: 'ann@box pid 7', waitMs: 0 });
      try {
        const { code, out, err } = await program.run(command, '--yes');
        expect([code, out]).toEqual([1, '']);
        expect(err).toContain('ann@box pid 7');
      } finally {
        await lease.release();
        await state.close();
      }
    },
  );
});

async function reading(): Promise<StackState> {
  const state = await store();
  try {
    return await state.read();
  } finally {
    await state.close();
  }
}
