import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LeaseHeldError } from '@platform-sync/core/model/state-store';
import { digestOf, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { placeFlagsOf, typedWith } from '@platform-sync/cli/run/typed';
import { plan, step } from '../report/plan-builder.js';
import { fakeProgram } from './fake-host.js';

const create = plan({ steps: [step({ address: 'petstore', action: 'create' })] });
const everyFlag = ['-C', 'my shop', '--stack', 'dev', '--concurrency', '2'];
const place = "-C 'my shop' --stack dev --concurrency 2";

describe('the next step that is printed', () => {
  it.each([
    [[], 'sync apply'],
    [['--stack', 'dev'], 'sync --stack dev apply'],
    [everyFlag, `sync ${place} apply`],
    [[...everyFlag, '--destroy'], `sync ${place} apply`],
    [['--refresh', 'full'], 'sync apply --refresh full'],
    [['--stack', 'dev', '--out', 'p/plan.json'], 'sync --stack dev apply p/plan.json'],
    [['--stack', 'dev', '--report-dir', 'out'], 'sync --stack dev apply out/plan.json'],
  ])('after plan %j is %s', async (argv, command) => {
    const { run, folder } = fakeProgram({ plan: create });
    mkdirSync(join(folder, 'my shop'));
    expect((await run('plan', ...argv)).out).toContain(`To carry it out, type:\n  ${command}\n`);
  });

  it('chooses what the plan chose, and lifts what it lifted', async () => {
    const chosen = plan({
      partial: { targets: ['petstore', 'pets/guide'], excludes: ['old'] },
      steps: [step({ address: 'petstore', action: 'replace', reasons: [{ kind: 'requested' }] })],
      guards: [{ name: 'delete:petstore', summary: 'it is protected', addresses: [], lifted: "it's ours" }],
    });
    const words =
      "--target petstore --target pets/guide --exclude old --replace petstore --allow delete:petstore --reason 'it'\\''s ours'";
    expect((await fakeProgram({ plan: chosen }).run('plan')).out).toContain(`type:\n  sync apply ${words}\n`);
    const partly = fakeProgram({
      plan: { ...chosen, mode: 'destroy' },
      apply: { status: 'partly', steps: [{ address: 'petstore', action: 'replace', outcome: 'done' }] },
    });
    // What was replaced must not be replaced again.
    expect((await partly.run('destroy', '--yes', '--stack', 'dev')).out).toContain(
      `only the rest is done. To do so, type:\n  sync --stack dev destroy ${words.replace('--replace petstore ', '')}\n`,
    );
  });

  it('deletes nothing where the plan did not, and says what it leaves', async () => {
    const leftOut = [{ address: 'old', type: 'platform:index/api:Api', action: 'delete' as const }];
    const { out } = await fakeProgram({ plan: { ...create, leftOut } }).run('plan', '--no-delete');
    expect(out).toContain('type:\n  sync apply --no-delete\n');
    const empty = await fakeProgram({ plan: plan({ leftOut }) }).run('plan', '--no-delete', '--detailed-exitcode');
    expect(empty).toMatchObject({ code: 0, out: expect.stringContaining('No changes but the skipped ones') });
    for (const argv of [
      ['plan', '--destroy'],
      ['plan', '--replace', 'a'],
      ['destroy'],
      ['apply', 'plan.json', '--yes'],
    ])
      expect(await fakeProgram().run(...argv, '--no-delete'), argv.join(' ')).toMatchObject({ code: 64 });
  });

  it('stands in hints, too: of problems, of what was thrown, of refusals', async () => {
    const error = { severity: 'error', code: 'x', summary: 'no', hint: 'Take it over: sync adopt petstore 1' } as const;
    const planned = fakeProgram({ planDiagnostics: [error] });
    expect((await planned.run('plan', '--stack', 'dev')).err).toContain(
      'Take it over:\n        sync --stack dev adopt petstore 1\n',
    );
    const holder = { id: 'i', owner: 'o', purpose: 'apply', since: 's', seen: 's' };
    const held = fakeProgram({ project: { plan: () => Promise.reject(new LeaseHeldError(holder)) } });
    expect((await held.run('plan', '--stack=dev')).err).toContain('sync --stack dev state unlock i');
    const refused = await fakeProgram().run('apply', '--stack', 'dev');
    expect(refused).toMatchObject({
      code: 64,
      err: expect.stringContaining('look first:\n        sync --stack dev plan\n'),
    });
    const kept = await fakeProgram().run('destroy', '--stack', 'dev');
    expect(kept.err).toContain('look first:\n        sync --stack dev plan --destroy\n');
    const imported = await fakeProgram().run('import', 'petstore', '1', '--stack', 'dev');
    expect(imported.out).toContain('type:\n  sync --stack dev plan\n');
  });
});

describe('a plan file', () => {
  const { digest: _digest, meta, ...body } = { ...create, stack: 'dev' };
  const made = serializePlan({ ...body, digest: digestOf(body), meta });
  it.each([
    ['brings its stack', [], {}, 'dev'],
    ['does not override the stack that was named', ['--stack', 'prod'], {}, 'prod'],
    ['does not override SYNC_STACK', [], { SYNC_STACK: 'prod' }, undefined],
  ])('%s', async (_name, argv, env, stack) => {
    const { run, opened, folder } = fakeProgram({ host: { env } });
    writeFileSync(join(folder, 'plan.json'), made);
    await run('apply', 'plan.json', '--yes', ...argv);
    expect(opened[0]?.stack).toBe(stack);
  });
});

describe('typedWith', () => {
  const typed = typedWith({ stack: 'dev' });
  it.each([
    ['sync plan', 'sync --stack dev plan'],
    [
      'Wait, or: `sync state unlock 1`, then "sync plan"',
      'Wait, or: `sync --stack dev state unlock 1`, then "sync --stack dev plan"',
    ],
    ["type: sync apply 'my sync plan.json'", "type: sync --stack dev apply 'my sync plan.json'"],
    ['sync sandbox and sync schema ask for no project', 'sync sandbox and sync schema ask for no project'],
    // It names its stack itself.
    ['sync state mv a --stack x --to-stack y', 'sync state mv a --stack x --to-stack y'],
    ['in sync planned, out of sync', 'in sync planned, out of sync'],
  ])('%s', (text, expected) => expect(typed(text)).toBe(expected));

  it.each([
    ['sync plan --stack x', 'sync -C few plan --stack x'],
    // As its fleet names a stack's folder.
    ["sync plan --cwd 'my a' --stack x", "sync plan --cwd 'few/my a' --stack x"],
  ])('in a folder, %s', (text, expected) => expect(typedWith({ cwd: 'few' })(text)).toBe(expected));

  it.each([
    [['plan', '-C', 'a', '--stack=b', '--concurrency', '3'], { cwd: 'a', stack: 'b', concurrency: '3' }],
    [['-Ca', 'plan', '--', '--stack', 'b'], { cwd: 'a' }],
    [['plan', '--stack'], {}],
  ])('reads them from %j', (argv, flags) => expect(placeFlagsOf(argv)).toEqual(flags));
});
