import { childAddress, lastKey, parentAddress } from '@platform-sync/core/model/address';
import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Chance } from './chance.js';
import { optionalSecrets, rotated, secretOf } from './secrets.js';
import { optionalShapes, reshaped } from './shapes.js';
import { addressesIn, isExpression, lookup, lookupIn, readdressed, workedOut, type Lookup } from './expressions.js';
import { homeIn, placeIn, within, written } from './nested-blocks.js';

export interface Block {
  readonly type: string;
  readonly properties: Record<string, string | number | JsonObject | readonly Json[]>;
  readonly options?: {
    readonly protect?: true;
    /** It stays when its block goes. */
    readonly retainOnDelete?: true;
    readonly aliases?: readonly string[];
    /** Where another one takes its place, that one is made first. */
    readonly deleteBeforeReplace?: false;
    /** Fields that are left alone, and fields whose change makes a new object. */
    readonly ignoreChanges?: readonly string[];
    readonly replaceOnChanges?: readonly string[];
    /** What is to be there before. */
    readonly dependsOn?: readonly string[];
    /** The object that is to be taken over. */
    readonly import?: string;
    /** The stack that has had it so far, and where. */
    readonly moved?: { readonly from: string };
  };
}

export const editKinds = [
  ...(['add', 'change', 'drop', 'remove', 'rekey', 'exchange', 'move', 'protect', 'rule', 'import', 'back'] as const),
] as const;
export type EditKind = (typeof editKinds)[number] | 'twin' | 'renew' | 'say' | 'take' | 'keep';
/** Whoever writes pages writes notes, too, in some worlds. */
const isOf = (types: readonly Block['type'][], type: Block['type']): boolean =>
  types.includes(type === 'yard:Note' ? 'yard:Page' : type);
export const blockTypes = ['yard:Site', 'yard:Page', 'yard:Route', 'yard:Member', 'yard:Board', 'yard:Policy'] as const;

/** How people of one world change files. */
export interface Habits {
  readonly edits: readonly EditKind[];
  readonly types: readonly Block['type'][];
  /** How many of a thousand put what they add into any site that there is, by its id. */
  readonly abroad: number;
  /** How many of a thousand give up what they have written last. */
  readonly last: number;
  /** How many of a thousand change what they have changed last: 0. */
  readonly again?: number;
}

/** What there is on the platform, as people see it who write files. */
export interface Seen {
  readonly sites: readonly string[];
  /** What lives in them, whoever made it, as a block that says the same, and what takes it over. */
  readonly inside: readonly (Block & { readonly importId: string })[];
  /** Some of that a replacement was to end: it stands last. */
  readonly old?: boolean;
  /** What other stacks have, and nothing of theirs refers to, by `STACK:ADDRESS`, as a block that names its home by its id. */
  readonly others?: ReadonlyMap<string, Block>;
  /** Sites and routes by what they are called. */
  readonly named?: readonly { readonly type: 'Site' | 'Route'; readonly name: string; readonly id: string }[];
}

/** What a stack gives to another one. */
export interface Leaving {
  readonly from: string;
  readonly to: string;
}

/** Who looks at nothing. */
const nobody: Seen = { sites: [], inside: [] };

/** After which what was written before stands elsewhere. */
export const movingEdits: readonly EditKind[] = ['rekey', 'move', 'change'];

export const usualHabits: Habits = { edits: editKinds, types: blockTypes, abroad: 150, last: 350 };

/** Each as often as it stands there. */
const editTable: readonly EditKind[] = [
  ...(['add', 'add', 'add', 'add', 'add', 'change', 'change', 'change', 'change', 'change'] as const),
  ...([
    'remove',
    'remove',
    'remove',
    'rekey',
    'exchange',
    'move',
    'protect',
    'twin',
    'drop',
    'rule',
    'import',
    'back',
    'renew',
    'say',
    'take',
    'keep',
  ] as const),
];
/** What a file need not say of a type. */
const optional: Readonly<Record<string, readonly string[]>> = {
  'yard:Site': ['note', 'tags'],
  'yard:Page': ['body', 'layout'],
  'yard:Route': ['weight', 'note'],
  'yard:Member': ['rank'],
  'yard:Board': ['text', 'tags'],
  'yard:Note': ['color'],
  'yard:Policy': ['mode', 'limit'],
};
const typeTable: readonly Block['type'][] = [
  ...(['yard:Site', 'yard:Site', 'yard:Site', 'yard:Page', 'yard:Page', 'yard:Page'] as const),
  ...(['yard:Route', 'yard:Route', 'yard:Member', 'yard:Board', 'yard:Policy'] as const),
];

