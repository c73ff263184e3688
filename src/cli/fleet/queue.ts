import { type Diagnostic, DiagnosticError, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { FleetPackage } from '@platform-sync/core/model/console';
import type { JobQueue } from '@platform-sync/core/model/fleet';
import { fleetPackageName } from '../process/fleet-package.js';
import { packageFacts } from '../process/package-facts.js';
import { type RunContext, withProject } from '../run/run-context.js';
import { stackContext } from './rounds.js';
import type { Stack } from './stock.js';

/**
 * The queue in the database that keeps the state of all these stacks. Throws where there is none. A database that is away, as while it
 * restarts, is waited for so long.
 */
export async function queueOf(context: RunContext, stacks: readonly Stack[], patienceMs = 0): Promise<JobQueue> {
  const { host } = context;
  const installed = await fleetPackageOf(context);
  const begun = host.world.steady();
  for (;;)
    try {
      return await installed.openQueue(await databaseOf(context, stacks), host.world);
    } catch (error) {
      if (error instanceof DiagnosticError) throw error;
      if (!isAway(error) || host.world.steady() - begun >= patienceMs)
        throw refused(
          'no-fleet-database',
          `The queue can't be opened: ${saidBy(error)}.`,
          hintOf(error) ?? 'Its user makes schemas of its own there, once.',
        );
      await host.world.sleep(againMs);
    }
}

const againMs = 2_000;

/** The package has classes of its own. */
function isAway(error: unknown): boolean {
  return error instanceof Error && error.name === 'StateStoreError' && 'code' in error && error.code === 'unreachable';
}

function hintOf(error: unknown): string | undefined {
  return isAway(error) && error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
}

/** The package with the queue and the console. Throws where it is not installed. */
export async function fleetPackageOf({ host }: RunContext): Promise<FleetPackage> {
  const installed = await host.fleetPackage?.();
  if (installed === undefined)
    throw refused(
      'fleet-not-installed',
      `This command needs the package ${fleetPackageName}.`,
      `npm install ${fleetPackageName}@${packageFacts().version}`,
    );
  return installed;
}

/** Address of the database that keeps the state of all these stacks. Throws where there is none. */
export async function databaseOf(context: RunContext, stacks: readonly Stack[]): Promise<string> {
  const [first] = stacks.filter(({ problems }) => problems === undefined);
  const elsewhere = stacks.find(({ state }) => state !== undefined && state !== first?.state);
  if (first === undefined) throw noDatabase(elsewhere);
  const why: Diagnostic[] = [];
  // Opening the state says whether its address is there, and may be asked at all.
  const code = await withProject(
    stackContext(context, first, {}),
    'fleet',
    async (project) => {
      if (first.state !== undefined) await project.state();
      return 0;
    },
    async (diagnostics) => void why.push(...diagnostics),
    { isOffline: 'but for the state' },
  );
  if (hasErrors(why)) throw new DiagnosticError(why);
  if (code !== 0 || first.state === undefined || elsewhere !== undefined) throw noDatabase(elsewhere ?? first);
  return first.state;
}

/** What went wrong with the queue. The package has classes of its own, and a driver's words may quote the address. */
export function saidBy(error: unknown): string {
  const isTold = error instanceof Error && error.name === 'StateStoreError';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return isTold ? error.message : `the database refused a statement${code}`;
}

function noDatabase(stack: Stack | undefined): DiagnosticError {
  const name = stack === undefined ? 'No stack' : `${stack.project}/${stack.stack}`;
  return refused(
    'no-fleet-database',
    `${name} keeps its state in no PostgreSQL database that all stacks of the fleet share.`,
    'Each sync.yaml says the same: state: { backend: postgres, url: !env SYNC_STATE_URL }',
  );
}

function refused(code: 'no-fleet-database' | 'fleet-not-installed', summary: string, hint: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, hint }]);
}
