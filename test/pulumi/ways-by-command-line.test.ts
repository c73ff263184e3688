import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { builtPackages, Project, realEngine } from './command-line.js';
import { counts, Stack } from './stand-in/stack.js';

const settings = 'project: shop\n';
const catalogue = `resources:
  pets:
    type: platform:Api
    properties: { name: Pets, version: '1', labels: { team: a } }
    children:
      guide:
        type: platform:ApiDocument
        properties: { title: Guide, content: '# Guide' }
  plan: { type: platform:ApiProduct, properties: { name: Plan, portalIds: [] } }
`;

let program: RealProgram;
beforeEach(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'test-token' }, { shuffle: 3 });
  await program.write({ 'sync.yaml': settings });
});
afterEach(() => program.close());

async function must(...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await program.run(...argv);
  expect([argv, code, code === 0 ? '' : out + err]).toEqual([argv, 0, '']);
  return out;
}

/** Nothing to do, by the exit code that says so. */
const planIsEmpty = async (): Promise<void> => void (await must('plan', '--detailed-exitcode', '--refresh', 'full'));

describe('from a stack to a catalogue, by the commands of the page', () => {
  it('what a program in JavaScript made is exported, adopted by its ids, and the plan is empty', async () => {
    const script = `const platform = require('pulumi-platform');
const api = new platform.Api('pets', { name: 'Pets', version: '1', labels: { team: 'a' } });
new platform.ApiDocument('guide', { apiId: api.id, title: 'Guide', content: '# Guide' });
for (const name of ['one', 'two']) new platform.ApiProduct(name, { name: 'Same', portalIds: [], labels: { nth: name } });`;
    const stack = await Stack.make(program.url, { 'index.js': script });
    try {
      expect(counts(await stack.up())).toEqual({ create: 4 });
      await program.write({ 'stack.json': stack.checkpoint.export() });
      await must('export');
      await must('adopt', '--from-pulumi', 'stack.json', '--yes');
      await planIsEmpty();
      // Nothing of it was changed: the stack has nothing to do either.
      expect(counts(await stack.up())).toEqual({ same: 4 });
    } finally {
      await stack.close();
    }
  });

  it('a file that is not there, or no export, is refused before anything is recorded', async () => {
    await program.write({ 'catalogue/all.yaml': catalogue, 'stack.json': '{}' });
    for (const file of ['stack.json', 'nowhere.json']) {
      const { code, err } = await program.run('adopt', '--from-pulumi', file, '--yes');
      expect([file, code === 0, err.includes(file) || err.includes('pulumi stack export')]).toEqual([
        file,
        false,
        true,
      ]);
    }
  });
});

const { isLeftOut, note } = realEngine('yaml');
describe.skipIf(isLeftOut)(`there and back with the real engine${note}`, () => {
  it('export --as pulumi-yaml, import, up; stack export, adopt --from-pulumi, an empty plan', async () => {
    const packages = await builtPackages();
    await program.write({ 'catalogue/all.yaml': catalogue });
    await must('apply', '--yes');
    await must('export', '--as', 'pulumi-yaml');
    const project = await Project.make(program.url);
    try {
      const [yaml, imports] = await Promise.all(
        ['Pulumi.yaml', 'import.json'].map((name) => readFile(join(program.folder, 'pulumi', name), 'utf8')),
      );
      const line = `packages: { platform: ${packages}/platform }\n`;
      await project.write({ 'Pulumi.yaml': `${yaml ?? ''}${line}`, 'import.json': imports ?? '' });
      await project.must('stack', 'init', 'dev');
      const options = ['--file', 'import.json', '--yes', '--skip-preview', '--protect=false', '--generate-code=false'];
      await project.must('import', ...options);
      await project.up('--expect-no-changes');
      await project.must('stack', 'export', '--file', 'stack.json');
      await program.write({ 'stack.json': await project.read('stack.json') });
      await rm(join(program.folder, '.sync'), { recursive: true, force: true });
      const told = await must('adopt', '--from-pulumi', 'stack.json', '--yes');
      expect(told).toContain('pets');
      await planIsEmpty();
      await project.up('--expect-no-changes');
    } finally {
      await project.close();
    }
  });
});