/** Texts that may be worked out, and by what name others know what says them. */
const texts: Readonly<Record<string, readonly [field: string, key: string]>> = {
  ...{ 'yard:Site': ['note', 'name'], 'yard:Page': ['body', 'title'], 'yard:Route': ['note', 'name'] },
  ...{ 'yard:Board': ['text', 'title'], 'yard:Member': ['rank', 'mail'], 'yard:Note': ['color', 'words'] },
};

/** What tells which one it is: it always has one. */
const keyNames: ReadonlySet<string> = new Set(['name', 'title', 'mail', 'words']);

/** What stands within its home is called alike in each. */
const keysBelow = ['a', 'b', 'c'] as const;

/** What stands in the files of some worlds. */
export interface Kinds {
  /** How many of a thousand stand within the block of what they live in. */
  readonly nested: number;
  /** In the place of how many of a thousand pages people write a note. */
  readonly notes: number;
  /** They say lists and records. */
  readonly shapes: boolean;
  /** And secrets in maps and records. */
  readonly vaults: boolean;
  /** In the place of how many of a thousand texts people refer to something else, or have it looked up. */
  readonly expressions: number;
  /** How many of a thousand who take something out of the files let go of it. */
  readonly letting: number;
}

/** The files of one stack, as people change them: always valid, and each name of a thing of one stack only. */
export class Catalogue {
  readonly blocks = new Map<string, Block>();
  /** What goes to other stacks. */
  leaving: readonly Leaving[] = [];
  /** Addresses that went to another stack: another object gets another one. */
  readonly #given = new Set<string>();
  readonly #stack: string;
  /** The files have outputs. */
  readonly #tells: boolean;
  readonly #kinds: Kinds;
  #named = 0;
  #removed: readonly string[] = [];
  /** What somebody changed last. */
  #changed = '';
  /** The files as they were before they were changed last, and before that. */
  #before: Catalogue['resources'] | undefined;
  #earlier: Catalogue['resources'] | undefined;

  constructor(
    stack: string,
    {
      tells = false,
      nested = 0,
      notes = 0,
      shapes = false,
      vaults = false,
      expressions = 0,
      letting = 0,
    }: Partial<Kinds> & { readonly tells?: boolean } = {},
  ) {
    this.#stack = stack;
    this.#tells = tells;
    this.#kinds = { nested, notes, shapes, vaults, expressions, letting };
  }

