import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { applyReports } from '../../src/report/apply-reports.js';
import { endedMarkdown, supersededMarkdown } from '../../src/report/markdown/ended.js';
import { planHtml } from '../../src/report/html/plan.js';
import { planMarkdown } from '../../src/report/markdown/plan.js';
import { noPlanReports } from '../../src/report/no-plan-reports.js';
import { recordedPlan } from '../report/golden-plans.js';
import { outcome, place, problem, updates } from '../report/outcome-builder.js';
import { browserReason, chromiumPath } from './chromium.js';
import { inBrowser } from './report-page.js';

const styles = createRequire(import.meta.url)
  .resolve('github-markdown-css/github-markdown.css')
  .replace(/github-markdown\.css$/, '');
const folder = process.env['SYNC_ARTIFACTS'] ?? join(tmpdir(), 'sync-artifacts');

const noPlan = noPlanReports({ diagnostics: [problem], engine: '1.0.0', project: 'shop', stack: 'prod' }, place);
const applied = (status: Parameters<typeof outcome>[0]): readonly [string, string] => {
  const reports = applyReports(outcome(status), place);
  return [reports.get('result.md') ?? '', reports.get('result.html') ?? ''];
};
const planned = (name: string): readonly [string, string] => {
  const plan = recordedPlan(name);
  return [planMarkdown(plan, { at: place, planFile: 'plan.json' }), planHtml(plan, { at: place })];
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
  ['applied', applied('done')],
  ['partly', applied('partly')],
  ['apply-failed', applied('failed')],
  ['apply-cancelled', applied('interrupted')],
  ['apply-superseded', applied('stale')],
  ['apply-blocked', applied('blocked')],
  ['superseded', [supersededMarkdown('b'.repeat(40), place)]],
  ['cancelled', [endedMarkdown('cancelled', 'prod', place)]],
];

describe.runIf(chromiumPath !== undefined)(`each outcome as a reviewer sees it${browserReason}`, () => {
  const { open } = inBrowser();

  it.each(states)('%s', async (name, [markdown, html]) => {
    await mkdir(folder, { recursive: true });
    for (const scheme of ['light', 'dark'] as const) {
      const style = await readFile(`${styles}github-markdown-${scheme}.css`, 'utf8');
      const body = await marked.parse(markdown, { gfm: true });
      const background = scheme === 'light' ? '#ffffff' : '#0d1117';
      const text = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>${style} body{margin:24px;max-width:860px;background:${background}}</style><article class="markdown-body">${body}</article>`;
      await writeFile(join(folder, `outcome-${name}-${scheme}.html`), text);
      const page = await open(text, { viewport: { width: 920, height: 600 }, colorScheme: scheme });
      await page.screenshot({ path: join(folder, `outcome-${name}-${scheme}.png`), fullPage: true });
      expect(await page.locator('h2').first().textContent()).toMatch(/\S/);
      // Nothing of the Markdown is left over: no fence, no heading, no link that did not become one.
      const shown = (await page.locator('article').textContent()) ?? '';
      expect(shown).not.toMatch(/^#{2,} |\]\(http|\*\*\w/m);
      await page.context().close();
      if (html === undefined) continue;
      const own = await open(html, { viewport: { width: 920, height: 600 }, colorScheme: scheme });
      await own.screenshot({ path: join(folder, `outcome-${name}-page-${scheme}.png`) });
      await own.context().close();
    }
  });
});
