import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compared } from '@platform-sync/report/view/compared';
import { PlanViews } from '@platform-sync/report/view/plan-views';
import { field, plan, step } from '../plan-builder.js';
import { planHtml } from '../forms.js';

describe('the page', () => {
  it('allows its own style and script alone, by their digests', () => {
    const html = planHtml(plan());
    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ]) {
      const source = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? '';
      const digest = createHash('sha256').update(source).digest('base64');
      expect(html).toContain(`; ${directive} 'sha256-${digest}'`);
    }
    expect(html).toContain(`content="default-src 'none';`);
  });

  it('is never cut: a text of 3,000 lines and a value of 100,000 characters are whole', () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `line ${at}`).join('\n');
    const steps = [
      step({ address: 'a', action: 'create', fields: [field('content', { new: lines })] }),
      step({
        address: 'b',
        action: 'update',
        fields: [field('labels', { old: { x: 'y' }, new: { x: 'z'.repeat(100_000) } })],
      }),
    ];
    const html = planHtml(plan({ steps }));
    expect(html).toContain('+line 2999\n');
    expect(html).toContain('z'.repeat(100_000));
  });

  it('has an address as the id of its change, unless it would not do as one', () => {
    const steps = ['pets/guide', 'two words', 'ui:list'].map((address) => step({ address, action: 'create' }));
    const html = planHtml(plan({ steps }));
    expect([...html.matchAll(/<div id="([^"]*)" class="step[^"]*"/g)].map((match) => match[1])).toEqual([
      'pets/guide',
      'step:1',
      'step:2',
    ]);
  });

  it('stands each change below what it lives in, or goes with, however the plan orders them', () => {
    const along = ['pets/c', 'pets/b', 'pets/a'].map((address) =>
      step({ address, action: 'delete', risks: [{ kind: 'deletes' }] }),
    );
    const steps = [
      step({ address: 'shop/page', action: 'create' }),
      ...along,
      step({ address: 'pets', action: 'delete', risks: [{ kind: 'deletes' }] }),
      step({ address: 'shop', action: 'update' }),
    ];
    const html = planHtml(plan({ steps }));
    expect(
      [...html.matchAll(/<div id="([^"]*)" class="step( d1)?"/g)].map((match) => `${match[1]}${match[2] ?? ''}`),
    ).toEqual(['pets', 'pets/c d1', 'pets/b d1', 'pets/a d1', 'shop', 'shop/page d1']);
  });
});

describe('views of fields', () => {
  it('are made once for all reports of a plan', () => {
    let reads = 0;
    const read = (): undefined => {
      reads += 1;
    };
    const changed = step({ address: 'a', action: 'update', fields: [field('content', { old: 'a\n', new: 'b\n' })] });
    const views = new PlanViews(plan({ steps: [changed] }), read, compared);
    expect(views.fields(changed)).toBe(views.fields(changed));
    expect(reads).toBe(2);
  });
});
