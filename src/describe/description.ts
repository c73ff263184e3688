import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { TypesCode } from '@platform-sync/core/generated/codes';
import { unreadable } from './read-document.js';
import { noRules, type Rules } from './rules-file.js';
import { camel } from './words.js';

const mostFollowed = 3_000_000;

/**
 * An OpenAPI 3 description. References are followed inside the document, up to a bound. A reference that leads nowhere stands for
 * any value, with a warning.
 */
export class Description {
  /** By path, without a slash at its end. */
  readonly paths: ReadonlyMap<string, JsonObject>;
  readonly #root: JsonObject;
  readonly #shown: string;
  readonly #words: readonly (readonly [word: string, ours: string])[];
  readonly #written = new Map<string, string>();
  readonly #unfollowed = new Map<string, Diagnostic>();
  readonly #texts: Rules['texts'];
  #followed = 0;

  constructor(root: JsonObject, shown: string, { words, texts }: Pick<Rules, 'words' | 'texts'> = noRules) {
    this.#root = root;
    this.#shown = shown;
    this.#words = Object.entries(words);
    this.#texts = texts;
    if (typeof root['openapi'] !== 'string' || !root['openapi'].startsWith('3.'))
      throw unreadable(`${shown}#/openapi: this is not an OpenAPI 3 description.`);
    const paths = root['paths'] ?? {};
    if (!isObject(paths)) throw unreadable(`${shown}#/paths holds no object.`);
    this.paths = this.#pathsOf(paths);
  }

