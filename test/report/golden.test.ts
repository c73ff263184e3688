import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { planNames, plansFolder, recordedPlan, reportsOf } from './golden-plans.js';

const folder = `${plansFolder}expected/`;
const isUpdating = process.env['SYNC_UPDATE_GOLDENS'] === '1';

/** The page's style, signs and script are the same on every page, and their digests follow from them. */
function comparable(file: string, text: string): string {
  if (!file.endsWith('.html')) return text;
  return text
    .replace(/<style>[\s\S]*?<\/style>/, '<style>…</style>')
    .replace(/<script>[\s\S]*?<\/script>/, '<script>…</script>')
    .replace(/<svg width="0"[\s\S]*?<\/svg>/, '<svg>…</svg>')
    .replace(/'sha256-[^']*'/g, "'sha256-…'");
}

/** `first-run.md`, `first-run.github-summary.md` */
function goldenName(plan: string, report: string): string {
  return `${plan}.${report.replace(/^plan\./, '')}`;
}

if (isUpdating) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

describe('reports of recorded plans', () => {
  it('there are at least forty plans', () => {
    expect(planNames.length).toBeGreaterThanOrEqual(40);
  });

  it.each(planNames)('%s', async (name) => {
    for (const [report, text] of await reportsOf(recordedPlan(name))) {
      const file = goldenName(name, report);
      const made = comparable(report, text);
      if (isUpdating) writeFileSync(`${folder}${file}`, made);
      expect(existsSync(`${folder}${file}`), `${file} is not recorded: run with SYNC_UPDATE_GOLDENS=1`).toBe(true);
      expect(made, file).toBe(readFileSync(`${folder}${file}`, 'utf8'));
    }
  });

  it('no recorded report is left of a plan or format that is gone', async () => {
    const [first = ''] = planNames;
    const reports = [...(await reportsOf(recordedPlan(first))).keys()];
    const wanted = planNames.flatMap((name) => reports.map((report) => goldenName(name, report)));
    expect(globSync('*', { cwd: folder }).sort()).toEqual(wanted.sort());
  });
});
