import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenOptions, PlanOptions, PlanResult, Project } from '@platform-sync/engine/api';
import type { Memory } from '@platform-sync/engine/memory/memory';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import { printProblems, type RunContext } from './run-context.js';

/** A project that is open, for a question that earlier runs may have answered. */
interface Asked {
  readonly context: RunContext;
  readonly project: Project;
  readonly options: OpenOptions;
  readonly isCold: boolean;
}

interface Begun {
  /** Before anything was read. */
  readonly begun: number;
}

function begin(asked: Asked): Asked & Begun {
  return { ...asked, begun: asked.context.host.world.now() };
}

/** What a check found: of the resources, how many there are. */
export interface CheckResult {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  readonly files: number;
  /** Absent where there are errors. */
  readonly resources?: number;
}

/** Of fewer resources, nothing is worth remembering. */
const leastRemembered = 2000;

/** More than so many, as the size of the state tells, are not planned at once: there is no room for all. */
const mostAtOnce = 600_000;

/** A check of the whole, answered as far as possible by what earlier runs left. */
export async function rememberedCheck(given: Asked): Promise<CheckResult> {
  const asked = begin(given);
  const memory = await openMemory(asked);
  const known = await memory?.check();
  if (known !== undefined) return { diagnostics: [], ...known };
  const { diagnostics, files, desired } = await asked.project.validate();
  if (desired === undefined) return { diagnostics, files };
  const resources = desired.resources.size;
  if (diagnostics.length === 0 && isWorthwhile(asked, resources))
    await (memory ?? (await newMemory(asked))).learn(desired);
  return { diagnostics, files, resources };
}

/** A plan, likewise. `withDigest`: it is shown or written with all that is in it. */
export async function rememberedPlan(given: Asked, options: PlanOptions, withDigest: boolean): Promise<PlanResult> {
  const asked = begin(given);
  if (options.refresh === 'full' || asked.options.untrusted !== undefined) return asked.project.plan(options);
  const memory = await openMemory(asked);
  const known = await memory?.plan(options, withDigest);
  if (known !== undefined) return known;
  const expected = expectedResources(asked.project);
  if (expected > mostAtOnce && options.refresh === 'none' && !withDigest) {
    // What lies there and is not believed is no place to read from.
    const isNew = isWorthwhile(asked, expected) && !existsSync(pathIn(asked.project));
    const kept = memory ?? (isNew ? await newMemory(asked) : undefined);
    const found = await (kept === undefined ? planBeside(asked, options) : kept.planInShares(options));
    if (found !== undefined) return found;
  }
  // What the platform says is heard while it is read, or not at all.
  const isLarge = memory !== undefined || isWorthwhile(asked, expected);
  const listens = options.refresh !== 'none' && isLarge;
  const learning = memory ?? (listens ? await newMemory(asked) : undefined);
  const made = listens && learning ? await learning.planAnew(options) : await asked.project.plan(options);
  const { plan, diagnostics } = made;
  if (plan === undefined || hasErrors(diagnostics)) return made;
  if (isWorthwhile(asked, plan.summary.unchanged))
    await (learning ?? (await newMemory(asked))).learnPlan(options, made, withDigest);
  return made;
}

/** Where nothing is to be remembered, what the shares find is kept elsewhere for as long as that takes. */
async function planBeside(asked: Asked & Begun, options: PlanOptions): Promise<PlanResult | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-plan-'));
  try {
    return await (await newMemory(asked, { path: join(folder, 'memory.db') })).planInShares(options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By the room that records take, before anybody has counted them. */
function expectedResources({ config: { state } }: Project): number {
  if (state.backend !== 'sqlite') return 0;
  try {
    return statSync(state.path).size / recordBytes;
  } catch {
    // Whoever opens it says what is wrong.
    return 0;
  }
}

const recordBytes = 1000;

/** A pipeline starts without a memory, and nobody comes after it. */
function isWorthwhile({ context, project, isCold }: Asked, resources: number): boolean {
  if (isCold || resources < leastRemembered) return false;
  return (context.host.env['CI'] ?? '') === '' || existsSync(pathIn(project));
}

function pathIn({ config }: Project): string {
  return join(config.root, '.sync', 'memory.db');
}

/** Only who has one pays for the code that reads it. Undefined: there is none that may be believed. */
async function openMemory(asked: Asked & Begun): Promise<Memory | undefined> {
  const path = pathIn(asked.project);
  if (asked.isCold || !existsSync(path)) return undefined;
  const { broughtAlong } = await import('../files/tracked-file.js');
  const why = await broughtAlong(path, asked.context.host.world);
  if (why === undefined) return newMemory(asked);
  printProblems(asked.context, [
    {
      severity: 'warning',
      code: 'memory-not-ours',
      summary: `${path} ${why}: nothing in it is believed.`,
      hint: 'Take it out of the repository, or delete it: it is made anew.',
    },
  ]);
  return undefined;
}

async function newMemory(
  { context, project, options, begun }: Asked & Begun,
  place: { readonly path?: string } = {},
): Promise<Memory> {
  const { Memory } = await import('@platform-sync/engine/memory/memory');
  const { env, world, openProject } = context.host;
  return new Memory({ project, options, env, world, open: openProject, ...place }, begun);
}
