import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Step } from './step.js';

/** Secrets that no answer shows and no file says: an update in the place of the whole object takes them away, if there are any. */
export function leftOutSecrets(steps: Iterable<Step>): readonly Diagnostic[] {
  return [...steps].flatMap((step) => {
    const { address, action, type, declared, changes } = step;
    const sent = changes.filter(({ wanted }) => wanted.by !== 'nobody' && wanted.by !== 'keeping');
    if (type.isWrittenWhole !== true || (action !== 'update' && action !== 'adopt') || sent.length === 0) return [];
    const told = new Set([...declared.keys(), ...sent.map(({ rule }) => rule.name)]);
    const hidden = Object.values(type.fields).filter(({ input, secret, writeOnly }) => input && secret && writeOnly);
    return hidden.flatMap(({ name: field }): readonly Diagnostic[] => {
      if (told.has(field)) return [];
      const summary = `${address} is written as a whole: if it has a ${field}, which no answer shows, that is taken away.`;
      const hint = `To keep it, say it in the catalogue: ${field}: !env NAME`;
      return [{ severity: 'info', code: 'secret-left-out', summary, hint, address, field }];
    });
  });
}
