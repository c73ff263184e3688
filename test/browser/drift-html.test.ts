import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driftResult, finding } from '../report/drift-builder.js';
import { hostileNames } from '../report/hostile-plan.js';
import { browserReason, chromiumPath } from './chromium.js';
import { axeSource, inBrowser, shown, soon } from './report-page.js';
import { driftHtml } from '../report/forms.js';

const { field: _field, old: _old, new: _new, ...whole } = finding();
const mixed = driftResult({
  status: 'incomplete',
  findings: [
    { ...whole, id: '1111111111', address: 'cats', class: 'deleted', severity: 'high', trend: 'worse' },
    finding({
      ...{ id: '2222222222', address: 'petstore/guide', type: 'platform:index/apiDocument:ApiDocument' },
      ...{ field: 'content', severity: 'medium', trend: 'known' },
      ...{ old: `${'same\n'.repeat(5)}before\n`, new: `${'same\n'.repeat(5)}after\n` },
    }),
    finding({ id: '3333333333', trend: 'known' }),
    finding({ id: '4444444444', trend: 'known', address: 'shop' }),
  ],
  notCompared: [
    {
      ...{ id: 'aaaaaaaaaa', address: 'dogs', type: 'platform:index/api:Api', trend: 'new' },
      firstSeen: '2030-05-02T03:00:00.000Z',
      diagnostic: { severity: 'error', code: 'platform-error', summary: 'The platform answered 503.' },
    },
  ],
  ignored: [{ id: 'c', address: 'ants', type: 't', class: 'deleted', reason: 'a reason', until: '2031-01-01' }],
  unapplied: [{ address: 'fish', type: 't', action: 'update', fields: ['slug'], source: 'a.yaml:1:1' }],
});

describe.runIf(chromiumPath !== undefined)(`the drift report in a browser${browserReason}`, () => {
  const { open } = inBrowser();

  it('lists every finding, all closed, and opens the one that the URL names', async () => {
    const page = await open(driftHtml(mixed), { hash: '#3333333333' });
    expect(await page.title()).toBe('Drift of payments, stack default');
    expect(await shown(page)).toEqual(['1111111111', '2222222222', '3333333333', '4444444444']);
    expect(await page.locator('.step details[open]').count()).toBe(1);
    expect(await page.locator('[id="3333333333"] details[open] .fields').textContent()).toContain('Clicked');
  });

  it('filters by severity, type, text and news, says how many are left, and Escape shows all again', async () => {
    const page = await open(driftHtml(mixed));
    await page.getByRole('checkbox', { name: 'low (2)' }).uncheck();
    await soon(() => shown(page)).toEqual(['1111111111', '2222222222']);
    expect(await page.getByText(/of 4 shown/).textContent()).toBe('2 of 4 shown');
    await page.getByLabel('Type').selectOption('platform:ApiDocument');
    await soon(() => shown(page)).toEqual(['2222222222']);
    await page.getByLabel('Text').focus();
    await page.keyboard.press('Escape');
    await soon(() => shown(page)).toHaveLength(4);
    await page.getByLabel('Text').fill('AFTER same');
    await soon(() => shown(page)).toEqual(['2222222222']);
    await page.getByLabel('Text').fill('');
    await page.getByRole('checkbox', { name: 'only what is new or worse' }).check();
    await soon(() => shown(page)).toEqual(['1111111111']);
  });

  it('is used by keyboard alone: arrows move, Enter opens, and a text shows what changed', async () => {
    const page = await open(driftHtml(mixed));
    await page.locator('.step summary').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate("document.activeElement.closest('.step')?.id")).toBe('2222222222');
    await page.keyboard.press('Enter');
    const diff = page.locator('[id="2222222222"] details[open] pre.diff');
    await soon(() => diff.count()).toBe(1);
    expect(await diff.locator('.del').textContent()).toBe('-before\n');
    expect(await diff.locator('.add').textContent()).toBe('+after\n');
  });

  it.each(['light', 'dark'] as const)('has no finding of axe in %s, opened and whole', async (colorScheme) => {
    // The policy of the page would keep axe out, which is the point of it.
    const page = await open(driftHtml(mixed), { colorScheme, bypassCSP: true });
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(1, 4, 9)' : 'rgb(246, 248, 250)');
    await page.evaluate("document.querySelectorAll('details').forEach((item) => { item.open = true; })");
    await page.evaluate(axeSource);
    const violations = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`))",
    );
    expect(violations).toEqual([]);
  });

  it.each(['clean', 'failed'] as const)('runs without a list, too: a check that is %s', async (status) => {
    const page = await open(driftHtml(driftResult({ status })));
    expect(await page.locator('.step').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Colours: auto' }).isVisible()).toBe(true);
  });

  it('shows hostile names as text: no element, attribute or script comes out of them', async () => {
    const findings = hostileNames.map((name) =>
      finding({ ...{ id: name, address: name, field: name, old: name, new: `${name}!`, source: name, todo: name } }),
    );
    const page = await open(driftHtml(driftResult({ status: 'drift', findings })));
    const found = await page.evaluate(`(() => {
      const all = [...document.querySelectorAll('*')];
      return {
        foreign: all.map((item) => item.localName).filter((name) => ['iframe', 'img', 'object', 'video', 'math', 'template', 'base'].includes(name)),
        attributes: all.flatMap((item) => item.getAttributeNames()).filter((name) => name.startsWith('on') || name === 'style'),
        links: [...document.querySelectorAll('[href], [src], [action]')].map((item) => item.getAttribute('href') ?? '?').filter((target) => !target.startsWith('#') && target !== 'data:,'),
        steps: document.querySelectorAll('.step').length,
      };
    })()`);
    expect(found).toEqual({ foreign: [], attributes: [], links: [], steps: hostileNames.length });
  });

  it('leaves a screenshot for people', async () => {
    const page = await open(driftHtml(mixed), { viewport: { width: 1200, height: 900 }, hash: '#2222222222' });
    const folder = process.env['SYNC_ARTIFACTS'] ?? tmpdir();
    await mkdir(folder, { recursive: true });
    const image = await page.screenshot({ path: join(folder, 'drift-html.png'), fullPage: true });
    expect(image.length).toBeGreaterThan(10_000);
  });
});
