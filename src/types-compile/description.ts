import { isList, isObject, type Json, type JsonObject } from '../engine/model/value.js';
import { refused, unreadable } from './read-document.js';
import { noRules, type Rules } from './rules-file.js';
import { camel } from './words.js';

/** An OpenAPI 3 description: every reference is followed inside the document, so many times and no more. */
export class Description {
  readonly paths: ReadonlyMap<string, JsonObject>;
  readonly #root: JsonObject;
  readonly #shown: string;
  readonly #words: readonly (readonly [word: string, ours: string])[];
  readonly #texts: Rules['texts'];
  #followed = 0;

  constructor(root: JsonObject, shown: string, { words, texts }: Pick<Rules, 'words' | 'texts'> = noRules) {
    this.#root = root;
    this.#shown = shown;
    this.#words = Object.entries(words);
    this.#texts = texts;
    if (typeof root['openapi'] !== 'string' || !root['openapi'].startsWith('3.'))
      throw unreadable(`${shown}#/openapi: this is no OpenAPI 3 description.`);
    const paths = root['paths'] ?? {};
    if (!isObject(paths)) throw unreadable(`${shown}#/paths holds no object.`);
    this.paths = new Map(
      Object.entries(paths).map(([path, item]) => {
        if (!isObject(item)) throw unreadable(`${shown}#/paths/${pointer(path)} holds no object.`);
        return [path, item];
      }),
    );
  }

  /** The name that a member of bodies has in catalogues: `display_name` → `displayName`. */
  nameOf(wire: string): string {
    return camel(this.#words.reduce((name, [word, ours]) => name.replaceAll(word, ours), wire));
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
    if (this.#followed > 1_000_000)
      throw refused('description-too-large', `${this.#shown} describes more than is compiled, last ${reference}.`);
    if (!reference.startsWith('#/'))
      throw refused('remote-reference', `${this.#shown} refers to ${reference}, which is another document.`);
    if (seen.includes(reference))
      throw refused('broken-reference', `${this.#shown}: ${reference} leads back to itself.`);
    const found = unescaped(reference.slice(2))
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json | undefined>(
        (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
        this.#root,
      );
    if (found === undefined) throw refused('broken-reference', `${this.#shown}: there is no ${reference}.`);
    return { ...this.at(found, [...seen, reference]), ...beside };
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
