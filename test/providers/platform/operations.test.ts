import { describe, expect, test } from 'vitest';
import type { UpdateRequest } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Reaction } from '../http/loopback.js';
import { failure, gone, page, rig, typeNamed } from './rig.js';

const api = typeNamed('Api');
const document = typeNamed('ApiDocument');
const implementation = typeNamed('ApiImplementation');
const product = typeNamed('ApiProduct');
const productDocument = typeNamed('ApiProductDocument');

const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' };
const apiAnswer = {
  id: 'a1',
  name: 'Pets',
  description: null,
  version: '1',
  slug: 'pets-1',
  labels: { team: 'x', Some_key: 'y' },
  attributes: { 'some-Key_x': ['a', 'b'] },
  api_spec_ids: ['s1'],
  portals: [{ id: 'p1', name: 'dev', display_name: 'Dev portal' }],
  implementation_mode: null,
  current_version_summary: { id: 'v1', version: '1', ...times },
  ...times,
};
const apiValues = {
  name: 'Pets',
  description: null,
  version: '1',
  slug: 'pets-1',
  labels: { team: 'x', Some_key: 'y' },
  attributes: { 'some-Key_x': ['a', 'b'] },
  apiSpecIds: ['s1'],
  portals: [{ id: 'p1', name: 'dev', displayName: 'Dev portal' }],
  implementationMode: null,
  currentVersionSummary: { id: 'v1', version: '1', createdAt: times.created_at, updatedAt: times.updated_at },
  createdAt: times.created_at,
  updatedAt: times.updated_at,
};
const documentAnswer = {
  id: 'd1',
  content: '# Hi',
  title: 'Hi',
  slug: 'hi',
  status: 'unpublished',
  parent_document_id: null,
  ...times,
};
const productDocumentAnswer = { ...documentAnswer, metadata: { author: { full_name: 'x' } }, ast: { node: 1 } };
const productAnswer = {
  id: 'q1',
  name: 'Shop',
  description: 'd',
  labels: {},
  public_labels: { camelKey: 'v' },
  portal_ids: ['p2'],
  portals: [{ portal_id: 'p2', portal_name: 'old' }],
  version_count: 0,
  ...times,
};

const answers =
  (...reactions: readonly Reaction[]) =>
  (_: unknown, nth: number): Reaction =>
    reactions[Math.min(nth, reactions.length - 1)] ?? { status: 500 };
const ok = (json: unknown, status = 200): Reaction => ({ status, json });
const top = (id: string) => ({ id, scope: {} });
const under = (id: string) => ({ id, scope: { apiId: 'a1' } });

