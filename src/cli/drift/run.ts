import type { Project } from '../../engine/api.js';
import type { Diagnostic } from '../../engine/model/diagnostic.js';
import type { DriftResult } from '../../engine/model/drift.js';
import { diagnosticsOf } from '../process/known-error.js';
import { packageFacts } from '../process/package-facts.js';
import { withProject } from '../run/run-context.js';
import type { RunContext } from '../run/run-context.js';

/** A check, and the project it was made of; none when that could not even be opened. */
export interface DriftRun {
  readonly result: DriftResult;
  readonly settings: Project['config']['drift'];
  /** A bug, to be told as one when everybody has been told that the check failed. */
  readonly thrown?: unknown;
}

/** Opens the project and checks it. Whatever goes wrong is a failed check, so that it is reported like any other. */
export async function runDrift(context: RunContext, options: Parameters<Project['drift']>[0]): Promise<DriftRun> {
  const opening: Diagnostic[] = [];
  const { around, flags } = context;
  const watched: RunContext = {
    ...context,
    around: {
      ...around,
      openProject: async (openOptions) => {
        const opened = await around.openProject(openOptions);
        opening.push(...opened.diagnostics);
        return opened;
      },
    },
  };
  const nameless = ['', flags.stack ?? around.env['SYNC_STACK'] ?? 'default'] as const;
  let run: DriftRun | undefined;
  try {
    await withProject(watched, 'drift', async (project) => {
      run = await checked(project, options);
      return 0;
    });
  } catch (error) {
    // Opening broke down, or closing did after a check that stands.
    const broken = brokenCheck(...nameless, error);
    return run === undefined ? broken : { ...run, thrown: run.thrown ?? error };
  }
  return run ?? { result: failedCheck(...nameless, opening), settings: undefined };
}

async function checked(project: Project, options: Parameters<Project['drift']>[0]): Promise<DriftRun> {
  const { config } = project;
  try {
    return { result: await project.drift(options), settings: config.drift };
  } catch (error) {
    return { ...brokenCheck(config.project, config.stack, error), settings: config.drift };
  }
}

/** What is thrown, as a failed check; a bug is kept to be told as one. */
function brokenCheck(project: string, stack: string, error: unknown): DriftRun {
  const known = diagnosticsOf(error);
  const result = failedCheck(project, stack, known ?? [brokenDown]);
  return { result, settings: undefined, ...(known === undefined ? { thrown: error } : {}) };
}

const brokenDown: Diagnostic = {
  severity: 'error',
  code: 'drift-check-failed',
  summary: 'The check ended with an error of the program itself.',
};

function failedCheck(project: string, stack: string, diagnostics: readonly Diagnostic[]): DriftResult {
  return {
    ...{ formatVersion: 1, engine: packageFacts().version, project, stack, targets: {} },
    ...{ checkedAt: new Date().toISOString(), status: 'failed', findings: [], notCompared: [], resolved: [] },
    ...{ ignored: [], converged: [], unapplied: [], unmanaged: [], compared: 0, requests: 0, diagnostics },
  };
}
