import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { CloudCode, HttpCode } from '@platform-sync/core/generated/codes';

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
