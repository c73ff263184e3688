import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { leftOut } from '../../harness/left-out.js';
import type { World } from '../../harness/world.js';

/** Specifications of others, as they are published; none of them is kept here. */
const folder = join(process.env['SPEC_CASES'] ?? '', 'descriptions');
const isThere = process.env['SPEC_CASES'] !== undefined && existsSync(folder);
const reason = isThere
  ? ''
  : leftOut(
      'test/engine/specification/public-specifications.test.ts',
      'SPEC_CASES is not set, or names a folder without `descriptions/*.{yaml,yml,json}`.',
    );

let world: World;
freshWorlds((made) => (world = made));

const keyOf = (file: string): string => basename(file, extname(file));
const steps = (plan: Plan): readonly string[] => plan.steps.map(({ action, address }) => `${action} ${address}`).sort();

/** A member more below `info`. */
function edited(text: string): string {
  const found = /^\s*\{/.test(text)
    ? text.replace(/("info"\s*:\s*\{)/, '$1"x-edited": true,')
    : text.replace(/^(info:[^\n]*\n)( +)/m, '$1$2x-edited: true\n$2');
  expect(found).not.toBe(text);
  return found;
}

describe.runIf(isThere)(`public specifications as a source${reason}`, () => {
  it('are applied and planned empty, and an edit is a plan of exactly that', async () => {
    const files = readdirSync(folder).filter((name) => /\.(?:ya?ml|json)$/.test(name));
    const texts = new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    let allowed: readonly string[] = [];
    const write = (of: (name: string, text: string) => string): Promise<void> =>
      world.write({
        'catalogue/all.yaml': {
          sources: { specs: 'platform:Api' },
          resources: Object.fromEntries(
            allowed.map((key) => [key, { children: { version: { options: { allowBrokenSpecification: true } } } }]),
          ),
        },
        ...Object.fromEntries([...texts].map(([name, text]) => [`catalogue/specs/${name}`, of(name, text)])),
      });
    await write((_, text) => text);
    const { diagnostics } = await world.open((project) => project.validate());
    // What others publish is not always valid; each is told at its place, and published on demand.
    const broken = diagnostics.filter(({ severity }) => severity === 'error');
    for (const { code, place, address, summary } of broken) {
      process.stderr.write(`${summary}\n`);
      expect([code, address, place?.file], JSON.stringify(place)).toEqual([
        expect.stringMatching(/^(?:invalid-specification|dangling-reference)$/),
        expect.any(String),
        expect.stringMatching(/^catalogue\/specs\//),
      ]);
    }
    allowed = [...new Set(broken.map(({ address = '' }) => address.replace(/\/version$/, '')))];
    process.stderr.write(`Specifications: ${String(files.length)}, not valid: ${allowed.join(', ')}\n`);
    await write((_, text) => text);
    await world.apply();
    expect(steps(await world.plan({ refresh: 'full' }))).toEqual([]);

    const bySize = files.toSorted((a, b) => (texts.get(a) ?? '').length - (texts.get(b) ?? '').length);
    for (const one of [bySize[0] ?? '', bySize.at(-1) ?? '']) {
      await write((name, text) => (name === one ? edited(text) : text));
      expect(steps(await world.plan())).toEqual([`update ${keyOf(one)}/version`]);
    }
    await write((_, text) => edited(text));
    const wanted = files.map((name) => `update ${keyOf(name)}/version`);
    expect(steps(await world.plan())).toEqual(wanted.sort());
    await world.apply();
    expect(steps(await world.plan())).toEqual([]);
  });
});
