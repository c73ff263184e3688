import { beforeAll, describe, expect, it } from 'vitest';
import { providerPackages } from '@platform-sync/sdk/registry';
import { openProject } from '@platform-sync/engine/engine';
import { startSandbox } from '@platform-sync/sandbox/server';
import { fakeProgram, type Recorder } from '../cli/fake-host.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

let program: Recorder;
const write = async (name: string, text: string): Promise<void> => writeFile(join(program.folder, name), text);

beforeAll(async () => {
  program = fakeProgram({
    host: {
      openProject,
      packages: async () => providerPackages,
      startSandbox: (options) => startSandbox({ quiet: true, ...options }),
    },
  });
  Object.assign(program.host, { cwd: program.folder });
  await mkdir(join(program.folder, 'catalogue'));
  await mkdir(join(program.folder, 'tests'));
  // A server that nobody answers at, and a token that nobody has.
  await write(
    'sync.yaml',
    'project: pets\nproviders: { platform: { serverUrl: "https://127.0.0.1:9", personalAccessToken: !env NOBODY } }\n',
  );
  await write(
    'catalogue/pets.yaml',
    `resources:
  petstore:
    type: platform:Api
    properties: { name: Petstore, labels: { team: payments } }
    children:
      guide: { type: platform:ApiDocument, properties: { title: Guide, content: Hello } }
`,
  );
});

const rules = (team: string, level: string): string => `rules:
  - { name: two, expression: plan.summary.create == 2 }
  - { name: owned, level: ${level}, match: { types: [Api] }, expression: 'new.labels.team == "${team}"' }
tests:
  - { name: an API of nobody, plan: { summary: { create: 2 } }, new: { name: x, labels: { team: nobody } }, breaks: [owned] }
`;

describe('sync test', () => {
  it('holds the first plan of an empty platform to the rules, and applies it', async () => {
    await write('tests/pets.yaml', rules('payments', 'warn'));
    const { code, out, err } = await program.run('test');
    expect([err, out, code]).toEqual(['', '2 rules, 2 tests: all pass.\n', 0]);
  });

  it.each(['advise', 'warn', 'deny'])('fails by a rule of the level %s that does not hold', async (level) => {
    await write('tests/pets.yaml', rules('sales', level));
    const { code, out } = await program.run('test', '--format', 'json');
    expect(code).toBe(1);
    const { ok, cases } = JSON.parse(out) as { ok: boolean; cases: { name: string; place: string; passes: boolean }[] };
    expect(ok).toBe(false);
    const failed = cases.filter(({ passes }) => !passes);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ place: 'tests/pets.yaml:3' });
    expect(failed[0]?.name).toMatch(/^owned/);
  });

  it('says what is wrong with a test, and that there is none', async () => {
    await write('tests/pets.yaml', 'rules: [{ name: x, expression: plan.sumary.create == 2 }]\n');
    expect(await program.run('test')).toMatchObject({ code: 1 });
    expect(await program.run('test', 'nothing/*.yaml')).toMatchObject({ code: 64, out: '' });
  });

  it('keeps no state', () => {
    expect(readdirSync(program.folder).sort()).toEqual(['catalogue', 'sync.yaml', 'tests']);
  });
});
