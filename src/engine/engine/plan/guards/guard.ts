import { type Address, compareText, parentAddress } from '@platform-sync/core/model/address';
import { defined, ownMember } from '@platform-sync/core/model/value';
import { addTo, groupBy, groupOf } from '@platform-sync/core/model/graph';
import { markField } from '@platform-sync/core/model/ownership-mark';
import { type DesiredState, movesTo } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { BareFinding, GuardFinding, Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { GuardAllowance, GuardSettings } from '@platform-sync/core/model/project';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Snapshot } from '@platform-sync/core/model/snapshot';
import type { Identity, RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { Seals } from '@platform-sync/core/value/seal';
import { adoptions } from './adoption.js';
import { forceGuard } from './force.js';
import { type GoingAlong, isEnd, typeName, type Unread } from '../contents.js';
import type { Step } from '../step.js';
import { isLetGo } from '../removal.js';
import type { RecordedElsewhere } from '@platform-sync/core/model/state-store';
import { sameNameGuards } from './same-name.js';
import { uniqueKeyOf } from '../keys.js';
import { formerAddresses } from '../matching.js';

interface ProtectionInput {
  readonly desired: GuardInput['desired'];
  readonly steps: readonly Step[];
  readonly state: StackState;
  readonly along: readonly GoingAlong[];
  /** What the catalogue protects, where the plan wants nothing of it. */
  readonly protects?: ReadonlySet<Address>;
}

/**
 * Ends of what is protected, by its own mark or by that of what it lives in. The mark in state counts as much as the
 * one in the file: neither taking the block away nor lifting the mark in the same plan takes the protection with it.
 */
function protectedEnds(input: ProtectionInput): readonly BareFinding[] {
  const ends = input.steps.filter(isEnd);
  if (ends.length === 0) return [];
  const marks = marksOf(input);
  const takers = byFormerAddress(input);
  const own = ends.flatMap((p): readonly BareFinding[] => {
    const keeper = keeperOf(p, marks);
    const summary =
      keeper === undefined
        ? (guardedEnd(p) ?? replacedAgain(p) ?? calledSo(p, takers))
        : `${whatIsKept(p, keeper, marks)} and would be ${p.action}d`;
    if (summary === undefined) return [];
    return [{ name: `${p.action}:${p.address}`, summary, addresses: [p.address] }];
  });
  const along = input.along.flatMap((each): readonly BareFinding[] => {
    const { address, home } = each;
    if (each.of === 'nobody') return [];
    if (each.of === 'other') {
      if (!each.isProtected) return [];
      const where = each.isEnd === true ? 'which is the same object' : 'which it lives in';
      const summary = `${address} of the stack ${each.owner} is protected and would end with ${home.address}, ${where}`;
      return [{ name: `delete:${each.owner}:${address}`, summary, addresses: [home.address] }];
    }
    const lifted = marks.byAddress.get(address)?.isLifted === true ? ' (this plan lifts it)' : '';
    if (!each.record.protect && marks.byAddress.get(address)?.isProtected !== true) return [];
    const summary = `${address} is protected${lifted} and would end with ${home.address}, which it lives in`;
    return [{ name: `delete:${address}`, summary, addresses: [address, home.address] }];
  });
  return [...own, ...along];
}

/** Of some types every end is held back, whatever the file says of protection. */
function guardedEnd({ address, action, type }: Step): string | undefined {
  return type.guardedEnd === undefined ? undefined : `${address} would be ${action}d: ${type.guardedEnd}`;
}

/** What was replaced for a change outside, and would be again: the platform may not keep what the file says. */
function replacedAgain({ address, cause, changes, recorded }: Step): string | undefined {
  if (cause !== 'drift') return undefined;
  const fields = changes.filter(({ shown }) => shown.rule === 'replace').map(({ rule }) => rule.name);
  if (!fields.some((name) => recorded?.replacedFor?.includes(name))) return undefined;
  return `${address} would be replaced once more for ${fields.join(', ')}, as the one before it was: the platform may not keep what the file says`;
}

/** Resources by what the file says they were called. */
function byFormerAddress({ desired, steps }: ProtectionInput): ReadonlyMap<Address, Address> {
  const moves = new Map(steps.map(({ address, movedFrom }) => [address, movedFrom]));
  const found = new Map<Address, Address>();
  for (const { address } of desired.resources.values())
    for (const former of formerAddresses(desired.resources, address, (parent) => moves.get(parent)))
      if (former !== address) found.set(former, address);
  return found;
}

/** Nobody can know which of the two the file means: what it says was called so has another object. */
function calledSo({ address, action }: Step, takers: ReadonlyMap<Address, Address>): string | undefined {
  const taker = action === 'delete' ? takers.get(address) : undefined;
  return taker === undefined
    ? undefined
    : `${address} would be deleted, and ${taker}, which has another object, was called so; to keep this one, let go of that one: sync state rm ${taker}`;
}

interface Marks {
  readonly byAddress: ReadonlyMap<Address, { readonly isProtected: boolean; readonly isLifted: boolean }>;
  /** Address of each recorded object, by id. */
  readonly addressOf: ReadonlyMap<string, Address>;
  readonly records: ReadonlyMap<Address, RecordedResource>;
}

/** Every resource of the plan and of the state: what is left out of a partial plan protects what lives in it, too. */
function marksOf({ steps, state, protects }: ProtectionInput): Marks {
  const byAddress = new Map<Address, { isProtected: boolean; isLifted: boolean }>();
  const addressOf = new Map<string, Address>();
  // Settings have the id of what they are of, and nothing lives in them.
  const note = ({ id, scope }: Identity, address: Address): void => {
    if (!Object.values(scope).includes(id)) addressOf.set(id, address);
  };
  for (const record of state.resources.values()) {
    byAddress.set(record.address, { isProtected: record.protect, isLifted: false });
    note(record.identity, record.address);
  }
  for (const { address, movedFrom, desired, recorded, actual } of steps) {
    // What is taken over has no record yet.
    if (recorded === undefined && actual !== undefined) note(actual.identity, address);
    const [before, now] = [recorded?.protect === true, desired?.options.protect];
    byAddress.set(address, { isProtected: before || now === true, isLifted: before && now === false });
    // What lives in what moves lives at its new address.
    if (movedFrom !== undefined && addressOf.get(recorded?.identity.id ?? '') === movedFrom)
      addressOf.set(recorded?.identity.id ?? '', address);
  }
  for (const address of protects ?? [])
    byAddress.set(address, { isProtected: true, isLifted: byAddress.get(address)?.isLifted === true });
  return { byAddress, addressOf, records: state.resources };
}

/** The nearest address whose mark protects it: its own, that of the object it lives in, or of an address above. */
function keeperOf(step: Step, marks: Marks): Address | undefined {
  const own = step.deposedOf ?? step.address;
  const queue = [own, ...(step.movedFrom === undefined ? [] : [step.movedFrom])];
  const seen = new Set<Address>();
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    if (seen.has(address)) continue;
    seen.add(address);
    if (marks.byAddress.get(address)?.isProtected === true) return address;
    const parent = parentAddress(address);
    if (parent !== undefined) queue.push(parent);
    const scope = marks.records.get(address)?.identity.scope ?? {};
    for (const id of Object.values(scope))
      queue.push(...[marks.addressOf.get(id)].filter((found) => found !== undefined));
  }
  return undefined;
}

