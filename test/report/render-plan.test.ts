import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { renderPlan, renderPlanReports } from '../../src/index.js';
import type { PlanFormat } from '../../src/index.js';
import { recordedPlan, reportsOf } from './golden-plans.js';

const files: readonly (readonly [PlanFormat, string])[] = [
  ['text', 'plan.txt'],
  ['markdown', 'plan.md'],
  ['html', 'plan.html'],
  ['sarif', 'plan.sarif'],
  ['gitlab', 'gitlab-code-quality.json'],
];

describe('rendering for programs', () => {
  // Descriptions in YAML need the parser that the command line loads, too.
  const plan = recordedPlan('specification-breaks-clients');

  it.each(files)('%s is what the command line makes', async (format, file) => {
    expect(await renderPlan(plan, format, { planFile: 'plan.json' })).toBe((await reportsOf(plan)).get(file));
  });

  it('gives all reports at once', async () => {
    expect(await renderPlanReports(plan, { planFile: 'plan.json' })).toEqual(await reportsOf(plan));
  });

  it('keeps to the length it is told', async () => {
    const long = recordedPlan('two-hundred-creates');
    expect((await renderPlan(long, 'markdown')).length).toBeGreaterThan(30_000);
    expect((await renderPlan(long, 'markdown', { maxCharacters: 30_000 })).length).toBeLessThanOrEqual(30_000);
  });

  it('costs a program that renders nothing no time: its parts are not loaded along with the library', async () => {
    const together = await loadedWith('src/index.ts');
    expect(together).toContain('src/report/text/plan.ts');
    const heavy = ['html.ts', 'markdown.ts', 'sarif.ts', 'gitlab.ts', 'github.ts', 'reports.ts'];
    expect(heavy.filter((name) => together.has(`src/report/${name}`))).toEqual([]);
  });
});

/** The modules that a file brings along by its own imports and theirs, the lazy ones left out. */
async function loadedWith(entry: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    outdir: 'dist',
    packages: 'external',
    logLevel: 'error',
  });
  const found = new Set([entry]);
  for (const file of found)
    for (const { path, kind } of metafile.inputs[file]?.imports ?? []) if (kind === 'import-statement') found.add(path);
  return found;
}
