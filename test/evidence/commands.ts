import type { Project } from '@platform-sync/engine/api';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { ownTypes } from '../harness/own-types.js';
import type { World } from '../harness/world.js';

/** What a command came to. */
export interface Outcome {
  /** `action address` of every step; for other commands what they would change or write. */
  readonly steps: readonly string[];
  /** Exit code 3, or an error: it says itself that it does not know everything. */
  readonly admits: boolean;
}

type Command = (world: World) => Promise<Outcome>;

function ofPlan(plan: Plan | undefined, diagnostics: readonly Diagnostic[]): Outcome {
  const steps = (plan?.steps ?? []).map(({ action, address }) => `${action} ${address}`);
  return { steps, admits: plan === undefined || plan.notCompared.length > 0 || hasErrors(diagnostics) };
}

const withLostState = <T>(world: World, work: (project: Project) => Promise<T>): Promise<T> => {
  const database = new MemoryDatabase();
  return world.open(work, {
    openState: ({ project, stack }) => Promise.resolve(memoryStateStore(project, stack, database)),
  });
};

/** An export goes on past what it can't read: every line of it is still one of the whole. */
const leftUnread: ReadonlySet<string> = new Set(['export-list-unread', 'export-object-unread']);

/** Of an object that could not be read others have the id alone, in references and so in keys. */
const isCalledByAnother = /(?:: [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|:)$/;

export const commands = {
  apply: (world) =>
    world.open(async (project) => {
      const planned = await project.plan();
      if (planned.plan !== undefined) await project.apply(planned);
      return ofPlan(planned.plan, planned.diagnostics);
    }),
  'plan --refresh full': (world) =>
    world.open(async (project) => {
      const { plan, diagnostics } = await project.plan({ refresh: 'full' });
      return ofPlan(plan, diagnostics);
    }),
  refresh: (world) =>
    world.open(async (project) => {
      const { changed, gone, notCompared, diagnostics } = await project.refresh();
      const steps = [...changed.map((address) => `changed ${address}`), ...gone.map((address) => `gone ${address}`)];
      return { steps, admits: notCompared > 0 || hasErrors(diagnostics) };
    }),
  drift: (world) =>
    world.open(async (project) => {
      const { findings, notCompared, status } = await project.drift({ remember: false });
      const steps = findings.map((found) => `${found.class} ${found.address}`);
      return { steps, admits: notCompared.length > 0 || status === 'failed' };
    }),
  adopt: (world) =>
    withLostState(world, async (project) => {
      const planned = await project.plan({ mode: 'adopt' });
      return ofPlan(planned.plan, planned.diagnostics);
    }),
  export: (world) =>
    world.open(async (project) => {
      const { files, diagnostics } = await project.export({ types: ownTypes });
      const lines = [...files].flatMap(([name, text]) => text.split('\n').map((line) => `${name}: ${line}`));
      const steps = lines.filter((line) => !isCalledByAnother.test(line));
      return { steps, admits: hasErrors(diagnostics) || diagnostics.some(({ code }) => leftUnread.has(code)) };
    }),
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof commands;
