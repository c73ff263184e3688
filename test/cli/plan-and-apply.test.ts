import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApplyResult } from '@platform-sync/engine/api';
import { digestOf, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import type { Plan } from '@platform-sync/core/model/plan';
import { plan, step } from '../report/plan-builder.js';
import { fakeProgram } from './fake-host.js';

const change = plan({ steps: [step({ address: 'petstore', action: 'create' })] });
const guard = { name: 'delete:a', summary: 's', addresses: [] };
const missing = { type: 't', diagnostic: { severity: 'error', code: 'c', summary: 'no' } } as const;
const error = { severity: 'error', code: 'c', summary: 'no plan' } as const;

function sealed(made: Plan): Plan {
  const { digest: _digest, meta, ...body } = made;
  return { ...body, digest: digestOf(body), meta };
}

describe('sync plan', () => {
  const codes: readonly (readonly [string, Plan, string[], number])[] = [
    ['nothing to do', plan(), ['--detailed-exitcode'], 0],
    ['changes', change, [], 0],
    ['changes, detailed', change, ['--detailed-exitcode'], 2],
    ['not compared wins over changes', { ...change, notCompared: [missing] }, ['--detailed-exitcode'], 3],
    ['blocked wins over not compared', { ...change, guards: [guard], notCompared: [missing] }, [], 4],
    ['a lifted guard does not block', { ...change, guards: [{ ...guard, lifted: 'ok' }] }, [], 0],
  ];
  it.each(codes)('%s', async (_name, made, flags, code) => {
    for (const format of ['text', 'json']) {
      const result = await fakeProgram({ plan: sealed(made) }).run('plan', '--format', format, ...flags);
      expect(result.code).toBe(code);
      expect(result.out).toBe(format === 'json' ? serializePlan(sealed(made)) : result.out);
      if (format === 'text') expect(result.out).toContain('Plan for payments');
    }
  });

  it('leaves the changes out of a summary, and keeps the code and the document', async () => {
    const made = sealed(
      plan({ steps: [step({ address: 'petstore', action: 'delete', risks: [{ kind: 'deletes' }] })] }),
    );
    const { run } = fakeProgram({ plan: made });
    const [short, whole] = [await run('plan', '--summary', '--detailed-exitcode'), await run('plan')];
    expect([short.code, short.out.includes('Deletes: 1\n  petstore (')]).toEqual([2, true]);
    expect(whole.out).not.toContain('Deletes: 1');
    expect((await run('plan', '--summary', '--format', 'json')).out).toBe(serializePlan(made));
  });

  it('passes its flags on', async () => {
    const { run, calls } = fakeProgram();
    await run(
      'plan',
      '--target',
      'a',
      '--target',
      'b',
      '--exclude',
      'c',
      '--replace',
      'd',
      '--resend',
      'e',
      '--refresh',
      'full',
      '--allow',
      'delete:a',
      '--allow',
      'maxDeletes',
      '--reason',
      'why',
    );
    const allow = [
      { guard: 'delete:a', reason: 'why' },
      { guard: 'maxDeletes', reason: 'why' },
    ];
    expect(calls[0]).toEqual([
      'plan',
      { targets: ['a', 'b'], excludes: ['c'], replace: ['d'], resend: ['e'], refresh: 'full', allow },
    ]);
  });

  it('reports errors that kept it from planning, in both formats', async () => {
    const { run } = fakeProgram({ planDiagnostics: [error] });
    expect(await run('plan')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no plan') });
    const json = await run('plan', '--format', 'json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toEqual({ ok: false, diagnostics: [error] });
  });
});

describe('plan files', () => {
  it('are written, shown and applied as they are', async () => {
    const made = sealed(change);
    const { run, calls, folder } = fakeProgram({ plan: made });
    expect((await run('plan', '--out', 'p/plan.json')).out).toContain(
      'To carry it out, type:\n  sync apply p/plan.json',
    );
    expect((await run('show', 'p/plan.json')).out).toContain('create petstore (platform:Api)');
    expect((await run('show', 'p/plan.json', '--format', 'json')).out).toBe(
      readFileSync(join(folder, 'p/plan.json'), 'utf8'),
    );
    expect((await run('apply', 'p/plan.json', '--yes')).code).toBe(0);
    expect(calls.find(([name]) => name === 'applyReviewed')).toEqual(['applyReviewed', made]);
  });

  it.each([
    ['a missing file', undefined, 1, 'it does not exist'],
    ['junk', 'junk', 1, 'not JSON'],
    ['another JSON document', '{"a":1}', 1, 'not a plan'],
    [
      'the previous version',
      serializePlan({ ...sealed(change), formatVersion: 0 } as unknown as Plan),
      5,
      'The plan was made by an earlier version of this program (format 0).',
    ],
    ['another version', serializePlan({ ...sealed(change), formatVersion: 2 } as unknown as Plan), 1, 'version 2'],
    [
      'one changed byte',
      serializePlan(sealed(change)).replace('petstore', 'petstorf'),
      5,
      'changed after it was written',
    ],
  ])('%s is refused before anything is opened', async (_name, text, code, words) => {
    const { run, opened, folder } = fakeProgram();
    if (text !== undefined) writeFileSync(join(folder, 'p.json'), text);
    for (const argv of [
      ['show', 'p.json'],
      ['apply', 'p.json', '--yes'],
    ]) {
      const result = await run(...argv);
      expect([result.code, result.out]).toEqual([code, '']);
      expect(result.err).toContain(words);
    }
    expect(opened).toEqual([]);
  });
});

describe('sync apply', () => {
  it.each([[['apply']], [['apply', 'plan.json']], [['destroy']], [['adopt']]])(
    '%j never writes when nobody can be asked',
    async (argv) => {
      const { run, opened } = fakeProgram({ plan: change });
      const { code, err } = await run(...argv);
      expect(code).toBe(64);
      expect(err).toContain('nothing was done');
      expect(err).toContain('--yes');
      expect(opened).toEqual([]);
    },
  );

  it.each([
    ['yes', 0, true],
    [' yes ', 0, true],
    ['y', 1, false],
    ['no', 1, false],
    ['', 1, false],
  ])('the answer %j', async (answer, code, applies) => {
    const { run, calls } = fakeProgram({ plan: change, answers: [answer], host: { interactive: true } });
    const result = await run('apply');
    expect(result.code).toBe(code);
    expect(result.err).toContain('Carry this out at http://127.0.0.1:8080?');
    expect(calls.some(([name]) => name === 'apply')).toBe(applies);
  });

  it('does not ask when there is nothing to do or a guard blocks', async () => {
    const interactive = { host: { interactive: true } };
    expect(await fakeProgram(interactive).run('apply')).toMatchObject({ code: 0, err: '' });
    const blocked = fakeProgram({ ...interactive, plan: { ...change, guards: [guard] } });
    expect(await blocked.run('apply')).toMatchObject({ code: 4, err: '' });
    expect(blocked.calls.map(([name]) => name)).toEqual(['plan', 'close']);
  });

  it.each([
    ['done', 0],
    ['partly', 7],
    ['failed', 1],
    ['stale', 5],
    ['blocked', 4],
    ['interrupted', 1],
  ] as const)('a result that is %s', async (status, code) => {
    const { run, folder } = fakeProgram({ plan: change, apply: { status } });
    expect((await run('apply', '--yes', '--report', 'r.json')).code).toBe(code);
    expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject({
      formatVersion: 1,
      status,
      exitCode: code,
      planDigest: change.digest,
    });
  });

  it('is not clean when something could not be compared', async () => {
    const { run } = fakeProgram({ plan: { ...change, notCompared: [missing] } });
    expect((await run('apply', '--yes')).code).toBe(3);
  });

  it('plans in the mode of the command and hands the flags on', async () => {
    for (const mode of ['destroy', 'adopt'] as const) {
      const { run, calls } = fakeProgram({ plan: change });
      await run(mode, '--yes', '--lock-timeout', '2m', '--fail-fast');
      expect(calls[0]).toMatchObject(['plan', { mode }]);
      expect(calls[1]).toMatchObject(['apply', { lockTimeoutMs: 120_000, failFast: true }]);
    }
  });
});

describe('signals', () => {
  const finished = (status: ApplyResult['status']): ApplyResult => ({
    status,
    steps: [],
    outputs: {},
    diagnostics: [],
    requests: 0,
  });

  it('the first drains, the second stops, the third ends the process', async () => {
    const seen: string[] = [];
    const program = fakeProgram({
      plan: change,
      apply: async ({ drain, signal }) => {
        for (let at = 0; at < 3; at += 1) {
          program.signal('SIGTERM');
          seen.push(`drain ${String(drain?.aborted)}, stop ${String(signal?.aborted)}, exits ${program.exits.join()}`);
        }
        return finished('interrupted');
      },
    });
    expect((await program.run('apply', '--yes')).code).toBe(143);
    expect(seen).toEqual([
      'drain true, stop false, exits ',
      'drain true, stop true, exits ',
      'drain true, stop true, exits 143',
    ]);
  });

  it('one that came during the work decides the code, even when everything got done', async () => {
    const program = fakeProgram({
      plan: change,
      apply: async () => {
        program.signal('SIGINT');
        return finished('done');
      },
    });
    expect((await program.run('apply', '--yes')).code).toBe(130);
  });

  it('ends the process at once while only reading', async () => {
    const program = fakeProgram({
      project: {
        plan: async () => {
          program.signal('SIGINT');
          return { plan: plan(), diagnostics: [] };
        },
      },
    });
    await program.run('plan');
    expect(program.exits).toEqual([130]);
  });

  it('with nobody to ask, what is new has a line each, in the plan and when it is made', async () => {
    const name = { field: 'name', rule: 'update', cause: 'config' } as const;
    const steps = [
      step({ address: 'cats', action: 'create', fields: [{ ...name, new: 'Cats' }] }),
      step({ address: 'pets', action: 'create', fields: [{ ...name, new: 'Pets' }] }),
      step({ address: 'dogs', action: 'update', fields: [{ ...name, old: 'Dog', new: 'Dogs' }] }),
    ];
    const { out } = await fakeProgram({ plan: plan({ steps }) }).run('apply', '--yes');
    expect(out).toMatch(/\+ create cats.*\n {4}\+ create pets.*\n\n/);
    expect(out).toContain('"Dog" → "Dogs"');
    const asked = await fakeProgram({ plan: plan({ steps }), host: { interactive: true }, answers: ['yes'] }).run(
      'apply',
    );
    expect(asked.out).toContain('"Cats"');
  });
});
