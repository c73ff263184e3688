import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { openApiDiff } from '@platform-sync/report/openapi/diff';
import { type OpenApiRule, openApiRules, specChangeText, specSummary } from '@platform-sync/report/openapi/rules';

const yaml = (text: string): Json => parse(text) as Json;

/** A description with one operation, whose parts are given as YAML. */
function api(operation: string, more = ''): Json {
  const indented = operation.replace(/^/gm, '      ');
  return yaml(`openapi: 3.1.0\npaths:\n  /pets/{id}:\n    get:\n      operationId: x\n${indented}\n${more}`);
}

const answers = (schema: string): Json => api(`responses: {"200": {content: {application/json: {schema: ${schema}}}}}`);
const takes = (schema: string): Json => api(`requestBody: {content: {application/json: {schema: ${schema}}}}`);
const bodyOf = (media: string): Json => api(`requestBody: {content: {application/json: ${media}}}`);
const answerOf = (media: string): Json => api(`responses: {"200": {content: {application/json: ${media}}}}`);
const typed = (type: string): Json => api(`responses: {"200": {content: {${type}: {schema: {type: object}}}}}`);
const schemes = (text: string): string => `components: {securitySchemes: ${text}}`;
const hidden = (name: string): string => `{properties: {${name}: {writeOnly: true}}}`;
const headed = (headers: string): Json => api(`responses: {"200": {headers: ${headers}}}`);
const told = (mapping: string): string => `{discriminator: {propertyName: kind, mapping: ${mapping}}}`;
const query = (parameter: string): Json => api(`parameters: [{name: limit, in: query, ${parameter}}]`);

/** AsyncAPI 3 with one operation on one channel; `messages` are those of the channel. */
const asyncApi = (action: string, messages: string, operation = '', channel = ''): Json =>
  yaml(
    `asyncapi: 3.0.0\nchannels: {c: {address: orders, messages: ${messages}, ${channel}}}\noperations: {o: {action: ${action}, channel: {$ref: "#/channels/c"}, ${operation}}}`,
  );
const receives = (messages: string, operation = '', channel = ''): Json =>
  asyncApi('receive', messages, operation, channel);
const sends = (messages: string, operation = '', channel = ''): Json => asyncApi('send', messages, operation, channel);
/** AsyncAPI 2 with the same. */
const old = (action: string, messages: string, operation = ''): Json =>
  yaml(
    `asyncapi: 2.6.0\nchannels: {orders: {${action}: {${operation === '' ? '' : `${operation}, `}message: {oneOf: [{$ref: "#/components/messages/A"}]}}}}\ncomponents: {messages: ${messages}}`,
  );
const payload = (schema: string): string => `{A: {payload: ${schema}}}`;
const avro = (type: string): string =>
  `{A: {payload: {schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: {type: ${type}}}}}`;

const rulesOf = (before: Json, after: Json): readonly OpenApiRule[] =>
  (openApiDiff(before, after)?.changes ?? []).map(({ rule }) => rule);

