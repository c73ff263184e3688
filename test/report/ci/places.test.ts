import { describe, expect, it } from 'vitest';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import { driftDocument } from '@platform-sync/report/document/drift';
import { documentHtml } from '@platform-sync/report/html/document';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { planReports } from '@platform-sync/report/reports';
import { driftResult, finding } from '../drift-builder.js';
import { field, plan, step } from '../plan-builder.js';

/** A project that is a folder of a repository: what tools and readers are pointed at is named from the root. */
const at: ReviewPlace = {
  folder: 'apis/shop',
  commit: 'c'.repeat(40),
  links: { files: 'https://git.example.com/acme/all/blob/c/', run: 'https://ci.example.com/1' },
};
const shown = plan({
  steps: [
    step({
      address: 'pets/guide',
      action: 'update',
      fields: [field('status', { old: 'published', new: 'unpublished' })],
      risks: [{ kind: 'unpublishes' }],
    }),
  ],
  meta: {
    ...plan().meta,
    sources: { 'pets/guide': 'catalogue/my pets.yaml:12:5' },
    fieldSources: { 'pets/guide': { status: 'catalogue/my pets.yaml:14:9' } },
  },
});

describe('the places of a plan in a repository of many projects', () => {
  const reports = planReports(shown, { at });
  it.each([
    ['plan.sarif', '"uri":"apis/shop/catalogue/my%20pets.yaml"'],
    ['gitlab-code-quality.json', '"path":"apis/shop/catalogue/my pets.yaml"'],
    ['github-annotations.txt', 'file=apis/shop/catalogue/my pets.yaml'],
    ['plan.md', '(https://git.example.com/acme/all/blob/c/apis/shop/catalogue/my%20pets.yaml#L12)'],
    ['plan.html', 'href="https://git.example.com/acme/all/blob/c/apis/shop/catalogue/my%20pets.yaml#L12"'],
  ])('%s', (name, expected) => {
    const text = reports.get(name) ?? '';
    expect(name.endsWith('on') || name.endsWith('sarif') ? JSON.stringify(JSON.parse(text)) : text).toContain(expected);
    // No place of the project's own is left over.
    expect(text.replaceAll('apis/shop/catalogue', '')).not.toContain('catalogue/my');
  });

  it('come with the commit and the run on the page', () => {
    expect(reports.get('plan.html')).toContain('<a href="https://ci.example.com/1">log of the run</a>');
  });

  it('stand alone where nothing is known of a platform', () => {
    const alone = planReports(shown);
    expect(alone.get('plan.html')).toContain('<span class="where">catalogue/my pets.yaml:12:5</span>');
    expect(alone.get('plan.md')).not.toContain('](');
  });

  it('of a drift check lead to their lines', () => {
    const checked = driftResult({ status: 'drift', findings: [finding()] });
    const line = 'https://git.example.com/acme/all/blob/c/apis/shop/catalogue/pets.yaml#L4';
    expect(documentHtml(driftDocument(checked), at)).toContain(`href="${line}"`);
    expect(driftMarkdown(checked, { at })).toContain(`(${line})`);
  });
});
