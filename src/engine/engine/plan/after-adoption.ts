import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { FieldChange } from '@platform-sync/core/model/plan';
import { hasUnknown, type Json } from '@platform-sync/core/model/value';
import { hasSealed } from '@platform-sync/core/value/sealed';
import { diffResource, factsOf } from './change.js';
import type { Step, ProposalInput } from './step.js';

/** Longer values are not shown in a sentence. */
const longest = 60;

/** What the next plan does to the objects that are taken over as they are: changes, or another object in their place. */
export function afterAdoption({ seals }: Pick<ProposalInput, 'seals'>, steps: Iterable<Step>): readonly Diagnostic[] {
  const told: Diagnostic[] = [];
  for (const step of steps) {
    const { address, action, desired, actual, declared } = step;
    if (action !== 'adopt' || desired === undefined || actual === undefined) continue;
    const diff = diffResource({
      ...factsOf(step, { ...actual.identity.scope, ...actual.values }, seals),
      ...{ address, replaceOnChanges: desired.options.replaceOnChanges, resend: false },
    });
    const changes = diff.changes
      .map(({ shown }) => shown)
      .filter(({ field }) => !hasUnknown(declared.get(field) ?? null));
    if (changes.length > 0) told.push(differs(address, changes));
  }
  return told;
}

function differs(address: string, changes: readonly FieldChange[]): Diagnostic {
  const replacing = changes.filter(({ rule }) => rule === 'replace');
  const isReplaced = replacing.length > 0;
  const what = (isReplaced ? replacing : changes).map(fieldText).join(', ');
  return {
    severity: isReplaced ? 'warning' : 'info',
    code: isReplaced ? 'adopted-replaced' : 'adopted-changed',
    summary: isReplaced
      ? `${address} is taken over as it is, and the next plan replaces it: only a new object can have ${what}.`
      : `${address} is taken over as it is, and the next plan changes it: ${what}.`,
    hint: isReplaced
      ? 'If it is the right object, write into the catalogue what it has. If it is not, take over another one.'
      : 'To keep what the object has, write that into the catalogue.',
    address,
  };
}

function fieldText({ field, old, new: next }: FieldChange): string {
  const [before, after] = [shown(old), shown(next)];
  return before === undefined || after === undefined ? field : `${field} ${before} → ${after}`;
}

function shown(value: Json | undefined): string | undefined {
  if (value === undefined) return '(none)';
  if (hasSealed(value)) return undefined;
  const text = JSON.stringify(value);
  return text.length > longest ? undefined : text;
}
