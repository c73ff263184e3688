import { describe, expect, it } from 'vitest';
import { catalogueFields, fitRules } from '@platform-sync/engine/export/fit-rules';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';

function typeOf(name: string): ResourceType {
  const type = [...platformPackage.types.values()].find((candidate) => candidate.name === name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}

const api: JsonObject = { name: 'Pets', version: '1.4.0', slug: 'pets-1', id: 'x', createdAt: '2024', portals: [] };
const page: JsonObject = { apiId: 'a', title: 'Guide', slug: 'guide', status: 'unpublished', content: '' };

describe('the fields a catalogue says', () => {
  it.each<[string, string, JsonObject, Readonly<Record<string, Json>>]>([
    ['nothing computed, and no slug the platform would choose', 'Api', api, { name: 'Pets', version: '1.4.0' }],
    ['a slug of its own', 'Api', { ...api, slug: 'pets' }, { name: 'Pets', version: '1.4.0', slug: 'pets' }],
    ['no slug because none can be made', 'Api', { name: '日本', slug: null }, { name: '日本' }],
    [
      'no nulls and no empty maps',
      'Api',
      { name: 'P', description: null, labels: {}, attributes: { a: null } },
      { name: 'P' },
    ],
    [
      'maps without the nulls in them',
      'Api',
      { name: 'P', labels: { b: '1', c: null, a: '2' } },
      { name: 'P', labels: { a: '2', b: '1' } },
    ],
    [
      'records without the nulls in them, however deep',
      'GatewayUpstream',
      { name: 'u', healthchecks: { threshold: null, active: { httpPath: '/up', headers: null } } },
      { name: 'u', healthchecks: { active: { httpPath: '/up' } } },
    ],
    [
      'attributes as a map of sorted lists',
      'Api',
      { name: 'P', attributes: { z: ['b', 'a'], y: 'one' } },
      { name: 'P', attributes: { y: ['one'], z: ['a', 'b'] } },
    ],
    ['texts without what trails', 'Api', { name: 'P ', description: 'a \n\n' }, { name: 'P ', description: 'a' }],
    [
      'texts of lines end with a line',
      'Api',
      { name: 'P', description: 'a\nb\n\n ' },
      { name: 'P', description: 'a\nb\n' },
    ],
    [
      'no status that is the default, but an empty content that is required',
      'ApiDocument',
      page,
      { apiId: 'a', title: 'Guide', content: '' },
    ],
    [
      'a default where the field is required',
      'ApiProductDocument',
      { ...page, apiProductId: 'a' },
      { apiProductId: 'a', slug: 'guide', status: 'unpublished', title: 'Guide' },
    ],
    ['an empty list that is required', 'ApiProduct', { name: 'P', portalIds: [] }, { name: 'P', portalIds: [] }],
    ['a set in order', 'ApiProduct', { name: 'P', portalIds: ['b', 'a', 'b'] }, { name: 'P', portalIds: ['a', 'b'] }],
  ])('%s', (_name, type, values, expected) => {
    expect(Object.fromEntries(catalogueFields(typeOf(type), values))).toEqual(expected);
  });

  it('a secret is never among them; a warning names the field, not the value', async () => {
    const { fields, ...type } = typeOf('Api');
    const description = { ...fields['description'], secret: true } as (typeof fields)[string];
    const secretive: ResourceType = { ...type, fields: { ...fields, description } };
    const object = { type: secretive, identity: { id: '1', scope: {} }, values: { name: 'P', description: 'hush' } };
    const { objects, diagnostics } = await fitRules([object], () => platformPackage.validate);
    expect([...objects.values()].map(({ fields: said }) => [...said.keys()])).toEqual([['name']]);
    expect(diagnostics).toMatchObject([{ code: 'export-field-left-out', field: 'description' }]);
    expect(JSON.stringify(diagnostics)).not.toContain('hush');
  });

  it('what cannot be without a secret asks for it; a program, which imports by id, leaves the object out', async () => {
    const cert = '-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n';
    const controlPlaneId = '00000000-0000-4000-8000-000000000001';
    const values = { controlPlaneId, cert, key: 'hush' };
    const identity = { id: '1', scope: { controlPlaneId } };
    const object = { type: typeOf('GatewayCertificate'), identity, values };
    const { objects, diagnostics } = await fitRules([object], () => platformPackage.validate);
    expect([...objects.values()].map(({ holes }) => holes)).toEqual([[['key']]]);
    expect(diagnostics).toEqual([]);
    const left = await fitRules([object], () => platformPackage.validate, false);
    const [{ summary, hint } = { summary: '', hint: '' }] = left.diagnostics;
    expect(summary).toBe(
      'GatewayCertificate "-----BEGIN CERTIFICATE----- …" (id 1) was left out, with everything below it: it needs key.',
    );
    expect(hint).toContain('with key: !env NAME, and take it over: sync adopt ADDRESS ');
  });
});
