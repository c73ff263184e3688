import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { pulumiTools } from '../../pulumi/tools/place.mjs';
import { kept } from '../harness/built.js';
import { leftOut } from '../harness/left-out.js';
import {
  builtPackages,
  goEnvironment,
  goSdk,
  packageSources,
  packagesOfPublicTypes,
  Project,
  realEngine,
} from './command-line.js';
import { controlOf } from './control.js';
import type { Members } from './engine.js';
import { Program, startGo, startPython } from './stand-in/program.js';
import { counts, Stack } from './stand-in/stack.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'fixtures/pulumi/programs');
const programOf = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

let sandbox: RunningSandbox;
const { control, stored } = controlOf(() => sandbox.url);
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
beforeEach(() => control('POST', '/_sandbox/reset'));
afterAll(() => sandbox.close());

/** What programs in all languages find by the thirteen lookups. */
const found = {
  network: '10.1.0.0/16',
  accounts: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  plane: 'default',
  planes: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  meshes: expect.stringMatching(/^mesh-/) as string,
  addresses: expect.stringMatching(/^\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d$/) as string,
  portal: 'dev',
  classic: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  account: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  systemAccounts: expect.any(String) as string,
  team: 'organization-admins',
  teams: expect.stringContaining('a') as string,
  policy: expect.any(String) as string,
};
const objects = 6;
const collections = ['apis', 'documents', 'implementations', 'products', 'product-documents'];
const sizes = (): Promise<readonly number[]> =>
  Promise.all(collections.map(async (name) => (await stored(name)).length));

/** By an engine that is played here: the SDK and its runtime are the real ones. */
async function round(stack: Stack): Promise<void> {
  const shown = await stack.preview();
  expect([shown.failures, shown.failures.length > 0 ? shown.said : '', counts(shown)]).toEqual([
    [],
    '',
    { create: objects },
  ]);
  const up = await stack.up();
  expect([up.failures, counts(up)]).toEqual([[], { create: objects }]);
  expect(up.outputs['found']).toEqual(found);
  expect(await sizes()).toEqual([1, 2, 1, 1, 1]);
  expect(counts(await stack.up())).toEqual({ same: objects });
  expect(await stack.refresh()).toEqual({ gone: [], moved: [] });
  expect(counts(await stack.destroy())).toEqual({ delete: objects });
  expect(await sizes()).toEqual([0, 0, 0, 0, 0]);
}

/** The program of a language's page, as it stands there. */
async function programOfPage(language: string): Promise<string> {
  const page = await readFile(join(root, `docs/guides/pulumi-${language}.md`), 'utf8');
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? 'no program';
}

/** Two objects and a provider of its own, whose method it calls. */
async function roundOfPage(stack: Stack): Promise<void> {
  const up = await stack.up();
  expect([up.failures, up.failures.length > 0 ? up.said : '', counts(up)]).toEqual([[], '', { create: 3 }]);
  expect(up.outputs).toMatchObject({ id: expect.any(String) as string, count: expect.any(Number) as number });
  expect(JSON.stringify(up.outputs['server'])).toContain(sandbox.url);
  expect(counts(await stack.up())).toEqual({ same: 3 });
  expect(counts(await stack.destroy())).toEqual({ delete: 3 });
}

async function played(program: Promise<Program>, work: (stack: Stack) => Promise<void>): Promise<void> {
  const stack = new Stack(sandbox.url, await program);
  try {
    await work(stack);
  } finally {
    await stack.close();
  }
}

/** What one resource gives another takes; a status is a text, whoever holds it. */
const copied = `
const status: string = process.env['STATUS'] ?? 'published';
new platform.ApiDocument('copy', { apiId: guide.apiId, content: guide.content, status });
export const mode: pulumi.Output<string> = petstore.implementationMode;
import type * as pulumi from '@pulumi/pulumi';
`;

const [generator, interpreter] = [join(pulumiTools(), 'pulumi-sdk'), join(pulumiTools(), 'venv/bin/python')];
const lacking = [generator, interpreter].find((path) => !existsSync(path));
const note =
  lacking === undefined ? '' : leftOut('Pulumi programs in python', `no ${lacking}; npm run pulumi:tools makes it`);
const go = existsSync(generator) ? await goEnvironment() : `no ${generator}; npm run pulumi:tools makes it`;
const goNote = typeof go === 'string' ? leftOut('Pulumi programs in go', go) : '';

