import { didYouMean } from '@platform-sync/core/model/nearest';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { siblingPath, type TextRead } from '@platform-sync/catalogue/read/file-texts';
import type { Flaw } from './flaw.js';
import { memberAt, SpecificationText } from './text.js';

/** A file of the project, and whether the policy lets it be read. */
export interface ReferredFiles {
  readonly read: (file: string) => TextRead | { readonly ok: false; readonly why: 'policy' };
}

/** Members whose own members have names that people chose: what is called `default` there is no default value. */
const nameMaps = new Set([
  ...['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'schemas', 'responses'],
  ...['parameters', 'examples', 'requestBodies', 'headers', 'securitySchemes', 'links', 'callbacks', 'pathItems'],
  ...['paths', 'webhooks', 'content', 'encoding', 'channels', 'operations', 'messages', 'servers', 'variables'],
  ...['replies', 'replyAddresses', 'correlationIds', 'externalDocs', 'tags', 'operationTraits', 'messageTraits'],
  ...['serverVariables', 'serverBindings', 'channelBindings', 'operationBindings', 'messageBindings'],
  ...['securityDefinitions', 'components'],
]);
/** Members that hold values of callers: what looks like a reference there is data. */
const valueMembers = new Set(['example', 'default', 'const', 'enum', 'value']);

/** The names on the way to a value, from the last one. */
interface Way {
  readonly up: Way | undefined;
  readonly name: string;
}

interface Target {
  readonly document: SpecificationText;
  readonly value: Json;
  readonly path: readonly string[];
}

type Found = Target | { readonly what: string; readonly hint?: string | undefined } | 'elsewhere';

const mostFlaws = 20;

/** Follows every `$ref` of a specification, through the files of the project, and tells those that lead nowhere. */
export class References {
  readonly flaws: Flaw[] = [];
  readonly #files: ReferredFiles | undefined;
  readonly #read = new Map<string, SpecificationText | string>();
  readonly #seen = new Set<Json>();
  readonly #names = new Map<SpecificationText, ReadonlySet<string>>();
  #top: SpecificationText | undefined;

  constructor(files: ReferredFiles | undefined) {
    this.#files = files;
  }

  check(document: SpecificationText): readonly Flaw[] {
    this.#top = document;
    if (document.text.includes('$ref') || document.text.includes('\\u')) this.#walk(document.value ?? null, document);
    return this.flaws;
  }

  #walk(value: Json, document: SpecificationText, way?: Way, isNames = false): void {
    if (this.flaws.length >= mostFlaws || typeof value !== 'object' || value === null) return;
    // What aliases and other files share is looked at once.
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    if (isList(value)) {
      value.forEach((item, at) => this.#walk(item, document, { up: way, name: String(at) }));
      return;
    }
    for (const [reference, at] of isNames ? [] : referencesOf(value, way)) this.#follow(reference, document, at);
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null) continue;
      if (!isNames && (valueMembers.has(name) || isData(name, member))) continue;
      this.#walk(member, document, { up: way, name }, !isNames && nameMaps.has(name) && isObject(member));
    }
  }

  /** `way` leads to the reference itself. */
  #follow(reference: string, document: SpecificationText, way: Way): void {
    const found = this.#ring(reference, document);
    if (found === 'elsewhere') return;
    if (!('what' in found)) {
      if (found.document !== this.#top) this.#walk(found.value, found.document, wayOf(found.path));
      return;
    }
    const path = pathOf(way);
    const what = `refers to ${reference}, ${found.what}`;
    this.flaws.push({
      ...{ code: 'dangling-reference', severity: 'error', what, path, place: document.placeOf(path), document },
      ...(found.hint !== undefined && { hint: found.hint }),
    });
  }

  /** Where a reference ends that may lead to another one. */
  #ring(reference: string, from: SpecificationText): Found {
    const met = new Set<Json>();
    let found = this.#resolve(reference, from);
    for (;;) {
      if (found === 'elsewhere' || 'what' in found || !isObject(found.value)) return found;
      const next = found.value['$ref'];
      if (typeof next !== 'string' || Object.keys(found.value).length > 1) return found;
      if (met.has(found.value)) return { what: 'which leads back to itself and to no value' };
      met.add(found.value);
      const further = this.#resolve(next, found.document);
      // That one is told at its own place.
      if (further === 'elsewhere' || 'what' in further) return found;
      found = further;
    }
  }

  #resolve(reference: string, from: SpecificationText): Found {
    const hash = reference.indexOf('#');
    const fragment = hash < 0 ? '' : decoded(reference.slice(hash + 1));
    const file = decoded(hash < 0 ? reference : reference.slice(0, hash));
    if (file === '') return this.#inside(from, fragment);
    if (this.#files === undefined) return 'elsewhere';
    if (/^(?:file:|[a-z]:[\\/]|[\\/](?![\\/]))/i.test(file))
      return {
        what: 'which leads out of the project',
        hint: 'Copy the file into the project, and refer to it by a path.',
      };
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(file)) return 'elsewhere';
    const document = this.#open(siblingPath(from.file, file.replaceAll('\\', '/')), this.#files);
    if (document instanceof SpecificationText) return this.#inside(document, fragment);
    return this.#namesOf(from).has(file) ? 'elsewhere' : { what: document };
  }

  #open(file: string, files: ReferredFiles): SpecificationText | string {
    let document = this.#read.get(file);
    if (document === undefined) this.#read.set(file, (document = readReferred(file, files)));
    return document;
  }

  #inside(document: SpecificationText, fragment: string): Found {
    if (fragment === '') return { document, value: document.value ?? null, path: [] };
    if (!fragment.startsWith('/'))
      return this.#namesOf(document).has(`#${fragment}`)
        ? 'elsewhere'
        : { what: 'where nothing has this name', hint: 'A reference inside of a file starts with #/' };
    const names = pointerKeys(fragment);
    const found = this.#at(document, names, 0);
    // A schema with an $id of its own is the top of what it holds.
    return 'what' in found && this.#namesOf(document).size > 0 ? this.#belowName(document, names, found) : found;
  }

  #at(document: SpecificationText, names: readonly string[], hops: number): Exclude<Found, 'elsewhere'> {
    let target: Target = { document, value: document.value ?? null, path: [] };
    for (const name of names) {
      const next = memberAt(target.value, name);
      if (next !== undefined) {
        target = { ...target, value: next, path: [...target.path, name] };
        continue;
      }
      const onward = isObject(target.value) ? target.value['$ref'] : undefined;
      const other = typeof onward === 'string' && hops < 20 ? this.#resolve(onward, target.document) : undefined;
      const below =
        other === undefined || other === 'elsewhere' || 'what' in other ? undefined : memberAt(other.value, name);
      if (other === undefined || other === 'elsewhere' || 'what' in other || below === undefined)
        return {
          what: 'which is not there',
          hint: isObject(target.value) ? didYouMean(name, Object.keys(target.value)) : undefined,
        };
      target = { document: other.document, value: below, path: [...other.path, name] };
    }
    return target;
  }

  #belowName(document: SpecificationText, names: readonly string[], missed: Found): Found {
    const tops = [...embedded(document.value ?? null)].filter(({ $id }) => typeof $id === 'string');
    const isThere = tops.some((top) => names.reduce<Json | undefined>(memberAt, top) !== undefined);
    return isThere ? 'elsewhere' : missed;
  }

  /** The names that schemas of JSON Schema give themselves: `#anchor`, and ids. */
  #namesOf(document: SpecificationText): ReadonlySet<string> {
    let names = this.#names.get(document);
    if (names === undefined)
      this.#names.set(document, (names = new Set([...embedded(document.value ?? null)].flatMap(ownNames))));
    return names;
  }
}

