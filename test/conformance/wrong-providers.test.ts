import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConformance } from '@platform-sync/kit/index';
import { libraryCases } from '../kit/library-cases.js';
import { LibraryService } from '../kit/library-service.js';
import { wrongProviders } from '../kit/wrong-providers.js';
import { partOf } from '../harness/part-of-table.js';

let service: LibraryService;
beforeAll(async () => {
  service = await LibraryService.start();
});
afterAll(() => service.close());

describe('a provider is caught that', () => {
  it.each(
    partOf(
      wrongProviders.flatMap((wrong) => wrong.types.map((type) => [wrong.name, type, wrong] as const)),
      3,
    ),
  )('%s (%s)', async (_, type, { walk, package: provider }) => {
    const problems = await checkConformance({
      ...{ package: provider(service.env), service, cases: libraryCases, types: [type] },
      stopAtFirst: walk === undefined,
      sleep: () => Promise.resolve(),
    });
    const told = problems.map((problem) => problem.walk);
    expect(told).toContain(walk ?? 'created');
    if (walk !== undefined) expect(told).not.toContain('created');
  });
});
