import { DocumentFault } from '@platform-sync/core/model/document-fault';
import { atPointer, pointerKeys } from '@platform-sync/core/model/json-pointer';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject, asText } from '@platform-sync/rest/http/json';

/** One object of a gateway, in the words of its own API. `at` is a JSON pointer to what it was made from. */
export interface GatewayObject {
  readonly name: string;
  readonly fields: JsonObject;
  readonly at: string;
}

/** A plugin; `name` says which one. Its consumer, if it is for one, stands in the fields. */
export type GatewayPlugin = GatewayObject;

/** What `$ref` names, once or many times; anything else as it is. Only what stands in the same document is followed. */
export function referred(document: JsonObject, value: Json | undefined): JsonObject {
  const seen = new Set<string>();
  let found = asObject(value) ?? {};
  for (let pointer = asText(found['$ref']); pointer !== undefined; pointer = asText(found['$ref'])) {
    const keys = pointerKeys(pointer.replace(/^#/, ''));
    const next =
      pointer.startsWith('#/') && !seen.has(pointer) ? asObject(atPointer(document, pointer.slice(1))) : undefined;
    if (next === undefined)
      throw new DocumentFault(
        `refers to ${pointer}, which is not there`,
        keys,
        'Write it under components of the same file.',
      );
    seen.add(pointer);
    found = next;
  }
  return found;
}

/** A parameter of an operation: what it says over what its path says. */
export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  /** As written, a reference or not. */
  readonly raw: Json;
  readonly schema: JsonObject;
}

export function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): readonly Parameter[] {
  const read = (part: JsonObject): readonly Parameter[] =>
    (asList(part['parameters']) ?? []).map((each) => parameter(document, referred(document, each)));
  const own = read(operation);
  const isOwn = ({ name, place }: Parameter): boolean =>
    own.some((other) => other.name === name && other.place === place);
  return [...read(item).filter((each) => !isOwn(each)), ...own];
}

function parameter(document: JsonObject, given: JsonObject): Parameter {
  const place = asText(given['in']) ?? 'query';
  const style = asText(given['style']) ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const { explode } = given;
  return {
    name: asText(given['name']) ?? '',
    place,
    required: given['required'] === true,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    raw: given['schema'] ?? {},
    schema: referred(document, given['schema'] ?? {}),
  };
}

export function parameterAt(parameters: readonly Parameter[], name: string): Parameter | undefined {
  return parameters.find((each) => each.place === 'path' && each.name === name);
}

const longestCapture = 32;

/** `common_param` of `common-param`: what a pattern may call a part, which is a short name. */
export function captureName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain.slice(0, longestCapture).replace(/_$/, '');
}
