import { join } from 'node:path';
import type { OpenedProject, OpenOptions, PlanOptions, PlanResult, Project } from '../api.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Event } from '@platform-sync/core/model/event';
import { type Address, compareText, topKey } from '@platform-sync/core/model/address';
import type { Plan } from '@platform-sync/core/model/plan';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { packageNameOf, keysOf } from '@platform-sync/core/model/resource-type';
import type { StackState } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { withDigests } from '../plan/saved-plan.js';
import { finalKeys } from '../plan/claims.js';
import { isEnd } from '../plan/contents.js';
import { wantedKeys } from '../plan/keys.js';
import type { Step } from '../plan/step.js';
import { ApplicablePlan } from '../use-cases/applicable-plan.js';
import { type Circumstances, FileState, isPartOfPlan, settingsDigest } from './circumstances.js';
import {
  addResource,
  type Found,
  isLeaving,
  isNoData,
  isOfTheWhole,
  isQuiet,
  keyDigest,
  keyLength,
  lessonOf,
  tellingFiles,
} from './learn.js';
import type { Heard } from './lists.js';
import type { BlockNumber } from './blocks.js';
import { type KnownPlan, type KnownStack, MemoryFile, type Recollection } from './memory-file.js';
import { Platform } from './platform.js';
import { lessonInShares, type SharePlan } from './shares.js';
import type { Sweep } from './sweep.js';
import { Ties, typesOf } from './ties.js';
import { numbersOf, type WarmPart, warmPart } from './warm-part.js';

/** Where the memory of a project lies: it may be deleted at any time. */
function memoryPath(root: string): string {
  return join(root, '.sync', 'memory.db');
}

/** A project that is open, and how it was opened: a part of it is opened in the same way. */
interface Opened extends Circumstances {
  readonly project: Project;
  readonly open: (options: OpenOptions) => Promise<OpenedProject>;
  readonly options: OpenOptions;
  /** Absent: in the project. */
  readonly path?: string;
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

/** What only looks at the whole may be answered by what earlier runs left. */
function isRemembered(options: PlanOptions, config: ProjectConfig): boolean {
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
  return refresh !== 'full' && mode === 'apply' && isWhole && isPlain && !noDelete && isPartOfPlan(config);
}

interface SweptPart {
  readonly warm: WarmPart | undefined;
  readonly sweep: Sweep | undefined;
}

/** The memory of one stack of a project. Whatever is in doubt is worked out anew: `undefined` says that nothing is known. */
export class Memory {
  readonly #opened: Opened;
  readonly #file: MemoryFile;
  readonly #stack: string;
  readonly #begun: number;
  readonly #most: number;
  readonly #atOnce: number;
  readonly #platform: Platform;
  /** What the last plan heard that knew nothing. */
  #heard: Heard | undefined;

  /**
   * `begun`: before anything of the project was read; by the clock of the world. `most`: the share of it beyond which all is read.
   * `atOnce`: so many resources are planned together where not all can be.
   */
  constructor(opened: Opened, begun: number, most = 1 / 3, atOnce = 100_000) {
    this.#most = most;
    this.#atOnce = atOnce;
    const { root, project, stack } = opened.project.config;
    this.#opened = opened;
    this.#file = new MemoryFile(opened.path ?? memoryPath(root));
    this.#stack = `${project}/${stack}`;
    this.#begun = begun;
    this.#platform = new Platform(opened);
  }

  /** What `validate` would say; only where that is nothing at all. */
  async check(): Promise<RememberedCheck | undefined> {
    return this.#warm(undefined, async ({ warm, project, known }) => {
      const { desired, diagnostics } = await project.validate();
      if (desired === undefined || diagnostics.length > 0 || !(await this.#isEnough(warm, known, desired)))
        return undefined;
      return { files: warm.files, resources: resourcesNow(warm, desired) };
    });
  }

