import type { DriftResult } from '@platform-sync/core/model/drift';
import type { FleetReport, Job } from '@platform-sync/core/model/fleet';
import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import type { PlanStep } from '@platform-sync/core/model/plan';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { type Json, type JsonObject, defined, isList, isObject } from '@platform-sync/core/model/value';
import { secretOf } from '../secrets.js';
import { clearableShapes, inOrder } from '../shapes.js';
import { readFileSync } from '../disk.js';
import type { HistoryRow } from '../ledger.js';
import type { Collection, Thing } from '../service.js';
import type { Process } from '../simulation.js';

/** What all of them begin with. */
export const aSecret = secretOf(0).slice(0, 9);

/** How long a run that waits for a lease waits before it asks again. */
export const pollMs = 500;

/** What takes no time is done within so much. */
export const toldWithinMs = 100;

/** Clocks may differ by so much, and those of worlds are wrong by some more. */
export const clockSkewMs = 5 * 60_000 + 60_000;

/** How long a write may not show, where the files say nothing of it. */
export const settleMs = 120_000;

/** Types by where their objects are. */
export const typeNames: Readonly<Record<Collection, string>> = {
  ...{ sites: 'Site', pages: 'Page', routes: 'Route', members: 'Member', boards: 'Board', notes: 'Note' },
  policy: 'Policy',
};

export const keyFields: Readonly<Record<Collection, string>> = {
  ...{ sites: 'name', pages: 'title', routes: 'name', members: 'mail', boards: 'title', notes: 'words' },
  policy: 'siteId',
};

/** What no answer shows, so that no line can name what it was. */
export const hiddenFields: readonly string[] = ['password'];

/** What a plan does with objects; the rest is done with records. */
export const written: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'delete']);

/** What an error says that asks a person, and each of its answers. */
export const rightOne = /take the right one over:\n((?: +sync --stack \w+ adopt \S+ '.+?'\n)+)/g;

export const answer = /(adopt \S+ '.+?')$/gm;

/** What a run says that may not write any more. */
export const leaseTrouble = /\b(?:lease-late|lease-refused|state-lease-\w+)\b/;

export const settled = /an unfinished write of an earlier run: (\S+) (had not reached)?/g;

export interface Recorded extends Pick<
  RecordedResource,
  'inputs' | 'outputs' | 'protect' | 'retainOnDelete' | 'writtenAt' | 'deposed'
> {
  /** Addresses of what it depends on, as text. */
  readonly needs: string;
  readonly type: string;
  readonly stack: string;
  readonly address: string;
  readonly id: string;
}

export const writers = new Set(['apply', 'destroy', 'adopt', 'undo', 'drift revert', 'fleet work']);

/** What an object has, or is to have, that can be taken away: fields, and keys of its map. */
export function clearable({ tags, note, body, text, weight, ...shaped }: JsonObject = {}): JsonObject {
  const keys = Object.entries((tags ?? {}) as JsonObject).map(([key, value]) => [`tags.${key}`, value]);
  return { ...defined({ note, body, text, weight }), ...Object.fromEntries(keys), ...clearableShapes(shaped) };
}

/** A key of a map of an object, or one of its fields; an object of a type. */
export function keyIn(id: string, key: string): string {
  return `${id} ${key}`;
}

/** What a run has kept on a disk, read here: a judge that reads with the eyes of the product is as blind as it. */
export function keptIn(path: string): readonly OutboxWrite[] {
  const lines = String(readFileSync(path, 'utf8')).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as OutboxWrite]));
}

export function nameOf({ stack, number }: HistoryRow): string {
  return `row ${stack} ${String(number)}`;
}

/** Of an object that an answer names: the last word, or the id in it. */
export function idIn(words: string): string {
  return (/"id":"([^"]+)"/.exec(words) ?? /'?([^' ]+)'?$/.exec(words))?.[1] ?? '';
}

/** Where it is listed. */
export function pathOf({ collection, home }: Pick<Thing, 'collection' | 'home'>): string {
  return home === undefined ? `/${collection}` : `/sites/${home}/${collection}`;
}

/** The page of that list that shows it. */
export function inListOf(thing: Thing): string {
  return `${pathOf(thing)} ${thing.id}`;
}

