import { defined } from '../../engine/model/defined.js';
import { ProviderError } from '../../engine/model/provider.js';
import type { OwnCode } from '../../generated/codes.js';

/** `bad-setting` is what reading sync.yaml tells of the same. */
export function settingError(summary: string, hint: string | undefined, code: OwnCode | 'bad-setting'): ProviderError {
  return new ProviderError('configuration', [{ severity: 'error', code, summary, ...defined({ hint }) }]);
}
