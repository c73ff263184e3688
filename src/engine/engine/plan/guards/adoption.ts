import { groupBy } from '@platform-sync/core/model/graph';
import { type Address, addressesAbove, compareText } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { BareFinding, FieldChange, Unmanaged } from '@platform-sync/core/model/plan';
import { saysHidden } from '@platform-sync/core/model/hidden-members';
import { type FieldRule, isAlwaysThere } from '@platform-sync/core/model/resource-type';
import { collectionOwner, type Ownership } from '../ownership.js';
import type { ProposalInput, Step } from '../step.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { hasUnknown, type Json, reveal } from '@platform-sync/core/model/value';
import { hasSealed } from '@platform-sync/core/value/secret-parts';
import { canResend, diffResource, factsOf } from '../change.js';

/** True for a step that takes over an object because it has the resource's key, and nobody said it should. */
export function isAdoptedByKey(step: Step): boolean {
  return step.action === 'adopt' && step.reasons.some(({ kind }) => kind === 'key-exists');
}

/**
 * One finding for each object that would be taken over by its key, along with what is nested in it: `adopt:petstore`.
 * `adopt` alone lifts them all, and then they are told as one.
 */
export function adoptions(steps: readonly Step[], isAllAllowed: boolean): readonly BareFinding[] {
  // What is always there can only be taken over; the plan shows what of it changes.
  const taken = steps.filter((each) => isAdoptedByKey(each) && !isAlwaysThere(each.type));
  if (taken.length === 0) return [];
  const addresses = taken.map(({ address }) => address).sort(compareText);
  if (isAllAllowed)
    return [{ name: 'adopt', summary: `${counted(taken.length)} that nobody manages, taken over by key`, addresses }];
  const known = new Set(addresses);
  const roots = groupBy(addresses, (address) => rootOf(address, known));
  const ids = new Map(taken.map((step) => [step.address, step.actual?.identity.id ?? '']));
  return [...roots].map(([root, below]) => ({
    name: `adopt:${root}`,
    summary: `${root} has the key of the object ${ids.get(root) ?? ''}, which nobody manages: it would be taken over${along(below.length - 1)}`,
    addresses: below,
  }));
}

function rootOf(address: Address, known: ReadonlySet<Address>): Address {
  return addressesAbove(address).find((above) => known.has(above)) ?? address;
}

function along(others: number): string {
  return others === 0 ? '' : `, with ${counted(others)} in it`;
}

function counted(objects: number): string {
  return objects === 1 ? '1 object' : `${objects} objects`;
}

/** What nobody manages once the plan's adoptions are done; collections by the addresses of today. */
export function stillUnmanaged(
  unmanaged: readonly Unmanaged[],
  steps: ReadonlyMap<Address, Step>,
  ownership: Ownership,
  movedTo: ReadonlyMap<Address, Address>,
): readonly Unmanaged[] {
  const adopted = new Map<string, number>();
  const keyOf = (type: string, under: Address | undefined): string =>
    canonicalJson([type, under === undefined ? null : (movedTo.get(under) ?? under)]);
  for (const { action, type, actual } of steps.values()) {
    if (action !== 'adopt' || actual === undefined) continue;
    const key = keyOf(type.token, collectionOwner(type, actual.identity.scope, ownership));
    adopted.set(key, (adopted.get(key) ?? 0) + 1);
  }
  return unmanaged.flatMap(({ type, under, count }) => {
    const left = count - (adopted.get(keyOf(type, under)) ?? 0);
    const place = under === undefined ? {} : { under: movedTo.get(under) ?? under };
    return left > 0 ? [{ type, ...place, count: left }] : [];
  });
}

/** Longer values are not shown in a sentence. */
const longest = 60;

/** What the next plan does to the objects that are taken over as they are: changes, or another object in their place. */
export function afterAdoption(
  { seals }: Pick<ProposalInput, 'seals'>,
  steps: Iterable<Step>,
  isTaken: (step: Step) => boolean = ({ action }) => action === 'adopt',
): readonly Diagnostic[] {
  const told: Diagnostic[] = [];
  for (const step of steps) {
    const { address, desired, actual, declared } = step;
    if (!isTaken(step) || desired === undefined || actual === undefined) continue;
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

/** What can't be read back of what is taken over is taken to be as the file says, whoever takes it over: people must know. */
export function assumedEqual(steps: Iterable<Step>): readonly Diagnostic[] {
  return [...steps].flatMap((step): readonly Diagnostic[] => {
    const { action, address, type } = step;
    if (action !== 'adopt') return [];
    return Object.values(type.fields).flatMap((rule) =>
      hiddenSaid(rule, step).map((field): Diagnostic => {
        const summary = `${field} of ${address} is never shown by the platform; it is assumed to be as in the catalogue.`;
        const hint = canResend(type, rule)
          ? `If it may differ, send it again: sync apply --resend ${address}`
          : `If it may differ, replace the object on purpose: sync plan --replace ${address}`;
        return { severity: 'warning', code: 'assumed-equal', summary, hint, address, field };
      }),
    );
  });
}

/** What a file says and no answer shows: a field, or members of a record that is there and is not sent anyhow. */
function hiddenSaid(rule: FieldRule, { declared, actual, changes }: Step): readonly string[] {
  const { name, writeOnly, hiddenMembers = [] } = rule;
  const [said = null, shown] = [declared.get(name), actual?.values[name]];
  if (said === null) return [];
  if (writeOnly) return shown === undefined ? [name] : [];
  if (hiddenMembers.length === 0 || (shown ?? null) === null || hasUnknown(said)) return [];
  if (changes.some((change) => change.rule === rule)) return [];
  return hiddenMembers
    .filter((path) => saysHidden({ hiddenMembers: [path] }, reveal(said)))
    .map((path) => `${name}.${path}`);
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
