import { describe, expect, test } from 'vitest';
import { cloudSchema } from '@platform-sync/cloud/package';
import { isEnum } from '@platform-sync/rest/schema/package';
import {
  anyType,
  isMethod,
  memberName,
  referencedType,
  type ObjectSpec,
  type PropertySpec,
  type TypeSpec,
} from '@platform-sync/rest/schema/package-schema';
import { platformSchema } from '../../scripts/generate/packages.js';
import { enums, lookups, records, resources, settings, type Members } from './interface-tables.js';

const functions = { ...platformSchema.functions, ...cloudSchema.functions };

test('the provider has these settings, all optional texts', () => {
  const rows = Object.entries(platformSchema.config?.variables ?? {}).map(([name, spec]) => {
    expect(spec.type).toBe('string');
    return [name, spec.secret ?? false, spec.defaultInfo?.environment[0]];
  });
  expect(rows).toEqual(settings);
});

test('there are these resources, among others that facts of the service are held against, and these lookups alone', () => {
  const there = Object.keys({ ...platformSchema.resources, ...cloudSchema.resources });
  expect(there.filter((token) => token in resources)).toEqual(Object.keys(resources));
  const tokens = Object.keys(functions).filter((token) => !isMethod(token));
  expect(tokens).toEqual(Object.keys(lookups));
});

describe.each(Object.entries(resources))('%s', (token, rows) => {
  const spec = { ...platformSchema.resources, ...cloudSchema.resources }[token];

  test('has these fields, and no others', () => {
    expect(Object.keys(spec?.properties ?? {})).toEqual(rows.map(([field]) => field));
  });

  const cases = rows.map(([field, type, direction, mark]) => ({ field, type, direction, mark }));
  test.each(cases)('$field: $type, $direction', ({ field, type, direction, mark }) => {
    const property = spec?.properties[field] ?? {};
    const input = spec?.inputProperties[field];
    expect(typeWord(property)).toBe(type);
    expect(input !== undefined).toBe(direction.startsWith('in'));
    if (input !== undefined) expect(input).toEqual(property);
    expect(spec?.requiredInputs?.includes(field) ?? false).toBe(direction.includes('!'));
    expect(spec?.required?.includes(field) ?? false).toBe(direction.endsWith('+'));
    expect(property.willReplaceOnChanges === true).toBe(mark === 'replaces');
    expect(property.deprecationMessage !== undefined).toBe(mark === 'deprecated');
  });
});

test.each(Object.entries(records))('the record %s', (name, members) => {
  expect(membersOf(record(name))).toEqual(members);
});

test.each(Object.entries(enums))('the values of %s', (name, values) => {
  const spec = referencedType(platformSchema, `#/types/platform:index/${name}:${name}`);
  expect(spec !== undefined && isEnum(spec) ? spec.enum.map((member) => member.value) : []).toEqual(values);
});

describe.each(Object.entries(lookups))('%s', (token, table) => {
  const spec = functions[token];
  const name = memberName(token);
  const args = (table.args ?? []).map((arg) => [arg.replace(/!$/, ''), arg.endsWith('!')] as const);

  test('takes these arguments, and no others', () => {
    expect(Object.keys(spec?.inputs.properties ?? {})).toEqual([
      ...(table.filter === undefined ? [] : ['filter']),
      ...args.map(([arg]) => arg),
    ]);
    for (const [arg] of args) expect(spec?.inputs.properties[arg]?.type).toBe('string');
    expect(spec?.inputs.required ?? []).toEqual(args.flatMap(([arg, required]) => (required ? [arg] : [])));
  });

  test('filters by these members with these operators', () => {
    const filter = table.filter === undefined ? undefined : record(`${name}Filter`);
    const members = Object.entries(filter?.properties ?? {}).map(([member, property]) => {
      if (property.type === 'boolean') return [member, 'boolean'];
      return [member, Object.keys(record(memberName(property.$ref ?? '')).properties)];
    });
    expect(Object.fromEntries(members)).toEqual(table.filter ?? {});
    expect(filter?.required).toBeUndefined();
  });

  test('answers these fields, and the arguments', () => {
    const outputs = membersOf(spec?.outputs);
    const echoed = Object.keys(spec?.inputs.properties ?? {}).filter((arg) => !(arg in table.result));
    for (const arg of echoed) expect(spec?.outputs.properties[arg]).toEqual(spec?.inputs.properties[arg]);
    const own = Object.entries(outputs).filter(([field]) => !echoed.includes(field.replace(/\?$/, '')));
    expect(Object.fromEntries(own)).toEqual(table.result);
  });
});

test('the provider has the method terraformConfig', () => {
  const spec = functions['pulumi:providers:platform/terraformConfig'];
  expect(Object.keys(functions).filter(isMethod)).toEqual(['pulumi:providers:platform/terraformConfig']);
  expect(spec?.inputs.required).toEqual(['__self__']);
  expect(Object.keys(spec?.inputs.properties ?? {})).toEqual(['__self__']);
  expect(spec?.outputs.required).toEqual(['result']);
  expect(typeWord(spec?.outputs.properties['result'] ?? {})).toBe('map of any');
});

function record(name: string): ObjectSpec {
  const spec = referencedType(platformSchema, `#/types/platform:index/${name}:${name}`);
  if (spec === undefined || isEnum(spec)) throw new Error(`no record ${name}`);
  return spec;
}

function membersOf(spec: ObjectSpec | undefined): Members {
  const required = new Set(spec?.required);
  return Object.fromEntries(
    Object.entries(spec?.properties ?? {}).map(([name, property]: [string, PropertySpec]) => [
      required.has(name) ? name : `${name}?`,
      typeWord(property),
    ]),
  );
}

function typeWord(spec: TypeSpec): string {
  if (spec.$ref === anyType) return 'any';
  if (spec.$ref !== undefined) return memberName(spec.$ref);
  if (spec.type === 'array') return inner('list', spec.items);
  if (spec.type === 'object') return inner('map', spec.additionalProperties);
  return spec.type === 'string' ? 'text' : (spec.type ?? 'nothing');
}

function inner(kind: string, member: TypeSpec | undefined): string {
  const word = typeWord(member ?? {});
  return word === 'text' ? kind : `${kind} of ${word}`;
}
