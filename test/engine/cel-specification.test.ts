import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPlainObject } from '@platform-sync/core/model/value';
import { leftOut } from '../harness/left-out.js';
import { CelEnvironment } from '@platform-sync/engine/rules/cel';

/** The folder of the simple tests of the CEL specification (`tests/simple/testdata`). */
const folder = process.env['CEL_CASES'];
/** Those of the language alone: messages, enumerations and extensions are no part of rules. */
/**
 * Of the files of the language alone, how many cases come out otherwise: order of bytes, types of uint in lists and maps, has() of a
 * literal, names with a dot, offsets as time zones, bounds of durations, raw texts with odd escapes. Messages, enumerations and
 * extensions are no part of rules.
 */
const gaps: Readonly<Record<string, number>> = {
  ...{
    basic: 1,
    comparisons: 21,
    conversions: 13,
    fields: 14,
    fp_math: 0,
    integer_math: 2,
    lists: 5,
    logic: 0,
    macros: 2,
  },
  ...{ parse: 9, plumbing: 0, string: 0, timestamps: 23 },
};
/** What needs messages of protocol buffers, or a namespace. */
const beyond = /TestAllTypes|container:|google\.protobuf\.(?!Timestamp|Duration)|object_value|enum_value|disable_check/;

interface Message {
  readonly [name: string]: readonly (string | Message)[];
}

