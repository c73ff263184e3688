import { type Address, topKey } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState, ReadText } from '@platform-sync/core/model/desired';
import type { GuardFinding, Plan } from '@platform-sync/core/model/plan';
import { packageNameOf, keysOf } from '@platform-sync/core/model/resource-type';
import type { StackState } from '@platform-sync/core/model/state';
import { addTo } from '@platform-sync/core/model/graph';
import { heldKeys } from '../plan/claims.js';
import type { Step } from '../plan/step.js';
import { isSpecificationOverlay } from '@platform-sync/catalogue/read/data-files';
import { hasSections } from '@platform-sync/catalogue/read/file-texts';
import { catalogueFiles, overlayFiles } from '@platform-sync/catalogue/read-files';
import { declaredVariables } from '@platform-sync/catalogue/build/variables';
import { type Blocks, blocksOf, digestOf, wholeBlock, type BlockNumber, mostBlocks } from './blocks.js';
import { type Circumstances, FileState, settingsDigest } from './circumstances.js';
import { type KnownBlocks, type KnownKeys, type KnownPlan, type Lesson } from './memory-file.js';
import type { Heard, KnownLists } from './lists.js';
import { Ties, tiesAround, type TypeOf, typesOf } from './ties.js';

/** What a run that loaded all of a project found. */
export interface Found {
  readonly desired: DesiredState;
  /** A plan of the whole, and where the history of the state stood. */
  readonly plan?: {
    readonly made: Plan;
    /** All that was decided. */
    readonly steps: ReadonlyMap<Address, Step>;
    readonly history: KnownPlan['history'];
    readonly isWritten: boolean;
    readonly records: StackState['resources'];
    /** Of one that read what exists: what it heard. */
    readonly heard: Heard | undefined;
  };
  /** When it began, milliseconds. */
  readonly begun: number;
}

/** What to remember of it; undefined where something of a kind is in it that is not remembered. */
export async function lessonOf(where: Circumstances, { desired, plan, begun }: Found): Promise<Lesson | undefined> {
  const settings = settingsDigest(where);
  const { config, packages } = where.project;
  const { files, keysElsewhere } = desired;
  if (settings === undefined || files === undefined || keysElsewhere === undefined || isLeaving(desired))
    return undefined;
  const states = new FileState(config, begun);
  const reads = files.flatMap((each) => each.reads);
  const matching = [...(await catalogueFiles(config)).files, ...(await overlayFiles(config))];
  const isRead = new Set([...files, ...reads].map(({ file }) => file));
  if (reads.some(({ text }) => isNoData(text)) || !matching.every((file) => isRead.has(file))) return undefined;
  const written = writtenFiles(desired, files);
  if (written === undefined) return undefined;
  const typeOf = await typesOf(packages, firstOfTypes(desired));
  const ties = tiesOfAll(written, typeOf);
  const numbers = numbersOf(written);
  const patched = patchedBlocks(written, numbers);
  if (ties === undefined || patched === undefined) return undefined;
  const read = new Map(reads.map(({ file, text }) => [file, text]));
  const secret = new Set(
    written.flatMap((each, nth) => (maySeeSecret(each, ties.isAlive[nth] ?? []) ? each.reads : [])),
  );
  const always = [...aliveBlocks(ties), ...aroundBlocks(desired, written, numbers), ...patched];
  const stack: Lesson['stack'] = {
    settings,
    files: written.map(({ file, reads: own }) => ({ ...states.known(file), reads: own })),
    isMixed: matching.some((file) => read.has(file)),
    data: [...read].map(([file, text]) => ({
      ...states.known(file),
      digest: secret.has(file) ? '' : digestOf(text),
    })),
    resources: desired.resources.size,
    providers: [...providersOf(desired).keys()],
    always: [...new Set(always)],
  };
  const seen = plan && isQuiet(plan.made, desired) ? plan : undefined;
  // Of a plan that read what exists, nothing is known where nothing is known of that.
  const lists = seen?.heard && listsOf(seen, numbers, typeOf);
  if (plan?.heard !== undefined && lists === undefined) return undefined;
  return {
    stack: seen === undefined ? stack : { ...stack, plan: knownPlan(seen, numbers) },
    blocks: knownBlocks(written, ties, numbers),
    names: written.map(({ keys, split }) => `${isWhole(split) ? ' ' : ''}${keys.join(' ')}`),
    keys: knownKeys([...keysElsewhere(), ...(seen === undefined ? [] : keysHeld(seen.steps))], numbers, ties),
    meanings: seen?.isWritten === true ? meaningsOf(written, ties, desired.meanings ?? new Map()) : [],
    lists,
  };
}

