import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { rows } from '../conformance/rows.js';

/** How a value may be written; `sample` is one that the property takes, `name` what it is called in the files below. */
const forms: Readonly<Record<string, (sample: Json, name: string) => string>> = {
  plain: (sample) => JSON.stringify(sample),
  null: () => 'null',
  env: (_sample, name) => `!env ${name}`,
  'fn::env': (_sample, name) => `{ "fn::env": ${name} }`,
  file: () => '!file ../data/text.md',
  'part of a file': (_sample, name) => `!file ../data/values.yaml#/${name}`,
  'fn::readFile': (_sample, name) => `{ "fn::readFile": "../data/values.yaml#/${name}" }`,
  secret: (sample) => `!secret ${JSON.stringify(sample)}`,
  'json of a map': () => '!json { a: [1, { b: null }], function: none }',
  'json of a list': () => '!json [1, text]',
  'json of the value': (sample) => `!json ${JSON.stringify(sample)}`,
  'fn::toJSON': () => '{ "fn::toJSON": { a: 1 } }',
  lookup: () =>
    '!lookup { function: platform:getTeam, arguments: { filter: { name: { eq: !env TEAM } } }, return: id }',
  'fn::invoke': () => '{ "fn::invoke": { function: "platform:index/getTeam:getTeam", return: name } }',
  reference: () => '"${referenced.id}"',
  'reference in text': () => '"a ${referenced.id} b"',
  'fn::join': () => '{ "fn::join": ["-", [a, !env TEAM]] }',
  unset: () => '!unset',
  'a tag inside': (sample, name) => inside(sample, name),
};
export const formNames = Object.keys(forms);

function inside(sample: Json, name: string): string {
  if (Array.isArray(sample)) return `[!env ${name}, !file ../data/text.md]`;
  if (typeof sample !== 'object' || sample === null) return JSON.stringify(sample);
  const [first = 'a'] = Object.keys(sample);
  return JSON.stringify({ ...sample, [first]: '@' }).replace('"@"', `!env ${name}`);
}

const variable = (type: string, property: string): string => `${type.replace(/\W/g, '_')}_${property}`.toUpperCase();

const samples: readonly {
  readonly type: string;
  readonly property: string;
  readonly value: Json;
  readonly others: JsonObject;
}[] = rows.flatMap(({ type, properties }) =>
  Object.entries(properties).map(([property, value]) => {
    const { [property]: _itself, ...others } = properties;
    return { type, property, value, others };
  }),
);

/** What the environment holds for these projects. */
export const everyVariable: Readonly<Record<string, string>> = {
  TEAM: 'payments',
  ...Object.fromEntries(
    samples.map(({ type, property, value }) => [
      variable(type, property),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ),
};

/** A project that writes every property of every type in one form, each on a line of its own. */
export function everyProperty(form: string): Readonly<Record<string, string>> {
  const write = forms[form] ?? ((sample: Json) => JSON.stringify(sample));
  const needs = Object.assign({ referenced: { type: 'platform:Api' } }, ...rows.map((row) => row.needs)) as JsonObject;
  const resources = samples.map(({ type, property, value, others }) =>
    [
      `  ${variable(type, property).toLowerCase()}:`,
      `    type: ${type}`,
      '    properties:',
      `      ${property}: ${write(value, variable(type, property))}`,
      ...Object.entries(others).map(([name, other]) => `      ${name}: ${JSON.stringify(other)}`),
    ].join('\n'),
  );
  const values = samples.map(({ type, property, value }) => `${variable(type, property)}: ${JSON.stringify(value)}`);
  return {
    'sync.yaml': 'project: every-property\n',
    'data/text.md': 'Some text.\n',
    'data/values.yaml': `${values.join('\n')}\n`,
    'catalogue/all.yaml': [
      'resources:',
      ...Object.entries(needs).map(([key, resource]) => `  ${key}: ${JSON.stringify(resource)}`),
      ...resources,
      '',
    ].join('\n'),
  };
}
