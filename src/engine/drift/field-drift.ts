import { defined } from '../model/defined.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';
import { hasUnknown, type Json, type JsonObject } from '../model/value.js';
import { needsChange } from '../plan/diff.js';
import { factsOf } from '../plan/facts.js';
import type { Proposal } from '../plan/proposal.js';
import { compareField, compareObject, type FieldComparison } from '../value/field-comparison.js';
import type { Seals } from '../value/seal.js';

/** An object that state knows and the platform showed. */
interface Compared {
  /** The type that state knows it under. */
  readonly type: ResourceType;
  readonly actual: JsonObject;
  readonly proposal: Proposal;
}

/** A field that is not as recorded. */
export interface FieldDrift {
  readonly rule: FieldRule;
  readonly class: 'modified' | 'undeclared-changed' | 'converged';
  readonly old?: Json;
  readonly new?: Json;
  readonly alsoInFile: boolean;
  /** True when it is no difference without the parts that these paths leave out. */
  readonly isOnly: (paths: readonly string[]) => boolean;
}

/** Recorded against actual, field by field; fields that the platform never shows can't drift. */
export function compareFields({ type, actual, proposal }: Compared, seals: Seals): readonly FieldDrift[] {
  const facts = factsOf(proposal, actual, seals, type);
  const declares = (name: string): boolean => facts.declared.get(name) !== undefined;
  return compareObject(facts).flatMap((field): readonly FieldDrift[] => {
    const { rule, shown } = field;
    if (field.lastSeen === undefined || !(field.drifted || field.strayed)) return [];
    const [old, next] = [shown(field.lastSeen), shown(field.actual)];
    const isOnly = (paths: readonly string[]): boolean => {
      const { drifted, strayed } = compareField(rule, { ...facts, ignored: [...facts.ignored, ...paths] });
      return !drifted && !strayed;
    };
    return [
      {
        ...{ rule, isOnly },
        ...defined({ old, new: next }),
        ...against(
          field,
          declares(rule.name),
          proposal.desired !== undefined && proposal.type === type,
          hasHoles(facts, rule),
        ),
      },
    ];
  });
}

function hasHoles({ declared }: ReturnType<typeof factsOf>, { name }: FieldRule): boolean {
  return hasUnknown(declared.get(name) ?? null);
}

/** What the catalogue says to the change. */
function against(
  field: FieldComparison,
  isDeclared: boolean,
  isDesired: boolean,
  waits: boolean,
): Pick<FieldDrift, 'class' | 'alsoInFile'> {
  if (field.strayed) return { class: 'undeclared-changed', alsoInFile: false };
  if (waits) return { class: 'modified', alsoInFile: false };
  // The line is gone from the file: the planner knows whether the platform is at its default.
  if (!isDeclared) return { class: isDesired && !needsChange(field) ? 'converged' : 'modified', alsoInFile: true };
  if (field.same) return { class: 'converged', alsoInFile: false };
  return { class: 'modified', alsoInFile: field.configured };
}
