import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftText } from '@platform-sync/report/text/drift';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { driftResult, finding } from './drift-builder.js';
import { plan, step } from './plan-builder.js';
import {
  driftHtml,
  githubAnnotations,
  jobSummary,
  planCodeQuality,
  planHtml,
  planMarkdown,
  planSarif,
} from './forms.js';

const notice: Diagnostic = {
  ...{ severity: 'warning', code: 'no-record', summary: 'Nothing is recorded for this stack.' },
  hint: 'Take over what exists first: sync adopt',
};
const guards = ['a', 'b', 'c'].map((address) => ({
  ...{ name: `adopt:${address}`, summary: `${address} exists`, addresses: [address, `${address}/doc`] },
}));
const unrecorded = plan({ steps: [step({ address: 'a', action: 'adopt' })], guards, notices: [notice] });

describe('a plan of a stack that nothing is recorded for', () => {
  it('says so right below its heading, and tells all that exists as one, with the command that records it', () => {
    const lines = planText(unrecorded, { style: plainStyle }).split('\n');
    expect(lines.slice(3, 6)).toEqual([
      'warning  no-record  Nothing is recorded for this stack.',
      '  hint: Take over what exists first:',
      '        sync adopt',
    ]);
    const blocked = lines.indexOf('Guards that block this plan:');
    expect(lines.slice(blocked, blocked + 3)).toEqual([
      'Guards that block this plan:',
      '  adopt: 6 objects exist already and would be taken over by key',
      '    a, a/doc, b, b/doc, c, c/doc',
    ]);
    expect(lines.join('\n')).not.toContain('--allow');
  });

  it.each([
    ['markdown', planMarkdown(unrecorded), /^## .*\n\n\*\*Nothing is recorded for this stack\.\*\*/],
    [
      'html',
      planHtml(unrecorded),
      /<h1[^>]*>[^<]*<\/h1>(?:(?!fact summary)[\s\S])*Nothing is recorded for this stack\./,
    ],
  ])('says so first as %s, too', (_format, text, first) => {
    expect(text).toMatch(first);
    expect(text).toContain('Record what exists first:');
    expect(text).not.toContain('--allow');
  });

  it('names other guards with what lifts them', () => {
    const also = { name: 'maxDeletes', summary: 'too many', addresses: [] };
    const text = planText({ ...unrecorded, guards: [...guards, also] }, { style: plainStyle });
    expect(text).toContain('--allow maxDeletes --reason');
    expect(text).not.toContain('--allow adopt');
  });
});

it('a check of a stack that nothing is recorded for says so first, and never that there is no drift', () => {
  const result = driftResult({ status: 'incomplete', compared: 0, unrecorded: 63, diagnostics: [notice] });
  const text = driftText(result, plainStyle);
  const verdict = 'Nothing is recorded for this stack, so none of the 63 resources of the catalogue was compared.';
  expect(text.split('\n')[2]).toBe(verdict);
  expect(text).toContain(
    `${verdict}\nThis is normal before a first apply. If the objects exist already, record them:\n  sync adopt\n`,
  );
  expect(driftMarkdown(result)).toMatch(new RegExp(`^## ❓ ${verdict}`));
  for (const told of [text, driftMarkdown(result)]) expect(told).not.toContain('No drift among');
});

const freeze: Diagnostic = {
  ...{ severity: 'warning', code: 'state-frozen', summary: 'The stack is frozen by ann: release week' },
  hint: 'Nothing writes to it but a run that names the freeze: sync apply --frozen f1',
};
const changed = plan({
  steps: [step({ address: 'zebra', action: 'delete', cause: 'config', id: 'z1' })],
  notices: [freeze],
});
const drifted = driftResult({ status: 'drift', diagnostics: [freeze], findings: [finding({ address: 'zebra' })] });

it.each([
  ['planText', planText(changed, { style: plainStyle })],
  ['planMarkdown', planMarkdown(changed)],
  ['jobSummary', jobSummary(changed)],
  ['planHtml', planHtml(changed).replace(/<script[^]*?<\/script>/g, '')],
  ['githubAnnotations', githubAnnotations(changed)],
  ['planCodeQuality', planCodeQuality(changed)],
  ['planSarif', planSarif(changed).replace(/"rules":[^]*?"results"/, '')],
  ['driftText', driftText(drifted, plainStyle)],
  ['driftMarkdown', driftMarkdown(drifted)],
  ['driftHtml', driftHtml(drifted).replace(/<script[^]*?<\/script>/g, '')],
])('%s says that the stack is frozen before anything of a resource', (_writer, text) => {
  expect(text).toContain('zebra');
  expect(text.slice(0, text.indexOf('zebra'))).toContain('frozen by ann');
});
