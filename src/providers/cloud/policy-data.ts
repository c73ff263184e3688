import { isList, type Json } from '@platform-sync/core/model/value';
import { parseJson } from '@platform-sync/rest/http/json';
import type { HttpAnswer } from '@platform-sync/rest/http/transport';
import { cloudError } from './errors.js';

/** Where a policy is not what the service's description says. */
export class PolicyShapeError extends Error {
  /** `policy.bindings[0].role must be text` */
  constructor(path: string, wanted: string) {
    super(`${path} must be ${wanted}`);
    this.name = 'PolicyShapeError';
  }
}

/** `policyData` of a policy that lets nobody in and audits nothing. */
export const emptyPolicy = '{}';

export interface Policy {
  readonly etag: string;
  /** Canonical text of bindings and audit rules. */
  readonly policyData: string;
}

/**
 * The two texts of a policy. `policyData` is byte for byte what the vendor's own provider makes with its typed structures:
 * known members only, names sorted at each level, empty ones left out, order of lists as answered, no white space,
 * and `<`, `>`, `&`, U+2028 and U+2029 escaped. Throws PolicyShapeError.
 */
export function readPolicy(body: Json): Policy {
  const known = readRecord(body, 'policy', { version: readWhole, etag: readText, ...policy });
  const { version: _, etag, ...kept } = known;
  return { etag: typeof etag === 'string' ? etag : '', policyData: goJson(kept) };
}

/** Reads one member; undefined leaves it out. */
type Read = (value: Json, path: string) => Json | undefined;
/** Members of a record in the order they are written. */
type Members = Readonly<Record<string, Read>>;

const condition: Members = { description: readText, expression: readText, location: readText, title: readText };
const binding: Members = { condition: optional(condition), members: listOf(textItem), role: readText };
const auditLog: Members = { exemptedMembers: listOf(textItem), logType: readText };
const audit: Members = { auditLogConfigs: listOf(recordItem(auditLog)), service: readText };
const policy: Members = { auditConfigs: listOf(recordItem(audit)), bindings: listOf(recordItem(binding)) };

function readRecord(value: Json, path: string, members: Members): { readonly [key: string]: Json } {
  if (typeof value !== 'object' || value === null || isList(value)) throw new PolicyShapeError(path, 'a map');
  const names = Object.keys(members);
  const found = new Map<string, Json>();
  for (const [key, item] of Object.entries(value)) {
    // The original matches names without case, the last spelling winning.
    const name = names.find((known) => known === key || known.toLowerCase() === key.toLowerCase());
    if (name !== undefined && item !== null) found.set(name, item);
  }
  const kept = Object.entries(members).flatMap(([name, read]): [string, Json][] => {
    const item = found.get(name);
    const result = item === undefined ? undefined : read(item, `${path}.${name}`);
    return result === undefined ? [] : [[name, result]];
  });
  return Object.fromEntries(kept);
}

function readText(value: Json, path: string): string | undefined {
  if (typeof value !== 'string') throw new PolicyShapeError(path, 'text');
  return value === '' ? undefined : value;
}

function readWhole(value: Json, path: string): number {
  if (!Number.isInteger(value)) throw new PolicyShapeError(path, 'a whole number');
  return Number(value);
}

function optional(members: Members): Read {
  return (value, path) => readRecord(value, path, members);
}

/** A list; an empty one is left out. */
function listOf(readItem: (value: Json, path: string) => Json): Read {
  return (value, path) => {
    if (!isList(value)) throw new PolicyShapeError(path, 'a list');
    const items = value;
    return items.length === 0 ? undefined : items.map((item, at) => readItem(item, `${path}[${String(at)}]`));
  };
}

/** Inside a list nothing can be left out: null stays null in a list of records … */
function recordItem(members: Members): (value: Json, path: string) => Json {
  return (value, path) => (value === null ? null : readRecord(value, path, members));
}

/** … and is the empty text in a list of texts. */
function textItem(value: Json, path: string): string {
  return value === null ? '' : (readText(value, path) ?? '');
}

function goJson(value: Json): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'string' ? item.replace(/\p{Surrogate}/gu, '\ufffd') : item,
  ).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The policy in a successful answer. Throws ProviderError for what is none. */
export function policyIn(answer: HttpAnswer, service: string): Policy {
  // "No content" is how an empty policy may come.
  const body = answer.status === 204 ? {} : parseJson(answer.text);
  const refuse = (what: string): Error =>
    cloudError('unexpected-answer', 'unexpected-answer', `The answer for the policy of "${service}" ${what}.`, {
      status: answer.status,
      hint: 'Check serviceManagementCustomEndpoint, when it is set.',
    });
  if (body === undefined) throw refuse('holds no JSON');
  try {
    return readPolicy(body);
  } catch (error) {
    throw error instanceof PolicyShapeError ? refuse(`can't be understood: ${error.message}`) : error;
  }
}
