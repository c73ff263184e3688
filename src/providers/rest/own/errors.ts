import { defined } from '@platform-sync/core/model/defined';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { OwnCode } from '@platform-sync/core/generated/codes';

/** `bad-setting` is what reading sync.yaml tells of the same. */
export function settingError(summary: string, hint: string | undefined, code: OwnCode | 'bad-setting'): ProviderError {
  return new ProviderError('configuration', [{ severity: 'error', code, summary, ...defined({ hint }) }]);
}
