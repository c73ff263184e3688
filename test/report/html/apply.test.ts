import { describe, expect, it } from 'vitest';
import { outcome, place } from '../outcome-builder.js';
import { applyHtml } from '../forms.js';

const line = `${place.links?.files ?? ''}apis/shop/catalogue/my%20pets%20%281%29.yaml#L4`;

describe('the page of an apply', () => {
  it('names what blocks it, and the words that lift that', () => {
    const page = applyHtml(outcome('blocked'), place);
    for (const part of ['delete:pets', 'pets is protected and would be deleted', '--allow delete:pets'])
      expect(page).toContain(part);
  });

  it('leads to the line of what failed, named from the root of the repository', () => {
    expect(applyHtml(outcome('failed'), place)).toContain(
      `<a href="${line}">apis/shop/catalogue/my pets (1).yaml:4:7</a>`,
    );
  });

  it('shows the outputs of what was applied, and no others', () => {
    expect(applyHtml(outcome('done'), place)).toContain('https://shop.example');
    expect(applyHtml(outcome('stale'), place)).not.toContain('https://shop.example');
  });
});
