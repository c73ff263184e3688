import { defined } from '@platform-sync/core/model/value';
import type { GuardFinding, Plan } from '@platform-sync/core/model/plan';
import { count } from '../words/value.js';
import { expiredSentence, isDenied, liftingWords } from '../words/guards.js';
import { adoptCommand, noRecordOf } from '../words/diagnostics.js';
import type { Cure, Item, Section } from './document.js';
import type { FilePlace } from '../view/review-place.js';
import { section } from './section.js';

type PlaceOf = (address: string) => FilePlace | undefined;

/** The guards that hold a plan back with the exact words that lift them, and those that were lifted. */
export function guardSection(
  plan: Pick<Plan, 'guards' | 'notices'>,
  placeOf: PlaceOf = () => undefined,
): readonly Section[] {
  const { guards, adoption } = guardsShown(plan);
  const blocking = guards.filter((guard) => guard.lifted === undefined);
  const known = [...(adoption === undefined ? [] : [adoption]), ...blocking];
  const lifted = guards.filter((guard) => guard.lifted !== undefined);
  const title = known.length > 0 ? 'Guards that block this plan' : 'Guards that were lifted';
  return section(
    'guards',
    title,
    'grave',
    [...known.map((guard) => blockingItem(guard, placeOf, guard === adoption)), ...lifted.map(liftedItem)],
    {
      cure: [
        ...(adoption === undefined ? [] : [adopting]),
        // While something is denied, a reason for the rest leads nowhere.
        ...(blocking.some(isDenied) ? [denied] : lifting(blocking)),
      ],
    },
  );
}

// At a terminal the warning on top has just said it.
const adopting: Cure = { words: 'Record what exists first:', language: 'sh', lines: [adoptCommand], where: 'review' };

const denied: Cure = { words: 'No reason lifts what is denied: change it, or the policy.', language: 'sh', lines: [] };

function blockingItem(guard: GuardFinding, placeOf: PlaceOf, isAdoption: boolean): Item {
  const { name, summary, addresses, expired } = guard;
  const [address, ...others] = addresses;
  const about = others.length > 0 || address === undefined ? {} : { address, ...defined({ place: placeOf(address) }) };
  return {
    finding: {
      rule: 'guard',
      subject: name,
      help: isDenied(guard)
        ? 'A policy denies it: nothing lifts that but another change, or another policy.'
        : isAdoption
          ? `Record what exists first: ${adoptCommand}`
          : `To lift it: ${liftingWords([guard])}`,
      ...about,
    },
    line: [
      ...(isDenied(guard) ? ['denied: '] : []),
      { strong: name },
      `: ${summary}`,
      ...(expired === undefined ? [] : [` (${expiredSentence(expired)})`]),
    ],
    below: addresses.length === 0 ? [] : [[{ names: addresses.map((address) => ({ address })) }]],
  };
}

function liftedItem({ name, summary, lifted = '' }: GuardFinding): Item {
  return { line: ['lifted: ', { strong: name }, ` (${summary}), reason given: `, { code: lifted }] };
}

/** In a review the branch itself can say it; on the command line it is a flag. */
function lifting(guards: readonly GuardFinding[]): readonly Cure[] {
  if (guards.length === 0) return [];
  const names = [...new Set(guards.map((guard) => guard.name))];
  const items = names.map(
    (name) => `    - { guard: ${JSON.stringify(name)}, reason: why this is right, until: YYYY-MM-DD }`,
  );
  const them = guards.length === 1 ? 'it' : 'them';
  const inFile: Cure = {
    words: `To lift ${them}, add this to sync.yaml in this branch; after the day "until", the plan is blocked again:`,
    language: 'yaml',
    lines: ['guards:', '  allow:', ...items],
    where: 'review',
  };
  const again =
    'Or plan again with the inputs "allow" and "reason" of the action or the component; on the command line that is:';
  const lines = [liftingWords(guards)];
  return [
    // A name that is no plain word is better taken from the command than from a block to copy.
    ...(names.every((name) => /^[\w./:~-]+$/.test(name)) ? [inFile] : []),
    { words: again, language: 'sh', lines, where: 'review' },
    { words: 'To go ahead, repeat the command with:', language: 'sh', lines, where: 'terminal' },
  ];
}

/** The guards of a plan, as its readers are told of them. */
interface GuardsShown {
  readonly guards: readonly GuardFinding[];
  /** Of those that block: guards that lifting is no cure for; they would lift themselves once what exists is recorded. */
  readonly adoption?: GuardFinding;
}

/** Where nothing is recorded, what exists is to be recorded first: as one, and not lifted one by one. */
function guardsShown({ guards, notices }: Pick<Plan, 'guards' | 'notices'>): GuardsShown {
  if (noRecordOf(notices) === undefined) return { guards };
  const isAdoption = ({ name, lifted }: GuardFinding): boolean => lifted === undefined && /^adopt(:|$)/.test(name);
  const adoptions = guards.filter(isAdoption);
  if (adoptions.length === 0) return { guards };
  const addresses = adoptions.flatMap((guard) => guard.addresses);
  const exist = addresses.length === 1 ? '1 object exists' : `${count(addresses.length, 'object')} exist`;
  return {
    guards: guards.filter((guard) => !isAdoption(guard)),
    adoption: { name: 'adopt', summary: `${exist} already and would be taken over by key`, addresses },
  };
}