  /** References that are not followed, each as a warning. */
  get unfollowed(): readonly Diagnostic[] {
    return [...this.#unfollowed.values()];
  }

  /** A path as calls have it: with the slash that ends it there. */
  written(path: string): string {
    return this.#written.get(path) ?? path;
  }

  /** What a path says of all its calls, each call says. */
  #pathsOf(paths: JsonObject): ReadonlyMap<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    for (const [written, said] of Object.entries(paths)) {
      if (!written.startsWith('/')) continue;
      if (!isObject(said)) throw unreadable(`${this.#shown}#/paths/${pointer(written)} holds no object.`);
      const path = written.length > 1 ? written.replace(/\/(?=$|#)/, '') : written;
      if (found.has(path)) continue;
      if (path !== written) this.#written.set(path, written);
      const item = this.at(said);
      const shared = isList(item['parameters']) ? item['parameters'] : [];
      found.set(path, shared.length === 0 ? item : withParameters(item, shared));
    }
    return found;
  }

  /** The name that a member of bodies has in catalogues: `display_name` → `displayName`; none that every object has anyway. */
  nameOf(wire: string): string {
    const name = camel(this.#words.reduce((name, [word, ours]) => name.replaceAll(word, ours), wire));
    return name in Object.prototype ? `${name}Value` : name;
  }

  /** What a field means, and what a member of a record does, in the words of people; nothing where nobody said it. */
  textOf(name: string, type?: string): { readonly description?: string } {
    const table = new Map(Object.entries(this.#texts[type === undefined ? 'members' : 'fields'] ?? {}));
    const description = (type === undefined ? undefined : table.get(`${type}.${name}`)) ?? table.get(name);
    return description === undefined ? {} : { description };
  }

  /** Address of the servers that calls go to unless they say others. */
  get server(): string | undefined {
    return serverOf(this.#root);
  }

  /** What a node says, its reference followed; what stands beside the reference counts, too. */
  at(node: Json | undefined, seen: readonly string[] = []): JsonObject {
    if (!isObject(node)) return {};
    const { $ref: reference, ...beside } = node;
    if (typeof reference !== 'string') return node;
    this.#followed += 1;
    if (this.#followed > mostFollowed)
      return this.#unfollowable('description-too-large', 'describes more than is compiled, last', reference, beside);
    if (!reference.startsWith('#/') && reference !== '#')
      return this.#unfollowable('remote-reference', 'refers to another document:', reference, beside);
    if (seen.includes(reference))
      return this.#unfollowable('broken-reference', 'has a reference that leads back to itself:', reference, beside);
    const found = unescaped(reference.slice(2))
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json | undefined>(memberOf, this.#root);
    if (found === undefined)
      return this.#unfollowable('broken-reference', 'has a reference that leads nowhere:', reference, beside);
    return { ...this.at(found, [...seen, reference]), ...beside };
  }

  #unfollowable(code: TypesCode, what: string, reference: string, beside: JsonObject): JsonObject {
    const key = code === 'description-too-large' ? code : reference;
    if (!this.#unfollowed.has(key))
      this.#unfollowed.set(key, {
        ...{ severity: 'warning', code, summary: `${this.#shown} ${what} ${reference}.` },
        ...defined({ hint: hints[code] }),
      });
    return beside;
  }

  /** The JSON schema of a request's body. */
  bodyOf(call: JsonObject): Json | undefined {
    return this.#jsonOf(this.at(call['requestBody'])['content']);
  }

  /** The JSON schema of a successful answer. */
  answerOf(call: JsonObject): Json | undefined {
    const answers = this.at(call['responses']);
    const done = Object.keys(answers).find((status) => status.startsWith('2'));
    return done === undefined ? undefined : this.#jsonOf(this.at(answers[done])['content']);
  }

  /** What an answer with that status holds: the media types it names, none where it has no body, undefined where it is not there. */
  mediaOf(call: JsonObject, status: string): readonly string[] | undefined {
    const answers = this.at(call['responses']);
    if (answers[status] === undefined) return undefined;
    return Object.keys(this.at(this.at(answers[status])['content']));
  }

  /** The JSON of an answer that means failure, and its examples: of that status, of its class, or of all that are not described. */
  problemOf(
    call: JsonObject,
    status: string,
  ): { readonly schema: Json | undefined; readonly examples: readonly Json[] } | undefined {
    const answers = this.at(call['responses']);
    const said = answers[status] ?? answers[`${status.charAt(0)}XX`] ?? answers['default'];
    const media = Object.entries(this.at(this.at(said)['content'])).find(([type]) => type.includes('json'))?.[1];
    if (!isObject(media)) return undefined;
    const examples = Object.values(this.at(media['examples'])).map((each) => this.at(each)['value']);
    return {
      schema: media['schema'],
      examples: [media['example'], ...examples].filter((each) => each !== undefined),
    };
  }

  #jsonOf(content: Json | undefined): Json | undefined {
    const media = Object.entries(this.at(content)).find(([type]) => type.includes('json'))?.[1];
    return isObject(media) ? media['schema'] : undefined;
  }
}

/** The first server that a document, a path or a call names. */
export function serverOf({ servers }: JsonObject): string | undefined {
  const first = isList(servers) ? servers[0] : undefined;
  const url = isObject(first) ? first['url'] : undefined;
  return typeof url === 'string' ? url.replace(/\/$/, '') : undefined;
}

const hints: Partial<Record<TypesCode, string>> = {
  'remote-reference': 'It counts as any value. Bundle the description into one file to have its fields.',
  'broken-reference': 'It counts as any value.',
  'description-too-large': 'The rest counts as any value. Leave out paths that no type needs.',
};

/** A member of an object, or an item of a list by its number. */
function memberOf(at: Json | undefined, name: string): Json | undefined {
  if (isList(at)) return /^\d+$/.test(name) ? at[Number(name)] : undefined;
  return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
}

function withParameters(item: JsonObject, shared: readonly Json[]): JsonObject {
  const calls = Object.entries(item).map(([method, call]): [string, Json] => {
    if (!methods.has(method) || !isObject(call)) return [method, call];
    return [method, { ...call, parameters: [...(isList(call['parameters']) ? call['parameters'] : []), ...shared] }];
  });
  return Object.fromEntries(calls);
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** A text that only looks escaped names nothing, and is told as that. */
function unescaped(pointer: string): string {
  try {
    return pointer.split('/').map(decodeURIComponent).join('/');
  } catch {
    return pointer;
  }
}

function pointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
