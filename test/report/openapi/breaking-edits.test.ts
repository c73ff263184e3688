import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '@platform-sync/core/model/value';
import { openApiDiff } from '@platform-sync/report/openapi/diff';
import type { Effect } from '@platform-sync/report/openapi/rules';

type Place = (part: string) => Json;

const operation = (parts: string, more = ''): Json =>
  parse(`{openapi: 3.1.0, paths: {/pets: {post: {${parts}}}}, ${more}}`) as Json;
const request: Place = (schema) => operation(`requestBody: {content: {application/json: {schema: ${schema}}}}`);
const response: Place = (schema) => operation(`responses: {"200": {content: {application/json: {schema: ${schema}}}}}`);
const query: Place = (parts) => operation(`parameters: [{name: limit, in: query, ${parts}}]`);
const caller: Place = (parts) => operation(parts);
const webhook: Place = (parts) => parse(`{openapi: 3.1.0, webhooks: {stock: {post: {${parts}}}}}`) as Json;
const callback: Place = (parts) => operation(`callbacks: {done: {'{$request.body#/url}': {post: {${parts}}}}}`);
const whole: Place = (text) => parse(`{openapi: 3.1.0, ${text}}`) as Json;
const place: Place = (parts) => operation(`parameters: [{name: id, in: path, required: true, ${parts}}]`);
const xml: Place = (schema) => operation(`requestBody: {content: {application/xml: {schema: ${schema}}}}`);
const header: Place = (schema) => operation(`responses: {"200": {headers: {A: {schema: ${schema}}}}}`);
const part: Place = (schema) => request(`{type: object, patternProperties: {"^x": ${schema}}}`);
const items: Place = (schema) => request(`{type: array, items: ${schema}}`);
const old: Place = (parts) => parse(`{swagger: "2.0", paths: {/pets: {post: {${parts}}}}}`) as Json;
const message: Place = (parts) =>
  parse(`{asyncapi: 2.6.0, channels: {pets: {publish: {message: {${parts}}}}}}`) as Json;
const replied: Place = (payload) =>
  parse(
    `{asyncapi: 3.0.0, channels: {ask: {address: ask}, told: {address: told, messages: {m: {payload: ${payload}}}}}, operations: {o: {action: receive, channel: {$ref: "#/channels/ask"}, reply: {channel: {$ref: "#/channels/told"}}}}}`,
  ) as Json;
const field = (more: string): string => `parameters: [{in: formData, name: a, type: string}${more}]`;
const answers = (status: string, type: string): string => `responses: {${status}: {${json(`{type: ${type}}`)}}}`;
const form = (type: string): string =>
  `requestBody: {content: {multipart/form-data: {schema: {}, encoding: {a: {contentType: ${type}}}}}}`;
const told = (to: string): string => `callbacks: {done: {"${to}": {post: {}}}}`;
const link = 'links: {next: {operationId: list}}';
const kinds = 'schema: {maxLength: 9, oneOf: [{type: string}, {type: integer}]}';
const json = (schema: string): string => `content: {application/json: {schema: ${schema}}}`;

