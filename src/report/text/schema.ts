import { importIdForm } from '@platform-sync/core/model/import-id';
import type { LookupType, TypeOrigin } from '@platform-sync/core/model/provider';
import type { Clearing, FieldRule, ImportIdRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Style } from './style.js';
import { kindOf, memberRows } from './schema-members.js';
import { table } from './table.js';
import { limits, replacingNotes } from '../words/limits.js';
import { isRecord } from '../words/value.js';

/** All types and lookups, one line each. */
export function packageListText(types: readonly ResourceType[], lookups: readonly LookupType[], style: Style): string {
  const line = (item: { readonly shortToken: string; readonly description: string }): readonly string[] => [
    `  ${item.shortToken}`,
    firstSentence(item.description),
  ];
  const derived = types.filter((type) => type.derived === true);
  const named = (title: string, isProven: boolean): readonly string[] => {
    const names = derived.filter((type) => (type.proven === true) === isProven).map((type) => type.shortToken);
    return names.length === 0 ? [] : [`${style.bold(title)}\n${columns(names)}`];
  };
  return [
    `${style.bold('Resource types')}\n${table(types.filter((type) => type.derived !== true).map(line))}`,
    ...named("Derived from the platform's description, proven", true),
    ...named("Derived from the platform's description, not proven", false),
    `${style.bold('Lookups')}\n${table(lookups.map(line))}`,
    'Every type has two more: get<Type> finds one object by its name or fields, get<Type>List all (platform:getApi).\n',
    'For one of them: sync schema NAME\n',
  ].join('\n');
}

/** Names beside each other, as many as a line of 100 characters holds. */
function columns(names: readonly string[]): string {
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const count = Math.max(1, Math.floor(98 / width));
  const rows = Array.from({ length: Math.ceil(names.length / count) }, (_, at) =>
    names.slice(at * count, (at + 1) * count).map((name) => name.padEnd(width)),
  );
  return rows.map((row) => `  ${row.join('').trimEnd()}\n`).join('');
}

/** A resource type with the rules of every field. */
export function resourceSchemaText(type: ResourceType, style: Style, origin?: TypeOrigin): string {
  const fields = Object.values(type.fields);
  const inputs = fields.filter((field) => field.input);
  const computed = fields.filter((field) => field.computed);
  const sections = [
    `${style.bold(type.shortToken)}  ${style.dim(type.token)}\n${type.description}\n`,
    ...(type.derived === true
      ? [
          type.proven === true
            ? "Derived from the platform's description and proven: facts and tests cover its fields.\n"
            : "Derived from the platform's description, and not proven.\n",
        ]
      : []),
    ...(type.shownOnce === undefined
      ? []
      : [`Shown once, when an object is made, and kept nowhere: ${type.shownOnce.join(', ')}.\n`]),
    ...(type.parent === undefined ? [] : [`Lives in ${shortToken(type.parent.type)} (${type.parent.field}).\n`]),
    `${style.bold('Declared in a catalogue')}\n${table(inputs.flatMap((field) => [inputRow(field), ...memberRows(field.schema, field.secretMembers)]))}`,
    `${style.bold('Set by the platform')}\n${table([['  id', 'string', 'every object has one'], ...computed.map(outputRow)])}`,
    `${style.bold('Natural key')}  ${type.naturalKey.join(' + ')}\n${style.bold('Import id')}    ${importForm(type.importId)}\n`,
    ...(origin === undefined ? [] : [originText(origin, style)]),
  ];
  return sections.join('\n');
}

/** Fields by the rule that decided, and what people corrected. */
function originText({ decided, corrections, overruled }: TypeOrigin, style: Style): string {
  const fields = new Map<string, string[]>();
  for (const [field, rule] of Object.entries(decided)) fields.set(rule, [...(fields.get(rule) ?? []), field]);
  const rules = [...fields].map(([rule, names]) => `  ${rule}\n    ${names.join(', ')}\n`).join('');
  const corrected = Object.entries(corrections).map(([field, why]) => {
    const before = overruled[field];
    const reason = `  ${field === '' ? why : `${field}: ${why}`}\n`;
    return before === undefined ? reason : `${reason}    ${saidText(before)}\n`;
  });
  return [
    `${style.bold('Decided by')}\n${rules}`,
    ...(corrected.length === 0 ? [] : [`${style.bold('Corrected, because')}\n${corrected.join('')}`]),
  ].join('\n');
}

