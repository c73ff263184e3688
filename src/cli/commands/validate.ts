import { boolean, textOrJson } from '../arguments/flag.js';
import { coldFlag, watchFlag } from '../arguments/shared-flags.js';
import type { OpenOptions, Project } from '@platform-sync/engine/api';
import { hasErrors, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { sortDiagnostics } from '@platform-sync/report/words/diagnostics';
import { diagnosticsText } from '@platform-sync/report/text/diagnostics';
import { count } from '@platform-sync/report/words/value';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { type CheckResult, rememberedCheck } from '../run/remembering.js';
import { withProject, type RunContext } from '../run/run-context.js';
import { command } from '../run/command.js';
import { jsonText } from '@platform-sync/report/words/json-text';

export const validateCommand = command({
  summary: 'Check the catalogue without network and without a token.',
  description:
    'Finds everything that can be known from the files alone: syntax, unknown names, wrong values, broken limits, references to nothing, cycles. All problems are reported at once. Secrets of servers and of the state may be unset.',
  examples: ['sync validate', 'sync validate --all-stacks', 'sync validate --format json'],
  flags: {
    'all-stacks': boolean({ description: 'check every stack that sync.yaml declares' }),
    format: textOrJson('how to report'),
    ...watchFlag(),
    ...coldFlag,
  },
  needs: 'context',
  async run({ flags, context }) {
    const work = (): Promise<ExitCode> => validated(flags, context);
    return flags.watch ? (await import('../run/watching.js')).watching(context, work) : work();
  },
});

async function validated(
  flags: { readonly 'all-stacks': boolean; readonly format: string; readonly cold: boolean },
  context: RunContext,
): Promise<ExitCode> {
  const { host } = context;
  const stacks: string[] = [];
  const checks: Check[] = [];
  const check = async (project: Project, options: OpenOptions): Promise<ExitCode> => {
    if (stacks.length === 0) stacks.push(...project.stacks);
    const found = await rememberedCheck({ context, project, options, isCold: flags.cold });
    checks.push({ stack: project.config.stack, ...found });
    return 0;
  };
  const opened = await withProject(context, 'validate', check, undefined, {
    isOffline: true,
    ...(flags['all-stacks'] ? { isForEveryStack: true } : {}),
  });
  if (opened !== 0) return opened;
  for (const stack of flags['all-stacks'] ? stacks.filter((name) => name !== checks[0]?.stack) : []) {
    // Of a stack that can't be opened it is said why, and the others are checked all the same.
    const refused = (diagnostics: readonly Diagnostic[]): Promise<void> => {
      checks.push({ stack, diagnostics, files: 0, isTold: true });
      return Promise.resolve();
    };
    await withProject(context, 'validate', check, refused, { isOffline: true, stack });
  }
  for (const { diagnostics } of checks) host.problems?.(diagnostics);
  if (flags.format === 'json') host.out(jsonText(flags['all-stacks'] ? ofStacks(checks) : documentOf(checks[0])));
  else for (const text of textsOf(checks, flags['all-stacks'], context)) host.out(text);
  return exitCode({ errors: checks.some(({ diagnostics }) => hasErrors(diagnostics)) });
}

interface Check extends CheckResult {
  readonly stack: string;
  /** Why it could not be opened stands on stderr already. */
  readonly isTold?: true;
}

function documentOf(check: Check | undefined): object {
  const { diagnostics = [], files = 0, resources } = check ?? {};
  return {
    ok: !hasErrors(diagnostics),
    files,
    resources,
    diagnostics: sortDiagnostics(diagnostics),
  };
}

function ofStacks(checks: readonly Check[]): object {
  return {
    ok: checks.every(({ diagnostics }) => !hasErrors(diagnostics)),
    stacks: checks.map((check) => ({ stack: check.stack, ...documentOf(check) })),
  };
}

/** What was told of one stack is not told again of the next. */
function* textsOf(checks: readonly Check[], isNamed: boolean, context: RunContext): Iterable<string> {
  const told = new Set<string>();
  for (const check of checks) {
    const keys = new Map(check.diagnostics.map((found) => [found, JSON.stringify(found)]));
    const isNew = (found: Diagnostic): boolean => !told.has(keys.get(found) ?? '');
    yield textOf(check, check.diagnostics.filter(isNew), isNamed, context);
    for (const key of keys.values()) told.add(key);
  }
}

function textOf(
  { stack, diagnostics, resources, files, isTold }: Check,
  untold: readonly Diagnostic[],
  isNamed: boolean,
  { style }: RunContext,
): string {
  const name = style.bold(`Stack ${stack}:`);
  const found = isTold === true ? '' : diagnosticsText(untold, style);
  if (isTold !== true && found === '' && hasErrors(diagnostics)) return `${name} the same.\n`;
  const title = isNamed && found !== '' ? `${name}\n` : '';
  if (resources === undefined || hasErrors(diagnostics)) return `${title}${found}`;
  const of = isNamed ? ` in the stack ${stack}` : '';
  const what = `${count(resources, 'resource')} in ${count(files, 'file')}${of}`;
  return `${title}${found}${style.green('Valid:')} ${what}.\n`;
}
