import { topKey } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState, ReadText } from '@platform-sync/core/model/desired';
import type { Plan } from '@platform-sync/core/model/plan';
import { addTo } from '@platform-sync/core/model/graph';
import { packageNameOf } from '../loaded-packages.js';
import { isSpecificationOverlay } from '@platform-sync/catalogue/read/data-files';
import { hasSections } from '@platform-sync/catalogue/read/file-texts';
import { catalogueFiles } from '@platform-sync/catalogue/read-files';
import { declaredVariables } from '@platform-sync/catalogue/build/variables';
import { type Block, type Blocks, blocksOf, digestOf, wholeBlock } from './blocks.js';
import { type Circumstances, FileState, settingsDigest } from './circumstances.js';
import {
  type BlockNumber,
  type KnownBlock,
  type KnownFile,
  type KnownPlan,
  type Lesson,
  mostBlocks,
} from './memory-file.js';
import { needsOf, shapeOf, type TypeOf, typesOf } from './shape.js';

/** What a run that loaded all of a project found. */
export interface Found {
  readonly desired: DesiredState;
  /** A plan of the whole that read nothing from the platform. */
  readonly plan?: Plan;
  /** When it began, milliseconds. */
  readonly begun: number;
}

/** What to remember of it; undefined where something of a kind is in it that is not remembered. */
export async function lessonOf(where: Circumstances, found: Found): Promise<Lesson | undefined> {
  const { desired, plan, begun } = found;
  const settings = settingsDigest(where);
  const { config, packages } = where.project;
  const { files, meanings } = desired;
  if (settings === undefined || files === undefined || meanings === undefined || isLeaving(desired)) return undefined;
  const states = new FileState(config, begun);
  const data = dataOf(
    states,
    files.flatMap(({ reads }) => reads),
  );
  const { files: matching } = await catalogueFiles(config);
  const isRead = new Set([...files, ...(data ?? [])].map(({ file }) => file));
  const blocks = writtenBlocks(desired, files);
  if (data === undefined || blocks === undefined || !matching.every((file) => isRead.has(file))) return undefined;
  const tokens = new Set([...desired.resources.values()].map(({ type }) => type));
  const shaped = shapedBlocks(blocks, await typesOf(packages, tokens));
  if (shaped === undefined) return undefined;
  const always = [...shaped.alive, ...aroundBlocks(found.desired, blocks)];
  const stack = {
    settings,
    found: digestOf(matching.join('\n')),
    files: blocks.files.map(({ file, text, reads }) => ({
      ...shaped.withoutSecrets(file, states.known(file, text)),
      reads,
    })),
    isMixed: data.some(({ file }) => matching.includes(file)),
    data: data.map((each) => shaped.withoutSecrets(each.file, each)),
    resources: desired.resources.size,
    always: [...new Set(always)],
  };
  const steps = plan === undefined || !isQuiet(plan, desired) ? undefined : blocks.numbers(plan.steps);
  return {
    stack: plan === undefined || steps === undefined ? stack : { ...stack, plan: known(plan, steps) },
    blocks: blocks.files.map(({ around, isFixed }, nth) => ({ around, isFixed, blocks: shaped.files[nth] ?? [] })),
    meanings: blocks.files.map(({ blocks: own }) => meaningsOf(own, meanings, new Set(shaped.alive))),
  };
}

/** Of what leaves the catalogue by name, and of variables and outputs made of more than files, nothing is remembered. */
function isLeaving({ removed, moved, variables, outputs }: DesiredState): boolean {
  const [seen, told] = [needsOf(declaredVariables(variables).values()), needsOf(outputs.values())];
  return removed !== undefined || moved !== undefined || seen.isAlive || told.isAlive || seen.needs.size > 0;
}

/** What stands around blocks counts by its text alone. */
const readsMore = /!(?:file|env|secret|lookup)\b|fn::/;

/** One resource of each provider, which is started for it; what outputs tell of; and one block beside whatever else stands in its file. */
function aroundBlocks(
  { resources, outputs }: DesiredState,
  { files, numbers, ofKeys }: WrittenBlocks,
): readonly BlockNumber[] {
  const providers = new Map([...resources.values()].map((each) => [packageNameOf(each.type), each]));
  const beside = files.flatMap(({ isTelling, blocks: [first] }) =>
    isTelling && first !== undefined ? [first.number] : [],
  );
  return [...numbers([...providers.values()]), ...ofKeys(needsOf(outputs.values()).needs), ...beside];
}

