import type { SpecificationChanges } from '../api.js';
import { type Address, parentAddress } from '@platform-sync/core/model/address';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { type FieldRule, isWritten, mayHoldSecret, shortToken } from '@platform-sync/core/model/resource-type';
import {
  defined,
  isList,
  isObject,
  isSecret,
  isUnknown,
  type Json,
  type JsonObject,
  ownMember,
  type Value,
} from '@platform-sync/core/model/value';
import { compareObject } from '@platform-sync/core/value/field-comparison';
import { isSealed, type Seals } from '@platform-sync/core/value/seal';
import type { Step } from '../plan/step.js';
import { type CelNames, Hole, holed } from './cel.js';

/** What rules see of a plan, each thing under the name that it has in expressions. */

class SummaryFacts {
  readonly create: bigint;
  readonly update: bigint;
  readonly replace: bigint;
  readonly delete: bigint;
  readonly forget: bigint;
  readonly adopt: bigint;
  readonly move: bigint;
  readonly unchanged: bigint;

  constructor(summary: Plan['summary']) {
    this.create = BigInt(summary.create);
    this.update = BigInt(summary.update);
    this.replace = BigInt(summary.replace);
    this.delete = BigInt(summary.delete);
    this.forget = BigInt(summary.forget);
    this.adopt = BigInt(summary.adopt);
    this.move = BigInt(summary.move);
    this.unchanged = BigInt(summary.unchanged);
  }
}

class FieldFacts {
  readonly field: string;
  readonly cause: string;
  readonly old: unknown;
  readonly new: unknown;

  constructor(change: PlanStep['fields'][number]) {
    this.field = change.field;
    this.cause = change.cause;
    this.old = change.old === undefined ? undefined : celOf(change.old);
    this.new = change.new === undefined ? undefined : celOf(change.new);
  }
}

export class StepFacts {
  readonly address: Address;
  readonly type: string;
  readonly action: string;
  readonly cause: string;
  readonly id: string;
  readonly from: string;
  readonly changed: readonly string[];
  readonly risks: readonly string[];
  readonly reasons: readonly string[];
  readonly #fields: PlanStep['fields'];

  constructor(
    step: Pick<PlanStep, 'address' | 'type' | 'cause' | 'id' | 'from' | 'fields' | 'risks' | 'reasons'>,
    action: string,
    risks: readonly string[] = step.risks.map(({ kind }) => kind),
    reasons: readonly string[] = step.reasons.map(({ kind }) => kind),
  ) {
    this.address = step.address;
    this.type = shortToken(step.type);
    this.action = action;
    this.cause = step.cause ?? '';
    this.id = step.id ?? '';
    this.from = step.from ?? '';
    this.changed = step.fields.map(({ field }) => field);
    this.risks = risks;
    this.reasons = reasons;
    this.#fields = step.fields;
  }

  get fields(): readonly FieldFacts[] {
    return this.#fields.map((change) => new FieldFacts(change));
  }
}

/** What a rule may ask of the plan as a whole. */
type JudgedPlan = Pick<Plan, 'mode' | 'project' | 'stack' | 'targets' | 'summary' | 'parameters'> & {
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly isPartial: boolean;
  readonly steps: readonly StepFacts[];
};

export class PlanFacts {
  readonly mode: string;
  readonly project: string;
  readonly stack: string;
  readonly createdAt: Date;
  readonly partial: boolean;
  readonly summary: SummaryFacts;
  readonly targets: unknown;
  readonly parameters: unknown;
  readonly steps: readonly StepFacts[];

  constructor(plan: JudgedPlan) {
    this.mode = plan.mode;
    this.project = plan.project;
    this.stack = plan.stack;
    this.createdAt = new Date(plan.createdAt);
    this.partial = plan.isPartial;
    this.summary = new SummaryFacts(plan.summary);
    this.targets = celOf(plan.targets);
    this.parameters = celOf(plan.parameters ?? {});
    this.steps = plan.steps;
  }
}

export class ResourceFacts {
  readonly address: Address;
  readonly type: string;
  readonly parent: string;
  readonly file: string;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;

  constructor(said: { readonly address: Address; readonly type: string } & Partial<ResourceFacts>) {
    this.address = said.address;
    this.type = said.type;
    this.parent = said.parent ?? parentAddress(said.address) ?? '';
    this.file = said.file ?? '';
    this.protect = said.protect ?? false;
    this.retainOnDelete = said.retainOnDelete ?? false;
  }

  static of({
    address,
    type,
    desired,
    recorded,
  }: Pick<Step, 'address' | 'type' | 'desired' | 'recorded'>): ResourceFacts {
    const { protect, retainOnDelete } = desired?.options ?? recorded ?? {};
    const file = desired?.at.file;
    return new ResourceFacts({ address, type: shortToken(type.token), ...defined({ file, protect, retainOnDelete }) });
  }
}

/** What a new API description means for who calls the API; empty where none changes. */
export class SpecFacts {
  readonly breaks: readonly string[];
  readonly mayBreak: readonly string[];
  readonly safe: readonly string[];

  constructor({ breaks, mayBreak, safe }: SpecificationChanges) {
    this.breaks = breaks;
    this.mayBreak = mayBreak;
    this.safe = safe;
  }
}

