import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { saysHidden } from '@platform-sync/core/model/hidden-members';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { hasUnknown, reveal } from '@platform-sync/core/model/value';
import type { Step } from './step.js';

/** Secrets that no answer shows and no file says: an update in the place of the whole object takes them away, if there are any. */
export function leftOutSecrets(steps: Iterable<Step>): readonly Diagnostic[] {
  return [...steps].flatMap((step) => {
    const { address, action, type, changes } = step;
    const sent = changes.filter(({ wanted }) => wanted.by !== 'nobody' && wanted.by !== 'keeping');
    if (type.isWrittenWhole !== true || (action !== 'update' && action !== 'adopt') || sent.length === 0) return [];
    const told = new Set(sent.map(({ rule }) => rule.name));
    return Object.values(type.fields)
      .flatMap((rule) => hiddenIn(rule, step, told))
      .map((field): Diagnostic => {
        const summary = `${address} is written as a whole: if it has a ${field}, which no answer shows, that is taken away.`;
        const hint = `To keep it, say it in the catalogue: ${field}: !env NAME`;
        return { severity: 'info', code: 'secret-left-out', summary, hint, address, field };
      });
  });
}

/** A secret field, or secret members of a record that is there, which answers lack and the file does not say. */
function hiddenIn(rule: FieldRule, { declared, actual }: Step, told: ReadonlySet<string>): readonly string[] {
  const { name, input, secret, writeOnly, secretMembers = [], hiddenMembers = [] } = rule;
  const said = declared.get(name) ?? null;
  if (!input) return [];
  if (secret && writeOnly) return told.has(name) || declared.has(name) ? [] : [name];
  if ((actual?.values[name] ?? null) === null || hasUnknown(said)) return [];
  const unsaid = hiddenMembers.filter((path) => !saysHidden({ hiddenMembers: [path] }, reveal(said)));
  return unsaid.filter((path) => secretMembers.includes(path)).map((path) => `${name}.${path}`);
}
