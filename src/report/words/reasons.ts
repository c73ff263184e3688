import type { Action, ActionReason, OptionChange, Risk, PlanStep } from '@platform-sync/core/model/plan';
import { visible } from './escape.js';
import { typeName } from './value.js';

/** Why a step is what it is, as a sentence; undefined where the action and its fields already say it. */
export function reasonSentence(reason: ActionReason, action: Action): string | undefined {
  switch (reason.kind) {
    case 'not-in-state':
    case 'field-changed':
    case 'field-forces-replacement':
      return undefined;
    case 'not-in-catalogue':
      return 'it is in state and no longer in the catalogue';
    case 'removed':
      return 'the catalogue releases it (removed): state forgets it, and the object stays';
    case 'destroy':
      return 'destroy was requested';
    case 'gone':
      return 'it was deleted outside: state has it, the platform does not';
    case 'parent-replaced':
      return `${chain(reason.path)} is replaced`;
    case 'reference-replaced':
      return `${visible(reason.field)} refers to ${chain(reason.path)}, which is replaced`;
    case 'type-changed':
      return `its type changed from ${typeName(reason.from)}`;
    case 'requested':
      return action === 'replace' ? 'replacement was requested' : 'it was requested';
    case 'resend':
      return `${visible(reason.field)} is sent again on request: the platform never shows it`;
    case 'alias':
      return `it was ${visible(reason.from)} before`;
    case 'import':
      return `the catalogue imports the existing object ${visible(reason.id)}`;
    case 'same-key':
      return `it has the key of ${visible(reason.from)}, which is no longer in the catalogue: it is the same object`;
    case 'key-exists':
      return `an unmanaged object with its key exists: ${visible(reason.id)}`;
    case 'found-by-key':
      return `the existing object ${visible(reason.id)} has its key, and adoption was requested`;
    case 'deposed':
      return 'it was replaced in an earlier run that could not delete the old object';
    case 'stays-in-force':
      return `no call can undo it: what was set ${action === 'replace' ? 'there ' : ''}stays in force`;
  }
}

/** `petstore`, or `petstore (because of payments)` when the chain is longer. */
function chain(path: readonly string[]): string {
  const [nearest = '', ...further] = path.map(visible);
  return further.length === 0 ? nearest : `${nearest} (because of ${further.join(', then ')})`;
}

/** What a reviewer must see, as a clause; undefined for what the step's symbol already says. */
export function riskClause(risk: Risk, action: Action): string | undefined {
  switch (risk.kind) {
    case 'deletes':
    case 'replaces':
      return undefined;
    case 'cascades':
      // A new object is made; what others had put on or into the old one is not.
      return `goes with it${action === 'replace' ? ' and does not come back by itself' : ''}: ${visible(risk.what)}`;
    case 'publishes':
      return risk.what === undefined ? 'becomes visible on the live portal' : visible(risk.what);
    case 'unpublishes':
      return risk.what === undefined ? 'disappears from the live portal' : visible(risk.what);
    case 'steps-aside':
      return visible(risk.what);
    case 'unprotects':
      return 'loses its protection: from here on it can be deleted and replaced';
    case 'stops-retaining':
      return 'loses retainOnDelete: taking it out of the catalogue deletes it from here on';
  }
}

/** `protect: true → false`. */
export function optionSentence({ option, old, new: next }: OptionChange): string {
  return `${option}: ${old} → ${next}`;
}

const symbols: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
  forget: '.',
  adopt: '=',
  move: '>',
  options: '!',
};

/** `+`, `~`, `-/+` (or `+/-` when the new object is made first), `-`, `.`, `=`, `>`, `!`. */
export function stepSymbol(step: Pick<PlanStep, 'action' | 'order'>): string {
  return step.order === 'create-first' ? '+/-' : symbols[step.action];
}
