import { openApiRules, type Effect, type OpenApiRule } from './rules.js';

/** One difference a caller of the API may notice. */
export interface SpecChange {
  readonly effect: Effect;
  readonly rule: OpenApiRule;
  /** `GET /pets`; absent for what concerns the whole API. */
  readonly operation?: string;
  /** What of it: `query parameter limit`, `answer 200 owner.name`; empty for the operation itself. Not escaped. */
  readonly subject: string;
}

/** What a new API description means for its callers. */
export interface SpecDiff {
  /** What breaks callers first, then by operation. */
  readonly changes: readonly SpecChange[];
  /** Changes beyond the first `maxChanges`. */
  readonly more: number;
  readonly operations: { readonly added: number; readonly removed: number; readonly changed: number };
}

/** What a rule says of an operation, or of the whole API. */
export function change(rule: OpenApiRule, operation?: { readonly name: string }, subject = ''): SpecChange {
  const named = operation === undefined ? {} : { operation: operation.name };
  return { effect: openApiRules[rule].effect, rule, ...named, subject };
}