function known({ lineage, serial, targets }: Plan, steps: readonly BlockNumber[]): KnownPlan {
  return { lineage, serial, targets: JSON.stringify(targets), steps };
}

/** True where nothing is said but updates, and every resource of the catalogue is one that is recorded. */
export function isQuiet(plan: Plan, { resources }: Pick<DesiredState, 'resources'>): boolean {
  const said = [plan.notCompared, plan.unmanaged, plan.undeclaredChanges, plan.notices];
  if (said.some(({ length }) => length > 0) || Object.keys(plan.lookups).length > 0) return false;
  if (plan.policies !== undefined || plan.partial !== undefined || plan.leftOut !== undefined) return false;
  if (plan.guards.some(({ name, lifted }) => name !== 'maxUpdatePercent' || lifted !== undefined)) return false;
  const isPlain = plan.steps.every(
    ({ address, action, from }) => action === 'update' && from === undefined && resources.has(address),
  );
  return isPlain && plan.summary.unchanged + plan.steps.length === resources.size;
}

/** Undefined where one of them reads files of its own, or is part of the catalogue. */
function dataOf(states: FileState, reads: readonly ReadText[]): readonly KnownFile[] | undefined {
  const texts = new Map(reads.map(({ file, text }) => [file, text]));
  if ([...texts.values()].some((text) => isSpecificationOverlay(text) || hasSections(text))) return undefined;
  return [...texts].map(([file, text]) => states.known(file, text));
}

interface WrittenBlock extends Block {
  readonly number: BlockNumber;
  readonly digest: string;
  readonly isReading: boolean;
  readonly resources: DesiredResource[];
}

interface WrittenFile {
  readonly file: string;
  readonly text: string;
  readonly around: string;
  readonly isFixed: boolean;
  /** It has variables or outputs. */
  readonly isTelling: boolean;
  readonly reads: readonly string[];
  readonly blocks: readonly WrittenBlock[];
}

/** The catalogue's files in blocks, with the resources that stand in each. */
interface WrittenBlocks {
  readonly files: readonly WrittenFile[];
  readonly ofKeys: (keys: Iterable<string>) => readonly BlockNumber[];
  readonly numbers: (resources: Iterable<{ readonly address: string }>) => readonly BlockNumber[];
}

/** Undefined where a resource stands elsewhere than its key says. */
function writtenBlocks(desired: DesiredState, files: NonNullable<DesiredState['files']>): WrittenBlocks | undefined {
  const byFile = new Map<string, DesiredResource[]>();
  for (const resource of desired.resources.values()) addTo(byFile, resource.at.file, resource);
  const telling = new Set(
    [...declaredVariables(desired.variables).values(), ...desired.outputs.values()].map(({ at }) => at.file),
  );
  const byKey = new Map<string, BlockNumber>();
  const written: WrittenFile[] = [];
  for (const [nth, { file, text, reads }] of files.entries()) {
    const resources = byFile.get(file) ?? [];
    const split = blocksOf(text);
    const blocks = filled(split, text, resources, nth) ?? filled(wholeBlock(text), text, resources, nth);
    const isTelling = telling.has(file);
    const isWhole = blocks?.[0]?.key === '';
    const around = isWhole ? (isTelling ? text : '') : split.around;
    if (blocks === undefined || !hasSections(text) || readsMore.test(around)) return undefined;
    for (const { number, resources: own } of blocks)
      for (const { address } of own) if (!address.includes('/')) byKey.set(address, number);
    written.push({
      ...{ file, text, blocks, isTelling, around: digestOf(around), isFixed: isWhole && isTelling },
      reads: reads.map((each) => each.file),
    });
  }
  const ofKeys: WrittenBlocks['ofKeys'] = (keys) => [...keys].map((key) => byKey.get(key) ?? -1);
  const numbers: WrittenBlocks['numbers'] = (all) => [
    ...new Set(ofKeys([...all].map(({ address }) => topKey(address)))),
  ];
  const isAll = byKey.size === new Set([...desired.resources.keys()].map(topKey)).size;
  return isAll ? { files: written, ofKeys, numbers } : undefined;
}

