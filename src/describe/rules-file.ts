import { defined, isList, isObject, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { AbsenceRule } from '@platform-sync/core/model/resource-type';
import { wrongAbsence } from '@platform-sync/rest/definition-shape';
import { type Correction, openRows } from './correction.js';
import { wrongCorrection } from './read-document.js';
import type { FieldDefinition } from '@platform-sync/rest/definition';

/** What people know better than the rules, each with its reason. */
export interface Rules {
  /** Path of a create call → name of the type made there; without a mark where others have one, only what is named is a type. */
  readonly names: Readonly<Record<string, string>>;
  /** Way to the mark at calls that names their type and what they do: `x-entity`, `x-entity/resource`. */
  readonly entityMark?: string;
  /** Words in names on the wire → what catalogues say in their place. */
  readonly words: Readonly<Record<string, string>>;
  /** Address of a server → the provider's name of the host. */
  readonly hosts: Readonly<Record<string, string>>;
  /** How a 404 of this service reads, where its description leaves that open. */
  readonly absence?: AbsenceRule;
  /** What fields and members of records mean, by their names; `Type.field` beats `field`. */
  readonly texts: { readonly [what in 'fields' | 'members']?: Readonly<Record<string, string>> };
  /** By type; `*` in a name stands for anything. */
  readonly corrections: Readonly<Record<string, Correction>>;
}

export const noRules: Rules = { names: {}, words: {}, hosts: {}, texts: {}, corrections: {} };

const known = new Set(['names', 'words', 'hosts', 'entityMark', 'absence', 'texts', 'corrections']);

/** Throws DiagnosticError with all that is wrong: what is no rules file, and each correction without a reason. */
export function readRules(document: JsonObject, shown: string): Rules {
  const { corrections = {}, entityMark, absence, texts = {} } = document;
  const stray = Object.keys(document).filter((key) => !known.has(key));
  const { names, words, hosts } = document;
  const tables = Object.entries({ ...defined({ names, words, hosts }), ...(isObject(texts) ? texts : {}) }).filter(
    ([, entries]) => !isObject(entries) || Object.values(entries).some((name) => typeof name !== 'string'),
  );
  const areTexts = isObject(texts) && Object.keys(texts).every((what) => what === 'fields' || what === 'members');
  const absent = absence === undefined ? undefined : wrongAbsence(absence);
  const problems = [
    ...stray.map((key) =>
      wrongCorrection(`${shown}#/${key}: a rules file has ${[...known].join(', ')}.`, didYouMean(key, known)),
    ),
    ...tables.map(([table]) => wrongCorrection(`${shown}#/${table} holds something else than texts.`)),
    ...(areTexts ? [] : [wrongCorrection(`${shown}#/texts has something else than fields and members.`)]),
    ...(entityMark === undefined || typeof entityMark === 'string'
      ? []
      : [wrongCorrection(`${shown}#/entityMark is no text.`)]),
    ...(absent === undefined ? [] : [wrongCorrection(`${shown}#/absence ${absent}.`)]),
    ...(isObject(corrections)
      ? wrongCorrections(corrections, `${shown}#/corrections`)
      : [wrongCorrection(`${shown}#/corrections holds no object.`)]),
  ];
  if (problems.length > 0) throw new DiagnosticError(problems);
  return { ...noRules, ...(document as unknown as Partial<Rules>) };
}

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
function wrongCorrections(corrections: JsonObject, place: string): readonly Diagnostic[] {
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
