import type { Project } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { defined } from '@platform-sync/core/model/value';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { namedStack, type ProjectNames } from '@platform-sync/core/model/project';
import { momentIn, type World } from '@platform-sync/core/model/world';
import { diagnosticsOf } from '../process/known-error.js';
import { packageFacts } from '../process/package-facts.js';
import { withProject, type RunContext } from '../run/run-context.js';

/** A check, and the project it was made of; none when that could not even be opened. */
export interface DriftRun {
  readonly result: DriftResult;
  readonly settings: Project['config']['drift'];
  /** Open while the check is told; absent: it could not be opened, or opening broke down. */
  readonly project?: Project;
  /** A bug, to be told as one when everybody has been told that the check failed. */
  readonly thrown?: unknown;
}

/**
 * Opens the project, checks it, and has it told before it is closed: what was told is kept in its state. Whatever goes wrong is
 * a failed check, so that it is told like any other.
 */
export async function runDrift<T>(
  context: RunContext,
  options: Parameters<Project['drift']>[0],
  tell: (run: DriftRun) => Promise<T>,
): Promise<{ readonly run: DriftRun; readonly told: T }> {
  const opening: Diagnostic[] = [];
  const { host, flags } = context;
  const watched: RunContext = {
    ...context,
    host: {
      ...host,
      openProject: async (openOptions) => {
        const opened = await host.openProject(openOptions);
        opening.push(...opened.diagnostics);
        names = { ...names, ...opened.names };
        return opened;
      },
    },
  };
  const { world } = host;
  // Of a project that can't be opened nobody may know which stack it would have chosen.
  let names: ProjectNames = defined({ stack: namedStack(flags.stack, host.env) });
  let done: { readonly run: DriftRun; readonly told: T } | undefined;
  try {
    await withProject(watched, 'drift', async (project) => {
      const run = await checked(project, options, world);
      done = { run, told: await tell(run) };
      return 0;
    });
  } catch (error) {
    // Opening broke down, or closing did after a check that stands.
    if (done !== undefined) return { ...done, run: { ...done.run, thrown: done.run.thrown ?? error } };
    const run = brokenCheck({ world, ...names }, error);
    return { run, told: await tell(run) };
  }
  if (done !== undefined) return done;
  const run = { result: failedCheck({ world, ...names }, opening), settings: undefined };
  return { run, told: await tell(run) };
}

async function checked(project: Project, options: Parameters<Project['drift']>[0], world: World): Promise<DriftRun> {
  const { config } = project;
  try {
    return { result: await project.drift(options), settings: config.drift, project };
  } catch (error) {
    return { ...brokenCheck({ world, project: config.project, stack: config.stack }, error), settings: config.drift };
  }
}

/** What was to be checked, and where. */
interface Checked extends ProjectNames {
  readonly world: World;
}

/** What is thrown, as a failed check; a bug is kept to be told as one. */
function brokenCheck(where: Checked, error: unknown): DriftRun {
  const known = diagnosticsOf(error);
  const result = failedCheck(where, known ?? [brokenDown]);
  return { result, settings: undefined, ...(known === undefined ? { thrown: error } : {}) };
}

const brokenDown: Diagnostic = {
  severity: 'error',
  code: 'drift-check-failed',
  summary: 'The check failed with an error of the program.',
};

function failedCheck({ world, project = '', stack = '' }: Checked, diagnostics: readonly Diagnostic[]): DriftResult {
  return {
    ...{ formatVersion: 1, engine: packageFacts().version, project, stack, targets: {} },
    ...{ checkedAt: momentIn(world), status: 'failed', findings: [], notCompared: [], resolved: [] },
    ...{ ignored: [], converged: [], unapplied: [], unmanaged: [], compared: 0, requests: 0, diagnostics },
  };
}