describe('the five public types and the thirteen lookups in one program', () => {
  const yaml = realEngine('yaml');
  it.skipIf(yaml.isLeftOut)(`in YAML, by the real command line${yaml.note}`, async () => {
    const project = await Project.make(sandbox.url);
    try {
      await project.write({
        'Pulumi.yaml': (await programOf('Pulumi.yaml')).replaceAll('PACKAGES', await builtPackages()),
      });
      await project.must('stack', 'init', 'dev');
      expect(await project.must('preview')).toContain(`${String(objects + 1)} to create`);
      expect(await project.up()).toContain(`${String(objects + 1)} created`);
      const outputs = JSON.parse(await project.must('stack', 'output', '--json')) as Members;
      expect(outputs['found']).toEqual(found);
      expect(await sizes()).toEqual([1, 2, 1, 1, 1]);
      await project.up('--expect-no-changes');
      await project.must('refresh', '--yes', '--skip-preview', '--expect-no-changes');
      expect(await project.must('destroy', '--yes', '--skip-preview')).toContain(`${String(objects + 1)} deleted`);
      expect(await sizes()).toEqual([0, 0, 0, 0, 0]);
    } finally {
      await project.close();
    }
  });

  it('in TypeScript, on the runtime of the SDK', async () => {
    const stack = await Stack.make(sandbox.url, {
      'index.ts': await programOf('index.ts'),
      'package.json': '{ "name": "shop", "main": "index.ts" }',
    });
    try {
      await round(stack);
    } finally {
      await stack.close();
    }
  });

  const untyped = existsSync(generator)
    ? ''
    : leftOut('types of programs in nodejs', `no ${generator}; npm run pulumi:tools makes it`);
  it.skipIf(untyped !== '')(`in TypeScript, by the types of the SDKs${untyped}`, async () => {
    const place = await mkdtemp(join(tmpdir(), 'pulumi-types-'));
    try {
      const packages = await packagesOfPublicTypes();
      for (const name of ['platform', 'cloud'])
        await run(generator, ['nodejs', join(packages, name, 'schema.json'), join(place, `pulumi-${name}`)]);
      await symlink(join(root, 'node_modules'), join(place, 'node_modules'));
      await writeFile(join(place, 'index.ts'), (await programOf('index.ts')) + copied);
      const compilerOptions = {
        ...{ noEmit: true, strict: true, skipLibCheck: true, types: ['node'], target: 'es2022' },
        ...{ module: 'preserve', moduleResolution: 'bundler', paths: { 'pulumi-*': ['./pulumi-*/index.ts'] } },
      };
      // The one mistake is found: so the compiler has looked at the program, too.
      await writeFile(join(place, 'more.ts'), 'const wrong: number = ""; export { wrong };');
      await writeFile(
        join(place, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['index.ts', 'more.ts'] }),
      );
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const said = await run(process.execPath, [compiler, '-p', place]).then(
        () => '',
        (error: unknown) => (error as { readonly stdout: string }).stdout,
      );
      expect(said.split('\n').filter((line) => line !== '')).toEqual([expect.stringContaining('more.ts(1,7)')]);
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });

  it.skipIf(lacking !== undefined)(
    `in Python, on the SDKs as they are installed and their runtime${note}`,
    async () => {
      const sdks = await kept('pulumi-python', packageSources, async (made) => {
        await mkdir(made);
        const packages = await builtPackages();
        for (const name of ['platform', 'cloud']) {
          await run(generator, ['python', join(packages, name, 'schema.json'), join(made, 'source', name)]);
          const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--target', made];
          await run(interpreter, [...install, join(made, 'source', name)]);
        }
      });
      const start = startPython(interpreter, sdks);
      await played(Program.of(start, { '__main__.py': await programOf('__main__.py') }), round);
      await played(Program.of(start, { '__main__.py': await programOfPage('python') }), roundOfPage);
    },
  );

  it.skipIf(typeof go === 'string')(
    `in Go, compiled with the SDKs of these types, on their runtime${goNote}`,
    async () => {
      const env = { ...process.env, ...(typeof go === 'string' ? {} : go) };
      const sources = [...packageSources, 'fixtures/pulumi/programs/main.go', 'docs/guides/pulumi-go.md'];
      const made = await kept('pulumi-go', sources, async (place) => {
        const packages = await packagesOfPublicTypes();
        for (const name of ['platform', 'cloud']) {
          const sdk = join(place, 'sdks', name);
          await run(generator, ['go', join(packages, name, 'schema.json'), join(sdk, name)]);
          await writeFile(join(sdk, 'go.mod'), goModule(`pulumi-${name}/sdk/go`));
        }
        const programs = { all: await programOf('main.go'), page: await programOfPage('go') };
        for (const [name, text] of Object.entries(programs)) {
          await mkdir(join(place, name));
          await writeFile(join(place, name, 'main.go'), text);
        }
        const replaced = ['platform', 'cloud'].map((name) => `replace pulumi-${name}/sdk/go => ./sdks/${name}\n`);
        await writeFile(join(place, 'go.mod'), goModule('shop') + replaced.join(''));
        await run('go', ['mod', 'tidy'], { cwd: place, env });
        await mkdir(join(place, 'bin'));
        await run('go', ['build', '-o', 'bin/', './all', './page'], { cwd: place, env });
      });
      await played(Program.of(startGo(join(made, 'bin/all')), {}), round);
      await played(Program.of(startGo(join(made, 'bin/page')), {}), roundOfPage);
    },
  );
});

const goModule = (name: string): string =>
  `module ${name}\n\ngo 1.25.0\n\nrequire github.com/pulumi/pulumi/sdk/v3 ${goSdk}\n`;
