import { canonicalJson } from '@platform-sync/core/model/canonical';
import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Block } from './catalogue.js';
import type { Chance } from './chance.js';

type Properties = Block['properties'];

/** Lists and records of a type, of which files say all, a part or nothing. */
export const optionalShapes: Readonly<Partial<Record<Block['type'], readonly string[]>>> = {
  'yard:Site': ['look', 'until'],
  'yard:Page': ['look', 'labels', 'script'],
  'yard:Route': ['port'],
  'yard:Board': ['rows', 'scheme'],
};

/** Each value has several spellings, of which the service keeps the first. */
const spellings: Readonly<Record<string, (nth: number) => readonly string[] | readonly [string, number]>> = {
  until: (nth) => [
    `2030-01-1${String(nth)}T10:00:00Z`,
    `2030-01-1${String(nth)}T12:30:00.000+02:30`,
    `2030-01-1${String(nth)}t10:00:00.0z`,
  ],
  script: (nth) => [`line ${String(nth)}`, `line ${String(nth)}\n`, `line ${String(nth)} \n\n`],
  scheme: (nth) => [
    `{"a":${String(nth)},"b":["x"]}`,
    `{"b": ["x"], "a": ${String(nth)}}`,
    `b: [x]\na: ${String(nth)}\n`,
  ],
  port: (nth) => [`808${String(nth)}`, 8080 + nth],
};
const spelledFields = Object.keys(spellings);
const valuesOfEach = 10;

const kept = new Map<Json, Json>(
  Object.values(spellings).flatMap((of) =>
    Array.from({ length: valuesOfEach }, (_, nth) => of(nth)).flatMap(([first = '', ...others]) =>
      others.map((each) => [each, first] as const),
    ),
  ),
);

/** One of the values that files have, or those that people set by hand, in one of its spellings. */
function spelled(chance: Chance, field: string, [least, most]: readonly [number, number]): string | number {
  return chance.pick<string | number>(spellings[field]?.(chance.between(least, most)) ?? []);
}

/** As the service keeps it. */
export function asKept(value: Json): Json {
  return kept.get(value) ?? value;
}

/** What people set by hand in a field that has several spellings; undefined: it has none. */
export function spelledByHand(chance: Chance, values: JsonObject): JsonObject | undefined {
  const there = spelledFields.filter((field) => field in values);
  if (there.length === 0) return undefined;
  const field = chance.pick(there);
  // Somebody may spell otherwise what is there, which changes nothing.
  return { [field]: chance.happens(200) ? null : spelled(chance, field, [3, 7]) };
}

/** Has no order: so it begins. */
const label = '#';

/** Another item or member than before is said, or one no more. */
export function reshaped(chance: Chance, { type, properties }: Block): Properties {
  const field = chance.pick(optionalShapes[type] ?? []);
  const said = properties[field];
  const { [field]: _, ...others } = properties;
  if (field in spellings)
    return said !== undefined && chance.happens(200) ? others : { ...others, [field]: spelled(chance, field, [0, 4]) };
  const now =
    field === 'look' ? look(chance, said, type) : field === 'labels' ? labels(chance, said) : rows(chance, said);
  return isEmpty(now) ? others : { ...others, [field]: now };
}

/** Of a look what only the create of a page takes. */
export function frameIn(look: Json | undefined): Json | undefined {
  return isObject(look ?? null) ? (look as JsonObject)['frame'] : undefined;
}

/** What of a value an update sends. */
export function withoutFrame(value: Json): Json {
  if (!isObject(value)) return value;
  const { frame: _, ...others } = value;
  return others;
}

function look(chance: Chance, said: Properties[string] | undefined, type: Block['type']): JsonObject {
  const now = isObject(said as Json) ? (said as JsonObject) : {};
  const shade = isObject(now['shade']) ? now['shade'] : {};
  const without = (name: string): JsonObject =>
    Object.fromEntries(Object.entries(now).filter(([member]) => member !== name));
  const number = chance.between(11, 15);
  if (type === 'yard:Page' && chance.happens(350))
    return chance.happens(200) ? without('frame') : { ...now, frame: chance.between(1, 3) };
  return chance.pick<JsonObject>([
    { ...now, font: `text ${String(number)}` },
    { ...now, size: number },
    { ...now, shade: { ...shade, dark: `text ${String(number)}` } },
    { ...now, shade: { ...shade, deep: number } },
    { ...now, font: 'serif', shade: { dark: 'grey' } },
    without('font'),
    without(chance.pick(['size', 'shade'])),
  ]);
}

