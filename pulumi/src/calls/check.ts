import type { SchemaViolation } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import {
  hasSecret,
  hasUnknown,
  reveal,
  type JsonObject,
  type Value,
  type ValueObject,
} from '@platform-sync/core/model/value';
import { documents, isSpecificationOf } from '@platform-sync/engine/use-cases/specifications';
import { markKeysIn } from '../mark.js';
import { emptyOnDelete, hasGuardedEnd, nameOf, ownInputs, takesNull, typeOf } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers } from '../wire/values.js';
import { failuresOf, type Failure } from './broken-rules.js';
import { withSecrets } from './secrets.js';

export interface Checked {
  readonly inputs: ValueObject;
  readonly failures: readonly Failure[];
}

/** What the program wrote, held against the rules that catalogues obey. What is not known yet is checked when it is. */
export async function check(session: Session, urn: string, news: ValueObject): Promise<Checked> {
  const type = typeOf(session.loaded, urn);
  const inputs = named(type, meant(type, news), nameOf(urn));
  const { [emptyOnDelete.name]: consent, ...fields } = inputs;
  const failures: Failure[] = [];
  if (consent !== undefined && hasGuardedEnd(type)) failures.push(...checkConsent(consent));
  const waiting = Object.entries(fields).flatMap(([name, value]) => (hasUnknown(value) ? [name] : []));
  const declared = hasGuardedEnd(type) ? fields : inputs;
  const own = { ...declared, ...ownInputs(session.loaded, type, declared) };
  const known = knownMembers(
    Object.fromEntries(Object.entries(own).filter(([name, value]) => !waiting.includes(name) && value !== null)),
  );
  const violations = await session.loaded.validate(type.token, known);
  const broken = violations.filter((one) => !isAboutMissing(one, waiting));
  failures.push(...failuresOf(broken, own, { name: type.shortToken, schema: schemaOf(type) }));
  failures.push(...exactlyOne(type, declared), ...marksOf(type, known));
  if (failures.length === 0) await warnOfSpecifications(session, urn, type, inputs);
  // Programs in YAML, and those without a generated SDK, mark nothing by themselves.
  return { inputs: withSecrets(type, inputs), failures };
}

/** Programs have no files that a reference could lead to, and no option that allows a broken one: all of it is a warning. */
async function warnOfSpecifications(
  session: Session,
  urn: string,
  type: ResourceType,
  inputs: ValueObject,
): Promise<void> {
  const values = documents(type).flatMap(({ name: field }) => {
    const value = inputs[field] ?? null;
    const text = hasUnknown(value) ? null : reveal(value);
    const at = { file: field, start: 0, end: 0 };
    if (typeof text !== 'string') return [];
    const isCertain = isSpecificationOf(type, field);
    return [{ address: nameOf(urn), field, text, at, from: field, isSecret: hasSecret(value), isCertain }];
  });
  if (values.length === 0) return;
  // Rules of specifications are many: only a program that publishes one loads them.
  const { specificationProblems } = await import('@platform-sync/engine/specification/check');
  const place = { file: '', line: 1, column: 1 };
  for (const { summary, place: { line, column } = place } of await specificationProblems(values, {
    sources: { place: () => place },
  }))
    session.say('warning', `Line ${line}, column ${column}: ${summary}`, urn);
}

/** Null where a field can't hold it is how programs leave one out. */
function meant(type: ResourceType, news: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(news).filter(([name, value]) => value !== null || takesNull(type, name)));
}

/** As in a catalogue, an object is called as its resource where the file does not name it. */
function named({ nameField }: ResourceType, news: ValueObject, name: string): ValueObject {
  return nameField === undefined || (news[nameField] ?? null) !== null ? news : { ...news, [nameField]: name };
}

/** Whose an object is is not for a program to say. */
function marksOf(type: ResourceType, known: JsonObject): readonly Failure[] {
  const path = (label: string): string => `${type.markedIn ?? ''}[${JSON.stringify(label)}]`;
  return markKeysIn(type, known).map((label) => ({ property: path(label), reason: 'is for ownership marks alone' }));
}

function checkConsent(value: Value): readonly Failure[] {
  const isFlag = hasUnknown(value) || typeof knownMembers({ value })['value'] === 'boolean';
  return isFlag ? [] : [{ property: emptyOnDelete.name, reason: 'must be true or false' }];
}

function schemaOf({ fields }: ResourceType): JsonObject {
  const inputs = Object.values(fields).filter(({ input }) => input);
  return { type: 'object', properties: Object.fromEntries(inputs.map(({ name, schema }) => [name, schema])) };
}

function isAboutMissing({ keyword, params, pointer }: SchemaViolation, waiting: readonly string[]): boolean {
  return keyword === 'required' && pointer === '' && waiting.includes(String(params['missingProperty']));
}

function exactlyOne({ exactlyOne: groups }: ResourceType, declared: ValueObject): readonly Failure[] {
  return groups.flatMap((group) => {
    const given = group.filter((name) => (declared[name] ?? null) !== null);
    if (given.length === 1) return [];
    const reason = `exactly one of ${group.join(' and ')} must be there`;
    return [{ property: given[1] ?? group[0] ?? '', reason }];
  });
}