/** A text of protocol buffers: members that may repeat, each a text or a message. */
function parsed(text: string): Message {
  const tokens =
    text.replace(/^\s*#.*$/gm, '').match(/"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|[{}:]|[^\s{}:"',;]+/g) ?? [];
  let at = 0;
  const message = (): Message => {
    const found: Record<string, (string | Message)[]> = {};
    for (; at < tokens.length && tokens[at] !== '}';) {
      const name = tokens[at] ?? '';
      at += tokens[at + 1] === ':' ? 2 : 1;
      let value: string | Message = tokens[at] ?? '';
      at += 1;
      if (value === '{') {
        value = message();
        at += 1;
      } else while (/^["']/.test(tokens[at] ?? '')) value += tokens[at++] ?? '';
      (found[name] ??= []).push(value);
    }
    return found;
  };
  return message();
}

/** Texts beside each other are one. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  for (const [part] of text.matchAll(/"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/g))
    for (const [, code, sign, plain] of part
      .slice(1, -1)
      .matchAll(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3})|\\([^])|([^\\]+)/g)) {
      if (code === undefined) bytes.push(...Buffer.from(plain ?? escapes[sign ?? ''] ?? sign ?? ''));
      else if (/^[uU]/.test(code)) bytes.push(...Buffer.from(String.fromCodePoint(parseInt(code.slice(1), 16))));
      else bytes.push(code.startsWith('x') ? parseInt(code.slice(1), 16) : parseInt(code, 8));
    }
  return Buffer.from(bytes).toString('latin1');
}

const text = (of: string): string => Buffer.from(unquoted(of), 'latin1').toString('utf8');

/** A value of the specification, as a text that is equal where values are. */
function shownWanted(value: Message): string {
  const [kind = '', [given = ''] = []] = Object.entries(value)[0] ?? [];
  if (typeof given !== 'string') {
    const members = given['values'] ?? given['entries'] ?? [];
    const shown = members.flatMap((each) => {
      if (typeof each === 'string') return [];
      const [key, inner] = [each['key']?.[0], each['value']?.[0]];
      return isMessage(key) && isMessage(inner) ? [`${shownWanted(key)}: ${shownWanted(inner)}`] : [shownWanted(each)];
    });
    return kind === 'map_value' ? `{${shown.sort().join(', ')}}` : `[${shown.join(', ')}]`;
  }
  if (kind === 'string_value') return JSON.stringify(text(given));
  if (kind === 'bytes_value') return `b${JSON.stringify(unquoted(given))}`;
  if (kind === 'double_value') return shownGiven(Number(given.replace(/^(-?)inf$/i, '$1Infinity')));
  if (kind === 'null_value') return 'null';
  return kind === 'type_value' ? text(given) : kind === 'bool_value' ? given : String(BigInt(given));
}

function isMessage(value: unknown): value is Message {
  return isPlainObject(value);
}

function shownGiven(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '0.0' : `${String(value)}.0`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString('latin1'))}`;
  if (Array.isArray(value)) return `[${value.map(shownGiven).join(', ')}]`;
  if (value instanceof Map)
    return `{${[...value]
      .map(([key, each]) => `${shownGiven(key)}: ${shownGiven(each)}`)
      .sort()
      .join(', ')}}`;
  // A map of this library has texts as keys, whatever they were.
  if (isPlainObject(value))
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${shownGiven(each)}`)
      .sort()
      .join(', ')}}`;
  // A type is told by its name.
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name);
  return String(value);
}

/** What a value is bound to. */
function bound(value: Message): unknown {
  const [kind = '', [given = ''] = []] = Object.entries(value)[0] ?? [];
  if (typeof given !== 'string') {
    if (kind === 'list_value') return (given['values'] ?? []).map((each) => (isMessage(each) ? bound(each) : each));
    return new Map(
      (given['entries'] ?? []).flatMap((each) =>
        isMessage(each) && isMessage(each['key']?.[0]) && isMessage(each['value']?.[0])
          ? [[bound(each['key'][0]), bound(each['value'][0])] as const]
          : [],
      ),
    );
  }
  if (kind === 'string_value') return text(given);
  if (kind === 'bytes_value') return Uint8Array.from(Buffer.from(unquoted(given), 'latin1'));
  if (kind === 'int64_value') return BigInt(given);
  if (kind === 'double_value') return Number(given);
  return kind === 'bool_value' ? given === 'true' : null;
}

/** Whether an expression comes to what the specification says; one that is refused at once is an error, too. */
function isAsSaid(test: Message): boolean {
  const bindings = (test['bindings'] ?? []).flatMap((each) => {
    if (!isMessage(each) || typeof each['key']?.[0] !== 'string' || !isMessage(each['value']?.[0])) return [];
    const inner = each['value'][0]['value']?.[0];
    return isMessage(inner) ? [[text(each['key'][0]), bound(inner)] as const] : [];
  });
  const variables = Object.fromEntries(bindings.map(([key]) => [key, 'dyn']));
  const expr = test['expr']?.[0];
  const compiled = new CelEnvironment({ types: [], variables }).compile(typeof expr === 'string' ? text(expr) : '');
  const outcome = 'message' in compiled ? undefined : compiled.evaluate(Object.fromEntries(bindings));
  if (outcome?.kind !== 'value') return test['eval_error'] !== undefined;
  const wanted = test['value']?.[0];
  if (isMessage(wanted)) return shownWanted(wanted) === shownGiven(outcome.value);
  return test['eval_error'] === undefined && outcome.value === true;
}

const isThere = folder !== undefined;
if (!isThere)
  leftOut(
    'test/engine/cel-specification.test.ts',
    'CEL_CASES names no folder: tests/simple/testdata of the CEL specification.',
  );

describe.skipIf(!isThere)(
  'the simple tests of the CEL specification (CEL_CASES names their folder; skipped without it)',
  () => {
    it.each(Object.entries(gaps))('%s', (file, gap) => {
      const cases = (parsed(readFileSync(join(folder ?? '', `${file}.textproto`), 'utf8'))['section'] ?? []).flatMap(
        (section) => (isMessage(section) ? (section['test'] ?? []).filter(isMessage) : []),
      );
      const own = cases.filter((each) => !beyond.test(JSON.stringify(each)));
      const wrong = own.filter((each) => !isAsSaid(each)).map((each) => String(each['name']?.[0]));
      expect(own.length).toBeGreaterThan(3);
      expect(wrong.length, wrong.join(' ')).toBe(gap);
    });
  },
);
