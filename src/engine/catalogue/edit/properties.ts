import type { Address } from '@platform-sync/core/model/address';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { pictureKind } from '../read/file-texts.js';
import { addEntry, fillEmpty, removeMembers, replaceValue } from './map.js';
import {
  editedText,
  type EditedText,
  rangeOf,
  filePath,
  isWrittenMap,
  mapAt,
  pairOf,
  readNodes,
  whyFixed,
  type WrittenMap,
  type WrittenPair,
} from './nodes.js';
import { moveBelow, type MoveBelow } from './move-below.js';
import { type Renaming, renameEdits } from './rename.js';
import { asTemplate } from './template.js';
import { withEdits, type TextEdit } from './text.js';
import { changeValue, type ValueChange } from './value.js';
import { isScalar, isSeq, type Node } from 'yaml';
import { splitTemplate } from '../read/template-text.js';

/** One property (or option) of a resource that is to have another value. */
interface PropertyEdit {
  readonly address: Address;
  readonly field: string;
  /** Section of the file that has the resource's block; default `resources`. An overlay's `patches` name it by its address. */
  readonly root?: 'resources' | 'patches';
  /** The block of the resource that it stands in; default `properties`. */
  readonly section?: 'properties' | 'options';
  /** What the property was worked out to be; undefined where the catalogue does not mention it. */
  readonly from: Json | undefined;
  /** Undefined: the property is to go. */
  readonly to: Json | undefined;
  readonly same: ValueChange['same'];
  readonly ordered: boolean;
  /** `from` and `to` are spelt as a file does, with references in them; default: plain values. */
  readonly isTemplate?: boolean;
  /** The resource to refer to, where the value is the id of one. */
  readonly reference?: Address;
  /** Where the overlay has no patch of the resource, it gets one. */
  readonly mayPatch?: boolean;
}

export type PropertyEdited =
  | { readonly kind: 'edited'; readonly edits: readonly TextEdit[] }
  /** The property is what a file says: `path` is as written, relative to the catalogue file. */
  | { readonly kind: 'file'; readonly path: string }
  /** `why` is a clause about the value: `is a secret`. */
  | { readonly kind: 'fixed'; readonly why: string };

/** A catalogue file taken apart, so that single values in it can be changed. */
export class EditableFile {
  readonly #source: EditedText;
  readonly #roots: readonly WrittenMap[];

  private constructor(text: string, roots: readonly WrittenMap[]) {
    this.#source = editedText(text);
    this.#roots = roots;
  }

  /** Undefined for a text that is no YAML. */
  static read(text: string): EditableFile | undefined {
    const documents = readNodes(text);
    if (documents === undefined) return undefined;
    return new EditableFile(
      text,
      documents.flatMap(({ contents }) => (isWrittenMap(contents) ? [contents] : [])),
    );
  }

  /** What has to change in the text so that one property has its new value, and nothing else changes. */
  edit(given: PropertyEdit): PropertyEdited {
    const change = given.isTemplate === true ? given : { ...given, from: spelt(given.from), to: spelt(given.to) };
    const resource = this.#resource(change);
    if (resource === undefined && change.mayPatch === true) return this.#patch(change);
    if (resource === undefined && change.root === 'patches')
      return fixed('stands among the defaults of an overlay, for all resources of the type');
    if (resource === undefined) return fixed('stands in a block that is shared or merged');
    const inFlow = this.#isInFlow(resource);
    const { section: name = 'properties' } = change;
    const section = pairOf(resource, name);
    const properties = mapAt(resource, name);
    if (properties === undefined && section !== undefined && !isEmpty(section))
      return fixed('stands in a block that is shared or computed');
    const pair = properties === undefined ? undefined : pairOf(properties, change.field);
    if (pair !== undefined && properties !== undefined) return this.#change(properties, pair, change, inFlow);
    if (change.reference !== undefined) return fixed('stands in a block that is shared or merged');
    return this.#add(resource, section, properties, change);
  }

