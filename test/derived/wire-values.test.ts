import { describe, expect, it } from 'vitest';
import { holdsNumberOrText, isNumberOrText } from '@platform-sync/core/value/format-form';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { platformPackage } from '@platform-sync/platform/package';
import { style } from '@platform-sync/platform/style';
import { fromWire, toWire, wireName } from '@platform-sync/rest/names';

const fields = [...platformPackage.types.values()].flatMap((type) =>
  Object.values(type.fields).map((rule) => ({ type, rule })),
);
const at = (schema: Json | undefined): JsonObject => (isObject(schema) ? schema : {});

/** A value with a member for each that a schema knows; `number`: what stands where a number or a text may. */
function whole(schema: JsonObject, number: Json): Json {
  if (isNumberOrText(schema)) return number;
  const kind = [schema['type'] ?? []].flat()[0];
  if (kind === 'array') return [whole(at(schema['items']), number)];
  if (kind !== 'object') return 'a';
  const members = Object.entries(at(schema['properties']));
  if (members.length === 0) return { 'Own.key': whole(at(schema['additionalProperties']), number) };
  return Object.fromEntries(members.map(([name, member]) => [name, whole(at(member), number)]));
}

/** Names of records on the wire that are not what their members are called there. */
function wrongNames(schema: JsonObject, wire: Json): readonly string[] {
  if (Array.isArray(wire)) return wire.flatMap((item: Json) => wrongNames(at(schema['items']), item));
  if (!isObject(wire)) return [];
  const members = Object.entries(at(schema['properties']));
  if (members.length === 0)
    return Object.values(wire).flatMap((entry) => wrongNames(at(schema['additionalProperties']), entry));
  const known = new Map(members.map(([name, member]) => [wireName(style.naming, name), at(member)]));
  return Object.entries(wire).flatMap(([name, member]) =>
    known.has(name) ? wrongNames(known.get(name) ?? {}, member) : [name],
  );
}

describe('every field of every type', () => {
  it('goes out under the names of the wire, in lists and maps at any depth, and is read back', () => {
    expect(fields.length).toBeGreaterThan(1000);
    const wrong = fields.filter(({ rule: { schema } }) => {
      const value = whole(schema, 1);
      const wire = toWire(style.naming, schema, value);
      return (
        wrongNames(schema, wire).length > 0 ||
        JSON.stringify(fromWire(style.naming, schema, wire)) !== JSON.stringify(value)
      );
    });
    expect(wrong.map(({ type, rule }) => `${type.name}.${rule.name}`)).toEqual([]);
  });

  const numeric = fields.filter(({ rule }) => rule.input && holdsNumberOrText(rule.schema));

  it('of numbers that may be texts is compared by value, and sent as a number', () => {
    expect(numeric.length).toBeGreaterThanOrEqual(24);
    for (const { rule } of numeric) {
      const [number, text, vault] = [6379, '6379', '{vault://env/port}'].map((value) => whole(rule.schema, value));
      expect(sameValue(rule, number, text)).toBe(true);
      expect(sameValue(rule, number, vault)).toBe(false);
      expect(toWire(style.naming, rule.schema, text ?? null)).toEqual(
        toWire(style.naming, rule.schema, number ?? null),
      );
      expect(fromWire(style.naming, rule.schema, toWire(style.naming, rule.schema, vault ?? null))).toEqual(vault);
    }
  });

  it.each([6379, '6379', '{vault://env/port}'])('takes %j where a number may be a text', async (port) => {
    const type = platformPackage.types.get('platform:index/gatewayPluginRateLimiting:GatewayPluginRateLimiting');
    if (type === undefined) throw new Error('no such type');
    const broken = await platformPackage.validate(type.token, {
      controlPlaneId: crypto.randomUUID(),
      config: { redis: { port } },
    });
    expect(broken).toEqual([]);
  });
});

it.each(['TeamRole', 'SystemAccountRole', 'PortalTeamRole'])('%s may be on everything of its kind', async (name) => {
  const type = [...platformPackage.types.values()].find((each) => each.name === name);
  if (type === undefined) throw new Error('no such type');
  const broken = await platformPackage.validate(type.token, { entityId: '*' });
  expect(broken.filter(({ pointer }) => pointer === '/entityId')).toEqual([]);
});