describe('create', () => {
  test.each([
    [
      'Api: maps kept, scalars of attributes wrapped, nulls left out, specification sent',
      api,
      {},
      {
        name: 'Pets',
        version: '1',
        description: null,
        labels: { team: 'x', gone: null },
        attributes: { domain: 'pets', tags: ['a', 'b'], none: null, empty: [], year: 2026 },
        specContent: '{"openapi":"3.1.0"}',
      },
      'POST /v3/apis',
      {
        name: 'Pets',
        version: '1',
        labels: { team: 'x' },
        attributes: { domain: ['pets'], tags: ['a', 'b'], year: ['2026'] },
        spec_content: '{"openapi":"3.1.0"}',
      },
      apiAnswer,
    ],
    [
      'Api: attributes as JSON text',
      api,
      {},
      { name: 'Pets', attributes: '{"domain": ["pets"], "one": "x"}' },
      'POST /v3/apis',
      { name: 'Pets', attributes: { domain: ['pets'], one: ['x'] } },
      apiAnswer,
    ],
    [
      'ApiDocument: the API stands in the path only',
      document,
      { apiId: 'a1' },
      { apiId: 'a1', content: '# Hi', title: 'Hi', parentDocumentId: 'd0' },
      'POST /v3/apis/a1/documents',
      { content: '# Hi', title: 'Hi', parent_document_id: 'd0' },
      documentAnswer,
    ],
    [
      'ApiImplementation by service; the API from the inputs',
      implementation,
      {},
      { apiId: 'a1', serviceReference: { service: { controlPlaneId: 'c1', id: 's1' } } },
      'POST /v3/apis/a1/implementations',
      { service: { control_plane_id: 'c1', id: 's1' } },
      { id: 'i1', service: { control_plane_id: 'c1', id: 's1', auth_strategy_sync_error: null }, ...times },
    ],
    [
      'ApiImplementation by control plane',
      implementation,
      { apiId: 'a1' },
      { apiId: 'a1', controlPlaneReference: { controlPlane: { id: 'c1' } } },
      'POST /v3/apis/a1/implementations',
      { control_plane: { control_plane_id: 'c1' } },
      { id: 'i1', control_plane: { control_plane_id: 'c1', access_control_enforcement_enabled: true }, ...times },
    ],
    [
      'ApiProduct',
      product,
      {},
      { name: 'Shop', portalIds: ['p2'], publicLabels: { camelKey: 'v' } },
      'POST /v2/api-products',
      { name: 'Shop', portal_ids: ['p2'], public_labels: { camelKey: 'v' } },
      productAnswer,
    ],
    [
      'ApiProductDocument: metadata untouched',
      productDocument,
      { apiProductId: 'q1' },
      { apiProductId: 'q1', slug: 'hi', status: 'unpublished', title: 'Hi', metadata: { author: { full_name: 'x' } } },
      'POST /v2/api-products/q1/documents',
      { slug: 'hi', status: 'unpublished', title: 'Hi', metadata: { author: { full_name: 'x' } } },
      productDocumentAnswer,
    ],
  ])('%s', async (_, type, scope, inputs, call, body, answer) => {
    const { provider, calls, body: sent } = await rig(answers(ok(answer, 201)));
    const made = await provider.create(type, scope, inputs);
    expect(calls()).toEqual([call]);
    expect(sent()).toEqual(body);
    expect(made.identity.id).toBe(answer.id);
    if (type.parent !== undefined)
      expect(made.identity.scope).toEqual({ [type.parent.field]: made.values[type.parent.field] });
  });

  test('gives back all fields in catalogue names, and only known ones', async () => {
    const { provider } = await rig(answers(ok(apiAnswer, 201)));
    const made = await provider.create(api, {}, { name: 'Pets' });
    expect(made).toEqual({ identity: top('a1'), values: apiValues });
  });

  test.each([
    [
      { service: { control_plane_id: 'c1', id: 's1', auth_strategy_sync_error: null } },
      { serviceReference: { service: { controlPlaneId: 'c1', id: 's1' } } },
    ],
    [
      { control_plane: { control_plane_id: 'c1', access_control_enforcement_enabled: false } },
      { controlPlaneReference: { controlPlane: { id: 'c1' } } },
    ],
  ])('an implementation %j reads as %j', async (wire, values) => {
    const { provider } = await rig(answers(ok({ id: 'i1', ...wire, ...times }, 201)));
    const made = await provider.create(implementation, {}, { apiId: 'a1', ...values });
    expect(made.values).toEqual({ apiId: 'a1', ...values, createdAt: times.created_at, updatedAt: times.updated_at });
  });

  const { content: _content, ...withoutContent } = documentAnswer;
  const { slug: _slug, ...withoutSlug } = documentAnswer;
  test.each([
    ['a field that is always answered', withoutSlug],
    ['a field that was sent', withoutContent],
  ])('an answer without %s is read again', async (_, answer) => {
    const { provider, calls } = await rig(answers(ok(answer, 201), ok(documentAnswer)));
    const made = await provider.create(document, { apiId: 'a1' }, { apiId: 'a1', content: '# Hi' });
    expect(calls()).toEqual(['POST /v3/apis/a1/documents', 'GET /v3/apis/a1/documents/d1']);
    expect(made.values).toMatchObject({ content: '# Hi', slug: 'hi' });
  });

  test('a made object is not lost when that second look fails', async () => {
    const { provider } = await rig(answers(ok(withoutSlug, 201), { status: 403 }));
    const made = await provider.create(document, { apiId: 'a1' }, { apiId: 'a1', content: '# Hi' });
    expect(made.identity).toEqual(under('d1'));
  });

  test('attributes that the platform leaves out because they are empty are not asked for again', async () => {
    const { attributes: _attributes, implementation_mode: _mode, ...answer } = apiAnswer;
    const { provider, calls } = await rig(answers(ok(answer, 201)));
    const made = await provider.create(api, {}, { name: 'Pets' });
    expect(calls()).toHaveLength(1);
    expect(made.values).toMatchObject({ attributes: {}, implementationMode: null });
  });

  test.each<[string, Reaction]>([
    ['without id', ok({ name: 'Pets' }, 201)],
    ['without body', { status: 201 }],
    ['of a proxy', { status: 200, text: '<html>Welcome</html>' }],
  ])('an answer %s leaves open what was made: ambiguous, so that the object is looked for', async (_, reaction) => {
    const { provider } = await rig(answers(reaction));
    expect((await failure(provider.create(api, {}, { name: 'Pets' }))).kind).toBe('ambiguous');
  });
});

