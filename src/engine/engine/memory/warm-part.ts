import { resolve } from 'node:path';
import { topKey, type Address } from '@platform-sync/core/model/address';
import { catalogueFiles, overlayFiles } from '@platform-sync/catalogue/read-files';
import { hasSections } from '@platform-sync/catalogue/read/file-texts';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { ProjectPart } from '../api.js';
import {
  type Block,
  type Blocks,
  blocksOf,
  digestOf,
  wholeBlock,
  withoutBlocks,
  type BlockNumber,
  mostBlocks,
} from './blocks.js';
import type { FileState } from './circumstances.js';
import { aroundOf, isReading } from './learn.js';
import { type KnownBlocks, type KnownStack, type Recollection } from './memory-file.js';

/** The part of a project that says all there is to say, and what is known of it. */
export interface WarmPart {
  readonly part: Pick<ProjectPart, 'files' | 'addresses'>;
  /** What stands for its files: without the blocks that have nothing to say. */
  readonly texts: ReadonlyMap<string, string>;
  /** Blocks that are in it, or were. */
  readonly numbers: ReadonlySet<BlockNumber>;
  /** Addresses that were in those. */
  readonly were: ReadonlySet<Address>;
  /** Addresses in blocks that stand as they stood. */
  readonly same: ReadonlySet<Address>;
  /** Those of its files that give more than resources. */
  readonly telling: ReadonlySet<string>;
  /** Files of the catalogue, all of them. */
  readonly files: number;
  /** The stack as it is known now: with newer stamps of its files, where there are any. */
  readonly stack: KnownStack;
  readonly isNewer: boolean;
}

/** What is asked of a part, beside what the files say. */
interface WarmQuestion {
  /** Records that were written since; undefined: nobody asks for a plan. */
  readonly moved: ReadonlySet<Address> | undefined;
  /** Blocks that are looked at in any case. */
  readonly also: readonly BlockNumber[];
  /** The share of all resources beyond which all is read. */
  readonly most: number;
}

/** A file that is not as it was, or is new. */
interface FileNow {
  readonly file: string;
  /** Its number; undefined for a new one. */
  readonly nth: number | undefined;
  readonly text: string;
  readonly split: Blocks;
  /** Blocks as they stand now, with the number of each that was there. */
  readonly blocks: readonly (Block & { readonly isFresh: boolean; readonly number: BlockNumber | undefined })[];
  /** Numbers of blocks that are not there any more. */
  readonly gone: readonly BlockNumber[];
}

const isAsBefore = ({ nth, blocks, gone }: FileNow): boolean =>
  nth !== undefined && gone.length === 0 && blocks.every(({ isFresh }) => !isFresh);

/** What changed since, and what that reaches; undefined where everything may mean something else. */
export async function warmPart(
  config: ProjectConfig,
  stack: KnownStack,
  known: Recollection,
  states: FileState,
  { moved, also, most }: WarmQuestion,
): Promise<WarmPart | undefined> {
  const overlays = new Set(await overlayFiles(config));
  const found = [...(await catalogueFiles(config)).files, ...overlays];
  const [data, files] = [seenData(stack, states), new KnownFiles(stack, known, states, overlays)];
  const now = data && (await files.look(found));
  if (data === undefined || now === undefined) return undefined;
  const changed = now.files.flatMap(({ blocks, gone }) => [
    ...gone,
    ...blocks.flatMap(({ isFresh, number }) => (isFresh && number !== undefined ? [number] : [])),
  ]);
  const gone = new Set([...now.gone, ...now.files.flatMap((each) => each.gone)]);
  if (stack.always.some((number) => gone.has(number))) return undefined;
  const linked = await linkedBlocks(now.files, known, moved ?? new Set());
  if (linked === undefined) return undefined;
  const steps = moved === undefined ? [] : [...(stack.plan?.steps ?? []), ...linked.moved];
  const begun = [...now.gone, ...changed, ...(await files.reading(data.changed)), ...stack.always, ...steps, ...also];
  const limit = stack.resources * most;
  const using = await files.reach(begun, 'users', limit);
  const reached = using && (await files.reach([...using, ...linked.named], 'needs', limit));
  if (reached === undefined) return undefined;
  const newer = { ...stack, files: merged(stack.files, now.restamped), data: merged(stack.data, data.restamped) };
  const isNewer = now.restamped.size + data.restamped.size > 0;
  const part = await files.part(config.root, { found, now: now.files, reached, gone, moved: moved ?? new Set() });
  if (part === undefined || part.part.addresses.length > limit) return undefined;
  return { ...part, files: now.count, stack: newer, isNewer };
}

