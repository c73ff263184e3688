import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject, asText, parseJson } from './json.js';

/** One value the server refused. */
export interface InvalidParameter {
  /** Dotted path in a body, or the parameter's name (`filter[name]`). */
  readonly field?: string;
  readonly reason: string;
  readonly rule?: string;
  /** Where it stood: `body`, `query`, `path` or `header`. */
  readonly source?: string;
  /** What the rule allows: `choices: a, b`, `maximum: 63`. */
  readonly limits?: string;
}

/** An error body (RFC 9457 problem details with `invalid_parameters`), as far as it could be understood. */
export interface Problem {
  readonly title?: string;
  readonly detail?: string;
  /** Trace id to quote to the operator of the server. */
  readonly instance?: string;
  readonly invalid: readonly InvalidParameter[];
}

/** Reads any error body: problem+json, other JSON, HTML, nothing. Never throws. */
export function readProblem(text: string): Problem {
  const body = asObject(parseJson(text));
  if (body === undefined) {
    const detail = plainText(text);
    return { invalid: [], ...(detail === '' ? {} : { detail }) };
  }
  const title = asText(body.title);
  const detail = asText(body.detail) ?? asText(body.message) ?? asText(body.error);
  const instance = asText(body.instance);
  return {
    invalid: (asList(body.invalid_parameters) ?? []).flatMap(invalidParameter),
    ...defined({ title, detail, instance }),
  };
}

function invalidParameter(item: Json): readonly InvalidParameter[] {
  const entry = asObject(item);
  if (entry === undefined) return [];
  const field = asText(entry.field);
  const rule = asText(entry.rule);
  const source = asText(entry.source);
  const limits = ruleLimits(entry);
  return [
    {
      reason: asText(entry.reason) ?? rule ?? 'is not valid',
      ...defined({ field, rule, source }),
      ...(limits === '' ? {} : { limits }),
    },
  ];
}

function ruleLimits(entry: JsonObject): string {
  const said: string[] = [];
  for (const name of ['minimum', 'maximum', 'choices', 'dependents']) {
    const value = entry[name];
    if (value === undefined || value === null) continue;
    const list = asList(value);
    said.push(`${name}: ${list === undefined ? String(value) : list.map(String).join(', ')}`);
  }
  return said.join('; ');
}

/** The words of an HTML or text page, shortened. */
function plainText(text: string): string {
  const words = text
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > 300 ? `${words.slice(0, 300)}…` : words;
}
