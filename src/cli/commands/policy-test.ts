import { hasErrors } from '@platform-sync/core/model/diagnostic';
import type { Project, RuleCheck, RuleTests } from '@platform-sync/engine/api';
import { jsonText } from '@platform-sync/report/words/json-text';
import { recordsJudgedText, ruleTestsText } from '@platform-sync/report/text/rule-tests';
import { string, textOrJson } from '../arguments/flag.js';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { command } from '../run/command.js';
import { printProblems, type RunContext, withProject } from '../run/run-context.js';

export const policyTestCommand = command({
  summary: 'Check the rules of policies, and run the tests beside them.',
  description:
    'Reads the files under "policies" of sync.yaml and those that SYNC_POLICY names, tells what is wrong with a rule at its place, and runs "tests". Sends nothing. With --on state, the rules judge what is recorded instead: exit code 4 when a rule of the level "warn" or "deny" does not hold.',
  examples: ['sync policy test', 'sync policy test --on state --format json'],
  flags: {
    on: string({ description: 'judge these instead of running the tests', options: ['state'] }),
    format: textOrJson('how to report'),
  },
  needs: 'context',
  async run({ flags, context }) {
    const how = { isOffline: true } as const;
    if (flags.on === undefined)
      return withProject(
        context,
        'policy test',
        async (project) => tested(context, flags, await project.testRules()),
        undefined,
        how,
      );
    return withProject(context, 'policy test', (project) => judged(context, flags, project));
  },
});

interface Flags {
  readonly format: string;
}

function tested(context: RunContext, { format }: Flags, found: RuleTests): ExitCode {
  const errors = hasErrors(found.diagnostics) || found.cases.some(({ passes }) => !passes);
  if (format === 'json') context.host.out(jsonText({ ok: !errors, ...found }));
  else {
    printProblems(context, found.diagnostics);
    context.host.out(ruleTestsText(found, context.style));
  }
  return exitCode({ errors });
}

async function judged(context: RunContext, { format }: Flags, project: Project): Promise<ExitCode> {
  const found: RuleCheck = await project.judgeRecords();
  const errors = hasErrors(found.diagnostics);
  const blocked = found.findings.some(({ level }) => level !== 'advise');
  if (format === 'json') context.host.out(jsonText({ ok: !errors && !blocked, ...found }));
  else {
    printProblems(context, found.diagnostics);
    context.host.out(recordsJudgedText(found, context.style));
  }
  return exitCode({ errors, blocked });
}