/** What became of a schema, before and after; what that means in a request, and in an answer. */
const schemas: readonly (readonly [string, string, string, Effect, Effect])[] = [
  ['a property became required', '{properties: {a: {}}}', '{properties: {a: {}}, required: [a]}', 'breaks', 'safe'],
  ['a property became optional', '{properties: {a: {}}, required: [a]}', '{properties: {a: {}}}', 'safe', 'breaks'],
  ['a required property is new', '{}', '{properties: {a: {}}, required: [a]}', 'breaks', 'safe'],
  ['an optional property is new', '{}', '{properties: {a: {}}}', 'safe', 'safe'],
  ['a property is removed', '{properties: {a: {}}}', '{}', 'may-break', 'breaks'],
  [
    'a property is removed where no others are accepted',
    '{properties: {a: {}}, additionalProperties: false}',
    '{additionalProperties: false}',
    'breaks',
    'breaks',
  ],
  ['the type is narrower', '{type: number}', '{type: integer}', 'breaks', 'safe'],
  ['the type is wider', '{type: integer}', '{type: number}', 'safe', 'breaks'],
  ['the type is another', '{type: integer}', '{type: string}', 'breaks', 'breaks'],
  ['null is allowed', '{type: string}', '{type: [string, "null"]}', 'safe', 'breaks'],
  ['null is allowed as a kind', '{type: string}', '{oneOf: [{type: "null"}, {type: string}]}', 'safe', 'breaks'],
  ['null is refused', '{type: string, nullable: true}', '{type: string}', 'breaks', 'safe'],
  ['a value of an enum is removed', '{enum: [a, b]}', '{enum: [a]}', 'breaks', 'safe'],
  ['a value of an enum is new', '{enum: [a]}', '{enum: [a, b]}', 'safe', 'may-break'],
  ['an enum is new', '{}', '{enum: [a]}', 'breaks', 'safe'],
  ['a constant is another', '{const: a}', '{const: b}', 'breaks', 'breaks'],
  ['a pattern is new', '{type: string}', '{type: string, pattern: "^a"}', 'breaks', 'safe'],
  ['a pattern is another', '{pattern: "^a"}', '{pattern: "^b"}', 'may-break', 'safe'],
  ['a minimum is higher', '{minimum: 1}', '{minimum: 2}', 'breaks', 'safe'],
  ['a minimum is lower', '{minimum: 2}', '{minimum: 1}', 'safe', 'breaks'],
  ['a maximum length is lower', '{maxLength: 9}', '{maxLength: 8}', 'breaks', 'safe'],
  ['a maximum length is gone', '{maxLength: 9}', '{}', 'safe', 'breaks'],
  ['a maximum is written down', '{}', '{maximum: 9}', 'may-break', 'safe'],
  ['the items must differ', '{uniqueItems: false}', '{uniqueItems: true}', 'breaks', 'safe'],
  ['the items are of another type', '{items: {type: string}}', '{items: {type: number}}', 'breaks', 'breaks'],
  ['a format is new', '{type: string}', '{type: string, format: date}', 'breaks', 'safe'],
  ['other properties are refused', '{}', '{additionalProperties: false}', 'breaks', 'safe'],
  [
    'a map has no entries any longer',
    '{additionalProperties: {type: string}}',
    '{additionalProperties: false}',
    'breaks',
    'breaks',
  ],
  ['a kind is removed', '{oneOf: [{type: string}, {type: number}]}', '{oneOf: [{type: string}]}', 'breaks', 'safe'],
  ['a kind is new', '{anyOf: [{type: string}]}', '{anyOf: [{type: string}, {type: number}]}', 'safe', 'breaks'],
  [
    'a kind is new that looks like another',
    '{anyOf: [{properties: {a: {}}}]}',
    '{anyOf: [{properties: {a: {}}}, {title: B, properties: {a: {}}}]}',
    'safe',
    'safe',
  ],
  [
    'a kind is new that is told from another',
    '{discriminator: {propertyName: a}, anyOf: [{properties: {a: {}}}]}',
    '{discriminator: {propertyName: a}, anyOf: [{properties: {a: {}}}, {title: B, properties: {a: {}}}]}',
    'safe',
    'breaks',
  ],
  ['it became one of several kinds', '{type: string}', '{oneOf: [{type: string}, {type: number}]}', 'safe', 'breaks'],
  [
    'a part with a required property is new',
    '{allOf: [{properties: {a: {}}}]}',
    '{allOf: [{properties: {a: {}}}, {properties: {b: {}}, required: [b]}]}',
    'breaks',
    'safe',
  ],
  [
    'a part is removed',
    '{allOf: [{properties: {a: {}}}, {properties: {b: {}}}]}',
    '{properties: {a: {}}}',
    'may-break',
    'breaks',
  ],
  ['its own properties became a part', '{properties: {a: {}}}', '{allOf: [{properties: {a: {}}}]}', 'safe', 'safe'],
  [
    'a discriminator has a value less',
    '{discriminator: {propertyName: k, mapping: {a: A, b: B}}}',
    '{discriminator: {propertyName: k, mapping: {a: A}}}',
    'may-break',
    'may-break',
  ],
  ['a property needs another', '{}', '{dependentRequired: {a: [b]}}', 'breaks', 'safe'],
  ['what is excluded is new', '{}', '{not: {type: string}}', 'breaks', 'safe'],
  ['what only answers have is removed', '{properties: {a: {readOnly: true}}}', '{properties: {}}', 'safe', 'breaks'],
  [
    'what only requests have became required',
    '{properties: {a: {writeOnly: true}}}',
    '{properties: {a: {writeOnly: true}}, required: [a]}',
    'breaks',
    'safe',
  ],
  ['a default is another', '{default: 1}', '{default: 2}', 'may-break', 'safe'],
];

