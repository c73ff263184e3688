import { stringify } from 'yaml';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { visible, visibleLine } from '../words/escape.js';
import type { Style } from './style.js';
import { table } from './table.js';

const widest = 40;
const mostColumns = 5;

/** Objects a line each: what people know them by, then short fields that some of them have, the id last. */
export function objectsTable(type: ResourceType, objects: readonly JsonObject[], style: Style): string {
  if (objects.length === 0) return `No ${type.name}.\n`;
  const columns = [...columnsOf(type, objects), 'id'];
  const rows = objects.map((object) => columns.map((name) => cell(object[name] ?? null)));
  const [head = '', ...lines] = table([columns, ...rows]).split('\n');
  return [style.bold(head), ...lines].join('\n');
}

function columnsOf(
  { nameField, label, naturalKey, fields, collection }: ResourceType,
  objects: readonly JsonObject[],
): readonly string[] {
  // What all of them live in was asked for.
  const isPlace = (name: string): boolean => collection.scope.includes(name);
  const known = [nameField, label, ...naturalKey].filter(
    (name): name is string => name !== undefined && !isPlace(name),
  );
  const inputs = Object.values(fields)
    .filter((rule) => rule.input && !isPlace(rule.name) && rule.type !== 'array' && rule.type !== 'object')
    .sort((a, b) => Number(b.required) - Number(a.required))
    .map(({ name }) => name);
  const isShort = (name: string): boolean =>
    objects.some((object) => (object[name] ?? null) !== null) &&
    objects.every((object) => cell(object[name] ?? null).length < widest);
  const named = [...new Set(known)].filter((name) => objects.some((object) => (object[name] ?? null) !== null));
  const others = inputs.filter((name) => !named.includes(name) && isShort(name));
  return [...named, ...others].slice(0, Math.max(named.length, mostColumns));
}

function cell(value: Json): string {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const shown = visible(text);
  return shown.length > widest ? `${shown.slice(0, widest - 1)}…` : shown;
}

/** One object, or a list of them, as YAML. */
export function objectsYaml(shown: JsonObject | readonly JsonObject[]): string {
  // Strings with control characters are quoted and escaped by YAML itself; what only looks odd is spelt out here.
  return stringify(shown, { lineWidth: 0 }).split('\n').map(visibleLine).join('\n');
}
