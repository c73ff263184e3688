import { resolve } from 'node:path';
import { meaning, resourceMeaning } from '@platform-sync/catalogue/build/meaning';
import { EditableFile, type PropertyEdited } from '@platform-sync/catalogue/edit/properties';
import { renamed, type Renaming } from '@platform-sync/catalogue/edit/rename';
import type { TextEdit } from '@platform-sync/catalogue/edit/text';
import { discoverFiles } from '@platform-sync/catalogue/read/discover';
import { hasSections, ProjectFiles } from '@platform-sync/catalogue/read/file-texts';
import {
  type Address,
  addressKeyPattern,
  childAddress,
  formerAddress,
  lastKey,
  parentAddress,
} from '@platform-sync/core/model/address';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { Expression } from '@platform-sync/core/model/expression';
import { markField } from '@platform-sync/core/model/ownership-mark';
import { type ProjectConfig, projectFileName, projectTests } from '@platform-sync/core/model/project';
import type { OptionsInWorld, RenameResult } from '../api.js';
import { Workspace } from '../workspace.js';
import { openConfig } from './open-config.js';

/** What the files say of one stack. */
interface Read {
  readonly stack: string;
  readonly config?: ProjectConfig;
  readonly desired?: DesiredState;
  /** The field that has a resource's key where the file gives it no other value. */
  readonly nameFieldOf: (type: string) => string | undefined;
}

/**
 * The edits that give a resource another key, and nothing else: all files are read again as they would be, for every stack, and there
 * each must mean what it meant. Writes nothing.
 */
export async function renameResource(
  options: OptionsInWorld,
  stacks: readonly string[],
  renaming: Renaming,
): Promise<RenameResult> {
  if (!addressKeyPattern.test(renaming.key))
    return { why: `"${renaming.key}" can't be a key: a letter or "_" first; letters, digits, "_" and "-" follow.` };
  const before = await readStacks(options, stacks);
  const unread = before.find(({ desired }) => desired === undefined);
  if (unread !== undefined) return { why: `The stack ${unread.stack} cannot be read: see what sync validate says.` };
  const to = renamed(renaming.address, renaming);
  if (before.some(({ desired }) => desired?.resources.has(to))) return { why: `There is a resource ${to} already.` };
  const former = before
    .map(({ desired }) => formerOwner(desired, to, renaming.address))
    .find((owner) => owner !== undefined);
  if (former !== undefined) return { why: `${to} is what ${former} was called before, as its "aliases" say.` };
  const move = {
    ...renaming,
    former: formerAddresses(before, renaming.address),
    below: aliasedBelow(before, renaming),
  };
  const files = await changedFiles(options, before, move);
  if ('why' in files) return files;
  const texts = new Map([...(options.texts ?? []), ...files.texts]);
  const after = await readStacks({ ...options, texts }, stacks);
  const wrong = after.find((read, at) => !isRenamed(before[at]?.desired, read.desired, move));
  if (wrong === undefined) return { files: files.edits };
  return {
    why: `In the stack ${wrong.stack}, more than the address would change: rename ${renaming.address} by hand.`,
  };
}

/** A renaming, and the addresses that the record of the resource may have when the files are read next. */
interface Move extends Renaming {
  readonly former: readonly Address[];
  /** What stands under the resource and has aliases of its own. */
  readonly below: readonly Address[];
}

/** Its own, and those that it would have if no renaming above it was ever applied; less what another resource was called. */
function formerAddresses(reads: readonly Read[], address: Address): readonly Address[] {
  const [parent, key] = [parentAddress(address), lastKey(address)];
  const found = reads.flatMap(({ desired }) => {
    if (desired === undefined || parent === undefined) return [];
    return formersOf(desired, parent)
      .map((above) => childAddress(above, key))
      .filter((former) => !desired.resources.has(former));
  });
  const isFree = (former: Address): boolean =>
    !former.includes(':') && reads.every(({ desired }) => formerOwner(desired, former, address) === undefined);
  return [address, ...new Set(found.filter(isFree))];
}

