import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { inProcessSync, type InProcessSync } from '../docs/in-process-sync.js';
import { partOf } from '../harness/part-of-table.js';
import { buildProgram, root } from './recipe.js';
import { flows, type Flow } from './walk-flows.js';
import { forges, startWalk } from './walk.js';

/**
 * What people see, flow by flow, as the jobs of the recipes leave it on each forge; SYNC_UPDATE_GOLDENS=1 records. What stands in the
 * record of GitLab differs from GitHub's; of the flows that are the same there, `npm run soak` walks all.
 */
const folder = join(root, 'fixtures/walk');
const isUpdating = process.env['SYNC_UPDATE_GOLDENS'] === '1';
const mark = '# ';
const isWhole = process.env['SYNC_WHOLE_TABLES'] !== undefined;

function recorded(forge: string): ReadonlyMap<string, string> {
  const file = join(folder, `${forge}.txt`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const parts = text.split(/^# /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
}

/** Which flows are walked on a forge: what GitLab shows in words of its own, and each of the others on one of both. */
function flowsOn(forge: string): readonly (readonly [string, Flow])[] {
  const all = Object.entries(flows);
  if (isUpdating) return all;
  const own = recorded('gitlab');
  const alike = all.filter(([name]) => !own.has(name));
  const onGitlab = new Set(partOf(alike, 4));
  if (forge === 'gitlab') return all.filter((each) => own.has(each[0]) || onGitlab.has(each));
  return isWhole ? all : all.filter((each) => !onGitlab.has(each));
}

describe.each(forges)('as people meet it on %s', (forge) => {
  const built = buildProgram();
  let sandbox: RunningSandbox;
  let program: InProcessSync;
  const made = new Map<string, string>();
  beforeAll(async () => {
    [sandbox, program] = await Promise.all([startSandbox({ quiet: true }), inProcessSync({ isAttended: false })]);
  });
  afterAll(async () => {
    await Promise.all([sandbox.close(), program.close()]);
    if (!isUpdating) return;
    const first = recorded('github');
    const known = new Map([...recorded(forge), ...made]);
    const own = Object.keys(flows).flatMap((name) => {
      const text = known.get(name);
      return text === undefined || (forge !== 'github' && first.get(name) === text) ? [] : [[name, text] as const];
    });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${forge}.txt`), own.map(([name, text]) => `${mark}${name}\n${text}`).join(''));
  });

  it.each(flowsOn(forge))('%s', async (name, flow) => {
    const walk = await startWalk(forge, { url: sandbox.url, path: program.path, program: built() });
    try {
      await flow(walk);
    } finally {
      await walk.close();
    }
    const text = `${walk.seen.join('\n')}\n\n`;
    made.set(name, text);
    if (!isUpdating) expect(text).toBe(recorded(forge).get(name) ?? recorded('github').get(name));
  });
});

it('is fifty-five flows', () => {
  expect(Object.keys(flows).length).toBeGreaterThanOrEqual(55);
});