const table: readonly (readonly [OpenApiRule, Json, Json])[] = [
  ['operation-removed', api(''), yaml('openapi: 3.1.0\npaths: {}')],
  ['operation-added', yaml('openapi: 3.1.0\npaths: {}'), api('')],
  ['deprecated', api(''), api('deprecated: true')],
  ['undeprecated', api('deprecated: true'), api('')],
  ['security-added', api(''), api('security: [{key: []}]')],
  ['security-removed', api('security: [{key: []}]'), api('security: [{}]')],
  ['security-changed', api('security: [{key: []}]'), api('security: [{token: []}]')],
  ['security-added', api(''), api('', 'security: [{key: []}]')],
  ['required-parameter-added', api(''), query('required: true')],
  ['parameter-added', api(''), query('required: false')],
  ['parameter-removed', query('required: false'), api('')],
  ['parameter-became-required', query('required: false'), query('required: true')],
  ['parameter-became-optional', query('required: true'), query('required: false')],
  ['request-type-narrowed', query('schema: {type: number}'), query('schema: {type: integer}')],
  ['request-type-widened', query('schema: {type: integer}'), query('schema: {type: number}')],
  ['request-type-narrowed', query('type: string'), query('type: integer')],
  ['request-values-removed', query('schema: {enum: [a, b]}'), query('schema: {enum: [a]}')],
  ['request-values-added', query('schema: {enum: [a]}'), query('schema: {enum: [a, b]}')],
  ['request-values-removed', query('schema: {}'), query('schema: {enum: [a]}')],
  ['request-limits-narrowed', query('schema: {maximum: 5}'), query('schema: {maximum: 4}')],
  ['request-limits-widened', query('schema: {maximum: 5}'), query('schema: {maximum: 6}')],
  ['request-limits-set', query('schema: {}'), query('schema: {maxLength: 6}')],
  ['request-limits-changed', query('schema: {pattern: a}'), query('schema: {pattern: b}')],
  ['request-format-narrowed', takes('{}'), takes('{format: uuid}')],
  ['request-format-widened', takes('{format: int32}'), takes('{format: int64}')],
  ['request-default-changed', takes('{default: 1}'), takes('{default: 2}')],
  ['response-default-changed', answers('{default: 1}'), answers('{default: 2}')],
  ['parameter-default-changed', query('schema: {default: 1}'), query('schema: {default: 2}')],
  ['parameter-default-added', query('schema: {}'), query('schema: {default: 2}')],
  ['parameter-style-changed', query('schema: {}'), query('style: spaceDelimited, schema: {}')],
  ['request-variant-removed', takes('{oneOf: [{type: string}, {type: number}]}'), takes('{oneOf: [{type: string}]}')],
  ['request-variant-added', takes('{oneOf: [{type: string}]}'), takes('{oneOf: [{type: string}, {type: number}]}')],
  [
    'response-variant-added',
    answers('{anyOf: [{type: string}]}'),
    answers('{anyOf: [{type: string}, {type: number}]}'),
  ],
  ['response-variant-removed', answers('{oneOf: [{type: string}, {enum: [1]}]}'), answers('{oneOf: [{type: string}]}')],
  [
    'request-property-refused',
    takes('{additionalProperties: false, properties: {a: {}}}'),
    takes('{additionalProperties: false}'),
  ],
  ['request-closed', takes('{}'), takes('{additionalProperties: false}')],
  ['request-opened', takes('{additionalProperties: false}'), takes('{}')],
  ['response-header-removed', headed('{X-A: {}}'), headed('{}')],
  ['response-header-added', headed('{}'), headed('{X-A: {}}')],
  ['response-header-became-optional', headed('{X-A: {required: true}}'), headed('{x-a: {}}')],
  ['link-removed', api('responses: {"200": {links: {next: {}}}}'), api('responses: {"200": {}}')],
  ['encoding-changed', bodyOf('{encoding: {a: {style: form}}}'), bodyOf('{encoding: {a: {style: deepObject}}}')],
  ['response-limits-narrowed', answers('{maximum: 5}'), answers('{maximum: 4}')],
  ['response-limits-set', answers('{}'), answers('{maximum: 4}')],
  ['response-limits-widened', answers('{maximum: 5}'), answers('{}')],
  ['response-limits-changed', answers('{multipleOf: 5}'), answers('{multipleOf: 3}')],
  ['response-format-narrowed', answers('{}'), answers('{format: uuid}')],
  ['response-format-widened', answers('{format: int32}'), answers('{format: int64}')],
  ['discriminator-value-removed', answers(told('{a: A, b: B}')), answers(told('{a: A}'))],
  ['discriminator-changed', answers(told('{a: A}')), answers(told('{a: A, b: B}'))],
  ['security-eased', api('security: [{key: []}]'), api('security: [{key: []}, {token: []}]')],
  ['servers-added', api('', 'servers: [{url: /v1}]'), api('', 'servers: [{url: /v1}, {url: /v2}]')],
  ['removed-after-sunset', api('deprecated: true\nx-sunset: "2020-01-01"'), yaml('openapi: 3.1.0')],
  ['removed-after-sunset', api('deprecated: "2020-01-01"'), yaml('openapi: 3.1.0')],
  ['removed-after-sunset', query('deprecated: true, x-sunset: "2020-01-01"'), api('')],
  ['removed-after-sunset', answers('{properties: {a: {deprecated: "2020-01-01"}}}'), answers('{}')],
  ['removed-before-sunset', api('deprecated: true\nx-sunset: "9999-01-01"'), yaml('openapi: 3.1.0')],
  ['sunset-moved', api('deprecated: "2020-02-01"'), api('deprecated: "2020-01-01"')],
  ['sunset-moved', query('deprecated: true, x-sunset: "2020-01-01"'), query('deprecated: true')],
  ['required-body-added', api(''), api('requestBody: {required: true}')],
  ['body-added', api(''), api('requestBody: {content: {}}')],
  ['body-removed', api('requestBody: {content: {}}'), api('')],
  ['body-became-required', api('requestBody: {}'), api('requestBody: {required: true}')],
  ['body-became-optional', api('requestBody: {required: true}'), api('requestBody: {}')],
  ['request-media-type-removed', api('requestBody: {content: {text/plain: {}}}'), api('requestBody: {content: {}}')],
  ['request-media-type-added', api('requestBody: {content: {}}'), api('requestBody: {content: {text/plain: {}}}')],
  ['request-required-property-added', takes('{}'), takes('{required: [a], properties: {a: {}}}')],
  ['request-property-added', takes('{}'), takes('{properties: {a: {}}}')],
  ['request-property-removed', takes('{properties: {a: {}}}'), takes('{}')],
  ['request-property-became-required', takes('{properties: {a: {}}}'), takes('{required: [a], properties: {a: {}}}')],
  ['request-property-became-optional', takes('{required: [a], properties: {a: {}}}'), takes('{properties: {a: {}}}')],
  ['success-response-removed', api('responses: {"200": {}}'), api('responses: {}')],
  ['error-response-removed', api('responses: {"404": {}}'), api('responses: {}')],
  ['response-added', api('responses: {}'), api('responses: {"204": {}}')],
  ['response-media-type-removed', answers('{}'), api('responses: {"200": {content: {}}}')],
  ['response-media-type-added', api('responses: {"200": {content: {}}}'), answers('{}')],
  ['response-property-removed', answers('{properties: {a: {}}}'), answers('{}')],
  ['response-property-added', answers('{}'), answers('{required: [a], properties: {a: {}}}')],
  [
    'response-property-became-optional',
    answers('{required: [a], properties: {a: {}}}'),
    answers('{properties: {a: {}}}'),
  ],
  [
    'response-property-became-required',
    answers('{properties: {a: {}}}'),
    answers('{required: [a], properties: {a: {}}}'),
  ],
  ['response-type-widened', answers('{type: string}'), answers('{type: [string, "null"]}')],
  ['response-type-widened', answers('{type: string}'), answers('{type: string, nullable: true}')],
  ['response-type-narrowed', answers('{type: [string, "null"]}'), answers('{type: string}')],
  ['response-values-added', answers('{enum: [a]}'), answers('{enum: [a, b]}')],
  ['response-values-removed', answers('{enum: [a, b]}'), answers('{enum: [a]}')],
  ['response-format-widened', answers('{format: date}'), answers('{format: date-time}')],
  ['response-type-widened', answers('{oneOf: [{type: string}]}'), answers('{oneOf: [{type: number}]}')],
  ['response-type-narrowed', answers('{maximum: 1}'), answers('{maximum: 1, oneOf: [{type: number}]}')],
  ['operation-id-changed', api(''), yaml('openapi: 3.1.0\npaths: {"/pets/{id}": {get: {operationId: y}}}')],
  ['tags-changed', api('tags: [a]'), api('tags: [b]')],
  ['component-added', api(''), api('', schemes('{key: {type: http}}'))],
  ['component-removed', api('', 'components: {schemas: {A: {}}}'), api('')],
  ['security-scheme-changed', api('', schemes('{key: {type: http}}')), api('', schemes('{key: {type: apiKey}}'))],
  ['parameter-described', api(''), api('parameters: [{name: id, in: path, required: true}]')],
  ['request-values-removed', api(''), api('parameters: [{name: id, in: path, schema: {enum: [a]}}]')],
  ['parameter-undescribed', api('parameters: [{name: id, in: path, required: true}]'), api('')],
  ['parameter-became-list', query('schema: {type: string}'), query('schema: {type: array, items: {type: string}}')],
  ['request-schema-added', bodyOf('{}'), bodyOf('{schema: {type: object}}')],
  ['request-schema-removed', bodyOf('{schema: {type: object}}'), bodyOf('{}')],
  ['response-schema-added', answerOf('{}'), answerOf('{schema: {type: object}}')],
  ['response-schema-removed', answerOf('{schema: {type: object}}'), answerOf('{}')],
  ['request-type-respelled', query('schema: {type: [integer, string]}'), query('schema: {type: [number, string]}')],
  [
    'response-type-respelled',
    headed('{A: {schema: {type: [integer, string]}}}'),
    headed('{A: {schema: {type: [number, string]}}}'),
  ],
  ['request-default-added', takes('{}'), takes('{default: 1}')],
  ['request-default-removed', takes('{default: 1}'), takes('{}')],
  ['request-property-became-read-only', takes('{properties: {a: {}}}'), takes('{properties: {a: {readOnly: true}}}')],
  ['response-property-became-write-only', answers('{properties: {a: {}}}'), answers(hidden('a'))],
  [
    'response-property-no-longer-write-only',
    answers('{properties: {a: {writeOnly: true}}, required: [a]}'),
    answers('{properties: {a: {}}, required: [a]}'),
  ],
  ['hidden-property-changed', answers(hidden('a')), answers('{}')],
  ['access-changed', takes('{properties: {a: {}}}'), takes(hidden('a'))],
  ['response-media-type-specialized', typed('application/json'), typed('application/problem+json')],
  ['response-pattern-changed', answers('{pattern: a}'), answers('{pattern: b}')],
  ['parts-renamed', answers('{allOf: [{type: string}]}'), answers('{allOf: [{type: string}, {title: A}]}')],
  ['removed-while-unstable', api('x-stability-level: alpha'), yaml('openapi: 3.1.0')],
  ['stability-decreased', api(''), api('x-stability-level: beta')],
  ['stability-increased', api('x-stability-level: beta'), api('')],
  ['sunset-unreadable', api('deprecated: true'), api('deprecated: true\nx-sunset: soon')],
  ['sunset-postponed', api('deprecated: "2020-01-01"'), api('deprecated: "2020-02-01"')],
  ['kind-changed', api(''), yaml('asyncapi: 3.0.0')],
  ['message-no-longer-sent', sends('{A: {}, B: {}}'), sends('{A: {}}')],
  ['message-sent', sends('{A: {}}'), sends('{A: {}, B: {}}')],
  ['message-no-longer-accepted', receives('{A: {}, B: {}}'), receives('{A: {}}')],
  ['message-accepted', receives('{A: {}}'), receives('{A: {}, B: {}}')],
  ['message-media-type-changed', receives('{A: {contentType: a/a}}'), receives('{A: {contentType: b/b}}')],
  ['message-described-otherwise', receives(avro('int')), receives(avro('long'))],
  ['bindings-changed', receives('{A: {}}'), receives('{A: {}}', 'bindings: {kafka: {topic: b}}')],
  ['operation-removed', receives('{A: {}}'), yaml('asyncapi: 3.0.0')],
  ['operation-added', yaml('asyncapi: 3.0.0'), receives('{A: {}}')],
  ['deprecated', old('publish', '{A: {}}'), old('publish', '{A: {}}', 'deprecated: true')],
  ['security-added', receives('{A: {}}'), receives('{A: {}}', 'security: [{type: plain}]')],
  ['security-removed', receives('{A: {}}', 'security: [{type: plain}]'), receives('{A: {}}')],
  ['security-changed', sends('{A: {}}', 'security: [{type: plain}]'), sends('{A: {}}', 'security: [{type: http}]')],
  ['required-parameter-added', receives('{A: {}}'), receives('{A: {}}', '', 'parameters: {id: {}}')],
  ['parameter-removed', receives('{A: {}}', '', 'parameters: {id: {}}'), receives('{A: {}}')],
  [
    'request-values-removed',
    receives('{A: {}}', '', 'parameters: {id: {enum: [a, b]}}'),
    receives('{A: {}}', '', 'parameters: {id: {enum: [a]}}'),
  ],
  [
    'request-required-property-added',
    receives(payload('{}')),
    receives(payload('{required: [a], properties: {a: {}}}')),
  ],
  ['response-property-removed', sends(payload('{properties: {a: {}}}')), sends(payload('{}'))],
  ['response-type-widened', old('subscribe', payload('{type: integer}')), old('subscribe', payload('{type: string}'))],
  ['request-property-removed', receives('{A: {headers: {properties: {a: {}}}}}'), receives('{A: {headers: {}}}')],
  ['servers-changed', yaml('asyncapi: 3.0.0'), yaml('asyncapi: 3.0.0\nservers: {a: {host: b}}')],
  ['servers-changed', api('', 'servers: [{url: /v1}]'), api('', 'servers: [{url: /v2}]')],
];