const edits: readonly (readonly [string, Place, string, string, Effect])[] = [
  ['a path is removed', whole, 'paths: {/a: {get: {}}}', 'paths: {}', 'breaks'],
  ['a method is removed', whole, 'paths: {/a: {get: {}, put: {}}}', 'paths: {/a: {get: {}}}', 'breaks'],
  ['a parameter is removed', caller, 'parameters: [{name: a, in: query}]', '', 'may-break'],
  [
    'a required parameter is renamed',
    caller,
    'parameters: [{name: a, in: query, required: true}]',
    'parameters: [{name: b, in: query, required: true}]',
    'breaks',
  ],
  [
    'a required parameter is moved',
    caller,
    'parameters: [{name: a, in: query, required: true}]',
    'parameters: [{name: a, in: header, required: true}]',
    'breaks',
  ],
  ['a parameter became required', query, 'required: false', 'required: true', 'breaks'],
  ['the default of a parameter is another', query, 'schema: {default: 10}', 'schema: {default: 20}', 'breaks'],
  [
    'a parameter became a list',
    query,
    'schema: {type: string}',
    'schema: {type: array, items: {type: string}}',
    'safe',
  ],
  ['a number in a parameter became a text', query, 'schema: {type: integer}', 'schema: {type: string}', 'safe'],
  ['the lists of a parameter are written otherwise', query, 'explode: true', 'explode: false', 'breaks'],
  ['a place in the path became a list', place, 'schema: {type: string}', 'schema: {type: array}', 'breaks'],
  ['an optional parameter has a default now', query, 'schema: {}', 'schema: {default: 10}', 'breaks'],
  [
    'the default of a required parameter is another',
    query,
    'required: true, schema: {default: 1}',
    'required: true, schema: {default: 2}',
    'safe',
  ],
  ['a list may be missing, too', query, 'schema: {type: string}', 'schema: {type: [array, "null"], items: {}}', 'safe'],
  ['a text in XML became an object', xml, '{type: object}', '{type: string}', 'safe'],
  ['a header that is a text became a number', header, '{type: string}', '{type: integer}', 'safe'],
  ['a draft is changed', caller, 'x-stability-level: draft, requestBody: {}', 'x-stability-level: draft', 'safe'],
  ['a schema of a part needs more', part, '{properties: {a: {}}}', '{properties: {a: {}}, required: [a]}', 'breaks'],
  ['items are described no longer', items, '{type: object, properties: {a: {}}}', '{}', 'safe'],
  ['a kind of a text with limits is new', query, 'schema: {type: string, maxLength: 9}', kinds, 'safe'],
  [
    'a field of a form is needed',
    old,
    field(''),
    field(', {in: formData, name: b, type: string, required: true}'),
    'breaks',
  ],
  ['a field of a form is removed', old, field(', {in: formData, name: b, type: string}'), field(''), 'may-break'],
  [
    'null is answered, as tools said it before OpenAPI 3',
    old,
    'responses: {"200": {schema: {type: string}}}',
    'responses: {"200": {schema: {type: string, x-nullable: true}}}',
    'breaks',
  ],
  ['a parameter is JSON now', query, 'schema: {type: object}', json('{type: object}'), 'breaks'],
  ['a parameter may not be empty', query, 'allowEmptyValue: true', 'schema: {}', 'breaks'],
  ['a callback goes elsewhere', caller, told('{$request.body#/a}'), told('{$request.body#/b}'), 'breaks'],
  ['a link is removed', caller, `responses: {"200": {${link}}}`, 'responses: {"200": {}}', 'may-break'],
  ['an operation has a server of its own', caller, '', 'servers: [{url: /b}]', 'may-break'],
  ['a part of a form is written otherwise', caller, form('image/png'), form('image/jpeg'), 'may-break'],
  ['an answer is described with all of its kind', caller, answers('"200"', 'string'), answers('2XX', 'string'), 'safe'],
  ['an answer is described with all others', caller, answers('"200"', 'string'), answers('default', 'string'), 'safe'],
  ['as one of its kind an answer is other', caller, answers('"200"', 'string'), answers('2XX', 'integer'), 'breaks'],
  [
    'a media type has a parameter',
    caller,
    'requestBody: {content: {text/csv: {}}}',
    'requestBody: {content: {text/csv; charset=utf-8: {}}}',
    'safe',
  ],
  ['a message is of another media type', message, 'contentType: a/a', 'contentType: b/b', 'breaks'],
  ['a message is bound otherwise', message, 'bindings: {kafka: {key: {}}}', 'bindings: {}', 'may-break'],
  ['a reply lacks a property', replied, '{properties: {a: {}}}', '{properties: {}}', 'breaks'],
  ['the body became required', caller, 'requestBody: {}', 'requestBody: {required: true}', 'breaks'],
  [
    'the body of a request has a media type less',
    caller,
    'requestBody: {content: {a/a: {}, b/b: {}}}',
    'requestBody: {content: {a/a: {}}}',
    'breaks',
  ],
  [
    'a range of media types covers the one that is gone',
    caller,
    'requestBody: {content: {text/csv: {}}}',
    'requestBody: {content: {text/*: {}}}',
    'safe',
  ],
  [
    'an answer has a media type less',
    caller,
    'responses: {"200": {content: {a/a: {}, b/b: {}}}}',
    'responses: {"200": {content: {a/a: {}}}}',
    'breaks',
  ],
  ['a success is another', caller, 'responses: {"200": {}}', 'responses: {"201": {}}', 'breaks'],
  ['an error is removed', caller, 'responses: {"404": {}}', 'responses: {}', 'safe'],
  [
    'a header of an answer is removed',
    caller,
    'responses: {"200": {headers: {A: {}}}}',
    'responses: {"200": {}}',
    'breaks',
  ],
  ['authentication is needed', caller, '', 'security: [{key: []}]', 'breaks'],
  ['a scope is needed', caller, 'security: [{key: [a]}]', 'security: [{key: [a, b]}]', 'breaks'],
  ['a scope is not needed any longer', caller, 'security: [{key: [a, b]}]', 'security: [{key: [a]}]', 'safe'],
  [
    'a way of authentication is removed',
    caller,
    'security: [{key: []}, {token: []}]',
    'security: [{key: []}]',
    'breaks',
  ],
  ['a way of authentication is new', caller, 'security: [{key: []}]', 'security: [{key: []}, {token: []}]', 'safe'],
  ['a server is removed', whole, 'servers: [{url: /a}, {url: /b}]', 'servers: [{url: /a}]', 'may-break'],
  ['a server is new', whole, 'servers: [{url: /a}]', 'servers: [{url: /a}, {url: /b}]', 'safe'],
  ['a webhook is removed', whole, 'webhooks: {a: {post: {}}}', 'webhooks: {}', 'breaks'],
  ...[webhook, callback].flatMap((place) => [
    [
      'what a client receives lacks a property',
      place,
      `requestBody: {${json('{properties: {a: {}}}')}}`,
      `requestBody: {${json('{}')}}`,
      'breaks',
    ] as const,
    [
      'what a client receives has a property more',
      place,
      `requestBody: {${json('{}')}}`,
      `requestBody: {${json('{properties: {a: {}}, required: [a]}')}}`,
      'safe',
    ] as const,
    [
      'what a client answers needs a property',
      place,
      `responses: {"200": {${json('{}')}}}`,
      `responses: {"200": {${json('{properties: {a: {}}, required: [a]}')}}}`,
      'breaks',
    ] as const,
    [
      'what a client answers may be more',
      place,
      `responses: {"200": {${json('{enum: [a]}')}}}`,
      `responses: {"200": {${json('{enum: [a, b]}')}}}`,
      'safe',
    ] as const,
  ]),
];