function whatIsKept(step: Step, keeper: Address, marks: Marks): string {
  const lifted = marks.byAddress.get(keeper)?.isLifted === true ? ' (this plan lifts it)' : '';
  if (keeper === step.address) return `${step.address} is protected${lifted}`;
  return `${step.address} is protected with ${keeper}, which it lives in${lifted},`;
}

/** What the guards look at. */
export interface GuardInput {
  readonly mode: 'apply' | 'destroy' | 'adopt';
  readonly steps: readonly Step[];
  readonly desired: Pick<DesiredState, 'moved'> & {
    readonly resources: Pick<DesiredState['resources'], 'get' | 'has' | 'size' | 'values'>;
  };
  readonly state: StackState;
  readonly snapshot: Snapshot;
  /** What ends without a step of its own. */
  readonly along: readonly GoingAlong[];
  /** What may be in what ends, and nobody could see. */
  readonly unread?: readonly Unread[];
  /** What other stacks have recorded under the names of what is to be made. */
  readonly beside?: readonly RecordedElsewhere[];
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly seals: Seals;
  readonly targets: Readonly<Record<string, string>>;
  readonly settings: GuardSettings;
  readonly allow: readonly GuardAllowance[];
  readonly adopt?: 'byKey';
  readonly noDelete?: true;
  readonly protects?: ReadonlySet<Address>;
  /** What the project's rules hold back. */
  readonly judged?: readonly BareFinding[];
  /** `YYYY-MM-DD`, UTC: permissions may run out. */
  readonly today: string;
}

