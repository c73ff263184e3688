import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pulumiTools } from '../../pulumi/tools/place.mjs';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { leftOut } from '../harness/left-out.js';
import { builtPackages, goEnvironment, goSdk, packagesToCompile, Project, realEngine } from './command-line.js';
import type { Members } from './engine.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
afterAll(() => sandbox.close());

/** The program of a language, as its page has it. */
async function program(language: string): Promise<string> {
  const name = language === 'ts' ? 'typescript' : language;
  const page = await readFile(join(root, `docs/guides/pulumi-${name}.md`), 'utf8');
  const found = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no program in ${language}`);
  return found;
}

/** Made, unchanged, changed in no place, and gone. In programs that can call a method, one resource is a provider. */
async function wholeRound(project: Project, language: 'yaml' | 'other' = 'other'): Promise<void> {
  const count = language === 'yaml' ? 3 : 4;
  await project.must('stack', 'init', 'dev');
  expect(await project.must('preview')).toContain(`${String(count)} to create`);
  const made = await project.up();
  expect(made).toContain(`${String(count)} created`);
  expect(made).toMatch(/id\s*: "[0-9a-f-]{36}"/);
  const outputs = JSON.parse(await project.must('stack', 'output', '--json', '--show-secrets')) as Members;
  if (language === 'other') expect(outputs['server']).toBe(sandbox.url);
  expect(await project.must('stack', 'export')).not.toContain('test-token');
  await project.up('--expect-no-changes');
  await project.must('refresh', '--yes', '--skip-preview', '--expect-no-changes');
  expect(await project.must('destroy', '--yes', '--skip-preview')).toContain(`${String(count)} deleted`);
}

const yaml = realEngine('yaml');
describe.skipIf(yaml.isLeftOut)(`the program in YAML of the page${yaml.note}`, () => {
  it('runs', async () => {
    const project = await Project.make(sandbox.url);
    try {
      const text = (await program('yaml')).replace('./pulumi/dist', await builtPackages());
      await project.write({ 'Pulumi.yaml': text });
      await wholeRound(project, 'yaml');
    } finally {
      await project.close();
    }
  });

  describe.each([
    ['nodejs', 'endpoints/getServiceIamPolicy.ts', 'export function getServiceIamPolicy('],
    ['nodejs', 'endpoints/getServiceIamPolicy.ts', 'export function getServiceIamPolicyOutput('],
    ['python', 'pulumi_cloud/endpoints/get_service_iam_policy.py', 'def get_service_iam_policy('],
    ['go', 'endpoints/getServiceIamPolicy.go', 'func LookupServiceIamPolicy('],
  ] as const)('the SDK in %s', (language, file, words) => {
    // The host of a language makes its SDK; it may be missing where the rest is there.
    const host = realEngine(language);
    it.skipIf(host.isLeftOut)(`has ${file} with "${words}"${host.note}`, async () => {
      const project = await Project.make(sandbox.url);
      try {
        const packages = await packagesToCompile();
        await project.must('package', 'gen-sdk', `${packages}/cloud`, '--language', language, '--out', 'sdk');
        expect(await project.read(`sdk/${language}/${file}`)).toContain(words);
      } finally {
        await project.close();
      }
    });
  });
});

const node = realEngine('nodejs');
describe.skipIf(node.isLeftOut)(`the program in TypeScript of the page${node.note}`, () => {
  it('runs on the SDK that is made from the schema, which compiles', async () => {
    const project = await Project.make(sandbox.url);
    try {
      const packages = await packagesToCompile();
      await project.must('package', 'gen-sdk', `${packages}/platform`, '--language', 'nodejs', '--out', 'made');
      const modules = join(project.folder, 'node_modules');
      const sdk = join(modules, 'pulumi-platform');
      await mkdir(modules);
      for (const name of ['@pulumi', '@types', 'typescript'])
        await symlink(join(root, 'node_modules', name), join(modules, name));
      await cp(join(project.folder, 'made/nodejs'), sdk, { recursive: true });
      await run(join(root, 'node_modules/.bin/tsc'), ['-p', sdk, '--outDir', sdk]);
      await project.write({
        'Pulumi.yaml': `name: shop\nruntime: nodejs\nplugins: { providers: [{ name: platform, path: ${packages}/platform }] }\n`,
        'package.json': '{ "name": "shop", "main": "index.ts" }',
        'index.ts': await program('ts'),
      });
      await wholeRound(project);
    } finally {
      await project.close();
    }
  });
});

const python = realEngine('python');
const interpreter = join(pulumiTools(), 'venv');
const lacksPython = python.isLeftOut || !existsSync(interpreter);
const pythonNote =
  lacksPython && !python.isLeftOut
    ? leftOut('Pulumi programs in python', `no ${interpreter}; npm run pulumi:tools makes it`)
    : python.note;
describe.skipIf(lacksPython)(`the program in Python of the page${pythonNote}`, () => {
  it('runs on the SDK that is made from the schema', async () => {
    const project = await Project.make(sandbox.url, { PYTHONDONTWRITEBYTECODE: '1' });
    try {
      const packages = await packagesToCompile();
      await project.must('package', 'gen-sdk', `${packages}/platform`, '--language', 'python', '--out', 'made');
      // Into the program's own folder: the venv is shared, and the SDK asks for its version by its metadata.
      const install = ['install', '--quiet', '--no-deps', '--no-build-isolation', '--target', project.folder];
      await run(join(interpreter, 'bin/pip'), [...install, join(project.folder, 'made/python')]);
      await project.write({
        'Pulumi.yaml': `name: shop\nruntime: { name: python, options: { virtualenv: ${interpreter} } }\nplugins: { providers: [{ name: platform, path: ${packages}/platform }] }\n`,
        '__main__.py': await program('python'),
      });
      await wholeRound(project);
    } finally {
      await project.close();
    }
  });
});

const go = realEngine('go');
const goSettings = go.isLeftOut ? 'left out' : await goEnvironment();
const goNote = go.isLeftOut || typeof goSettings !== 'string' ? go.note : leftOut('Pulumi programs in go', goSettings);

describe.skipIf(typeof goSettings === 'string')(`the program in Go of the page${goNote}`, () => {
  it(
    'runs on the SDK that is made from the schema, which compiles',
    async () => {
      const env = typeof goSettings === 'string' ? {} : goSettings;
      const project = await Project.make(sandbox.url, env);
      try {
        await project.write({
          'Pulumi.yaml': 'name: shop\nruntime: go\n',
          'go.mod': `module shop\n\ngo 1.25.0\n\nrequire github.com/pulumi/pulumi/sdk/v3 ${goSdk}\n`,
          'main.go': await program('go'),
        });
        await project.must('package', 'add', `${await packagesToCompile()}/platform`);
        await run('go', ['mod', 'tidy'], { cwd: project.folder, env: { ...process.env, ...env } });
        // The whole SDK, not only what the program takes of it.
        const sdk = { cwd: join(project.folder, 'sdks/platform'), env: { ...process.env, ...env } };
        await run('go', ['mod', 'tidy'], sdk);
        await run('go', ['build', './...'], sdk);
        await wholeRound(project);
      } finally {
        await project.close();
      }
    },
    30 * 60_000,
  );
});
