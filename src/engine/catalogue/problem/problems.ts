import { defined } from '@platform-sync/core/model/value';
import type {
  Correction,
  Diagnostic,
  Place,
  Severity,
  SourceRange,
  Sources,
} from '@platform-sync/core/model/diagnostic';
import { compareText } from '@platform-sync/core/model/address';
import type { Hint } from './advice.js';
import type { CatalogueCode } from '@platform-sync/core/generated/codes';

/** What a problem may carry beyond its sentence; see Diagnostic. */
export interface ProblemDetails {
  readonly severity?: Severity | undefined;
  /** Of what stands in a file that is not read here. */
  readonly place?: Place | undefined;
  readonly detail?: string | undefined;
  readonly hint?: Hint | undefined;
  /** Where no hint says it. */
  readonly correction?: Correction | undefined;
  readonly address?: string | undefined;
  readonly field?: string | undefined;
  readonly related?: readonly { readonly at: SourceRange; readonly message: string }[] | undefined;
}

interface Problem {
  readonly code: CatalogueCode;
  readonly summary: string;
  readonly at: SourceRange | undefined;
  readonly details: ProblemDetails;
}

/** Collects what is wrong while reading; places are worked out only for what is reported in the end. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  /** The same sentence about the same place counts once: shared defaults would otherwise repeat it a resource. */
  add(code: CatalogueCode, at: SourceRange | undefined, summary: string, details: ProblemDetails = {}): void {
    const key = `${code} ${at?.file ?? ''} ${String(at?.start)} ${summary}`;
    if (!this.#found.has(key)) this.#found.set(key, { code, at, summary, details });
  }

  addAll(others: Problems): void {
    for (const [key, problem] of others.#found) if (!this.#found.has(key)) this.#found.set(key, problem);
  }

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  has(code: CatalogueCode): boolean {
    for (const problem of this.#found.values()) if (problem.code === code) return true;
    return false;
  }

  get hasErrors(): boolean {
    for (const problem of this.#found.values()) if ((problem.details.severity ?? 'error') === 'error') return true;
    return false;
  }

  /** All problems as diagnostics, by file and place. */
  diagnostics(sources: Sources): Diagnostic[] {
    return [...this.#found.values()].sort(byPlace).map((problem) => diagnostic(problem, sources));
  }
}

function byPlace(a: Problem, b: Problem): number {
  return (
    compareText(a.at?.file ?? '', b.at?.file ?? '') ||
    (a.at?.start ?? -1) - (b.at?.start ?? -1) ||
    compareText(a.code, b.code) ||
    compareText(a.summary, b.summary)
  );
}

function diagnostic({ code, at, summary, details }: Problem, sources: Sources): Diagnostic {
  const { severity = 'error', detail, hint, place, address, field, related } = details;
  const correction = typeof hint === 'object' ? hint.correction : details.correction;
  return {
    severity,
    code,
    summary,
    ...defined({
      detail,
      hint: typeof hint === 'object' ? hint.text : hint,
      correction,
      place: place ?? (at && sources.place(at)),
      address,
      field,
      related: related?.map((other) => ({ place: sources.place(other.at), message: other.message })),
    }),
  };
}