describe('update', () => {
  const cases: readonly [string, typeof api, Omit<UpdateRequest, 'identity'>, JsonObject][] = [
    ['what changes, nothing else', api, { set: { name: 'New' }, clear: [], actual: apiValues }, { name: 'New' }],
    [
      'cleared fields as null',
      api,
      { set: {}, clear: ['description', 'version'], actual: apiValues },
      { description: null, version: null },
    ],
    [
      'labels whole, gone keys as null',
      api,
      { set: { labels: { team: 'y', fresh: 'z' } }, clear: [], actual: apiValues },
      { labels: { team: 'y', fresh: 'z', Some_key: null } },
    ],
    [
      'no labels at all',
      api,
      { set: { labels: {} }, clear: [], actual: apiValues },
      { labels: { team: null, Some_key: null } },
    ],
    [
      'a cleared map per key',
      api,
      { set: {}, clear: ['attributes'], actual: apiValues },
      { attributes: { 'some-Key_x': null } },
    ],
    [
      'attributes from JSON text, empty lists as null',
      api,
      { set: { attributes: '{"a": "x", "some-Key_x": [], "never": []}' }, clear: [], actual: apiValues },
      { attributes: { a: ['x'], 'some-Key_x': null } },
    ],
    [
      'keys that are null already are not sent again',
      api,
      { set: { attributes: { a: ['x'] } }, clear: [], actual: { attributes: { old: null, gone: ['y'] } } },
      { attributes: { a: ['x'], gone: null } },
    ],
    [
      'a key named like a member of every object',
      api,
      { set: { attributes: JSON.parse('{"__proto__": ["x"]}') as JsonObject }, clear: [], actual: {} },
      { attributes: JSON.parse('{"__proto__": ["x"]}') as JsonObject },
    ],
    ['to the top level', document, { set: {}, clear: ['parentDocumentId'], actual: {} }, { parent_document_id: null }],
    [
      'null as a value',
      document,
      { set: { parentDocumentId: null }, clear: [], actual: {} },
      { parent_document_id: null },
    ],
    ['the parent never', document, { set: { apiId: 'a2', title: 'T' }, clear: [], actual: {} }, { title: 'T' }],
    ['lists whole', product, { set: { portalIds: [] }, clear: [], actual: productAnswer }, { portal_ids: [] }],
    [
      'metadata by key',
      productDocument,
      { set: { metadata: { author: { full_name: 'y' } } }, clear: [], actual: { metadata: { old: 1 } } },
      { metadata: { author: { full_name: 'y' }, old: null } },
    ],
  ];
  test.each(cases)('%s', async (_, type, request, body) => {
    const answer = {
      [api.token]: apiAnswer,
      [product.token]: productAnswer,
      [productDocument.token]: productDocumentAnswer,
    }[type.token];
    const { provider, server, body: sent } = await rig(answers(ok(answer ?? documentAnswer)));
    const scope = type.parent === undefined ? {} : { [type.parent.field]: 'a1' };
    await provider.update(type, { identity: { id: 'x1', scope }, ...request });
    expect(server.seen[0]?.method).toBe('PATCH');
    expect(sent()).toEqual(body);
  });

  test('what an answer lacks of the object is read; what it says stands: somebody may have changed that since', async () => {
    const { content: _, ...answer } = { ...documentAnswer, title: 'T', updated_at: '2026-01-01T00:00:00Z' };
    const later = { ...documentAnswer, title: 'Changed since', updated_at: '2026-01-01T00:00:01Z' };
    const { provider, calls } = await rig(answers(ok(answer), ok(later)));
    const request = { identity: under('d1'), set: { title: 'T' }, clear: [], actual: { content: '# Hi' } };
    const { values } = await provider.update(document, request);
    expect(values).toMatchObject({ title: 'T', content: '# Hi', updatedAt: '2026-01-01T00:00:00Z' });
    expect(calls()).toEqual(['PATCH /v3/apis/a1/documents/d1', 'GET /v3/apis/a1/documents/d1']);
    const { updated_at: __, ...unrevised } = answer;
    const again = await rig(answers(ok(unrevised), ok(later)));
    const changed = (await again.provider.update(document, request)).values;
    expect([changed['title'], changed['content'], 'updatedAt' in changed]).toEqual(['T', '# Hi', false]);
    const same = await rig(answers(ok(unrevised), ok({ ...later, title: 'T' })));
    expect((await same.provider.update(document, request)).values).toMatchObject({ updatedAt: later.updated_at });
  });

  test('and what somebody changed before that look is not what the platform made of the write', async () => {
    const { content: _, ...answer } = documentAnswer;
    const later = { ...documentAnswer, title: 'of somebody', updated_at: '2100-01-01T00:00:00Z' };
    const { provider } = await rig(answers(ok({ ...answer, title: 'T' }), ok(later), ok(answer, 201), ok(later)));
    const request = { identity: under('d1'), set: { title: 'T' }, clear: [], actual: { content: '# Hi' } };
    const written = await provider.update(document, request);
    const made = await provider.create(document, { apiId: 'a1' }, { apiId: 'a1', content: '# Hi' });
    const updatedAt = times.updated_at;
    expect(written.values).toMatchObject({ title: 'T', content: '# Hi', updatedAt });
    expect(made.values).toMatchObject({ title: documentAnswer.title, content: '# Hi', updatedAt });
  });

  test.each<[string, Reaction]>([
    ['nothing', { status: 204 }],
    ['no JSON', { status: 200, text: 'done' }],
  ])('an answer of %s is read again', async (_, reaction) => {
    const { provider, calls } = await rig(answers(reaction, ok(apiAnswer)));
    const updated = await provider.update(api, { identity: top('a1'), set: { name: 'Pets' }, clear: [], actual: {} });
    expect(updated.values).toEqual(apiValues);
    expect(calls()).toHaveLength(2);
  });

  test.each<[string, Reaction]>([
    ['fails', { status: 403, json: {} }],
    ['shows nothing', gone],
  ])('an update that was answered is done although the look at what its answer lacks %s', async (_, reaction) => {
    const { content: __, ...answer } = { ...documentAnswer, title: 'T' };
    const { provider, calls } = await rig(answers(ok(answer), reaction));
    const request = { identity: under('d1'), set: { title: 'T' }, clear: [], actual: { content: '# Hi' } };
    const { values } = await provider.update(document, request);
    expect([values['title'], values['content'], values['updatedAt']]).toEqual(['T', '# Hi', undefined]);
    expect(calls()).toHaveLength(2);
  });

  describe('an answer of nothing says nothing', () => {
    const before = { title: 'Hi', content: '# Hi', updatedAt: times.updated_at };
    const later = { ...documentAnswer, title: 'of somebody', updated_at: '2100-01-01T00:00:00Z' };
    const forbidden: Reaction = { status: 403, json: { status: 403, title: 'Forbidden' } };
    test.each<[string, Reaction, JsonObject, Readonly<Record<string, string | undefined>>]>([
      ['an older reading', ok(documentAnswer), {}, { title: 'T', content: '# Hi', updatedAt: undefined }],
      ['what somebody changed since', ok(later), {}, { title: 'T', content: '# Hi', updatedAt: undefined }],
      ['a reading that fails', forbidden, {}, { title: 'T', content: '# Hi', updatedAt: undefined }],
      ['before, where no reading says so', forbidden, { title: 'T' }, { title: 'T', updatedAt: undefined }],
      ['a denial', gone, {}, { title: 'T', content: '# Hi', updatedAt: undefined }],
      ['what shows it', ok({ ...later, title: 'T' }), {}, { title: 'T', updatedAt: later.updated_at }],
      [
        'the same as before, once more',
        ok(documentAnswer),
        { title: 'T' },
        { title: 'Hi', updatedAt: before.updatedAt },
      ],
    ])('not that it is as %s', async (_, reaction, recorded, known) => {
      const { provider, calls } = await rig(answers({ status: 204 }, reaction));
      const request = { identity: under('d1'), set: { title: 'T' }, clear: [], actual: before, recorded };
      const { values } = await provider.update(document, request);
      expect(Object.fromEntries(Object.keys(known).map((name) => [name, values[name]]))).toEqual(known);
      expect(calls()).toEqual(['PATCH /v3/apis/a1/documents/d1', 'GET /v3/apis/a1/documents/d1']);
    });

    test('but what the platform adds to a record of its own accord', async () => {
      const answer = { ...productDocumentAnswer, metadata: { author: { full_name: 'y', id: 7 } } };
      const { provider } = await rig(answers({ status: 204 }, ok(answer)));
      const { metadata } = productDocument.fields;
      if (metadata === undefined) throw new Error('no metadata');
      const type = {
        ...productDocument,
        fields: { ...productDocument.fields, metadata: { ...metadata, equality: 'record' as const } },
      };
      const set = { metadata: { author: { full_name: 'y' } } };
      const request = { identity: { id: 'd1', scope: { apiProductId: 'q1' } }, set, clear: [], actual: {} };
      const { values } = await provider.update(type, request);
      expect([values['metadata'], values['updatedAt']]).toEqual([answer.metadata, times.updated_at]);
    });

    test('also where nothing need be in it', async () => {
      const { provider, calls } = await rig(answers({ status: 204 }, ok(documentAnswer)));
      await provider.update(document, { identity: under('d1'), set: {}, clear: ['title'], actual: { title: 'Hi' } });
      expect(calls()).toHaveLength(2);
    });
  });

  test('when nothing is left to send, the object is only read', async () => {
    const { provider, calls } = await rig(answers(ok(apiAnswer)));
    await provider.update(api, { identity: top('a1'), set: { labels: {} }, clear: [], actual: { labels: {} } });
    expect(calls()).toEqual(['GET /v3/apis/a1']);
  });

  test('an object that is gone is not found', async () => {
    const { provider } = await rig(answers(gone));
    const error = await failure(
      provider.update(api, { identity: top('a1'), set: { name: 'x' }, clear: [], actual: {} }),
    );
    expect(error.kind).toBe('not-found');
  });
});

