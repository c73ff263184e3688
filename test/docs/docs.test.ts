import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { fakeProgram } from '../cli/fake-host.js';
import { blocksOf, type Block } from './blocks.js';
import { pageWorld, type PageWorld } from './page-world.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Reference and errors are generated; their examples have tests of their own.
const pages = ['README.md', ...globSync(['docs/*.md', 'docs/guides/*.md', 'docs/options/*.md'], { cwd: root })]
  .filter((page) => page !== 'docs/errors.md')
  .sort();
const blocks = pages.flatMap((page) => blocksOf(root, page));
/** Languages that somebody could type, or write into a file. The others show what is printed. */
const runnable = new Set(['sh', 'console', 'yaml', 'ts', 'js']);
const runs = (language: string): readonly Block[] =>
  blocks.filter((block) => block.language === language && block.mark?.kind === 'run');

/** What pages take for granted: a project that was applied, unless it says otherwise here. */
const project = 'sync init --project docs >/dev/null && sync apply --yes >/dev/null';
const granted: Readonly<Record<string, string>> = {
  'README.md': ':',
  'docs/getting-started.md': ':',
  'docs/guides/environments.md': ':',
  'docs/guides/own-platform.md': ':',
  // Planned at an address that nothing was applied to.
  'docs/guides/network.md': 'sync init --project docs >/dev/null',
  'docs/guides/ci.md': `${project}
git init -q -b main . && git add . && git -c user.name=a -c user.email=a@example.com commit -qm first
git update-ref refs/remotes/origin/main HEAD`,
  // Somebody else has filled the platform.
  'docs/guides/export-and-adopt.md': `( mkdir ../other && cd ../other && cp -R ${root}/fixtures/example/. . && sync apply --yes >/dev/null )
sync init --project docs >/dev/null && rm -r catalogue`,
  'docs/options/protect.md': `${project}
printf 'resources:\\n  payments: { type: platform:Api, options: { protect: true } }\\n' > catalogue/more.yaml
sync apply --yes >/dev/null && rm catalogue/more.yaml`,
};

let world: PageWorld;
beforeAll(async () => {
  world = await pageWorld();
});
afterAll(() => world.close());

it('each block that can run says whether it does, and why not', () => {
  const silent = blocks.filter(({ language, mark }) => runnable.has(language) && mark === undefined);
  const unexplained = blocks.filter(({ mark }) => mark?.kind === 'not run' && mark.words === '');
  expect([...silent, ...unexplained].map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  expect(blocks.filter(({ mark }) => mark?.kind === 'run').length).toBeGreaterThan(40);
});

describe('what a page tells to type can be typed, from its top to its end', () => {
  const typedPages = [...new Set(runs('sh').map(({ page }) => page))];
  it.each(typedPages)('%s', async (page) => {
    await fetch(`${world.url}/_sandbox/reset`, { method: 'POST' });
    const own = `mkdir -p "$PLACE/${page.replaceAll('/', '-')}/here" && cd "$PLACE/${page.replaceAll('/', '-')}/here"`;
    const typed = runs('sh').filter((block) => block.page === page);
    await world.shell(`${own}\n${granted[page] ?? project}`, typed);
  });
});

describe('what a page shows of a file is right', () => {
  it.each(runs('yaml').map((block) => [`${block.page}:${block.line}`, block] as const))('%s', async (name, block) => {
    const folder = `files/${name.replaceAll(/\W/g, '-')}`;
    const files = projectOf(block);
    await world.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text])));
    const { run } = fakeProgram({
      host: {
        ...{ env: variablesOf(block), cwd: join(world.folder, folder) },
        ...{ openProject, packages: async () => providerPackages },
      },
    });
    // Of a warning it is said what explains it.
    const err = expect.stringMatching(/^(?:What it means: sync explain [\w-]+\n)?$/);
    expect(await run('validate')).toMatchObject({ code: 0, err });
  });
});

/** A project around one file, or around what the page shows of one. */
function projectOf({ text }: Block): Readonly<Record<string, string>> {
  const isCatalogue = /^(?:resources|variables|outputs|defaults):/m.test(text);
  const named = /^project:/m.test(text) ? text : `project: docs\n${text}`;
  const read = [...text.matchAll(/!file ([\w./-]+)/g)].map(([, path = '']) => path);
  return {
    'sync.yaml': isCatalogue ? 'project: docs\n' : named,
    ...(isCatalogue ? { 'catalogue/shown.yaml': text } : { 'catalogue/empty.yaml': 'resources: {}\n' }),
    ...Object.fromEntries(
      read.map((path) => [`catalogue/${path}`, path.endsWith('.yaml') ? specification : '# Text\n']),
    ),
  };
}

const specification = 'openapi: 3.0.3\ninfo: { title: Shown, version: "1.0" }\npaths: {}\n';

function variablesOf({ text }: Block): Readonly<Record<string, string>> {
  const names = [...text.matchAll(/!env (\w+)/g)].map(([, name = '']) => name);
  const value = (name: string): string =>
    name.endsWith('_URL')
      ? 'postgres://u:p@localhost/state'
      : name.endsWith('WEBHOOK')
        ? 'https://hooks.example.com'
        : 'text';
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

describe('programs that a page shows run', () => {
  it.each(runs('ts').map((block) => [`${block.page}:${block.line}`, block] as const))('%s', async (name, block) => {
    const folder = `programs/${name.replaceAll(/\W/g, '-')}`;
    const text = block.text
      .replaceAll("'platform-sync'", `'${root}src/sdk/index.ts'`)
      .replaceAll('https://eu.api.example.com', world.url);
    await world.write({
      [`${folder}/shown.ts`]: text,
      [`${folder}/platform/sync.yaml`]: 'project: docs\nstacks: { default: {}, prod: {} }\n',
      [`${folder}/platform/catalogue/a.yaml`]: 'resources: { shown: { type: "platform:Api" } }\n',
      [`${folder}/plan.json`]: await readFile(join(root, 'fixtures/plans/first-run.json'), 'utf8'),
    });
    for (const [variable, value] of Object.entries({ ...world.env, EU_TOKEN: 'anything' })) vi.stubEnv(variable, value);
    const before = process.cwd();
    process.chdir(join(world.folder, folder));
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await import(pathToFileURL(join(world.folder, folder, 'shown.ts')).href);
      expect(printed.mock.calls.flat().map(String).join('\n')).toContain(
        (block.mark?.words ?? '').replace(/^prints /, ''),
      );
    } finally {
      printed.mockRestore();
      process.chdir(before);
      vi.unstubAllEnvs();
    }
  });
});