  text(): string {
    const last = this.#sites().at(-1);
    const { removed } = this;
    const own = {
      ...{ resources: written(this.resources), ...(this.leaving.length === 0 ? {} : { moved: this.leaving }) },
      ...(removed.length === 0 ? {} : { removed }),
    };
    if (!this.#tells || last === undefined) return JSON.stringify(own);
    const variables = { last: `\${${last}.id}` };
    return JSON.stringify({ variables, ...own, outputs: { ...this.outputs(), last: '${last}' } });
  }

  /** What the files tell of each site, as they say it. */
  outputs(): Readonly<Record<string, string>> {
    const told = (address: string, field: string): readonly [string, string] => [
      `${address}-${field}`,
      `\${${address}.${field}}`,
    ];
    return Object.fromEntries(this.#sites().flatMap((address) => [told(address, 'id'), told(address, 'name')]));
  }

  /** Some changes follow, which people take back together. */
  begin(): void {
    [this.#earlier, this.#before] = [this.#before, this.resources];
  }

  /** Makes one change, or none where there is nothing to change. */
  edit(chance: Chance, seen: Seen = nobody, habits: Habits = usualHabits): void {
    const kind = chance.pick(editTable.filter((each) => habits.edits.includes(each)));
    if (this.blocks.size === 0 || kind === 'add') {
      this.#add(chance, seen, habits);
      this.#shape(chance, this.#changed);
      this.#express(chance, this.#changed, seen);
      return;
    }
    if (kind === 'back') return this.#back();
    if (kind === 'twin') return this.#twin(chance, seen, habits);
    if (kind === 'import') return this.#import(chance, seen.inside, habits);
    if (kind === 'take') return this.#take(chance, seen.others ?? new Map<string, Block>(), habits);
    const all = [...this.blocks];
    const wanted = all.filter(([, { type }]) => isOf(habits.types, type));
    const before = all.filter(([each]) => each === this.#changed);
    const isAgain = before.length > 0 && chance.happens(habits.again ?? 0);
    const [address, block] = chance.pick(isAgain ? before : wanted.length === 0 ? all : wanted);
    if (kind === 'change') return this.#change(chance, address, block, seen);
    if (kind === 'say') return this.#say(chance, address, block);
    if (kind === 'renew') return this.#renew(chance, address, block);
    if (kind === 'drop') return this.#drop(chance, address, block);
    if (kind === 'rule') return this.#rule(chance, address, block);
    // People change their minds most about what they have just written.
    if (kind === 'remove') {
      const last = wanted.at(-1) ?? all.at(-1);
      const gone = chance.happens(habits.last) ? (last?.[0] ?? address) : address;
      this.#remove(gone);
      if (seen !== nobody && chance.happens(this.#kinds.letting)) this.#letGo(chance, gone, all);
      return;
    }
    if (kind === 'rekey') return this.#rekey(chance, address, block);
    if (kind === 'exchange') return this.#exchange(chance, block);
    if (kind === 'move') return this.#move(chance, address, block, seen.inside);
    const rule = kind === 'keep' ? 'retainOnDelete' : 'protect';
    const { [rule]: isSaid, ...options } = block.options ?? {};
    this.blocks.set(address, { ...block, options: isSaid === true ? options : { ...options, [rule]: true } });
  }

  /** Addresses that are to leave the state, while their objects stay: what is written there once more is not let go of. */
  get removed(): readonly string[] {
    const { aliases } = this;
    return this.#removed.filter((address) => !this.blocks.has(address) && !aliases.includes(address));
  }

  set removed(removed: readonly string[]) {
    this.#removed = removed;
  }

  /** The files say so of the address, or of one above. */
  isLetGo(address: string): boolean {
    return this.removed.some((gone) => address === gone || address.startsWith(`${gone}/`));
  }

  /** All of it, as data. */
  get resources(): Readonly<Record<string, Block>> {
    return Object.fromEntries(this.blocks);
  }

  set resources(resources: Readonly<Record<string, Block>>) {
    this.blocks.clear();
    for (const [address, block] of Object.entries(resources)) this.blocks.set(address, block);
    // What comes new bears no number that is given already.
    const given = new RegExp(`\\bk(\\d+)\\b|"${this.#stack} \\w+ (\\d+)"`, 'g');
    for (const [, address, name] of JSON.stringify(resources).matchAll(given))
      this.#named = Math.max(this.#named, Number(address ?? name));
  }

  /** How they are managed, by stack and address. */
  get options(): readonly (readonly [string, Block['options']])[] {
    return [...this.blocks].map(([address, { options }]) => [`${this.#stack} ${address}`, options]);
  }

  /** What they are called, by stack and address. */
  get keys(): readonly (readonly [string, string])[] {
    return [...this.blocks.keys()].flatMap((address) => {
      const key = this.nameOf(address);
      return key === undefined ? [] : [[`${this.#stack} ${address}`, key] as const];
    });
  }

  /** What it is called; undefined: nothing, or by what its files alone do not tell. */
  nameOf(address: string): string | undefined {
    const { name, title, mail, words } = this.blocks.get(address)?.properties ?? {};
    const property = (at: string, field: string): Json | undefined => this.blocks.get(at)?.properties[field];
    const key = workedOut((name ?? title ?? mail ?? words ?? null) as Json, { property, found: () => undefined });
    return typeof key === 'string' ? key : undefined;
  }

  /** Where blocks say that they stood, and with them what stands within them. */
  get aliases(): readonly string[] {
    return [...this.blocks.keys()].flatMap((address) => this.formerOf(address));
  }

  /** Where the block says that it stood, or that what it stands within did. */
  formerOf(address: string): readonly string[] {
    const parent = parentAddress(address);
    const above = parent === undefined ? [] : (this.blocks.get(parent)?.options?.aliases ?? []);
    const along = above.map((former) => childAddress(former, lastKey(address)));
    return [...(this.blocks.get(address)?.options?.aliases ?? []), ...along];
  }

  #name(what: string): string {
    return `${this.#stack} ${what} ${String(++this.#named)}`;
  }

  #sites(): readonly string[] {
    return [...this.blocks].flatMap(([address, { type }]) => (type === 'yard:Site' ? [address] : []));
  }

  /**
   * Gives up what lives in a site that is named by its id, whoever ends that one, and what is to be taken over, which may have ended; and
   * of two of one key the second: an undo into the files that could not take all back says so, and leaves the rest to people.
   */
  leave(): void {
    const keys = new Set<string>();
    for (const [address, { type, properties, options = {} }] of this.blocks) {
      const { siteId = '${', name, title, mail, words } = properties;
      const key = JSON.stringify([type, siteId, name, title, mail, words]);
      const isIn = homeIn(siteId) === undefined && siteId !== '${';
      if (isIn || options.import !== undefined || keys.has(key)) this.#remove(address);
      keys.add(key);
      // What it finds by a name somebody may give to another one.
      const isUnsure = (value: unknown): boolean =>
        lookupIn(value) !== undefined &&
        (addressesIn(value).length !== 1 || !/getSite|getRoute/.test(JSON.stringify(value)));
      this.#silence(address, isUnsure);
    }
  }

  /** Leaves nothing alone any more. */
  mind(): void {
    for (const [address, block] of this.blocks) {
      const { ignoreChanges: _, ...options } = block.options ?? {};
      this.blocks.set(address, { ...block, options });
    }
  }

  /** What of something says when it was made, or which one it is, is another value when that is made anew. */
  leaveIds(): void {
    const isOfOne = (value: unknown): boolean =>
      /\.(?:createdAt|id)\}/.test(String(value)) && homeIn(value) === undefined;
    for (const address of this.blocks.keys())
      this.#silence(address, (value) => lookupIn(value) !== undefined || isOfOne(value));
  }

  /** What was changed last is taken back. */
  #back(): void {
    if (this.#earlier !== undefined) this.resources = this.#earlier;
  }

  #add(chance: Chance, { sites: others, named = [] }: Seen, { types, abroad, again = 0 }: Habits): void {
    const sites = this.#sites();
    const drawn = chance.pick(typeTable.filter((each) => types.includes(each)));
    const { notes } = this.#kinds;
    const isNote = drawn === 'yard:Page' && notes > 0 && chance.happens(notes);
    const type = sites.length === 0 ? 'yard:Site' : isNote ? 'yard:Note' : drawn;
    const own = `k${String(++this.#named)}`;
    this.#changed = own;
    if (type === 'yard:Site') {
      this.blocks.set(own, { type, properties: { name: this.#name('site'), note: 'new' } });
      return;
    }
    const mayBeAbroad = type === 'yard:Page' || type === 'yard:Member' || type === 'yard:Note';
    const site = chance.happens(again) ? sites.at(-1) : undefined;
    const isAbroad = mayBeAbroad && others.length > 0 && chance.happens(abroad);
    const drawnId = isAbroad ? chance.pick(others) : `\${${site ?? chance.pick(sites)}.id}`;
    const called = named.find(({ id, type: kind }) => kind === 'Site' && id === drawnId);
    // Some say what it is called.
    const isCalled = called !== undefined && this.#kinds.expressions > 0 && chance.happens(500);
    const siteId = isCalled ? asking('Site', { name: called.name }, 'id') : drawnId;
    const key = type === 'yard:Route' ? own : this.#placeOf(chance, own, siteId);
    this.#changed = key;
    const protect = chance.happens(150) ? { protect: true as const } : {};
    const order = chance.happens(400) ? { deleteBeforeReplace: false as const } : {};
    const kept = chance.happens(80) ? { retainOnDelete: true as const } : {};
    const needs = chance.happens(150) ? { dependsOn: [chance.pick([...this.blocks.keys()])] } : {};
    const options = { options: { ...protect, ...order, ...kept, ...needs } };
    if (type === 'yard:Page') {
      const password = secretOf(this.#named);
      this.blocks.set(key, {
        type,
        properties: { siteId, title: this.#name('page'), body: 'text', password },
        ...options,
      });
    } else if (type === 'yard:Note') {
      const color = chance.happens(500) ? { color: 'red' } : {};
      this.blocks.set(key, { type, properties: { siteId, words: this.#name('note'), ...color }, ...options });
    } else if (type === 'yard:Route') {
      const secret = chance.happens(400) ? { password: secretOf(this.#named) } : {};
      const properties = { siteId, name: this.#name('route'), weight: 1, ...secret };
      this.blocks.set(key, { type, properties, options: kept });
    } else if (type === 'yard:Board')
      this.blocks.set(key, {
        type,
        properties: { siteId, title: this.#name('board'), text: 'text', tags: { a: 'new' } },
        ...options,
      });
    else if (type === 'yard:Member')
      this.blocks.set(key, {
        type,
        properties: { siteId, mail: this.#name('member'), ...(chance.happens(300) ? { rank: 'text' } : {}) },
        options: order,
      });
    else if (
      ![...this.blocks.values()].some((each) => each.type === 'yard:Policy' && each.properties['siteId'] === siteId)
    )
      this.blocks.set(key, { type, properties: { siteId, mode: 'closed' } });
  }

  /** What is there is taken over by its id, most as it is. */
  #import(chance: Chance, inside: Seen['inside'], { last }: Habits): void {
    if (inside.length === 0) return;
    const { type, properties, importId } = (chance.happens(last) ? inside.at(-1) : undefined) ?? chance.pick(inside);
    const other = type === 'yard:Page' && chance.happens(400) ? { body: `text ${String(chance.between(0, 5))}` } : {};
    this.blocks.set(`k${String(++this.#named)}`, {
      ...{ type, properties: { ...properties, ...other } },
      options: { import: importId },
    });
  }

  /** Another stack gives it up to this one. */
  #take(chance: Chance, others: NonNullable<Seen['others']>, { last }: Habits): void {
    const all = [...others];
    const taken = chance.happens(last) ? all.at(-1) : all.length === 0 ? undefined : chance.pick(all);
    if (taken === undefined) return;
    const [from, { options = {}, ...block }] = taken;
    const { protect, deleteBeforeReplace, retainOnDelete } = options;
    const kept = defined({ protect, deleteBeforeReplace, retainOnDelete });
    this.#changed = `k${String(++this.#named)}`;
    this.blocks.set(this.#changed, { ...block, options: { ...kept, moved: { from } } });
    this.#forgetBefore();
  }

  /** What goes to another stack is none of these files' any more. */
  give(leaving: Leaving): void {
    this.blocks.delete(leaving.from);
    this.leaving = [...this.leaving, leaving];
    this.#given.add(leaving.from);
    this.#forgetBefore();
  }

  /** Nobody takes back what another stack's files have to follow. */
  #forgetBefore(): void {
    [this.#earlier, this.#before] = [undefined, undefined];
  }

  /** One more with the name of another, which the platform allows, or of something that people have made: of these files, or of whatever there is. */
  #twin(chance: Chance, seen: Seen, { last, types }: Habits): void {
    const inside = seen.inside.filter(({ type }) => isOf(types, type));
    const own = [...this.blocks.values()].filter(
      ({ type }) => isOf(types, type) && (type === 'yard:Page' || type === 'yard:Member' || type === 'yard:Note'),
    );
    const from: readonly Block[] = own.length === 0 || chance.happens(500) ? inside : own;
    const isOfOld = seen.old === true && chance.happens(500);
    const newest = isOfOld ? inside.at(-1) : chance.happens(last) ? own.at(-1) : undefined;
    if (from.length === 0 && newest === undefined) return;
    const there = newest ?? (chance.happens(last) ? from.at(-1) : undefined) ?? chance.pick(from);
    const { type, properties } = there;
    const key = `k${String(++this.#named)}`;
    this.blocks.set(this.#placeOf(chance, key, properties['siteId']), { type, properties });
  }

  /** What a file need not say of it. */
  #optional(type: Block['type']): readonly string[] {
    const { shapes, vaults } = this.#kinds;
    return [
      ...(optional[type] ?? []),
      ...(shapes ? (optionalShapes[type] ?? []) : []),
      ...(vaults ? (optionalSecrets[type] ?? []) : []),
    ];
  }

  /** True: its lists and records, or secrets in these, are said otherwise now. */
  #shape(chance: Chance, address: string): boolean {
    const { shapes, vaults } = this.#kinds;
    const block = this.blocks.get(address);
    if (block === undefined) return false;
    if (shapes && optionalShapes[block.type] !== undefined && chance.happens(600))
      this.blocks.set(address, { ...block, properties: reshaped(chance, block) });
    else if (vaults && optionalSecrets[block.type] !== undefined && chance.happens(600))
      this.blocks.set(address, { ...block, properties: rotated(chance, block, secretOf(++this.#named)) });
    else return false;
    return true;
  }

  /** True: a text of it is worked out now: another block says it, or a lookup finds it. */
  #express(chance: Chance, address: string, { named = [] }: Seen): boolean {
    const block = this.blocks.get(address);
    const [text, key] = texts[block?.type ?? ''] ?? [];
    if (block === undefined || text === undefined || key === undefined) return false;
    if (!chance.happens(this.#kinds.expressions)) return false;
    const isName = chance.happens(250);
    const field = isName ? key : text;
    const value = isName ? this.#nameAfter(chance, address, block) : this.#expression(chance, address, named);
    if (value === undefined) return false;
    const { [field]: _, ...others } = block.properties;
    this.blocks.set(address, { ...block, properties: { ...others, [field]: value } });
    return true;
  }

  /** A name with what another one is called in it, what it lives in most often, or its id, or when it was made. */
  #nameAfter(chance: Chance, of: string, { properties }: Block): string | undefined {
    const others = [...this.blocks.keys()].filter((address) => !this.#leads(address, of));
    const home = homeIn(properties['siteId']);
    const after =
      home !== undefined && chance.happens(600) ? home : others.length === 0 ? undefined : chance.pick(others);
    const [, key] = texts[this.blocks.get(after ?? '')?.type ?? ''] ?? [];
    if (after === undefined || key === undefined) return undefined;
    return `${this.#name('one')} of \${${after}.${chance.pick([key, key, 'id', 'createdAt'])}}`;
  }

  #expression(chance: Chance, of: string, named: NonNullable<Seen['named']>): Block['properties'][string] | undefined {
    const others = [...this.blocks].filter(
      ([address, { type }]) => texts[type] !== undefined && !this.#leads(address, of),
    );
    const [address, { type = '', properties = {} } = {}] = others.length === 0 ? [] : chance.pick(others);
    const [, key = ''] = texts[type] ?? [];
    const told = chance.pick(['id', 'createdAt']);
    const [kind, { name, type: found } = {}] = [
      chance.between(0, 9),
      named.length === 0 ? undefined : chance.pick(named),
    ];
    if (kind < 3 && found !== undefined && name !== undefined) return asking(found, { name }, told);
    if (address === undefined) return undefined;
    const its = `\${${address}.${key}}`;
    if (kind < 4) return `\${${address}.createdAt}`;
    if (kind < 7) return kind < 5 ? `of ${its}` : its;
    if (type === 'yard:Site' || type === 'yard:Route') return asking(type.slice('yard:'.length), { name: its }, told);
    const home = homeIn(properties['siteId']);
    if (home === undefined || type === 'yard:Note') return its;
    return asking(type.slice('yard:'.length), { siteId: within(home), name: its }, told);
  }

  /** One of them rests on the other. */
  #leads(from: string, to: string): boolean {
    return from === to || neededBy(this.blocks.get(from)).some((each) => this.#leads(each, to));
  }

  #change(chance: Chance, address: string, block: Block, seen: Seen): void {
    this.#changed = address;
    if (this.#shape(chance, address) || this.#express(chance, address, seen)) return;
    const text = `text ${String(chance.between(0, 5))}`;
    const changes: Readonly<Record<string, Block['properties']>> = {
      'yard:Site': chance.pick([
        { note: text },
        { tags: { [chance.pick(['a', 'b'])]: text } },
        { name: this.#name('site') },
      ]),
      'yard:Page': chance.pick([{ body: text }, { layout: text }, { password: secretOf(++this.#named) }]),
      'yard:Route': chance.pick([{ weight: chance.between(0, 9) }, { note: text }, { name: this.#name('route') }]),
      'yard:Member': { rank: text },
      'yard:Board': chance.pick([
        { text },
        { tags: { [chance.pick(['a', 'b'])]: text } },
        { title: this.#name('board') },
      ]),
      ...(block.type === 'yard:Note'
        ? { 'yard:Note': chance.pick([{ color: text }, { words: this.#name('note') }]) }
        : {}),
      'yard:Policy': chance.pick([{ mode: text }, { limit: chance.between(0, 9) }]),
    };
    this.blocks.set(address, { ...block, properties: { ...block.properties, ...changes[block.type] } });
  }

  /** It is to have what only a new object can have, and that is made before the old one ends. */
  #renew(chance: Chance, address: string, { type, properties, options }: Block): void {
    const [field, key] =
      type === 'yard:Page' ? (['layout', 'title'] as const) : type === 'yard:Member' ? (['rank', 'mail'] as const) : [];
    if (field === undefined) return;
    this.#changed = address;
    // Both are there for a moment, which the platform takes where they are called otherwise.
    const its = { [key]: this.#name(key), [field]: `text ${String(chance.between(0, 9))}` };
    const changed = { ...properties, ...its };
    this.blocks.set(address, { type, properties: changed, options: { ...options, deleteBeforeReplace: false } });
  }

  /** The file says what it has not said before: a key of a map, or a field. */
  #say(chance: Chance, address: string, { type, properties, options }: Block): void {
    const said = String(++this.#named);
    const fields = this.#optional(type).slice(0, optional[type]?.length ?? 0);
    const isMapped = fields.includes('tags') && chance.happens(600);
    const unsaid = isMapped ? ['tags'] : fields.filter((name) => name !== 'tags' && properties[name] === undefined);
    if (unsaid.length === 0) return;
    this.#changed = address;
    const field = chance.pick(unsaid);
    const number = field === 'weight' || field === 'limit' ? Number(said) : undefined;
    const value = isMapped
      ? { ...(properties['tags'] as JsonObject), [`n${said}`]: 'said' }
      : (number ?? `text ${said}`);
    this.blocks.set(address, { type, properties: { ...properties, [field]: value }, ...(options && { options }) });
  }

  /** The file says no more what a field is to be. */
  #drop(chance: Chance, address: string, block: Block): void {
    const said = this.#optional(block.type).filter((name) => block.properties[name] !== undefined);
    if (said.length === 0) return;
    this.#changed = address;
    const dropped = chance.pick(said);
    const left = Object.entries(block.properties).filter(([name]) => name !== dropped);
    this.blocks.set(address, { ...block, properties: Object.fromEntries(left) });
  }

  /** A field is left alone from now on, or makes a new object, or not any more. */
  #rule(chance: Chance, address: string, { options = {}, ...block }: Block): void {
    const { ignoreChanges, replaceOnChanges, ...others } = options;
    const field = [chance.pick(this.#optional(block.type))];
    const rules = [{ ignoreChanges: field }, { ignoreChanges: field }, { replaceOnChanges: field }];
    // A site can't end while routes lead to it, nor these lead to the new one before that.
    const rule = chance.pick(block.type === 'yard:Site' ? rules.slice(0, 2) : rules);
    const isOver = ignoreChanges !== undefined || replaceOnChanges !== undefined;
    this.blocks.set(address, { ...block, options: isOver ? others : { ...others, ...rule } });
  }

  /** Its object stays; what left the files along with it stays, too, or goes. */
  #letGo(chance: Chance, gone: string, before: readonly (readonly [string, Block])[]): void {
    const along = before.flatMap(([address]) => (this.blocks.has(address) ? [] : [address]));
    const named = chance.happens(500) ? along : [gone];
    this.#removed = [...new Set([...this.#removed, ...named])];
  }

  /** With all that refers to it. */
  #remove(address: string): void {
    this.blocks.delete(address);
    for (const [other, block] of this.blocks) {
      const { dependsOn, ...options } = block.options ?? {};
      if (block.properties['siteId'] === `\${${address}.id}`) {
        this.#remove(other);
        continue;
      }
      if (dependsOn?.includes(address) === true) this.blocks.set(other, { ...block, options });
      this.#silence(other, (value) => addressesIn(value).includes(address));
    }
  }

  /** Its file says no more what was worked out in that way: it has another name. */
  #silence(address: string, isSo: (value: unknown) => boolean): void {
    const block = this.blocks.get(address);
    if (block === undefined || !Object.values(block.properties).some(isSo)) return;
    const left = Object.entries(block.properties).flatMap(([name, value]) =>
      !isSo(value) ? [[name, value] as const] : keyNames.has(name) ? [[name, this.#name('one')] as const] : [],
    );
    this.blocks.set(address, { ...block, properties: Object.fromEntries(left) });
  }

  /** Who reads that a lookup finds none, or several, says no more what it was to find. `count`: how many are called so. */
  mend(chance: Chance, count: (kind: string, name: Json) => number): void {
    const property = (address: string, field: string): Json =>
      (this.blocks.get(address)?.properties[field] ?? '') as Json;
    for (const [address, { properties }] of this.blocks) {
      const isLost = (value: unknown): boolean => {
        const asked = lookupIn(value);
        if (asked === undefined) return false;
        const name = workedOut(asked.arguments['name'] ?? '', { property, found: () => undefined }) ?? '';
        const many = count(asked.function.slice('yard:get'.length), name);
        // What the files are to make is there later.
        return many > 1 || (many === 0 && addressesIn(value).length === 0);
      };
      if (!Object.values(properties).some(isLost) || !chance.happens(800)) continue;
      if (isLost(properties['siteId'])) this.#remove(address);
      else this.#silence(address, isLost);
    }
  }

  /** Half of those who do it say so. */
  #rekey(chance: Chance, address: string, block: Block): void {
    const to = placeIn(parentAddress(address), `k${String(++this.#named)}`);
    this.#changed = to;
    this.#readdress(address, to, chance.happens(500) ? withAlias(block, address) : block);
  }

  /** The block stands elsewhere now, and what stands within it goes along. */
  #readdress(from: string, to: string, block: Block): void {
    const now = (address: string): string =>
      address === from || address.startsWith(`${from}/`) ? `${to}${address.slice(from.length)}` : address;
    this.blocks.delete(from);
    this.blocks.set(to, block);
    for (const [other, each] of this.blocks) {
      const isIn = Object.values(each.properties).some((value) => addressesIn(value).some((one) => now(one) !== one));
      const isNeeded = each.options?.dependsOn?.some((needed) => now(needed) !== needed) === true;
      if (now(other) !== other) this.blocks.delete(other);
      if (isIn || isNeeded)
        this.blocks.set(now(other), {
          ...each,
          ...(isIn ? { properties: renamed(each.properties, now) } : {}),
          options: { ...each.options, ...(isNeeded ? { dependsOn: each.options?.dependsOn?.map(now) } : {}) },
        } as Block);
    }
  }

  /** Where a block of that key stands that lives there. */
  #placeOf(chance: Chance, key: string, siteId: Block['properties'][string] | undefined): string {
    const { nested } = this.#kinds;
    const home = homeIn(siteId);
    const isWithin = nested > 0 && home !== undefined && this.blocks.has(home) && chance.happens(nested);
    const place = isWithin ? childAddress(home, chance.happens(400) ? chance.pick(keysBelow) : key) : key;
    if (!this.blocks.has(place) && !this.aliases.includes(place) && !this.#given.has(place)) return place;
    return placeIn(isWithin ? home : undefined, `k${String(++this.#named)}`);
  }

  /** Two of a kind exchange their names. */
  #exchange(chance: Chance, { type }: Block): void {
    const field = type === 'yard:Site' || type === 'yard:Route' ? 'name' : 'title';
    const same = [...this.blocks].filter(
      ([, each]) => each.type === type && each.properties[field] !== undefined && !isExpression(each.properties[field]),
    );
    if (same.length < 2) return;
    const [one, other] = [chance.pick(same), chance.pick(same)];
    if (one[0] === other[0]) return;
    for (const [[address, block], [, from]] of [
      [one, other],
      [other, one],
    ] as const)
      this.blocks.set(address, {
        ...block,
        properties: { ...block.properties, [field]: from.properties[field] ?? '' },
      });
  }

  #move(chance: Chance, address: string, block: Block, inside: Seen['inside']): void {
    const sites = this.#sites();
    if (block.type === 'yard:Site' || block.type === 'yard:Policy' || sites.length === 0) return;
    // Some go where another one of the name lives.
    const { title, mail, words } = block.properties;
    const alike = inside.filter(({ type, properties: its }) => {
      return type === block.type && its['title'] === title && its['mail'] === mail && its['words'] === words;
    });
    if (alike.length > 1 && chance.happens(500)) {
      const { siteId = '' } = chance.pick(alike).properties;
      return this.#settle(chance, address, block, siteId);
    }
    // Much goes into what was just added.
    const site = chance.happens(400) ? (sites.at(-1) ?? '') : chance.pick(sites);
    if (this.#leads(site, address)) return;
    this.#settle(chance, address, block, within(site));
  }

  /** It is to live there; half of those who write it elsewhere for that say where it stood. */
  #settle(chance: Chance, address: string, block: Block, siteId: Block['properties'][string]): void {
    const moved = { ...block, properties: { ...block.properties, siteId } };
    const place = block.type === 'yard:Route' ? address : this.#placeOf(chance, lastKey(address), siteId);
    if (place === address) this.blocks.set(address, moved);
    else this.#readdress(address, place, without(place, chance.happens(500) ? withAlias(moved, address) : moved));
  }
}

function asking(kind: string, said: Lookup['arguments'], told: string): JsonObject {
  return lookup({ function: `yard:get${kind}`, arguments: said, return: told });
}

function renamed(properties: Block['properties'], now: (address: string) => string): Block['properties'] {
  const all = Object.entries(properties).map(([name, value]) => [name, readdressed(value, now)] as const);
  return Object.fromEntries(all);
}

/** What a block refers to, and what is to be there before it. */
export function neededBy(block: Block | undefined): readonly string[] {
  const referred = Object.values(block?.properties ?? {}).flatMap(addressesIn);
  return [...new Set([...referred, ...(block?.options?.dependsOn ?? [])])];
}

/** A key alone would say the same, where it stands among the siblings. */
function withAlias({ options, ...block }: Block, former: string): Block {
  const said = options?.aliases?.filter((alias) => parentAddress(former) === undefined || alias !== lastKey(former));
  return { ...block, options: { ...options, aliases: [...(said ?? []), former] } };
}

/** What stands where it once stood says that no more. */
function without(address: string, block: Block): Block {
  const aliases = block.options?.aliases?.filter((former) => former !== address);
  return aliases === undefined ? block : { ...block, options: { ...block.options, aliases } };
}
