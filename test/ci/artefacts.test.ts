import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeDriver } from '@platform-sync/state/sqlite-driver';
import { builtProgram } from '../harness/built.js';
import { runAction } from './action.js';
import { readComponent, runJob } from './component.js';
import { commitHome } from './git.js';
import { root, startMachine, type Machine } from './recipe.js';

const run = promisify(execFile);
let release: string;
/** The folder of a release that is made already. */
const known = process.env['SYNC_RELEASE'];
beforeAll(async () => {
  release = known ?? (await mkdtemp(join(tmpdir(), 'sync-artefacts-')));
  if (known !== undefined) return;
  await run(process.execPath, [join(root, 'scripts/release.mjs'), '--dry-run', '--out', release], { maxBuffer: 1e8 });
});
afterAll(() => (known === undefined ? rm(release, { recursive: true, force: true }) : undefined));

/** A machine that has the recipes' tree of the release, and no package. */
async function withRecipes(work: (machine: Machine) => Promise<void>): Promise<void> {
  const machine = await startMachine(await builtProgram());
  try {
    await rm(machine.home, { recursive: true });
    await cp(join(release, 'recipes'), machine.home, { recursive: true });
    await work(machine);
  } finally {
    await machine.close();
  }
}

// The release brings no package: a Node without SQLite has nowhere to keep a state in a file, and the jobs say so.
const expected = nodeDriver() === undefined ? { code: 1, out: 'state-unreadable' } : { code: 0, out: '1 to create' };

describe('the artefacts of a release', () => {
  it('hold an action that plans, with nothing installed', () =>
    withRecipes(async (machine) => {
      const { code, out } = await runAction(machine, { command: 'plan', 'working-directory': 'project' });
      expect([code, out]).toEqual([expected.code, expect.stringContaining(expected.out)]);
    }));

  it('hold a component whose job fetches the commit and plans', () =>
    withRecipes(async (machine) => {
      const given = { source: machine.home, commit: commitHome(machine), directory: 'project' };
      const { code, out } = await runJob(machine, await readComponent(given), 'sync-plan');
      expect([code, out]).toEqual([expected.code, expect.stringContaining(expected.out)]);
      expect(await readdir(machine.path('sync-out'))).toContain(code === 0 ? 'plan.json' : 'no-plan.json');
    }));

  it('hold schemas, each with an id of its own, that validators take', async () => {
    const names = await readdir(join(release, 'schemas'));
    const schemas = await Promise.all(
      names.map(
        async (name) =>
          JSON.parse(await readFile(join(release, 'schemas', name), 'utf8')) as AnySchema & { $id: string },
      ),
    );
    expect(schemas.map(({ $id }) => $id)).toEqual(
      names.map((name) => expect.stringMatching(`^urn:platform-sync:[\\d.]+:${name}$`)),
    );
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const schema of schemas) expect(ajv.addSchema(schema).getSchema(schema.$id)).toBeTypeOf('function');
    expect(names.length).toBeGreaterThan(3);
  });

  it('hold completions that bash reads, and those of the other shells', async () => {
    expect((await readdir(join(release, 'completions'))).sort()).toEqual(['_sync', 'sync.bash', 'sync.fish']);
    const { stdout } = await run('bash', [
      '-c',
      `source ${join(release, 'completions/sync.bash')} && complete -p sync`,
    ]);
    expect(stdout).toContain(' sync');
  });

  it('hold what the image is built from, and the digest of every file', async () => {
    const docker = await readFile(join(release, 'image/Dockerfile'), 'utf8');
    expect(docker).toContain('COPY platform-sync-*.tgz /tmp/');
    const packed = (await readdir(join(release, 'image'))).filter((name) => name.endsWith('.tgz')).sort();
    expect(packed.map((name) => name.replace(/-[\d.]+\.tgz$/, ''))).toEqual([
      ...['platform-sync', 'platform-sync-house-rules'],
    ]);
    const lines = (await readFile(join(release, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    for (const line of lines) {
      const [digest, name = ''] = line.split('  ');
      expect([
        name,
        createHash('sha256')
          .update(await readFile(join(release, name)))
          .digest('hex'),
      ]).toEqual([name, digest]);
    }
    const files = await readdir(release, { recursive: true, withFileTypes: true });
    expect(lines).toHaveLength(files.filter((entry) => entry.isFile()).length - 1);
  });
});