/** What is told of a stack is what was found of it, and what could not be known is not clean; else what it is. */
export function untrue(
  { checks, plans, results }: Pick<Process, 'checks' | 'plans' | 'results'>,
  { kind, stack }: Pick<Job, 'kind' | 'stack'>,
  state = '',
): string | undefined {
  if (state !== 'clean' && state !== 'waiting') return undefined;
  const { status = 'none' } = checks.findLast((check) => check.stack === stack) ?? {};
  const plan = plans.findLast((each) => each.stack === stack);
  const last = results.at(-1)?.status ?? 'none';
  if (kind === 'check') return status === 'clean' ? undefined : status;
  if (kind === 'apply') return last === 'done' || plan?.steps.length === 0 ? undefined : last;
  if (plan === undefined) return 'none';
  if (plan.notCompared.length > 0) return 'not of everything';
  if (plan.guards.some(({ lifted }) => lifted === undefined)) return 'held back';
  return state === 'clean' && plan.steps.length > 0 ? 'not empty' : undefined;
}

/** What only a new object can have. */
export function replacedIn({ fields }: PlanStep): readonly string[] {
  return fields.flatMap(({ field, rule }) => (rule === 'replace' ? [field] : []));
}

/** Of the object that is there before a step. */
export function typeBefore({ type, reasons }: PlanStep): string {
  return reasons.find((reason) => reason.kind === 'type-changed')?.from ?? type;
}

export function wordAfter({ argv }: Pick<Process, 'argv'>, flag: string): string | undefined {
  return argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;
}

/** Who reads nothing goes by what is recorded, as if that were there. */
export function isBlind(process: Pick<Process, 'argv'>): boolean {
  return wordAfter(process, '--refresh') === 'none';
}

/** It is looked at, where a check is of a part. */
export function isIn({ partial }: Pick<DriftResult, 'partial'>, address: string): boolean {
  const isBelow = (each: string): boolean => `${address}/`.startsWith(`${each}/`);
  const { targets = [], excludes = [] } = partial ?? {};
  return (targets.length === 0 || targets.some(isBelow)) && !excludes.some(isBelow);
}

/** Undefined: it has told none. */
export function rowsOf({ data }: Process): FleetReport['rows'] | undefined {
  try {
    return (JSON.parse(data) as Partial<FleetReport>).rows;
  } catch {
    return undefined;
  }
}

/** Whoever looked from then on was shown all of it. */
export function isShownBefore({ history }: Pick<Thing, 'history'>, ms: number): boolean {
  return history.every(({ inLists, alone, glimpse }) => Math.max(inLists, alone, glimpse) < ms);
}

/** What the record speaks of: the rest of a map is anybody's. */
export function ownPart(truth: JsonObject, inputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(truth).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
      const said = inputs[name];
      if (said === undefined) return [];
      return [[name, ownValue(value, said)]];
    }),
  );
}

/** Of records in a list each by its place. */
function ownValue(value: Json, said: Json): Json {
  if (isList(said) && isList(value) && said.length === value.length)
    return value.map((item, at) => ownValue(item, said[at] ?? null));
  return isObject(said) && isObject(value) ? ownPart(value, said) : value;
}

/** What is reviewed goes by the files of its plan, and an undo by what was there. */
export function goesByFiles({ argv }: Process): boolean {
  return argv[0] === 'apply' && !argv.includes('plan.json');
}

/** What has no name is as another one where it has all that this one says; of others the name alone tells. */
export function isAlike(collection: Collection, says: JsonObject, other: JsonObject): boolean {
  return collection !== 'notes' || (says['color'] ?? null) === null || says['color'] === other['color'];
}

export function without<T>(all: readonly T[], others: readonly T[]): readonly T[] {
  return all.filter((each) => !others.includes(each));
}

/** A value that is not told, or was not known. */
export function isUnknown(value: Json): boolean {
  return JSON.stringify(value).includes('"$');
}

export function same(one: Json | undefined, other: Json): boolean {
  if (typeof other === 'object' && other !== null && !Array.isArray(other))
    return Object.entries(other).every(([name, value]) =>
      same((one as JsonObject | null | undefined)?.[name], value as Json),
    );
  const [here, there] = [inOrder(one), inOrder(other)];
  // Of records in a list, too, the part that is said.
  if (isList(here) && isList(there))
    return here.length === there.length && there.every((item, at) => same(here[at], item));
  return JSON.stringify(here) === JSON.stringify(there);
}

/** No answer to it was wrong. */
export function isToldRight({ liedAbout, deniedHome, miscountedUntil }: Process): boolean {
  return liedAbout.size === 0 && deniedHome === undefined && miscountedUntil === 0;
}
