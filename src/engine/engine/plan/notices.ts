import { afterAdoption, assumedEqual, isAdoptedByKey } from './guards/adoption.js';
import { addressesAbove, type Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { LeftOut, PlanStep } from '@platform-sync/core/model/plan';
import { handedOutputs, type HandedOutput } from './handed-outputs.js';
import { leftOutNotice, homeNotices, type Selection } from './selection.js';
import type { Step } from './step.js';
import type { PlanInput } from './planning-state.js';
import { getIt, likelyRenames, objectOf, ownedBy, sameNames } from './guards/same-name.js';
import { addTo } from '@platform-sync/core/model/graph';
import { uniqueKeyOf } from './keys.js';

/** What a plan came to. */
interface Outcome {
  readonly steps: ReadonlyMap<Address, Step>;
  readonly shown: readonly PlanStep[];
  readonly selection: Selection;
  readonly leftOut?: readonly LeftOut[];
}

/** What a plan says beside its steps. */
export function planNotices(input: PlanInput, { steps, shown, selection, leftOut }: Outcome): readonly Diagnostic[] {
  return [
    ...frozenNotice(input),
    ...leftOutNotice(leftOut),
    ...homeNotices(selection),
    ...clearingNotices(shown),
    ...unkeptNotices(steps),
    ...costlyReplacementNotices(shown, steps),
    ...deprecationNotices(shown, steps),
    ...sameNameNotices(input, steps),
    ...renameNotices(input, steps),
    ...notLookedForNotices(input, steps),
    ...noRecordNotices(input, steps),
    ...derivedNotices(input, steps),
    ...shownOnceNotices(input, shown, steps),
    ...removedNotices(input),
    ...leavingNotices(input),
    ...keptOrderNotices(input, steps),
    ...(input.mode === 'adopt' ? afterAdoption(input, steps.values()) : []),
    // Who takes over by key at every run has said that files count: it is told when that is asked for.
    ...(input.adopt === 'byKey' && input.mode !== 'adopt' ? [] : assumedEqual(steps.values())),
    ...(input.notices ?? []),
  ];
}

/** Whoever reads the plan is not to wait for an apply that can't be. */
function frozenNotice({ frozen }: PlanInput): readonly Diagnostic[] {
  if (frozen === undefined) return [];
  const { id, by, reason, until } = frozen;
  return [
    {
      severity: 'warning',
      code: 'state-frozen',
      summary: `The stack is frozen by ${by}${until === undefined ? '' : ` until ${until}`}: ${reason}`,
      hint: `Nothing writes to it but a run that names the freeze: sync apply --frozen ${id}`,
    },
  ];
}

/** Fields that the file fell silent about and that stay as they are. */
function clearingNotices(shown: readonly PlanStep[]): readonly Diagnostic[] {
  return shown.flatMap((step) =>
    step.fields
      .filter((field) => field.cannotClear === true)
      .map((field): Diagnostic => ({
        severity: 'warning',
        code: 'cannot-clear',
        summary: `${step.address}: ${field.field} was taken out of the catalogue, but the platform can't put it back to a default; it stays as it is.`,
        hint: `From now on ${field.field} is not managed. To change it, declare it again.`,
        address: step.address,
        field: field.field,
      })),
  );
}

/** Told until an apply has recorded it, and then no more. */
function unkeptNotices(steps: ReadonlyMap<Address, Step>): readonly Diagnostic[] {
  return [...steps.values()].flatMap(({ address, unkept = [] }) => unkept.map((field) => notKept(address, field)));
}

/** Fields on their way out that a step writes a value to. */
function deprecationNotices(shown: readonly PlanStep[], steps: ReadonlyMap<Address, Step>): readonly Diagnostic[] {
  return shown.flatMap(({ address, fields }) => {
    const type = steps.get(address)?.type;
    return fields.flatMap(({ field, new: value = null }): readonly Diagnostic[] => {
      const hint = type?.fields[field]?.deprecated;
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      if (type === undefined || hint === undefined || isEmpty) return [];
      const summary = `${address}: ${field} of ${type.shortToken} is deprecated.`;
      return [{ severity: 'warning', code: 'deprecated-property', summary, hint, address, field }];
    });
  });
}

/** Replacements for what an object of its own would hold and be edited in place there: what they cost, and the way out. */
export function costlyReplacementNotices(
  shown: readonly PlanStep[],
  steps: ReadonlyMap<Address, Step>,
): readonly Diagnostic[] {
  return shown.flatMap(({ address, action, fields, risks }) => {
    if (action !== 'replace') return [];
    const type = steps.get(address)?.type;
    const [kept] = fields.flatMap(({ field, rule }) => {
      const as = type?.fields[field]?.keptAs;
      return rule === 'replace' && as !== undefined ? [{ field, below: as.replace(/.*:/, '') }] : [];
    });
    if (kept === undefined) return [];
    const { field, below } = kept;
    const along = shown.filter(({ reasons }) => reasons.some((why) => 'path' in why && why.path.includes(address)));
    const lost = risks.flatMap((risk) => (risk.kind === 'cascades' ? [risk.what] : []));
    const costs = [...along.map((step) => step.address), ...lost];
    const what = costs.length === 0 ? 'its id and its address on portals' : costs.join(', ');
    return [
      {
        severity: 'warning',
        code: 'costly-replacement',
        summary: `${address} is deleted and made again for its ${field}, which also ends: ${what}.`,
        hint: `To edit it in place, describe it as ${below} below ${address}, which adopts the one that is there:\nsync plan --out plan.json\nsync fix plan.json`,
        address,
        field,
      },
    ];
  });
}

/** The same as the guard `same-name`, with what to write into the file; and renames in the catalogue, which hold nothing back. */
export function sameNameNotices(input: PlanInput, steps: ReadonlyMap<Address, Step>): readonly Diagnostic[] {
  return sameNames(input, [...steps.values()]).map(({ step, holder, what }) => {
    const { address } = step;
    const hint =
      'left' in holder
        ? `If ${address} is ${holder.left} under a new key, say so in its options, and it is kept: aliases: [${holder.left}]`
        : 'several' in holder
          ? `If one of them is meant, take it over: sync adopt ${address} ID`
          : `If ${getIt(input, step, holder)}`;
    return {
      severity: 'warning',
      code: 'same-name',
      summary:
        'left' in holder
          ? `${holder.left} is deleted and ${address} is created, and both have ${what}: for this type that does not prove that they are one object.`
          : 'several' in holder
            ? `${address} is created beside others, of which this stack has no record: they have ${what}, and the platform allows that.`
            : `${address} is created beside ${objectOf(holder)}, ${(holder.owner ?? holder.deletedAt) === undefined ? 'which nobody manages' : ownedBy(input, holder)}: both have ${what}, and the platform allows that.`,
      hint,
      address,
    };
  });
}

/** A rename of key and name at once is a delete and a create, unless the file says more. */
function renameNotices(input: PlanInput, steps: ReadonlyMap<Address, Step>): readonly Diagnostic[] {
  const all = [...steps.values()];
  const told = new Set(sameNames(input, all).map(({ step }) => step.address));
  return likelyRenames(all).flatMap(({ created: { address }, left }): readonly Diagnostic[] => {
    if (told.has(address)) return [];
    return [
      {
        severity: 'info',
        code: 'likely-rename',
        summary: `${left.address} is deleted and ${address} is created, and both are equal but for their names: a rename?`,
        hint: `If it is one, say so in the options of ${address}, and the object is kept: aliases: [${left.address}]`,
        address,
      },
    ];
  });
}

/** What rules made of a description is told when a stack uses it for the first time. */
export function derivedNotices(input: PlanInput, steps: ReadonlyMap<Address, Step>): readonly Diagnostic[] {
  const used = new Set([...input.state.resources.values()].map(({ type }) => type));
  const fresh = [...steps.values()].filter(
    ({ type, action }) => type.derived === true && type.proven !== true && action !== 'none' && !used.has(type.token),
  );
  const names = [...new Set(fresh.map(({ type }) => type.shortToken))].sort();
  if (names.length === 0) return [];
  return [
    {
      severity: 'info',
      code: 'derived-type',
      summary: `${names.length === 1 ? 'This type is derived' : 'These types are derived'} from the platform's description and not proven: ${names.join(', ')}.`,
      hint: 'Look at the first plans and applies with care. What is known of a type: sync schema TYPE',
    },
  ];
}

/** New objects of which the platform shows a secret that it chose once: where that goes, or that nobody will see it. */
export function shownOnceNotices(
  { desired, types, destinations }: Pick<PlanInput, 'desired' | 'types' | 'destinations'>,
  shown: readonly PlanStep[],
  steps: ReadonlyMap<Address, Step>,
): readonly Diagnostic[] {
  const handed = handedOutputs(desired, types);
  return shown.flatMap(({ address, action }) => {
    const step = steps.get(address);
    if (step === undefined || (action !== 'create' && action !== 'replace')) return [];
    const { type, declared } = step;
    const chosen = (type.shownOnce ?? []).filter((name) => (declared.get(name) ?? null) === null);
    return chosen.flatMap((name): readonly Diagnostic[] => {
      const outputs = handed.filter((each) => each.address === address && each.field === name);
      const sent = outputs.flatMap((each) => {
        const destination = destinations?.get(each.name);
        return destination === undefined ? [] : [sentOnce(each, destination.kind)];
      });
      if (sent.length > 0) return sent;
      return [unseenOnce(address, name, onceHint(address, name, outputs[0]?.name, type.fields[name]?.input === true))];
    });
  });
}

function unseenOnce(address: Address, name: string, hint: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'shown-once',
    summary: `${address}: the platform chooses its ${name} and shows it only once; this tool neither stores nor prints it.`,
    hint,
    address,
  };
}

