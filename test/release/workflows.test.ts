import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: Readonly<Record<string, string>>;
        readonly steps: readonly Step[];
        readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
      }
    >
  >;
}

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});

describe.each(workflows)('$name', ({ text, workflow }) => {
  it('takes others by commit, with the tag beside it', () => {
    const used = text.split('\n').filter((line) => /\buses:/.test(line));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it('has no rights but those that a job names', () => {
    expect(workflow.permissions).toEqual({});
    expect(Object.values(workflow.jobs).filter(({ permissions }) => permissions === undefined)).toEqual([]);
  });

  it('puts no word that somebody else chose into a shell', () => {
    const lines = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map(({ run }) => run ?? ''));
    expect(lines.filter((line) => line.includes('${{'))).toEqual([]);
  });
});

it('what builds a release may write nothing, and what may write builds nothing', () => {
  const release = workflows.find(({ name }) => name === 'release.yml')?.workflow.jobs ?? {};
  for (const { permissions, steps } of Object.values(release)) {
    const builds = steps.some(({ run }) => /npm ci|npm run/.test(run ?? ''));
    const writes = Object.values(permissions).includes('write');
    expect([builds, writes]).not.toEqual([true, true]);
  }
});

it('every system and line of Node that is promised is in the matrix', () => {
  const matrix = workflows.find(({ name }) => name === 'ci.yml')?.workflow.jobs['systems']?.strategy?.matrix;
  expect(matrix?.['os']?.map((name) => name.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows']);
  expect(matrix?.['node']).toEqual(['20.19', '22', '24']);
});

describe('the Dockerfile', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const instructions = (name: string): string[] => lines.filter((line) => line.startsWith(`${name} `));

  it('takes its base by one argument, which may be a digest', () => {
    expect(instructions('FROM').map((line) => line.split(' ')[1])).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
    expect(lines[0]).toMatch(/^ARG NODE_IMAGE=node:\d+-slim$/);
  });

  it('runs as somebody who is not root, by a command that is no shell', () => {
    expect(instructions('USER')).toEqual(['USER node']);
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('RUN ')));
    expect(instructions('ENTRYPOINT')[0]).toMatch(/^ENTRYPOINT \[/);
  });

  it('fetches nothing by address, runs no script of a package, and leaves no list of packages behind', () => {
    expect(instructions('ADD')).toEqual([]);
    const runs = instructions('RUN').join('\n');
    expect(runs).not.toMatch(/curl|wget|https?:/);
    for (const line of instructions('RUN').filter((each) => each.includes('npm install')))
      expect(line).toContain('--ignore-scripts');
    for (const line of instructions('RUN').filter((each) => each.includes('apt-get install')))
      expect(line).toMatch(/--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/);
  });
});
