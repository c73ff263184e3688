import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commandLoaders } from '@platform-sync/cli/command-list';
import { shells, type Shell } from '@platform-sync/cli/help/completion';
import { leftOut } from '../harness/left-out.js';
import { fakeProgram } from '../cli/fake-host.js';

const folder = mkdtempSync(join(tmpdir(), 'sync-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'plan.json'), '{}');

/** How each shell is asked what it would offer; the last word is the one that is being typed. */
const ask: Readonly<Record<Shell, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => [
    '-c',
    `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _platform_sync; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    ...words,
  ],
  zsh: (script, words) => [
    '-fc',
    `_files() { ls | grep "^$PREFIX" }; compadd() { shift; local -a hits=("\${(@M)@:#$PREFIX*}"); print -rl -- $hits; (( $#hits )) }; source ${script}; words=("$@"); CURRENT=$#; PREFIX="$words[-1]"; _platform_sync`,
    'zsh',
    ...words,
  ],
  fish: (script, words) => [
    '--no-config',
    '-c',
    `source ${script}; complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''; true`,
  ],
};

describe.each(shells)('completion in %s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  const script = join(folder, `sync.${shell}`);
  const offered = async (...words: string[]): Promise<readonly string[]> => {
    writeFileSync(script, (await fakeProgram().run('completion', shell)).out);
    const text = execFileSync(shell, ask[shell](script, words), { cwd: folder, encoding: 'utf8' });
    return text.split('\n').filter((line) => line !== '');
  };

  // Shells that a machine does not have can't be asked; continuous integration installs all three.
  describe.skipIf(!isThere)(
    `asked itself${isThere ? '' : leftOut(`completion in ${shell}`, `there is no ${shell} here. Install it`)}`,
    () => {
      it.each([
        [['sync', 'pl'], ['plan']],
        [['platform-sync', 'val'], ['validate']],
        [['sync', '--stack', 'dev', 'dest'], ['destroy']],
        [
          ['sync', 'state', 'pu'],
          ['pull', 'push'],
        ],
        [['sync', 'drift', 'rev'], ['revert']],
        [['sync', 'plan', '--detailed'], ['--detailed-exitcode']],
        [['sync', 'state', 'list', '--form'], ['--format']],
        [['sync', 'plan', '--format', 'sa'], ['sarif']],
        [['sync', 'completion', 'z'], ['zsh']],
        [['sync', 'apply', 'pla'], ['plan.json']],
        [['sync', 'plan', '--out', 'pla'], ['plan.json']],
      ])('%j → %j', async (words, expected) => {
        expect([...(await offered(...words))].sort()).toEqual(expected);
      });
    },
  );
});

it.each(shells)('the script for %s knows every command, and no other text can break it', async (shell) => {
  const { code, out } = await fakeProgram().run('completion', shell);
  expect(code).toBe(0);
  for (const id of Object.keys(commandLoaders)) expect(out).toContain(id.split(':').at(-1));
});

it('completion of another shell is refused with those it knows', async () => {
  expect(await fakeProgram().run('completion', 'tcsh')).toMatchObject({
    code: 64,
    err: expect.stringContaining('bash, zsh, fish'),
  });
});

describe('flags that do not exist', () => {
  it.each([
    [['plan', '--targt', 'x'], 'sync plan has no flag --targt', 'did you mean --target?'],
    [['state', 'list', '--stak=dev'], 'sync state list has no flag --stak', 'did you mean --stack?'],
    [['plan', '--zzzzzzzz'], 'sync plan has no flag --zzzzzzzz', 'All flags:\n        sync plan --help'],
    // Commands that take any number of words take no flag for one.
    [['drift', '--isue'], 'sync drift has no flag --isue', 'did you mean --issue?'],
    [
      ['drift', 'accept', 'petstore', '--resaon=x'],
      'sync drift accept has no flag --resaon',
      'All flags:\n        sync drift accept --help',
    ],
    [
      ['drift', 'ignore', 'petstore', '--reason', 'x', '--untli', 'y'],
      'sync drift ignore has no flag --untli',
      'did you mean --until?',
    ],
    [
      ['drift', 'record', '--lock-timout', '3s', 'petstore'],
      'sync drift record has no flag --lock-timout',
      'did you mean --lock-timeout?',
    ],
    [
      ['drift', 'revert', 'petstore', '-x'],
      'sync drift revert has no flag -x',
      'All flags:\n        sync drift revert --help',
    ],
    [
      ['state', 'rm', 'petstore', '--force'],
      'sync state rm has no flag --force',
      'All flags:\n        sync state rm --help',
    ],
    [['lookup', 'getTeam', '--stak', 'dev'], 'sync lookup has no flag --stak', 'did you mean --stack?'],
  ])('%j', async (argv, message, hint) => {
    const { code, err } = await fakeProgram().run(...argv);
    expect([code, err]).toEqual([64, `error: ${message}\n  hint: ${hint}\n`]);
  });
});

it('what stands behind -- is meant as it stands', async () => {
  const { run, calls } = fakeProgram();
  await run('drift', 'accept', 'petstore', '--', '--odd');
  expect(calls).toContainEqual(['acceptDrift', ['petstore', '--odd']]);
});

/** Whose line it is: an example may show what comes after its command. */
function commandOf(line: string): string | undefined {
  return Object.keys(commandLoaders)
    .sort((one, other) => other.length - one.length)
    .find((id) => `${line.trim()} `.startsWith(`sync ${id.replace(':', ' ')} `));
}

describe('help', () => {
  it.each(Object.keys(commandLoaders))(
    'of %s has examples, each a command line that exists, and no escapes',
    async (id) => {
      const { code, out } = await fakeProgram().run(...id.split(':'), '--help');
      expect(code).toBe(0);
      expect(out).not.toMatch(/\\[tn]|\t|<%/);
      const examples = /EXAMPLES\n([^]*?)\n\n/.exec(out)?.[1] ?? '';
      // One command under two names shows the first.
      expect(examples).toContain(`sync ${id === 'import' ? 'adopt' : id.replace(':', ' ')}`);
      for (const line of examples.split('\n')) {
        const help = await fakeProgram().run(...(commandOf(line) ?? id).split(':'), '--help');
        const flags = help.out.slice(help.out.indexOf('\n\n', help.out.indexOf('EXAMPLES\n')));
        for (const flag of line.match(/(?<= )--[a-z-]+/g) ?? []) expect(flags).toContain(flag);
      }
    },
  );
});

it.each([[['version']], [['--version']], [['-v']]])('%j prints the version', async (argv) => {
  expect(await fakeProgram().run(...argv)).toMatchObject({ code: 0, out: expect.stringMatching(/^platform-sync \d/) });
});
