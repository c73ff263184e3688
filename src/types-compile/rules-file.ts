import { isObject } from '../engine/model/value.js';
import type { JsonObject } from '../engine/model/value.js';
import type { FieldDefinition, TypeDefinition } from '../providers/rest/definition.js';
import { refused } from './read-document.js';

/** What people know better than the rules, each with its reason. */
export interface Rules {
  /** Path of a create call → name of the type made there. */
  readonly names: Readonly<Record<string, string>>;
  /** Way to the mark at a create call that names its type: `x-entity`, `x-entity/resource`. */
  readonly entityMark?: string;
  readonly corrections: Readonly<Record<string, Correction>>;
}

export interface Correction extends Partial<Omit<TypeDefinition, 'name' | 'fields'>> {
  readonly why: string;
  /** No type after all. */
  readonly skip?: boolean;
  readonly fields?: Readonly<Record<string, FieldDefinition & { readonly why: string }>>;
}

export const noRules: Rules = { names: {}, corrections: {} };

const known = new Set(['names', 'entityMark', 'corrections']);

/** Throws DiagnosticError for what is no rules file, and for a correction without a reason. */
export function readRules(document: JsonObject, shown: string): Rules {
  const stray = Object.keys(document).find((key) => !known.has(key));
  if (stray !== undefined) throw wrong(`${shown}#/${stray}: a rules file has names, entityMark and corrections.`);
  const { names = {}, corrections = {}, entityMark } = document;
  if (!isObject(names) || Object.values(names).some((name) => typeof name !== 'string'))
    throw wrong(`${shown}#/names holds something else than names.`);
  if (entityMark !== undefined && typeof entityMark !== 'string') throw wrong(`${shown}#/entityMark is no text.`);
  if (!isObject(corrections)) throw wrong(`${shown}#/corrections holds no object.`);
  for (const [type, correction] of Object.entries(corrections)) {
    mustHaveReason(correction, `${shown}#/corrections/${type}`);
    const { fields = {} } = correction as JsonObject;
    if (!isObject(fields)) throw wrong(`${shown}#/corrections/${type}/fields holds no object.`);
    for (const [field, rows] of Object.entries(fields))
      mustHaveReason(rows, `${shown}#/corrections/${type}/fields/${field}`);
  }
  return { ...noRules, ...(document as unknown as Partial<Rules>) };
}

function mustHaveReason(correction: unknown, place: string): void {
  const why = isObject(correction) ? (correction as JsonObject)['why'] : undefined;
  if (typeof why !== 'string' || why.trim() === '') throw wrong(`${place} does not say why.`);
}

function wrong(summary: string): ReturnType<typeof refused> {
  return refused('wrong-correction', summary);
}