const renamed = (document: Json): Json =>
  JSON.parse(
    JSON.stringify(document).replace('"o":', '"p":').replace('"c":', '"d":').replace('channels/c', 'channels/d'),
  ) as Json;
const addressed = (address: string): Json =>
  yaml(
    `asyncapi: 2.6.0\nchannels: {"${address}": {parameters: {${/\{(.*)\}/.exec(address)?.[1] ?? ''}: {}}, publish: {message: {name: A}}}}`,
  );

describe('what a change means for callers', () => {
  it.each(table)('%s', (rule, before, after) => {
    expect(rulesOf(before, after)).toEqual([rule]);
    const [found] = openApiDiff(before, after)?.changes ?? [];
    expect(found?.effect).toBe(openApiRules[rule].effect);
  });

  it.each<[string, Json, Json]>([
    ['texts', api('summary: a'), api('summary: b')],
    [
      'the name of a path parameter',
      yaml('openapi: 3.0.0\npaths: {"/a/{x}": {get: {parameters: [{name: x, in: path}]}}}'),
      yaml('openapi: 3.0.0\npaths: {"/a/{y}": {get: {parameters: [{name: y, in: path}]}}}'),
    ],
    [
      'case of a header',
      yaml('openapi: 3.0.0\npaths: {/a: {get: {parameters: [{name: X-A, in: header}]}}}'),
      yaml('openapi: 3.0.0\npaths: {/a: {get: {parameters: [{name: x-a, in: header}]}}}'),
    ],
    [
      'a schema that moved behind a reference',
      answers('{type: string}'),
      yaml(
        JSON.stringify({
          ...(answers('{$ref: "#/components/schemas/A"}') as JsonObject),
          components: { schemas: { A: { type: 'string' } } },
        }),
      ),
    ],
    [
      'order of required, enum and types',
      answers('{required: [a, b], enum: [1, 2], type: [a, b]}'),
      answers('{required: [b, a], enum: [2, 1], type: [b, a]}'),
    ],
    [
      'an AsyncAPI document that is written anew as version 3',
      old('publish', payload('{type: integer}')),
      receives(payload('{type: integer}')),
    ],
    ['an operation and a channel by other names', receives('{A: {}}'), renamed(receives('{A: {}}'))],
    ['the name of a parameter of an address', addressed('orders/{id}'), addressed('orders/{number}')],
    [
      'the messages of a channel, named one by one',
      sends('{A: {}}'),
      sends('{A: {}}', 'messages: [{$ref: "#/channels/c/messages/A"}]'),
    ],
  ])('%s: nothing', (_name, before, after) => {
    expect(rulesOf(before, after)).toEqual([]);
  });

  it('every rule has an example above, so that none is dead', () => {
    const covered = new Set<string>(table.map(([rule]) => rule));
    expect(Object.keys(openApiRules).filter((rule) => !covered.has(rule))).toEqual([]);
  });
});