/** A plan as the project's rules see it. */
interface Judged extends Pick<Plan, 'mode' | 'project' | 'stack' | 'targets' | 'summary' | 'parameters'> {
  readonly createdAt: string;
  readonly isPartial: boolean;
  readonly shown: readonly PlanStep[];
  readonly steps: ReadonlyMap<Address, Step>;
  readonly seals: Seals;
  /** Where a resource stands in the files. */
  readonly desired: Pick<DesiredState, 'resources' | 'sources'>;
}

/** What the rules of a project say of a plan. */
export interface Judgement {
  readonly by: NonNullable<Plan['policies']>;
  readonly guards: readonly BareFinding[];
  readonly advice: readonly Diagnostic[];
}

export type Judge = (plan: Judged) => Judgement;

type Guard = (input: GuardInput) => readonly BareFinding[];

/** Every guard is one function. */
const guards: readonly Guard[] = [
  protectedEnds,
  othersGoAlong,
  tooManyToLookInto,
  fixedDifferences,
  tooManyDeletes,
  tooLargeShare,
  tooManyUpdates,
  emptyCatalogue,
  everythingGone,
  otherTarget,
  contradictions,
  adoptedByKey,
  sameNameGuards,
  unkeyedCreates,
  forced,
  ({ judged = [] }) => judged,
];

/** Below so many managed objects a share says little about updates. */
const leastForUpdateShare = 20;

/** All guards that speak up, with the reasons of those lifted by name. */
export function checkGuards(input: GuardInput): readonly GuardFinding[] {
  const all = [...input.settings.allow, ...input.allow];
  const allowed = new Map(all.filter((one) => holds(one, input.today)).map(({ guard, reason }) => [guard, reason]));
  const ends = new Map(all.map(({ guard, until }) => [guard, until]));
  return guards
    .flatMap((guard) => guard(input))
    .map((finding) => {
      const lifted =
        finding.level === 'deny' ? undefined : (allowed.get(finding.name) ?? allowed.get(ruleGuard(finding)));
      return { ...finding, ...defined(lifted === undefined ? { expired: ends.get(finding.name) } : { lifted }) };
    });
}

/** One word for all that a rule holds back. */
function ruleGuard({ name }: BareFinding): string {
  return name.startsWith('policy:') ? name.split(':', 2).join(':') : name;
}

/** Whether a permission still holds on a day (`YYYY-MM-DD`, UTC). */
export function holds({ until }: GuardAllowance, today: string): boolean {
  return until === undefined || until >= today;
}

/** True when a guard that nobody lifted speaks up. */
export function isBlocked(findings: readonly GuardFinding[]): boolean {
  return findings.some((finding) => finding.lifted === undefined);
}

