import type { Address } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { shortestInText } from '@platform-sync/core/model/redactor';
import type { ApplyCode } from '@platform-sync/core/generated/codes';
import { writtenSecrets } from '@platform-sync/core/resolve/evaluate';

/** A step that can't go on; its diagnostics are the report. Never leaves the executor. */
export class StepFailure extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((d) => d.summary).join('\n'));
    this.name = 'StepFailure';
    this.diagnostics = diagnostics;
  }
}

/** A write that was not sent, because the run can't go on: nothing happened, and the run says why. */
export class NotStarted extends StepFailure {
  override name = 'NotStarted';
}

/** The platform's words, with the address and the YAML line of the field they are about. */
export function locate(
  diagnostics: readonly Diagnostic[],
  address: Address,
  resource: DesiredResource | undefined,
  desired: DesiredState,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    if (resource === undefined || diagnostic.place !== undefined) return { ...diagnostic, address };
    const key =
      diagnostic.field === undefined ? undefined : resource.propertyKeys.get(diagnostic.field.split(/[.[]/)[0] ?? '');
    const place = desired.sources.place(key ?? resource.at);
    return { ...(quotesShortSecret(diagnostic, resource) ? withoutWords(diagnostic) : diagnostic), address, place };
  });
}

/** Of what a step may report, that which quotes nobody. */
const ownWords: ReadonlySet<string> = new Set<ApplyCode>([
  'still-unknown',
  'changed-since-plan',
  'interrupted',
  'half-done',
]);

/** A secret of a few letters can't be found in a text: what is said of the field that holds it is not shown at all. */
function quotesShortSecret({ code, field }: Diagnostic, { properties }: DesiredResource): boolean {
  const expressions = [...properties].filter(([name]) => field === undefined || name === field.split(/[.[]/)[0]);
  return (
    !ownWords.has(code) &&
    expressions.some(([, each]) => writtenSecrets(each).some((text) => text.length < shortestInText))
  );
}

function withoutWords({ detail: _, ...diagnostic }: Diagnostic): Diagnostic {
  const { code, field } = diagnostic;
  const isRefusal = code === 'rejected-value' || code === 'request-rejected' || code === 'conflict';
  const what = isRefusal ? `The platform refused ${field ?? 'the request'}.` : 'The call did not succeed.';
  return { ...diagnostic, summary: `${what} The platform's message is not shown: it may quote a secret.` };
}

/** Diagnostics of a thrown error that users can act on; rethrows what is a bug. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof StepFailure || error instanceof ProviderError || error instanceof DiagnosticError)
    return error.diagnostics;
  if (error instanceof DOMException && error.name === 'AbortError') {
    return [
      {
        severity: 'error',
        code: 'interrupted',
        summary: 'The call was stopped before it ended.',
        hint: 'Run apply again: it first finds out what became of it.',
      },
    ];
  }
  throw error;
}
