import { discoverFiles } from '@platform-sync/catalogue/read/discover';
import { projectTests } from '@platform-sync/core/model/project';
import type { PackageSource, Project, RuleTests } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import { shortToken } from '@platform-sync/core/model/resource-type';
import { ruleTestsJunit, ruleTestsText } from '@platform-sync/report/text/rule-tests';
import { jsonText } from '@platform-sync/report/words/json-text';
import { argument, option } from '../arguments/flag.js';
import { exitCode } from '../process/exit-code.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';
import { printProblems, type RunContext, withProject } from '../run/run-context.js';

export const testCommand = command({
  summary: 'Test the catalogue against an empty sandbox.',
  description:
    'Tests are files of rules, written like policies: here each rule has to hold for the first plan of an empty platform. Then that plan is applied to a sandbox in memory, and a second plan must find nothing to do. "tests" beside the rules run, too. Needs no token, reads no state, and sends nothing to any platform.',
  examples: ['sync test', 'sync test tests/labels.yaml --format json', 'sync test --format junit > tests.xml'],
  args: { files: argument({ name: 'PATTERN', description: `files of tests; default: ${projectTests}` }) },
  flags: {
    format: option({
      options: ['text', 'json', 'junit'] as const,
      description: 'how to report: for people, as data, or as JUnit does for what shows tests beside a run',
      default: 'text' as const,
    })(),
  },
  needs: 'context',
  async run({ args: { files = projectTests }, flags, host, context }) {
    const { files: found } = await discoverFiles(context.folder, [files]);
    if (found.length === 0)
      throw new UsageError(`no file matches ${files}`, `a test is a file of rules, for example ${example}`);
    let told: RuleTests = { rules: 0, cases: [], diagnostics: [] };
    const sandbox = await host.startSandbox({ empty: true });
    try {
      const packages = inSandbox(await host.packages(), sandbox.url);
      const how = (rules: readonly string[]) =>
        ({ isOffline: true, packages, rehearsal: { rules }, onEvent: quiet }) as const;
      const judged = await rehearse(context, how([files]), async (project) => {
        told = await judgedFirst(project);
      });
      if (judged !== 0) return judged;
      if (!hasErrors(told.diagnostics)) {
        const applied = await rehearse(context, how([]), async (project) => {
          told = { ...told, cases: [...told.cases, await appliedTwice(project)] };
        });
        if (applied !== 0) return applied;
      }
    } finally {
      await sandbox.close();
    }
    const errors = hasErrors(told.diagnostics) || told.cases.some(({ passes }) => !passes);
    if (flags.format === 'json') host.out(jsonText({ ok: !errors, ...told }));
    else if (flags.format === 'junit') host.out(ruleTestsJunit(told, told.diagnostics, 'sync test'));
    else {
      printProblems(context, told.diagnostics);
      host.out(ruleTestsText(told, context.style));
    }
    return exitCode({ errors });
  },
});

/** What is done to a sandbox is nobody's news. */
const quiet = (): void => undefined;

const example = '{rules: [{name: two-apis, expression: plan.summary.create == 2}]}';

type How = Parameters<typeof withProject>[4];

function rehearse(context: RunContext, how: How, work: (project: Project) => Promise<void>) {
  const run = async (project: Project): Promise<0> => {
    await work(project);
    return 0;
  };
  return withProject(context, 'test', run, undefined, how);
}

/** What the rules say of a first plan; nothing is planned whose provider the sandbox can't stand in for. */
async function judgedFirst(project: Project): Promise<RuleTests> {
  const { desired, diagnostics: invalid } = await project.validate();
  const tests = await project.testRules();
  if (desired === undefined || hasErrors(tests.diagnostics)) return { ...tests, diagnostics: invalid };
  const tokens = [...desired.resources.values()].map(({ type }) => type);
  const foreign = [...tokens, ...(desired.lookups ?? []).map((lookup) => lookup.function)].find(
    (token) => !token.startsWith('platform:'),
  );
  if (foreign !== undefined)
    throw new UsageError(
      `the sandbox has no ${shortToken(foreign)}`,
      'test a stack that has only types of the platform',
    );
  const { plan, diagnostics } = await project.plan();
  return {
    rules: tests.rules,
    diagnostics: plan === undefined ? diagnostics : [],
    cases: [...tests.cases, ...(plan === undefined ? [] : brokenRules(plan))],
  };
}

/** Every level counts: a test that only advises would test nothing. */
function brokenRules({ guards, notices }: Plan): RuleTests['cases'] {
  const advice = notices.filter(({ code }) => code === 'policy-advice');
  const broken = [
    ...guards.flatMap(({ name, summary }) =>
      name.startsWith('policy:') ? [{ name: name.slice('policy:'.length), said: summary }] : [],
    ),
    ...advice.map(({ summary, detail = '' }) => ({
      name: /rule (\S+)/.exec(detail)?.[1] ?? 'advice',
      said: `${summary} ${detail}`,
    })),
  ];
  return broken.map(({ name, said }) => ({
    ...{ name, passes: false, problems: [said] },
    place: /\(([^()]+:\d+)\)/.exec(said)?.[1] ?? '',
  }));
}

/** What was applied is there: nothing that the catalogue says comes back otherwise. */
async function appliedTwice(project: Project): Promise<RuleTests['cases'][number]> {
  const first = await project.plan();
  const applied = first.plan === undefined ? undefined : await project.apply(first);
  const second = applied?.status === 'done' ? await project.plan() : undefined;
  const problems = [first, applied, second].flatMap((each) => errorsOf(each?.diagnostics));
  const steps = second?.plan?.steps.map(({ address, action }) => `${action} ${address}`) ?? [];
  const isEmpty = second?.plan !== undefined && steps.length === 0;
  return {
    ...{ name: 'a second plan has nothing to do', place: 'sync.yaml', passes: isEmpty },
    problems: isEmpty ? [] : [...problems, ...steps],
  };
}

function errorsOf(diagnostics: readonly Diagnostic[] = []): readonly string[] {
  return diagnostics.flatMap((each) => (hasErrors([each]) ? [`${each.code}: ${each.summary}`] : []));
}

/** The platform's provider as it works against the sandbox, whatever server and token a project names. */
function inSandbox(packages: PackageSource, url: string): PackageSource {
  const env = { PLATFORM_SERVER_URL: url, PLATFORM_TOKEN: 'sandbox' };
  return {
    ...packages,
    load: async (name) => {
      const loaded = await packages.load(name);
      return name === 'platform' ? { ...loaded, start: (how) => loaded.start({ ...how, settings: {}, env }) } : loaded;
    },
  };
}
