import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../../bench/catalogue.js';
import { configuration } from '../../../bench/terraform/configuration.js';

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

describe('the catalogue in Terraform’s words', () => {
  test('has a block for every resource, documents with a reference', () => {
    const text = configuration('catalogue', shapeOf(100));
    expect(count(text, /^resource "terraform_data" "/gm)).toBe(100);
    expect(count(text, /apiId {3}= terraform_data\.api\d+\.id$/gm)).toBe(80);
    expect(new Set(text.match(/^resource .*$/gm)).size).toBe(100);
  });

  test('or one block that counts to as many', () => {
    const text = configuration('counted', shapeOf(100));
    expect(count(text, /^resource /gm)).toBe(1);
    expect(text).toContain('count = 100');
  });

  test('names the server of its state, when it has one', () => {
    expect(configuration('counted', shapeOf(5))).not.toContain('backend');
    const text = configuration('counted', shapeOf(5), 'http://127.0.0.1:1/state');
    expect(count(text, /(?:lock_|unlock_)?address\s+= "http:\/\/127\.0\.0\.1:1\/state"/g)).toBe(3);
  });
});
