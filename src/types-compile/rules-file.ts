import { defined } from '../engine/model/defined.js';
import { DiagnosticError } from '../engine/model/diagnostic.js';
import { didYouMean } from '../engine/model/nearest.js';
import type { AbsenceRule } from '../engine/model/resource-type.js';
import { isObject, type JsonObject } from '../engine/model/value.js';
import { wrongAbsence } from '../providers/rest/definition-shape.js';
import type { Correction } from './correction.js';
import { wrongCorrections } from './correction-rows.js';
import { wrongCorrection } from './read-document.js';

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
