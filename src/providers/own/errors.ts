import { defined } from '../../engine/model/defined.js';
import { ProviderError } from '../../engine/model/provider.js';
import type { OwnCode } from './codes.js';

export function settingError(summary: string, hint?: string, code: OwnCode = 'own-setting'): ProviderError {
  return new ProviderError('configuration', [{ severity: 'error', code, summary, ...defined({ hint }) }]);
}
