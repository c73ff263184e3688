import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '@platform-sync/engine/plan/saved-plan';
import { fakeProgram } from '../cli/fake-host.js';
import { driftResult, finding } from '../report/drift-builder.js';
import { outcome, problem } from '../report/outcome-builder.js';
import { sealedPlanText, step } from '../report/plan-builder.js';

/**
 * A verdict is evidence: over a thousand injected faults (results that are missing, cut off, altered or of a run that was killed,
 * checks and plans that rest on nothing, jobs that ended in any way) none is told as clean, done or cancelled.
 */
const unread = { type: 'platform:index/api:Api', diagnostic: { ...problem, code: 'unreadable' } };
const clean = sealedPlanText({});
const done = JSON.stringify(outcome('done'));
const fine = JSON.stringify(driftResult());

type Left = readonly [name: string, text: string];

/** Results of runs that know of no good end. */
const faulty: readonly Left[] = [
  ['no-plan.json', JSON.stringify({ formatVersion: 1, kind: 'no-plan', diagnostics: [problem] })],
  ['plan.json', sealedPlanText({ notCompared: [unread] })],
  [
    'plan.json',
    sealedPlanText({
      guards: [{ name: 'maxDeletes', summary: 'x', addresses: [] }],
      steps: [step({ address: 'a', action: 'delete' })],
    }),
  ],
  ...(['partly', 'failed', 'unknown', 'stale', 'blocked'] as const).map((status): Left => [
    'result.json',
    JSON.stringify(outcome(status)),
  ]),
  ['drift.json', JSON.stringify(driftResult({ status: 'failed', diagnostics: [problem] }))],
  ['drift.json', JSON.stringify(driftResult({ status: 'incomplete', unrecorded: 63, compared: 0 }))],
  [
    'drift.json',
    JSON.stringify(
      driftResult({
        status: 'incomplete',
        notCompared: [{ id: 'x', trend: 'new', firstSeen: '2030-05-01T03:00:00.000Z', ...unread }],
      }),
    ),
  ],
  ['drift.json', JSON.stringify(driftResult({ status: 'drift', findings: [finding()] }))],
];

/** Good results that something has happened to since. */
const whole: readonly Left[] = [
  ['plan.json', clean],
  ['result.json', done],
  ['drift.json', fine],
];

/** What a verdict rests on. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'plan.json': ['digest', 'steps', 'notCompared', 'targets', 'summary'],
  'result.json': ['status', 'steps', 'diagnostics'],
  'drift.json': ['status', 'findings', 'notCompared', 'targets', 'diagnostics'],
};

/** The same numbers on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Fault {
  readonly left: Left | undefined;
  readonly flags: readonly string[];
}

function fault(below: (below: number) => number): Fault {
  const of = <T>(list: readonly T[]): T => {
    const [one] = list.slice(below(list.length));
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  };
  const flags = [...of([[], ['--ended', 'failed'], ['--ended', 'cancelled']]), ...of([[], ['--after', 'apply']])];
  switch (below(4)) {
    case 0:
      return { left: undefined, flags };
    case 1:
      return { left: of(faulty), flags };
    case 2: {
      // The machine was lost while it was written.
      const [name, text] = of([...whole, ...faulty]);
      return { left: [name, text.slice(0, below(text.trimEnd().length - 1))], flags };
    }
    default: {
      // One of its members is gone, or of another kind.
      const [name, text] = of(whole);
      const members = Object.entries(JSON.parse(text) as object);
      const [gone] = of(members.filter(([key]) => needed[name]?.includes(key)));
      const changed = Object.fromEntries(
        members.flatMap(([key, value]) => (key !== gone ? [[key, value]] : below(2) === 0 ? [] : [[key, 42]])),
      );
      return { left: [name, JSON.stringify(changed)], flags };
    }
  }
}

describe('a thousand faults', () => {
  it('none is told as clean, done or cancelled', async () => {
    expect('plan' in parsePlan(clean)).toBe(true);
    const program = fakeProgram({});
    const folder = join(program.folder, 'out');
    const told = new Map<string, number>();
    for (let nth = 1; nth <= 1000; nth += 1) {
      const { left, flags } = fault(numbers(nth));
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      if (left !== undefined) writeFileSync(join(folder, left[0]), left[1]);
      const target = left?.[0] === 'drift.json' ? 'out/drift.json' : 'out';
      const { code, err } = await program.run('comment', target, ...flags, '--file', 'out/comment.md');
      const what = JSON.stringify([nth, left?.[0], left?.[1].slice(0, 60), flags]);
      if (code !== 0) {
        expect([what, err]).toEqual([what, expect.stringMatching(/error/)]);
        told.set('error', (told.get('error') ?? 0) + 1);
        continue;
      }
      const [heading = ''] = readFileSync(join(folder, 'comment.md'), 'utf8').split('\n');
      expect([what, heading]).toEqual([
        what,
        expect.not.stringMatching(/✅|Applied:|No drift|No changes|Nothing to apply/),
      ]);
      if (!flags.includes('cancelled'))
        expect([what, heading]).toEqual([what, expect.not.stringContaining('cancelled')]);
      told.set(heading, (told.get(heading) ?? 0) + 1);
    }
    // The faults reach every way there is of telling one.
    expect(told.size).toBeGreaterThan(12);
  });
});
