import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerPackages } from '@platform-sync/sdk/registry';
import { openProject } from '@platform-sync/engine/engine';
import { startSandbox } from '@platform-sync/sandbox/server';
import { fakeProgram, type Recorder } from '../cli/fake-host.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

let program: Recorder;
const write = async (name: string, text: string): Promise<void> => writeFile(join(program.folder, name), text);

let asked = 0;
const nobody = createServer((socket) => {
  asked++;
  socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((listening) => nobody.listen(0, '127.0.0.1', listening));
  const address = `127.0.0.1:${String((nobody.address() as AddressInfo).port)}`;
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
  // A server and a database that are asked nothing, and a token that nobody has.
  await write(
    'sync.yaml',
    `project: pets
providers: { platform: { serverUrl: "http://${address}", personalAccessToken: !env NOBODY } }
state: { backend: postgres, url: "postgres://${address}/pets", requestsPerMinute: 60 }
`,
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

afterAll(() => new Promise((closed) => nobody.close(closed)));

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

  it('is told as JUnit tells tests, with the place of each', async () => {
    await write('tests/pets.yaml', rules('<sales> & co', 'warn'));
    const { code, out } = await program.run('test', '--format', 'junit');
    expect([code, out]).toEqual([1, expect.stringContaining('<testsuites tests="3" failures="1" errors="0">')]);
    expect(out).toContain('name="an API of nobody" classname="tests/pets.yaml" file="tests/pets.yaml" line="5"/>');
    expect(out).toMatch(/<testcase name="owned[^>]* line="3"><failure message="[^"<>]+">[^<>]+<\/failure><\/testcase>/);
    await write('tests/pets.yaml', 'rules: [{ name: x, expression: plan.sumary.create == 2 }]\n');
    expect((await program.run('test', '--format', 'junit')).out).toMatch(/errors="1">[^]*<error message="[^"]*sumary/);
  });

  it('says what is wrong with a test, and that there is none', async () => {
    await write('tests/pets.yaml', 'rules: [{ name: x, expression: plan.sumary.create == 2 }]\n');
    expect(await program.run('test')).toMatchObject({ code: 1 });
    expect(await program.run('test', 'nothing/*.yaml')).toMatchObject({ code: 64, out: '' });
  });

  it('keeps no state, and asks nobody else', () => {
    expect(asked).toBe(0);
    expect(readdirSync(program.folder).sort()).toEqual(['catalogue', 'sync.yaml', 'tests']);
  });
});
