import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPlace } from '../../src/providers/rest/rest-type.js';
import { types } from '../derived/all-types.js';
import { restOf } from '../derived/edit.js';

/** Top-level fields of each resource of the vendor's Terraform provider, by what its reference says that a change does. */
type Published = Readonly<
  Record<string, { readonly replaces: readonly string[]; readonly updates: readonly string[] }>
>;
const published = Object.entries(
  JSON.parse(readFileSync(new URL('published.json', import.meta.url), 'utf8')) as Published,
);

const plain = (name: string): string =>
  name
    .replace('~p~', 'platform')
    .replace('~v~', 'vendor')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
const byType = new Map(
  published.map(([name, { replaces, updates }]) => [
    plain(name),
    new Map<string, string>([
      ...updates.map((field) => [plain(field), 'update'] as const),
      ...replaces.map((field) => [plain(field), 'replace'] as const),
    ]),
  ]),
);

const compared = types.flatMap((type) => {
  const fields = byType.get(plain(type.name));
  return Object.values(type.fields).flatMap((rule) => {
    const there = fields?.get(plain(rule.name)) ?? fields?.get(plain(rule.name).replace(/id$/, ''));
    if (!rule.input || there === undefined) return [];
    const here = type.updatable && rule.onChange === 'update' ? 'update' : 'replace';
    return [{ name: `${type.name}.${rule.name}`, here, there, isPlace: isPlace(restOf(type), rule.name) }];
  });
});

describe('where a change replaces, beside what the vendor’s provider says', () => {
  it('is the same but for what stands in the path, which nothing moves from', () => {
    expect(compared.length).toBeGreaterThan(1_700);
    const different = compared.filter(({ here, there }) => here !== there);
    expect(different.filter(({ isPlace: place }) => !place).map(({ name }) => name)).toEqual([]);
    expect(new Set(different.map(({ here }) => here))).toEqual(new Set(['replace']));
    expect(different).toHaveLength(40);
  });
});