  /** What has to change in the text so that a property becomes that of a new child, and nothing else changes. */
  moveBelow(move: MoveBelow): PropertyEdited {
    const resource = this.#resource(move);
    if (resource === undefined) return fixed('stands in a block that is shared or merged');
    const edits = moveBelow(this.#source, resource, move);
    return typeof edits === 'string' ? fixed(edits) : { kind: 'edited', edits };
  }

  /**
   * What has to change in the text so that it has one more block: below its parent, or as one of the file. `block` is spelt as a file
   * does, with references in it.
   */
  addBlock(address: Address, block: JsonObject): PropertyEdited {
    const at = address.lastIndexOf('/');
    const key = address.slice(at + 1);
    if (at >= 0) {
      const parent = this.#resource({ address: address.slice(0, at) });
      return parent === undefined
        ? fixed('has no block above it that is written out here')
        : this.#addTo(parent, 'children', key, block);
    }
    const root = this.#roots.find((one) => pairOf(one, 'resources') !== undefined) ?? this.#roots[0];
    return root === undefined
      ? fixed('has no place in a file that says nothing yet')
      : this.#addTo(root, 'resources', key, block);
  }

  /** What has to change in the text so that a block is gone, with all below it. */
  removeBlock(address: Address): PropertyEdited {
    const [owner, section] = this.#ownerOf(address);
    const pair = owner === undefined ? undefined : pairOf(owner, address.slice(address.lastIndexOf('/') + 1));
    if (owner === undefined || section === undefined || pair === undefined)
      return fixed('stands in a block that is shared or merged');
    if (owner.items.length > 1) return { kind: 'edited', edits: removeMembers(this.#source, owner, new Set([pair])) };
    return { kind: 'edited', edits: replaceValue(this.#source, section, {}, owner.flow === true) };
  }

  #ownerOf(address: Address): readonly [WrittenMap | undefined, WrittenPair | undefined] {
    const at = address.lastIndexOf('/');
    const parents = at < 0 ? this.#roots : [this.#resource({ address: address.slice(0, at) })];
    const name = at < 0 ? 'resources' : 'children';
    const holder = parents.find((one) => {
      const owner = one === undefined ? undefined : mapAt(one, name);
      return owner !== undefined && pairOf(owner, address.slice(at + 1)) !== undefined;
    });
    return holder === undefined ? [undefined, undefined] : [mapAt(holder, name), pairOf(holder, name)];
  }

  /** One more entry of a section, which is made where it is missing. */
  #addTo(holder: WrittenMap, name: string, key: string, value: JsonObject): PropertyEdited {
    const [section, entries] = [pairOf(holder, name), mapAt(holder, name)];
    if (entries !== undefined && entries.items.length > 0)
      return { kind: 'edited', edits: [addEntry(this.#source, entries, key, value)] };
    if (section === undefined)
      return { kind: 'edited', edits: [addEntry(this.#source, holder, name, { [key]: value })] };
    if (entries === undefined && !isEmpty(section)) return fixed(`has no place in the ${name} of the file`);
    return { kind: 'edited', edits: replaceValue(this.#source, section, { [key]: value }, this.#isInFlow(holder)) };
  }

  /** What has to change in the text so that a resource has another key. */
  rename(renaming: Renaming): readonly TextEdit[] {
    return renameEdits(this.#source, this.#roots, renaming);
  }

  /** The texts of a list among the options of a resource's block, or of its patch; undefined where there is none. */
  optionTexts(field: string, at: Pick<PropertyEdit, 'address' | 'root'>): readonly string[] | undefined {
    const block = this.#resource(at);
    const options = block === undefined ? undefined : mapAt(block, 'options');
    const list = options === undefined ? undefined : pairOf(options, field)?.value;
    return isSeq(list) ? list.items.map((item) => (isScalar(item) ? String(item.value) : '')) : undefined;
  }

  /** True for a block of the resource, or a patch of it, that is written out in the file. */
  has(at: Pick<PropertyEdit, 'address' | 'root'>): boolean {
    return this.#resource(at) !== undefined;
  }

  withEdits(edits: readonly TextEdit[]): string {
    return withEdits(this.#source.text, edits);
  }

  #change(properties: WrittenMap, pair: WrittenPair, change: PropertyEdit, inFlow: boolean): PropertyEdited {
    if (change.reference !== undefined) {
      const edit = redirected(this.#source, pair.value, change.reference);
      return edit === undefined ? fixed(whyFixed(pair.value) ?? 'is computed') : { kind: 'edited', edits: [edit] };
    }
    if (change.to === undefined) {
      const why = filePath(pair.value) === undefined ? whyFixed(pair.value, change.isTemplate) : undefined;
      if (why !== undefined) return fixed(why);
      return { kind: 'edited', edits: removeMembers(this.#source, properties, new Set([pair])) };
    }
    const path = filePath(pair.value);
    if (path !== undefined) {
      if (path.includes('#')) return fixed('is a part of a data file');
      if (pictureKind(path) !== undefined) return fixed('is a picture');
      return typeof change.to === 'string' ? { kind: 'file', path } : fixed('comes from a file');
    }
    const { from = null, to, same, ordered, isTemplate: mayRefer = false } = change;
    const value = { from, to, same, ordered, mayRefer };
    const edited = changeValue(this.#source, pair, value, inFlow || properties.flow === true);
    return 'why' in edited ? fixed(edited.why) : { kind: 'edited', edits: edited.edits };
  }

  /** A property that has no line of its own gets one: over a default of the file, or where nothing was said. */
  #add(
    resource: WrittenMap,
    section: WrittenPair | undefined,
    properties: WrittenMap | undefined,
    change: PropertyEdit,
  ): PropertyEdited {
    const { field, to, section: name = 'properties' } = change;
    if (to === undefined) return fixed('comes from the defaults of the file');
    const source = this.#source;
    if (properties !== undefined && properties.items.length > 0)
      return { kind: 'edited', edits: [addEntry(source, properties, field, to)] };
    if (properties === undefined && section === undefined)
      return { kind: 'edited', edits: [addEntry(source, resource, name, { [field]: to })] };
    if (section === undefined) return fixed('has no place to stand');
    const inFlow = this.#isInFlow(resource);
    const whole = { from: null, to: { [field]: to }, same: change.same, ordered: change.ordered };
    if (!inFlow && properties === undefined)
      return { kind: 'edited', edits: fillEmpty(source, section, { [field]: to }) };
    const edited = changeValue(source, section, whole, inFlow);
    return 'why' in edited ? fixed(edited.why) : { kind: 'edited', edits: edited.edits };
  }

  #patch({ address, field, to, reference }: PropertyEdit): PropertyEdited {
    const root = this.#roots.find((one) => pairOf(one, 'patches') !== undefined) ?? this.#roots[0];
    if (root === undefined) return fixed('has no place in an overlay that says nothing yet');
    if (reference !== undefined || to === undefined) return fixed('can be no plain value of an overlay');
    return this.#addTo(root, 'patches', address, { properties: { [field]: to } });
  }

  #resource({ address, root: name = 'resources' }: Pick<PropertyEdit, 'address' | 'root'>): WrittenMap | undefined {
    const keys = name === 'patches' ? [address] : address.split('/');
    for (const root of this.#roots) {
      let above: WrittenMap | undefined = mapAt(root, name);
      let pair: WrittenPair | undefined;
      for (const [depth, key] of keys.entries()) {
        if (depth > 0) above = isWrittenMap(pair?.value) ? mapAt(pair.value, 'children') : undefined;
        pair = above === undefined ? undefined : pairOf(above, key);
      }
      if (isWrittenMap(pair?.value)) return pair.value;
    }
    return undefined;
  }

  /** Inside braces nothing can be written over several lines. */
  #isInFlow(resource: WrittenMap): boolean {
    return resource.flow === true;
  }
}

function spelt(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : asTemplate(value);
}

function isEmpty({ value }: WrittenPair): boolean {
  return value === null || value.range?.[0] === value.range?.[1];
}

function fixed(why: string): PropertyEdited {
  return { kind: 'fixed', why };
}

/** Makes a value that is one reference refer to the object of another resource; undefined where it is something else. */
function redirected(source: EditedText, node: Node | null, to: Address): TextEdit | undefined {
  if (!isScalar(node) || typeof node.value !== 'string' || node.tag?.startsWith('!') === true) return undefined;
  const parts = splitTemplate(node.value);
  if (parts?.length !== 1 || typeof parts[0] === 'string') return undefined;
  const [start, end] = rangeOf(node);
  const found = /\$\{[^{}]*\}/.exec(source.text.slice(start, end));
  if (found === null) return undefined;
  const from = start + found.index;
  return { start: from, end: from + found[0].length, text: `\${${to}.id}` };
}
