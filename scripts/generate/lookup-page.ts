import type { LookupType } from '../../src/engine/model/provider.js';
import { isObject } from '../../src/engine/model/value.js';
import type { Json, JsonObject } from '../../src/engine/model/value.js';
import { lookupExamples } from './examples.js';
import { code, fence, table, typeWords } from './markdown.js';
import { pageNotice } from './notice.js';

/** docs/reference/<lookup>.md */
export function lookupPage(lookup: LookupType): string {
  const sections = [
    `${pageNotice}# ${lookup.name}\n`,
    `${lookup.description}\n`,
    `Function ${code(lookup.shortToken)}, in full ${code(lookup.token)}.\n`,
    `## Example\n\n${examples(lookup)}`,
    `## Arguments\n\n${argumentsTable(lookup)}`,
    `## Result\n\n${resultTables(lookup)}`,
  ];
  return sections.join('\n');
}

/** Which one output an example takes: the first that a lookup has. */
const mostWanted = ['datas', 'policyData', 'egressIps', 'id'];

function examples(lookup: LookupType): string {
  const args = lookupExamples[lookup.shortToken] ?? '{}';
  const fields = Object.keys(members(lookup.outputs));
  const returned = mostWanted.find((field) => fields.includes(field)) ?? '';
  const yaml = [
    'variables:',
    '  found: !lookup',
    `    function: ${lookup.shortToken}`,
    ...(args === '{}' ? [] : [`    arguments: ${args}`]),
    `    return: ${returned} # without it: the whole result`,
  ].join('\n');
  return fence('yaml', yaml);
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
  const found = isObject(schema) ? (schema as JsonObject)['properties'] : undefined;
  return isObject(found) ? found : {};
}
