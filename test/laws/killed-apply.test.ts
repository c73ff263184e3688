import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StepResult } from '@platform-sync/engine/api';
import type { Event } from '@platform-sync/core/model/event';
import { digestOf } from '@platform-sync/engine/plan/saved-plan';
import { field, plan, step } from '../report/plan-builder.js';
import { fakeProgram } from '../cli/fake-host.js';

type Files = ReadonlyMap<string, string>;

const addresses = ['pets', 'shop', 'shop/guide'];
const resourceType = 'platform:index/api:Api';
const told = { resourceType, action: 'update' } as const;
const draft = plan({
  steps: addresses.map((address) => step({ address, action: 'update', fields: [field('name', { new: 'b' })] })),
});

const changes = { ...draft, digest: digestOf(draft) };

/** Two steps at once, one that fails, one that comes after. */
const events: readonly Event[] = [
  { type: 'step-started', address: 'pets', ...told },
  { type: 'step-started', address: 'shop', ...told },
  { type: 'step-done', address: 'pets', ...told, durationMs: 1 },
  { type: 'step-failed', address: 'shop', ...told, diagnostics: [] },
  { type: 'step-started', address: 'shop/guide', ...told },
  { type: 'step-done', address: 'shop/guide', ...told, durationMs: 1 },
];

function filesIn(folder: string): Files {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function leave(folder: string, files: Files): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}

/** What an apply has in its folder of reports after each of its events, and at its end. */
async function recorded(): Promise<{
  readonly planned: Files;
  readonly during: readonly Files[];
  readonly end: Files;
}> {
  const during: Files[] = [];
  const steps: StepResult[] = addresses.map((address) => ({ address, action: 'update', outcome: 'done' }));
  const program = fakeProgram({
    plan: changes,
    apply: async () => {
      const out = join(program.folder, 'out');
      during.push(filesIn(out));
      for (const event of events) {
        program.opened.at(-1)?.onEvent?.(event);
        during.push(filesIn(out));
      }
      return { status: 'done', steps, outputs: {}, diagnostics: [], requests: 3 };
    },
  });
  const out = join(program.folder, 'out');
  await program.run('plan', '--report-dir', 'out');
  const planned = filesIn(out);
  await program.run('apply', '--yes', '--report-dir', 'out');
  return { planned, during, end: filesIn(out) };
}

const resultsOf = (files: Files): Files => new Map([...files].filter(([name]) => name.startsWith('result')));

it('a run that ended leaves its result, and no events beside it', async () => {
  const { end } = await recorded();
  expect([...end.keys()].filter((name) => name.startsWith('result'))).toEqual(
    expect.arrayContaining(['result.json', 'result.md']),
  );
  expect(end.has('result-events.jsonl')).toBe(false);
});

it('over lost artifacts and kills at any moment, nothing is told as done, cancelled or not begun that was not', async () => {
  const { planned, during, end } = await recorded();
  const program = fakeProgram();
  const fault = fc.record({
    /** Events before the kill; beyond the last one, the run ends; below zero, it never began. */
    at: fc.integer({ min: -1, max: events.length + 1 }),
    /** Characters of the last line that the kill cut off. */
    cut: fc.nat(200),
    plan: fc.boolean(),
    result: fc.boolean(),
    ended: fc.constantFrom('cancelled', 'failed'),
  });
  const law = fc.asyncProperty(fault, async ({ at, cut, plan: hasPlan, result: hasResult, ended }) => {
    const isKilled = at >= 0 && at <= events.length;
    const left = new Map([
      ...(hasPlan ? planned : []),
      ...(hasResult && at >= 0 ? resultsOf(isKilled ? (during[at] ?? end) : end) : []),
    ]);
    const log = left.get('result-events.jsonl');
    const last = log?.trimEnd().split('\n').at(-1)?.length ?? 0;
    if (log !== undefined && at > 0)
      left.set('result-events.jsonl', log.slice(0, log.length - Math.min(cut, last + 1)));
    leave(join(program.folder, 'out'), left);
    const args = ['comment', 'out', '--after', 'apply', '--ended', ended, '--file', 'told.md'];
    const run = await program.run(...args);
    expect(run.code, run.err).toBe(0);
    const text = readFileSync(join(program.folder, 'told.md'), 'utf8');
    const isKnown = hasResult && at >= 0;
    expect(text.startsWith('## ✅ Applied')).toBe(isKnown && !isKilled);
    expect(text.startsWith('## ❓ What became of the apply is unknown')).toBe(isKnown && isKilled);
    expect(/was cancelled/.test(text)).toBe(!isKnown && ended === 'cancelled');
    if (!isKnown || !isKilled) return;
    const seen = events.slice(0, at);
    const has = (type: Event['type'], among: readonly Event[], address: string): boolean =>
      among.some((event) => event.type === type && 'address' in event && event.address === address);
    const open = /### May have been done\n\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
    const done = /<summary>Done: \d+<\/summary>\n\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
    for (const address of addresses) {
      const item = `- \`update\` \`${address}\``;
      if (done.split('\n').includes(item)) expect(has('step-done', seen, address)).toBe(true);
      // The line of a step that begins is whole before the step goes on.
      const hasBegun = has('step-started', cut === 0 ? seen : seen.slice(0, -1), address);
      const hasEnded = has('step-done', seen, address) || has('step-failed', seen, address);
      if (hasBegun && !hasEnded) expect(open.split('\n')).toContain(item);
    }
  });
  await fc.assert(law, { numRuns: 1000 });
}, 120_000);