describe('read and delete', () => {
  test('read: the object, or undefined where the platform says that there is none', async () => {
    const { provider, calls } = await rig(answers(ok(apiAnswer), gone));
    expect(await provider.read(api, top('a1'))).toEqual({ identity: top('a1'), values: apiValues });
    expect(await provider.read(api, top('a1'))).toBeUndefined();
    expect(calls()).toEqual(['GET /v3/apis/a1', 'GET /v3/apis/a1']);
  });

  test.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [501, 'unavailable'],
  ])('read: %i is an error, never "gone"', async (status, kind) => {
    const { provider } = await rig(answers({ status }));
    expect((await failure(provider.read(api, top('a1')))).kind).toBe(kind);
  });

  test('read: a page of a proxy is an unexpected answer', async () => {
    const { provider } = await rig(
      answers({ status: 200, text: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } }),
    );
    const error = await failure(provider.read(api, top('a1')));
    expect(error.kind).toBe('unexpected-answer');
    expect(error.diagnostics[0]?.detail).toContain('text/html');
  });

  const html = { 'content-type': 'text/html' };
  test.each<[string, Reaction]>([
    ['without a body', { status: 404 }],
    ['of a web page', { status: 404, text: '<h1>Not Found</h1>', headers: html }],
    [
      'of a web page that calls itself JSON',
      { status: 404, text: '<h1>Not Found</h1>', headers: { 'content-type': 'application/json' } },
    ],
    ['of a gateway', { status: 404, json: { message: 'no Route matched with those values' } }],
    ['in the words of another status', { status: 404, json: { status: 500, title: 'Internal Server Error' } }],
    ['that is a 410', { status: 410, json: { status: 410, title: 'Gone' } }],
  ])('a 404 %s proves nothing: neither read nor delete take the object for gone', async (_, reaction) => {
    const { provider } = await rig(answers(reaction));
    expect((await failure(provider.read(api, top('a1')))).kind).toBe('unexpected-answer');
    expect((await failure(provider.delete(api, top('a1')))).kind).toBe('unexpected-answer');
  });

  test('what proves absence is a row of the type: without one, nothing does', async () => {
    const { provider } = await rig(answers(gone, gone, { status: 404 }));
    const { absence: _, ...silent } = api;
    expect((await failure(provider.read(silent, top('a1')))).kind).toBe('unexpected-answer');
    expect((await failure(provider.delete(silent, top('a1')))).kind).toBe('unexpected-answer');
    expect(await provider.read({ ...api, absence: 'empty-404' }, top('a1'))).toBeUndefined();
  });

  const { name: _name, ...nameless } = apiAnswer;
  test.each<[string, JsonObject]>([
    ['nothing', {}],
    ['another object', { ...apiAnswer, id: 'a2' }],
    ['an id that is none', { ...apiAnswer, id: 5 }],
    ['a field less', nameless],
    ['a field of another kind', { ...apiAnswer, name: 5 }],
    ['null where something always is', { ...apiAnswer, name: null }],
    ['a list for a map', { ...apiAnswer, labels: ['x'] }],
  ])('read: an answer that holds %s is no answer', async (_, answer) => {
    const { provider } = await rig(answers(ok(answer)));
    expect((await failure(provider.read(api, top('a1')))).kind).toBe('unexpected-answer');
  });

  test.each<[string, Reaction]>([
    ['204', { status: 204 }],
    ['the word that it is gone', gone],
  ])('delete: %s is success', async (_, reaction) => {
    const { provider, calls } = await rig(answers(reaction));
    await provider.delete(productDocument, { id: 'd1', scope: { apiProductId: 'q1' } });
    expect(calls()).toEqual(['DELETE /v2/api-products/q1/documents/d1']);
  });

  test('delete: a denial of what may not show yet is no proof, as an answer that says so is', async () => {
    const { provider } = await rig(answers(gone, { status: 204 }));
    const identity = { id: 'd1', scope: { apiProductId: 'q1' } };
    const { kind, diagnostics } = await failure(provider.delete(productDocument, identity, { mayNotShow: true }));
    expect([kind, diagnostics[0]?.code]).toEqual(['ambiguous', 'outcome-unknown']);
    await provider.delete(productDocument, identity, { mayNotShow: true });
  });

  test.each(['', '.', '..'])('an id %j is refused before anything is sent', async (id) => {
    const { provider, server } = await rig(answers({ status: 204 }));
    expect((await failure(provider.delete(api, top(id)))).diagnostics[0]?.code).toBe('invalid-identifier');
    expect((await failure(provider.read(document, { id: 'd1', scope: { apiId: id } }))).kind).toBe('invalid');
    expect(server.seen).toEqual([]);
  });
});

