import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { saysHidden, withoutMembers } from '@platform-sync/core/model/hidden-members';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { hasUnknown, reveal, type Value } from '@platform-sync/core/model/value';
import { leavingOut } from '@platform-sync/core/value/parts';
import { isSealed } from '@platform-sync/core/value/seal';
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
        const hint = isSaid(step, field)
          ? `The catalogue says it, and leaves it alone. To keep it, say what it is, without ignoreChanges: ${field}: !env NAME`
          : `To keep it, say it in the catalogue: ${field}: !env NAME`;
        return { severity: 'info', code: 'secret-left-out', summary, hint, address, field };
      });
  });
}

/** The file says it, and it is not sent: what is there is left alone. */
function isSaid({ declared }: Step, field: string): boolean {
  const [name = '', ...path] = field.split('.');
  const said = declared.get(name) ?? null;
  return said !== null && (path.length === 0 || saysHidden({ hiddenMembers: [path.join('.')] }, reveal(said)));
}

/** A secret field, or secret members of a record that is there, which answers lack and nothing says that is sent. */
function hiddenIn(rule: FieldRule, step: Step, told: ReadonlySet<string>): readonly string[] {
  const { name, input, secret, writeOnly, secretMembers = [], hiddenMembers = [] } = rule;
  const said = hiddenInput(rule, step);
  if (!input) return [];
  if (secret && writeOnly) return told.has(name) || said !== undefined ? [] : [name];
  if ((step.actual?.values[name] ?? null) === null || hasUnknown(said ?? null)) return [];
  const unsaid = hiddenMembers.filter((path) => !saysHidden({ hiddenMembers: [path] }, reveal(said ?? null)));
  return unsaid.filter((path) => secretMembers.includes(path)).map((path) => `${name}.${path}`);
}

/** As far as it tells what was said of an object, and is left alone; without a record and a block all that is declared counts. */
export type HidingStep = Pick<Step, 'type' | 'declared'> & Partial<Pick<Step, 'recorded' | 'desired'>>;

/**
 * What the file says of a field, as an update in the place of the whole object has to repeat it where no answer shows it: without what it
 * leaves alone and was never sent.
 */
export function hiddenInput(rule: FieldRule, { declared, recorded, desired }: HidingStep): Value | undefined {
  const said = declared.get(rule.name);
  if (recorded === undefined || said === undefined || said === null || hasUnknown(said)) return said;
  const kept = leavingOut(rule.name, desired?.options.ignoreChanges ?? [], said, recorded.inputs[rule.name]) ?? null;
  // Of what is sealed nobody knows the members.
  if (kept === said || isSealed(kept)) return said;
  if (rule.writeOnly) return kept === null ? undefined : said;
  const isUnsent = (path: string): boolean => !saysHidden({ hiddenMembers: [path] }, reveal(kept));
  return withoutMembers(reveal(said), (rule.hiddenMembers ?? []).filter(isUnsent));
}
