import type { Address } from '../model/address.js';
import type { ActionReason, Cause, OptionChange } from '../model/plan.js';
import type { RemoteObject } from '../model/provider.js';
import { diffResource, type Change, type ResourceDiff } from './diff.js';
import { parentEndsFirst } from './dying-home.js';
import { factsOf } from './facts.js';
import type { Step, DesiredStep, ProposalInput } from './step.js';
import { fieldReasons } from './reasons.js';
import { replacementOrder } from './replacement-order.js';

type Base = DesiredStep & { readonly actual: RemoteObject };

/** What an object that exists needs to be as the file says: nothing, an update, a replacement, or only its record. */
export function compare(
  input: ProposalInput,
  base: Base,
  done: ReadonlyMap<Address, Step>,
  reasons: readonly ActionReason[],
  whenSame: 'update' | 'adopt',
): Step {
  const diff = diffOf(input, base);
  const home = parentEndsFirst(input, base, diff.changes, done);
  const changes = diff.changes.map((change) =>
    home.includes(change.rule.name) ? { ...change, shown: { ...change.shown, rule: 'replace' as const } } : change,
  );
  const { recorded } = base;
  const asked = input.replace.has(base.address);
  const replacing = recorded !== undefined && (asked || changes.some((d) => d.shown.rule === 'replace'));
  const why = [
    ...fieldReasons(changes, base.type, done),
    ...(asked ? [{ kind: 'requested' } as const] : []),
    ...reasons,
  ];
  const options = optionChanges(base);
  const common = {
    ...base,
    changes,
    undeclared: diff.undeclared,
    recordOnly: diff.converged || options.length > 0 || dependenciesDiffer(input, base),
    ...(options.length === 0 ? {} : { options }),
    ...(diff.unkept.length === 0 ? {} : { unkept: diff.unkept }),
  };
  const cause = changes.length > 0 ? { cause: combinedCause(changes) } : {};
  if (replacing) {
    const isBound = home.length > 0 || input.deleteFirst?.has(base.address) === true;
    const order = isBound ? 'delete-first' : replacementOrder(base, changes);
    return { ...common, action: 'replace', order, ...cause, reasons: why };
  }
  if (whenSame === 'adopt') return { ...common, action: 'adopt', ...cause, reasons: why };
  if (changes.length > 0) return { ...common, action: 'update', ...cause, reasons: why };
  if (base.movedFrom !== undefined) return { ...common, action: 'move', reasons };
  return { ...common, action: options.length > 0 ? 'options' : 'none', reasons };
}

/** The command `adopt` only records: what differs then is what the next plan shows. */
function diffOf(input: ProposalInput, base: Base): ResourceDiff {
  const { desired, actual } = base;
  if (input.mode === 'adopt' && base.recorded === undefined)
    return { changes: [], undeclared: [], unkept: [], converged: false };
  return diffResource({
    ...factsOf(base, actual.values, input.seals),
    address: base.address,
    replaceOnChanges: desired.options.replaceOnChanges,
    resend: input.resend.has(base.address),
  });
}

const endOptions = ['protect', 'retainOnDelete'] as const;

/** What decides over the object's end, and is remembered in state alone. */
function optionChanges({ desired, recorded }: Base): readonly OptionChange[] {
  if (recorded === undefined) return [];
  return endOptions
    .filter((option) => recorded[option] !== desired.options[option])
    .map((option) => ({ option, old: recorded[option], new: desired.options[option] }));
}

function dependenciesDiffer(input: ProposalInput, { desired, recorded }: Base): boolean {
  const now = input.graph.get(desired.address) ?? [];
  const before = recorded?.dependencies ?? now;
  return before.length !== now.length || before.some((address, at) => address !== now[at]);
}

function combinedCause(changes: readonly Change[]): Cause {
  const [cause, ...others] = new Set(changes.map((d) => d.shown.cause));
  return cause === undefined || others.length > 0 ? 'both' : cause;
}