describe('list', () => {
  test('asks for pages of 100 and reads them all', async () => {
    const { provider, calls } = await rig(
      answers(page([apiAnswer, { ...apiAnswer, id: 'a2' }], 3), page([{ ...apiAnswer, id: 'a3' }], 3)),
    );
    const { objects, ...rest } = await provider.list(api, {});
    expect(rest).toEqual({ total: 3, isComplete: true });
    expect(objects[0]).toEqual({ identity: top('a1'), values: apiValues });
    expect(objects.map(({ identity }) => identity.id)).toEqual(['a1', 'a2', 'a3']);
    expect(calls()).toEqual([
      'GET /v3/apis?page[size]=100&page[number]=1',
      'GET /v3/apis?page[size]=100&page[number]=2',
    ]);
  });

  test('a caller that had enough after the first page gets a listing that proves no absence', async () => {
    const { provider, calls } = await rig(answers(page([apiAnswer], 201)));
    const listing = await provider.list(api, {}, { isEnough: ({ morePages }) => morePages === 200 });
    expect(listing).toMatchObject({ total: 201, isComplete: false, objects: [{ identity: top('a1') }] });
    expect(calls()).toHaveLength(1);
  });

  test('documents come as a tree: flattened, parents first, parent from the nesting where it is not said', async () => {
    const { content: _, parent_document_id: _parent, ...leaf } = documentAnswer;
    const tree = [
      {
        ...leaf,
        id: 'r1',
        parent_document_id: null,
        children: [{ ...leaf, id: 'c1', children: [{ ...leaf, id: 'g1', children: [] }] }],
      },
      { ...leaf, id: 'r2' },
    ];
    const { provider, calls } = await rig(answers(ok({ data: tree })));
    const { objects, total, isComplete } = await provider.list(document, { apiId: 'a1' });
    expect(objects.map(({ identity, values }) => [identity.id, identity.scope.apiId, values.parentDocumentId])).toEqual(
      [
        ['r1', 'a1', null],
        ['c1', 'a1', 'r1'],
        ['g1', 'a1', 'c1'],
        ['r2', 'a1', null],
      ],
    );
    expect(objects.every(({ values }) => !('content' in values))).toBe(true);
    expect([total, isComplete]).toEqual([4, true]);
    expect(calls()).toEqual(['GET /v3/apis/a1/documents']);
  });

  test('implementations of all APIs come in one list, each with its API', async () => {
    const item = { id: 'i1', api_id: 'a7', service: { control_plane_id: 'c1', id: 's1' }, ...times };
    const { provider, calls } = await rig(answers(page([item])));
    const { objects } = await provider.list(implementation, {});
    expect(objects[0]).toMatchObject({
      identity: { id: 'i1', scope: { apiId: 'a7' } },
      values: { apiId: 'a7', serviceReference: { service: { controlPlaneId: 'c1', id: 's1' } } },
    });
    expect(calls()).toEqual(['GET /v3/api-implementations?page[size]=100&page[number]=1']);
  });

  test('documents of products are paged, without their content even where the server sends it', async () => {
    const { provider, calls } = await rig(answers(page([productDocumentAnswer])));
    const { objects } = await provider.list(productDocument, { apiProductId: 'q1' });
    expect(objects[0]?.values).toMatchObject({ apiProductId: 'q1', slug: 'hi' });
    expect(objects[0]?.values).not.toHaveProperty('content');
    expect(calls()).toEqual(['GET /v2/api-products/q1/documents?page[size]=100&page[number]=1']);
  });

  const { id: _id, ...unnamed } = apiAnswer;
  const { name: _name, ...nameless } = apiAnswer;
  test.each<[string, Reaction]>([
    ['an item without id', page([unnamed, apiAnswer])],
    ['an item without a field that items have', page([nameless])],
    ['an item with a field of another kind', page([{ ...apiAnswer, labels: 'x' }])],
    ['fewer items than it says', page([apiAnswer], 2)],
    ['no number of items', ok({ data: [apiAnswer] })],
    ['a web page', { status: 200, text: '<html></html>', headers: { 'content-type': 'text/html' } }],
    ['JSON that does not say so', { status: 200, text: JSON.stringify({ data: [], meta: { page: { total: 0 } } }) }],
    ['half an answer', { status: 200, text: '{"data":[', headers: { 'content-type': 'application/json' } }],
    ['a 404 of a gateway', { status: 404, text: 'no route' }],
    ['a 410', { status: 410 }],
  ])('a list with %s is no list', async (_, reaction) => {
    const { provider } = await rig(answers(reaction));
    expect((await failure(provider.list(api, {}))).kind).toBe('unexpected-answer');
  });
});

