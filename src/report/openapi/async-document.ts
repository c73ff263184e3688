import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { resolved } from './document.js';
import type { Direction } from './schema-rules.js';
import { isRecord } from '../words/value.js';

/** What an application does with messages at one address. */
export interface AsyncOperation {
  /** `sends orders/{id}`, `receives orders/{id}`: seen from the application that the document describes. */
  readonly name: string;
  /** What it receives is what its clients write, what it sends is what they read. */
  readonly direction: Direction;
  /** As in the document, for what it says of its end. */
  readonly source: JsonObject;
  readonly security: readonly Json[];
  /** By their places in the address: what they are called changes no message. */
  readonly parameters: ReadonlyMap<string, { readonly name: string; readonly schema: Json }>;
  readonly messages: ReadonlyMap<string, AsyncMessage>;
  /** Of the channel and of the operation. */
  readonly bindings: readonly Json[];
}

export interface AsyncMessage {
  /** JSON Schemas; null where it has none. */
  readonly payload: Json;
  readonly headers: Json;
  /** Languages other than JSON Schema are only told to be the same or not. */
  readonly format: string | undefined;
  /** How it is written; undefined where nothing says it. */
  readonly mediaType: string | undefined;
  /** What finds the message that it belongs to, and what binds it to its protocol. */
  readonly frame: readonly Json[];
}

export function isAsyncApi(value: Json | undefined): value is JsonObject {
  return isRecord(value) && typeof value['asyncapi'] === 'string';
}

/** Address and direction → operation. Documents of AsyncAPI 2 and 3 that say the same give the same. */
export function asyncOperationsOf(document: JsonObject): ReadonlyMap<string, AsyncOperation> {
  const found = String(document['asyncapi']).startsWith('2.') ? ofChannels(document) : ofOperations(document);
  const operations = new Map<string, AsyncOperation>();
  for (const operation of found) {
    const key = operation.name.replace(/\{[^{}]*\}/g, '{}');
    const other = operations.get(key);
    // Several operations of one address and direction: clients see their messages together.
    operations.set(
      key,
      other === undefined ? operation : { ...other, messages: new Map([...other.messages, ...operation.messages]) },
    );
  }
  return operations;
}

/** AsyncAPI 2 says what clients do: they publish what the application receives. */
function ofChannels(document: JsonObject): readonly AsyncOperation[] {
  return entries(document['channels']).flatMap(([address, raw]) => {
    const channel = record(document, raw);
    return (['publish', 'subscribe'] as const).flatMap((action): readonly AsyncOperation[] => {
      if (channel[action] === undefined) return [];
      const operation = record(document, channel[action]);
      const message = record(document, operation['message']);
      const alternatives = isList(message['oneOf']) ? message['oneOf'] : [operation['message'] ?? null];
      return [
        {
          ...about(document, action === 'publish' ? 'receive' : 'send', address, channel, operation),
          messages: new Map(alternatives.map((one, index) => named(document, one, `message ${index + 1}`))),
        },
      ];
    });
  });
}

function ofOperations(document: JsonObject): readonly AsyncOperation[] {
  return entries(document['operations']).flatMap(([, raw]) => {
    const operation = record(document, raw);
    const action = operation['action'];
    if (action !== 'send' && action !== 'receive') return [];
    const own = overChannel(document, operation, action);
    const reply = record(document, operation['reply']);
    if (reply['channel'] === undefined) return [own];
    const answer = overChannel(document, reply, action === 'send' ? 'receive' : 'send');
    return [own, { ...answer, name: `${answer.name} as reply to what it ${own.name}` }];
  });
}

/** What an operation, or the reply to one, says of the channel that it goes over. */
function overChannel(document: JsonObject, operation: JsonObject, action: 'send' | 'receive'): AsyncOperation {
  const channel = record(document, operation['channel']);
  const address = asText(channel['address']) ?? nameIn(operation['channel']);
  const messages = isList(operation['messages'])
    ? operation['messages'].map((message) => named(document, message, nameIn(message)))
    : entries(channel['messages']).map(([name, message]) => named(document, message, name));
  return { ...about(document, action, address, channel, operation), messages: new Map(messages) };
}

function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function about(
  document: JsonObject,
  action: 'send' | 'receive',
  address: string,
  channel: JsonObject,
  operation: JsonObject,
): Omit<AsyncOperation, 'messages'> {
  const places = [...address.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]);
  return {
    name: `${action}s ${address}`,
    direction: action === 'receive' ? 'request' : 'response',
    source: operation,
    security: isList(operation['security']) ? operation['security'].map((one) => resolved(document, one)) : [],
    parameters: new Map(
      entries(channel['parameters']).map(([name, raw]) => {
        const place = places.indexOf(name);
        return [place < 0 ? name : `{${place}}`, { name, schema: parameterSchema(record(document, raw)) }];
      }),
    ),
    bindings: [channel['bindings'], operation['bindings']].map((bindings) => resolved(document, bindings)),
  };
}

/** AsyncAPI 3 has the few words of a schema that fit a parameter beside each other, AsyncAPI 2 a schema. */
function parameterSchema({ schema, description: _, examples: __, location: ___, ...own }: JsonObject): Json {
  return schema ?? { type: 'string', ...own };
}

function named(document: JsonObject, raw: Json, fallback: string): readonly [string, AsyncMessage] {
  const message = record(document, raw);
  const name = [message['name'], message['messageId'], nameIn(raw)].find(
    (one) => typeof one === 'string' && one !== '',
  );
  const payload = message['payload'] ?? null;
  const inner = isRecord(payload) && typeof payload['schemaFormat'] === 'string' ? payload : undefined;
  return [
    typeof name === 'string' ? name : fallback,
    {
      payload: inner === undefined ? payload : (inner['schema'] ?? null),
      headers: message['headers'] ?? null,
      format: formatOf(inner?.['schemaFormat'] ?? message['schemaFormat']),
      mediaType: asText(message['contentType'] ?? document['defaultContentType']),
      frame: [message['correlationId'], message['bindings']].map((part) => resolved(document, part)),
    },
  ];
}

/** Undefined: JSON Schema, as AsyncAPI itself has it. */
function formatOf(format: Json | undefined): string | undefined {
  if (typeof format !== 'string' || /vnd\.aai\.asyncapi|schema\+(?:json|yaml)/.test(format)) return undefined;
  return format;
}

/** Last part of what a reference leads to: `#/components/messages/OrderPlaced` → `OrderPlaced`. */
function nameIn(raw: Json | undefined): string {
  const reference = isRecord(raw) ? raw['$ref'] : undefined;
  return typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : '';
}

function record(document: JsonObject, raw: Json | undefined): JsonObject {
  const value = resolved(document, raw);
  return isRecord(value) ? value : {};
}

function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
