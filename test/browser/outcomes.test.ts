import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marked } from 'marked';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adviceOn } from '@platform-sync/engine/drift/advice';
import type { Finding, UncheckedFinding } from '@platform-sync/core/model/drift';
import type { Plan } from '@platform-sync/core/model/plan';
import { applyReports, noPlanReports } from '@platform-sync/report/reports';
import { endedDocument, supersededDocument } from '@platform-sync/report/document/ended';
import { documentMarkdown } from '@platform-sync/report/markdown/document';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftResult, finding } from '../report/drift-builder.js';
import { fiveThousand } from '../report/five-thousand.js';
import { recordedPlan } from '../report/golden-plans.js';
import { outcome, place, problem, updates } from '../report/outcome-builder.js';
import { browserReason, chromiumPath, launchChromium } from './chromium.js';
import { openPage, type OpenPage } from './open-page.js';
import { driftHtml, planHtml, planMarkdown } from '../report/forms.js';

// Light or dark, as the reader has it.
const styles = readFileSync(createRequire(import.meta.url).resolve('github-markdown-css/github-markdown.css'), 'utf8');
const folder = process.env['SYNC_ARTIFACTS'] ?? join(tmpdir(), 'sync-artifacts');

const noPlan = noPlanReports({ diagnostics: [problem], engine: '1.0.0', project: 'shop', stack: 'prod' }, place);
const applied = (status: Parameters<typeof outcome>[0]): readonly [string, string] => {
  const reports = applyReports(outcome(status), place);
  return [reports.get('result.md') ?? '', reports.get('result.html') ?? ''];
};
const planned = (name: string): readonly [string, string] => shownPlan(recordedPlan(name));
const shownPlan = (plan: Plan): readonly [string, string] => [
  planMarkdown(plan, { at: place, planFile: 'plan.json' }),
  planHtml(plan, { at: place }),
];

const twelve = recordedPlan('twelve-updates');
/** One change of the branch's own among what was merged before and what somebody changed by hand. */
const ofABranch: Plan = {
  ...twelve,
  meta: {
    ...twelve.meta,
    base: 'origin/main at 1a2b3c4d5e6f',
    origins: Object.fromEntries(
      twelve.steps.map(
        ({ address }, at) => [address, at === 0 ? 'branch' : at % 2 === 0 ? 'drift' : 'pending'] as const,
      ),
    ),
  },
};

const checked = (given: Parameters<typeof driftResult>[0]): readonly [string, string] => {
  const result = driftResult(given);
  return [driftMarkdown(result), driftHtml(result)];
};
const { field: _field, old: _old, new: _new, source: _source, ...whole } = finding({ id: '2b3c4d5e6f' });
const byHand: Finding = {
  ...{
    ...whole,
    class: 'unmanaged',
    address: 'petstore/ApiDocument:d-1',
    type: 'platform:index/apiDocument:ApiDocument',
  },
  ...{ severity: 'high', name: 'Summer campaign', visible: true, importId: '{"api_id":"a-1","id":"d-1"}' },
  ...adviceOn('unmanaged', false),
};
const unread: UncheckedFinding = {
  ...{ id: '3c4d5e6f70', address: 'petstore', type: whole.type, trend: 'new', firstSeen: whole.firstSeen },
  diagnostic: { severity: 'error', code: 'http-403', summary: 'The platform refuses to show it.' },
};

/** A picture for each state: Markdown as the platform shows it, and the page where there is one. */
const states: readonly (readonly [string, readonly [markdown: string, page?: string | undefined]])[] = [
  ['failed', [noPlan.get('plan.md') ?? '', noPlan.get('plan.html')]],
  ['clean', planned('no-changes')],
  ['changes', planned('long-text')],
  ['dangerous', planned('specification-breaks-clients')],
  ['incomplete', planned('not-compared')],
  ['blocked', planned('too-many-deletes')],
  ['alike', [planMarkdown(updates(1497), { at: place })]],
  ['five-thousand', shownPlan(fiveThousand())],
  ['applied', applied('done')],
  ['partly', applied('partly')],
  ['apply-failed', applied('failed')],
  ['apply-cancelled', applied('interrupted')],
  ['apply-superseded', applied('stale')],
  ['apply-blocked', applied('blocked')],
  ['superseded', [documentMarkdown(supersededDocument('b'.repeat(40)), { at: place })]],
  ['cancelled', [documentMarkdown(endedDocument('cancelled', { stack: 'prod' }), { at: place })]],
  ['lost', [documentMarkdown(endedDocument('failed', { project: 'shop', stack: 'prod' }, true), { at: place })]],
  ['of-a-branch', shownPlan(ofABranch)],
  ['drift', checked({ status: 'drift', findings: [finding(), byHand] })],
  ['drift-clean', checked({})],
  ['drift-incomplete', checked({ status: 'incomplete', notCompared: [unread] })],
  ['drift-failed', checked({ status: 'failed', diagnostics: [problem] })],
];

const asGithubShowsIt = async (markdown: string): Promise<string> =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><style>${styles} body{margin:0;background:light-dark(#fff,#0d1117)} .markdown-body{margin:24px auto;max-width:860px}</style><article class="markdown-body">${await marked.parse(markdown, { gfm: true })}</article>`;

describe.runIf(chromiumPath !== undefined)(`each outcome as a reviewer sees it${browserReason}`, () => {
  let browser: Browser;
  let shown: OpenPage;
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    browser = await launchChromium();
    shown = await openPage(browser, '<!doctype html><link rel="icon" href="data:,">', {
      viewport: { width: 920, height: 600 },
    });
  });
  afterAll(async () => {
    await shown.close();
    await browser.close();
  });

  /** The report in light and dark. */
  async function pictures(name: string, html: string, fullPage: boolean): Promise<void> {
    await writeFile(join(folder, `outcome-${name}.html`), html);
    await shown.show(html);
    for (const colorScheme of ['light', 'dark'] as const) {
      await shown.page.emulateMedia({ colorScheme });
      await shown.page.screenshot({ path: join(folder, `outcome-${name}-${colorScheme}.png`), fullPage });
    }
  }

  /** The page on a telephone: nothing of it is wider than the screen. */
  async function narrow(name: string, html: string): Promise<void> {
    const { page } = shown;
    const viewport = page.viewportSize() ?? { width: 920, height: 600 };
    await page.setViewportSize({ width: 390, height: 844 });
    await shown.show(html);
    await page.screenshot({ path: join(folder, `outcome-${name}-page-390.png`) });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    await page.setViewportSize(viewport);
    expect(overflow).toBe(0);
  }

  it.each(states)('%s', async (name, [markdown, html]) => {
    await pictures(name, await asGithubShowsIt(markdown), true);
    expect(await shown.page.locator('h2').first().textContent()).toMatch(/\S/);
    // No table is wider than the page.
    const widths = await shown.page
      .locator('table')
      .evaluateAll((tables) => tables.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(widths.filter((more) => more > 0)).toEqual([]);
    // Nothing of the Markdown is left over: no fence, no heading, no link that did not become one.
    const text = (await shown.page.locator('article').textContent()) ?? '';
    expect(text).not.toMatch(/^#{2,} |\]\(http|\*\*\w/m);
    if (html !== undefined) {
      await pictures(`${name}-page`, html, false);
      await narrow(name, html);
    }
    expect({ problems: shown.problems, requests: shown.requests }).toEqual({ problems: [], requests: [] });
  });
});
