import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { GuardAllowance, GuardSettings } from '@platform-sync/core/model/project';
import type { Block } from './catalogue.js';

/** What is recorded of a stack when it is planned. */
interface Recorded {
  readonly address: string;
  readonly id: string;
  readonly protect?: boolean;
  /** What was replaced, and is still to be deleted. */
  readonly deposed: readonly unknown[];
}

/** Of so few a share says little about updates. */
const leastForUpdates = 20;

/** What holds a plan back, worked out from its lines and the limits of sync.yaml; and who has lifted it, and how. */
export function wronglyHeld(
  { mode, steps, guards }: Plan,
  { maxDeletes, maxDeletePercent, maxUpdatePercent, allow }: GuardSettings,
  // Undefined: nobody knows what was recorded when it was made.
  records: readonly Recorded[] | undefined,
  {
    blocks,
    argv,
    today,
    along: others,
  }: {
    blocks: ReadonlyMap<string, Block>;
    argv: readonly string[];
    today: string;
    /** What is to stay, and ends with its home. */
    along: number;
  },
): string | undefined {
  const isHeld = (name: string): boolean => guards.some((guard) => guard.name === name);
  const ends = steps.filter(({ action }) => action === 'delete' || action === 'replace');
  // What comes from another stack is among what is managed, and recorded there yet.
  const coming = steps.filter(
    ({ address, from }) => from?.includes(':') && !records?.some((each) => each.address === address),
  );
  const total = records?.reduce((sum, { deposed }) => sum + 1 + deposed.length, coming.length);
  for (const [name, limit] of [
    ['maxDeletes', maxDeletes],
    ['maxDeletePercent', maxDeletePercent],
  ] as const) {
    const isMany = (count: number, all: number | undefined): boolean =>
      name === 'maxDeletes' ? count > limit : count !== 1 && all !== undefined && count * 100 > limit * all;
    const { summary = '' } = guards.find((guard) => guard.name === name) ?? {};
    if (mode === 'destroy') {
      if (isHeld(name)) return `${name} holds back what is to end all`;
      continue;
    }
    // What goes along counts, too, and has no line.
    if (isMany(ends.length + others, total) && !isHeld(name))
      return `${String(ends.length + others)} end, and ${name} holds nothing back`;
    if (!isHeld(name)) continue;
    const [, own, along = '0'] =
      /^(\d+) deletes?(?: \(\d+ in replacements\))?(?:, and (\d+) along)?/.exec(summary) ?? [];
    const [, all] = /among (\d+) managed/.exec(summary) ?? [];
    if (Number(own) !== ends.length) return `${String(ends.length)} end, and ${name} counts ${own ?? 'none'}`;
    if (all !== undefined && total !== undefined && Number(all) !== total)
      return `${String(total)} are recorded, and ${name} counts ${all}`;
    if (!isMany(Number(own) + Number(along), all === undefined ? total : Number(all)))
      return `${name} holds back ${summary}`;
  }
  const isGone = ({ address }: Recorded): boolean =>
    steps.some((step) => [step.address, step.from].includes(address) && hasGone(step));
  if (mode === 'apply' && records !== undefined && records.length > 0 && records.every(isGone))
    if (!isHeld('everythingGone')) return 'nothing is there any more, and that holds nothing back';
  const updates = steps.filter(
    ({ action, fields }) => (action === 'update' || action === 'adopt') && fields.length > 0,
  );
  const isMuch =
    maxUpdatePercent !== undefined &&
    records !== undefined &&
    records.length + coming.length >= leastForUpdates &&
    updates.length * 100 > maxUpdatePercent * (records.length + coming.length);
  if (records !== undefined && isMuch !== isHeld('maxUpdatePercent'))
    return `${String(updates.length)} of ${String(records.length)} change, and maxUpdatePercent is ${isMuch ? 'silent' : 'told'}`;
  for (const { address, action, id } of ends) {
    const record = records?.find((each) => each.address === address && each.id === id);
    const isProtected = record?.protect === true || (record !== undefined && blocks.get(address)?.options?.protect);
    if (isProtected === true && !isHeld(`${action}:${address}`)) return `${address} is protected, and ends unasked`;
  }
  const lifting = liftingIn(argv, allow, today);
  for (const { name, lifted } of guards)
    if (lifting.has(name) !== (lifted !== undefined)) return `${name} is ${lifted === undefined ? 'not ' : ''}lifted`;
  return undefined;
}

/** What was recorded is not there any more. */
export function hasGone({ reasons }: PlanStep): boolean {
  return reasons.some(({ kind }) => kind === 'gone');
}

/** Names that a command line or sync.yaml lets through on a day. */
export function liftingIn(
  argv: readonly string[],
  allow: readonly GuardAllowance[],
  today: string,
): ReadonlySet<string> {
  const said = argv.flatMap((word, at) => (argv[at - 1] === '--allow' ? [word] : []));
  return new Set([...said, ...allow.flatMap(({ guard, until = today }) => (until >= today ? [guard] : []))]);
}