type Stamps = ReadonlyMap<number, { readonly stamp: string }>;

function merged<File extends object>(files: readonly File[], restamped: Stamps): readonly File[] {
  return restamped.size === 0 ? files : files.map((file, nth) => ({ ...file, ...restamped.get(nth) }));
}

/** Which data is another now; undefined where it can't be read, or has become a part of the catalogue. */
function seenData(
  { data }: KnownStack,
  states: FileState,
): { readonly changed: ReadonlySet<string>; readonly restamped: Stamps } | undefined {
  const changed = new Set<string>();
  const restamped = new Map<number, { readonly stamp: string }>();
  for (const [nth, known] of data.entries()) {
    if (known.digest !== '' && states.isSame(known)) continue;
    const read = states.read(known.file);
    if (!read.ok) return undefined;
    const { stamp } = states.known(known.file);
    if (digestOf(read.text) === known.digest) {
      if (stamp !== '') restamped.set(nth, { stamp });
    } else if (hasSections(read.text)) return undefined;
    else changed.add(known.file);
  }
  return { changed, restamped };
}

/** `${key.field}`, and lists of keys. */
const names = /\$\{\s*([A-Za-z_][\w-]*)|dependsOn:[^\n]*(?:\n\s+-[^\n]*)*/g;

/** Blocks that fresh ones name, and those of records that were written; undefined where nobody knows. */
async function linkedBlocks(
  files: readonly FileNow[],
  known: Recollection,
  moved: ReadonlySet<Address>,
): Promise<{ readonly named: readonly BlockNumber[]; readonly moved: readonly BlockNumber[] } | undefined> {
  const named = new Set<string>();
  for (const { text, blocks } of files)
    for (const { start, end, isFresh } of blocks)
      for (const [all, key] of isFresh ? text.slice(start, end).matchAll(names) : [])
        for (const each of key === undefined ? (all.match(/[A-Za-z_][\w-]*/g) ?? []) : [key]) named.add(each);
  const written = new Set([...moved].map(topKey));
  if (named.size + written.size === 0) return { named: [], moved: [] };
  const numbers = await numbersOf(known, new Set([...named, ...written]));
  const those = (keys: ReadonlySet<string>): readonly BlockNumber[] =>
    [...keys].flatMap((key) => numbers?.get(key) ?? []);
  return numbers && { named: those(named), moved: those(written) };
}

/** The blocks of these keys, or of all, as far as they are known; undefined where the memory does not say. */
export async function numbersOf(
  known: Recollection,
  keys: ReadonlySet<string> | 'all',
): Promise<ReadonlyMap<string, BlockNumber> | undefined> {
  const all = await known.names();
  if (all === undefined) return undefined;
  const found = new Map<string, BlockNumber>();
  for (const [nth, text] of all.entries()) {
    const isWhole = text.startsWith(' ');
    for (const [at, key] of (isWhole ? text.slice(1) : text).split(' ').entries())
      if (keys === 'all' || keys.has(key)) found.set(key, nth * mostBlocks + (isWhole ? 0 : at));
  }
  return found;
}

/** Files as they are remembered, each recalled when it is first asked for, beside what they are now. */
class KnownFiles {
  readonly #stack: KnownStack;
  readonly #known: Recollection;
  readonly #states: FileState;
  /** They are read in any case. */
  readonly #overlays: ReadonlySet<string>;
  readonly #recalled = new Map<number, KnownBlocks>();

  constructor(stack: KnownStack, known: Recollection, states: FileState, overlays: ReadonlySet<string>) {
    this.#stack = stack;
    this.#known = known;
    this.#states = states;
    this.#overlays = overlays;
  }

  async #recall(nth: number): Promise<KnownBlocks | undefined> {
    const found = this.#recalled.get(nth) ?? (await this.#known.blocks(nth));
    if (found !== undefined) this.#recalled.set(nth, found);
    return found;
  }

  /** All files that are not what they were. */
  async look(found: readonly string[]): Promise<
    | {
        readonly files: readonly FileNow[];
        /** Blocks of files that are gone. */
        readonly gone: readonly BlockNumber[];
        readonly count: number;
        readonly restamped: Stamps;
      }
    | undefined
  > {
    const [left, data] = [new Set(found), new Set(this.#stack.data.map(({ file }) => file))];
    const files: FileNow[] = [];
    const gone: BlockNumber[] = [];
    const restamped = new Map<number, { readonly stamp: string }>();
    let count = 0;
    for (const [nth, known] of this.#stack.files.entries()) {
      if (!left.delete(known.file)) {
        const blocks = await this.#recall(nth);
        if (blocks === undefined || blocks.isTelling) return undefined;
        gone.push(...blocks.keys.map((_, at) => nth * mostBlocks + at));
        continue;
      }
      count += 1;
      if (this.#states.isSame(known)) continue;
      const now = await this.#now(nth, known.file);
      if (now === undefined) return undefined;
      if (!isAsBefore(now)) files.push(now);
      else {
        const { stamp } = this.#states.known(known.file);
        if (stamp !== '') restamped.set(nth, { stamp });
      }
    }
    // Whether what matches is data may be another thing where files come and go.
    if (this.#stack.isMixed)
      return [...left].every((file) => data.has(file)) && gone.length === 0
        ? { files, gone, count, restamped }
        : undefined;
    for (const file of left) {
      const now = data.has(file) || this.#overlays.has(file) ? undefined : this.#new(file);
      if (now === undefined) return undefined;
      files.push(now);
      count += 1;
    }
    return { files, gone, count, restamped };
  }

  #new(file: string): FileNow | undefined {
    const read = this.#states.read(file);
    if (!read.ok || !hasSections(read.text)) return undefined;
    const { text } = read;
    const split = wholeBlock(text);
    return {
      file,
      nth: undefined,
      text,
      split,
      gone: [],
      blocks: split.blocks.map((block) => ({ ...block, isFresh: true, number: undefined })),
    };
  }

  async #now(nth: number, file: string): Promise<FileNow | undefined> {
    const [known, read] = [await this.#recall(nth), this.#states.read(file)];
    return known === undefined || !read.ok ? undefined : this.#compared(nth, file, known, read.text);
  }

  /** What became of a file; undefined where that may change what others mean. */
  #compared(nth: number, file: string, known: KnownBlocks, text: string): FileNow | undefined {
    const numbers = new Map(known.keys.map((key, at) => [key, at]));
    const lines = numbers.has('') ? wholeBlock(text) : blocksOf(text);
    const isAlike = digestOf(aroundOf(text, lines, known.isTelling)) === known.around;
    const isOther = !numbers.has('') && lines.blocks[0]?.key === '';
    if (!hasSections(text) || (known.isTelling && (!isAlike || isOther))) return undefined;
    // What stands around blocks may have a say in all of them.
    const isAnew = !isAlike || isOther;
    const reading = new Set(known.reading);
    const split = isAnew ? wholeBlock(text) : lines;
    const blocks = split.blocks.map((block) => {
      const at = isAnew ? undefined : numbers.get(block.key);
      const own = text.slice(block.start, block.end);
      const isFresh = at === undefined || digestOf(own) !== known.digests[at];
      // A file that nobody reads any more would be read as a part of the catalogue, and the other way round.
      const isFreed = this.#stack.isMixed && isFresh && (isReading(own) || (at !== undefined && reading.has(at)));
      return { ...block, isFresh, isFreed, number: at === undefined ? undefined : nth * mostBlocks + at };
    });
    const kept = new Set(blocks.map(({ number }) => number));
    const gone = known.keys.map((_, at) => nth * mostBlocks + at).filter((number) => !kept.has(number));
    const isFreed =
      blocks.some((block) => block.isFreed) || (this.#stack.isMixed && gone.length > 0 && reading.size > 0);
    return isFreed ? undefined : { file, nth, text, split, blocks, gone };
  }

  /** Blocks that read one of these files. */
  async reading(data: ReadonlySet<string>): Promise<readonly BlockNumber[]> {
    const found: BlockNumber[] = [];
    for (const [nth, { reads }] of this.#stack.files.entries()) {
      if (!reads.some((file) => data.has(file))) continue;
      const known = await this.#recall(nth);
      found.push(...(known?.reading ?? []).map((at) => nth * mostBlocks + at));
    }
    return found;
  }

  /** These, and all that uses them or that they need, over and over; undefined where that is more than a limit. */
  async reach(
    begun: readonly BlockNumber[],
    by: 'users' | 'needs',
    limit: number,
  ): Promise<readonly BlockNumber[] | undefined> {
    const reached = new Set(begun);
    for (const number of reached) {
      const known = await this.#recall(Math.floor(number / mostBlocks));
      if (known === undefined || reached.size > limit) return undefined;
      for (const other of known[by][number % mostBlocks] ?? []) reached.add(other);
    }
    return [...reached];
  }

  async part(
    root: string,
    {
      found,
      now,
      reached,
      gone,
      moved,
    }: {
      readonly found: readonly string[];
      readonly now: readonly FileNow[];
      readonly reached: readonly BlockNumber[];
      readonly gone: ReadonlySet<BlockNumber>;
      readonly moved: ReadonlySet<Address>;
    },
  ): Promise<Pick<WarmPart, 'part' | 'texts' | 'numbers' | 'were' | 'same' | 'telling'> | undefined> {
    const numbers = new Set(reached);
    const nows = new Map(now.map((each) => [each.file, each]));
    const nths = new Set(reached.map((number) => Math.floor(number / mostBlocks)));
    for (const nth of nths) {
      const file = this.#stack.files[nth]?.file;
      if (file === undefined || nows.has(file) || !found.includes(file)) continue;
      // It may have been written since its stamp was looked at: then it is another one now.
      const seen = await this.#now(nth, file);
      if (seen === undefined || seen.gone.length > 0) return undefined;
      if (seen.blocks.some(({ isFresh, number }) => isFresh && !this.#isAlive(number))) return undefined;
      nows.set(file, seen);
    }
    const texts = new Map<string, string>();
    const files: string[] = [];
    const [were, same, telling] = [new Set<Address>(), new Set<Address>(), new Set<string>()];
    for (const number of numbers) for (const address of this.#addresses(number)) were.add(address);
    for (const file of found) {
      const each = nows.get(file);
      const isKept = (at: number): boolean => {
        const block = each?.blocks[at];
        return block?.number === undefined ? block?.isFresh === true : numbers.has(block.number);
      };
      if (each === undefined || !each.blocks.some((_, at) => isKept(at))) continue;
      if (!this.#overlays.has(file)) files.push(file);
      if (each.nth !== undefined && this.#recalled.get(each.nth)?.isTelling === true) telling.add(file);
      texts.set(resolve(root, file), withoutBlocks(each.text, each.split, isKept));
      for (const { number, isFresh } of each.blocks)
        if (!isFresh && number !== undefined && numbers.has(number) && !gone.has(number))
          for (const address of this.#addresses(number)) same.add(address);
    }
    const addresses = [...new Set([...were, ...moved])];
    return { part: { files, addresses }, texts, numbers, were, same, telling };
  }

  /** Nothing is known of its text: it is evaluated anew in any case. */
  #isAlive(number: BlockNumber | undefined): boolean {
    const known = number === undefined ? undefined : this.#recalled.get(Math.floor(number / mostBlocks));
    return known?.digests[(number ?? 0) % mostBlocks] === '';
  }

  #addresses(number: BlockNumber): readonly Address[] {
    const known = this.#recalled.get(Math.floor(number / mostBlocks));
    const at = number % mostBlocks;
    const tree = known?.trees[known.treeOf[at] ?? -1] ?? '';
    return tree
      .split('\n')
      .slice(1)
      .map((rest) => `${known?.keys[at] ?? ''}${rest}`);
  }
}
