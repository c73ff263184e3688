import { stringify, YAMLParseError } from 'yaml';
import type { PathSegment } from '@platform-sync/core/model/expression';
import { linearPattern, UnfitPattern } from '@platform-sync/core/model/linear-pattern';
import { readJson } from '@platform-sync/core/model/read-json';
import { isList, isObject, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import {
  type DataFiles,
  isSpecificationOverlay,
  type Overlaid,
  type OverlayFault,
  parseYaml,
  type GivenText,
} from './data-files.js';
import { siblingPath, type TextRead } from './file-texts.js';

type ReadText = (file: string) => TextRead | { readonly ok: false; readonly why: 'policy' };

/** Overlays may stand for what overlays stand for. */
const longestChain = 20;

/** Applies the overlays that catalogue files have asked for as if they were specifications. */
export async function readOverlays(data: DataFiles, read: ReadText): Promise<void> {
  for (const file of data.waiting) {
    const found = await settled(overlaid(file, read));
    if ('base' in found) data.claim(found.base, file);
    data.overlay(file, found);
  }
}

/** What overlays among files make: of one of them, to which they are applied in their order, or of a file elsewhere. */
export async function overlaidAmong(
  overlays: readonly string[],
  files: readonly string[],
  read: ReadText,
): Promise<ReadonlyMap<string, GivenText>> {
  const given = new Map<string, GivenText>();
  const applied = new Map<string, string[]>();
  for (const file of overlays) {
    const own = read(file);
    const base = own.ok ? extendedBy(file, own.text) : undefined;
    if (typeof base !== 'string') {
      if (base !== undefined) given.set(file, base);
      continue;
    }
    const isHere = files.includes(base);
    given.set(file, isHere ? 'applied' : await settled(withOverlays(base, [file], read)));
    if (isHere) applied.set(base, [...(applied.get(base) ?? []), file]);
  }
  for (const [base, list] of applied) given.set(base, await settled(withOverlays(base, list, read)));
  return given;
}

/** The file that an overlay is for, or why there is none. */
function extendedBy(file: string, text: string): string | OverlayFault {
  try {
    return extended(file, text);
  } catch (error) {
    return faultOf(error);
  }
}

async function settled(made: Promise<Overlaid>): Promise<Overlaid | OverlayFault> {
  try {
    return await made;
  } catch (error) {
    return faultOf(error);
  }
}

function faultOf(error: unknown): OverlayFault {
  if (error instanceof OverlayFailure) return error.fault;
  throw error;
}

/** What an overlay stands for: the specification that it `extends`, changed. */
async function overlaid(file: string, read: ReadText): Promise<Overlaid> {
  const chain: string[] = [];
  let current = file;
  for (;;) {
    if (chain.includes(current) || chain.length > longestChain)
      throw new OverlayFailure({ file, path: ['extends'], what: 'extends itself' });
    const found = read(current);
    if (!found.ok) throw unreadable(chain.at(-1) ?? file, current);
    if (!isSpecificationOverlay(found.text)) break;
    chain.push(current);
    current = extended(current, found.text);
  }
  return withOverlays(current, chain.reverse(), read);
}

async function withOverlays(base: string, overlays: readonly string[], read: ReadText): Promise<Overlaid> {
  const own = read(base);
  if (!own.ok) throw unreadable(overlays[0] ?? base, base);
  const document = valueOf(base, own.text);
  const idle: OverlayFault[] = [];
  const paths = await jsonPaths();
  for (const file of overlays) {
    const found = read(file);
    if (!found.ok) throw unreadable(file, file);
    idle.push(...new Application(file, paths).apply(actionsOf(file, found.text), document));
  }
  const text = /^\s*\{/.test(own.text)
    ? `${JSON.stringify(document, null, 2)}\n`
    : stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  return { text, base, by: overlays.at(-1) ?? base, idle };
}

function extended(file: string, text: string): string {
  const overlay = valueOf(file, text);
  const named = isObject(overlay) ? overlay['extends'] : undefined;
  if (typeof named !== 'string' || named === '')
    throw new OverlayFailure({
      ...{ file, path: [], what: 'says no specification that it is for' },
      hint: 'Write the path of the specification under "extends".',
    });
  if (/^[a-z][a-z0-9+.-]+:|^\//i.test(named))
    throw new OverlayFailure({
      ...{ file, path: ['extends'], what: `extends ${named}, which is no path in the project` },
      hint: 'Copy the specification into the project, and name it by a relative path.',
    });
  return siblingPath(file, named);
}

/** Thrown for what an author of an overlay puts right. */
class OverlayFailure extends Error {
  constructor(readonly fault: OverlayFault) {
    super(fault.what);
  }
}

function unreadable(by: string, file: string): OverlayFailure {
  const what = by === file ? "can't be read" : `is for ${file}, which can't be read`;
  return new OverlayFailure({ file: by, path: ['extends'], what });
}

function valueOf(file: string, text: string): Json {
  try {
    return /^\s*\{/.test(text) && file.endsWith('.json') ? readJson(text) : parseYaml(text);
  } catch (error) {
    const offset = error instanceof YAMLParseError ? error.pos[0] : 0;
    const why = error instanceof Error ? `: ${error.message.split('\n')[0] ?? ''}` : '';
    throw new OverlayFailure({ file, path: [], offset, what: `can't be read${why}` });
  }
}

interface Action {
  readonly target: string;
  readonly update?: Json | undefined;
  readonly isRemoval: boolean;
}

function actionsOf(file: string, text: string): readonly Action[] {
  const overlay = valueOf(file, text);
  const version = isObject(overlay) ? String(overlay['overlay']) : '';
  if (!version.startsWith('1.'))
    throw new OverlayFailure({
      ...{ file, path: ['overlay'], what: `is an overlay of a version that is not known here (${version})` },
      hint: 'Versions are 1.0.0 and later ones that begin with 1.',
    });
  const actions = isObject(overlay) ? overlay['actions'] : undefined;
  if (!isList(actions)) throw new OverlayFailure({ file, path: ['actions'], what: 'has no list of actions' });
  return actions.map((action, at) => {
    const target = isObject(action) ? action['target'] : undefined;
    if (!isObject(action) || typeof target !== 'string')
      throw new OverlayFailure({ file, path: ['actions', at], what: `has no target in its ${ordinal(at)} action` });
    return { target, update: action['update'], isRemoval: action['remove'] === true };
  });
}

function ordinal(at: number): string {
  return `${String(at + 1)}.`;
}

/** What a library is used for. */
interface JsonPaths {
  query(path: string, value: unknown): { readonly nodes: readonly { readonly location: readonly PathSegment[] }[] };
}

/** What is changed in place: the document is ours alone. */
const isOpenList = (value: Json | undefined): value is Json[] => isList(value);

class Application {
  readonly #file: string;
  readonly #paths: JsonPaths;

  constructor(file: string, paths: JsonPaths) {
    this.#file = file;
    this.#paths = paths;
  }

  /** Changes the document. Each action finds what those before have left. */
  apply(actions: readonly Action[], document: Json): readonly OverlayFault[] {
    return actions.flatMap(({ target, update, isRemoval }, at) => {
      const path = ['actions', at, 'target'];
      const found = this.#locations(target, document, path);
      // The last one first: what is removed from a list moves what is behind it.
      for (const location of isRemoval ? found.toReversed() : found) {
        if (isRemoval) this.#remove(document, location, path);
        else if (update !== undefined) this.#update(valueAt(document, location), update, path);
      }
      const what = `changes nothing in its ${ordinal(at)} action: ${target} is not there`;
      return found.length > 0 ? [] : [{ file: this.#file, path, what }];
    });
  }

  #locations(target: string, document: Json, path: readonly PathSegment[]): readonly (readonly PathSegment[])[] {
    try {
      return this.#paths.query(target, document).nodes.map(({ location }) => location);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const what = `has a target that can't be followed, ${target}: ${error.message}`;
      throw new OverlayFailure({ file: this.#file, path, what, hint: 'Targets are JSONPath (RFC 9535).' });
    }
  }

  #remove(document: Json, location: readonly PathSegment[], path: readonly PathSegment[]): void {
    const key = location.at(-1);
    const parent = valueAt(document, location.slice(0, -1));
    if (key === undefined) throw new OverlayFailure({ file: this.#file, path, what: 'removes the whole document' });
    if (isOpenList(parent)) parent.splice(Number(key), 1);
    else if (isObject(parent)) Reflect.deleteProperty(parent, key);
  }

  #update(value: Json | undefined, update: Json, path: readonly PathSegment[]): void {
    if (isOpenList(value)) value.push(...structuredClone(isList(update) ? update : [update]));
    else if (isObject(value) && isObject(update)) merge(value, update);
    else
      throw new OverlayFailure({
        ...{ file: this.#file, path, what: 'updates what is neither a map nor a list' },
        hint: 'Let the target be the map that holds it, and write the member under "update".',
      });
  }
}

function valueAt(document: Json, location: readonly PathSegment[]): Json | undefined {
  let found: Json | undefined = document;
  for (const step of location)
    found = isList(found) ? found[Number(step)] : isObject(found) ? ownMember(found, String(step)) : undefined;
  return found;
}

/** Maps are merged, lists continued, all else is replaced. */
function merge(into: JsonObject, update: JsonObject): void {
  for (const [name, given] of Object.entries(update)) {
    const known = ownMember(into, name);
    if (isObject(known) && isObject(given)) merge(known, given);
    else if (isOpenList(known) && isList(given)) known.push(...structuredClone(given));
    else {
      const value = structuredClone(given);
      Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });
    }
  }
}

/** Deep documents are followed, and patterns run in time that grows with the text alone. */
async function jsonPaths(): Promise<JsonPaths> {
  const { FunctionExpressionType, JSONPathEnvironment } = await import('json-p3');
  const environment = new JSONPathEnvironment({ maxRecursionDepth: 1000 });
  const { ValueType, LogicalType } = FunctionExpressionType;
  for (const [name, whole] of [
    ['match', (pattern: string) => `^(?:${pattern})$`],
    ['search', (pattern: string) => pattern],
  ] as const)
    environment.functionRegister.set(name, {
      ...{ argTypes: [ValueType, ValueType], returnType: LogicalType },
      call: (text: unknown, pattern: unknown) =>
        typeof text === 'string' && typeof pattern === 'string' && matches(whole(pattern), text),
    });
  return environment;
}

function matches(pattern: string, text: string): boolean {
  try {
    return linearPattern(pattern).test(text);
  } catch (error) {
    if (!(error instanceof UnfitPattern)) throw error;
    throw new Error(`the pattern ${pattern} can't be used: ${error.message}`);
  }
}