const weights: readonly Effect[] = ['safe', 'may-break', 'breaks'];
function worst(before: Json, after: Json): Effect {
  const effects = (openApiDiff(before, after)?.changes ?? []).map(({ effect }) => weights.indexOf(effect));
  return weights[Math.max(0, ...effects)] ?? 'safe';
}

describe('an edit of a description', () => {
  it.each(schemas)('%s: judged by the side that it is on', (_name, before, after, inRequest, inResponse) => {
    expect([worst(request(before), request(after)), worst(response(before), response(after))]).toEqual([
      inRequest,
      inResponse,
    ]);
  });

  it.each(edits)('%s', (_name, place, before, after, effect) => {
    expect(worst(place(before), place(after))).toBe(effect);
  });

  it('of a schema that callers write and read is judged on both sides', () => {
    const shared = (properties: string): Json =>
      operation(
        `requestBody: {${json('{$ref: "#/components/schemas/Pet"}')}}, responses: {"200": {${json('{$ref: "#/components/schemas/Pet"}')}}}`,
        `components: {schemas: {Pet: {properties: ${properties}}}}`,
      );
    const found = openApiDiff(shared('{a: {enum: [x, y]}}'), shared('{a: {enum: [x]}}'));
    expect(found?.changes.map(({ rule }) => rule)).toEqual(['request-values-removed', 'response-values-removed']);
  });

  it('is safe on the day of its sunset, and breaks on the day before', () => {
    const before = caller('deprecated: true, x-sunset: "2030-05-01"');
    const after = whole('paths: {}');
    const effectOn = (day: string): Effect | undefined =>
      openApiDiff(before, after, Date.parse(day))?.changes[0]?.effect;
    expect([effectOn('2030-04-30'), effectOn('2030-05-01')]).toEqual(['breaks', 'safe']);
  });

  it('breaks when it removes what was deprecated for no day', () => {
    expect(worst(caller('deprecated: true'), whole('paths: {}'))).toBe('breaks');
  });
});
