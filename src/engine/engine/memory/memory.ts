import { join } from 'node:path';
import type { OpenedProject, OpenOptions, PlanOptions, PlanResult, Project } from '../api.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Event } from '@platform-sync/core/model/event';
import type { Plan } from '@platform-sync/core/model/plan';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { withDigests } from '../plan/saved-plan.js';
import { ApplicablePlan } from '../use-cases/applicable-plan.js';
import { type Circumstances, FileState, settingsDigest } from './circumstances.js';
import { blockShape, type Found, isQuiet, lessonOf } from './learn.js';
import { type KnownStack, MemoryFile, type Recollection } from './memory-file.js';
import { typesOf } from './shape.js';
import { type WarmPart, warmPart } from './warm-part.js';

/** Where the memory of a project lies: it may be deleted at any time. */
function memoryPath(root: string): string {
  return join(root, '.sync', 'memory.db');
}

/** A project that is open, and how it was opened: a part of it is opened in the same way. */
interface Opened extends Circumstances {
  readonly project: Project;
  readonly open: (options: OpenOptions) => Promise<OpenedProject>;
  readonly options: OpenOptions;
}

/** A check as its report has it. */
interface RememberedCheck {
  readonly files: number;
  readonly resources: number;
}

/** A plan as its report has it; `apply` carries out none of these. */
interface RememberedPlan {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** What only looks at the whole, and reads nothing from the platform, may be answered by what earlier runs left. */
function isRemembered(options: PlanOptions): boolean {
  const {
    refresh,
    mode = 'apply',
    targets = [],
    excludes = [],
    replace = [],
    resend = [],
    allow = [],
    ...others
  } = options;
  const { noDelete = false, fromPulumi, destinations, base } = others;
  const isWhole = [targets, excludes, replace, resend, allow].every(({ length }) => length === 0);
  const isPlain = fromPulumi === undefined && Object.keys(destinations ?? {}).length === 0 && base === undefined;
  return refresh === 'none' && mode === 'apply' && isWhole && isPlain && !noDelete;
}

/** The memory of one stack of a project. Whatever is in doubt is worked out anew: `undefined` says that nothing is known. */
export class Memory {
  readonly #opened: Opened;
  readonly #file: MemoryFile;
  readonly #stack: string;
  readonly #begun: number;
  readonly #most: number;

  /** `begun`: before anything of the project was read; by the clock of the world. `most`: the share of it beyond which all is read. */
  constructor(opened: Opened, begun: number, most = 1 / 3) {
    this.#most = most;
    const { root, project, stack } = opened.project.config;
    this.#opened = opened;
    this.#file = new MemoryFile(memoryPath(root));
    this.#stack = `${project}/${stack}`;
    this.#begun = begun;
  }

  /** What `validate` would say; only where that is nothing at all. */
  async check(): Promise<RememberedCheck | undefined> {
    return this.#warm(undefined, async ({ warm, project }) => {
      const { desired, diagnostics } = await project.validate();
      if (desired === undefined || diagnostics.length > 0 || !(await this.#isAsKnown(warm, desired))) return undefined;
      return { files: warm.stack.files.length, resources: warm.stack.resources };
    });
  }

  /** What `plan` would say of the whole. `withDigest`: somebody asks for the digest of the catalogue, for which all of it counts. */
  async plan(options: PlanOptions, withDigest: boolean): Promise<RememberedPlan | undefined> {
    if (!isRemembered(options)) return undefined;
    return this.#warm(options, async ({ warm, project, known }) => {
      const made = await project.plan(options);
      if (!(made instanceof ApplicablePlan) || made.diagnostics.length > 0) return undefined;
      const { plan } = made;
      const { desired } = made.work;
      if (!isQuiet(plan, desired) || !(await this.#isAsKnown(warm, desired))) return undefined;
      const digest = withDigest ? await wholeDigest(known, warm, desired) : '';
      const whole = digest === undefined ? undefined : wholePlan(plan, warm.stack, digest, project);
      return whole && { plan: whole, diagnostics: made.diagnostics };
    });
  }

  /** Keeps what a check found that knew nothing. */
  learn(desired: DesiredState): Promise<void> {
    return this.#keep({ desired, begun: this.#begun });
  }