/** What would be written over, were it not a replacement: an adoption can't make it right, and must not hide it. */
function fixedDifferences({ steps }: GuardInput): readonly BareFinding[] {
  return steps.flatMap((p): readonly BareFinding[] => {
    if (p.action !== 'adopt') return [];
    const fixed = p.changes.filter(({ shown }) => shown.rule === 'replace').map(({ rule }) => rule.name);
    if (fixed.length === 0) return [];
    const summary = `${p.address} would be adopted although only a replacement could change its ${fixed.join(', ')}: write the value of the object into the catalogue, or use ignoreChanges; if you lift the guard, it is adopted as it is, and the next plan with a record replaces it`;
    return [{ name: `fixed:${p.address}`, summary, addresses: [p.address] }];
  });
}

function adoptedByKey({ steps, settings, allow, today }: GuardInput): readonly BareFinding[] {
  const isAllAllowed = [...settings.allow, ...allow].some((one) => one.guard === 'adopt' && holds(one, today));
  return adoptions(steps, isAllAllowed);
}

/** Without a record and without a key, the next run would make the object once more. */
function unkeyedCreates({ steps, adopt, state }: GuardInput): readonly BareFinding[] {
  if (adopt === undefined || state.resources.size > 0) return [];
  return steps
    .filter(
      ({ action, type, declared }) =>
        action === 'create' && uniqueKeyOf(type) === undefined && !declared.has(markField),
    )
    .map(({ address, type }) => ({
      name: `unkeyed:${address}`,
      summary: `${address} would be created, and without kept state every later run would create it again: no key tells one ${type.name} from another`,
      addresses: [address],
    }));
}

/** Something is forced only by who lifts this guard: it stands in the plan with the reason, and never holds one back. */
function forced({ steps }: GuardInput): readonly BareFinding[] {
  return steps
    .filter(({ force }) => force === true)
    .map(({ address, type, action }) => ({
      name: forceGuard(address),
      summary:
        action === 'update' || action === 'adopt'
          ? `${address} would be changed although the platform refuses because of use`
          : `${address} would be deleted with everything in the ${type.name}, unmanaged objects included`,
      addresses: [address],
    }));
}

/** What others manage below each object that ends, what nobody does, what the catalogue wants there, and what nobody could see. */
function othersGoAlong({ along, unread = [], desired }: GuardInput): readonly BareFinding[] {
  // It stays recorded here until the stack that its block moved to has it.
  const isLeaving = (each: GoingAlong): boolean =>
    each.of === 'stack' && movesTo(desired, each.record.address) !== undefined;
  // Who forces a delete has said that all in it may go.
  const others = along.filter(
    (each) =>
      each.of === 'other' || isWanted(each) || isLeaving(each) || (each.of === 'nobody' && each.home.force !== true),
  );
  const inside = groupBy(others, ({ home }) => home.address);
  const unseen = unread.filter(({ why }) => why !== undefined);
  return [...new Set([...inside.keys(), ...unseen.flatMap(({ homes }) => homes)])].map((address) => {
    const found = groupOf(inside, address);
    const hidden = unseen.filter(({ homes }) => homes.includes(address));
    const texts = [
      ...[managedText(found), unmanagedText(found), ownText(found.filter(isWanted), 'the catalogue wants')],
      ...[ownText(found.filter(isLeaving), 'another stack is to take over'), unseenText(hidden)],
    ].filter((text) => text !== undefined);
    return {
      name: `goes-along:${address}`,
      summary: `the end of ${address} would also end ${texts.join('; and ')}`,
      addresses: [address],
    };
  });
}

/** Looking into each of many would take a list of each kind for each of them: who ends them says that all in them may go. */
function tooManyToLookInto({ unread = [] }: GuardInput): readonly BareFinding[] {
  const left = unread.filter(({ why }) => why === undefined);
  const homes = [...new Set(left.flatMap((each) => each.homes))].sort(compareText);
  const [first] = homes;
  if (first === undefined) return [];
  const [named, holding, count] =
    homes.length === 1
      ? [first, 'it holds', '1 home']
      : [`${first} and ${homes.length - 1} more`, 'they hold', `${homes.length} homes`];
  const summary = `the end of ${named} would also end whatever ${holding} of these types: ${someTypesText(left)} (not looked into: ${count}; --refresh full looks into all)`;
  return [{ name: 'goes-along', summary, addresses: homes }];
}

