import { parse } from 'yaml';
import type { LookupType } from '../../src/engine/model/provider.js';
import { isObject, type Json, type JsonObject } from '../../src/engine/model/value.js';
import { lookupExamples } from './examples.js';
import { code, fence, table, typeWords } from './markdown.js';
import { pageNotice } from './notice.js';

/** docs/reference/<lookup>.md; `result` is what the example's lookup answers on a fresh sandbox. */
export function lookupPage(lookup: LookupType, result: JsonObject): string {
  const args = lookupExamples[lookup.shortToken] ?? '{}';
  const parsed = parse(args) as JsonObject;
  const sections = [
    `${pageNotice}# ${lookup.name}\n`,
    `${lookup.description}\n`,
    `Function ${code(lookup.shortToken)}, in full ${code(lookup.token)}.\n`,
    '## Example\n',
    `In a catalogue:\n\n${fence('yaml', catalogueExample(lookup, args))}`,
    `On the command line:\n\n${fence('sh', commandExample(lookup, parsed))}`,
    `In a program ([how](../sdk.md)):\n\n${fence('ts', programExample(lookup, parsed))}`,
    `What the [sandbox](../guides/lookups.md#try-it) answers:\n\n${shownResult(result)}`,
    `## Arguments\n\n${argumentsTable(lookup)}`,
    `## Result\n\n${resultTables(lookup)}`,
  ];
  return sections.join('\n');
}

/** Which one output an example takes: the first that a lookup has. */
const mostWanted = ['datas', 'policyData', 'egressIps', 'id'];

function wanted(lookup: LookupType): string {
  const fields = Object.keys(members(lookup.outputs));
  return mostWanted.find((field) => fields.includes(field)) ?? '';
}

function catalogueExample(lookup: LookupType, args: string): string {
  return [
    'variables:',
    '  found: !lookup',
    `    function: ${lookup.shortToken}`,
    ...(args === '{}' ? [] : [`    arguments: ${args}`]),
    `    return: ${wanted(lookup)} # without it: the whole result`,
  ].join('\n');
}

function commandExample(lookup: LookupType, args: JsonObject): string {
  return ['sync lookup', lookup.name, ...words(args, [])].join(' ');
}

/** `filter.name.eq=dev`; quoted where a shell would see more than a word. */
function words(value: Json, path: readonly string[]): readonly string[] {
  if (isObject(value)) return Object.entries(value as JsonObject).flatMap(([key, each]) => words(each, [...path, key]));
  const word = `${path.join('.')}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return [/^[\w.=:,-]+$/.test(word) ? word : `'${word}'`];
}

function programExample(lookup: LookupType, args: JsonObject): string {
  const literal = Object.keys(args).length === 0 ? '' : programLiteral(args);
  const field = wanted(lookup);
  return [
    `import { ${lookup.name}, ${lookup.name}Output } from 'platform-sync';`,
    '',
    `const { ${field} } = await ${lookup.name}(${literal});`,
    `// The same as an Output: arguments may be promises and Outputs, too.`,
    `const later = ${lookup.name}Output(${literal}).${field};`,
  ].join('\n');
}

function programLiteral(value: Json): string {
  if (typeof value === 'string') return `'${value}'`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value as JsonObject).map(([key, each]) => `${key}: ${programLiteral(each)}`);
  return `{ ${entries.join(', ')} }`;
}

/** Long lists are cut after their first entry: the others look alike. */
function shownResult(result: JsonObject): string {
  const { datas } = result;
  const shown = Array.isArray(datas) ? { ...result, datas: datas.slice(0, 1) } : result;
  const left = Array.isArray(datas) ? datas.length - 1 : 0;
  const more = left > 0 ? `\n${code('datas')} has ${String(left)} more like it.\n` : '';
  return fence('json', JSON.stringify(shown, null, 2)) + more;
}

function argumentsTable(lookup: LookupType): string {
  const required = lookup.inputs['required'] as readonly string[];
  const rows = Object.entries(members(lookup.inputs)).flatMap(([name, schema]) => {
    const inner = Object.entries(members(schema));
    if (inner.length === 0)
      return [[code(name), typeWords(schema), required.includes(name) ? 'yes' : 'no', about(schema)]];
    return inner.map(([member, part]) => [code(`${name}.${member}`), operators(part), 'no', about(part)]);
  });
  return rows.length === 0 ? 'None.\n' : table(['Argument', 'Type or operators', 'Required', 'About'], rows);
}

/** A filter member is a plain value, or an object of operators that each take a text. */
function operators(schema: JsonObject): string {
  const names = Object.keys(members(schema));
  return names.length === 0 ? typeWords(schema) : names.map(code).join(', ');
}

function resultTables(lookup: LookupType): string {
  const inputs = members(lookup.inputs);
  const own = Object.entries(members(lookup.outputs)).filter(([name]) => !(name in inputs) || name === 'serviceName');
  const item = own.find(([name]) => name === 'datas')?.[1]['items'];
  const echoed = Object.keys(inputs).filter((name) => !own.some(([other]) => other === name));
  return [
    fieldTable(own, lookup.outputs['required'] as readonly string[]),
    ...(echoed.length === 0 ? [] : [`The arguments come back as ${echoed.map(code).join(', ')}.\n`]),
    ...(isObject(item)
      ? [`Each of ${code('datas')}:\n\n${fieldTable(Object.entries(members(item)), requiredOf(item))}`]
      : []),
  ].join('\n');
}

function fieldTable(fields: readonly (readonly [string, JsonObject])[], required: readonly string[]): string {
  return table(
    ['Field', 'Type', 'Always there', 'About'],
    fields.map(([name, schema]) => [
      code(name),
      name === 'datas' ? 'list of records' : typeWords(schema),
      required.includes(name) ? 'yes' : 'not promised',
      about(schema),
    ]),
  );
}

function requiredOf(schema: JsonObject): readonly string[] {
  return (schema['required'] ?? []) as readonly string[];
}

function about(schema: JsonObject): string {
  return typeof schema['description'] === 'string' ? schema['description'] : '';
}

function members(schema: Json | undefined): Readonly<Record<string, JsonObject>> {
  const found = isObject(schema) ? schema['properties'] : undefined;
  return isObject(found) ? (found as Readonly<Record<string, JsonObject>>) : {};
}