/** Of what leaves the catalogue by name, and of variables and outputs made of more than files, nothing is remembered. */
export function isLeaving({ removed, moved, variables, outputs }: DesiredState): boolean {
  const [seen, told] = [tiesAround(declaredVariables(variables).values()), tiesAround(outputs.values())];
  return removed !== undefined || moved !== undefined || seen.isAlive || told.isAlive || seen.needs.size > 0;
}

/** It reads files of its own, or is part of the catalogue. */
export function isNoData(text: ReadText['text']): boolean {
  return isSpecificationOverlay(text) || hasSections(text);
}

/** What stands around blocks counts by its text alone, and so does what an overlay gives everywhere; all else in one is evaluated anew. */
function readsMore(around: string, isOverlay: boolean): boolean {
  const isNear = isOverlay && !around.includes('defaults');
  return (isNear ? /!secret\b|fn::/ : /!(?:file|env|secret|lookup)\b|fn::/).test(around);
}

/** By what it says, or may say in another spelling: with escapes of a quoted text, or of a tag. */
export function isReading(text: string): boolean {
  return text.includes('!file') || text.includes('readFile') || /[\\%]/.test(text);
}

/** Files with variables or outputs. */
export function tellingFiles({ variables, outputs }: DesiredState): ReadonlySet<string> {
  return new Set([...declaredVariables(variables).values(), ...outputs.values()].map(({ at }) => at.file));
}

const plainActions: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'delete']);

/** True for a guard that looks at how much there is in all. */
export function isOfTheWhole({ name }: GuardFinding): boolean {
  return /^(?:max\w+Percent$|emptyCatalogue$)/.test(name);
}

/** True where nothing is said but what is made, changed and ended, and why, and what nobody manages. */
export function isQuiet(plan: Plan, { resources }: Pick<DesiredState, 'resources'>): boolean {
  const said = [plan.notCompared, plan.undeclaredChanges, plan.notices];
  if (said.some(({ length }) => length > 0) || Object.keys(plan.lookups).length > 0) return false;
  if (plan.policies !== undefined || plan.partial !== undefined || plan.leftOut !== undefined) return false;
  const wanted = plan.steps.filter(({ address }) => resources.has(address));
  return (
    plan.steps.every(({ action }) => plainActions.has(action)) &&
    plan.summary.unchanged + wanted.length === resources.size
  );
}

interface WrittenFile {
  readonly file: string;
  readonly text: string;
  readonly reads: readonly string[];
  readonly isTelling: boolean;
  readonly split: Blocks;
  /** Of its resources at the top. */
  readonly keys: readonly string[];
  readonly resources: readonly DesiredResource[];
  /** Of each block, where its resources end. */
  readonly ends: readonly number[];
  /** Of an overlay: what it patches. */
  readonly patched: readonly Address[] | undefined;
  readonly patchedResources: readonly DesiredResource[];
}

const isWhole = ({ blocks: [first] }: Blocks): boolean => first?.key === '';

