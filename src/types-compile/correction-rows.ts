import { didYouMean } from '../engine/model/nearest.js';
import { isList, isObject, type Json, type JsonObject } from '../engine/model/value.js';
import type { FieldDefinition } from '../providers/rest/definition.js';
import { refused } from './read-document.js';
import { openRows, type Correction } from './correction.js';

/** What a row of a correction holds. */
type Kind = 'text' | 'flag' | 'list' | 'object' | 'any';
type Table<Rows> = Readonly<Record<keyof Required<Rows>, Kind>>;

const typeRows: Table<Correction> = {
  ...{ why: 'text', skip: 'flag', accepted: 'list', fields: 'object', outputs: 'object' },
  ...{ description: 'text', derived: 'flag', proven: 'flag', host: 'text', operations: 'object', list: 'object' },
  ...{ wrapper: 'text', tells: 'object', parent: 'text', member: 'text', required: 'list', always: 'any' },
  ...{
    naturalKey: 'list',
    unique: 'list',
    exactlyOne: 'list',
    union: 'object',
    untouched: 'object',
    absence: 'text',
    importId: 'text',
  },
  ...{ ready: 'object', remarks: 'text', file: 'object', presence: 'object', createFirst: 'flag', follows: 'list' },
  ...{ shownOnce: 'list', hooks: 'object', envelope: 'text', idType: 'text' },
};

const fieldRows: Table<FieldDefinition & { readonly why: string }> = {
  ...{ why: 'text', kind: 'text', type: 'any', description: 'text', role: 'text', secret: 'flag', deprecated: 'text' },
  ...{ replaces: 'any', createOnly: 'flag', writeOnly: 'flag', inList: 'flag', equality: 'text', clearing: 'object' },
  ...{ derivedWins: 'flag', nullIsValue: 'flag', stable: 'flag', references: 'text', keptAs: 'text' },
  ...{ movesWith: 'text', nests: 'flag', diesWith: 'flag', exposure: 'any', losses: 'list', size: 'list' },
  ...{ limits: 'object', accepts: 'object', foreignKeys: 'list', wire: 'text', shown: 'text', sent: 'text' },
  ...{ as: 'text', others: 'text', patched: 'flag', members: 'object', nullable: 'flag', absent: 'any' },
  entriesAtOnce: 'any',
};

/** Throws DiagnosticError with the place of what no correction can say, or says in another form. */
export function mustBeCorrections(corrections: JsonObject, place: string): void {
  for (const [type, correction] of Object.entries(corrections)) {
    const at = `${place}/${type}`;
    const rows = rowsOf(correction, typeRows, at);
    mustHaveReason(rows, at);
    for (const open of isList(rows['accepted']) ? rows['accepted'] : [])
      if (!openRows.some((row) => row === open)) throw unknownName(`${at}/accepted`, String(open), openRows);
    for (const member of ['fields', 'outputs'])
      for (const [field, own] of Object.entries(isObject(rows[member]) ? rows[member] : {}))
        if (member === 'outputs') rowsOf(own, fieldRows, `${at}/outputs/${field}`);
        else mustHaveReason(rowsOf(own, fieldRows, `${at}/fields/${field}`), `${at}/fields/${field}`);
  }
}

function rowsOf(rows: Json, table: Readonly<Record<string, Kind>>, place: string): JsonObject {
  if (!isObject(rows)) throw wrong(`${place} holds no object.`);
  for (const [name, value] of Object.entries(rows)) {
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (kind === undefined) throw unknownName(place, name, Object.keys(table));
    if (!isOfKind(kind, value)) throw wrong(`${place}/${name} must be ${named[kind]}.`);
  }
  return rows;
}

const named: Readonly<Record<Kind, string>> = {
  ...{ text: 'a text', flag: 'true or false', list: 'a list', object: 'an object', any: 'a value' },
};

function isOfKind(kind: Kind, value: Json): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'flag') return typeof value === 'boolean';
  if (kind === 'list') return isList(value);
  return kind === 'any' || isObject(value);
}

function mustHaveReason({ why }: JsonObject, place: string): void {
  if (typeof why !== 'string' || why.trim() === '') throw wrong(`${place} does not say why.`);
}

function unknownName(place: string, name: string, known: readonly string[]): ReturnType<typeof refused> {
  const summary = `${place}: there is no "${name}" in a correction.`;
  return refused('wrong-correction', summary, didYouMean(name, known) ?? `It has ${known.join(', ')}`);
}

function wrong(summary: string): ReturnType<typeof refused> {
  return refused('wrong-correction', summary);
}