/** Puts each resource into its block; undefined where the parser saw other blocks than the lines show. */
function filled(
  { blocks }: Pick<Blocks, 'blocks'>,
  text: string,
  resources: readonly DesiredResource[],
  file: number,
): readonly WrittenBlock[] | undefined {
  const filling = blocks.map((block, nth): WrittenBlock => {
    const own = text.slice(block.start, block.end);
    return {
      ...block,
      number: file * mostBlocks + nth,
      digest: digestOf(own),
      isReading: isReading(own),
      resources: [],
    };
  });
  const byKey = new Map(filling.map((block) => [block.key, block]));
  for (const resource of resources) {
    const block = byKey.get('') ?? byKey.get(topKey(resource.address));
    const { start } = resource.at;
    if (block === undefined || start < block.start || start >= block.end) return undefined;
    block.resources.push(resource);
  }
  const isFull = filling.every(({ key, resources: own }) => key === '' || own.length > 0);
  return isFull && filling.length <= mostBlocks ? filling : undefined;
}

export function isReading(text: string): boolean {
  return text.includes('!file') || text.includes('readFile');
}

interface ShapedBlocks {
  readonly files: readonly (readonly KnownBlock[])[];
  readonly alive: readonly BlockNumber[];
  /** No digest is kept of a text that may hold a secret: that of a file with such a block, or of one that it may read. */
  readonly withoutSecrets: (file: string, known: KnownFile) => KnownFile;
}

/** Undefined where a resource's key or place depends on more than the files say. */
function shapedBlocks({ files, ofKeys }: WrittenBlocks, typeOf: TypeOf): ShapedBlocks | undefined {
  const alive: BlockNumber[] = [];
  const users = new Map<BlockNumber, BlockNumber[]>();
  const shaped: KnownBlock[][] = [];
  const secret = new Set<string>();
  for (const { file, reads: readHere, blocks } of files) {
    const own: KnownBlock[] = [];
    for (const { number, key, digest, isReading: reads, resources } of blocks) {
      const shape = blockShape(resources, typeOf);
      if (shape === undefined) return undefined;
      if (shape.isAlive) alive.push(number);
      if (shape.isAlive) for (const each of [file, ...(reads ? readHere : [])]) secret.add(each);
      const needs = [...new Set(ofKeys(shape.needs))].filter((each) => each !== number);
      for (const needed of needs) addTo(users, needed, number);
      const addresses = resources.map(({ address }) => address);
      own.push({
        key,
        digest: shape.isAlive ? '' : digest,
        shape: shape.digest,
        isReading: reads,
        needs,
        users: [],
        addresses,
      });
    }
    shaped.push(own);
  }
  for (const [needed, using] of users) {
    const block = shaped[Math.floor(needed / mostBlocks)]?.[needed % mostBlocks];
    if (block === undefined) return undefined;
    shaped[Math.floor(needed / mostBlocks)]?.splice(needed % mostBlocks, 1, { ...block, users: using });
  }
  const withoutSecrets = (file: string, known: KnownFile): KnownFile =>
    secret.has(file) ? { ...known, digest: '' } : known;
  return { files: shaped, alive, withoutSecrets };
}

/** The shape of all that stands in one block; undefined as above. */
export function blockShape(
  resources: readonly DesiredResource[],
  typeOf: TypeOf,
): { readonly digest: string; readonly needs: ReadonlySet<string>; readonly isAlive: boolean } | undefined {
  let text = '';
  let isAlive = false;
  const needs = new Set<string>();
  for (const resource of resources) {
    const type = typeOf(resource.type);
    const shape = type && shapeOf(resource, type);
    if (shape === undefined || shape.isLoose) return undefined;
    text += `${shape.text}\n\n`;
    isAlive ||= shape.isAlive;
    shape.needs.forEach((key) => needs.add(key));
  }
  return { digest: digestOf(text), needs, isAlive };
}

function meaningsOf(
  blocks: readonly WrittenBlock[],
  all: ReadonlyMap<string, string>,
  alive: ReadonlySet<BlockNumber>,
): Readonly<Record<string, string>> {
  const lasting = blocks.filter(({ number }) => !alive.has(number));
  const keys = lasting.flatMap(({ resources }) =>
    resources.flatMap(({ address }) => (address.includes('/') ? [] : [address])),
  );
  return Object.fromEntries(keys.map((key) => [key, all.get(key) ?? '']));
}