function onceHint(address: Address, name: string, output: string | undefined, isChosen: boolean): string {
  if (output !== undefined) return `To have it sent somewhere: --output ${output}=file:/path, fd:3 or cmd:COMMAND`;
  const named = `name it, outputs: {secret: \${${address}.${name}}}, and say where it goes: --output secret=file:/path`;
  return isChosen ? `To know it, choose it: ${name}: !env NAME. Or ${named}` : `To have it sent somewhere, ${named}`;
}

function sentOnce({ name, address, field }: HandedOutput, kind: string): Diagnostic {
  return {
    severity: 'info',
    code: 'secret-sent',
    summary: `${address}: its ${field} goes to ${kind}, by the output ${name}, when it is made. It is kept nowhere else.`,
    hint: `If it is lost, make a new one: sync apply --replace ${address} --output ${name}=…`,
    address,
  };
}

/** What another stack takes over: nothing is done about it here. */
function leavingNotices({ desired, state }: PlanInput): readonly Diagnostic[] {
  return [...(desired.moved ?? [])].flatMap(([from, { to }]) => {
    const isHere = state.resources.has(from);
    const summary = isHere
      ? `${from} moves to another stack, as ${to}: it stays recorded here until that stack was applied.`
      : `moved: nothing is recorded at ${from}, so it has moved to ${to} already.`;
    return [{ severity: 'info', code: 'moves-to-stack', summary, address: from }];
  });
}

