import { defaultOptions, type DesiredResource, type ResourceOptions } from '@platform-sync/core/model/desired';
import type { Address } from '@platform-sync/core/model/address';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { Json, JsonObject, Value } from '@platform-sync/core/model/value';
import type { Change } from '@platform-sync/engine/plan/change';
import { Matching } from '@platform-sync/engine/plan/matching';
import type { Operation, Step } from '@platform-sync/engine/plan/step';
import { platformPackage } from '@platform-sync/platform/package';

/** Small made-up inputs for the planner's own tests: no catalogue, no platform. */

export function typeNamed(name: string): ResourceType {
  const type = [...platformPackage.types.values()].find((known) => known.name === name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}

export function fieldOf(type: ResourceType, name: string): FieldRule {
  const rule = type.fields[name];
  if (rule === undefined) throw new Error(`no field ${name}`);
  return rule;
}

const nowhere = { file: 'catalogue/all.yaml', start: 0, end: 0 };

export function desiredResource(
  address: Address,
  options: Partial<ResourceOptions> = {},
  type = 'ApiProduct',
): DesiredResource {
  return {
    ...{ address, type: typeNamed(type).token, properties: new Map(), at: nowhere, propertyKeys: new Map() },
    options: { ...defaultOptions, ...options },
  };
}

export function record(
  address: Address,
  more: Partial<RecordedResource> & { readonly kind?: string } = {},
): RecordedResource {
  const { kind = 'ApiProduct', ...rest } = more;
  return {
    ...{ address, type: typeNamed(kind).token, identity: { id: `id of ${address}`, scope: {} } },
    ...{ inputs: {}, outputs: {}, dependencies: [], protect: false, retainOnDelete: false, deposed: [] },
    ...rest,
  };
}

export interface StepShape {
  readonly kind?: string;
  readonly options?: Partial<ResourceOptions>;
  readonly declared?: Readonly<Record<string, Value>>;
  readonly actual?: JsonObject;
  readonly recorded?: RecordedResource;
  readonly changes?: readonly Change[];
  readonly order?: Step['order'];
  readonly movedFrom?: Address;
  readonly deposedOf?: Address;
}

/** A step as `propose` would make it; what ends or changes has an object and a record. */
export function step(address: Address, action: Step['action'], shape: StepShape = {}): Step {
  const { kind = 'ApiProduct', options, declared = {}, actual, changes = [], order, movedFrom, deposedOf } = shape;
  const isDesired = action !== 'delete' && action !== 'forget';
  const exists = action !== 'create';
  const recorded =
    shape.recorded ?? (exists && action !== 'adopt' ? record(movedFrom ?? address, { kind }) : undefined);
  return {
    ...{
      address,
      type: typeNamed(kind),
      action,
      changes,
      operations: [],
      reasons: [],
      undeclared: [],
      recordOnly: false,
    },
    declared: new Map(Object.entries(declared)),
    ...(isDesired ? { desired: desiredResource(address, options, kind) } : {}),
    ...(recorded === undefined ? {} : { recorded }),
    ...(exists ? { actual: { identity: recorded?.identity ?? { id: 'found', scope: {} }, values: actual ?? {} } } : {}),
    ...(action === 'replace' ? { order: order ?? 'delete-first' } : {}),
    ...(movedFrom === undefined ? {} : { movedFrom }),
    ...(deposedOf === undefined ? {} : { deposedOf }),
  };
}

export function changing(kind: string, field: string, next?: Json, rule: 'update' | 'replace' = 'update'): Change {
  return {
    rule: fieldOf(typeNamed(kind), field),
    shown: { field, rule, cause: 'config', ...(next === undefined ? {} : { new: next }) },
    wanted: next === undefined ? { by: 'null' } : { by: 'value', value: next },
  };
}

export function byAddress(steps: readonly Step[]): ReadonlyMap<Address, Step> {
  return new Map(steps.map((one) => [one.address, one]));
}

export function state(records: readonly RecordedResource[], more: Partial<StackState> = {}): StackState {
  return {
    ...{ project: 'shop', stack: 'dev', lineage: 'lineage', serial: 1, fingerprintKey: '00' },
    ...{ targets: {}, outputs: {}, intents: [] },
    resources: new Map(records.map((one) => [one.address, one])),
    ...more,
  };
}

/** True when each operation stands after all it waits for. */
export function isInOrder(operations: readonly Operation[]): boolean {
  const seen = new Set<string>();
  return operations.every(
    ({ id, dependsOn }) => dependsOn.every((other) => seen.has(other)) && seen.add(id) !== undefined,
  );
}

/** Whose record is whose, of a catalogue of addresses with their aliases, over the records of a state. */
export function matchingOf(
  catalogue: Readonly<Record<Address, readonly Address[]>>,
  records: readonly Address[],
): Matching {
  return new Matching(
    new Map(Object.entries(catalogue).map(([address, aliases]) => [address, desiredResource(address, { aliases })])),
    new Map(records.map((address) => [address, record(address)])),
    () => false,
    () => false,
  );
}

export const dependsOn = (address: string, ...dependencies: readonly string[]) => ({
  recorded: record(address, { dependencies }),
});