  /** What `plan` would say of the whole. `withDigest`: somebody asks for the digest of the catalogue, for which all of it counts. */
  async plan(options: PlanOptions, withDigest: boolean): Promise<RememberedPlan | undefined> {
    if (!isRemembered(options, this.#opened.project.config)) return undefined;
    return this.#warm({ withDigest, reads: options.refresh !== 'none' }, async ({ warm, project, known, sweep }) => {
      const made = await project.plan(options);
      if (!(made instanceof ApplicablePlan) || made.diagnostics.length > 0) return undefined;
      const { plan } = made;
      const { desired, steps } = made.work;
      if (!isQuiet(plan, desired) || !(await this.#isEnough(warm, known, desired, steps))) return undefined;
      const digest = withDigest ? await wholeDigest(known, warm, desired) : '';
      const resources = resourcesNow(warm, desired);
      const others = resources - desired.resources.size;
      const elsewhere = sweep === undefined ? [] : sweep.unmanaged();
      if (digest === undefined || elsewhere === undefined) return undefined;
      const whole = wholePlan(made, warm.stack.plan, { others, digest, unmanaged: elsewhere }, project);
      return whole && { plan: whole, diagnostics: made.diagnostics };
    });
  }

  /** Keeps what a check found that knew nothing. */
  learn(desired: DesiredState): Promise<void> {
    return this.#keep({ desired, begun: this.#begun });
  }

  /** A plan that knows nothing, and listens to what the platform says. Its answers are those that are there already. */
  async planAnew(options: PlanOptions): Promise<PlanResult> {
    if (options.refresh === 'none' || !isRemembered(options, this.#opened.project.config))
      return this.#opened.project.plan(options);
    const { made, heard } = await this.#platform.anew(options);
    this.#heard = heard;
    return made;
  }

  /** Likewise, what a plan found. `isWritten`: with its digest, so that a later one may be, too. */
  async learnPlan(options: PlanOptions, made: PlanResult, isWritten: boolean): Promise<void> {
    const heard = this.#heard;
    const reads = options.refresh !== 'none';
    if (
      !(made instanceof ApplicablePlan) ||
      made.diagnostics.length > 0 ||
      !isRemembered(options, this.#opened.project.config)
    )
      return;
    const { desired, steps, state } = made.work;
    // The next one listens.
    if (reads && heard === undefined) return this.learn(desired);
    const history = await historyOf(await this.#opened.project.state(), made.plan);
    const plan = history && { made: made.plan, steps, history, isWritten, records: state.resources, heard };
    await this.#keep({ desired, begun: this.#begun, ...(plan === undefined ? {} : { plan }) }, reads);
  }

  /** What `plan` would say of more resources than there is room for at once: found out in shares, after a check of all. */
  async planInShares(options: PlanOptions): Promise<RememberedPlan | undefined> {
    const { config } = this.#opened.project;
    if (options.refresh !== 'none' || !isRemembered(options, config)) return undefined;
    if (!(await this.#learnInShares(options))) {
      await this.#checkAnew();
      if (!(await this.#learnInShares(options))) return undefined;
    }
    return this.plan(options, false);
  }

  /** Of a project that is opened for it: what is read into it goes with it. */
  async #checkAnew(): Promise<void> {
    const { project } = await this.#opened.open(this.#opened.options);
    try {
      const { desired, diagnostics = [] } = (await project?.validate()) ?? {};
      if (desired !== undefined && diagnostics.length === 0) await this.learn(desired);
    } finally {
      await project?.close();
    }
  }

  /** False: there is no check that holds, or something is to be said that no share can say. */
  async #learnInShares(options: PlanOptions): Promise<boolean> {
    const settings = settingsDigest(this.#opened);
    const store = await this.#opened.project.state();
    const [state, records] = [await store.read([]), await store.count()];
    const history = await historyOf(store, state);
    if (settings === undefined || history === undefined || state.intents.length > 0) return false;
    const lesson = await this.#file.recall(this.#stack, async (known) => {
      const stack = await known.stack();
      if (stack?.settings !== settings) return undefined;
      const planned = async (share: ReadonlySet<BlockNumber>): Promise<SharePlan | undefined> => {
        const { config } = this.#opened.project;
        const how = { moved: new Set<Address>(), also: [...share], most: 1 };
        const warm = await warmPart(config, stack, known, new FileState(config, this.#begun), how);
        return (
          warm && this.#inPart(warm, { state, sweep: undefined }, (part) => this.#ofShare(part, options, warm, known))
        );
      };
      return lessonInShares(known, stack, { atOnce: this.#atOnce, records, history, planned });
    });
    return lesson !== undefined && this.#file.keep(this.#stack, lesson);
  }

  async #ofShare(
    project: Project,
    options: PlanOptions,
    warm: WarmPart,
    known: Recollection,
  ): Promise<SharePlan | undefined> {
    const made = await project.plan(options);
    if (!(made instanceof ApplicablePlan) || made.diagnostics.length > 0) return undefined;
    const { desired, steps, state } = made.work;
    if (!isQuiet(made.plan, desired) || !(await this.#isEnough(warm, known, desired, steps))) return undefined;
    return { made: made.plan, steps, recorded: state.resources.keys() };
  }

  async #keep(found: Found, reads = false): Promise<void> {
    const lesson = await lessonOf(this.#opened, found);
    if (lesson !== undefined) await this.#file.keep(this.#nameOf(reads), lesson);
  }

  /** What a plan found that reads what exists is beside what others found. */
  #nameOf(reads: boolean): string {
    return reads ? `${this.#stack} as read` : this.#stack;
  }

  async #warm<T>(
    asked: { readonly withDigest: boolean; readonly reads: boolean } | undefined,
    work: (part: {
      readonly warm: WarmPart;
      readonly project: Project;
      readonly known: Recollection;
      readonly sweep: Sweep | undefined;
    }) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const settings = settingsDigest(this.#opened);
    if (settings === undefined) return undefined;
    const name = this.#nameOf(asked?.reads === true);
    let newer: KnownStack | undefined;
    const found = await this.#file.recall(name, async (known) => {
      const stack = await known.stack();
      if (stack?.settings !== settings) return undefined;
      if (asked !== undefined && (stack.plan === undefined || (asked.withDigest && !stack.plan.hasMeanings)))
        return undefined;
      const { project } = this.#opened;
      const most = stack.resources * this.#most;
      const since = asked && stack.plan && (await movedSince(await project.state(), stack.plan, most));
      if (asked !== undefined && since === undefined) return undefined;
      const moved = since && new Set([...since.addresses, ...(stack.plan?.addresses ?? [])]);
      const partWith = (also: readonly BlockNumber[]): Promise<WarmPart | undefined> => {
        const states = new FileState(project.config, this.#begun);
        return warmPart(project.config, stack, known, states, { moved, also, most: this.#most });
      };
      const part: SweptPart | undefined =
        asked?.reads === true
          ? await this.#swept(known, since?.addresses ?? new Set(), partWith)
          : { warm: await partWith([]), sweep: undefined };
      const { warm, sweep } = part ?? {};
      if (warm === undefined) return undefined;
      if (warm.isNewer) newer = warm.stack;
      return this.#inPart(warm, { state: since?.state, sweep }, (opened) =>
        work({ warm, project: opened, known, sweep }),
      );
    });
    await this.#platform.close();
    if (newer !== undefined) await this.#file.keepStack(name, newer);
    return found;
  }

  /** The part, with all that the platform says something else about. */
  async #swept(
    known: Recollection,
    moved: ReadonlySet<Address>,
    partWith: (also: readonly BlockNumber[]) => Promise<WarmPart | undefined>,
  ): Promise<SweptPart | undefined> {
    const lists = await known.lists();
    const warm = lists && (await partWith(lists.unseen));
    if (lists === undefined || warm === undefined) return undefined;
    const written =
      moved.size === 0 ? new Map<string, BlockNumber>() : await numbersOf(known, new Set([...moved].map(topKey)));
    if (written === undefined) return undefined;
    const { resources: objects } = warm.stack;
    const sweep = await this.#platform.sweep(lists, {
      ...{ numbers: warm.numbers, limit: objects * this.#most, objects },
      moved: moved.size === 0 ? 'none' : new Set(written.values()),
    });
    if (sweep === undefined) return undefined;
    return { sweep, warm: sweep.changed.size === 0 ? warm : await partWith([...lists.unseen, ...sweep.changed]) };
  }

  /** What a part says that is loaded as the whole would be; what happens meanwhile is told only if it is believed. */
  async #inPart<T>(
    { part, texts }: WarmPart,
    { state, sweep }: { readonly state: Moved['state'] | undefined; readonly sweep: Sweep | undefined },
    work: (project: Project) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { open, options } = this.#opened;
    const events: Event[] = [];
    let opened: (project: Project) => void = () => undefined;
    const isOpen = new Promise<Project>((resolve) => (opened = resolve));
    const { project, diagnostics } = await open({
      ...options,
      ...(sweep === undefined ? {} : { packages: this.#platform.packagesOf(sweep, () => isOpen) }),
      texts,
      part: { ...part, ...(state === undefined ? {} : { state }) },
      onEvent: (event) => void events.push(event),
    });
    if (project !== undefined) opened(project);
    // How far it has got was told of the whole.
    const isNews = ({ type }: Event): boolean => sweep === undefined || (type !== 'reading' && type !== 'read');
    try {
      const found = project === undefined || diagnostics.length > 0 ? undefined : await work(project);
      if (found !== undefined) for (const event of events.filter(isNews)) options.onEvent?.(event);
      return found;
    } finally {
      await project?.close();
    }
  }

  /** True where nothing that the part says, or does not say any more, means anything to what is not in it. */
  async #isEnough(
    warm: WarmPart,
    known: Recollection,
    desired: DesiredState,
    steps: ReadonlyMap<Address, Step> = new Map(),
  ): Promise<boolean> {
    const { resources, files, keysElsewhere } = desired;
    if (files === undefined || keysElsewhere === undefined || isLeaving(desired)) return false;
    if ([...tellingFiles(desired)].some((file) => !warm.telling.has(file))) return false;
    if ([...warm.same].some((address) => !resources.has(address))) return false;
    const fresh = [...resources.values()].filter(({ address }) => !warm.same.has(address));
    const providers = new Set(warm.stack.providers);
    if (fresh.some(({ type }) => !providers.has(packageNameOf(type)))) return false;
    // What it says of files that it reads holds as it did when all was read.
    if (fresh.length > 0 && files.some(({ reads }) => reads.some(({ text }) => isNoData(text)))) return false;
    const typeOf = await typesOf(this.#opened.project.packages, fresh);
    const ties = new Ties();
    for (const resource of fresh) addResource(ties, resource, typeOf);
    if (ties.isLoose) return false;
    const tops = new Set(fresh.map(({ address }) => topKey(address)));
    const namesakes = tops.size === 0 ? new Map() : await numbersOf(known, tops);
    const isInPart = (number: number): boolean => warm.numbers.has(number);
    if (namesakes === undefined || ![...namesakes.values()].every(isInPart)) return false;
    const keys = [...keysElsewhere()].map(([, key]) => key);
    for (const step of steps.values()) keys.push(...keysTaken(step));
    return (await ownersOf(known, keys))?.every(isInPart) ?? false;
  }
}

/** Keys that an object has in the end, or may get. */
function keysTaken(step: Step): readonly string[] {
  const { type, declared } = step;
  const groups = [...keysOf(type), type.naturalKey];
  const wanted = step.action === 'none' ? [] : groups.flatMap((group) => wantedKeys(type, declared, group));
  return [...finalKeys(step).map(({ key }) => key), ...wanted];
}

/** Blocks with an object that may be one and the same; undefined where the memory does not say. */
async function ownersOf(known: Recollection, keys: readonly string[]): Promise<readonly number[] | undefined> {
  const wanted = new Set(keys.map(keyDigest));
  const all = await known.keys();
  return all?.owners.filter((_, nth) => wanted.has(all.digests.slice(nth * keyLength, (nth + 1) * keyLength)));
}

function resourcesNow({ stack, were }: WarmPart, { resources }: DesiredState): number {
  return stack.resources - were.size + resources.size;
}

/** The last row of the history that a plan has seen; undefined where the state has moved since. */
async function historyOf(
  state: StateStore,
  seen: Pick<Plan, 'lineage' | 'serial'>,
): Promise<KnownPlan['history'] | undefined> {
  const [last] = await state.runs({ limit: 1 });
  const { lineage, serial } = await state.read([]);
  if (lineage !== seen.lineage || serial !== seen.serial) return undefined;
  return { number: last?.number ?? 0, digest: last?.digest ?? '' };
}

interface Moved {
  readonly addresses: ReadonlySet<Address>;
  /** As it is now. */
  readonly state: Pick<StackState, 'lineage' | 'serial'>;
}

/** What the history says was written since; undefined where it does not go back so far, or more than records moved. */
async function movedSince(
  state: StateStore,
  { lineage, history }: KnownPlan,
  most: number,
): Promise<Moved | undefined> {
  const now = await state.read([]);
  if (now.lineage !== lineage || now.intents.length > 0) return undefined;
  const { number, digest } = history;
  const limit = Math.ceil(most) + rowsBeside;
  const rows = await state.runs({ after: Math.max(0, number - 1), limit });
  const [first, ...later] = number === 0 ? [undefined, ...rows] : rows;
  if (rows.length === limit || (number > 0 && (first?.number !== number || first.digest !== digest))) return undefined;
  if (later.some((row, nth) => row?.number !== number + 1 + nth)) return undefined;
  const addresses = new Set<Address>();
  for (const row of later) {
    const kind = row?.content.kind;
    if (kind === 'move' || kind === 'replace' || kind === 'checkpoint') return undefined;
    if (kind === 'record' && row?.address !== undefined) addresses.add(row.address);
  }
  return { addresses, state: now };
}

/** Of runs that write few records. */
const rowsBeside = 1000;

/** The digest of the catalogue, of which the part has what may mean something else now. */
async function wholeDigest(
  known: Recollection,
  { stack, were }: WarmPart,
  desired: DesiredState,
): Promise<string | undefined> {
  const all = new Map<string, string>();
  for (const nth of stack.files.keys()) {
    const meanings = await known.meanings(nth);
    if (meanings === undefined) return undefined;
    for (const key in meanings) all.set(key, meanings[key] ?? '');
  }
  for (const address of were) all.delete(address);
  for (const [key, meaning] of desired.meanings ?? []) all.set(key, meaning);
  return desired.digestWith?.(all);
}

/** The plan of the whole: nothing changes of the `others` that are not in the part. Undefined where its guards could say more of it. */
function wholePlan(
  part: ApplicablePlan,
  seen: KnownPlan | undefined,
  { others, digest, unmanaged }: { readonly others: number; readonly digest: string } & Pick<Plan, 'unmanaged'>,
  { config: { guards } }: Project,
): Plan | undefined {
  const { plan, work } = part;
  const { steps, summary } = plan;
  const recorded = others + work.state.resources.size;
  const isMore = (percent: number, count: number): boolean => count * 100 > percent * recorded;
  const ends = [...work.steps.values()].filter(isEnd).length + work.along.length;
  if (isMore(guards.maxUpdatePercent ?? 100, steps.length) || (ends > 1 && isMore(guards.maxDeletePercent, ends)))
    return undefined;
  if (others === 0 || JSON.stringify(plan.targets) !== seen?.targets) return undefined;
  // How a secret is told depends on the digest of the whole.
  if (JSON.stringify([steps, plan.outputs, plan.parameters]).includes('"$secret"')) return undefined;
  const { digest: _digest, catalogueDigest: _catalogue, ...body } = plan;
  const whole = {
    ...body,
    summary: { ...summary, unchanged: summary.unchanged + others },
    unmanaged: [...plan.unmanaged, ...unmanaged].sort((a, b) =>
      compareText(`${a.type} ${a.under ?? ''}`, `${b.type} ${b.under ?? ''}`),
    ),
  };
  return withDigests({ ...whole, guards: plan.guards.filter((each) => !isOfTheWhole(each)) }, { digest });
}
