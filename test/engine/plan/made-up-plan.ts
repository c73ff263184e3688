import {
  defaultOptions,
  type DesiredResource,
  type DesiredState,
  type ResourceOptions,
} from '@platform-sync/core/model/desired';
import type { Expression } from '@platform-sync/core/model/expression';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ListedStrangers, Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import type { RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { makePlan, type Planned } from '@platform-sync/engine/plan/plan';
import type { PlanInput } from '@platform-sync/engine/plan/planning-state';
import { topologicalOrder } from '@platform-sync/core/model/graph';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import { Seals } from '@platform-sync/core/value/seal';
import { typeOf, types } from './made-up-types.js';

/** Whole plans out of made-up worlds: no catalogue, no platform, nothing awaited. */

export const seals = new Seals((value) => `hmac-sha256:${JSON.stringify(value)}`);

export interface Wanted {
  readonly type?: string;
  readonly properties?: JsonObject;
  readonly options?: Partial<ResourceOptions>;
  readonly placedAfter?: string;
  /** Fields that another file gives. */
  readonly elsewhere?: readonly string[];
}

export interface World {
  readonly mode?: PlanInput['mode'];
  /** By address; the type is Shelf where nothing is said, and an address below another refers to it by itself. */
  readonly wanted?: Readonly<Record<string, Wanted>>;
  readonly records?: readonly RecordedResource[];
  /** What became of the recorded objects; those without a word here are as recorded. */
  readonly readings?: Readonly<Record<string, Reading>>;
  readonly found?: Readonly<Record<string, Reading>>;
  readonly snapshot?: Partial<Snapshot>;
  readonly outputs?: JsonObject;
  /** Addresses that the catalogue lets go of. */
  readonly removed?: readonly string[];
  /** Addresses that another stack takes over, and as what. */
  readonly moved?: Readonly<Record<string, string>>;
  readonly state?: Partial<StackState>;
  /** Who owns what elsewhere is known to be nobody, unless a world says otherwise. */
  readonly more?: Partial<PlanInput>;
}

const at = { file: 'catalogue/all.yaml', start: 0, end: 0 };

/** `${a.id}` is a reference; `secret:NAME:value` a secret; `lookup:TOKEN:RETURN` a lookup. */
export function expression(value: Json): Expression {
  if (typeof value === 'string') return textExpression(value);
  if (typeof value !== 'object' || value === null) return { kind: 'literal', value, at };
  if (Array.isArray(value)) return { kind: 'list', items: (value as readonly Json[]).map(expression), at };
  const entries = Object.entries(value as JsonObject).map(
    ([key, member]) => [key, { key: at, value: expression(member) }] as const,
  );
  return { kind: 'map', entries: new Map(entries), at };
}

function textExpression(text: string): Expression {
  const [, target, path] = /^\$\{([^.}]+)\.([^}]+)\}$/.exec(text) ?? [];
  if (target !== undefined && path !== undefined)
    return { kind: 'reference', to: 'resource', target, path: path.split('.'), text: `${target}.${path}`, at };
  const [kind, name = '', rest = ''] = text.split(':');
  if (kind === 'secret') return { kind, value: textExpression(rest), text: `!env ${name}`, at };
  if (kind === 'lookup') return { kind, function: name, arguments: expression({ of: textOf(rest) }), return: 'id', at };
  return { kind: 'literal', value: text, at };
}

const textOf = (rest: string): string => (rest.startsWith('secret') ? `secret:KEY:${rest}` : rest);

function desired(
  address: string,
  { type = 'Shelf', properties = {}, options = {}, elsewhere = [], ...place }: Wanted,
): DesiredResource {
  const names = Object.keys(properties);
  return {
    ...{ address, type: typeOf(type).token, at },
    properties: new Map(names.map((name) => [name, expression(properties[name] ?? null)])),
    propertyKeys: new Map(
      names.map((name) => [
        name,
        { ...at, ...(elsewhere.includes(name) ? { file: 'overlays/prod.yaml' } : {}), start: 1 },
      ]),
    ),
    options: { ...defaultOptions, ...options },
    ...place,
  };
}

/** `b: {shelfId: …}` of a record is its place as well. */
export function recordOf(
  address: string,
  type: string,
  inputs: JsonObject,
  more: Partial<RecordedResource> = {},
): RecordedResource {
  const { collection, token } = typeOf(type);
  const scope = Object.fromEntries(collection.scope.map((name) => [name, String(inputs[name] ?? '')]));
  return {
    ...{ address, type: token, identity: { id: `id-${address}`, scope }, inputs },
    ...{ outputs: inputs, dependencies: [], protect: false, retainOnDelete: false, deposed: [] },
    ...more,
  };
}

