import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { load } from 'js-yaml';
import { documentText, shapeOf, sizeOf, writeProject, type ProjectOptions, type Shape } from '../../bench/catalogue.js';
import { quickNodes } from '@platform-sync/catalogue/read/js-yaml-events';

interface Resource {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly children?: Readonly<Record<string, Resource>>;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-bench-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** All resources of a written catalogue, by address, as JSON text of their properties. */
async function resources(shape: Shape, options?: ProjectOptions): Promise<Map<string, string>> {
  await writeProject(folder, shape, options);
  const found = new Map<string, string>();
  const add = (prefix: string, all: Readonly<Record<string, Resource>>): void => {
    for (const [key, { properties, children }] of Object.entries(all)) {
      found.set(prefix + key, JSON.stringify(properties));
      if (children !== undefined) add(`${prefix}${key}/`, children);
    }
  };
  for (const name of readdirSync(join(folder, 'catalogue'))) {
    const file = load(readFileSync(join(folder, 'catalogue', name), 'utf8')) as {
      resources: Record<string, Resource>;
    };
    add('', file.resources);
  }
  return found;
}

function changedBetween(before: Map<string, string>, after: Map<string, string>): readonly string[] {
  return [...after].filter(([address, text]) => before.get(address) !== text).map(([address]) => address);
}

describe('a measured catalogue', () => {
  test.each([5, 100, 1000, 5000])('of %d resources has so many', async (size) => {
    expect(sizeOf(shapeOf(size))).toBe(size);
    expect((await resources(shapeOf(size))).size).toBe(size);
  });

  test('has one percent changed when some is, everything when all is', async () => {
    const shape = shapeOf(1000);
    const first = await resources(shape);
    expect(changedBetween(first, await resources(shape, { edit: 'some' }))).toHaveLength(10);
    expect(changedBetween(first, await resources(shape, { edit: 'all' }))).toHaveLength(1000);
  });

  test('leaves nothing of a larger one behind', async () => {
    await resources(shapeOf(5000));
    expect((await resources(shapeOf(100))).size).toBe(100);
  });

  test('has a tag in every API when asked to, and is read without doubt', async () => {
    await writeProject(folder, shapeOf(100), { apisPerFile: Infinity, tags: true });
    const text = readFileSync(join(folder, 'catalogue', 'apis-0.yaml'), 'utf8');
    for (const tag of ['!file', '!env', '!secret', '!json']) expect(text.split(tag)).toHaveLength(21);
    expect(quickNodes(text)).toBeDefined();
  });

  test('fits one file when asked to', async () => {
    await writeProject(folder, shapeOf(5000), { apisPerFile: Infinity });
    expect(readdirSync(join(folder, 'catalogue'))).toEqual(['apis-0.yaml']);
  });
});

test('documents have about the asked length, in lines that fit a page, and differ', () => {
  const text = documentText(3, 1, 8192);
  expect(text.length).toBeGreaterThan(8000);
  expect(text.length).toBeLessThanOrEqual(8192);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
  expect(text.split('\n').every((line) => line.trim() !== '')).toBe(true);
  expect(documentText(3, 2, 8192)).not.toBe(text);
});
