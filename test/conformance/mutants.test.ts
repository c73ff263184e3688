import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factProblems } from '@platform-sync/kit/conformance';
import { checkConformance, type ConformanceOptions, type TypeDefinition } from '@platform-sync/kit/index';
import { definitions } from '../../scripts/generate/definitions.js';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { libraryCases } from '../kit/library-cases.js';
import { libraryDefinitions, libraryPackage } from '../kit/library-provider.js';
import { LibraryService } from '../kit/library-service.js';
import { mutantsOf, sample, type Mutant } from '../kit/mutants.js';
import { platformCases } from '../kit/platform-cases.js';
import { platformWith, sandboxService } from '../kit/platform.js';

/** `npm run soak` tries more. */
const count = Number(process.env['SYNC_DEFINITION_MUTANTS'] ?? 24);
const seed = Number(process.env['SYNC_DEFINITION_SEED'] ?? 1);

/** `test/conformance` walks every type anyway; where many are damaged, all are known to be right first. */
const few = ['platform:ApiImplementation', 'platform:PortalCustomDomain'];
const intact = count > 100 ? platformCases : platformCases.filter(({ type }) => few.includes(type));

let sandbox: RunningSandbox;
let library: LibraryService;
beforeAll(async () => {
  // An order that changes gives away lists that are none.
  sandbox = await startSandbox({ quiet: true, shuffle: 1 });
  library = await LibraryService.start();
});
afterAll(() => Promise.all([sandbox.close(), library.close()]));

/** Both services know at once what they were told. */
const sleep = (): Promise<void> => Promise.resolve();

/** Definitions, and the service they are held against. */
interface Subject {
  readonly provider: string;
  readonly definitions: readonly TypeDefinition[];
  readonly with: (all: readonly TypeDefinition[]) => Omit<ConformanceOptions, 'types'>;
}

const subjects: readonly Subject[] = [
  {
    provider: 'platform',
    definitions,
    with: (all) => ({ package: platformWith(all), service: sandboxService(sandbox), cases: platformCases }),
  },
  {
    provider: 'library',
    definitions: libraryDefinitions,
    with: (all) => ({ package: libraryPackage(all), service: library, cases: libraryCases }),
  },
];

async function problemsOf({ provider, definitions: all, with: options }: Subject, mutant: Mutant): Promise<number> {
  const { definition } = mutant;
  try {
    const problems = await checkConformance({
      ...options(all.map((each) => (each.name === definition.name ? definition : each))),
      types: [`${provider}:${definition.name}`],
      stopAtFirst: true,
      sleep,
    });
    return problems.length;
  } catch {
    // A definition that contradicts itself makes no package.
    return 1;
  }
}

describe('definitions as they are', () => {
  it('say what the service is known to do, where no walk shows it', () => {
    const provider = platformWith(definitions);
    const types = new Map([...provider.types.values()].map((type) => [type.shortToken, type]));
    const problems = platformCases.flatMap((row) => {
      const type = types.get(row.type);
      if (type === undefined) throw new Error(row.type);
      return factProblems(row, type, { cases: platformCases, package: provider });
    });
    expect(problems).toEqual([]);
  });

  it.each(intact)('$type keeps to what the service says', async ({ type }) => {
    const service = sandboxService(sandbox);
    const options = { package: platformWith(definitions), service, cases: platformCases, types: [type], sleep };
    expect(await checkConformance(options)).toEqual([]);
  });
});

describe('damaged definitions', () => {
  it(`are caught: of ${count}, all but one in twenty`, { timeout: 24 * 3_600_000 }, async () => {
    const all = subjects.flatMap((subject) =>
      subject.definitions.flatMap(mutantsOf).map((mutant) => ({ subject, mutant })),
    );
    const tried = sample(all, count, seed);
    const missed: string[] = [];
    for (const { subject, mutant } of tried) if ((await problemsOf(subject, mutant)) === 0) missed.push(mutant.damage);
    if (count > 100)
      process.stdout.write(
        `${tried.length - missed.length} of ${tried.length} caught; missed:\n${missed.join('\n')}\n`,
      );
    expect(missed.length, `missed of ${tried.length}:\n${missed.join('\n')}`).toBeLessThanOrEqual(
      // A small sample may hold one of those that a thousand may hold fifty of.
      Math.ceil(tried.length * 0.05),
    );
  });
});
