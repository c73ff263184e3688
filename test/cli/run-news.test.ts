import { describe, expect, it } from 'vitest';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { RunNews } from '@platform-sync/core/model/run-news';
import { LeaseHeldError } from '@platform-sync/core/model/state-store';
import { plan, step } from '../report/plan-builder.js';
import { fakeProgram, type FakeOptions } from './fake-host.js';

const change = { steps: [step({ address: 'pets', action: 'create' })] };
const guard = { name: 'maxDeletes', summary: 'too many', addresses: [] };
const failed = { address: 'pets', action: 'create', outcome: 'failed' } as const;
const holder = { id: 'a', owner: 'ann', purpose: 'apply', since: '2030-01-01T00:00:00.000Z', seen: '' };

/** Which news of runs a command hands over to a project with a webhook, and in which order. */
async function told(
  given: FakeOptions,
  argv: readonly string[],
  drift: Partial<ProjectConfig['drift']> = {},
): Promise<readonly unknown[]> {
  const program = fakeProgram(given);
  const { project } = await program.host.openProject({
    cwd: '.',
    env: {},
    purpose: 'test',
    packages: await program.host.packages(),
  });
  if (project === undefined) throw new Error('no project');
  const webhook = {
    severity: {},
    ignore: [],
    format: 'generic',
    unset: [],
    webhook: 'https://hooks.example/1',
    ...drift,
  } as const;
  Object.assign(project.config, { drift: webhook });
  await program.run(...argv);
  return program.calls.flatMap(([name, news]): readonly unknown[] => {
    if (name === 'noteLostRun') return ['lost'];
    if (name !== 'tellRuns') return [];
    const { command, status, about, counts } = news as RunNews;
    return [[command, status, ...about.map((one) => one.name), ...(counts === undefined ? [] : [counts])]];
  });
}

describe('news of a run', () => {
  it.each<readonly [string, FakeOptions, readonly unknown[]]>([
    ['done', {}, ['apply', 'done']],
    ['blocked', { plan: plan({ ...change, guards: [guard] }) }, ['apply', 'blocked', 'maxDeletes']],
    [
      'partly done',
      { plan: plan(change), apply: { status: 'partly', steps: [failed] } },
      ['apply', 'partly', 'pets', { done: 0, failed: 1, skipped: 0 }],
    ],
    ['stale', { plan: plan(change), apply: { status: 'stale' } }, ['apply', 'stale']],
    [
      'that another run keeps from beginning',
      { plan: plan(change), apply: () => Promise.reject(new LeaseHeldError(holder)) },
      ['apply', 'held'],
    ],
    ['that breaks down', { plan: plan(change), apply: () => Promise.reject(new Error('a bug')) }, ['apply', 'failed']],
    [
      'without a plan',
      { planDiagnostics: [{ severity: 'error', code: 'unset-variable', summary: 'A is not set.' }] },
      ['apply', 'failed'],
    ],
  ])('%s is told after that of the one that died', async (_what, given, news) => {
    expect(await told(given, ['apply', '--yes'])).toEqual(['lost', news]);
  });

  it('of a blocked plan is told, and of no other one', async () => {
    expect(await told({ plan: plan({ ...change, guards: [guard] }) }, ['plan'])).toEqual([
      ['plan', 'blocked', 'maxDeletes'],
    ]);
    expect(await told({ plan: plan(change) }, ['plan'])).toEqual([]);
  });

  it('of a proposal is told by its comment', async () => {
    const blocked = { plan: plan({ ...change, guards: [guard] }) };
    expect(await told(blocked, ['plan', '--untrusted', '--base', 'main'])).toEqual([]);
  });

  it('is nobody’s where the run has a reader, or the address is not set here', async () => {
    expect(await told({ host: { interactive: true } }, ['apply', '--yes'])).toEqual([]);
    expect(await told({}, ['apply', '--yes'], { unset: ['drift.webhook'] })).toEqual([]);
  });
});
