import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConformance } from '../../src/kit/index.js';
import { definitions } from '../../scripts/generate/definitions.js';
import { startSandbox } from '../../src/sandbox/server.js';
import type { RunningSandbox } from '../../src/sandbox/server.js';
import { mutantsOf, sample } from './mutants.js';
import type { Mutant } from './mutants.js';
import { platformCases } from './platform-cases.js';
import { platformWith, sandboxService } from './platform.js';

/** `npm run soak` tries more. */
const count = Number(process.env['SYNC_DEFINITION_MUTANTS'] ?? 20);
const seed = Number(process.env['SYNC_DEFINITION_SEED'] ?? 1);

let sandbox: RunningSandbox;
beforeAll(async () => {
  // An order that changes gives away lists that are none.
  sandbox = await startSandbox({ quiet: true, shuffle: 1 });
});
afterAll(() => sandbox.close());

async function problemsOf({ definition }: Mutant): Promise<number> {
  try {
    const provider = platformWith(definitions.map((each) => (each.name === definition.name ? definition : each)));
    const problems = await checkConformance({
      package: provider,
      service: sandboxService(sandbox),
      cases: platformCases,
      types: [`platform:${definition.name}`],
      stopAtFirst: true,
    });
    return problems.length;
  } catch {
    // A definition that contradicts itself makes no package.
    return 1;
  }
}

describe('definitions as they are', () => {
  it.each(platformCases)('$type keeps to what the service says', async ({ type }) => {
    const service = sandboxService(sandbox);
    expect(
      await checkConformance({ package: platformWith(definitions), service, cases: platformCases, types: [type] }),
    ).toEqual([]);
  });
});

describe('damaged definitions', () => {
  it(`are caught: at least 95 % of ${count}`, { timeout: 24 * 3_600_000 }, async () => {
    const all = definitions.flatMap(mutantsOf);
    const tried = sample(all, count, seed);
    const missed: string[] = [];
    for (const mutant of tried) if ((await problemsOf(mutant)) === 0) missed.push(mutant.damage);
    expect(missed.length, `missed of ${tried.length}:\n${missed.join('\n')}`).toBeLessThanOrEqual(
      Math.floor(tried.length * 0.05),
    );
  });
});
