import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FleetStack } from '@platform-sync/core/model/console';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { FleetRow } from '@platform-sync/core/model/fleet';
import { groupBy } from '@platform-sync/core/model/graph';
import { patternOf } from '@platform-sync/core/model/pattern';
import { projectFileName } from '@platform-sync/core/model/project';
import { readFleet, type Fleet } from '@platform-sync/engine/use-cases/fleet';
import type { RunContext } from '../run/run-context.js';
import { ownersHere } from '../run/webhook.js';

export interface Stack extends Pick<FleetRow, 'project' | 'stack' | 'folder'> {
  /** Address of the PostgreSQL database that keeps its state; undefined: another place does. */
  readonly state?: string;
  /** Why the project can't be opened. */
  readonly problems?: readonly Diagnostic[];
}

/** Stacks may come and go while a worker runs. */
const staleMs = 300_000;
/** One that is asked for and not known is looked for no more often. */
export const newMs = 10_000;

export interface FleetNow {
  readonly fleet: Fleet;
  readonly stacks: readonly Stack[];
}

/** What fleet.yaml and the projects say, read anew now and then. */
export class Stock {
  readonly #context: RunContext;
  readonly #known: KnownStacks = new Map();
  #read: { readonly at: number; readonly what: Promise<FleetNow> } | undefined;

  constructor(context: RunContext) {
    this.#context = context;
  }

  now(oldestMs = staleMs): Promise<FleetNow> {
    const at = this.#context.host.world.steady();
    if (this.#read === undefined || at - this.#read.at > oldestMs) {
      const what = this.#fresh();
      this.#read = { at, what };
      // One that can't be read is read again when somebody asks.
      what.catch(() => (this.#read = undefined));
    }
    return this.#read.what;
  }

  async #fresh(): Promise<FleetNow> {
    const fleet = await readFleet(this.#context.cwd);
    return { fleet, stacks: await stacksOf(this.#context, fleet, this.#known) };
  }
}

/** What folders said, and which sync.yaml said it: thousands of projects that stay as they are need not be opened again. */
type KnownStacks = Map<string, { readonly stamp: string; readonly stacks: readonly Stack[] }>;

/** All stacks of a fleet; of a project that can't be opened, what is known of it. */
export async function stacksOf(
  context: RunContext,
  fleet: Fleet,
  known: KnownStacks = new Map(),
): Promise<readonly Stack[]> {
  const stacks = await Promise.all(
    fleet.folders.map(async (folder) => {
      const file = await stat(join(context.cwd, folder, projectFileName)).catch(() => undefined);
      const stamp = `${String(file?.mtimeMs)} ${String(file?.size)}`;
      const before = known.get(folder);
      if (before?.stamp === stamp) return before.stacks;
      const found = await stacksIn(context, folder);
      // What is wrong may be in another file.
      if (found.every(({ problems }) => problems === undefined)) known.set(folder, { stamp, stacks: found });
      return found;
    }),
  );
  const chosen = stacks.flat().filter(({ stack, problems }) => problems !== undefined || isChosen(fleet, stack));
  if (chosen.length === 0) throw noneChosen(stacks.flat());
  return [...groupBy(chosen, placeOf).values()].flatMap(alone);
}

function noneChosen(all: readonly Stack[]): DiagnosticError {
  const names = [...new Set(all.map(({ stack }) => stack))].join(', ');
  const summary = '"stacks" in fleet.yaml chooses no stack of any project.';
  const hint = `There are: ${names}.`;
  return new DiagnosticError([{ severity: 'error', code: 'fleet-invalid', summary, hint }]);
}

/** Where its state is, as far as several folders may share one: nobody shares a file in a folder. */
function placeOf({ folder, project, stack, state = folder }: Stack): string {
  return JSON.stringify([state, project, stack]);
}

/** Two catalogues of one state would undo each other's work in turn. */
function alone(same: readonly Stack[]): readonly Stack[] {
  const [{ project = '', stack = '' } = {}] = same;
  if (same.length === 1) return same;
  const summary = `${same.map(({ folder }) => folder).join(' and ')} have one state: that of ${project}/${stack}.`;
  const hint = 'Give one of the projects another name in its sync.yaml, or leave a folder out in fleet.yaml.';
  return same.map((one) => ({ ...one, problems: [{ severity: 'error', code: 'fleet-invalid', summary, hint }] }));
}

/** Patterns that match no stack: a slip there leaves stacks out, or without anybody who hears of them. */
export function unmatched(
  { stacks = [], labels = {}, owners = {} }: Fleet,
  all: readonly Stack[],
): readonly Diagnostic[] {
  if (all.some(({ problems }) => problems !== undefined)) return [];
  const stackNames = all.map(({ stack }) => stack);
  const names = all.map(({ project, stack }) => `${project}/${stack}`);
  const told = (key: string, patterns: readonly string[], among: readonly string[]): readonly Diagnostic[] =>
    patterns
      .filter((each) => !each.startsWith('!') && !among.some((name) => patternOf(each).test(name)))
      .map((each) => ({
        ...{ severity: 'warning', code: 'fleet-unmatched' },
        ...{ summary: `"${key}" in fleet.yaml: no stack is called ${each}.`, hint: `There is ${among[0] ?? 'none'}.` },
      }));
  return [
    ...told('stacks', stacks, stackNames),
    ...told('labels', Object.keys(labels), names),
    ...told('owners', Object.keys(owners), names),
  ];
}

function isChosen({ stacks = ['*'] }: Fleet, stack: string): boolean {
  const wanted = stacks.filter((each) => !each.startsWith('!'));
  const left = stacks.filter((each) => each.startsWith('!')).map((each) => each.slice(1));
  const fits = (patterns: readonly string[]): boolean => patterns.some((each) => patternOf(each).test(stack));
  return (wanted.length === 0 || fits(wanted)) && !fits(left);
}

/** Stacks that the sync.yaml of a folder declares. */
async function stacksIn({ host, cwd }: RunContext, folder: string): Promise<readonly Stack[]> {
  const { project, diagnostics, names } = await host.openProject({
    ...{ cwd: join(cwd, folder), env: host.env, purpose: 'list of stacks', packages: await host.packages() },
    ...{ world: host.world, isOffline: true, isForEveryStack: true },
  });
  if (project === undefined) return [{ folder, project: names?.project ?? '', stack: '', problems: diagnostics }];
  const { stacks, config } = project;
  await project.close();
  const place = { folder, project: config.project, ...('url' in config.state ? { state: config.state.url } : {}) };
  return (stacks.length === 0 ? [config.stack] : stacks).map((stack) => ({ ...place, stack }));
}

/** A stack with its labels and whose it is. */
export function ownedStack(context: RunContext, fleet: Fleet, { project, stack, folder }: Stack): FleetStack {
  const name = `${project}/${stack}`;
  const given = byStack(fleet.owners, name).flatMap((owners) => owners);
  const owners =
    given.length > 0 ? given : ownersHere({ ...context, folder: resolve(context.cwd, folder) })(projectFileName);
  const labels = Object.fromEntries(byStack(fleet.labels, name).flatMap((each) => Object.entries(each)));
  return { project, stack, folder, labels, owners };
}

function byStack<T>(given: Readonly<Record<string, T>> = {}, name: string): readonly T[] {
  return Object.entries(given).flatMap(([pattern, value]) => (patternOf(pattern).test(name) ? [value] : []));
}
