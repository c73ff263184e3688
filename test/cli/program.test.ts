import { describe, expect, it } from 'vitest';
import { commandGroups, commandLoaders } from '@platform-sync/cli/command-list';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { LeaseHeldError, LeaseLostError, StateStoreError } from '@platform-sync/core/model/state-store';
import { fakeProgram } from './fake-host.js';

describe('the program', () => {
  it.each([
    [['plam'], 'did you mean:\n        sync plan\n'],
    [['state', 'lst'], 'did you mean:\n        sync state list\n'],
    [['frobnicate'], 'All commands:\n        sync --help\n'],
    [['plan', '--nope'], 'sync plan has no flag --nope'],
    [
      ['plan', 'extra'],
      'sync plan takes no argument, but got "extra"\n  hint: What it takes:\n        sync plan --help',
    ],
    [
      ['plan', '--target', 'a', 'b', 'c'],
      'sync plan takes no argument, but got "b", "c"\n  hint: --target takes one value. Write it again for each:\n        --target … --target b',
    ],
    [
      ['export', '--type=Api', 'ApiDocument'],
      '--type takes one value. Write it again for each:\n        --type … --type ApiDocument',
    ],
    [['state', 'show', 'a', 'b'], 'sync state show takes ADDRESS, but also got "b"'],
    [['plan', '--out', 'p.json', 'b'], 'got "b"\n  hint: What it takes:\n        sync plan --help'],
    [['plan', '--refresh', 'some'], '--refresh can\'t be "some"\n  hint: --refresh takes one of: auto, full, none'],
    [['plan', '--concurrency', '0'], '0'],
    [
      ['import', 'a'],
      'sync adopt needs ID (id of the existing object)\n  hint: How it is written:\n        sync adopt --help',
    ],
    [['import'], 'sync adopt needs an answer, and there is no terminal: nothing was done'],
    [['adopt', 'a', '1', '--target', 'b'], '--target goes without ids'],
    [['import', 'a', 'b', 'c'], 'sync adopt takes one object as ADDRESS ID, and several as ADDRESS=ID ADDRESS=ID …'],
    [['import', 'a=1', 'b'], 'b is not ADDRESS=ID'],
    [['import', 'a='], 'a= is not ADDRESS=ID'],
    [['import', '--from', 'nowhere.txt'], "nowhere.txt can't be read: it does not exist"],
    [['import', '--form', 'x'], 'did you mean --from?'],
    [['fix', '--var', 'a=b'], 'sync fix needs PLAN (file written by sync plan --out)'],
    [['plan', '--allow', 'delete:a'], '--allow needs --reason'],
    [['plan', '--reason', 'why'], '--reason goes with --allow'],
    [['apply', '--yes', '--lock-timeout', 'soon'], 'takes a time like 30s'],
    [['apply', 'p.json', '--yes', '--target', 'a'], '--target belongs to planning'],
    [['state', 'mv', 'a', 'b.c'], 'is not an address'],
    [['--nope'], 'no command in'],
  ])('answers %j as a usage error', async (argv, words) => {
    const { run, opened } = fakeProgram();
    const { code, out, err } = await run(...argv);
    expect([code, out]).toEqual([64, '']);
    expect(err).toContain(words);
    expect(opened).toEqual([]);
  });

  it('prints its name and version', async () => {
    expect((await fakeProgram().run('--version')).out).toMatch(/^platform-sync \d+\.\d+\.\d+\n$/);
  });

  it('lists every command in its help', async () => {
    const { code, out } = await fakeProgram().run('--help');
    expect(code).toBe(0);
    for (const id of Object.keys(commandLoaders)) expect(out).toContain(id.split(':')[0]);
  });

  it.each(Object.keys(commandLoaders))('%s has help with a summary and an example', async (id) => {
    const { code, out } = await fakeProgram().run(...id.split(':'), '--help');
    expect(code).toBe(0);
    expect(out).toContain('EXAMPLES');
    expect(out).toContain(`sync ${id.replace(':', ' ')}`);
    expect(out).toContain('--log-level');
    // What a flag takes has a name: N, FILE, DIR …
    expect(out).not.toContain('<value>');
  });

  it.each([
    ['fleet', '--help', '--log-level', 'debug'],
    ['--log-level', 'debug', 'fleet', '--help'],
    ['state', '--stack', 'prod'],
  ])('shows a topic whatever flags stand beside it: %s %s %s', async (...argv) => {
    const { code, out } = await fakeProgram().run(...argv);
    expect([code, out]).toEqual([0, expect.stringMatching(/fleet plan|state list/)]);
  });

  it('names what explains the gravest problem, last and once, where people read', async () => {
    const of = (severity: 'error' | 'warning', code: string) => ({ severity, code, summary: 'Odd.' });
    const found = [of('warning', 'unknown-reference'), of('error', 'unknown-type'), of('error', 'unknown-type')];
    const { run } = fakeProgram({ project: { validate: async () => ({ diagnostics: found, files: 1 }) } });
    const told = await run('validate');
    expect(told.err).toBe('What it means: sync explain unknown-type\n');
    expect((await run('validate', '--format', 'json')).err).toBe('');
    const warned = fakeProgram({ planDiagnostics: found.slice(0, 1) });
    expect((await warned.run('plan')).err).toMatch(/\nWhat it means: sync explain unknown-reference\n$/);
    expect((await warned.run('plan', '--log-level', 'error')).err).toBe('');
  });

  it.each([
    [['plan', '--fields', 'summary'], '--fields is about JSON'],
    [['plan', '--format', 'markdown', '--limit', '3'], '--limit is about JSON'],
  ])('refuses %j', async (argv, words) => {
    const { code, err } = await fakeProgram().run(...argv);
    expect([code, err]).toEqual([64, expect.stringContaining(words)]);
  });

  it('says as data what commands take', async () => {
    const { out } = await fakeProgram().run(
      'history',
      '--help',
      '--format',
      'json',
      '--fields',
      'id,flags.limit.default',
    );
    expect(JSON.parse(out)).toContainEqual({ id: 'history', flags: { limit: { default: 20 } } });
    expect((await fakeProgram().run('plam', '--help', '--format', 'json')).code).toBe(64);
  });

  it('groups the commands by what people come for, each once', async () => {
    const { out } = await fakeProgram().run('--help');
    const named = commandGroups.flatMap(({ names }) => names).map((name) => name.replace(' …', ''));
    const ids = new Set(Object.keys(commandLoaders).map((id) => id.split(':')[0]));
    expect(new Set(named)).toEqual(ids);
    expect(out.match(/^[A-Z ]+$/gm)).toEqual(expect.arrayContaining(['START', 'EVERY DAY', 'MEND', 'INSPECT']));
  });

  it('fits on a screen, examples first, and tells everything on request', async () => {
    const { out } = await fakeProgram().run('plan', '--help');
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines[2]).toBe('EXAMPLES');
    const long = (await fakeProgram().run('help', 'plan')).out;
    expect(long.split('\n').length).toBeGreaterThan(60);
    expect(long).toContain('labels.team=payments');
  });

  it('opens the project as the global flags say, wherever they stand', async () => {
    const { run, opened, folder } = fakeProgram();
    await run('-C', 'sub', '--stack', 'prod', 'plan', '--concurrency', '7');
    expect(opened).toMatchObject([{ cwd: `${folder}/sub`, stack: 'prod', concurrency: 7, purpose: 'plan' }]);
  });

  const diagnostic = { severity: 'error', code: 'some-code', summary: 'It broke.' } as const;
  const holder = { id: 'L1', owner: 'ann@ci pid 7', purpose: 'apply', since: 'S', seen: 'T' };
  it.each([
    ['a diagnostic', new DiagnosticError([diagnostic]), 'error  some-code  It broke.\n\n1 error\n'],
    ['a provider error', new ProviderError('forbidden', [diagnostic]), 'error  some-code  It broke.'],
    [
      'a store that is down',
      new StateStoreError('unreachable', 'no answer', 'is it up?'),
      'error: state: no answer\n  hint: is it up?\n',
    ],
    [
      'a held lease',
      new LeaseHeldError(holder),
      'locked by ann@ci pid 7 for apply since S (last sign of life T)\n  hint: Wait with --lock-timeout 5m. If that run is dead:\n        sync state unlock L1',
    ],
    ['a lost lease', new LeaseLostError(), 'another run took over'],
    [
      'what the system refuses',
      Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' }),
      'error: system-error: EIO: i/o error, read\n',
    ],
    ['a stack that is full', new RangeError('Maximum call stack size exceeded'), 'error: nested-too-deep: '],
    [
      'a bug',
      new TypeError('x is\nundefined'),
      'bug: run-failed: x is\\nundefined, please report; set SYNC_DEBUG=1 for the stack\n',
    ],
  ])('tells %s in words, exit 1, no stack', async (_name, error, words) => {
    const { run, calls } = fakeProgram({ project: { plan: () => Promise.reject(error) } });
    const { code, err } = await run('plan');
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).not.toContain('    at ');
    expect(calls).toEqual([['close', undefined]]);
  });

  it('shows the stack of a bug when asked', async () => {
    const { run } = fakeProgram({
      host: { env: { SYNC_DEBUG: '1' } },
      project: { plan: () => Promise.reject(new Error('bug: here')) },
    });
    expect((await run('plan')).err).toMatch(/^bug: run-failed: here, please.*\nError: bug: here\n {4}at /);
  });

  it('stops at a project that cannot be opened, and tells why', async () => {
    const { run, calls } = fakeProgram({ openDiagnostics: [diagnostic] });
    expect(await run('plan')).toMatchObject({ code: 1, out: '', err: 'error  some-code  It broke.\n\n1 error\n' });
    expect(calls).toEqual([]);
  });

  it('keeps warnings back at log level error', async () => {
    const options = { openDiagnostics: [{ ...diagnostic, severity: 'warning' }] } as const;
    expect((await fakeProgram(options).run('plan')).err).toContain('It broke.');
    expect((await fakeProgram(options).run('plan', '--log-level', 'error')).err).toBe('');
  });
});
