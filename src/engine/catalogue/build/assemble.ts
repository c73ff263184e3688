import type { Address } from '../../model/address.js';
import type { Expression } from '../../model/expression.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { BuildContext } from '../read/build-context.js';
import type { Assembled, Catalogue } from './assembled.js';
import { builtInNames } from './built-in.js';
import { givenByParent } from './nesting.js';
import { inOrder } from './siblings.js';
import { defaultsOf, mergeDefaults, overlayDefaults, type TypeDefaults } from './defaults.js';
import type { Patched } from './overlays.js';
import type { RawFile, RawNamed, RawResource } from '../read/raw-file.js';
import { keepInputs } from './property-names.js';
import type { Entries } from '../read/shape.js';
import { isUnset } from '../read/unset.js';
import { resolveType, type Vocabulary } from './vocabulary.js';

/** Flattens children, merges defaults and refuses what is declared twice. */
export function assemble(
  { files, off }: Patched,
  overlays: readonly RawFile[],
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
    incomplete,
  };
}

/** Twice is once. */
function removedOf(files: readonly RawFile[]): ReadonlyMap<Address, SourceRange> {
  const found = new Map<Address, SourceRange>();
  for (const { text, at } of files.flatMap(({ removed }) => removed)) if (!found.has(text)) found.set(text, at);
  return found;
}

class Assembler {
  readonly resources = new Map<Address, Assembled>();
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

  addResources(resources: readonly RawResource[], file: string): void {
    for (const raw of resources) isReserved({ name: raw.address, at: raw.at }, 'resource', this.#context);
    for (const raw of resources) this.#add(raw, undefined, file);
  }

  #add(raw: RawResource, parent: Assembled | 'untyped' | undefined, file: string): void {
    const earlier = this.places.get(raw.address);
    if (earlier !== undefined) {
      this.#context.problems.add('duplicate-address', raw.at, `The resource ${raw.address} is declared twice.`, {
        hint: this.#overlays.has(file)
          ? 'An overlay changes what the catalogue has under "patches". Another resource needs another key.'
          : 'Rename or remove one of the two.',
        address: raw.address,
        related: [{ at: earlier, message: 'first declared here' }],
      });
      return;
    }
    this.places.set(raw.address, raw.at);
    const assembled = this.#resource(raw, parent, this.#defaults.get(raw.declaredIn ?? file) ?? new Map());
    if (assembled === undefined) this.untyped.add(raw.address);
    else this.resources.set(raw.address, assembled);
    for (const child of inOrder(raw.children, this.#context)) this.#add(child, assembled ?? 'untyped', file);
  }

  #resource(
    raw: RawResource,
    parent: Assembled | 'untyped' | undefined,
    defaults: TypeDefaults,
  ): Assembled | undefined {
    if (raw.isTypeless === true && raw.type === undefined) reportNoType(raw, this.#context);
    const type = raw.type && resolveType(raw.type.text, raw.type.at, this.#vocabulary, this.#context);
    if (type === undefined) return undefined;
    const own = keepInputs(raw.properties, type, `"${raw.address}"`, raw.address, this.#context);
    const merged = mergeDefaults(own, defaults.get(type.token), raw.address, this.#context);
    if (parent === 'untyped') return undefined;
    const given = parent === undefined ? [] : givenByParent(raw, type, own, parent, this.#context);
    if (given === undefined) return undefined;
    const { nameField } = type;
    let properties = given.length === 0 ? merged.properties : merged.properties.and(given);
    if (nameField !== undefined && !properties.has(nameField))
      properties = properties.and([[nameField, { kind: 'literal', value: raw.key, at: raw.at }]]);
    const { values: options } = raw.options;
    const { address, at, placedAfter } = raw;
    const { propertyKeys } = merged;
    const named = { address, type: type.token, properties, options, at, propertyKeys };
    const desired = placedAfter === undefined ? named : { ...named, placedAfter };
    return { desired, type, raw };
  }
}

function reportNoType({ at, address }: RawResource, { problems }: BuildContext): void {
  problems.add('missing-type', at, `The resource ${address} has no type.`, {
    hint: 'Give it one: type: platform:Api',
    address,
  });
}

/** True (reported) for a name that references give another meaning. */
function isReserved(
  { name, at }: Pick<RawNamed, 'name' | 'at'>,
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
  named: readonly RawNamed[],
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
