import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { CloudCode, HttpCode } from '@platform-sync/core/generated/codes';
import type { Redactor } from '@platform-sync/core/model/redactor';

type Code = CloudCode | HttpCode;
type More = Pick<Diagnostic, 'hint' | 'detail' | 'field'>;

/** An error of this provider with its one diagnostic. */
export function cloudError(
  kind: ProviderErrorKind,
  code: Code,
  summary: string,
  more: More & { readonly status?: number } = {},
): ProviderError {
  const { status, ...rest } = more;
  return new ProviderError(
    kind,
    [{ severity: 'error', code, summary, ...rest }],
    status === undefined ? {} : { status },
  );
}

/** The settings don't allow to work. */
export function configurationError(code: CloudCode, summary: string, hint: string): ProviderError {
  return cloudError('configuration', code, summary, { hint });
}

/** One line of bearable length without secrets or control characters: the text comes from elsewhere. */
export function oneLine(redactor: Redactor, text: string): string {
  const line = redactor
    .text(text)
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
