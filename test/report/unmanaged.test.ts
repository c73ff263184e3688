import { describe, expect, it } from 'vitest';
import { summaryOf } from '@platform-sync/core/model/drift';
import type { UnmanagedObject } from '@platform-sync/core/model/plan';
import { genericMessage } from '@platform-sync/review/notify/generic-message';
import { documentSlack } from '@platform-sync/report/ci/slack';
import { driftNewsDocument, sortedNews } from '@platform-sync/report/document/news';
import { driftMetrics } from '@platform-sync/report/ci/prometheus';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftText } from '@platform-sync/report/text/drift';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { driftResult, finding } from './drift-builder.js';
import { plan as planOf } from './plan-builder.js';
import { driftHtml, githubAnnotations, planCodeQuality, planHtml, planMarkdown, planSarif } from './forms.js';

/** An object that nobody manages, in every form in which somebody may meet it. */

const importId = '{"api_id":"a-1","id":"d-1"}';
const object: UnmanagedObject = {
  ...{ type: 'platform:index/apiDocument:ApiDocument', under: 'pets', id: 'd-1', name: 'Summer <b>`campaign`' },
  ...{ visible: true, importId },
};
const plan = planOf({ meta: { ...planOf().meta, unmanaged: [object] } });
const { field: _field, old: _old, new: _new, source: _source, ...whole } = finding();
const found = {
  ...whole,
  ...({
    class: 'unmanaged',
    address: 'pets/ApiDocument:d-1',
    type: object.type,
    severity: 'high',
    name: object.name,
  } as const),
  ...({ visible: true, importId, verbs: ['ignore'], todo: 'Describe it.' } as const),
};
const result = driftResult({ status: 'drift', findings: [found] });
const check = summaryOf(result);
const news = sortedNews({ check, changes: [{ kind: 'new', finding: found }] });
const nowhere = { ownersOf: () => [] };

describe('an object that nobody manages', () => {
  it.each([
    ['text', planText(plan, { style: plainStyle })],
    ['Markdown', planMarkdown(plan)],
    ['the page', planHtml(plan)],
    ['SARIF', planSarif(plan)],
    ['annotations', githubAnnotations(plan)],
    ['code quality', planCodeQuality(plan)],
  ])('is named by a plan as %s, with what takes it over', (form, text) => {
    for (const word of ['nmanaged', 'campaign', 'd-1', 'pets', 'the public sees', 'sync adopt'])
      expect(text).toContain(word);
    if (form === 'the page') expect(text).not.toContain('<b>`');
  });

  it.each([
    ['text', driftText(result, plainStyle)],
    ['Markdown', driftMarkdown(result)],
    ['the page', driftHtml(result)],
  ])('is a finding as %s, with its name and what can be typed', (form, text) => {
    for (const word of [
      'unmanaged, and visible to the public',
      'campaign',
      'pets/ApiDocument:d-1',
      'sync adopt ADDRESS',
    ])
      expect(text).toContain(word);
    expect(text).toContain('sync drift ignore 1a2b3c4d5e');
    expect(text).not.toContain('revert|');
    if (form === 'the page') expect(text).not.toContain('<b>`');
  });

  it('is counted by its class and severity', () => {
    expect(driftMetrics(result)).toContain('class="unmanaged",severity="high"} 1\n');
  });

  it('is news, for people and for programs', () => {
    expect(JSON.stringify(documentSlack(driftNewsDocument(news)))).toContain(
      "high: `pets/ApiDocument:d-1` unmanaged, and visible to the public: `Summer &lt;b&gt;'campaign'` (1a2b3c4d5e)",
    );
    expect(genericMessage(news, nowhere)).toMatchObject({
      new: [{ class: 'unmanaged', name: object.name, visible: true, objectId: 'id-1', importId }],
    });
  });

  it('is no line where none was asked for', () => {
    expect(planText(planOf(), { style: plainStyle })).not.toContain('Unmanaged objects');
  });
});