function managedText(inside: readonly GoingAlong[]): string | undefined {
  const others = inside.flatMap((each) => (each.of === 'other' ? [each] : []));
  if (others.length === 0) return undefined;
  const stacks = [...new Set(others.map(({ owner }) => owner))].sort();
  const named = others.map(({ address }) => address).sort(compareText);
  const shown = [...named.slice(0, 5), ...(named.length > 5 ? ['…'] : [])].join(', ');
  return `${objectsText(named.length)} that ${stacks.length === 1 ? 'the stack' : 'the stacks'} ${stacks.join(', ')} ${stacks.length === 1 ? 'manages' : 'manage'}: ${shown}`;
}

function unmanagedText(inside: readonly GoingAlong[]): string | undefined {
  const nobodys = inside.filter(({ of }) => of === 'nobody');
  if (nobodys.length === 0) return undefined;
  const counts = [...groupBy(nobodys, ({ type }) => typeName(type))].map(([name, each]) => `${each.length} ${name}`);
  return `${objectsText(nobodys.length)} that nobody manages: ${counts.join(', ')}`;
}

/** It names its home by an id: the catalogue has it in what the same catalogue ends. */
function isWanted(each: GoingAlong): boolean {
  return each.of === 'stack' && each.step?.desired !== undefined;
}

function ownText(inside: readonly GoingAlong[], why: string): string | undefined {
  if (inside.length === 0) return undefined;
  const named = inside.map(({ address }) => address).sort(compareText);
  return `${objectsText(inside.length)} that ${why}: ${named.join(', ')}`;
}

function unseenText(unread: readonly Unread[]): string | undefined {
  const [first] = unread;
  if (first === undefined) return undefined;
  return `whatever it holds of these types, which could not be looked for: ${typesText(unread)} (${first.why ?? ''})`;
}

function typesText(unread: readonly Unread[]): string {
  return typeNames(unread).join(', ');
}

function typeNames(unread: readonly Unread[]): readonly string[] {
  return [...new Set(unread.map(({ type }) => typeName(type)))].sort();
}

/** A gateway alone may hold objects of more than a hundred types. */
const mostTypes = 8;

function someTypesText(unread: readonly Unread[]): string {
  const names = typeNames(unread);
  const hidden = names.length - mostTypes;
  return hidden > 1 ? `${names.slice(0, mostTypes).join(', ')} and ${hidden} more` : names.join(', ');
}

function objectsText(count: number): string {
  return `${count} ${count === 1 ? 'object' : 'objects'}`;
}

/** The old object of a replacement is as gone as any other. */
function endsOf({ steps }: GuardInput): readonly Step[] {
  return steps.filter(isEnd);
}

/** `12 deletes`, `12 deletes (9 in replacements)`, `1 delete, and 29 along with it`. */
function endsText(ends: readonly Step[], along: number): string {
  const replaced = ends.filter((p) => p.action === 'replace').length;
  const deletes = `${ends.length} ${ends.length === 1 ? 'delete' : 'deletes'}`;
  const steps = replaced === 0 ? deletes : `${deletes} (${replaced} in replacements)`;
  return along === 0 ? steps : `${steps}, and ${along} along with ${ends.length === 1 ? 'it' : 'them'}`;
}

/** Steps that end something, and what ends along with it. */
function addressesOf(ends: readonly Step[], { along }: GuardInput): readonly Address[] {
  return [...ends, ...along.filter(({ of }) => of === 'stack')].map(({ address }) => address);
}

function tooManyDeletes(input: GuardInput): readonly BareFinding[] {
  const ends = endsOf(input);
  const limit = input.settings.maxDeletes;
  const along = input.along.filter((each) => each.of !== 'other' || each.isEnd !== true).length;
  if (input.mode === 'destroy' || ends.length + along <= limit) return [];
  const summary = `${endsText(ends, along)}, more than maxDeletes: ${limit}`;
  return [{ name: 'maxDeletes', summary, addresses: addressesOf(ends, input) }];
}