/** The catalogue's files in blocks; undefined where more stands around them than their text says. */
function writtenFiles(
  desired: DesiredState,
  files: NonNullable<DesiredState['files']>,
): readonly WrittenFile[] | undefined {
  const byFile = new Map<string, DesiredResource[]>();
  let own: DesiredResource[] | undefined;
  let last: string | undefined;
  for (const resource of desired.resources.values()) {
    const { file } = resource.at;
    if (own === undefined || file !== last) {
      own = byFile.get(file) ?? [];
      byFile.set((last = file), own);
    }
    own.push(resource);
  }
  const telling = tellingFiles(desired);
  const allPatched = new Set(files.flatMap(({ patched = [] }) => patched));
  const written: WrittenFile[] = [];
  for (const { file, text, reads, patched } of files) {
    const resources = byFile.get(file) ?? [];
    const isOverlay = patched !== undefined;
    const isTelling = telling.has(file) || isOverlay;
    const [lines, whole] = [isOverlay ? undefined : blocksOf(text), wholeBlock(text)];
    const filled = (lines && filledBlocks(lines, resources, allPatched)) ?? filledBlocks(whole, resources, allPatched);
    if (filled === undefined || !hasSections(text)) return undefined;
    const around = aroundOf(text, filled.split, isTelling);
    if (readsMore(around, isOverlay) || (reads.length > 0 && !isOverlay && isReading(around))) return undefined;
    const patchedResources = (patched ?? []).flatMap((address) => desired.resources.get(address) ?? []);
    const own = { file, text, isTelling, resources, patched, patchedResources };
    written.push({ ...own, reads: reads.map((each) => each.file), ...filled });
  }
  return written;
}

/** Which resources stand in which block; undefined where the parser saw other blocks than the lines show. One that is patched may be off. */
function filledBlocks(
  split: Blocks,
  resources: readonly DesiredResource[],
  patched: ReadonlySet<Address>,
): Pick<WrittenFile, 'split' | 'keys' | 'ends'> | undefined {
  const ends: number[] = [];
  const keys: string[] = [];
  let at = 0;
  for (const { key, start, end } of split.blocks) {
    const from = at;
    for (; at < resources.length; at += 1) {
      const resource = resources[at];
      if (resource === undefined || resource.at.start >= end) break;
      const { address } = resource;
      const isOther = key !== '' && (!address.startsWith(key) || !isKeyEnd(address, key.length));
      if (resource.at.start < start || isOther) return undefined;
      if (!address.includes('/')) keys.push(address);
    }
    if (key !== '' && at === from) {
      if (!patched.has(key)) return undefined;
      keys.push(key);
    }
    ends.push(at);
  }
  return at === resources.length && split.blocks.length <= mostBlocks ? { split, keys, ends } : undefined;
}

function isKeyEnd(address: string, at: number): boolean {
  return at === address.length || address.charCodeAt(at) === 47;
}

/** Of a file that stands as one block, all of it where it tells more. */
export function aroundOf(text: string, split: Blocks, isTelling: boolean): string {
  return isWhole(split) ? (isTelling ? text : '') : split.around;
}

/** What may hold a secret reads files, which may hold it. */
function maySeeSecret({ text, split }: WrittenFile, isAlive: readonly boolean[]): boolean {
  return split.blocks.some(({ start, end }, at) => isAlive[at] === true && isReading(text.slice(start, end)));
}

type Numbers = ReadonlyMap<string, BlockNumber>;

/** Key at the top → block. */
function numbersOf(written: readonly WrittenFile[]): Numbers {
  const numbers = new Map<string, BlockNumber>();
  for (const [nth, { keys, split }] of written.entries())
    for (const [at, key] of keys.entries()) numbers.set(key, nth * mostBlocks + (isWhole(split) ? 0 : at));
  return numbers;
}

interface AllTies {
  /** By file and block, those that need something. */
  readonly needs: readonly (readonly ReadonlySet<string>[])[];
  readonly isAlive: readonly (readonly boolean[])[];
}

/** Overlays, and blocks of what they patch, are looked at come what may; undefined where one of those is not known. */
function patchedBlocks(written: readonly WrittenFile[], numbers: Numbers): readonly BlockNumber[] | undefined {
  const found: BlockNumber[] = [];
  for (const [nth, { patched }] of written.entries()) {
    if (patched === undefined) continue;
    found.push(nth * mostBlocks);
    for (const address of patched) {
      const number = numbers.get(topKey(address));
      if (number === undefined) return undefined;
      found.push(number);
    }
  }
  return found;
}