describe('find', () => {
  const named = (id: string, version: string | null, name = 'Pets') => ({ ...apiAnswer, id, name, version });
  const spec = 'openapi: 3.0.0\ninfo:\n  title: Pets\n  version: "2.1"\npaths: {}\n';
  test.each<[string, JsonObject, string[]]>([
    ['by name and version', { name: 'Pets', version: '1' }, ['one']],
    ['no version is a version of its own', { name: 'Pets' }, ['none']],
    ['null is no version', { name: 'Pets', version: null }, ['none']],
    ['a version that is not there', { name: 'Pets', version: '9' }, []],
    [
      'without version, but with a specification that states one',
      { name: 'Pets', specContent: spec },
      ['none', 'spec'],
    ],
    ['a version said beats that of the specification', { name: 'Pets', version: '1', specContent: spec }, ['one']],
  ])('an API %s', async (_, inputs, ids) => {
    const items = [named('one', '1'), named('none', null), named('spec', '2.1'), named('other', '1', 'Pets and more')];
    const { provider, calls } = await rig(answers(page(items)));
    expect((await provider.find(api, {}, inputs)).map(({ identity }) => identity.id)).toEqual(ids);
    expect(calls()).toEqual(['GET /v3/apis?filter[name][eq]=Pets&page[size]=100&page[number]=1']);
  });

  test('reads all pages', async () => {
    const { provider, calls } = await rig((_, nth) => page([named(`p${nth}`, '1')], 3, 1));
    const found = await provider.find(api, {}, { name: 'Pets', version: '1' });
    expect(found.map(({ identity }) => identity.id)).toEqual(['p0', 'p1', 'p2']);
    expect(calls()).toHaveLength(3);
  });

  const { content: _content, ...summary } = documentAnswer;
  const tree = [
    { ...summary, id: 'd1', children: [{ ...summary, id: 'd2', parent_document_id: 'd1', children: [] }] },
    { ...summary, id: 'd3', slug: 'other', children: [] },
  ];
  const documents = (request: { url: string }): Reaction => {
    const id = /documents\/(\w+)$/.exec(request.url)?.[1];
    if (id === undefined) return ok({ data: tree });
    return ok({ ...documentAnswer, id, content: `# ${id}`, parent_document_id: id === 'd2' ? 'd1' : null });
  };
  test.each<[string, JsonObject, string[]]>([
    ['by slug at the top', { slug: 'hi', content: 'x' }, ['d1']],
    ['by slug below a parent', { slug: 'hi', parentDocumentId: 'd1', content: 'x' }, ['d2']],
    ['by the slug its title gives', { title: 'Hi', content: 'x' }, ['d1']],
    ['not there', { slug: 'nope', content: 'x' }, []],
    ['whose slug nobody knows, by what was sent', { content: '# d3\n' }, ['d3']],
    ['whose slug nobody knows, and no such content', { content: 'x' }, []],
  ])('a document %s', async (_, inputs, ids) => {
    const { provider } = await rig(documents);
    const found = await provider.find(document, { apiId: 'a1' }, { apiId: 'a1', ...inputs });
    expect(found.map(({ identity }) => identity.id)).toEqual(ids);
    for (const { values } of found) expect(values).toHaveProperty('content');
  });

  test('an implementation by its API, even where the server forgets to filter', async () => {
    const item = (id: string, apiId: string) => ({
      id,
      api_id: apiId,
      control_plane: { control_plane_id: 'c' },
      ...times,
    });
    const { provider, calls } = await rig(answers(page([item('i1', 'a1'), item('i2', 'a2')])));
    const found = await provider.find(
      implementation,
      {},
      { apiId: 'a1', controlPlaneReference: { controlPlane: { id: 'c' } } },
    );
    expect(found.map(({ identity }) => identity)).toEqual([{ id: 'i1', scope: { apiId: 'a1' } }]);
    expect(calls()).toEqual(['GET /v3/api-implementations?filter[api_id][eq]=a1&page[size]=100&page[number]=1']);
  });

  test('a product by name, exactly', async () => {
    const { provider } = await rig(answers(page([productAnswer, { ...productAnswer, id: 'q2', name: 'Shop 2' }])));
    expect(
      (await provider.find(product, {}, { name: 'Shop', portalIds: [] })).map(({ identity }) => identity.id),
    ).toEqual(['q1']);
  });

  test('a document of a product by slug', async () => {
    const { provider } = await rig(({ url }) =>
      url.includes('?') ? page([productDocumentAnswer]) : ok(productDocumentAnswer),
    );
    const found = await provider.find(
      productDocument,
      { apiProductId: 'q1' },
      { apiProductId: 'q1', slug: 'hi', title: 'x', status: 'published' },
    );
    expect(found.map(({ identity }) => identity)).toEqual([{ id: 'd1', scope: { apiProductId: 'q1' } }]);
  });

  test('nothing is found by a name that is not there, without asking', async () => {
    const { provider, server } = await rig(answers(page([apiAnswer])));
    expect(await provider.find(api, {}, { version: '1' })).toEqual([]);
    expect(server.seen).toEqual([]);
  });
});

