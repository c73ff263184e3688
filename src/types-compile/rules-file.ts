import { didYouMean } from '../engine/model/nearest.js';
import { isObject, type JsonObject } from '../engine/model/value.js';
import type { Correction } from './correction.js';
import { mustBeCorrections } from './correction-rows.js';
import { refused } from './read-document.js';

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
  /** What fields and members of records mean, by their names; `Type.field` beats `field`. */
  readonly texts: { readonly [what in 'fields' | 'members']?: Readonly<Record<string, string>> };
  /** By type; `*` in a name stands for anything. */
  readonly corrections: Readonly<Record<string, Correction>>;
}

export const noRules: Rules = { names: {}, words: {}, hosts: {}, texts: {}, corrections: {} };

const known = new Set(['names', 'words', 'hosts', 'entityMark', 'texts', 'corrections']);

/** Throws DiagnosticError for what is no rules file, and for a correction without a reason. */
export function readRules(document: JsonObject, shown: string): Rules {
  const stray = Object.keys(document).find((key) => !known.has(key));
  if (stray !== undefined)
    throw refused(
      'wrong-correction',
      `${shown}#/${stray}: a rules file has ${[...known].join(', ')}.`,
      didYouMean(stray, known) ?? 'Correct the rules file',
    );
  const { corrections = {}, entityMark } = document;
  const { texts = {} } = document;
  if (!isObject(texts) || Object.keys(texts).some((what) => what !== 'fields' && what !== 'members'))
    throw wrong(`${shown}#/texts has something else than fields and members.`);
  const tables = { names: document['names'], words: document['words'], hosts: document['hosts'], ...texts };
  for (const [table, entries = {}] of Object.entries(tables))
    if (!isObject(entries) || Object.values(entries).some((name) => typeof name !== 'string'))
      throw wrong(`${shown}#/${table} holds something else than texts.`);
  if (entityMark !== undefined && typeof entityMark !== 'string') throw wrong(`${shown}#/entityMark is no text.`);
  if (!isObject(corrections)) throw wrong(`${shown}#/corrections holds no object.`);
  mustBeCorrections(corrections, `${shown}#/corrections`);
  return { ...noRules, ...(document as unknown as Partial<Rules>) };
}

function wrong(summary: string): ReturnType<typeof refused> {
  return refused('wrong-correction', summary);
}
