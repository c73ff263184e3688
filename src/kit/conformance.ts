import { defined } from '@platform-sync/core/model/value';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { ConformanceCase, ConformanceOptions, ConformanceProblem } from './conformance-row.js';
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

/** What a row says of a type that no walk shows, and the type says otherwise; and what the row leaves out. */
export function factProblems(
  row: ConformanceCase,
  type: ResourceType,
  { cases, package: provider }: Pick<ConformanceOptions, 'cases' | 'package'>,
): readonly ConformanceProblem[] {
  const inputs = Object.values(type.fields).filter(({ input }) => input);
  const named = (chosen: typeof inputs): readonly string[] => chosen.map(({ name }) => name);
  const inGroup = type.exactlyOne.flat();
  const clearable = inputs.filter(
    ({ name, required, onChange }) => !required && onChange !== 'replace' && !inGroup.includes(name),
  );
  const { required, secret, key, unique, parent, dies, shows } = row;
  const others = [...provider.types.values()].filter(({ shortToken }) =>
    cases.some((each) => each.type === shortToken),
  );
  const takenBy = (names: (other: ResourceType) => readonly string[] | undefined): readonly string[] =>
    others.filter((other) => names(other)?.includes(type.name) === true).map(({ name }) => name);
  const checks: readonly (readonly [what: string, said: readonly string[], fact: readonly string[] | undefined])[] = [
    ['inputs', named(inputs), Object.keys(row.changes)],
    ['inputs that can be left out again', named(clearable), Object.keys(row.removals)],
    ['inputs that drift or cannot', named(inputs), [...Object.keys(row.drift), ...Object.keys(row.driftless)]],
    ['required inputs', named(inputs.filter((rule) => rule.required)), required],
    ['secrets', named(Object.values(type.fields).filter(mayHoldSecret)), secret ?? []],
    ['its key', [inOrder(type.naturalKey)], key === undefined ? undefined : [inOrder(key.split(' '))]],
    ['what is unique', type.unique.map(inOrder), unique?.map((group) => inOrder(group.split(' ')))],
    [
      'what it lives in',
      type.parent === undefined ? [] : [type.parent.field],
      parent === undefined ? undefined : [...parent],
    ],
    ['what dies with it', dyingWith(type), dies],
    ['what it dies with', takenBy(dyingWith), takenBy(({ shortToken }) => caseOf(cases, shortToken)?.dies)],
    ['who sees it', type.visibility.map(({ field }) => field), shows],
  ];
  return checks.flatMap(([what, said, fact]) => {
    const [is, should] = [[...said].sort().join(', '), [...(fact ?? said)].sort().join(', ')];
    return is === should ? [] : [{ type: row.type, walk: 'facts', message: `${what}: ${is} instead of ${should}` }];
  });
}

/** A group of names as one text, whoever wrote them first. */
function inOrder(names: readonly string[]): string {
  return [...names].sort().join(' ');
}

function dyingWith({ cascades }: ResourceType): readonly string[] {
  return cascades.map((token) => token.slice(token.lastIndexOf(':') + 1));
}

function caseOf(cases: readonly ConformanceCase[], type: string): ConformanceCase | undefined {
  return cases.find((row) => row.type === type);
}
