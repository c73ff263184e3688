import { parse } from 'yaml';
import type { LookupType } from '@platform-sync/core/model/provider';
import { groupBy } from '@platform-sync/core/model/graph';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { lookupExamples } from './examples.js';
import { code, fence, fieldItem, typeWords } from './markdown.js';
import { pageNotice } from './notice.js';

/** docs/reference/<lookup>.md */
export function lookupPage(lookup: LookupType): string {
  const args = lookupExamples[lookup.shortToken] ?? '{}';
  const parsed = parse(args) as JsonObject;
  const sections = [
    `${pageNotice}# ${lookup.name}\n`,
    `${lookup.description}\n`,
    `${code(lookup.shortToken)} (${code(lookup.token)})\n`,
    '## Example\n',
    fence('yaml', catalogueExample(lookup, args)),
    fence('sh', commandExample(lookup, parsed)),
    `## Arguments\n\n${argumentsList(lookup)}`,
    `## Result\n\n${resultLists(lookup)}`,
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

function argumentsList(lookup: LookupType): string {
  const required = lookup.inputs['required'] as readonly string[];
  const items = Object.entries(members(lookup.inputs)).flatMap(([name, schema]) => {
    const inner = Object.entries(members(schema));
    if (inner.length === 0)
      return [fieldItem(name, typeWords(schema), required.includes(name) ? '**Required.**' : '', about(schema))];
    return filterItems(name, inner);
  });
  return items.length === 0 ? 'None.\n' : items.join('');
}

/** Members that take the same stand together: which field one filters by is in its name. */
function filterItems(name: string, inner: readonly (readonly [string, JsonObject])[]): readonly string[] {
  const alike = groupBy(inner, ([, part]) => operators(part));
  return [...alike].map(([takes, parts]) => {
    const names = parts.map(([member]) => code(`${name}.${member}`)).join(', ');
    return `- ${names}: ${takes}\n`;
  });
}

/** A filter member is a plain value, or an object of operators that each take a text. */
function operators(schema: JsonObject): string {
  const names = Object.keys(members(schema));
  return names.length === 0 ? typeWords(schema) : names.map(code).join(', ');
}

function resultLists(lookup: LookupType): string {
  const inputs = members(lookup.inputs);
  const own = Object.entries(members(lookup.outputs)).filter(([name]) => !(name in inputs) || name === 'serviceName');
  const item = own.find(([name]) => name === 'datas')?.[1]['items'];
  return [
    fieldList(own, lookup.outputs['required'] as readonly string[]),
    ...(isObject(item)
      ? [`Each of ${code('datas')}:\n\n${fieldList(Object.entries(members(item)), requiredOf(item))}`]
      : []),
  ].join('\n');
}

/** Names and types; `sync schema` tells what each means. */
function fieldList(fields: readonly (readonly [string, JsonObject])[], required: readonly string[]): string {
  const items = fields.map(([name, schema]) => {
    const type = name === 'datas' ? 'records' : typeWords(schema);
    return `${code(name)}${type === 'text' ? '' : ` (${type})`}${required.includes(name) ? '' : '?'}`;
  });
  return `${items.join(', ')}\n`;
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