/** What a value refers to: itself, or by the schemas that its discriminator tells apart. There, a mere name needs no schema. */
function referencesOf(value: JsonObject, up: Way | undefined): readonly (readonly [reference: string, at: Way])[] {
  const { $ref, discriminator } = value;
  const own: readonly (readonly [string, Way])[] = typeof $ref === 'string' ? [[$ref, { up, name: '$ref' }]] : [];
  const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined;
  if (!isObject(mapping)) return own;
  const at: Way = { up: { up, name: 'discriminator' }, name: 'mapping' };
  const told = Object.entries(mapping).flatMap(([name, to]) =>
    typeof to === 'string' && to.includes('#') ? [[to, { up: at, name }] as const] : [],
  );
  return [...own, ...told];
}

function readReferred(file: string, files: ReferredFiles): SpecificationText | string {
  const read = files.read(file);
  if (!read.ok) return failures[read.why];
  const document = new SpecificationText(file, read.text);
  if (document.unreadable === undefined) return document;
  const { what, place } = document.unreadable;
  return `a file that ${what} (${place.file}:${String(place.line)}:${String(place.column)})`;
}

const failures: Readonly<Record<Exclude<ReturnType<ReferredFiles['read']>, { readonly ok: true }>['why'], string>> = {
  missing: 'a file that does not exist',
  unreadable: "a file that can't be read",
  outside: 'which leads out of the project',
  'outside-link': 'which leads out of the project through a symbolic link',
  'no-data': 'a file that is never read',
  'too-large': 'a file that is larger than 32 MiB',
  'not-utf8': 'a file that is not UTF-8 text',
  policy: 'a file that the permissions do not let these files read',
};

/** Extensions are nobody's to judge, and lists of examples hold values. */
function isData(name: string, member: Json): boolean {
  return name.startsWith('x-') || (name === 'examples' && isList(member));
}

/** Objects that may give themselves a name. */
function* embedded(value: Json): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value) && ['$id', '$anchor', '$dynamicAnchor'].some((name) => typeof value[name] === 'string'))
    yield value;
  for (const member of isList(value) ? value : Object.values(value)) yield* embedded(member);
}

function ownNames({ $id, $anchor, $dynamicAnchor }: JsonObject): readonly string[] {
  const anchors = [$anchor, $dynamicAnchor].filter((one) => typeof one === 'string').map((one) => `#${one}`);
  return typeof $id === 'string' ? [...anchors, $id, $id.slice($id.lastIndexOf('/') + 1)] : anchors;
}

function pathOf(way: Way | undefined): readonly string[] {
  const path: string[] = [];
  for (let at = way; at !== undefined; at = at.up) path.push(at.name);
  return path.reverse();
}

function wayOf(path: readonly string[]): Way | undefined {
  return path.reduce<Way | undefined>((up, name) => ({ up, name }), undefined);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