const schemas = (pets: string): Json =>
  yaml(
    `openapi: 3.0.3\npaths: {/pets: {get: {responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}}}}\ncomponents: {schemas: ${pets}}`,
  );

describe('schemas', () => {
  it('are named by the way into them', () => {
    const found = openApiDiff(
      schemas('{Pet: {type: object, properties: {owner: {properties: {names: {items: {type: string}}}}}}}'),
      schemas('{Pet: {type: object, properties: {owner: {properties: {names: {items: {type: number}}}}}}}'),
    );
    expect(found?.changes.map(specChangeText)).toEqual(['GET /pets: answer 200: owner.names[] answers another type']);
  });

  it('that hold themselves come to an end', () => {
    const pet = (type: string): string =>
      `{Pet: {properties: {name: {type: ${type}}, mother: {$ref: "#/components/schemas/Pet"}}}}`;
    expect(rulesOf(schemas(pet('string')), schemas(pet('number')))).toEqual(['response-type-widened']);
  });

  it('that double at every level stay small', () => {
    const doubling = (leaf: string): Json => {
      const names = Array.from({ length: 30 }, (_, at) => `Pet${at === 0 ? '' : at}`);
      const entries = names.map((name, at) => {
        const next = names[at + 1];
        const inner = next === undefined ? { type: leaf } : { $ref: `#/components/schemas/${next}` };
        return [name, { properties: { a: inner, b: inner } }] as const;
      });
      return schemas(JSON.stringify(Object.fromEntries(entries)));
    };
    const found = openApiDiff(doubling('string'), doubling('number'));
    expect(found?.changes).toHaveLength(1000);
  });

  it('of Swagger 2 are read, too', () => {
    const swagger = (type: string): Json =>
      yaml(
        `swagger: "2.0"\nproduces: [application/json]\npaths: {/pets: {post: {parameters: [{in: body, name: b, schema: {type: ${type}}}], responses: {"200": {schema: {type: ${type}}}}}}}`,
      );
    expect(rulesOf(swagger('string'), swagger('number'))).toEqual(['request-type-narrowed', 'response-type-widened']);
  });

  it('behind references that lead nowhere or into a ring change nothing', () => {
    const broken = (to: string): Json => schemas(`{Pet: {$ref: "${to}"}, Ring: {$ref: "#/components/schemas/Ring"}}`);
    expect(rulesOf(broken('#/nowhere'), broken('#/components/schemas/Ring'))).toEqual([]);
  });
});

describe('words', () => {
  it('count operations and effects', () => {
    const before = yaml('openapi: 3.0.0\npaths: {/a: {get: {}, put: {}}, /b: {get: {}}}');
    const after = yaml('openapi: 3.0.0\npaths: {/a: {get: {deprecated: true}}, /c: {get: {}}}');
    const diff = openApiDiff(before, after);
    expect(diff === undefined ? '' : specSummary(diff)).toBe(
      'operations: 1 added, 2 removed, 1 changed; 2 changes that break clients, 2 changes that are safe',
    );
    expect(diff?.changes.map(specChangeText)).toEqual([
      'PUT /a is removed',
      'GET /b is removed',
      'GET /a is deprecated',
      'GET /c is new',
    ]);
  });

  it('are undefined for what is no description', () => {
    expect(openApiDiff({ openapi: '3.0.0' }, { json: '2.0.0' })).toBeUndefined();
    expect(openApiDiff([], {})).toBeUndefined();
  });
});
