import { resolve } from 'node:path';
import { catalogueFiles } from '@platform-sync/catalogue/read-files';
import { hasSections } from '@platform-sync/catalogue/read/file-texts';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { ProjectPart } from '../api.js';
import { type Blocks, blocksOf, digestOf, wholeBlock, withoutBlocks } from './blocks.js';
import type { FileState } from './circumstances.js';
import { isReading } from './learn.js';
import {
  type BlockNumber,
  type KnownBlock,
  type KnownBlocks,
  type KnownFile,
  type KnownStack,
  mostBlocks,
  type Recollection,
} from './memory-file.js';

/** The part of a project that says all there is to say, and what is known of it. */
export interface WarmPart {
  readonly part: Pick<ProjectPart, 'files' | 'addresses'>;
  /** What stands for its files: without the blocks that have nothing to say. */
  readonly texts: ReadonlyMap<string, string>;
  readonly blocks: readonly KnownBlock[];
  /** Numbers of the files whose blocks may mean something else now. */
  readonly files: readonly number[];
  /** The stack as it is known now: with newer stamps of its files, where there are any. */
  readonly stack: KnownStack;
  readonly isNewer: boolean;
}

/** What changed since, and what that reaches; undefined where more may have changed than plain values. */
export async function warmPart(
  config: ProjectConfig,
  stack: KnownStack,
  known: Recollection,
  states: FileState,
  { isPlan, most }: { readonly isPlan: boolean; readonly most: number },
): Promise<WarmPart | undefined> {
  const { files: found } = await catalogueFiles(config);
  if (digestOf(found.join('\n')) !== stack.found) return undefined;
  const data = seen(stack.data, states);
  // What was data may have become a part of the catalogue.
  if (data === undefined || data.changed.some(({ text }) => hasSections(text))) return undefined;
  const files = seen(stack.files, states);
  if (files === undefined) return undefined;
  const blocks = new RecalledBlocks(stack, known, states, stack.resources * most);
  const changed = await changedBlocks(stack, blocks, files, data);
  if (changed === undefined) return undefined;
  const begun = [...changed, ...stack.always, ...(isPlan ? (stack.plan?.steps ?? []) : [])];
  const reached = await blocks.reach(await blocks.reach(begun, 'users'), 'needs');
  if (reached === undefined) return undefined;
  const newer = { ...stack, files: merged(stack.files, files), data: merged(stack.data, data) };
  return blocks.part(config.root, reached, { stack: newer, isNewer: files.isNewer || data.isNewer });
}

interface Seen {
  readonly changed: readonly { readonly nth: number; readonly file: string; readonly text: string }[];
  /** Those that are what they were, with new stamps. */
  readonly restamped: ReadonlyMap<number, KnownFile>;
  readonly isNewer: boolean;
}

/** Which files are others now; undefined where one can't be read. */
function seen(files: readonly KnownFile[], states: FileState): Seen | undefined {
  const changed: { nth: number; file: string; text: string }[] = [];
  const restamped = new Map<number, KnownFile>();
  for (const [nth, file] of files.entries()) {
    if (file.digest !== '' && states.isSame(file)) continue;
    const read = states.read(file.file);
    if (!read.ok) return undefined;
    const now = states.known(file.file, read.text);
    if (now.digest !== file.digest) changed.push({ nth, file: file.file, text: read.text });
    else if (now.stamp !== '') restamped.set(nth, now);
  }
  return { changed, restamped, isNewer: restamped.size > 0 };
}

function merged<File extends KnownFile>(files: readonly File[], { restamped }: Seen): readonly File[] {
  return restamped.size === 0 ? files : files.map((file, nth) => ({ ...file, ...restamped.get(nth) }));
}

async function changedBlocks(
  stack: KnownStack,
  blocks: RecalledBlocks,
  files: Seen,
  data: Seen,
): Promise<readonly BlockNumber[] | undefined> {
  const changed: BlockNumber[] = [];
  for (const { nth, text } of files.changed) {
    const own = await blocks.changed(nth, text);
    if (own === undefined) return undefined;
    changed.push(...own);
  }
  const others = new Set(data.changed.map(({ file }) => file));
  for (const [nth, { reads }] of stack.files.entries()) {
    if (!reads.some((file) => others.has(file))) continue;
    const own = await blocks.reading(nth);
    if (own === undefined) return undefined;
    changed.push(...own);
  }
  return changed;
}

