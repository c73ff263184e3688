import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { planLines, retold, textWorlds, worldOf } from './text-world.js';

/** Catalogue, state and platform as facts, and the plan that is made of them. `UPDATE_WORLDS=1` records the plans. */

const folder = fileURLToPath(new URL('worlds', import.meta.url));

describe.each(readdirSync(folder).sort())('%s', (file) => {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (process.env['UPDATE_WORLDS'] === '1')
    writeFileSync(
      path,
      retold(text, ({ all }) => planLines(worldOf(all))),
    );
  const worlds = textWorlds(readFileSync(path, 'utf8'));

  it.each(worlds.map((world) => [`${world.title}: ${world.name}`, world] as const))('%s', (_name, { all, plan }) => {
    expect(planLines(worldOf(all))).toEqual(plan);
  });

  it('names each world once', () => {
    const names = worlds.map(({ title, name }) => `${title} ${name}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
