import { defined } from '@platform-sync/core/model/defined';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { ConformanceCase, ConformanceOptions, ConformanceProblem } from './conformance-row.js';
import { factProblems } from './facts.js';
import { TrialProject, Unlike } from './trial-project.js';
import { walksOf } from './conformance-walks.js';

/**
 * Takes objects of every type through their lives on a real or pretended service, and tells what is otherwise than the
 * rows say: nothing, for a provider that is right. The service must be there for nobody else.
 */
export async function checkConformance(options: ConformanceOptions): Promise<readonly ConformanceProblem[]> {
  const problems: ConformanceProblem[] = [];
  const isEnough = (): boolean => options.stopAtFirst === true && problems.length > 0;
  for (const row of options.cases.filter(({ type }) => options.types?.includes(type) !== false)) {
    const type = typeOf(options, row);
    if (type === undefined) problems.push({ type: row.type, walk: 'facts', message: 'there is no such type' });
    else {
      problems.push(...factProblems(row, type, options));
      if (!isEnough()) await walk(options, row, type, problems, isEnough);
    }
    if (isEnough()) break;
  }
  return problems;
}

async function walk(
  { package: provider, service, cases, sleep }: ConformanceOptions,
  row: ConformanceCase,
  type: ResourceType,
  problems: ConformanceProblem[],
  isEnough: () => boolean,
): Promise<void> {
  for (const { name, field, go } of walksOf(row, cases)) {
    if (isEnough()) return;
    await service.reset();
    const trial = new TrialProject(provider, service.env, sleep);
    try {
      await go({ trial, service, type });
      const [strayed] = service.elsewhere?.() ?? [];
      if (strayed !== undefined) throw new Unlike(`a call went to an address that an answer named: ${strayed}`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      problems.push({ type: row.type, walk: name, ...defined({ field }), message });
    } finally {
      await trial.close();
    }
  }
}

function typeOf({ package: provider }: ConformanceOptions, row: ConformanceCase): ResourceType | undefined {
  return [...provider.types.values()].find(({ shortToken }) => shortToken === row.type);
}