/** Entries of `removed` that nothing recorded falls under: they did their work, or have a wrong name. */
export function removedNotices({ desired, state }: Pick<PlanInput, 'desired' | 'state'>): readonly Diagnostic[] {
  if (desired.removed === undefined) return [];
  const recorded = [...state.resources.keys()];
  const met = new Set(recorded.flatMap((address) => addressesAbove(address)));
  const left = recorded.filter((address) => !desired.resources.has(address));
  return [...desired.removed].flatMap(([address, at]) => {
    if (met.has(address)) return [];
    const meant = didYouMean(address, left);
    return [
      {
        severity: meant === undefined ? ('info' as const) : ('warning' as const),
        code: 'removed-nothing',
        summary: `removed: nothing is recorded at ${address}, so there is nothing to let go of.`,
        hint: meant ?? 'Once every stack was applied, the entry can go.',
        place: desired.sources.place(at),
        address,
      },
    ];
  });
}

/** Pages that exist and that files put behind another one now: nothing that is sent can move them. */
function keptOrderNotices(
  { desired, mode }: Pick<PlanInput, 'desired' | 'mode'>,
  steps: ReadonlyMap<Address, Step>,
): readonly Diagnostic[] {
  if (mode !== 'apply') return [];
  const kept = [...steps.values()].filter(({ address, action, recorded, desired: wanted }) => {
    const before = wanted?.placedAfter;
    if (before === undefined || recorded?.address !== address || action === 'replace') return false;
    // Where one in between is gone, the rest is in order as before.
    return (
      !recorded.dependencies.includes(before) && recorded.dependencies.every((each) => desired.resources.has(each))
    );
  });
  const [first] = kept;
  if (first === undefined) return [];
  const some = kept.length === 1 ? `${first.address} stays` : `${kept.length} pages stay`;
  return [
    {
      severity: 'info',
      code: 'order-kept',
      summary: `${some} where the platform has ${kept.length === 1 ? 'it' : 'them'}: "order" says in which order pages are created, and moves none.`,
      detail: kept.map(({ address, desired: wanted }) => `${address}, after ${wanted?.placedAfter ?? ''}`).join('\n'),
      hint: 'Move them on the platform; places are never drift.',
      address: first.address,
    },
  ];
}

