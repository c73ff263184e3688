import { didYouMean } from '@platform-sync/core/model/nearest';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { FieldDefinition } from '@platform-sync/rest/definition';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { wrongCorrection } from './read-document.js';
import { openRows, type Correction } from './correction.js';
import { ownMember } from '@platform-sync/core/model/own-member';

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
    absence: 'any',
    importId: 'text',
  },
  ...{ ready: 'object', remarks: 'text', file: 'object', presence: 'object', createFirst: 'flag', follows: 'list' },
  ...{ shownOnce: 'list', hooks: 'object', envelope: 'any', idType: 'text', idWire: 'text' },
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

/** What no correction can say, or says in another form, each with its place. */
export function wrongCorrections(corrections: JsonObject, place: string): readonly Diagnostic[] {
  return Object.entries(corrections).flatMap(([type, correction]) => {
    const at = `${place}/${type}`;
    if (!isObject(correction)) return [wrong(`${at} holds no object.`)];
    const { accepted } = correction;
    const unknown = (isList(accepted) ? accepted : []).filter((open) => !openRows.some((row) => row === open));
    return [
      ...wrongRows(correction, typeRows, at),
      ...withoutReason(correction, at),
      ...unknown.map((open) => unknownName(`${at}/accepted`, String(open), openRows)),
      ...wrongFields(correction, 'fields', at),
      ...wrongFields(correction, 'outputs', at),
    ];
  });
}

function wrongFields(correction: JsonObject, member: 'fields' | 'outputs', place: string): readonly Diagnostic[] {
  const fields = correction[member];
  return Object.entries(isObject(fields) ? fields : {}).flatMap(([field, rows]) => {
    const at = `${place}/${member}/${field}`;
    if (!isObject(rows)) return [wrong(`${at} holds no object.`)];
    return [...wrongRows(rows, fieldRows, at), ...(member === 'fields' ? withoutReason(rows, at) : [])];
  });
}

function wrongRows(rows: JsonObject, table: Readonly<Record<string, Kind>>, place: string): readonly Diagnostic[] {
  return Object.entries(rows).flatMap(([name, value]) => {
    const kind = ownMember(table, name);
    if (kind === undefined) return [unknownName(place, name, Object.keys(table))];
    return isOfKind(kind, value) ? [] : [wrong(`${place}/${name} must be ${named[kind]}.`)];
  });
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

function withoutReason({ why }: JsonObject, place: string): readonly Diagnostic[] {
  return typeof why === 'string' && why.trim() !== '' ? [] : [wrong(`${place} does not say why.`)];
}

function unknownName(place: string, name: string, known: readonly string[]): Diagnostic {
  const summary = `${place}: there is no "${name}" in a correction.`;
  return wrongCorrection(summary, didYouMean(name, known) ?? `It has ${known.join(', ')}`);
}

function wrong(summary: string): Diagnostic {
  return wrongCorrection(summary);
}
