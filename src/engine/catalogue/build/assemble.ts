import { type Address, compareText } from '@platform-sync/core/model/address';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from '../read/build-context.js';
import { removing, tagged } from '../problem/advice.js';
import type { Catalogue, TypedResource } from './catalogue.js';
import { builtInNames } from './variables.js';
import type { applyOverlays } from './overlays.js';
import type { Draft, DraftDefaults, DraftFile, DraftNamed } from '../read/draft.js';
import { keepInputs, resolveType, type Vocabulary } from './vocabulary.js';
import { type Entries, isNull } from '../read/shape.js';
import { isUnset, overlayEntries, withoutUnset } from '../read/overlay.js';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { readOptions } from '../read/options.js';
import { secretExpressions } from '@platform-sync/core/resolve/evaluate';
import type { DesiredResource } from '@platform-sync/core/model/desired';

/** Flattens children, merges defaults and refuses what is declared twice. */
export function assemble(
  { files, off }: ReturnType<typeof applyOverlays>,
  overlays: readonly DraftFile[],
  vocabulary: Vocabulary,
  incomplete: boolean,
  builtIn: ReadonlyMap<string, Expression>,
  context: BuildContext,
): Catalogue {
  const isOverlay = new Set(overlays.map(({ file }) => file));
  const assembler = new Assembler(vocabulary, isOverlay, context);
  const everywhere = defaultsOf(
    overlays.flatMap((file) => file.defaults),
    vocabulary,
    context,
  );
  for (const { file, defaults } of files) {
    const own = isOverlay.has(file) ? new Map<string, Entries>() : defaultsOf(defaults, vocabulary, context);
    assembler.addDefaults(file, overlayDefaults(own, everywhere));
  }
  for (const { file, resources } of files) assembler.addResources(resources, file);
  const names = new Map([...assembler.places].filter(([name]) => !builtIn.has(name)));
  const variables = files.flatMap((file) => file.variables).filter((found) => !isReserved(found, 'variable', context));
  return {
    resources: assembler.resources,
    checked: assembler.resources,
    untyped: assembler.untyped,
    off,
    variables: new Map([...uniqueNames(variables, 'variable', names, context), ...builtIn]),
    outputs: uniqueNames(
      files.flatMap((file) => file.outputs),
      'output',
      new Map(),
      context,
    ),
    removed: removedOf(files),
    moved: new Map(files.flatMap((file) => file.moved).map(({ text, to, at }) => [text, { to, at }])),
    incomplete,
  };
}

/** Twice is once. */
function removedOf(files: readonly DraftFile[]): ReadonlyMap<Address, SourceRange> {
  const found = new Map<Address, SourceRange>();
  for (const { text, at } of files.flatMap(({ removed }) => removed)) if (!found.has(text)) found.set(text, at);
  return found;
}

class Assembler {
  readonly resources = new Map<Address, TypedResource>();
  readonly untyped = new Set<Address>();
  readonly places = new Map<Address, SourceRange>();
  readonly #vocabulary: Vocabulary;
  readonly #overlays: ReadonlySet<string>;
  readonly #context: BuildContext;
  /** By file. */
  readonly #defaults = new Map<string, TypeDefaults>();

  constructor(vocabulary: Vocabulary, overlays: ReadonlySet<string>, context: BuildContext) {
    this.#vocabulary = vocabulary;
    this.#overlays = overlays;
    this.#context = context;
  }

  addDefaults(file: string, defaults: TypeDefaults): void {
    this.#defaults.set(file, defaults);
  }