/** A single delete is a large share of few objects and says nothing. */
function tooLargeShare(input: GuardInput): readonly BareFinding[] {
  const ends = endsOf(input);
  const limit = input.settings.maxDeletePercent;
  // Old objects of replacements that are still to be deleted are among the deletes, so they are among all, too.
  const total = [...input.state.resources.values()].reduce((sum, { deposed }) => sum + 1 + deposed.length, 0);
  const along = input.along.filter(({ of }) => of === 'stack').length;
  const count = ends.length + along;
  if (input.mode === 'destroy' || count === 1 || !isMoreThan(limit, count, total)) return [];
  const summary = `${endsText(ends, along)} among ${shareText(count, total)}, more than maxDeletePercent: ${limit}`;
  return [{ name: 'maxDeletePercent', summary, addresses: addressesOf(ends, input) }];
}

function tooManyUpdates(input: GuardInput): readonly BareFinding[] {
  const limit = input.settings.maxUpdatePercent;
  const updates = input.steps.filter((p) => ['update', 'adopt'].includes(p.action) && p.changes.length > 0);
  const total = input.state.resources.size;
  if (limit === undefined || total < leastForUpdateShare || !isMoreThan(limit, updates.length, total)) return [];
  const summary = `${updates.length} updates among ${shareText(updates.length, total)}, more than maxUpdatePercent: ${limit}`;
  return [{ name: 'maxUpdatePercent', summary, addresses: updates.map(({ address }) => address) }];
}

function isMoreThan(percent: number, count: number, total: number): boolean {
  return count * 100 > percent * total;
}

function shareText(count: number, total: number): string {
  return `${total} managed resources (${total === 0 ? 100 : Math.round((count * 100) / total)} %)`;
}

function emptyCatalogue(input: GuardInput): readonly BareFinding[] {
  // What the catalogue lets go of by name is no slip.
  const letGo = input.steps.filter(isLetGo).length;
  const managed = input.state.resources.size - letGo;
  if (input.mode !== 'apply' || input.noDelete === true || input.desired.resources.size > 0 || managed === 0) return [];
  const summary = `the catalogue is empty, but ${managed} ${managed === 1 ? 'resource is' : 'resources are'} managed; to delete them all on purpose use destroy`;
  return [{ name: 'emptyCatalogue', summary, addresses: [] }];
}

function everythingGone(input: GuardInput): readonly BareFinding[] {
  const readings = [...input.state.resources.keys()].map((address) => input.snapshot.readings.get(address));
  if (input.mode === 'destroy' || readings.length === 0 || !readings.every((reading) => reading?.kind === 'gone'))
    return [];
  const summary = `none of the ${readings.length} managed objects exists any more at this target; is it the right one?`;
  return [{ name: 'everythingGone', summary, addresses: [] }];
}

function otherTarget(input: GuardInput): readonly BareFinding[] {
  return Object.entries(input.targets).flatMap(([provider, target]) => {
    const recorded = ownMember(input.state.targets, provider);
    if (recorded === undefined || recorded === target) return [];
    const summary = `this stack was applied to ${recorded}, and would now be applied to ${target}`;
    return [{ name: `target:${provider}`, summary, addresses: [] }];
  });
}

/** Who denies an object and shows what lives in it may be wrong about others, too: nothing is done meanwhile. */
function contradictions({ steps, snapshot }: GuardInput): readonly BareFinding[] {
  if (steps.every(({ action }) => action === 'none' || action === 'not-compared')) return [];
  const denied = new Map<Address, Address[]>();
  for (const [address, reading] of snapshot.readings)
    if (reading.kind === 'failed' && reading.denied !== undefined) addTo(denied, reading.denied, address);
  return [...denied].map(([address, addresses]) => ({
    name: `contradiction:${address}`,
    summary: `the platform says that ${address} does not exist, but shows objects in it; if the guard is lifted, both are left alone and the rest is done`,
    addresses: addresses.sort(compareText),
  }));
}