/** The types of all these names. `old` and `new` are of any type: null is a value of theirs. */
export const names: CelNames = {
  types: [
    {
      name: 'Summary',
      ctor: SummaryFacts,
      fields: {
        ...{ create: 'int', update: 'int', replace: 'int', delete: 'int' },
        ...{ forget: 'int', adopt: 'int', move: 'int', unchanged: 'int' },
      },
    },
    { name: 'Field', ctor: FieldFacts, fields: { field: 'string', cause: 'string', old: 'dyn', new: 'dyn' } },
    {
      name: 'Step',
      ctor: StepFacts,
      fields: {
        ...{ address: 'string', type: 'string', action: 'string', cause: 'string', id: 'string', from: 'string' },
        ...{ changed: 'list<string>', risks: 'list<string>', reasons: 'list<string>', fields: 'list<Field>' },
      },
    },
    {
      name: 'Plan',
      ctor: PlanFacts,
      fields: {
        ...{ mode: 'string', project: 'string', stack: 'string', createdAt: 'google.protobuf.Timestamp' },
        ...{ partial: 'bool', summary: 'Summary', targets: 'map<string, string>', parameters: 'map<string, dyn>' },
        steps: 'list<Step>',
      },
    },
    {
      name: 'Resource',
      ctor: ResourceFacts,
      fields: {
        ...{ address: 'string', type: 'string', parent: 'string', file: 'string' },
        ...{ protect: 'bool', retainOnDelete: 'bool' },
      },
    },
    {
      name: 'Spec',
      ctor: SpecFacts,
      fields: { breaks: 'list<string>', mayBreak: 'list<string>', safe: 'list<string>' },
    },
  ],
  variables: {
    ...{ plan: 'Plan', step: 'Step', resource: 'Resource', spec: 'Spec', old: 'dyn', new: 'dyn' },
    // As Kubernetes calls the same.
    ...{ oldObject: 'dyn', object: 'dyn' },
  },
  instead: {
    request: 'Say step.action ("create", "update", "delete" …), step.address or step.type.',
    params: 'Say plan.parameters, or a variable.',
    namespaceObject: 'There are no namespaces here: say resource.parent, plan.stack or plan.project.',
    authorizer: 'Who may do what is not asked of a plan.',
  },
};

type Known = Pick<Step, 'type' | 'declared' | 'recorded' | 'actual'>;

/** An object as the platform has it; null for none. */
export function oldOf({ type, recorded, actual }: Known, seals: Seals): Readonly<Record<string, unknown>> | null {
  const values = actual?.values ?? recorded?.outputs;
  if (values === undefined) return null;
  const facts = { type, declared: new Map(), recorded, actual: values, ignored: [], seals };
  const found = compareObject(facts).flatMap(
    ({ rule, actual: held, shown }): readonly (readonly [string, unknown])[] => {
      const value = shown(held);
      if (value === undefined || !isWritten(rule)) return [];
      return [[rule.name, celOfField(rule, value)]];
    },
  );
  return withHoles(Object.fromEntries(found));
}

/** An object as it is going to be, as far as anybody knows: what changes, over what there is. */
export function newOf(
  step: Known & Pick<Step, 'action' | 'changes'>,
  seals: Seals,
  old: () => Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, unknown>> | null {
  const { action, type, declared, changes } = step;
  if (action === 'delete' || action === 'forget') return null;
  const before = action === 'create' || action === 'replace' ? {} : (old() ?? {});
  const said = new Map(Object.entries(before));
  const put = (rule: FieldRule, value: Value): void => {
    if (value === null && rule.nullIsValue !== true) said.delete(rule.name);
    else
      said.set(
        rule.name,
        mayHoldSecret(rule) ? celOfField(rule, seals.planValue(rule, value)) : celOf(value, rule.schema),
      );
  };
  for (const [name, value] of declared) {
    const rule = ownMember(type.fields, name);
    // What does not change is as the platform has it, with what others keep in it.
    if (rule !== undefined && !Object.hasOwn(before, name)) put(rule, value);
  }
  for (const { rule, wanted } of changes) {
    if (wanted.by === 'value') put(rule, wanted.value);
    // A line that goes takes its value along.
    else if (wanted.by === 'null' || wanted.by === 'default') put(rule, null);
  }
  return withHoles(Object.fromEntries(said));
}

/** Of a secret field nothing is seen, whatever it holds. */
function celOfField(rule: FieldRule, value: Json): unknown {
  return rule.secret ? new Hole(`no rule reads a secret, and "${rule.name}" is one`) : celOf(value, rule.schema);
}

/** A value as expressions see it, with holes for what no rule sees; also one of a plan document or of a test case. */
export function celOf(value: Value, schema?: JsonObject): unknown {
  if (isUnknown(value)) return unknownHole(value.from);
  if (isSecret(value) || isSealed(value)) return new Hole('no rule reads a secret');
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && schema?.['type'] !== 'number' ? BigInt(value) : value;
  if (isList(value)) return withHoles(value.map((item) => celOf(item, objectAt(schema, 'items'))));
  if (!isObject(value)) return value;
  const { $unknown: from, ...others } = value;
  if (isList(from) && Object.keys(others).length === 0) return unknownHole(from.map(String));
  const properties = objectAt(schema, 'properties');
  const members = Object.entries(value).map(([key, member]) => [
    key,
    celOf(member, objectAt(properties, key) ?? objectAt(schema, 'additionalProperties')),
  ]);
  return withHoles(Object.fromEntries(members));
}

function unknownHole(from: readonly string[]): Hole {
  return new Hole(`${from.join(', ')} is known only after the apply`);
}

function objectAt(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const found = schema === undefined ? undefined : ownMember(schema, name);
  return isObject(found) ? found : undefined;
}

/** Remembers of a list or map that there is a hole in it. */
function withHoles<T extends object>(container: T): T {
  for (const part of Object.values(container)) {
    const hole = part instanceof Hole ? part : typeof part === 'object' && part !== null ? holed.get(part) : undefined;
    if (hole === undefined) continue;
    holed.set(container, hole);
    break;
  }
  return container;
}
