import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../src/engine/model/drift-news.js';
import type { UnmanagedObject } from '../../src/engine/model/plan.js';
import { genericMessage } from '../../src/notify/generic-message.js';
import { slackMessage } from '../../src/notify/slack-message.js';
import { sortedNews } from '../../src/notify/sorted-news.js';
import { githubAnnotations } from '../../src/report/ci/github.js';
import { planCodeQuality } from '../../src/report/ci/gitlab.js';
import { driftMetrics } from '../../src/report/ci/prometheus.js';
import { planSarif } from '../../src/report/ci/sarif.js';
import { driftHtml } from '../../src/report/html/drift.js';
import { planHtml } from '../../src/report/html/plan.js';
import { driftMarkdown } from '../../src/report/markdown/drift.js';
import { planMarkdown } from '../../src/report/markdown/plan.js';
import { driftText } from '../../src/report/text/drift.js';
import { planText } from '../../src/report/text/plan.js';
import { plainStyle } from '../../src/report/text/style.js';
import { driftResult, finding } from './drift-builder.js';
import { plan as planOf } from './plan-builder.js';

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
    for (const word of ['Nobody manages', 'campaign', 'd-1', 'pets', 'the public sees', 'sync adopt'])
      expect(text).toContain(word);
    if (form === 'the page') expect(text).not.toContain('<b>`');
  });

  it.each([
    ['text', driftText(result, plainStyle)],
    ['Markdown', driftMarkdown(result)],
    ['the page', driftHtml(result)],
  ])('is a finding as %s, with its name and what can be typed', (form, text) => {
    for (const word of [
      'nobody manages it, and the public sees it',
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
    expect(JSON.stringify(slackMessage(news, nowhere))).toContain(
      "high: `pets/ApiDocument:d-1` nobody manages it, and the public sees it: `Summer &lt;b&gt;'campaign'` (1a2b3c4d5e)",
    );
    expect(genericMessage(news, nowhere)).toMatchObject({
      new: [{ class: 'unmanaged', name: object.name, visible: true, objectId: 'id-1', importId }],
    });
  });

  it('is no line where none was asked for', () => {
    expect(planText(planOf(), { style: plainStyle })).not.toContain('Nobody manages');
  });
});