function aliasedBelow(reads: readonly Read[], { address }: Renaming): readonly Address[] {
  const all = reads.flatMap(({ desired }) => [...(desired?.resources.values() ?? [])]);
  const below = all.filter((each) => each.address.startsWith(`${address}/`) && each.options.aliases.length > 0);
  return [...new Set(below.map((each) => each.address))];
}

function formersOf(desired: DesiredState, address: Address): readonly Address[] {
  const parent = parentAddress(address);
  const own = desired.resources.get(address)?.options.aliases.map((alias) => formerAddress(address, alias)) ?? [];
  const above = parent === undefined ? [] : formersOf(desired, parent);
  return [...own, ...above.map((former) => childAddress(former, lastKey(address)))];
}

/** The other resource whose record may still have an address. */
function formerOwner(desired: DesiredState | undefined, address: Address, own: Address): Address | undefined {
  for (const other of desired?.resources.values() ?? [])
    if (other.address !== own && other.options.aliases.some((alias) => formerAddress(other.address, alias) === address))
      return other.address;
  return undefined;
}

async function readStacks(options: OptionsInWorld, stacks: readonly string[]): Promise<readonly Read[]> {
  const reads: Read[] = [];
  for (const stack of stacks.length === 0 ? [undefined] : stacks)
    reads.push(await readStack({ ...options, isOffline: true, ...(stack === undefined ? {} : { stack }) }));
  return reads;
}

async function readStack(options: OptionsInWorld): Promise<Read> {
  const { config, permissions, packages } = await openConfig(options);
  const none = { stack: options.stack ?? '', nameFieldOf: () => undefined };
  if (config === undefined) return none;
  const workspace = new Workspace(config, { ...options, packages }, permissions);
  try {
    const { desired } = await workspace.catalogue();
    if (desired === undefined) return { ...none, stack: config.stack };
    return { stack: config.stack, config, desired, nameFieldOf: (type) => workspace.typeOf(type).nameField };
  } finally {
    await workspace.close();
  }
}

interface Changed {
  /** By path relative to the project. */
  readonly edits: ReadonlyMap<string, { readonly text: string; readonly edits: readonly TextEdit[] }>;
  /** The texts as they would be, by absolute path. */
  readonly texts: ReadonlyMap<string, string>;
}

async function changedFiles(
  options: OptionsInWorld,
  reads: readonly Read[],
  renaming: Move,
): Promise<Changed | { readonly why: string }> {
  const files = new ProjectFiles(options.cwd, undefined, options.texts);
  const edits = new Map<string, { readonly text: string; readonly edits: readonly TextEdit[] }>();
  const texts = new Map<string, string>();
  const name = keptName(reads, renaming.address);
  for (const file of await filesOf(reads)) {
    const read = files.read(file);
    if (!read.ok || !read.text.includes(lastKey(renaming.address))) continue;
    if (file !== projectFileName && !hasSections(read.text) && !/^(?:rules|tests|kind)\s*:/m.test(read.text)) continue;
    const editable = EditableFile.read(read.text);
    const changes = editable && [...editable.rename(renaming), ...keptIdentity(editable, renaming, name)];
    const fixed = changes?.find((change) => 'why' in change);
    if (fixed !== undefined && 'why' in fixed) return { why: `Its block ${fixed.why}: rename it by hand.` };
    const made = (changes ?? []).flatMap((change) => ('why' in change ? [] : [change]));
    if (editable === undefined || made.length === 0) continue;
    edits.set(file, { text: read.text, edits: made });
    texts.set(resolve(options.cwd, file), editable.withEdits(made));
  }
  return { edits, texts };
}

