import { describe, expect, it } from 'vitest';
import { platformPackage } from '@platform-sync/platform/package';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { exampleText } from '@platform-sync/report/text/example';
import { memberRows } from '@platform-sync/report/text/schema-members';
import { resourceSchemaText } from '@platform-sync/report/text/schema';
import { plainStyle } from '@platform-sync/report/text/style';

function typeNamed(name: string): ResourceType {
  const type = [...platformPackage.types.values()].find((each) => each.name === name);
  if (type === undefined) throw new Error(name);
  return type;
}

/** What is told of where a type comes from. */
function originOf(name: string): readonly string[] {
  const type = typeNamed(name);
  const text = resourceSchemaText(type, plainStyle, platformPackage.originOf?.(type.token));
  return text.slice(text.indexOf('Corrected, because')).split('\n').slice(1);
}

describe('what was corrected of a derived type', () => {
  it('is shown with the reason, the rule that had decided, and what it had said', () => {
    const lines = originOf('GatewayControlPlane');
    const at = lines.findIndex((line) => line.startsWith('  clusterType: Answers show it in the configuration.'));
    expect(lines[at + 1]).toBe('    the rule "create body alone: replaces" said nothing of shown, writeOnly true');
    expect(lines.slice(0, 2)).toEqual([
      '  No two control planes have one name (409).',
      '    the rules said nothing of unique',
    ]);
  });

  it('has the reasons of all corrections that fit it', () => {
    const [why] = originOf('GatewayPluginAiMcpOauth2');
    expect(why).toMatch(/^ {2}A plugin has no name of its own; .* The kind of plugin ends with a number/);
  });

  it('is kept with what rules had said, for each field that a correction decided', () => {
    const fields = [...platformPackage.types.keys()].flatMap((token) => {
      const { decided = {}, corrections = {}, overruled = {} } = platformPackage.originOf?.(token) ?? {};
      return Object.keys(decided)
        .filter((field) => decided[field] === 'correction')
        .map((field) => ({ why: corrections[field], ...overruled[field] }));
    });
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter(({ why, rule, said = {} }) => !why || !rule || Object.keys(said).length === 0)).toEqual([]);
    expect(fields.map(({ rule }) => rule)).not.toContain('correction');
  });
});

describe('what a field may hold', () => {
  const lines = resourceSchemaText(typeNamed('GatewayUpstream'), plainStyle).split('\n');

  it('stands with its limits, whole numbers by their name', () => {
    expect(lines.find((line) => line.startsWith('  slots '))).toMatch(
      /^ {2}slots +integer +How many places the balancer has for targets; at least 10; at most 65536; /,
    );
    expect(lines.find((line) => line.startsWith('  hashOnQueryArg '))).toMatch(/ at least 1 character$/);
  });

  it('says of which kinds a member is required', () => {
    const record = {
      properties: { type: { type: 'string' }, key: { type: 'string' } },
      allOf: ['a', 'b'].map((kind) => ({
        if: { properties: { type: { const: kind } }, required: ['type'] },
        then: { required: ['key'] },
      })),
    };
    expect(memberRows(record).map(([name = '', , notes]) => [name.trim(), notes])).toEqual([
      ['type', ''],
      ['key', 'required where it is a, b'],
    ]);
  });

  it('of a record stands below it, however deep', () => {
    const at = lines.findIndex((line) => line.startsWith('  healthchecks '));
    expect(lines.slice(at + 1, at + 3).map((line) => line.replace(/ +(?:object|integer)\b.*$/, ''))).toEqual([
      '    active',
      '      concurrency',
    ]);
    expect(lines.find((line) => line.startsWith('        type '))).toBe(undefined);
    expect(lines.find((line) => line.startsWith('      type '))).toMatch(
      /string +one of grpc, grpcs, http, https, tcp$/,
    );
  });

  it.each([
    [
      'of a list of records',
      { type: 'array', items: { properties: { a: { type: 'string' } } } },
      [['    a', 'string', '']],
    ],
    [
      'of each branch of a union, what must be there and what is there anyway',
      {
        oneOf: [
          { properties: { kind: { enum: ['x'] } }, required: ['kind'] },
          { properties: { size: { type: ['integer', 'null'], maximum: 3, default: 2 } } },
        ],
      },
      [
        ['    kind', 'any', 'one of x; required'],
        ['    size', 'integer', 'at most 3; 2 when left out'],
      ],
    ],
    ['of nothing', { type: 'string' }, []],
  ])('is told %s', (_name, schema, rows) => {
    expect(memberRows(schema)).toEqual(rows);
  });

  it('comes to an end', () => {
    const deep = (levels: number): JsonObject =>
      levels === 0 ? { type: 'string' } : { properties: { a: deep(levels - 1) } };
    expect(memberRows(deep(40))).toHaveLength(6);
  });
});

describe('an example', () => {
  const type = typeNamed('IdentityAuthServerClient');

  it('says the choices of what a list may hold, and of members of records', () => {
    expect(exampleText(type, () => undefined)).toContain('# required; each one of implicit, client_credentials\n');
    const schema = {
      ...{ type: 'object', required: ['mode', 'inner'] },
      properties: {
        mode: { enum: ['on', 'off'] },
        inner: { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 2 } } },
      },
    };
    const rule = { ...type.fields['name'], name: 'settings', schema, required: true } as FieldRule;
    const made = { ...type, fields: { settings: rule } };
    const text = exampleText(made, () => undefined);
    expect(text.slice(text.indexOf('settings:'))).toBe(
      [
        'settings:',
        '        # one of on, off',
        '        mode: on',
        '        inner:',
        '          # at least 2',
        '          size: 2',
        '',
      ].join('\n'),
    );
  });
});

it('every member of a record is told with its kind, whatever limits say of it beside', () => {
  const rows = [...platformPackage.types.values()].flatMap(({ name, fields }) =>
    Object.values(fields).flatMap((rule) => memberRows(rule.schema).map((row) => [name, rule.name, ...row] as const)),
  );
  const isHandmade = (name: string): boolean => typeNamed(name).derived !== true;
  expect(rows.filter(([name, , , kind]) => isHandmade(name) && kind === 'any')).toEqual([]);
  const ids = rows.filter(([name]) => name === 'ApiImplementation').map(([, , member, kind]) => [member?.trim(), kind]);
  expect(ids).toEqual([
    ['controlPlane', 'object'],
    ['id', 'string'],
    ['service', 'object'],
    ['controlPlaneId', 'string'],
    ['id', 'string'],
  ]);
});

it('members that are secrets are told as such, and the others of their record are not', () => {
  const { fields } = typeNamed('GatewayPluginLoggly');
  const rule = Object.values(fields).find(({ secretMembers }) => secretMembers !== undefined);
  expect(rule?.secretMembers).toEqual(['key']);
  const rows = memberRows(rule?.schema ?? {}, rule?.secretMembers);
  const secret = rows.filter(([, , notes = '']) => notes.split('; ').includes('secret'));
  expect(secret.map(([name]) => name?.trim())).toEqual(['key']);
  expect(resourceSchemaText(typeNamed('GatewayPluginLoggly'), plainStyle)).toMatch(
    /^ {4}key +string +required; secret$/m,
  );
});
