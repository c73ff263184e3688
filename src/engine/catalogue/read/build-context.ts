import type { Expression, LookupExpression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { ReadingRules } from '@platform-sync/core/model/trust';
import type { DataFiles } from './data-files.js';
import type { Problems } from '../problem/problems.js';
import type { SourceFiles } from './file-texts.js';

/** What turning YAML into expressions needs, and what it leaves for the steps after it. */
export interface BuildContext {
  readonly problems: Problems;
  readonly sources: SourceFiles;
  readonly data: DataFiles;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the operator's policy lets these files read; absent: there is none. */
  readonly rules?: ReadingRules | undefined;
  /** Stand-ins for values that could not be read: reported already, so nothing more is said about them. */
  readonly broken: WeakSet<Expression>;
  /** Lookups whose function name waits for the provider packages. */
  readonly lookups: OpenLookup[];
  /** Called for an unset environment variable; the default reports it at once. */
  readonly onUnsetVariable?: (stand: Expression, name: string, at: SourceRange) => void;
}

export interface OpenLookup {
  readonly lookup: LookupExpression;
  readonly name: SourceRange;
  readonly returnAt?: SourceRange;
}

/** A stand-in for a value that could not be read. */
export function brokenValue(context: BuildContext, at: SourceRange): Expression {
  const stand: Expression = { kind: 'literal', value: null, at };
  context.broken.add(stand);
  return stand;
}
