import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLanguageClient, type LanguageClient } from '../../test/editor/language-client.js';
import { shapeOf, writeProject } from '../catalogue.js';
import { measurementOf, type Measurement } from '../measurement.js';
import type { Bench } from '../world.js';

export const editorName = 'an edit until its problems are shown, 95 of 100';

export const watchName = 'an edit until `validate --watch` has checked it, 95 of 100';

const resources = 5000;
const apisPerFile = 20;

/** What somebody types in a block, and what is wrong with the line then; nothing where all is well. */
const slips: readonly (readonly [was: string, is: string, code: string | undefined])[] = [
  ['      description: ', '      descripton: ', 'unknown-property'],
  ['version: "1.0"', 'version: 1.0', 'wrong-type'],
  ['description: As at first.', 'description: Of ${api7.id}.', undefined],
  ['description: As at first.', 'description: Of ${ap7i.id}.', 'unknown-reference'],
  ['description: As at first.', 'description: Of ${api7.nam}.', 'unknown-property'],
  ['    type: platform:Api\n', '    type: platform:Ap\n', 'unknown-type'],
  ['          title: ', '          titl: ', 'unknown-property'],
  ['description: As at first.', 'description: "As at first.', 'yaml-syntax'],
];

/** Milliseconds until an edit was judged, and those that the server's threads ran for it: NaN where there is no /proc. */
interface Took {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Forty edits of a project of 5,000 resources: in each of five files all slips in turn. Fails where one is judged wrongly. */
export async function editMany(program: string): Promise<readonly Took[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sync-edits-')));
  await writeProject(folder, shapeOf(resources), { apisPerFile });
  const editor = await startLanguageClient(folder, {}, [program, 'lsp']);
  try {
    const took: Took[] = [];
    for (let at = 0; at < 5; at++) {
      const file = `catalogue/apis-${at * 200}.yaml`;
      const text = await readFile(join(folder, file), 'utf8');
      await editor.problems(file, text);
      for (const slip of slips) took.push(await editOnce(editor, file, text, slip));
    }
    return took;
  } finally {
    await editor.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function editOnce(
  editor: LanguageClient,
  file: string,
  text: string,
  [was, is, code]: (typeof slips)[number],
): Promise<Took> {
  const edited = text.replace(was, is);
  const [start, used] = [performance.now(), ranMs(editor.pid)];
  const found = await editor.problems(file, edited);
  const took = { wallMs: performance.now() - start, cpuMs: ranMs(editor.pid) - used };
  const shown = [...new Set(found.map((each) => each.code))];
  if (edited === text || shown.join() !== (code ?? ''))
    throw new Error(`${file} with ${is.trim()}: ${JSON.stringify(found)}`);
  return took;
}

/** Forty edits in five files of such a project, each checked by the one command that watches it. */
async function watchMany(program: string): Promise<readonly Took[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sync-watched-')));
  await writeProject(folder, shapeOf(resources), { apisPerFile });
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [program, 'validate', '--watch'], { cwd: folder, stdio });
  let [shown, waits] = ['', 0];
  let wake = (): void => undefined;
  child.stdout.on('data', (text: Buffer) => (shown += text.toString()));
  child.stderr.on('data', (text: Buffer) => {
    waits += text.toString().split('Waits for a file').length - 1;
    wake();
  });
  child.on('close', () => wake());
  const untilWaits = async (count: number): Promise<void> => {
    while (waits < count && child.exitCode === null) await new Promise<void>((resolve) => (wake = resolve));
    const answer = shown.trim();
    shown = '';
    if (!/^Valid: 5000 resources in 50 files\.$/.test(answer)) throw new Error(`--watch said: ${answer}`);
  };
  try {
    await untilWaits(1);
    const took: Took[] = [];
    for (let nth = 0; nth < 40; nth++) {
      const path = join(folder, `catalogue/apis-${(nth % 5) * 200}.yaml`);
      const text = await readFile(path, 'utf8');
      const [start, used, before] = [performance.now(), ranMs(child.pid ?? 0), waits];
      await writeFile(path, text.replace(/description: .*/, `description: Edit ${nth}.`));
      await untilWaits(before + 1);
      took.push({ wallMs: performance.now() - start, cpuMs: ranMs(child.pid ?? 0) - used });
      // A late word of the file system about this edit is not taken for the next one.
      await new Promise((resolve) => setTimeout(resolve, 100));
      shown = '';
    }
    return took;
  } finally {
    child.kill('SIGINT');
    await rm(folder, { recursive: true, force: true });
  }
}

/** As the scheduler counts it: what /proc counts in ticks is too coarse for one edit. */
function ranMs(pid: number): number {
  const tasks = `/proc/${String(pid)}/task`;
  if (!existsSync(tasks)) return NaN;
  const ran = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return ran.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

const of95 = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1] ?? NaN;

export async function measureEditor({ program, runs }: Bench): Promise<readonly Measurement[]> {
  const setting = { size: resources, latencyMs: 0, backend: 'sqlite' } as const;
  const rows: Measurement[] = [];
  for (const [name, many] of [
    [editorName, editMany],
    [watchName, watchMany],
  ] as const) {
    const sessions = [];
    for (let run = 0; run < runs; run++) {
      const took = await many(program);
      const [wallMs, cpuMs] = [of95(took.map((each) => each.wallMs)), of95(took.map((each) => each.cpuMs))];
      sessions.push({ ...{ wallMs, cpuMs, peakMb: NaN }, ...{ code: 0, stdout: '', stderr: '' } });
    }
    rows.push(measurementOf(name, setting, sessions));
  }
  return rows;
}
