import type { PlanOptions } from '../api.js';
import type { StackState } from '@platform-sync/core/model/state';
import { readAhead } from '../refresh/read-ahead.js';
import type { Workspace } from '../workspace.js';

/** Reads that state alone makes certain, begun while the catalogue was still being read. */
interface HeadStart {
  /** The state, if it could be read: else whoever needs it hears why when they ask. */
  readonly stored: StackState | undefined;
  /** What the lists were asked for with. */
  readonly together: object;
}

interface Begun {
  /** The catalogue is there: what was asked for is wanted, and nothing more is asked ahead. */
  readonly wanted: () => Promise<HeadStart>;
  /** There will be no plan: what is under way is broken off, and nobody hears of it. */
  readonly dropped: () => void;
}

/** The catalogue, and what could be asked for meanwhile. `mayRefuse`: something else may keep the plan from reading. */
export async function catalogueAndHeadStart(
  workspace: Workspace,
  given: PlanOptions,
  mayRefuse: boolean,
): Promise<{ readonly loaded: Awaited<ReturnType<Workspace['catalogue']>>; readonly ahead?: HeadStart }> {
  const begun = mayRefuse || !isCertain(given) ? undefined : begin(workspace);
  let ahead: HeadStart | undefined;
  try {
    const loaded = await workspace.catalogue();
    if (begun === undefined || loaded.desired === undefined) return { loaded };
    ahead = await begun.wanted();
    return { loaded, ahead };
  } finally {
    if (ahead === undefined) begun?.dropped();
  }
}

/** All that is recorded will be read: nothing chooses, and nothing that only the catalogue tells can refuse it before. */
function isCertain({ refresh, base, targets = [], excludes = [], replace = [], resend = [] }: PlanOptions): boolean {
  const named = targets.length + excludes.length + replace.length + resend.length;
  return refresh !== 'none' && base === undefined && named === 0;
}

/** Whatever goes wrong here is told where it is asked for again. */
function begin(workspace: Workspace): Begun | undefined {
  if (!workspace.mayStartAhead()) return undefined;
  const together = {};
  const ended = new AbortController();
  let isOpen = true;
  const { told, forgotten } = workspace.startAhead();
  const stored = workspace
    .state()
    .then((store) => store.read())
    .catch(() => undefined);
  const read = async (): Promise<void> => {
    const state = await stored;
    // What a run left open is settled first, and may end the plan.
    if (!isOpen || state === undefined || state.intents.length > 0) return;
    await workspace.loadPackages([...state.resources.values()].map(({ type }) => type));
    const { typeOf, providerOf, config } = workspace;
    const context = { recorded: state.resources, typeOf, providerOf, concurrency: config.concurrency };
    await readAhead(context, { together, signal: ended.signal }, () => isOpen);
  };
  read().catch(() => undefined);
  return {
    wanted: async () => {
      isOpen = false;
      told();
      return { stored: await stored, together };
    },
    dropped: () => {
      isOpen = false;
      ended.abort();
      forgotten();
    },
  };
}
