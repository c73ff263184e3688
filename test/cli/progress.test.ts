import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Event } from '@platform-sync/core/model/event';
import { realWorld } from '@platform-sync/core/model/world';
import { Progress } from '@platform-sync/cli/terminal/progress';
import type { LogLevel } from '@platform-sync/cli/arguments/global-flags';
import { plainStyle } from '@platform-sync/report/text/style';
import { fakeProgram } from './fake-host.js';

const done: Event = { type: 'step-done', address: 'a', resourceType: 't', action: 'create', id: '1', durationMs: 12 };
const failed: Event = {
  type: 'step-failed',
  address: 'b',
  resourceType: 't',
  action: 'update',
  diagnostics: [{ severity: 'error', code: 'c', summary: 'no\u001b' }],
};

function told(terminal: boolean, level: LogLevel, events: readonly (readonly [number, Event])[]): string {
  let text = '';
  let now = 0;
  const { host } = fakeProgram({
    host: {
      err: (part) => void (text += part),
      errIsTerminal: terminal,
      world: { ...realWorld, steady: () => now },
      columns: 30,
    },
  });
  const progress = new Progress(host, level, plainStyle);
  for (const [at, event] of events) {
    now = at;
    progress.listener(event);
  }
  progress.finish();
  return text;
}

const started: Event = { type: 'apply-started', steps: 4 };

describe('Progress', () => {
  it('writes plain lines where nobody watches: each step, and the count every few seconds', () => {
    expect(
      told(false, 'info', [
        [0, started],
        [2000, done],
        [6000, failed],
        [7000, { type: 'apply-finished', done: 1, failed: 1, skipped: 0 }],
      ]),
    ).toBe(
      'done    created a (id 1, 12 ms)\nfailed  update b: no\\u001b\napplying 2/4, 1 failed, 0.3/s, about 6 s left\n',
    );
  });

  it('tells of a long wait when it begins, once for all that wait, and also when no steps are under way', () => {
    const wait = (ms: number): Event => ({ type: 'waiting', ms, reason: '429' });
    expect(
      told(false, 'info', [
        [0, started],
        [2000, wait(900)],
        [2000, wait(58_000)],
        [2010, wait(58_000)],
        [60_000, done],
        [61_000, { type: 'apply-finished', done: 1, failed: 0, skipped: 3 }],
        [62_000, wait(8000)],
        [70_000, wait(300)],
      ]),
    ).toBe(
      'applying 0/4, waiting 58 s: 429\ndone    created a (id 1, 12 ms)\napplying 1/4, 0.0/s, about 3 min left\nwaiting 8 s: 429\n',
    );
  });

  it('rewrites one line on a terminal, never wider than it, and takes it away', () => {
    const text = told(true, 'info', [
      [0, started],
      [2000, done],
    ]);
    expect(text).toBe('done    created a (id 1, 12 ms)\n\r\u001b[Kapplying 1/4, 0.5/s, about 6 \r\u001b[K');
  });

  it('shows on a terminal what is under way as a tree, and takes all of it away', () => {
    const step = (address: string, type: 'step-started' | 'step-done'): Event =>
      ({ ...done, address, type, ...(type === 'step-started' ? { action: 'update' } : {}) }) as Event;
    const text = told(true, 'info', [
      [0, started],
      [10, step('pets/guide', 'step-started')],
      [20, step('pets/guide/faq', 'step-started')],
      [30, step('owner', 'step-started')],
      [3100, step('owner', 'step-done')],
    ]);
    const [, tree = ''] = text.split('done    created owner (id 1, 12 ms)\n');
    expect(tree).toBe(
      '\r\u001b[Kapplying 1/4, 0.3/s, about 9 \n  pets\n    guide  update, 3 s\n      faq  update, 3 s\r\u001b[K\u001b[1A\u001b[K\u001b[1A\u001b[K\u001b[1A\u001b[K',
    );
  });

  it('shows no more of a wide tree than leaves room for what is done', () => {
    const many = [...Array(12).keys()].map((at): readonly [number, Event] => [
      200 * at,
      { type: 'step-started', address: `a${at}`, resourceType: 't', action: 'create' },
    ]);
    const rows = told(true, 'info', [[0, started], ...many])
      .split('\r\u001b[K')
      .at(-2)
      ?.split('\n');
    expect(rows).toHaveLength(10);
    expect(rows?.at(-1)).toBe('  … 4 more');
  });

  it.each([
    ['error', 'failed  update b: no\\u001b\n'],
    ['warn', 'failed  update b: no\\u001b\nskipped create c (b)\n'],
    ['info', 'done    created a (id 1, 12 ms)\nfailed  update b: no\\u001b\nskipped create c (b)\n'],
    ['debug', 'done    created a (id 1, 12 ms)\nfailed  update b: no\\u001b\nskipped create c (b)\nwaiting 2 s: 429\n'],
  ] as const)('log level %s', (level, expected) => {
    const skipped: Event = { type: 'step-skipped', address: 'c', action: 'create', because: 'b' };
    const waiting: Event = { type: 'waiting', ms: 2000, reason: '429' };
    expect(
      told(false, level, [
        [0, started],
        [1, done],
        [2, failed],
        [3, skipped],
        [4, waiting],
      ]),
    ).toBe(expected);
  });

  it('tells of writes that an earlier run left open', () => {
    expect(told(false, 'info', [[0, { type: 'recovered', address: 'a', outcome: 'adopted' }]])).toBe(
      'settled an unfinished write of an earlier run: a found on the platform and taken into state\n',
    );
  });
});

it('tells a warning once, be it an event, a result, or both', () => {
  const warning: Diagnostic = { severity: 'warning', code: 'several-tokens', summary: 'Two tokens.' };
  const other: Diagnostic = { ...warning, address: 'pets' };
  let text = '';
  const { host } = fakeProgram({ host: { err: (part) => void (text += part), errIsTerminal: false } });
  const progress = new Progress(host, 'info', plainStyle);
  progress.listener({ type: 'diagnostic', diagnostic: warning });
  progress.listener({ type: 'diagnostic', diagnostic: { ...warning } });
  expect(text).toBe('warning  several-tokens  Two tokens.\n');
  expect(progress.untold([{ ...warning }, other, { ...other }])).toEqual([other]);
  expect(progress.untold([other])).toEqual([]);
});