/** Undefined where a resource's key or place depends on more than the files say, or a secret stands in what is known by its text. */
function tiesOfAll(written: readonly WrittenFile[], typeOf: TypeOf): AllTies | undefined {
  const ties = new Ties();
  const isGiven = written.some(({ text, split, isTelling }) => aroundOf(text, split, isTelling).includes('defaults'));
  const needs: Ties['needs'][][] = [];
  const isAlive: boolean[][] = [];
  for (const { resources, ends, split, isTelling, patchedResources } of written) {
    const [need, alive]: [Ties['needs'][], boolean[]] = [[], []];
    let at = 0;
    for (const end of ends) {
      ties.clear();
      for (; at < end; at += 1) addResource(ties, resources[at], typeOf);
      if (ties.isLoose || (ties.isSecret && (isGiven || (isTelling && isWhole(split))))) return undefined;
      need.push(ties.needs);
      alive.push(ties.isAlive);
    }
    needs.push(need);
    isAlive.push(alive);
    ties.clear();
    for (const resource of patchedResources) addResource(ties, resource, typeOf);
    if (ties.isSecret) return undefined;
  }
  return { needs, isAlive };
}

/** What is of a type that nobody describes may mean anything. */
export function addResource(ties: Ties, resource: DesiredResource | undefined, typeOf: TypeOf): void {
  const type = resource && typeOf(resource.type);
  if (resource === undefined || type === undefined) ties.isLoose = true;
  else ties.add(resource, type);
}

function aliveBlocks({ isAlive }: AllTies): readonly BlockNumber[] {
  return isAlive.flatMap((own, nth) => own.flatMap((each, at) => (each ? [nth * mostBlocks + at] : [])));
}

function firstOfTypes({ resources }: DesiredState): readonly DesiredResource[] {
  const byType = new Map<string, DesiredResource>();
  for (const resource of resources.values()) if (!byType.has(resource.type)) byType.set(resource.type, resource);
  return [...byType.values()];
}

/** A resource of each provider. */
function providersOf(desired: DesiredState): ReadonlyMap<string, DesiredResource> {
  return new Map(firstOfTypes(desired).map((each) => [packageNameOf(each.type), each]));
}

/** One resource of each provider, which is started for it; what outputs tell of; and one block beside whatever else stands in its file. */
function aroundBlocks(
  desired: DesiredState,
  written: readonly WrittenFile[],
  numbers: Numbers,
): readonly BlockNumber[] {
  const started = [...providersOf(desired).values()].map(({ address }) => topKey(address));
  const told = [...started, ...tiesAround(desired.outputs.values()).needs].flatMap((key) => numbers.get(key) ?? []);
  const beside = written.flatMap(({ isTelling, ends }, nth) =>
    isTelling && ends.length > 0 ? [nth * mostBlocks] : [],
  );
  return [...told, ...beside];
}

export function knownPlan(
  { made, history, isWritten }: Pick<NonNullable<Found['plan']>, 'made' | 'history' | 'isWritten'>,
  numbers: Numbers,
): KnownPlan {
  const { lineage, targets, steps } = made;
  const addresses = steps.flatMap(({ address, from }) => (from === undefined ? [address] : [address, from]));
  const changing = new Set(addresses.flatMap((address) => numbers.get(topKey(address)) ?? []));
  return {
    ...{ lineage, history, targets: JSON.stringify(targets), hasMeanings: isWritten },
    ...{ steps: [...changing], addresses },
  };
}

/** Undefined where a record is neither in the catalogue nor in the plan. */
function listsOf(
  { made, records, heard }: NonNullable<Found['plan']>,
  numbers: Numbers,
  typeOf: TypeOf,
): KnownLists | undefined {
  const planned = new Set(made.steps.flatMap(({ address, from }) => [address, from ?? address]));
  const blockOf = (address: Address): BlockNumber | undefined => numbers.get(topKey(address));
  for (const address of records.keys()) if (blockOf(address) === undefined && !planned.has(address)) return undefined;
  return heard?.known({ records, unmanaged: made.unmanaged }, typeOf, blockOf);
}