  /** Likewise, what a plan found. */
  async learnPlan(options: PlanOptions, made: PlanResult): Promise<void> {
    if (!(made instanceof ApplicablePlan) || made.diagnostics.length > 0 || !isRemembered(options)) return;
    await this.#keep({ desired: made.work.desired, plan: made.plan, begun: this.#begun });
  }

  async #keep(found: Found): Promise<void> {
    const lesson = await lessonOf(this.#opened, found);
    if (lesson !== undefined) await this.#file.keep(this.#stack, lesson);
  }

  async #warm<T>(
    options: PlanOptions | undefined,
    work: (part: {
      readonly warm: WarmPart;
      readonly project: Project;
      readonly known: Recollection;
    }) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const settings = settingsDigest(this.#opened);
    if (settings === undefined) return undefined;
    let newer: KnownStack | undefined;
    const found = await this.#file.recall(this.#stack, async (known) => {
      const stack = await known.stack();
      if (stack?.settings !== settings || (options !== undefined && stack.plan === undefined)) return undefined;
      const { config } = this.#opened.project;
      const how = { isPlan: options !== undefined, most: this.#most };
      const warm = await warmPart(config, stack, known, new FileState(config, this.#begun), how);
      if (warm === undefined) return undefined;
      if (warm.isNewer) newer = warm.stack;
      return this.#inPart(warm, options !== undefined, (project) => work({ warm, project, known }));
    });
    if (newer !== undefined) await this.#file.keepStack(this.#stack, newer);
    return found;
  }

  /** What a part says that is loaded as the whole would be; what happens meanwhile is told only if it is believed. */
  async #inPart<T>(
    { part, texts, stack }: WarmPart,
    isPlan: boolean,
    work: (project: Project) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { open, options } = this.#opened;
    const events: Event[] = [];
    const state = isPlan && stack.plan !== undefined ? { state: stack.plan } : {};
    const { project, diagnostics } = await open({
      ...options,
      texts,
      part: { ...part, ...state },
      onEvent: (event) => void events.push(event),
    });
    try {
      const found = project === undefined || diagnostics.length > 0 ? undefined : await work(project);
      if (found !== undefined) for (const event of events) options.onEvent?.(event);
      return found;
    } finally {
      await project?.close();
    }
  }

  /** True where the part has the resources that it had, and all that others see of them is as it was. */
  async #isAsKnown({ blocks, part }: WarmPart, { resources }: DesiredState): Promise<boolean> {
    const addresses = new Set(part.addresses);
    if (addresses.size !== resources.size || ![...resources.keys()].every((address) => addresses.has(address)))
      return false;
    const tokens = new Set([...resources.values()].map(({ type }) => type));
    const typeOf = await typesOf(this.#opened.project.packages, tokens);
    return blocks.every((block) => {
      const own = block.addresses.flatMap((address) => resources.get(address) ?? []);
      return blockShape(own, typeOf)?.digest === block.shape;
    });
  }
}

/** The digest of the catalogue, of which the part has what may mean something else now. */
async function wholeDigest(
  known: Recollection,
  { stack }: WarmPart,
  desired: DesiredState,
): Promise<string | undefined> {
  const all = new Map<string, string>();
  for (const nth of stack.files.keys()) {
    const meanings = await known.meanings(nth);
    if (meanings === undefined) return undefined;
    for (const key in meanings) all.set(key, meanings[key] ?? '');
  }
  for (const [key, meaning] of desired.meanings ?? []) all.set(key, meaning);
  return desired.digestWith?.(all);
}

/** The plan of the whole: of all that is not in the part, nothing changes. Undefined where its guards could say more of the whole. */
function wholePlan(
  part: Plan,
  { plan: seen, resources }: KnownStack,
  digest: string,
  project: Project,
): Plan | undefined {
  const { maxUpdatePercent } = project.config.guards;
  const { steps } = part;
  if (maxUpdatePercent !== undefined && steps.length * 100 > maxUpdatePercent * resources) return undefined;
  if (JSON.stringify(part.targets) !== seen?.targets) return undefined;
  // How a secret is told depends on the digest of the whole.
  if (JSON.stringify([steps, part.outputs, part.parameters]).includes('"$secret"')) return undefined;
  const summary = { ...part.summary, unchanged: resources - steps.length };
  const { digest: _digest, catalogueDigest: _catalogue, ...body } = part;
  return withDigests({ ...body, summary, guards: [] }, { digest });
}