/** `the rule "create and update body" said type "any", nothing of equality`. */
function saidText({ rule, said }: TypeOrigin['overruled'][string]): string {
  const rows = Object.entries(said).map(([row, value]) => {
    const text = JSON.stringify(value);
    return value === null ? `nothing of ${row}` : `${row} ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`;
  });
  return `${rule === undefined ? 'the rules' : `the rule "${rule}"`} said ${rows.join(', ')}`;
}

/** A lookup with its arguments and the members of its answer. */
export function lookupSchemaText(lookup: LookupType, style: Style): string {
  return [
    `${style.bold(lookup.shortToken)}  ${style.dim(lookup.token)}\n${lookup.description}\n`,
    `${style.bold('Arguments')}\n${memberTable(lookup.inputs)}`,
    `${style.bold('Answer')}\n${memberTable(lookup.outputs)}`,
  ].join('\n');
}

function inputRow(field: FieldRule): readonly string[] {
  return [
    `  ${field.name}`,
    kindOfField(field),
    [firstSentence(field.description), ...inputNotes(field)].filter((text) => text !== '').join('; '),
  ];
}

/** What holds of a field that a catalogue declares: `required`, `a change replaces the object`, `at most 40 characters`. */
export function inputNotes(field: FieldRule): readonly string[] {
  return [
    ...(field.required ? ['required'] : []),
    ...replacingNotes(field),
    ...limits(field.schema),
    ...(field.writeOnly ? ['never shown by the platform'] : []),
    ...(field.onChange === 'update' ? clearingNote(field.clearing) : []),
    ...(field.secret ? ['secret'] : []),
    ...deprecation(field),
  ];
}

/** `text`, `integer`, `record` … */
export function kindOfField(field: FieldRule): string {
  return kindOf(field.schema) === 'integer' ? 'integer' : field.type;
}

function outputRow(field: FieldRule): readonly string[] {
  const notes = [firstSentence(field.description), ...deprecation(field)];
  return [`  ${field.name}`, kindOfField(field), notes.filter((text) => text !== '').join('; ')];
}

/** Required ones are told of where they hold something: no file can leave them out. */
function deprecation({ deprecated, required }: FieldRule): readonly string[] {
  if (deprecated === undefined) return [];
  return [`deprecated${required ? ' (an empty one is not reported)' : ''}: ${firstSentence(deprecated)}`];
}

function clearingNote(clearing: Clearing): readonly string[] {
  if (clearing.by === 'value') return [`left out again: back to ${JSON.stringify(clearing.value)}`];
  if (clearing.by === 'derived') return ["left out again: back to the platform's own choice"];
  return clearing.by === 'nothing' ? [`can't be cleared (${clearing.why})`] : [];
}

function importForm(rule: ImportIdRule): string {
  return rule.form === 'plain' ? 'the id as it is' : importIdForm(rule, (field) => `<${field}>`);
}

function memberTable(schema: JsonObject): string {
  const members = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  if (members.length === 0) return '  (none)\n';
  const required = isList(schema['required']) ? schema['required'] : [];
  return table(members.map(([name, member]) => answerRow(name, member, required.includes(name))));
}

function answerRow(name: string, member: Json, required: boolean): readonly string[] {
  const schema = isRecord(member) ? member : {};
  const inner = isRecord(schema['properties']) ? `members: ${Object.keys(schema['properties']).join(', ')}` : '';
  const notes = [firstSentence(String(schema['description'] ?? '')), inner, required ? 'always there' : ''];
  return [`  ${name}`, String(schema['type'] ?? 'any'), notes.filter((text) => text !== '').join('; ')];
}

function shortToken(token: string): string {
  return token.replace(/^([^:]+):[^:]*:([^:]+)$/, '$1:$2');
}

function firstSentence(text: string): string {
  const line = text.split('\n')[0] ?? '';
  const end = line.search(/[.](\s|$)/);
  return (end < 0 ? line : line.slice(0, end)).trim();
}