/** Files that may name an address: those of the catalogue, the overlays of all stacks, rules and their tests, and sync.yaml. */
async function filesOf(reads: readonly Read[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>([projectFileName]);
  for (const { config } of reads) {
    if (config === undefined) continue;
    for (const patterns of [config.catalogue, config.overlays ?? [], config.policies?.patterns ?? [], [projectTests]])
      for (const file of (await discoverFiles(config.root, patterns)).files) found.add(file);
  }
  return found;
}

/** The name that a resource has by its key alone, in any stack. */
function keptName(
  reads: readonly Read[],
  address: Address,
): { readonly field: string; readonly value: string } | undefined {
  for (const { desired, nameFieldOf } of reads) {
    const resource = desired?.resources.get(address);
    const field = resource && nameFieldOf(resource.type);
    const value = field === undefined ? undefined : resource?.properties.get(field);
    if (
      field !== undefined &&
      value?.kind === 'literal' &&
      value.at === resource?.at &&
      value.value === lastKey(address)
    )
      return { field, value: value.value };
  }
  return undefined;
}

/** The alias by which the record moves, and the name that came from the key. */
function keptIdentity(
  file: EditableFile,
  renaming: Move,
  name: ReturnType<typeof keptName>,
): readonly (TextEdit | { readonly why: string })[] {
  const found: PropertyEdited[] = [];
  const plain = { same: sameJson, ordered: true };
  for (const address of [renaming.address, ...renaming.below])
    for (const root of ['resources', 'patches'] as const) {
      if (!file.has({ address, root })) continue;
      const from = file.optionTexts('aliases', { address, root });
      const to = aliases(address, from, renaming);
      // A patch that has none leaves the block's own standing.
      if (!sameJson(from ?? [], to) && (root === 'resources' || from !== undefined))
        found.push(
          file.edit({ ...plain, address, root, section: 'options', field: 'aliases', from: from && [...from], to }),
        );
      if (root === 'resources' && name !== undefined && address === renaming.address)
        found.push(file.edit({ ...plain, address, root, field: name.field, from: undefined, to: name.value }));
    }
  const fixed = found.find((edited) => edited.kind !== 'edited');
  if (fixed !== undefined) return [{ why: fixed.kind === 'fixed' ? fixed.why : 'is what a file says' }];
  // Of lines that are added at one place, those of the inner block come first.
  return found
    .flatMap((edited) => (edited.kind === 'edited' ? edited.edits : []))
    .sort((a, b) => indent(b) - indent(a));
}

function indent({ text }: TextEdit): number {
  return /^\r?\n( *)/.exec(text)?.[1]?.length ?? 0;
}

/** The former addresses join those that are there; an address that a resource gets back is none any more. */
function aliases(address: Address, before: readonly string[] = [], renaming: Move): string[] {
  const to = renamed(address, renaming);
  const kept = before.filter((alias) => formerAddress(to, alias) !== to);
  return address === renaming.address ? [...new Set([...kept, ...renaming.former])] : kept;
}

function isRenamed(before: DesiredState | undefined, now: DesiredState | undefined, renaming: Move): boolean {
  if (before === undefined || now?.resources.size !== before.resources.size) return false;
  const named = (text: string | undefined): string | undefined => text && withNewTargets(text, renaming);
  const same = (was: ReadonlyMap<string, Expression>, is: ReadonlyMap<string, Expression>): boolean =>
    was.size === is.size && [...was].every(([name, value]) => named(meaning(value)) === meaning(is.get(name)));
  if (!same(before.variables, now.variables) || !same(before.outputs, now.outputs)) return false;
  return [...before.resources].every(([address, resource]) => {
    const other = now.resources.get(renamed(address, renaming));
    return (
      other !== undefined && named(resourceMeaning(expected(resource, renaming))) === resourceMeaning(unmarked(other))
    );
  });
}

/** Inside quotes a quote is escaped, so that no text of the catalogue looks like a reference. A secret is the words that it is shown by. */
function withNewTargets(text: string, renaming: Renaming): string {
  const moved = (_whole: string, lead: string, target: string): string => lead + renamed(target, renaming);
  return text
    .replaceAll(/(\$\(resource \[")([\w/-]+)/g, moved)
    .replaceAll(/\$secret\("(?:[^"\\]|\\.)*"\)/g, (secret) => secret.replaceAll(/(\$\{)([\w/-]+)/g, moved));
}

/** The mark of an object says its address: it moves along. */
function unmarked(resource: DesiredResource): DesiredResource {
  return { ...resource, properties: new Map([...resource.properties].filter(([name]) => name !== markField)) };
}

function expected(written: DesiredResource, renaming: Move): DesiredResource {
  const resource = unmarked(written);
  const { options } = resource;
  const dependsOn = options.dependsOn.map((address) => renamed(address, renaming)).sort();
  return {
    ...resource,
    options: { ...options, dependsOn, aliases: aliases(resource.address, options.aliases, renaming) },
  };
}