describe('the specification of an API, for import', () => {
  const version = ok({ id: 'v1', version: '1', spec: { content: 'openapi: 3.1.0', type: 'oas3' } });
  test.each<[string, (url: string) => Reaction, JsonObject, number]>([
    [
      'of the current version',
      (url) => (url.endsWith('/v1') ? version : ok(apiAnswer)),
      { specContent: 'openapi: 3.1.0' },
      2,
    ],
    [
      'of the only version',
      (url) =>
        url.endsWith('/v1')
          ? version
          : url.includes('/versions?')
            ? page([{ id: 'v1' }])
            : ok({ ...apiAnswer, current_version_summary: null }),
      { specContent: 'openapi: 3.1.0' },
      3,
    ],
    [
      'none of several',
      (url) =>
        url.includes('/versions?')
          ? page([{ id: 'v1' }, { id: 'v2' }])
          : ok({ ...apiAnswer, current_version_summary: null }),
      {},
      2,
    ],
    ['not when the token may not see it', (url) => (url.endsWith('/v1') ? { status: 403 } : ok(apiAnswer)), {}, 2],
    ['not when it is gone', (url) => (url.endsWith('/v1') ? gone : ok(apiAnswer)), {}, 2],
  ])('%s', async (_, react, values, requests) => {
    const { provider, server } = await rig(({ url }) => react(url));
    expect(await provider.readWriteOnly(api, top('a1'))).toEqual(values);
    expect(server.seen).toHaveLength(requests);
  });

  test('other types have none, and nothing is asked', async () => {
    const { provider, server } = await rig(answers(ok({})));
    expect(await provider.readWriteOnly(document, under('d1'))).toEqual({});
    expect(server.seen).toEqual([]);
  });
});

describe('refused values name the catalogue field', () => {
  test.each([
    ['portal_ids.0', 'body', product, 'portalIds.0'],
    ['labels.some_key', 'body', api, 'labels.some_key'],
    ['attributes.domain[2]', undefined, api, 'attributes.domain[2]'],
    ['parent_document_id', 'body', document, 'parentDocumentId'],
    ['service.control_plane_id', 'body', implementation, 'serviceReference.service.controlPlaneId'],
    ['service', 'body', implementation, 'serviceReference'],
    ['control_plane.control_plane_id', 'body', implementation, 'controlPlaneReference.controlPlane.id'],
    ['surprise', 'body', api, undefined],
    ['name', 'query', api, undefined],
  ])('%s (%s)', async (field, source, type, expected) => {
    const problem = {
      title: 'Invalid Request',
      invalid_parameters: [{ field, source, reason: 'no', rule: 'invalid' }],
    };
    const { provider } = await rig(answers(ok(problem, 400)));
    const error = await failure(provider.create(type, { apiId: 'a1', apiProductId: 'q1' }, { name: 'x' }));
    expect(error.diagnostics[0]?.field).toBe(expected);
    expect(error.diagnostics[0]?.summary).toContain(expected ?? field);
  });
});