/** What was written, and what the platform made something else of, as far as its answers tell. */
export function notKept(
  address: Address,
  field: string,
  platform = `does not keep ${field} as it was written`,
): Diagnostic {
  return {
    severity: 'warning',
    code: 'not-kept',
    summary: `${address}: the platform ${platform}. It is not written again until the file or the object changes.`,
    hint: `Write the value of the platform into the catalogue, or take ${field} out of it.`,
    address,
    field,
  };
}

/**
 * New objects in one that the same plan takes over, of types whose keys are not unique, where nobody has read what it holds: they
 * may all exist. To say so costs no request; `sync adopt` reads.
 */
export function notLookedForNotices(
  { mode, snapshot, types }: Pick<PlanInput, 'mode' | 'snapshot' | 'types'>,
  steps: ReadonlyMap<Address, Step>,
): readonly Diagnostic[] {
  const owners = new Map<string, Address>();
  for (const { action, address, type, actual } of steps.values())
    if (action === 'adopt' && actual !== undefined) owners.set(`${type.token} ${actual.identity.id}`, address);
  if (mode !== 'apply' || owners.size === 0) return [];
  const read = new Set(
    snapshot.listed.map(({ type, scope }) => `${type} ${scope[types.get(type)?.parent?.field ?? ''] ?? ''}`),
  );
  const made = new Map<Address, Address[]>();
  for (const { action, recorded, address, type, declared } of steps.values()) {
    const { parent, token, naturalKey } = type;
    if (action !== 'create' || recorded !== undefined || parent === undefined) continue;
    if (naturalKey.length === 0 || uniqueKeyOf(type) !== undefined) continue;
    const id = declared.get(parent.field);
    const owner =
      typeof id === 'string' && !read.has(`${token} ${id}`) ? owners.get(`${parent.type} ${id}`) : undefined;
    if (owner !== undefined) addTo(made, owner, address);
  }
  return [...made].map(([owner, addresses]) => notice(owner, addresses));
}

function notice(owner: Address, addresses: readonly Address[]): Diagnostic {
  const [first = ''] = addresses;
  const others = addresses.length - 1;
  const what = others === 0 ? first : `${first} and ${others} more`;
  return {
    severity: 'warning',
    code: 'not-looked-for',
    summary: `${what} would be created in ${owner}, which is adopted; they may exist there already.`,
    hint: 'If they exist, take them over by their keys first: sync adopt',
    address: owner,
  };
}

type Input = Pick<PlanInput, 'adopt' | 'state' | 'mode'> & {
  readonly desired: { readonly resources: Pick<PlanInput['desired']['resources'], 'size'> };
};

/** What a plan without any record can't know. A stack that finds its objects by key is never without them. */
function noRecordNotices(
  { adopt, state, mode, desired: { resources } }: Input,
  steps: ReadonlyMap<Address, Step>,
): readonly Diagnostic[] {
  if (state.resources.size > 0 || mode === 'adopt') return [];
  if (mode === 'destroy') return [nothingDeleted];
  if (adopt !== undefined) return [nothingKnownToLeave];
  if (resources.size === 0) return [];
  const found = [...steps.values()].filter(isAdoptedByKey).length;
  const all = resources.size === 1 ? 'the one resource' : `all ${resources.size} resources`;
  const known = found === 0 ? '' : `, although ${found === 1 ? 'the object of 1 exists' : `objects of ${found} exist`}`;
  return [
    {
      severity: found === 0 ? 'info' : 'warning',
      code: 'no-record',
      summary: `Nothing is recorded for this stack, so ${all} of the catalogue would be new to it${known}.`,
      hint:
        found === 0
          ? 'This is normal before a first apply. If the objects exist already, take them over first: sync adopt'
          : 'Record what exists first: sync adopt',
    },
  ];
}

const nothingDeleted: Diagnostic = {
  severity: 'warning',
  code: 'no-record',
  summary: 'Nothing is recorded for this stack, so nothing is deleted: only recorded objects are deleted.',
  hint: 'Keep the state between runs to have objects deleted. If the state was lost, record them again: sync adopt',
};

const nothingKnownToLeave: Diagnostic = {
  severity: 'info',
  code: 'no-record',
  summary: 'Nothing is recorded for this stack, so objects that left the catalogue are not known and stay.',
  hint: 'Keep the state between runs to have them deleted.',
};
