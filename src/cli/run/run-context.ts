import { join, resolve } from 'node:path';
import type { OpenOptions, Project } from '@platform-sync/engine/api';
import { defined } from '@platform-sync/core/model/value';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import { diagnosticsText } from '@platform-sync/report/text/diagnostics';
import type { Style } from '@platform-sync/report/text/style';
import { chooseStyle } from '../terminal/colour.js';
import type { ExitCode } from '../process/exit-code.js';
import { type GlobalFlags, shows } from '../arguments/global-flags.js';
import { Interrupts } from '../process/interrupts.js';
import { Progress } from '../terminal/progress.js';
import type { Host } from '../process/host.js';
import type { Event } from '@platform-sync/core/model/event';
import type { CommandEvent, EventLog } from '../files/event-log.js';
import { typedWith } from './typed.js';
import { UsageError } from '../process/usage-error.js';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { projectFileName } from '@platform-sync/core/model/project';
import { foldersAbove } from '../files/tracked-file.js';

/** What a running command has at hand. */
export interface RunContext {
  readonly host: Host;
  readonly flags: GlobalFlags;
  /** Folder that the command runs in, absolute: what the command line calls a file is relative to it. */
  readonly cwd: string;
  /** Folder of sync.yaml, absolute: the one that the command runs in, or the nearest above. */
  readonly folder: string;
  /** For stdout. */
  readonly style: Style;
  /** For stderr. */
  readonly errorStyle: Style;
  readonly progress: Progress;
  /** Hears what happens; only there where somebody asked for it with --events. */
  readonly tell?: (event: Event | CommandEvent) => void;
  readonly interrupts: Interrupts;
  /** All stacks are meant: none has to be named. */
  readonly isForEveryStack?: true;
}

/** Runs a command's work with its context; signals are listened to meanwhile. */
export async function withContext(
  host: Host,
  flags: GlobalFlags & { readonly events?: string | undefined; readonly quiet?: boolean },
  work: (context: RunContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const typed = typedWith(flags);
  const errorStyle = { ...chooseStyle(host.errIsTerminal, host.env, flags['no-color']), typed };
  const cwd = resolve(host.cwd, flags.cwd ?? '.');
  const events = flags.events === undefined ? undefined : await openEvents(resolve(cwd, flags.events), host);
  const context: RunContext = {
    host,
    flags,
    cwd,
    folder: projectFolder(cwd) ?? cwd,
    ...defined({ tell: events?.tell }),
    style: { ...chooseStyle(host.outIsTerminal, host.env, flags['no-color']), typed },
    errorStyle,
    // Of steps that are done one by one nobody is told who asked for quiet.
    progress: new Progress(host, flags.quiet === true ? 'warn' : flags['log-level'], errorStyle),
    interrupts: new Interrupts(host),
  };
  let code: ExitCode | undefined;
  try {
    code = await work(context);
    return code;
  } finally {
    events?.end(code);
    context.progress.finish();
    context.interrupts.close();
  }
}

// Few commands are followed.
async function openEvents(path: string, { world }: Host): Promise<EventLog> {
  const [{ EventLog }, { packageFacts }] = await Promise.all([
    import('../files/event-log.js'),
    import('../process/package-facts.js'),
  ]);
  const log = new EventLog(path, world);
  log.start(packageFacts().version);
  return log;
}

type HowToOpen = Partial<Omit<OpenOptions, 'cwd' | 'env' | 'purpose' | 'world'>>;

/**
 * Opens the project, runs the work, closes the project whatever happens. Exit 1 when it can't be opened; `refused` hears
 * why, for commands whose output must say so.
 */
export async function withProject(
  context: RunContext,
  purpose: string,
  work: (project: Project, options: OpenOptions) => Promise<ExitCode>,
  refused?: (diagnostics: readonly Diagnostic[]) => Promise<void>,
  how: HowToOpen = {},
): Promise<ExitCode> {
  const { host, flags, progress } = context;
  const options: OpenOptions = {
    cwd: context.folder,
    env: host.env,
    purpose,
    world: host.world,
    packages: await host.packages(),
    compareSpecifications: async () => (await import('@platform-sync/report/openapi/caller-changes')).callerChanges,
    onEvent: (event) => {
      progress.listener(event);
      context.tell?.(event);
    },
    ...defined({ stack: flags.stack, concurrency: flags.concurrency, isForEveryStack: context.isForEveryStack }),
    ...how,
    ...parameterOptions(flags, context.cwd),
  };
  const { project, diagnostics } = await host.openProject(options);
  try {
    printProblems(context, diagnostics);
    if (project !== undefined && !hasErrors(diagnostics)) return await work(project, options);
    await refused?.(diagnostics);
    return 1;
  } finally {
    await project?.close();
  }
}

/** Problems on stderr, as far as the log level wants them. */
export function printProblems(context: RunContext, diagnostics: readonly Diagnostic[]): void {
  const level = context.flags['log-level'];
  const shown = diagnostics.filter((found) => shows(level, found.severity === 'warning' ? 'warn' : found.severity));
  context.progress.clear();
  context.host.problems?.(diagnostics);
  context.host.err(diagnosticsText(context.progress.untold(shown), context.errorStyle));
}

/** What a run is about to do, for those who follow it. */
export function tellPlanned({ tell }: RunContext, plan: Plan): void {
  if (tell === undefined) return;
  const blockedBy = plan.guards.flatMap(({ name, lifted }) => (lifted === undefined ? [name] : []));
  tell({ type: 'planned', digest: plan.digest, summary: plan.summary, blockedBy });
}

/** What `--var` and `--var-file` say. Files are relative to the folder the command works in. */
export function parameterOptions(
  flags: Pick<GlobalFlags, 'var' | 'var-file'>,
  cwd: string,
): Pick<OpenOptions, 'vars' | 'varFiles'> {
  const files = flags['var-file'];
  return {
    ...defined({
      vars: flags.var === undefined ? undefined : Object.fromEntries(flags.var.map(nameAndValue)),
      varFiles: files?.map((file) => resolve(cwd, file)),
    }),
  };
}

function nameAndValue(text: string): readonly [name: string, value: string] {
  const sign = text.indexOf('=');
  if (sign > 0) return [text.slice(0, sign), text.slice(sign + 1)];
  // What stands there may be a secret: it is not repeated.
  throw new UsageError('--var takes NAME=VALUE', 'for example: --var region=eu');
}

/** The nearest folder, from this one up, that has a sync.yaml; no further than what git keeps as one checkout. */
export function projectFolder(folder: string): string | undefined {
  for (const each of foldersAbove(folder)) {
    if (existsSync(join(each, projectFileName))) return each;
    if (existsSync(join(each, '.git'))) return undefined;
  }
  return undefined;
}

/** The name that the sync.yaml of a folder gives its project; undefined where there is none, or where it isn't a line of its own. */
export async function projectNameIn(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, projectFileName), 'utf8').catch(() => '');
  return /^project:[ \t]+(["']?)([a-z][a-z0-9-]*)\1[ \t]*(?:#.*)?\r?$/m.exec(text)?.[2];
}
