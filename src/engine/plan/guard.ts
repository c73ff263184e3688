import type { GuardFinding } from '../model/plan.js';
import type { GuardAllowance, GuardSettings } from '../model/project.js';
import type { Snapshot } from '../model/snapshot.js';
import type { StackState } from '../model/state.js';
import { adoptions } from './adoptions.js';
import type { Proposal } from './proposal.js';
import { uniqueKeyOf } from './unique-key.js';

/** What the guards look at. */
export interface GuardInput {
  readonly mode: 'apply' | 'destroy' | 'adopt';
  readonly proposals: readonly Proposal[];
  readonly desiredCount: number;
  readonly state: StackState;
  readonly snapshot: Snapshot;
  readonly targets: Readonly<Record<string, string>>;
  readonly settings: GuardSettings;
  readonly allow: readonly GuardAllowance[];
  readonly adopt?: 'byKey';
}

type Guard = (input: GuardInput) => readonly Omit<GuardFinding, 'lifted'>[];

/** Every guard is one function; none has a size below which it looks away. */
const guards: readonly Guard[] = [
  protectedResources,
  tooManyDeletes,
  tooLargeShare,
  emptyCatalogue,
  everythingGone,
  otherTarget,
  adoptedByKey,
  unkeyedCreates,
];

/** All guards that speak up, with the reasons of those lifted by name. */
export function checkGuards(input: GuardInput): readonly GuardFinding[] {
  const allowed = new Map([...input.settings.allow, ...input.allow].map(({ guard, reason }) => [guard, reason]));
  return guards
    .flatMap((guard) => guard(input))
    .map((finding) => {
      const reason = allowed.get(finding.name);
      return reason === undefined ? finding : { ...finding, lifted: reason };
    });
}

/** True when a guard that nobody lifted speaks up. */
export function isBlocked(findings: readonly GuardFinding[]): boolean {
  return findings.some((finding) => finding.lifted === undefined);
}

function protectedResources({ proposals }: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  return (
    proposals
      .filter((p) => p.action === 'delete' || p.action === 'replace')
      // The mark in state counts, so that deleting the block does not delete its protection.
      .filter((p) => isProtected(p))
      .map((p) => ({
        name: `${p.action}:${p.address}`,
        summary: `${p.address} is protected and would be ${p.action}d`,
        addresses: [p.address],
      }))
  );
}

/** A mark moves along with its record: a block that took over another's object does not shed it. */
function isProtected({ desired, recorded, movedFrom }: Proposal): boolean {
  const isMarked = recorded?.protect === true && (desired === undefined || movedFrom !== undefined);
  return isMarked || desired?.options.protect === true;
}

function adoptedByKey({ proposals, settings, allow }: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  return adoptions(
    proposals,
    [...settings.allow, ...allow].some(({ guard }) => guard === 'adopt'),
  );
}

/** Without a record and without a key, the next run would make the object once more. */
function unkeyedCreates({ proposals, adopt, state }: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  if (adopt === undefined || state.resources.size > 0) return [];
  return proposals
    .filter(({ action, type }) => action === 'create' && uniqueKeyOf(type) === undefined)
    .map(({ address, type }) => ({
      name: `unkeyed:${address}`,
      summary: `${address} would be created, and without kept state every later run would create it again: no key tells one ${type.name} from another`,
      addresses: [address],
    }));
}

function deletesOf(input: GuardInput): readonly Proposal[] {
  return input.proposals.filter((p) => p.action === 'delete');
}

function tooManyDeletes(input: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  const deletes = deletesOf(input);
  const limit = input.settings.maxDeletes;
  if (input.mode === 'destroy' || deletes.length <= limit) return [];
  return [
    {
      name: 'maxDeletes',
      summary: `${deletes.length} deletes, more than maxDeletes: ${limit}`,
      addresses: deletes.map((p) => p.address),
    },
  ];
}

function tooLargeShare(input: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  const deletes = deletesOf(input);
  const total = input.state.resources.size;
  const limit = input.settings.maxDeletePercent;
  if (input.mode === 'destroy' || deletes.length * 100 <= limit * total) return [];
  const share = Math.round((deletes.length * 100) / total);
  return [
    {
      name: 'maxDeletePercent',
      summary: `${deletes.length} of ${total} managed resources (${share} %) would be deleted, more than maxDeletePercent: ${limit}`,
      addresses: deletes.map((p) => p.address),
    },
  ];
}

function emptyCatalogue(input: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  if (input.mode !== 'apply' || input.desiredCount > 0 || input.state.resources.size === 0) return [];
  const summary = `the catalogue is empty, but ${input.state.resources.size} resources are managed; to delete them all on purpose use destroy`;
  return [{ name: 'emptyCatalogue', summary, addresses: [] }];
}

function everythingGone(input: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  const readings = [...input.state.resources.keys()].map((address) => input.snapshot.readings.get(address));
  if (input.mode === 'destroy' || readings.length === 0 || !readings.every((reading) => reading?.kind === 'gone'))
    return [];
  const summary = `none of the ${readings.length} managed objects exists any more at this target; is it the right one?`;
  return [{ name: 'everythingGone', summary, addresses: [] }];
}

function otherTarget(input: GuardInput): readonly Omit<GuardFinding, 'lifted'>[] {
  return Object.entries(input.targets).flatMap(([provider, target]) => {
    const recorded = input.state.targets[provider];
    if (recorded === undefined || recorded === target) return [];
    return [
      {
        name: `target:${provider}`,
        summary: `this stack was applied to ${recorded}, and would now be applied to ${target}`,
        addresses: [],
      },
    ];
  });
}
