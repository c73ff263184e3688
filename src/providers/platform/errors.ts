import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { PlatformCode } from '@platform-sync/core/generated/codes';

/** An error diagnostic of this provider. */
export function problem(
  code: PlatformCode,
  summary: string,
  more: Pick<Diagnostic, 'hint' | 'detail' | 'field'> = {},
): Diagnostic {
  return { severity: 'error', code, summary, ...more };
}

/** The settings don't allow to work. */
export function configurationError(code: PlatformCode, summary: string, hint: string): ProviderError {
  return new ProviderError('configuration', [problem(code, summary, { hint })]);
}

/** What the user can do about a refused token. Names where the token came from, never the token. */
export function tokenHint(
  kind: ProviderErrorKind,
  credential: { readonly source: string } | undefined,
): string | undefined {
  if (credential === undefined) return undefined;
  if (kind === 'unauthenticated') {
    return `The token came from ${credential.source}. It may be expired, revoked, cut off, or belong to another organization.`;
  }
  if (kind === 'forbidden') {
    return `The token came from ${credential.source}. Its owner may lack a role for this kind of object or for this region, or a quota is used up; new roles can take some seconds to arrive.`;
  }
  return undefined;
}