  addResources(resources: readonly Draft[], file: string): void {
    for (const draft of resources) isReserved({ name: draft.address, at: draft.at }, 'resource', this.#context);
    for (const draft of resources) this.#add(draft, undefined, file);
  }

  #add(draft: Draft, parent: TypedResource | 'untyped' | undefined, file: string): void {
    const earlier = this.places.get(draft.address);
    if (earlier !== undefined) {
      this.#context.problems.add('duplicate-address', draft.at, `The resource ${draft.address} is declared twice.`, {
        hint: this.#overlays.has(file)
          ? 'To change the resource in this stack, use "patches". A new resource needs another key.'
          : 'Rename or remove one of the two.',
        address: draft.address,
        related: [{ at: earlier, message: 'first declared here' }],
      });
      return;
    }
    this.places.set(draft.address, draft.at);
    const assembled = this.#resource(draft, parent, this.#defaults.get(draft.declaredIn ?? file) ?? new Map());
    if (assembled === undefined) this.untyped.add(draft.address);
    else this.resources.set(draft.address, assembled);
    for (const child of inOrder(draft.children, this.#context)) this.#add(child, assembled ?? 'untyped', file);
  }

  #resource(
    draft: Draft,
    parent: TypedResource | 'untyped' | undefined,
    defaults: TypeDefaults,
  ): TypedResource | undefined {
    if (draft.isTypeless === true && draft.type === undefined) reportNoType(draft, this.#context);
    const type = draft.type && resolveType(draft.type.text, draft.type.at, this.#vocabulary, this.#context);
    if (type === undefined) return undefined;
    const own = keepInputs(draft.properties, type, `"${draft.address}"`, draft.address, this.#context);
    const merged = mergeDefaults(own, defaults.get(type.token), draft.address, this.#context);
    if (parent === 'untyped') return undefined;
    const given = parent === undefined ? [] : givenByParent(draft, type, own, parent, this.#context);
    if (given === undefined) return undefined;
    const { nameField } = type;
    const { properties, propertyKeys } = merged;
    for (const [name, value] of given) properties.set(name, value);
    // No problem shows a line with what the type keeps secret.
    for (const [name, value] of properties)
      for (const { at } of secretExpressions(value, type.fields[name])) this.#context.sources.hide(at);
    if (nameField !== undefined && !properties.has(nameField))
      properties.set(nameField, { kind: 'literal', value: draft.key, at: draft.at });
    const { values: options } = draft.options;
    const { address, at, placedAfter } = draft;
    const named = { address, type: type.token, properties, options, at, propertyKeys };
    const desired = placedAfter === undefined ? named : { ...named, placedAfter };
    return { desired, type, options: draft.options };
  }
}

function reportNoType({ at, address }: Draft, { problems }: BuildContext): void {
  problems.add('missing-type', at, `The resource ${address} has no type.`, {
    hint: {
      text: 'Give it one: type: platform:Api',
      correction: { kind: 'add', to: 'block', key: 'type', value: 'platform:Api' },
    },
    address,
  });
}

/** True (reported) for a name that references give another meaning. */
function isReserved(
  { name, at }: Pick<DraftNamed, 'name' | 'at'>,
  what: 'variable' | 'resource',
  { problems }: BuildContext,
): boolean {
  if (!builtInNames.includes(name)) return false;
  const keeps = what === 'resource' ? `, and keep its object with options: {aliases: [${name}]}` : '';
  problems.add('reserved-word', at, `No ${what} can be called "${name}".`, {
    detail: '${param.…}, ${project} and ${stack} are the parameters, the project and the stack.',
    hint: `Rename it${keeps}.`,
  });
  return true;
}

function uniqueNames(
  named: readonly DraftNamed[],
  what: string,
  taken: Map<string, SourceRange>,
  { problems }: BuildContext,
): ReadonlyMap<string, Expression> {
  const found = new Map<string, Expression>();
  for (const { name, at, value } of named) {
    if (isUnset(value)) continue;
    const earlier = taken.get(name);
    if (earlier === undefined) {
      taken.set(name, at);
      found.set(name, value);
      continue;
    }
    const summary = found.has(name)
      ? `The ${what} ${name} is declared twice.`
      : `The ${what} ${name} is named like a resource.`;
    problems.add('duplicate-name', at, summary, {
      hint: 'Rename one of the two.',
      related: [{ at: earlier, message: 'first declared here' }],
    });
  }
  return found;
}

const idPath = ['id'];

/** What a child gets from the resource it is written under. Undefined (reported) when it can't stand there. */
function givenByParent(
  draft: Draft,
  type: ResourceType,
  own: Entries,
  parent: TypedResource,
  context: BuildContext,
): readonly (readonly [field: string, value: Expression])[] | undefined {
  const nesting = type.nesting.find((rule) => rule.under === parent.type.token);
  if (nesting === undefined) {
    context.problems.add(
      'cannot-nest',
      draft.type?.at ?? draft.at,
      `A ${type.shortToken} can't stand under a ${parent.type.shortToken}.`,
      {
        hint: nestingHint(type, parent),
        address: draft.address,
      },
    );
    return undefined;
  }
  for (const field of [nesting.field, ...nesting.inherits]) {
    const given = own.get(field);
    if (given === undefined) continue;
    context.problems.add(
      'parent-field-given',
      given.key,
      `"${field}" of ${draft.address} comes from where it is written.`,
      {
        detail: `Under ${parent.desired.address}, its value follows from the resource above.`,
        hint: removing(`Remove the line, or move ${draft.key} out of "children".`),
        address: draft.address,
        field,
      },
    );
  }
  const target = parent.desired.address;
  const above: Expression = {
    ...{ kind: 'reference', to: 'resource', target },
    ...{ path: idPath, text: `${target}.id`, at: draft.at },
  };
  const given: [string, Expression][] = [[nesting.field, above]];
  for (const field of nesting.inherits) {
    const inherited = parent.desired.properties.get(field);
    if (inherited !== undefined) given.push([field, inherited]);
  }
  return given;
}

function nestingHint(type: ResourceType, { type: above, desired }: TypedResource): string {
  const parents = type.nesting.map((rule) => rule.under.replace(/:.*:/, ':'));
  const place =
    parents.length === 0
      ? 'It has no parent: write it directly under "resources".'
      : `It can stand under ${parents.join(' or ')}.`;
  const naming = Object.values(type.fields).find(({ input, references }) => input && references === above.token);
  if (naming === undefined) return place;
  const id = `\${${desired.address}.id}`;
  return `${place} There, ${naming.name}: ${naming.type === 'array' ? `[ "${id}" ]` : id} says that it belongs to this one.`;
}

/** Resources that stand side by side: those with a place among the others depend on the one before them. */
function inOrder(siblings: readonly Draft[], context: BuildContext): readonly Draft[] {
  const placed = siblings.flatMap((draft) => (draft.order === undefined ? [] : [{ draft, order: draft.order }]));
  if (placed.length < 2) return siblings;
  placed.sort((a, b) => a.order.value - b.order.value || compareText(a.draft.address, b.draft.address));
  const before = new Map(placed.slice(1).map(({ draft }, index) => [draft, placed[index]?.draft.address ?? '']));
  return siblings.map((draft) => {
    const earlier = before.get(draft);
    return earlier === undefined ? draft : after(draft, earlier, context);
  });
}

/** Over what an option says: that is a wish of its own, and both can be had. */
function after(draft: Draft, earlier: string, context: BuildContext): Draft {
  const at = draft.order?.at ?? draft.at;
  const written = draft.optionEntries.get('dependsOn');
  const items = written?.value.kind === 'list' ? written.value.items : [];
  const entry: MapEntry = {
    key: written?.key ?? at,
    value: { kind: 'list', items: [...items, { kind: 'literal', value: earlier, at }], at },
  };
  const optionEntries = new Map([...draft.optionEntries, ['dependsOn', entry]]);
  return { ...draft, placedAfter: earlier, optionEntries, options: readOptions(optionEntries, draft.address, context) };
}

/** Type token → properties that all resources of the type have: those of a file, or, by an overlay, of all files. */
type TypeDefaults = ReadonlyMap<string, Entries>;

function defaultsOf(defaults: readonly DraftDefaults[], vocabulary: Vocabulary, context: BuildContext): TypeDefaults {
  const found = new Map<string, Entries>();
  const places = new Map<string, SourceRange>();
  for (const { type: text, at, properties } of defaults) {
    const type = resolveType(text, at, vocabulary, context);
    if (type === undefined) continue;
    const earlier = places.get(type.token);
    if (earlier !== undefined) {
      context.problems.add('duplicate-key', at, `${type.shortToken} has defaults twice.`, {
        related: [{ at: earlier, message: 'first here' }],
      });
      continue;
    }
    places.set(type.token, at);
    found.set(type.token, keepInputs(properties, type, `defaults of ${type.shortToken}`, undefined, context));
  }
  return found;
}

/** What an overlay gives everywhere stands over what a file gives. */
function overlayDefaults(file: TypeDefaults, everywhere: TypeDefaults): TypeDefaults {
  if (everywhere.size === 0) return file;
  const merged = new Map(file);
  for (const [type, entries] of everywhere) merged.set(type, overlayEntries(file.get(type) ?? new Map(), entries));
  return merged;
}

/** A resource's own properties over the defaults: maps merge, of the rest the resource's own stand. */
function mergeDefaults(
  own: Entries,
  defaults: Entries | undefined,
  address: Address,
  context: BuildContext,
): { readonly properties: Map<string, Expression>; readonly propertyKeys: DesiredResource['propertyKeys'] } {
  const merged = defaults === undefined ? own : mergeEntries(own, defaults, address, context, []);
  const properties = new Map<string, Expression>();
  const propertyKeys = new Map<string, SourceRange>();
  for (const [name, { key, value }] of withoutUnset(merged)) {
    properties.set(name, value);
    propertyKeys.set(name, key);
  }
  return { properties, propertyKeys };
}

function mergeEntries(
  own: Entries,
  under: Entries,
  address: Address,
  context: BuildContext,
  path: readonly string[],
): Entries {
  const merged = new Map<string, MapEntry>(own);
  for (const [name, entry] of under) {
    const mine = own.get(name);
    if (mine === undefined) merged.set(name, entry);
    else if (path.length > 0 && isNull(mine.value) && !isUnset(mine.value)) {
      nullOverDefault([...path, name].join('.'), mine, address, context);
      merged.delete(name);
    } else if (mine.value.kind === 'map' && entry.value.kind === 'map') {
      const entries = mergeEntries(mine.value.entries, entry.value.entries, address, context, [...path, name]);
      merged.set(name, { key: mine.key, value: { kind: 'map', entries, at: mine.value.at } });
    }
  }
  return merged;
}

/** Null will mean what it means everywhere; until the next release it takes the default's key away, as it used to. */
function nullOverDefault(path: string, entry: MapEntry, address: Address, { problems }: BuildContext): void {
  problems.add('null-over-default', entry.value.at, `"${path}" of ${address} is null to leave out a default.`, {
    severity: 'warning',
    detail: 'From the next release on, null removes the key from the object, whoever set it.',
    hint: tagged('To drop the default, write !unset: then the key is not declared.', '!unset'),
    address,
  });
}
