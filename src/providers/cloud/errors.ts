import type { Diagnostic } from '../../engine/model/diagnostic.js';
import { ProviderError, type ProviderErrorKind } from '../../engine/model/provider.js';
import type { CloudCode, HttpCode } from '../../generated/codes.js';

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
