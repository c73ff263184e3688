import { compareText } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import {
  defined,
  hasUnknown,
  isList,
  isObject,
  isSecret,
  isUnknown,
  type Json,
  reveal,
  unknownParts,
  type Value,
} from '@platform-sync/core/model/value';
import type { FieldChange, Plan, PlanStep } from '@platform-sync/core/model/plan';
import { mayHoldSecret, type FieldRule } from '@platform-sync/core/model/resource-type';
import { plainRule, type Seals } from '@platform-sync/core/value/seal';
import { isSealed } from '@platform-sync/core/value/secret-parts';
import type { Change } from './change.js';
import type { Step } from './step.js';

/**
 * What a step does to its object, as a digest: what is sent, what it takes the place of, what ends along with it, and what state learns
 * of options. Neither why nor which files say it counts, nor fields that stay as they are. A secret counts by its fingerprint, and under
 * review by its words.
 */
export function stepEffect(step: Step, lost: readonly FieldChange[], risks: PlanStep['risks'], seals: Seals): string {
  const { address, type, action, order, force, movedFrom, actual, recorded, options, operations } = step;
  const marks = new Marks(seals, address);
  // Who forces a delete has said that all in it may go.
  const along = force === true ? [] : risks.flatMap((risk) => (risk.kind === 'cascades' ? [risk.what] : []));
  const parking = operations.find((operation) => operation.parking !== undefined)?.parking;
  return sha256(
    canonicalJson({
      ...{ address, type: type.token, action },
      ...defined({ order, force, from: movedFrom, options, parking, along: along.length === 0 ? undefined : along }),
      object: actual?.identity ?? (action === 'forget' ? recorded?.identity : undefined) ?? null,
      takes: Object.fromEntries(lost.flatMap((change) => taken(change, marks))),
      sends: Object.fromEntries(sent(step, marks)),
    }),
  );
}

function taken({ field, old, cannotClear }: FieldChange, marks: Marks): readonly (readonly [string, Json])[] {
  return old === undefined || cannotClear === true ? [] : [[field, marks.shown(field, old)]];
}

/** What is written, by field: all of a new object, of an existing one what changes. */
function sent(step: Step, marks: Marks): readonly (readonly [string, Json])[] {
  const { action, type, declared, changes } = step;
  const said = (isMeant: (rule: FieldRule) => boolean): readonly (readonly [string, Json])[] =>
    [...declared].flatMap(([name, value]) => {
      const rule = type.fields[name];
      if (rule === undefined || !isMeant(rule) || (value === null && rule.nullIsValue !== true)) return [];
      return [[name, marks.of(rule, value)] as const];
    });
  if (action === 'create' || action === 'replace') return said(() => true);
  if (action !== 'update' && action !== 'adopt') return [];
  // What takes the place of the whole repeats what no answer shows.
  const repeated = type.isWrittenWhole === true && changes.length > 0 ? said((rule) => rule.writeOnly) : [];
  return [...repeated, ...changes.flatMap((change) => written(change, marks))];
}

function written({ rule, wanted }: Change, marks: Marks): readonly (readonly [string, Json])[] {
  if (wanted.by === 'nobody' || wanted.by === 'keeping') return [];
  return [[rule.name, wanted.by === 'value' ? { is: marks.of(rule, wanted.value) } : { by: wanted.by }]];
}

/** Values as they count in one step's effect: nothing of a secret can be compared with what stands elsewhere. */
class Marks {
  readonly #seals: Seals;
  readonly #address: string;

  constructor(seals: Seals, address: string) {
    this.#seals = seals;
    this.#address = address;
  }

  of(rule: FieldRule, value: Value): Json {
    const mark = this.#mark(rule.name, this.#seals.comparable(rule, value, undefined));
    return mayHoldSecret(rule) ? this.#seals.fingerprint([this.#address, rule.name, mark]) : mark;
  }

  /** Of what a read has shown, or what is no field's. */
  shown(field: string, value: Value): Json {
    return this.#mark(field, value);
  }

  #mark(field: string, value: Value): Json {
    if (typeof value !== 'object') return value;
    if (isUnknown(value)) return { $unknown: unknownParts(value).map((part) => this.#mark(field, part)) };
    if (isSealed(value)) return this.#secret(field, value);
    if (isSecret(value)) {
      if (hasUnknown(value.value)) return { $secret: this.#mark(field, value.value) };
      return this.#secret(field, this.#seals.sealPlain(plainRule, reveal(value.value), value.expression));
    }
    if (isList(value)) return value.map((item) => this.#mark(field, item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.#mark(field, member)]));
  }

  #secret(field: string, sealed: Json): Json {
    const { new: told = null } = this.#seals.told({ new: sealed }, () => [this.#address, field]);
    return isSealed(told) ? told.$secret.fingerprint : told;
  }
}

/** What an output is to hold, as it counts in the effect. */
export function outputEffect(name: string, value: Value, seals: Seals): string {
  return sha256(canonicalJson(new Marks(seals, 'outputs').shown(name, value)));
}

type Whole = Pick<Plan, 'targets' | 'lineage' | 'steps' | 'guards'>;

/**
 * What a plan does: where, to the state of which lineage, each step, guards that are lifted, outputs. Two plans with the same one send
 * the same requests, whatever else was merged, applied or renamed between them.
 */
export function planEffect(
  { targets, lineage, steps, guards }: Whole,
  outputs: Readonly<Record<string, Json>>,
): string {
  const providers = new Set(steps.map(({ type }) => type.slice(0, type.indexOf(':'))));
  return sha256(
    canonicalJson({
      targets: Object.fromEntries(Object.entries(targets).filter(([provider]) => providers.has(provider))),
      lineage,
      steps: [...steps]
        .sort((a, b) => compareText(a.address, b.address))
        .map(({ address, effectDigest }): Json => [address, effectDigest ?? null]),
      lifted: guards.flatMap(({ name, lifted }) => (lifted === undefined ? [] : [name])).sort(compareText),
      outputs,
    }),
  );
}