/** As read: what is recorded, and what changed since. */
export function readingOf({ identity, outputs }: RecordedResource, changes: JsonObject = {}): Reading {
  return { kind: 'found', identity, values: { ...outputs, ...changes } };
}

export function foundObject(id: string, values: JsonObject, scope: Readonly<Record<string, string>> = {}): Reading {
  return { kind: 'found', identity: { id, scope }, values: { ...scope, ...values } };
}

export function remoteObject(
  id: string,
  values: JsonObject,
  scope: Readonly<Record<string, string>> = {},
): RemoteObject {
  return { identity: { id, scope }, values };
}

export function listed(
  type: string,
  objects: readonly RemoteObject[],
  more: Partial<ListedStrangers> = {},
): ListedStrangers {
  return { type: typeOf(type).token, scope: {}, morePages: 0, objects, ...more };
}

export const failedReading = (code = 'unreachable'): Reading => ({
  kind: 'failed',
  diagnostic: { severity: 'error', code, summary: `${code}.` },
});

/** Nobody else manages anything. */
const nobodyElsewhere: PlanInput['elsewhere'] = new (class extends Map<string, 'nobody'> {
  override get(): 'nobody' {
    return 'nobody';
  }
})();

export function planInput(world: World): PlanInput {
  const { wanted = {}, records = [], readings = {}, found = {}, mode = 'apply' } = world;
  const resources = new Map(Object.entries(wanted).map(([address, one]) => [address, desired(address, one)] as const));
  const state: DesiredState = {
    ...{ resources, variables: new Map(), digest: 'digest' },
    outputs: new Map(Object.entries(world.outputs ?? {}).map(([name, value]) => [name, expression(value)])),
    ...(world.removed === undefined ? {} : { removed: new Map(world.removed.map((address) => [address, at])) }),
    ...(world.moved && { moved: new Map(Object.entries(world.moved).map(([from, to]) => [from, { to, at }])) }),
    sources: { place: ({ file, start }: { file: string; start: number }) => ({ file, line: start + 1, column: 1 }) },
  } as unknown as DesiredState;
  const graph = dependencyGraph(state);
  const read = records.map((one) => [one.address, readings[one.address] ?? readingOf(one)] as const);
  return {
    ...{ mode, desired: state, graph, order: topologicalOrder(graph), types, seals, engine: '1.0.0' },
    state: {
      ...{ project: 'library', stack: 'dev', lineage: 'lineage', serial: 7, fingerprintKey: '00' },
      ...{ targets: {}, outputs: {}, intents: [], resources: new Map(records.map((one) => [one.address, one])) },
      ...world.state,
    },
    snapshot: {
      ...{ readings: new Map(read), found: new Map(Object.entries(found)), unmanaged: [], listed: [] },
      ...{ unread: [], uncertain: new Map() },
      ...world.snapshot,
    },
    ...{
      lookups: new Map(),
      replace: new Set(),
      resend: new Set(),
      imports: new Map(),
      looksForKeys: true,
      elsewhere: nobodyElsewhere,
    },
    ...{ targets: {}, allow: [], only: [], excludes: [], isCheck: false, looksInside: true },
    guards: { maxDeletes: 1000, maxDeletePercent: 100, allow: [] },
    meta: { createdAt: '2026-06-01T12:00:00.000Z', host: 'here', requests: 3 },
    ...world.more,
  };
}

/** A plan without a question about keys that objects are to get. */
export function planned(world: World): Extract<Planned, { kind: 'plan' }> {
  const result = makePlan(planInput({ ...world, more: { looksForKeys: false, ...world.more } }));
  if (result.kind !== 'plan') throw new Error(JSON.stringify(result));
  return result;
}

export function needs(world: World): Extract<Planned, { kind: 'needs' }> {
  const result = makePlan(planInput(world));
  if (result.kind !== 'needs') throw new Error(`a ${result.kind}`);
  return result;
}

export function refused(world: World): Extract<Planned, { kind: 'refused' }>['problems'] {
  const result = makePlan(planInput(world));
  if (result.kind !== 'refused') throw new Error(`a ${result.kind}`);
  return result.problems;
}

export const planOf = (world: World): Plan => planned(world).plan;

/** Addresses whose record is written although the platform may be left as it is. */
export const recordedAnew = (world: World): readonly string[] =>
  [...planned(world).steps.values()].filter(({ recordOnly }) => recordOnly).map(({ address }) => address);

/** `replace shelf/book`, in the order of the plan. */
export const steps = (world: World): readonly string[] =>
  planOf(world).steps.map(({ action, address }) => `${action} ${address}`);

export function stepOf(world: World, address: string): PlanStep {
  const step = planOf(world).steps.find((one) => one.address === address);
  if (step === undefined) throw new Error(`no step for ${address}`);
  return step;
}
