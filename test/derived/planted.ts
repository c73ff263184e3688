import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { settled } from '@platform-sync/report/text/sample-value';
import { sampleOf } from './samples.js';

/** The value of `now` with a secret at a path, and what has to be around it. */
export function planted(given: JsonObject, path: readonly string[], secret: string, now: Json | undefined): Json {
  const schema = settled(given);
  const members = partsOf(schema['properties']);
  if (schema['type'] === 'array') {
    const [first] = Array.isArray(now) ? (now as readonly Json[]) : [];
    return [planted(partsOf(schema['items']), path, secret, first ?? sampleOf(partsOf(schema['items'])))];
  }
  const [head, ...rest] = path;
  const others = partsOf(now);
  if (head === undefined) return textsIn(others, secret) ?? secretOf(schema, members, secret);
  const inner = partsOf(members[head]);
  if (members[head] === undefined)
    return {
      a: planted(partsOf(schema['additionalProperties']), head.startsWith('*') ? rest : path, secret, undefined),
    };
  return {
    ...others,
    [head]: planted(inner, rest, secret, others[head] ?? (rest.length > 0 ? sampleOf(inner) : undefined)),
  };
}

function secretOf(schema: JsonObject, members: JsonObject, secret: string): Json {
  const texts = Object.entries(members).filter(
    ([, member]) => isObject(member) && member['type'] === 'string' && member['enum'] === undefined,
  );
  if (texts.length > 0)
    return { ...(sampleOf(schema) as JsonObject), ...Object.fromEntries(texts.map(([name]) => [name, secret])) };
  if (schema['type'] !== undefined && schema['type'] !== 'object')
    return schema['format'] === 'uri' ? `https://${secret}.example.com` : secret;
  return {
    a: isObject(schema['additionalProperties'])
      ? secretOf(settled(schema['additionalProperties']), {}, secret)
      : secret,
  };
}

/** A record that is legal as it stands, with secrets for its texts. */
function textsIn(value: JsonObject, secret: string): Json | undefined {
  const entries = Object.entries(value);
  if (!entries.some(([, member]) => typeof member === 'string')) return undefined;
  return Object.fromEntries(entries.map(([name, member]) => [name, typeof member === 'string' ? secret : member]));
}

function partsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const fits = new Map<FieldRule, (value: unknown) => boolean>();
export function isLegal(rule: FieldRule, value: Json): boolean {
  const known = fits.get(rule) ?? ajv.compile(rule.schema);
  fits.set(rule, known);
  return known(value);
}