function labels(chance: Chance, said: Properties[string] | undefined): readonly Json[] {
  const now: readonly Json[] = isList(said as Json) ? (said as readonly Json[]) : [];
  const one = `${label}${chance.pick(['a', 'b', 'c', 'hand'])}`;
  if (chance.happens(200)) return now.toReversed();
  return now.includes(one) ? now.filter((each) => each !== one) : [...now, one];
}

function rows(chance: Chance, said: Properties[string] | undefined): readonly Json[] {
  const now = (isList(said as Json) ? said : []) as readonly JsonObject[];
  const cell = `text ${String(chance.between(0, 4))}`;
  const at = chance.between(0, Math.max(0, now.length - 1));
  return chance.pick<readonly JsonObject[]>([
    [...now, { cell }],
    [{ cell, width: chance.between(6, 8) }, ...now],
    now.toSpliced(at, 1),
    now.toReversed(),
    now.map((row, nth) => (nth === at ? { ...row, cell } : row)),
    now.map((row, nth) => (nth === at ? { ...row, width: chance.between(6, 8) } : row)),
    now.map((row, nth) => (nth === at ? { cell: row['cell'] ?? cell } : row)),
  ]);
}

function isEmpty(value: Json): boolean {
  return isObject(value) ? Object.keys(value).length === 0 : isList(value) && value.length === 0;
}

/** Both as they are compared: what has no order has one, and what has several spellings, too. */
export function inOrder(value: Json | undefined): Json | undefined {
  if (typeof value === 'string' || typeof value === 'number') return asKept(value);
  if (!isList(value) || !value.every((item) => typeof item === 'string' && item.startsWith(label))) return value;
  return [...new Set(value as readonly string[])].sort();
}

/** What can be taken away of them; the rest the service fills in. */
export function clearableShapes({ look = null, labels, rows, until, script, port, scheme }: JsonObject): JsonObject {
  const said = isObject(look) ? look : {};
  const shade = isObject(said['shade']) ? said['shade'] : {};
  return defined({
    'look.font': said['font'],
    'look.color': said['color'],
    'look.shade.dark': shade['dark'],
    labels: isEmpty(labels ?? []) ? undefined : labels,
    rows: isEmpty(rows ?? []) ? undefined : rows,
    ...{ until, script, port, scheme },
  });
}

/** Fields of which a file may say a part. */
export function isRecord(field: string): boolean {
  return field === 'look' || field === 'rows';
}

/** Somebody has changed what one of `said` says of it: members that none of them says are anybody's, in items of lists of one length, too. */
export function hasMoved(
  before: Json | undefined,
  now: Json | undefined,
  said: readonly (Json | undefined)[],
): boolean {
  if (isList(before))
    return (
      !isList(now) ||
      now.length !== before.length ||
      before.some((item, at) =>
        hasMoved(
          item,
          now[at],
          said.map((each) => (isList(each) ? each[at] : undefined)),
        ),
      )
    );
  if (!isObject(before)) return !isAlike(before, now);
  if (!isObject(now)) return true;
  return Object.keys({ ...before, ...now }).some((name) => {
    const inner = said.map((each) => (isObject(each) ? each[name] : undefined));
    return inner.some((each) => each !== undefined) && hasMoved(before[name], now[name], inner);
  });
}

/** All that is new are members that were not there. */
export function isFuller(before: Json | undefined, now: Json | undefined): boolean {
  if (isList(before))
    return isList(now) && now.length === before.length && before.every((item, at) => isFuller(item, now[at]));
  if (!isObject(before)) return isAlike(before, now);
  return isObject(now) && Object.keys(before).every((name) => isFuller(before[name], now[name]));
}

function isAlike(one: Json = null, other: Json = null): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
