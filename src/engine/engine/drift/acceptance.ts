import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { Finding } from '@platform-sync/core/model/drift';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { sameJson } from '@platform-sync/core/model/canonical';
import {
  hasSecret,
  hasUnknown,
  isSecret,
  reveal,
  type Json,
  isList,
  isObject,
  secret,
  type Value,
} from '@platform-sync/core/model/value';
import type { Step } from '../plan/step.js';
import { acceptedValue } from '@platform-sync/core/value/accept';
import { respelled } from '@platform-sync/core/value/respell';
import { isSealed } from '@platform-sync/core/value/seal';
import { isSealedByParts, withSecretParts } from '@platform-sync/core/value/secret-parts';
import { whyNotAcceptable } from './advice.js';
import { objectReference, type movedReferences } from './moved-reference.js';
import type { CatalogueChange } from './places-to-edit.js';

/** A property of the catalogue that is to say what the platform has. */
export interface Acceptance extends CatalogueChange {
  readonly finding: Finding;
  readonly rule: FieldRule;
}

/** What accepting a finding means for the catalogue, or why it can't be done. */
export function acceptance(
  finding: Finding,
  step: Step | undefined,
  moved: ReturnType<typeof movedReferences>,
): Acceptance | { readonly why: string } {
  const { field } = finding;
  const desired = step?.desired;
  if (finding.class === 'deleted') return { why: 'the object is gone: take its block out of the catalogue by hand' };
  if (finding.class === 'unmanaged') return { why: 'nobody manages it: describe it by hand, then sync adopt' };
  if (finding.class === 'expired-rule') return { why: 'it is a rule of sync.yaml, not a value' };
  if (step === undefined || desired === undefined) return { why: 'the catalogue no longer has this resource' };
  const rule = field === undefined ? undefined : step.type.fields[field];
  if (rule === undefined) return { why: 'its type has changed in the catalogue' };
  const declared = step.declared.get(rule.name) ?? null;
  const from = declared === null || hasUnknown(declared) ? undefined : reveal(declared);
  const reference = moved(step, rule.name);
  if (reference !== undefined && !hasUnknown(declared))
    return { finding, desired, field: rule.name, rule, from, to: step.actual?.values[rule.name], reference };
  const why = whyFixed(step, desired, rule);
  if (why !== undefined) return { why };
  const taken = wanted(step, desired, rule, from);
  const to = taken === undefined ? undefined : withFilesSecrets(rule, taken, from, declared);
  if (taken !== undefined && (to === undefined || sameJson(to, from ?? null))) return { why: 'it is a secret' };
  if (to === undefined && rule.required)
    return { why: 'the catalogue must name a value here, and the platform has none' };
  return { finding, desired, field: rule.name, rule, from, to };
}

function whyFixed(step: Step, desired: DesiredResource, rule: FieldRule): string | undefined {
  const expression = desired.properties.get(rule.name);
  const clause = expression === undefined ? undefined : whyNotAcceptable(expression, rule);
  if (clause !== undefined) {
    if (objectReference(desired, rule.name) !== undefined)
      return `the catalogue ${clause} here, and describes no object that is ${String(step.actual?.values[rule.name])}: describe that one, take it over with sync adopt, and accept again`;
    const filledIn = expression?.kind === 'reference' && !desired.propertyKeys.has(rule.name);
    return filledIn ? 'it follows from where the block stands' : `the catalogue ${clause} here`;
  }
  const declared = step.declared.get(rule.name);
  const known = [step.recorded?.inputs[rule.name], step.recorded?.outputs[rule.name]];
  const isOpen = isSealedByParts(rule) && !isSecret(declared ?? null);
  const isSaid = declared !== undefined && hasSecret(declared);
  if (!isOpen && (rule.secret || known.some(isSealed) || isSaid)) return 'it is a secret';
  if (declared !== undefined && hasUnknown(declared))
    return 'the catalogue refers to something that does not exist yet';
  return undefined;
}

/** The platform's value; what is left alone, what others own and trailing white space stay as the file has them. */
function wanted(step: Step, desired: DesiredResource, rule: FieldRule, from: Json | undefined): Json | undefined {
  const actual = step.actual?.values[rule.name] ?? undefined;
  if (actual === undefined || actual === null) return undefined;
  if (
    (rule.equality === 'text' || rule.equality === 'document') &&
    typeof actual === 'string' &&
    typeof from === 'string'
  ) {
    const text = rule.equality === 'document' ? respelled(actual, from) : actual;
    return text.trimEnd() + from.slice(from.trimEnd().length);
  }
  return acceptedValue(rule, {
    ...{ declared: from, actual, ignored: desired.options.ignoreChanges },
    recorded: step.recorded?.inputs[rule.name],
    seen: step.recorded?.outputs[rule.name],
  });
}

/**
 * What the platform has, with what is secret as the file has it: nobody else's secret gets into a file. Undefined where that can't be
 * told, because a list with secrets in it has grown or shrunk.
 */
function withFilesSecrets(rule: FieldRule, taken: Json, from: Json | undefined, declared: Value): Json | undefined {
  if (!isSealedByParts(rule)) return taken;
  const marked = withSecretParts(rule, taken, [declared], ({ value, expression }) => secret(value, expression));
  return hasSecret(marked) ? filled(marked, from) : taken;
}

function filled(marked: Value, from: Json | undefined): Json | undefined {
  if (isSecret(marked)) return from;
  if (isList(marked)) {
    const said = isList(from) ? from : [];
    if (said.length !== marked.length && hasSecret(marked)) return undefined;
    const items = marked.map((item, at) => filled(item, said[at]));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isObject(marked)) return reveal(marked);
  const said = isObject(from) ? from : {};
  const members = Object.entries(marked).map(([key, member]) => [key, filled(member, said[key]), member] as const);
  if (members.some(([, value, member]) => value === undefined && !isSecret(member))) return undefined;
  return Object.fromEntries(members.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}
