import { sha256 } from '@platform-sync/core/model/canonical';
import { plainPattern } from '@platform-sync/core/model/pattern';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import type { OperationKind, Step } from './step.js';

/** How a holder of a key can step aside for a moment. */
export interface Parking {
  readonly field: string;
  readonly value: string;
}

/** Who has a key, and by which operation it gives it up. */
export interface KeyHolder {
  readonly step: Step;
  readonly kind: OperationKind;
  readonly group: readonly string[];
}

/** A text of the key that is about to change anyway can have a passing value. */
export function parkingOf({ step, kind, group }: KeyHolder): Parking | undefined {
  const id = step.actual?.identity.id;
  if ((kind !== 'update' && kind !== 'adopt') || id === undefined) return undefined;
  for (const { rule, shown } of step.changes) {
    if (!group.includes(rule.name) || !isName(shown.old ?? '') || !isName(shown.new)) continue;
    const value = passingName(rule, id);
    if (value !== undefined) return { field: rule.name, value };
  }
  return undefined;
}

/** One short line; what is longer (a certificate) nothing else can stand for. */
function isName(value: Json | undefined): boolean {
  return typeof value === 'string' && value.length <= 255 && !value.includes('\n');
}

/**
 * A value that a field can have for a moment, and that nobody else gives it: an object steps aside under it, so that another one
 * can take what it has. Undefined where the field takes none that is known to be legal.
 */
export function passingName(rule: Pick<FieldRule, 'type' | 'references' | 'schema'>, id: string): string | undefined {
  if (rule.type !== 'string' || rule.references !== undefined) return undefined;
  const digest = sha256(id).slice(0, 16);
  return [`moving-${id}`, `moving-${digest}`, `moving${digest}`].find((name) => isLegal(rule, name));
}

// A platform may hold texts of any other rule (a format, a list of choices) to more than their schema says.
const understood = new Set([
  'type',
  'description',
  'title',
  'default',
  'examples',
  'minLength',
  'maxLength',
  'pattern',
]);

function isLegal({ schema }: Pick<FieldRule, 'schema'>, text: string): boolean {
  if (Object.keys(schema).some((keyword) => !understood.has(keyword) && !keyword.startsWith('x-'))) return false;
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' && text.length < minLength) return false;
  if (typeof maxLength === 'number' && text.length > maxLength) return false;
  return typeof pattern !== 'string' || plainPattern(pattern)?.test(text) === true;
}
