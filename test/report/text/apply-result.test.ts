import { describe, expect, it } from 'vitest';
import type { ApplyResult } from '@platform-sync/engine/api';
import { applyText } from '@platform-sync/report/text/apply-result';
import { plainStyle } from '@platform-sync/report/text/style';
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
    expect(text).toBe(`Failed:
  create a in catalogue/a.yaml:2:3
    catalogue/a.yaml:5:7  invalid  name: must be unique

Not begun:
  a/b: a was not done
  c: the run was interrupted

Partly applied: 1 done, 1 failed, 2 skipped, 4 requests.
Fix the cause and apply again: only the rest is done. To do so, type:
  sync apply
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
        .slice(0, 7),
    ).toEqual([
      'Failed:',
      '  replace half: the run could not go on',
      expect.stringContaining('The old object is deleted.'),
      '',
      'Not begun:',
      expect.stringMatching(/^ {2}r0, r1, .* and 990 more: the run could not go on$/),
      expect.stringMatching(/^ {2}r1000, r1001, .* and 990 more: a was not done$/),
    ]);
  });

  it('shows outputs and mismatches', () => {
    expect(
      applyText(
        result({ outputs: { id: '1\u0007' }, steps: [{ address: 'a', action: 'create', outcome: 'done' }] }),
        undefined,
        plainStyle,
      ),
    ).toBe('Outputs:\n  id: "1\\u0007"\n\nApplied: 1 done, 0 failed, 0 skipped, 4 requests.\n');
    const stale = result({
      status: 'stale',
      mismatches: [{ what: 'target', reviewed: 'x', now: 'y', meaning: 'Another platform.' }],
    });
    expect(applyText(stale, undefined, plainStyle)).toContain(
      'What is different now: Another platform.\n  target: reviewed x, now y\n\nSuperseded: nothing was changed',
    );
    const one = stale.mismatches?.[0];
    if (one === undefined) throw new Error('no mismatch');
    const many = { ...stale, mismatches: Array.from({ length: 30 }, () => one) };
    const lines = applyText(many, undefined, plainStyle).trim().split('\n');
    expect(lines.slice(1, 2)).toEqual(['  target: reviewed x, now y. Another platform.']);
    expect([lines.length, lines.includes('  and 24 more')]).toEqual([12, true]);
  });

  it.each([
    ['done', 'Nothing to apply.'],
    ['failed', 'The apply failed: '],
    ['interrupted', 'What was done is in state.'],
    ['blocked', 'Blocked: nothing was changed.'],
  ] as const)('%s', (status, words) => {
    expect(applyText(result({ status }), undefined, plainStyle)).toContain(words);
  });
});
