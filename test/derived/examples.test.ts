import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { example, types } from '../report/example-text.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-example-'));
  await mkdir(join(folder, 'catalogue'));
  await writeFile(join(folder, 'sync.yaml'), 'project: test\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function problems(text: string): Promise<readonly string[]> {
  await writeFile(join(folder, 'catalogue/a.yaml'), text);
  const options = { cwd: folder, env: {}, purpose: 'validate', packages: providerPackages, isOffline: true } as const;
  const { project, diagnostics } = await openProject(options);
  if (project === undefined) return diagnostics.map(({ summary }) => summary);
  const found = await project.validate();
  await project.close();
  return found.diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
}

/** A text with some of its optional lines made real ones. */
function uncommented(text: string, names: ReadonlySet<string>): string {
  return text.replace(/^( +)# (\w+): /gm, (line, indent: string, name: string) =>
    names.has(name) ? `${indent}${name}: ` : line,
  );
}

describe('a block to start from', () => {
  it.each(types.map((type) => [type.shortToken, type] as const))(
    'of %s is right with any of its optional lines, and with all',
    async (_, type) => {
      const text = await example(type);
      const inputs = Object.values(type.fields).filter((rule) => rule.input);
      const optional = inputs.map(({ name }) => name).filter((name) => text.includes(`# ${name}: `));
      for (const names of [...optional.map((name) => [name]), optional])
        expect([names.length === 1 ? names : 'all', ...(await problems(uncommented(text, new Set(names))))]).toEqual([
          names.length === 1 ? names : 'all',
        ]);
    },
    60_000,
  );

  it.each(types.map((type) => [type.shortToken, type] as const))('of %s is right as it stands', async (_, type) => {
    const text = await example(type);
    expect(await problems(text)).toEqual([]);
    const inputs = Object.values(type.fields).filter((rule) => rule.input);
    for (const { name } of inputs.filter(({ name: each }) => !text.includes(`${each}:`)))
      expect(type.nesting.some(({ field, inherits }) => [field, ...inherits].includes(name))).toBe(true);
  });
});
