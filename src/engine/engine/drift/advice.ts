import type { DriftClass, DriftVerb } from '@platform-sync/core/model/drift';
import type { Expression } from '@platform-sync/core/model/expression';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import { isSealedByParts } from '@platform-sync/core/value/secret-parts';

interface Advice {
  readonly verbs: readonly DriftVerb[];
  readonly todo: string;
}

/** What can be done about a finding, and what to say first. */
export function adviceOn(
  kind: DriftClass,
  inCatalogue: boolean,
  rule?: FieldRule,
  declared?: Expression,
  old?: Json,
  replaces = rule?.onChange === 'replace',
): Advice {
  switch (kind) {
    case 'modified': {
      if (!inCatalogue)
        return {
          verbs: ['record', 'ignore'],
          todo: 'The catalogue no longer has this resource: the next apply removes it.',
        };
      const hidden = declared === undefined ? undefined : whyNotAcceptable(declared, rule);
      const why = hidden === undefined ? rule?.secret === true && 'it is a secret' : `the catalogue ${hidden} here`;
      if (why !== false)
        return {
          verbs: ['revert', 'record', 'ignore'],
          todo: `Put it back with revert; accept can't write it, because ${why}.`,
        };
      return {
        verbs: ['revert', 'accept', 'record', 'ignore'],
        todo: replaces
          ? 'Write it into the catalogue with accept, or put it back with revert: that replaces the object.'
          : 'Put it back with revert, or write it into the catalogue with accept.',
      };
    }
    case 'deleted':
      return {
        verbs: inCatalogue ? ['revert', 'record', 'ignore'] : ['record', 'ignore'],
        todo: 'Make it again with revert, or take its block out of the catalogue.',
      };
    case 'undeclared-changed':
      if (inCatalogue && rule !== undefined && !isRestorable(rule, old))
        return {
          verbs: ['accept', 'record', 'ignore'],
          todo: 'The catalogue leaves this field to the platform, which had no value and cannot clear it: record it, or declare it with accept.',
        };
      return {
        verbs: inCatalogue ? ['revert', 'accept', 'record', 'ignore'] : ['record', 'ignore'],
        todo: 'The catalogue leaves this field to the platform: record it as it is, declare it with accept, or put it back with revert.',
      };
    case 'unmanaged':
      return {
        verbs: ['ignore'],
        todo: 'Describe it in the catalogue and take it over with import or adopt, delete it on the platform, or leave it out with ignore.',
      };
    case 'expired-rule':
      return { verbs: [], todo: 'Take the rule out of sync.yaml, or give it a new date.' };
  }
}

/** Why a value is not spelt out in the file, as a clause; undefined where it is (parts of it may still not be). */
export function whyNotAcceptable(expression: Expression, rule?: FieldRule): string | undefined {
  switch (expression.kind) {
    case 'literal':
      return undefined;
    case 'list':
      return isOpenRecord(rule) ? undefined : secretPart(expression.items);
    case 'map':
      if (isOpenRecord(rule)) return undefined;
      return secretPart([...expression.entries.values()].map(({ value }) => value));
    case 'secret':
      return `has a secret (${expression.text})`;
    case 'reference':
      return `has the reference \${${expression.text}}`;
    case 'interpolation':
      return 'has a text with references';
    case 'lookup':
      return `has a lookup (${expression.function})`;
    case 'toJson':
    case 'join':
      return 'computes the value';
  }
}

/** What is secret in a record hides nothing else of it. */
function isOpenRecord(rule: FieldRule | undefined): boolean {
  return rule !== undefined && isSealedByParts(rule);
}

/** A secret anywhere in any other value keeps the whole of it hidden; of other parts, the editor knows which ones move. */
function secretPart(parts: readonly Expression[]): string | undefined {
  for (const part of parts) {
    const isNested = part.kind === 'secret' || part.kind === 'list' || part.kind === 'map';
    const clause = isNested ? whyNotAcceptable(part) : undefined;
    if (clause !== undefined) return clause;
  }
  return undefined;
}

/** Whether a field can hold again what it held: no value at all only where the platform has a way to take one off. */
export function isRestorable({ clearing }: FieldRule, held: Json | undefined): boolean {
  return (held ?? null) !== null || clearing.by === 'null' || clearing.by === 'value';
}
