import type { Address } from '../model/address.js';
import type { ActionReason, Cause, OptionChange } from '../model/plan.js';
import type { RemoteObject } from '../model/provider.js';
import { diffResource, type FieldDecision, type ResourceDiff } from './diff.js';
import { parentEndsFirst } from './dying-home.js';
import { factsOf } from './facts.js';
import type { Proposal, DesiredProposal, ProposalInput } from './proposal.js';
import { fieldReasons } from './reasons.js';
import { replacementOrder } from './replacement-order.js';

type Base = DesiredProposal & { readonly actual: RemoteObject };

/** What an object that exists needs to be as the file says: nothing, an update, a replacement, or only its record. */
export function compare(
  input: ProposalInput,
  base: Base,
  done: ReadonlyMap<Address, Proposal>,
  reasons: readonly ActionReason[],
  whenSame: 'update' | 'adopt',
): Proposal {
  const diff = diffOf(input, base);
  const home = parentEndsFirst(input, base, diff.decisions, done);
  const decisions = diff.decisions.map((decision) =>
    home.includes(decision.rule.name)
      ? { ...decision, change: { ...decision.change, rule: 'replace' as const } }
      : decision,
  );
  const { recorded } = base;
  const asked = input.replace.has(base.address);
  const replacing = recorded !== undefined && (asked || decisions.some((d) => d.change.rule === 'replace'));
  const why = [
    ...fieldReasons(decisions, base.type, done),
    ...(asked ? [{ kind: 'requested' } as const] : []),
    ...reasons,
  ];
  const options = optionChanges(base);
  const common = {
    ...base,
    decisions,
    undeclared: diff.undeclared,
    recordOnly: diff.converged || options.length > 0 || dependenciesDiffer(input, base),
    ...(options.length === 0 ? {} : { options }),
    ...(diff.unkept.length === 0 ? {} : { unkept: diff.unkept }),
  };
  const cause = decisions.length > 0 ? { cause: combinedCause(decisions) } : {};
  if (replacing) {
    const isBound = home.length > 0 || input.deleteFirst?.has(base.address) === true;
    const order = isBound ? 'delete-first' : replacementOrder(base, decisions);
    return { ...common, action: 'replace', order, ...cause, reasons: why };
  }
  if (whenSame === 'adopt') return { ...common, action: 'adopt', ...cause, reasons: why };
  if (decisions.length > 0) return { ...common, action: 'update', ...cause, reasons: why };
  if (base.movedFrom !== undefined) return { ...common, action: 'move', reasons };
  return { ...common, action: options.length > 0 ? 'options' : 'none', reasons };
}

/** The command `adopt` only records: what differs then is what the next plan shows. */
function diffOf(input: ProposalInput, base: Base): ResourceDiff {
  const { desired, actual } = base;
  if (input.mode === 'adopt' && base.recorded === undefined)
    return { decisions: [], undeclared: [], unkept: [], converged: false };
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

function combinedCause(decisions: readonly FieldDecision[]): Cause {
  const [cause, ...others] = new Set(decisions.map((d) => d.change.cause));
  return cause === undefined || others.length > 0 ? 'both' : cause;
}
