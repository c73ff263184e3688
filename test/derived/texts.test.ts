import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { platformPackage } from '@platform-sync/platform/package';
import { exampleText } from '@platform-sync/report/text/example';
import { resourceSchemaText } from '@platform-sync/report/text/schema';
import { plainStyle } from '@platform-sync/report/text/style';
import { sentence } from '@platform-sync/describe/words';
import { types } from './all-types.js';
import { restOf } from './edit.js';
import { memberOf } from '@platform-sync/rest/field-schema';
import type { FieldType } from '@platform-sync/rest/definition';

const texts = parse(
  readFileSync(new URL('../../src/providers/platform/derived/texts.yaml', import.meta.url), 'utf8'),
) as Readonly<Record<'fields' | 'members', Readonly<Record<string, string>>>>;

function membersIn(type: FieldType): readonly (readonly [name: string, description: string | undefined])[] {
  if (typeof type === 'string' || 'choice' in type) return [];
  if ('list' in type) return membersIn(type.list);
  if ('map' in type) return membersIn(type.map);
  return Object.entries(type.members).flatMap(([name, said]) => {
    const { description, type: own = 'string' } = memberOf(said);
    return [[name, description] as const, ...membersIn(own)];
  });
}

const fields = types.flatMap((type) => Object.values(type.fields).map((rule) => ({ type, rule })));
const members = types.flatMap((type) => Object.values(restOf(type).fields).flatMap(({ type: own }) => membersIn(own)));

it('no text of a field or a member repeats its name', () => {
  const said = [...fields.map(({ rule: { name, description } }) => [name, description] as const), ...members];
  const repeated = said.filter(([name, description]) => description === sentence(name));
  expect([...new Set(repeated.map(([name]) => name))]).toEqual([]);
});

it('every text of ours is that of a field or member that there is', () => {
  const known = new Set(fields.flatMap(({ type, rule }) => [rule.name, `${type.name}.${rule.name}`]));
  const inside = new Set(members.map(([name]) => name));
  expect(Object.keys(texts.fields).filter((name) => !known.has(name))).toEqual([]);
  expect(Object.keys(texts.members).filter((name) => !inside.has(name))).toEqual([]);
});

it('the hundred fields that most types have say what they mean', () => {
  const often = new Map<string, number>();
  for (const { rule } of fields) often.set(rule.name, (often.get(rule.name) ?? 0) + 1);
  const most = [...often].sort(([, a], [, b]) => b - a).slice(0, 20);
  const silent = new Set(fields.filter(({ rule }) => rule.description === '').map(({ rule }) => rule.name));
  expect(most.map(([name]) => name).filter((name) => silent.has(name))).toEqual([]);
});

it('types that are written by hand say what each field means', () => {
  const silent = [...platformPackage.types.values()]
    .filter(({ derived }) => derived !== true)
    .flatMap(({ name, fields: own }) =>
      Object.values(own).flatMap((rule) => (rule.description === '' ? [`${name}.${rule.name}`] : [])),
    );
  expect(silent).toEqual([]);
});

it('where nothing is said of a field, its constraints stand there alone', () => {
  const route = types.find(({ name }) => name === 'GatewayRoute');
  if (route === undefined) throw new Error('no routes');
  const line = (text: string, word: string): string => text.split('\n').find((each) => each.includes(word)) ?? '';
  const [shown, example] = [resourceSchemaText(route, plainStyle), exampleText(route, () => undefined)];
  expect(line(shown, '  pathHandling ')).toMatch(
    /pathHandling +string +How paths of route and service are joined; one of v0, v1/,
  );
  expect(line(shown, '  destinations ')).not.toContain('Destinations');
  expect(line(example, 'sources')).not.toContain('Sources');
});
