import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordedPlan, reportsOf } from '../report/golden-plans.js';
import { hostileNames, hostilePlan } from '../report/hostile-plan.js';
import { field, plan, step } from '../report/plan-builder.js';
import { browserReason, chromiumPath } from './chromium.js';
import { axeSource, inBrowser, shown, soon } from './report-page.js';
import { planHtml } from '../report/forms.js';

const mixed = plan({
  steps: [
    step({ address: 'pets', action: 'update', fields: [field('description', { old: 'Cats', new: 'Dogs' })] }),
    step({
      address: 'pets/guide',
      type: 'platform:index/apiDocument:ApiDocument',
      action: 'update',
      dependsOn: ['pets'],
      fields: [field('content', { old: `${'same\n'.repeat(5)}before\n`, new: `${'same\n'.repeat(5)}after\n` })],
    }),
    step({ address: 'old', action: 'delete', risks: [{ kind: 'deletes' }] }),
    step({ address: 'shop', action: 'create', fields: [field('name', { new: 'Shop' })], dependsOn: ['pets'] }),
  ],
});

describe.runIf(chromiumPath !== undefined)(`the HTML report in a browser${browserReason}`, () => {
  const { open } = inBrowser();

  it('lists every change, all closed', async () => {
    const page = await open(planHtml(mixed));
    expect(await shown(page)).toEqual(['pets', 'pets/guide', 'old', 'shop']);
    expect(await page.locator('.step details[open]').count()).toBe(0);
    expect(await page.title()).toBe('Plan for payments, stack default');
  });

  it('filters by action, type, text and danger, says how many are left, and Escape shows all again', async () => {
    const page = await open(planHtml(mixed));
    const count = page.getByText(/of 4 shown/);
    await page.getByRole('checkbox', { name: 'create (1)' }).uncheck();
    await soon(() => shown(page)).toEqual(['pets', 'pets/guide', 'old']);
    expect(await count.textContent()).toBe('3 of 4 shown');
    await page.getByLabel('Type').selectOption('platform:ApiDocument');
    await soon(() => shown(page)).toEqual(['pets/guide']);
    await page.getByLabel('Text').focus();
    await page.keyboard.press('Escape');
    await soon(() => shown(page)).toHaveLength(4);
    await page.getByLabel('Text').fill('AFTER same');
    await soon(() => shown(page)).toEqual(['pets/guide']);
    await page.getByLabel('Text').fill('');
    await page.getByRole('checkbox', { name: 'only what can hurt' }).check();
    await soon(() => shown(page)).toEqual(['old']);
  });

  it('is used by keyboard alone: arrows move between what is shown, Enter opens', async () => {
    const page = await open(planHtml(mixed));
    const focused = (): Promise<unknown> => page.evaluate("document.activeElement.closest('.step')?.id");
    await page.getByRole('checkbox', { name: 'delete (1)' }).uncheck();
    await soon(() => shown(page)).toHaveLength(3);
    await page.locator('.step summary').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('shop');
    await page.keyboard.press('Home');
    expect(await focused()).toBe('pets');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('pets/guide');
    await page.keyboard.press('Enter');
    await soon(() => page.locator('.step details[open]').count()).toBe(1);
  });

  it('shows a text as hunks with its removed and added lines', async () => {
    const page = await open(planHtml(mixed));
    await page.locator('.step summary').nth(1).click();
    const diff = page.locator('.step:nth-child(2) pre.diff');
    expect(await diff.locator('.del').textContent()).toBe('-before\n');
    expect(await diff.locator('.add').textContent()).toBe('+after\n');
    expect(await diff.locator('.hunk').textContent()).toBe('@@ -3,4 +3,4 @@');
  });

  it('opens the change that the URL names, also when a filter hides it', async () => {
    const page = await open(planHtml(mixed), { hash: '#pets/guide' });
    expect(await page.locator('.step details[open]').count()).toBe(1);
    await page.getByRole('checkbox', { name: 'delete (1)' }).uncheck();
    await soon(() => shown(page)).toHaveLength(3);
    await page.locator('#ui\\:danger a').click();
    await soon(() => shown(page)).toHaveLength(4);
    expect(await page.locator('[id="old"] details[open]').count()).toBe(1);
  });

  it('is open where there is little to read, and leads from what can hurt to the change', async () => {
    const few = plan({ steps: mixed.steps.slice(1, 4) });
    const page = await open(planHtml(few));
    expect(await page.locator('.step details[open]').count()).toBe(3);
    // By the keyboard: a busy browser may lose a click.
    await page.locator('#ui\\:danger a').press('Enter');
    await soon(() => page.evaluate('location.hash')).toBe('#old');
  });

  it('copies a command, and says so', async () => {
    const page = await open(planHtml(mixed));
    await page.getByRole('button', { name: 'Copy' }).press('Enter');
    await soon(() => page.locator('.copy button').textContent()).toMatch(/^(Copied|Selected)$/);
    expect(await page.evaluate('getSelection().toString()')).toBe('sync apply');
  });

  it.each([
    ['every hostile name', () => planHtml(hostilePlan)],
    ['four changes', () => planHtml(mixed)],
  ])('fits 390 pixels, opened and whole: %s', async (_name, html) => {
    const page = await open(html(), { viewport: { width: 390, height: 800 } });
    await page.evaluate("document.querySelectorAll('details').forEach((item) => { item.open = true; })");
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBeLessThanOrEqual(0);
  });

  it.each(['light', 'dark'] as const)('has no finding of axe in %s', async (colorScheme) => {
    const html = (await reportsOf(recordedPlan('specification-breaks-clients'))).get('plan.html') ?? '';
    // The policy of the page would keep axe out, which is the point of it.
    const page = await open(html, { colorScheme, bypassCSP: true });
    await page.evaluate("document.querySelectorAll('details').forEach((item) => { item.open = true; })");
    await page.evaluate(axeSource);
    const violations = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`))",
    );
    expect(violations).toEqual([]);
  });

  it('is dark where the reader prefers that, and remembers another choice', async () => {
    const page = await open(planHtml(mixed), { colorScheme: 'dark' });
    const background = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(1, 4, 9)');
    await page.getByRole('button', { name: 'Colours: auto' }).click();
    expect(await background()).toBe('rgb(246, 248, 250)');
    // The browser writes down what it is to remember when it likes.
    const afterReload = async (): Promise<unknown> => {
      await page.reload();
      return background();
    };
    await expect.poll(afterReload).toBe('rgb(246, 248, 250)');
  });

  it('prints every change opened, without the filters', async () => {
    const page = await open(planHtml(mixed));
    await page.emulateMedia({ media: 'print' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('.step details[open]').count()).toBe(4);
    expect(await page.locator('.filters').isVisible()).toBe(false);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator('.step details[open]').count()).toBe(0);
  });

  it('reads without a script, too', async () => {
    const page = await open(planHtml(mixed), { javaScriptEnabled: false });
    await page.locator('.step summary').first().click();
    expect(await page.locator('.step details[open]').count()).toBe(1);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('shows hostile names as text: no element, attribute or script comes out of them', async () => {
    const page = await open(planHtml(hostilePlan));
    const found = await page.evaluate(`(() => {
      const all = [...document.querySelectorAll('*')];
      return {
        elements: [...new Set(all.map((item) => item.localName))].sort(),
        attributes: [...new Set(all.flatMap((item) => item.getAttributeNames()))].filter((name) => name.startsWith('on') || name === 'style'),
        links: [...new Set([...document.querySelectorAll('[href], [src], [action]')].map((item) => item.getAttribute('href') ?? item.getAttribute('src') ?? item.getAttribute('action')).filter((target) => !target.startsWith('#') && target !== 'data:,'))],
        headings: [...document.querySelectorAll('h1, h2')].map((item) => item.textContent),
        steps: document.querySelectorAll('.step').length,
        repeatedIds: [...document.querySelectorAll('[id]')].map((item) => item.id).filter((id, at, ids) => ids.indexOf(id) !== at),
        comments: document.createNodeIterator(document, NodeFilter.SHOW_COMMENT).nextNode() !== null,
      };
    })()`);
    expect(found).toMatchObject({
      attributes: [],
      links: [],
      comments: false,
      repeatedIds: [],
      steps: hostileNames.length,
    });
    const { elements, headings } = found as { elements: readonly string[]; headings: readonly string[] };
    const foreign = [
      'iframe',
      'img',
      'object',
      'embed',
      'video',
      'math',
      'plaintext',
      'template',
      'noscript',
      'marquee',
      'base',
    ];
    expect(elements.filter((name) => foreign.includes(name))).toEqual([]);
    expect(headings).not.toContain('Approved');
  });

  it('opens 5,000 changes as a list of lines, all closed and not laid out before they are seen, and filters them', async () => {
    const steps = Array.from({ length: 5000 }, (_, at) =>
      step({
        address: `api-${at}/guide`,
        action: at % 2 === 0 ? 'update' : 'create',
        fields: [
          field('title', { ...(at % 2 === 0 ? { old: 'Before' } : {}), new: `Title ${at}` }),
          field('content', {
            ...(at % 2 === 0 ? { old: 'line\n'.repeat(40) } : {}),
            new: `${'line\n'.repeat(20)}x\n${'line\n'.repeat(20)}`,
          }),
        ],
      }),
    );
    const html = planHtml(plan({ steps }));
    const page = await open(html);
    // What opening costs, in things that a busy machine does not change.
    const [elements, laidOut] = (await page.evaluate(
      "[document.querySelectorAll('.step, .step *').length, [...document.querySelectorAll('.step > *')].filter((item) => item.checkVisibility({ contentVisibilityAuto: true })).length]",
    )) as [number, number];
    expect(elements).toBeLessThan(5000 * 30);
    expect(laidOut).toBeLessThan(250);
    expect(await page.getByText('5000 of 5000 shown').isVisible()).toBe(true);
    await page.getByLabel('Text').fill('api-4711/');
    await soon(() => shown(page)).toEqual(['api-4711/guide']);
  });

  it.each(['light', 'dark'] as const)('leaves a screenshot for people, in %s', async (colorScheme) => {
    const html = (await reportsOf(recordedPlan('specification-breaks-clients'))).get('plan.html') ?? '';
    const page = await open(html, { viewport: { width: 1200, height: 900 }, colorScheme });
    const folder = process.env['SYNC_ARTIFACTS'] ?? tmpdir();
    await mkdir(folder, { recursive: true });
    const image = await page.screenshot({ path: join(folder, `plan-html-${colorScheme}.png`), fullPage: true });
    expect(image.length).toBeGreaterThan(10_000);
  });
});
