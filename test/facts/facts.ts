import { readFileSync } from 'node:fs';
import { argued, type Difference } from '../../scripts/facts/argued.js';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import { type RestType, fieldName, isPlace, pathOfCall } from '@platform-sync/rest/rest-type';

/** What the service's own description says of what can be made at one path (`scripts/facts/reduce.ts`). */
export interface Fact {
  readonly create: string;
  readonly update?: string;
  readonly delete?: true;
  /** By wire name: `c` in the create body, `!` required there, `u` in the update body, `a` in the answer, `s` secret. */
  readonly fields: Readonly<Record<string, string>>;
}

const facts = JSON.parse(readFileSync(new URL('platform.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Fact>
>;

/** The fact of a type, by the path its objects are made at; of several kinds at one path, that of its kind. */
export function factOf({ name, operations }: TypeDefinition): Fact | undefined {
  const path = pathOfCall(operations.create).replace(/\{[^}]*\}/g, '{}');
  const kinds = Object.keys(facts).filter(
    (at) => at.startsWith(`${path}#`) && name.endsWith(at.slice(path.length + 1)),
  );
  const own = kinds.sort((a, b) => b.length - a.length)[0];
  return facts[own ?? path];
}

/** What of a field's members travels at the top of a body. */
export function wireMembers(rest: RestType, field: string): readonly string[] {
  const laidOut = Object.values(rest.fields[field]?.members ?? {}).map((path) => path.split('.')[0] ?? path);
  return laidOut.length > 0 ? [...new Set(laidOut)] : [fieldName(rest, field).split('.')[0] ?? field];
}

/** True where the definition of a type is otherwise than the description plainly says, and that is argued. */
export function isArgued(type: string, field: string, what: Difference): boolean {
  return argued.some(([names, about]) => about === what && names.includes(`${type}.${field}`));
}

export interface Expected {
  readonly action: 'update' | 'replace';
  readonly secret: boolean;
  readonly required: boolean;
}

/** What the description makes of a field that people declare; undefined for one that it does not know. */
export function expectedOf(rest: RestType, fact: Fact, field: string): Expected | undefined {
  // The id of an object may be said, and is the platform's to choose.
  if (isPlace(rest, field)) return { action: 'replace', secret: false, required: field !== 'id' };
  const marks = wireMembers(rest, field).map((name) => fact.fields[name]);
  if (marks.some((mark) => mark?.includes('c') !== true && mark?.includes('u') !== true)) return undefined;
  const every = (letter: string): boolean => marks.every((mark) => mark?.includes(letter) === true);
  return {
    action: fact.update !== undefined && every('u') ? 'update' : 'replace',
    secret: every('s'),
    required: every('!'),
  };
}
