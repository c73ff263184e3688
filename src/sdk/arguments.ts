import { checkLookupArguments } from '@platform-sync/core/lookups/check-arguments';
import { demandOf, kindWords } from '@platform-sync/core/model/broken-rule';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import type { LookupType, ProviderPackage, SchemaViolation } from '@platform-sync/core/model/provider';
import { isPlainObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { refuse } from './refuse.js';

/** A lookup's arguments as JSON. Rejects with everything that is wrong with them; nothing is sent before. */
export async function checkArguments(loaded: ProviderPackage, lookup: LookupType, args: unknown): Promise<JsonObject> {
  if (!isPlainObject(args)) throw refuse('invalid-arguments', `The arguments of ${lookup.name} must be an object.`);
  const problems: Diagnostic[] = [];
  const json = jsonObject(args, [], lookup, problems);
  if (problems.length === 0) {
    const violations = await checkLookupArguments(loaded, lookup, json);
    problems.push(...violations.map((violation) => diagnosticOf(violation, lookup)));
  }
  if (problems.length > 0) throw new DiagnosticError(problems);
  return json;
}

/** What is undefined or null counts as left out, as in a program's own optional arguments. */
function jsonObject(
  object: Readonly<Record<string, unknown>>,
  path: readonly string[],
  lookup: LookupType,
  problems: Diagnostic[],
): JsonObject {
  const given = Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([key, value]) => [key, json(value, [...path, key], lookup, problems)]));
}

function json(value: unknown, path: readonly string[], lookup: LookupType, problems: Diagnostic[]): Json {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, at) => json(item, [...path, String(at)], lookup, problems));
  if (isPlainObject(value)) return jsonObject(value, path, lookup, problems);
  problems.push(problem(lookup, path, 'must be text, a number, true or false, a list or an object'));
  return null;
}

function diagnosticOf(violation: SchemaViolation, lookup: LookupType): Diagnostic {
  const { pointer, keyword, params } = violation;
  const path = pointerKeys(pointer);
  if (keyword === 'required') {
    return problem(lookup, [...path, String(params['missingProperty'])], 'is required');
  }
  if (keyword === 'additionalProperties') {
    const known = Object.keys(membersAt(lookup.inputs, path));
    const has = known.length === 0 ? 'takes none' : `takes ${known.sort().join(', ')}`;
    const where = path.length === 0 ? lookup.name : path.join('.');
    return problem(lookup, [...path, String(params['additionalProperty'])], `does not exist; ${where} ${has}`);
  }
  return problem(lookup, path, demandOf(violation, { ...kindWords, object: 'an object' }));
}

function problem(lookup: LookupType, path: readonly string[], sentence: string): Diagnostic {
  const field = path.join('.');
  const subject = `The argument ${field} of ${lookup.name}`;
  return { severity: 'error', code: 'invalid-arguments', summary: `${subject} ${sentence}.`, field };
}

function membersAt(schema: JsonObject, path: readonly string[]): JsonObject {
  const members = isPlainObject(schema['properties']) ? schema['properties'] : {};
  const [name, ...rest] = path;
  if (name === undefined) return members;
  const member = members[name];
  return isPlainObject(member) ? membersAt(member, rest) : {};
}
