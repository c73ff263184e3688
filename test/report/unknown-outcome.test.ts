import { expect, it } from 'vitest';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import { applyHtml, applyMarkdown } from './forms.js';

const killed: ApplyOutcome = {
  ...{ formatVersion: 1, kind: 'apply-result', project: 'payments', stack: 'prod', status: 'unknown', exitCode: 1 },
  ...{ steps: [], outputs: {}, diagnostics: [], requests: 0 },
};

it('a run that was killed is told as unknown, of which project and stack, and never as cancelled or done', () => {
  const text = applyMarkdown(killed);
  expect(text).toMatch(/^## ❓ What became of the apply is unknown — apply of `payments`, stack `prod`\n/);
  expect(text).toContain('is in state as an intent');
  expect(text).not.toMatch(/cancelled|✅|0 requests/);
  expect(applyHtml(killed, {})).toContain('What became of the apply is unknown');
  expect(applyHtml(killed, {})).not.toMatch(/was cancelled|✅/);
});

it('a run that was killed lists what it did, and what it began, in every form', () => {
  const known: ApplyOutcome = {
    ...killed,
    steps: [{ address: 'pets', action: 'create', outcome: 'done' }],
    open: [{ address: 'shop', action: 'update' }],
  };
  const text = applyMarkdown(known);
  expect(text).toContain('### May have been done\n\n- `update` `shop`\n');
  expect(text).toContain('<summary>Done: 1</summary>\n\n- `create` `pets`\n');
  expect(applyHtml(known, {})).toMatch(
    /May have been done[\s\S]*<code>update<\/code> <code>shop<\/code>[\s\S]*<code>create<\/code> <code>pets<\/code>/,
  );
});
