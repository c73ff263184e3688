import { addTo } from '../model/graph.js';
import type { Address } from '../model/address.js';
import type { ResourceType } from '../model/resource-type.js';
import { isList, isObject, isUnknown, type Value } from '../model/value.js';
import type { Step } from './step.js';

/** Whether somebody sees what is in an object: before the plan, and after it. What is not known counts as seen. */
export interface Seen {
  readonly before: boolean;
  readonly after: boolean;
}

const notKnown: Seen = { before: true, after: true };

/** For what lives in an object: whether that one is published anywhere, by what the platform lists and by what is planned. */
export function publicationsOf(steps: ReadonlyMap<Address, Step>): (inside: Step) => Seen {
  const homes = new Map<string, Step>();
  const publications = new Map<Step, Step[]>();
  const homeOf = (inside: Step): Step | undefined => {
    const { parent } = inside.type;
    const id = parent === undefined ? undefined : homeId(inside, parent.field);
    if (parent === undefined || id === undefined) return undefined;
    if (typeof id === 'string') return homes.get(homeKey(parent.type, id));
    const above = id.from.map((reference) => steps.get(reference.slice(0, reference.lastIndexOf('.'))));
    return above.find((found) => found?.type.token === parent.type);
  };
  for (const step of steps.values())
    if (step.actual !== undefined) homes.set(homeKey(step.type.token, step.actual.identity.id), step);
  for (const step of steps.values()) {
    const home = isPublication(step.type) ? homeOf(step) : undefined;
    if (home !== undefined) addTo(publications, home, step);
  }
  return (inside) => {
    const home = homeOf(inside);
    return home === undefined ? notKnown : seenIn(home, publications.get(home) ?? []);
  };
}

/** That one is there shows what it lives in. */
function isPublication({ presence, parent }: ResourceType): boolean {
  return presence?.shown !== undefined && parent !== undefined;
}

function homeKey(token: string, id: string): string {
  return `${token} ${id}`;
}

/** The id of its home, or what that waits for. */
function homeId(
  { declared, actual, recorded }: Step,
  field: string,
): string | Extract<Value, { from: unknown }> | undefined {
  const said = declared.get(field);
  if (typeof said === 'string' || isUnknown(said)) return said;
  return (actual ?? recorded)?.identity.scope[field];
}

function seenIn(home: Step, publications: readonly Step[]): Seen {
  const planned = publications.some(({ action }) => action !== 'delete');
  const { action, actual } = home;
  if (action === 'create') return { before: false, after: planned || holdsAny(home, home.declared) };
  if (actual === undefined) return notKnown;
  const held = new Map(Object.entries(actual.values));
  const recorded = publications.some(({ action: next, recorded: known }) => next !== 'create' && known !== undefined);
  const before = recorded || holdsAny(home, held) || !isKnown(home, held);
  if (action === 'replace') return { before, after: planned || holdsAny(home, home.declared) };
  const ended = new Set(
    publications.flatMap((each) => (each.action === 'delete' ? (each.actual?.identity.id ?? []) : [])),
  );
  const kept = new Map([...held, ...home.declared]);
  return { before, after: planned || holdsAny(home, kept, ended) || !isKnown(home, kept) };
}

type Values = ReadonlyMap<string, Value>;

/** The fields that say where an object is published: those that a catalogue may write, else those that the platform answers. */
function placeFields({ visibility, losses }: ResourceType): readonly string[] {
  const written = visibility.flatMap(({ field, values }) => (values === undefined ? [field] : []));
  return written.length > 0 ? written : losses.map(({ field }) => field);
}

function isKnown({ type }: Step, values: Values): boolean {
  return placeFields(type).some((field) => isList(values.get(field)));
}

function holdsAny({ type }: Step, values: Values, ended: ReadonlySet<string> = new Set()): boolean {
  return placeFields(type).some((field) => {
    const places = values.get(field);
    if (isUnknown(places)) return true;
    return isList(places) && places.some((place) => !isObject(place) || !ended.has(String(place['id'])));
  });
}
