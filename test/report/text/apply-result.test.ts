import { describe, expect, it } from 'vitest';
import type { ApplyResult } from '../../../src/engine/api.js';
import { applyText } from '../../../src/report/text/apply-result.js';
import { plainStyle } from '../../../src/report/text/style.js';
import { plan, step } from '../plan-builder.js';

const result = (parts: Partial<ApplyResult>): ApplyResult => ({
  status: 'done',
  steps: [],
  outputs: {},
  diagnostics: [],
  requests: 4,
  ...parts,
});

describe('applyText', () => {
  it("tells failures in the platform's words with the YAML line, and what was skipped because of them", () => {
    const base = plan({ steps: [step({ address: 'a', action: 'create' })] });
    const made = { ...base, meta: { ...base.meta, sources: { a: 'catalogue/a.yaml:2:3' } } };
    const text = applyText(
      result({
        status: 'partly',
        steps: [
          { address: 'ok', action: 'create', outcome: 'done', id: '1' },
          {
            address: 'a',
            action: 'create',
            outcome: 'failed',
            diagnostics: [
              {
                severity: 'error',
                code: 'invalid',
                summary: 'name: must be unique',
                place: { file: 'catalogue/a.yaml', line: 5, column: 7 },
              },
            ],
          },
          { address: 'a/b', action: 'create', outcome: 'skipped', because: 'a' },
          { address: 'c', action: 'update', outcome: 'skipped', because: 'interrupted' },
        ],
      }),
      made,
      plainStyle,
    );
    expect(text).toBe(`failed  create a  catalogue/a.yaml:2:3
  catalogue/a.yaml:5:7  invalid  name: must be unique

skipped create a/b: a was not done
skipped update c: the run was interrupted

Partly applied: 1 done, 1 failed, 2 skipped, 4 requests.
After mending the cause, type: sync apply (it does only what is left)
`);
  });

  it('tells in one line of many that were left out for one reason, and none of what was half done is lost in it', () => {
    const many = (because: string, from: number): ApplyResult['steps'] =>
      Array.from({ length: 1000 }, (_, n) => ({
        address: `r${from + n}`,
        action: 'create',
        outcome: 'skipped',
        because,
      }));
    const half = { severity: 'warning', code: 'half-done', summary: 'The old object is deleted.' } as const;
    const steps: ApplyResult['steps'] = [
      ...many('stopped', 0),
      { address: 'half', action: 'replace', outcome: 'skipped', because: 'stopped', diagnostics: [half] },
      ...many('a', 1000),
    ];
    expect(
      applyText(result({ status: 'partly', steps }), undefined, plainStyle)
        .split('\n')
        .slice(0, 4),
    ).toEqual([
      'skipped replace half: the run could not go on',
      expect.stringContaining('The old object is deleted.'),
      'skipped 1000 steps (create r0, create r1, create r2 and 997 more): the run could not go on',
      'skipped 1000 steps (create r1000, create r1001, create r1002 and 997 more): a was not done',
    ]);
  });

  it('shows outputs and mismatches', () => {
    expect(
      applyText(
        result({ outputs: { id: '1\u0007' }, steps: [{ address: 'a', action: 'create', outcome: 'done' }] }),
        undefined,
        plainStyle,
      ),
    ).toBe('Outputs:\n  id = "1\\u0007"\n\nApplied: 1 done, 0 failed, 0 skipped, 4 requests.\n');
    const stale = result({
      status: 'stale',
      mismatches: [{ what: 'target', reviewed: 'x', now: 'y', meaning: 'Another platform.' }],
    });
    expect(applyText(stale, undefined, plainStyle)).toContain(
      'target\n  reviewed: x\n  now:      y\n  Another platform.\n\nNothing was changed',
    );
  });

  it.each([
    ['done', 'Nothing to do.'],
    ['failed', 'Failed: '],
    ['interrupted', 'What was done is in state.'],
    ['blocked', 'a guard blocks the plan'],
  ] as const)('%s', (status, words) => {
    expect(applyText(result({ status }), undefined, plainStyle)).toContain(words);
  });
});
