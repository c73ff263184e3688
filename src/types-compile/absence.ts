import type { AbsenceRule, AbsentAnswer } from '../engine/model/resource-type.js';
import { isList, isObject, type Json, type JsonObject } from '../engine/model/value.js';
import type { Description } from './description.js';
import { kindOf, merged, valuesOf } from './merge.js';
import type { TypeSite } from './type-site.js';

/** Records within each other that are looked into. */
const mostRecords = 4;

/**
 * Rule 8: how it shows that an object is gone. What a 404 of the read is described to hold says it, where that is more than any
 * answer of anybody has; of what the description leaves open, `said` for all of the service; else a list, which lacks it.
 */
export function absenceOf(
  description: Description,
  site: TypeSite,
  isListed: boolean,
  said: AbsenceRule | undefined,
): AbsenceRule | undefined {
  if (!mayEnd(site)) return undefined;
  const { calls } = site;
  if (calls.read === undefined) return isListed ? 'two-lists' : undefined;
  const media = description.mediaOf(calls.read, '404');
  if (media?.some((type) => type.includes('problem+json')) === true) return 'problem-404';
  const { answer, isTelling } = absentAnswer(description, calls.read);
  if (isTelling) return answer;
  if (said !== undefined) return said;
  return isListed ? 'unlisted-404' : media?.length === 0 ? 'empty-404' : undefined;
}

/** Settings without a delete are there as long as what they are of. */
export function mayEnd({ calls, item, shape }: TypeSite): boolean {
  return item.includes('{') || (shape === 'singleton' && calls.delete !== undefined);
}

interface Described {
  readonly answer: AbsentAnswer;
  /** It has something that says what it is, or more than one member. */
  readonly isTelling: boolean;
}

/** What a 404 holds, by its examples and its schema. */
export function absentAnswer(description: Description, read: JsonObject): Described {
  const { schema, examples } = description.problemOf(read, '404') ?? { schema: undefined, examples: [] };
  const parts = { exact: 0, all: 0 };
  const body = schemaMembers(description, schema, examples.find(saysNotFound), parts, 0);
  return {
    answer: { status: 404, body: parts.all === 0 ? { message: '*' } : body },
    isTelling: parts.exact > 0 || parts.all > 1,
  };
}

function schemaMembers(
  description: Description,
  schema: Json | undefined,
  shown: Json | undefined,
  parts: { exact: number; all: number },
  depth: number,
): JsonObject {
  const at = merged(description, schema);
  const properties = description.at(at['properties']);
  const own = shown ?? (saysNotFound(at['example']) ? at['example'] : undefined);
  const example = isObject(own) ? own : {};
  const required = new Set(isList(at['required']) ? at['required'].map(String) : []);
  const names = [...new Set([...Object.keys(properties), ...Object.keys(example)])];
  const found = names.flatMap((name): [string, Json][] => {
    const member = merged(description, properties[name]);
    const value = example[name];
    const [only, ...others] = valuesOf(member) ?? [];
    if (isObject(value) || kindOf(member) === 'object') {
      if (depth > mostRecords) return [];
      const before = parts.all;
      const inner = schemaMembers(description, properties[name], value, parts, depth + 1);
      return parts.all === before ? [] : [[name, inner]];
    }
    const exact = exactly(name, value ?? (others.length === 0 ? only : undefined) ?? about404(member));
    if (exact !== undefined) {
      parts.exact += 1;
      parts.all += 1;
      return [[name, exact]];
    }
    const isText = typeof value === 'string' || kindOf(member) === 'string';
    if (!isText || !(required.has(name) || value !== undefined)) return [];
    parts.all += 1;
    return [[name, '*']];
  });
  return Object.fromEntries(found);
}

/** A value that every such answer has: a number, or a word where words of a fixed set stand. */
function exactly(name: string, value: Json | undefined): Json | undefined {
  if (typeof value === 'number') return /(?:code|status)$/i.test(name) ? value : undefined;
  const isWord = typeof value === 'string' && /^[A-Za-z][\w.-]{2,60}$/.test(value);
  return isWord && /(?:code|type|kind|reason)$/i.test(name) ? value : undefined;
}

function about404({ example }: JsonObject): number | undefined {
  return example === 404 ? 404 : undefined;
}

/** Descriptions have one error for all, whose example may be that of another. */
function saysNotFound(example: Json | undefined): boolean {
  return isObject(example) && /not[ _-]?found|404|does not exist/i.test(JSON.stringify(example));
}
