import { parseDocument } from 'yaml';
import { mustNotBeDeeper, readJson, parsedJson } from '../model/read-json.js';
import type { Json } from '../model/value.js';
import { mayBeDeeper } from '../model/yaml-depth.js';

/** Texts that one comparison asks for again and again: each side of it, a few times. */
const lastRead = new Map<string, Json | undefined>();
const mostKept = 4;

/** The list or record that a text in JSON or YAML spells; undefined for any other text. */
export function readDocument(text: string): Json | undefined {
  if (!lastRead.has(text)) {
    const [oldest] = lastRead.keys();
    if (lastRead.size >= mostKept && oldest !== undefined) lastRead.delete(oldest);
    lastRead.set(text, parsed(text));
  }
  return lastRead.get(text);
}

/** More digits than a number here holds: two such numbers could look the same. */
const longNumber = /\d{16}/;

function parsed(text: string): Json | undefined {
  if (longNumber.test(text)) return undefined;
  try {
    const value = /^\s*[[{]/.test(text) ? readJson(text) : readYaml(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Throws for what is no YAML, or has no equal in JSON. */
function readYaml(text: string): Json {
  if (mayBeDeeper(text)) throw new SyntaxError('too deep');
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  mustNotBeDeeper(value);
  return parsedJson(JSON.stringify(value, finite));
}

function finite(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('no number of JSON');
  return value;
}