function knownBlocks(written: readonly WrittenFile[], ties: AllTies, numbers: Numbers): readonly KnownBlocks[] {
  const users = new Map<BlockNumber, BlockNumber[]>();
  const needs = written.map((_, nth) => {
    const own = new Map<number, readonly BlockNumber[]>();
    for (const [at, keys] of (ties.needs[nth] ?? []).entries()) {
      if (keys.size === 0) continue;
      const number = nth * mostBlocks + at;
      const others = new Set([...keys].flatMap((key) => numbers.get(key) ?? []));
      others.delete(number);
      for (const needed of others) addTo(users, needed, number);
      own.set(at, [...others]);
    }
    return own;
  });
  const using = written.map(() => new Map<number, readonly BlockNumber[]>());
  for (const [needed, own] of users) using[Math.floor(needed / mostBlocks)]?.set(needed % mostBlocks, own);
  return written.map(({ text, isTelling, split, ...file }, nth) => ({
    around: digestOf(aroundOf(text, split, isTelling)),
    isTelling,
    keys: split.blocks.map(({ key }) => key),
    digests: split.blocks.map(({ start, end }, at) =>
      ties.isAlive[nth]?.[at] === true ? '' : digestOf(text.slice(start, end)),
    ),
    reading:
      file.reads.length === 0
        ? []
        : split.blocks.flatMap(({ start, end }, at) => (isReading(text.slice(start, end)) ? [at] : [])),
    needs: Object.fromEntries(needs[nth] ?? []),
    users: Object.fromEntries(using[nth] ?? []),
    ...treesOf(split, file),
  }));
}

function treesOf(
  { blocks }: Blocks,
  { resources, ends }: Pick<WrittenFile, 'resources' | 'ends'>,
): Pick<KnownBlocks, 'trees' | 'treeOf'> {
  const places = new Map<string, number>();
  const treeOf = blocks.map(({ key }, nth) => {
    let tree = '';
    for (let at = ends[nth - 1] ?? 0; at < (ends[nth] ?? 0); at += 1)
      tree += `\n${resources[at]?.address.slice(key.length) ?? ''}`;
    const place = places.get(tree) ?? places.size;
    places.set(tree, place);
    return place;
  });
  return { trees: [...places.keys()], treeOf };
}

/** So long is the digest of a key: where two are equal that are none, more is worked out anew than has to be. */
export const keyLength = 8;

export const keyDigest = (key: string): string => digestOf(key).slice(0, keyLength);

export function knownKeys(
  all: Iterable<readonly [string, string]>,
  numbers: Numbers,
  { isAlive }: Pick<AllTies, 'isAlive'>,
): KnownKeys {
  let digests = '';
  const owners: BlockNumber[] = [];
  for (const [address, key] of all) {
    const number = numbers.get(topKey(address)) ?? -1;
    // What may be made of a secret is evaluated anew, and its keys with it.
    if (isAlive[Math.floor(number / mostBlocks)]?.[number % mostBlocks] !== false) continue;
    digests += keyDigest(key);
    owners.push(number);
  }
  return { digests, owners };
}

/** Keys of objects as they are, but for those that only others in what they live in could have: these stand in the same tree, or use it. */
export function* keysHeld(steps: ReadonlyMap<Address, Step>): Iterable<readonly [Address, string]> {
  for (const step of steps.values()) {
    const { address, type, desired } = step;
    const place = type.parent?.field;
    const above = place === undefined ? undefined : desired?.properties.get(place);
    const isInTree = above?.kind === 'reference' && above.to === 'resource' && topKey(above.target) === topKey(address);
    if (isInTree && keysOf(type).every((group) => group.includes(place ?? ''))) continue;
    for (const { key, group } of heldKeys(step)) if (!isInTree || !group.includes(place ?? '')) yield [address, key];
  }
}

function meaningsOf(
  written: readonly WrittenFile[],
  { isAlive }: AllTies,
  all: ReadonlyMap<string, string>,
): Lesson['meanings'] {
  return written.map(({ keys, split }, nth) => {
    const isLasting = (at: number): boolean => isAlive[nth]?.[isWhole(split) ? 0 : at] === false;
    return Object.fromEntries(
      keys.flatMap((key, at) => (isLasting(at) && all.has(key) ? [[key, all.get(key) ?? '']] : [])),
    );
  });
}
