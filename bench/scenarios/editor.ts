import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLanguageClient, type LanguageClient } from '../../test/editor/language-client.js';
import { shapeOf, writeProject } from '../catalogue.js';
import { measurementOf, type Measurement } from '../measurement.js';
import type { Bench } from '../world.js';

export const editorName = 'an edit until its problems are shown, 95 of 100';

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
  const sessions = [];
  for (let run = 0; run < runs; run++) {
    const took = await editMany(program);
    const [wallMs, cpuMs] = [of95(took.map((each) => each.wallMs)), of95(took.map((each) => each.cpuMs))];
    sessions.push({ ...{ wallMs, cpuMs, peakMb: NaN }, ...{ code: 0, stdout: '', stderr: '' } });
  }
  return [measurementOf(editorName, setting, sessions)];
}