/** Blocks of files as they are remembered, each file recalled when it is first asked for. */
class RecalledBlocks {
  readonly #stack: KnownStack;
  readonly #known: Recollection;
  readonly #states: FileState;
  readonly #files = new Map<number, KnownBlocks>();
  readonly #changed = new Set<number>();
  readonly #most: number;

  /** `most`: of resources; of more, all is read. */
  constructor(stack: KnownStack, known: Recollection, states: FileState, most: number) {
    this.#most = most;
    this.#stack = stack;
    this.#known = known;
    this.#states = states;
  }

  async #file(nth: number): Promise<KnownBlocks | undefined> {
    const found = this.#files.get(nth) ?? (await this.#known.blocks(nth));
    if (found !== undefined) this.#files.set(nth, found);
    return found;
  }

  async #block(number: BlockNumber): Promise<KnownBlock | undefined> {
    return (await this.#file(Math.floor(number / mostBlocks)))?.blocks[number % mostBlocks];
  }

  /** The blocks of a file that say something else now; undefined where others do than before, or something around them does. */
  async changed(nth: number, text: string): Promise<readonly BlockNumber[] | undefined> {
    this.#changed.add(nth);
    const known = await this.#file(nth);
    if (known === undefined || !hasSections(text)) return undefined;
    const { blocks, around } = splitLike(known, text);
    const isAlike = digestOf(around) === known.around && blocks.length === known.blocks.length;
    if (!isAlike || !blocks.every(({ key }, at) => key === known.blocks[at]?.key)) return undefined;
    const isOther = ({ start, end }: Blocks['blocks'][number], at: number): boolean =>
      digestOf(text.slice(start, end)) !== known.blocks[at]?.digest;
    // A file that nobody reads any more would be read as a part of the catalogue, and the other way round.
    const other = blocks.flatMap((block, at) => (isOther(block, at) ? [{ ...block, at }] : []));
    const isFreed = ({ start, end, at }: (typeof other)[number]): boolean =>
      isReading(text.slice(start, end)) || known.blocks[at]?.isReading === true;
    if (this.#stack.isMixed && other.some(isFreed)) return undefined;
    return other.map(({ at }) => nth * mostBlocks + at);
  }

  async reading(nth: number): Promise<readonly BlockNumber[] | undefined> {
    const known = await this.#file(nth);
    return known?.blocks.flatMap(({ isReading: reads }, at) => (reads ? [nth * mostBlocks + at] : []));
  }

  /** These, and all that uses them or that they need, over and over; undefined where that is most of all. */
  async reach(
    begun: readonly BlockNumber[] | undefined,
    by: 'users' | 'needs',
  ): Promise<readonly BlockNumber[] | undefined> {
    const reached = new Set(begun);
    for (const number of reached) {
      const block = await this.#block(number);
      if (block === undefined || reached.size > this.#most) return undefined;
      for (const other of block[by]) reached.add(other);
    }
    return begun === undefined ? undefined : [...reached];
  }

  async part(
    root: string,
    reached: readonly BlockNumber[],
    now: Pick<WarmPart, 'stack' | 'isNewer'>,
  ): Promise<WarmPart | undefined> {
    const kept = new Set(reached);
    const numbers = [...new Set(reached.map((number) => Math.floor(number / mostBlocks)))].sort((a, b) => a - b);
    const texts = new Map<string, string>();
    const files: string[] = [];
    const blocks: KnownBlock[] = [];
    for (const nth of numbers) {
      const [file, known] = [this.#stack.files[nth]?.file, this.#files.get(nth)];
      const read = file === undefined ? undefined : this.#states.read(file);
      if (file === undefined || known === undefined || read?.ok !== true) return undefined;
      // It may have been written since its stamp was looked at.
      if (!this.#changed.has(nth) && digestOf(read.text) !== this.#stack.files[nth]?.digest) return undefined;
      const isKept = (at: number): boolean => kept.has(nth * mostBlocks + at);
      files.push(file);
      texts.set(resolve(root, file), withoutBlocks(read.text, splitLike(known, read.text), isKept));
      blocks.push(...known.blocks.filter((_, at) => isKept(at)));
    }
    const addresses = blocks.flatMap((block) => block.addresses);
    if (addresses.length > this.#most) return undefined;
    return { part: { files, addresses }, texts, blocks, files: numbers, ...now };
  }
}

/** The text in blocks as its file was split when it was learnt. */
function splitLike({ blocks: [first], isFixed }: KnownBlocks, text: string): Blocks {
  if (first?.key !== '') return blocksOf(text);
  return isFixed ? { ...wholeBlock(text), around: text } : wholeBlock(text);
}
