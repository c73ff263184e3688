import { type Json, type JsonObject, isJsonObject, mergePatch } from '../json.js';

const text: JsonObject = { type: 'string' };
const id: JsonObject = { type: 'string', format: 'uuid' };
const flag: JsonObject = { type: 'boolean' };
const time: JsonObject = { type: 'string', format: 'date-time', readOnly: true };

function record(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

function json(schema: JsonObject): JsonObject {
  return { content: { 'application/json': { schema } } };
}

const missing: JsonObject = { '404': { content: { 'application/problem+json': {} } } };
const paged = (item: JsonObject): JsonObject =>
  record({
    data: { type: 'array', items: item },
    meta: record({
      page: record({ number: { type: 'integer' }, size: { type: 'integer' }, total: { type: 'integer' } }),
    }),
  });
const pages: readonly Json[] = ['page[size]', 'page[number]'].map((name) => ({ in: 'query', name, schema: text }));

const role: JsonObject = {
  role_name: { ...text, minLength: 1 },
  entity_id: id,
  entity_type_name: { ...text, minLength: 1 },
  entity_region: { ...text, enum: ['us', 'eu', 'au', 'me', 'in', 'sg', '*'] },
};
const givenRole = record({ id, ...role });
const roles = '/v3/portals/{portalId}/teams/{teamId}/assigned-roles';

const user = record({
  id,
  email: text,
  full_name: text,
  preferred_name: text,
  active: flag,
  created_at: time,
  updated_at: time,
});

/** Calls of which the descriptions do not tell, by path. */
const calls: JsonObject = {
  '/v3/apis/{apiId}/documents/{documentId}/move': {
    post: {
      requestBody: json(record({ parent_document_id: { ...id, nullable: true }, index: { type: 'integer' } }, [])),
      responses: { '204': {}, ...missing },
    },
  },
  '/v2/users': { get: { parameters: pages, responses: { '200': json(paged(user)) } } },
  [roles]: {
    get: { parameters: pages, responses: { '200': json(paged(givenRole)), ...missing } },
    post: { requestBody: json(record(role)), responses: { '201': json(givenRole), ...missing } },
  },
  [`${roles}/{roleId}`]: { delete: { responses: { '204': {}, ...missing } } },
};

/** A picture in a text, or null for the one that was there at first. */
const picture: JsonObject = {
  ...{ type: 'string', nullable: true },
  pattern: '^data:image/(png|jpe?g|gif|svg\\+xml|x-icon|ico|icon|vnd\\.microsoft\\.icon)(;base64)?,',
};
const link = (members: JsonObject): JsonObject => record({ control_plane_id: id, ...members });

/** What bodies and answers hold otherwise than described: members are merged in, null takes a statement off. */
const otherwise: readonly (readonly [call: string, side: 'body' | 'answer', patch: JsonObject])[] = [
  // Portals of a product need not be named.
  ['post /v2/api-products', 'body', { required: ['name'] }],
  ['patch /v2/api-products/{id}', 'body', { required: null }],
  // A role may be for all there is, which is a star.
  ...['/v3/teams/{teamId}', '/v3/system-accounts/{accountId}', '/v3/users/{userId}'].map(
    (path) => [`post ${path}/assigned-roles`, 'body', { properties: { entity_id: { format: null } } }] as const,
  ),
  // The parsed text, which no client of ours reads.
  ...[
    'post /v2/api-products/{apiProductId}/documents',
    ...['get', 'patch'].map((verb) => `${verb} /v2/api-products/{apiProductId}/documents/{id}`),
  ].map((call) => [call, 'answer', { properties: { ast: { type: 'array', items: {} } } }] as const),
  ...['logo', 'favicon'].map(
    (name) =>
      [`put /v3/portals/{portalId}/assets/${name}`, 'body', { nullable: null, properties: { data: picture } }] as const,
  ),
  // Exactly one of the two is the platform's own rule, and refused in its own words.
  [
    'post /v3/apis/{apiId}/implementations',
    'body',
    { oneOf: null, ...record({ service: link({ id }), control_plane: link({}) }, []) },
  ],
  [
    'post /v3/portals/{portalId}/custom-domain',
    'body',
    { properties: { hostname: { minLength: 1, pattern: '^[^\\s/]+\\.[^\\s/]+$' } } },
  ],
  [
    'post /v3/portals/{portalId}/teams',
    'body',
    { properties: { name: { minLength: 1, maxLength: 250 }, can_own_applications: { nullable: true } } },
  ],
  ['patch /v3/portals/{portalId}/teams/{teamId}', 'body', { properties: { name: { minLength: 1, maxLength: 250 } } }],
  ...['versions', 'versions/{versionId}'].map(
    (path, at) =>
      [
        `${at === 0 ? 'post' : 'patch'} /v3/apis/{apiId}/${path}`,
        'body',
        { properties: { version: { minLength: 1, maxLength: 255 } } },
      ] as const,
  ),
];

/** A description with the calls that the platform has beside. */
export function withCalls(root: JsonObject): JsonObject {
  const paths = objectOf(root['paths']);
  const all = new Map<string, Json>(Object.entries(paths));
  for (const [path, item] of Object.entries(calls)) all.set(path, mergePatch(objectOf(paths[path]), objectOf(item)));
  const customization = '/v3/portals/{portalId}/customization';
  const { put = {} } = objectOf(paths[customization]);
  all.set(customization, { ...objectOf(paths[customization]), patch: put });
  return { ...root, paths: Object.fromEntries(all) };
}

/** A description that says of its calls what the platform does otherwise. */
export function amend(root: JsonObject): JsonObject {
  const all = new Map<string, Json>(Object.entries(objectOf(root['paths'])));
  for (const [call, side, patch] of otherwise) {
    const [verb = '', path = ''] = call.split(' ');
    const item = objectOf(all.get(path));
    if (item[verb] === undefined) continue;
    const described = inline(root, item[verb]);
    all.set(path, {
      ...item,
      [verb]: side === 'body' ? withBody(root, described, patch) : withAnswer(root, described, patch),
    });
  }
  return { ...root, paths: Object.fromEntries(all) };
}

function withBody(root: JsonObject, call: JsonObject, patch: JsonObject): JsonObject {
  return { ...call, requestBody: json(patched(root, schemaOf(root, call['requestBody']), patch)) };
}

function withAnswer(root: JsonObject, call: JsonObject, patch: JsonObject): JsonObject {
  const answers = objectOf(call['responses']);
  const status = Object.keys(answers).find((code) => code.startsWith('2')) ?? '';
  return { ...call, responses: { ...answers, [status]: json(patched(root, schemaOf(root, answers[status]), patch)) } };
}

function patched(root: JsonObject, schema: JsonObject, patch: JsonObject): JsonObject {
  const inner = Object.entries(objectOf(schema['properties'])).map(([name, member]): [string, Json] => [
    name,
    name in objectOf(patch['properties']) ? inline(root, member) : member,
  ]);
  return mergePatch({ ...schema, properties: Object.fromEntries(inner) }, patch);
}

function schemaOf(root: JsonObject, node: Json | undefined): JsonObject {
  const media = Object.values(objectOf(inline(root, node)['content']))[0];
  return inline(root, objectOf(media)['schema']);
}

/** What a reference stands for. */
function inline(root: JsonObject, node: Json | undefined): JsonObject {
  const { $ref: reference, ...beside } = objectOf(node);
  if (typeof reference !== 'string') return objectOf(node);
  const target = reference
    .slice(2)
    .split('/')
    .reduce<JsonObject>((at, name) => objectOf(at[name]), root);
  return { ...inline(root, target), ...beside };
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
