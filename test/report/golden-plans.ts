import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import type { Plan } from '@platform-sync/core/model/plan';
import { parsePlan } from '@platform-sync/engine/plan/saved-plan';
import { planReports } from '@platform-sync/report/reports';
import { structuredReader } from '@platform-sync/report/diff/structured-text';

/** Where the recorded plans are; `scripts/golden-plans.ts` makes them. */
export const plansFolder = fileURLToPath(new URL('../../fixtures/plans/', import.meta.url));

/** Names of the recorded plans. */
export const planNames = globSync('*.json', { cwd: plansFolder })
  .map((file) => file.replace(/\.json$/, ''))
  .sort();

export function recordedPlan(name: string): Plan {
  const found = parsePlan(readFileSync(`${plansFolder}${name}.json`, 'utf8'));
  if (!('plan' in found)) throw new Error(`${name}: ${found.diagnostic.summary}`);
  return found.plan;
}

/** All reports of a plan as the command line makes them: descriptions in YAML are read, too. */
export async function reportsOf(plan: Plan): Promise<ReadonlyMap<string, string>> {
  return planReports(plan, { read: await structuredReader(plan), planFile: 'plan.json' });
}
