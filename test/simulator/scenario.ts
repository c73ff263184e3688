import { Chance } from './chance.js';

/** How often each kind of trouble happens, in a thousand. */
export interface Rates {
  /** A request or its answer takes seconds. */
  readonly slow: number;
  /** A request or its answer never arrives. */
  readonly lost: number;
  /** 429 with a time to wait, or a passing 403. */
  readonly refused: number;
  /** 5xx, carried out or not. */
  readonly failed: number;
  /** A list lacks something, or an object is denied. */
  readonly wrong: number;
  /** A change or an end is carried out twice. */
  readonly twice: number;
  readonly storeSlow: number;
  readonly storeRefused: number;
  readonly storeLost: number;
}

export const noTrouble: Rates = {
  ...{ slow: 0, lost: 0, refused: 0, failed: 0, wrong: 0, twice: 0 },
  ...{ storeSlow: 0, storeRefused: 0, storeLost: 0 },
};

export type Command =
  | 'apply'
  | 'apply full'
  | 'apply no-delete'
  | 'apply target'
  | 'apply exclude'
  | 'plan'
  | 'review'
  | 'apply reviewed'
  | 'destroy'
  | 'drift'
  | 'drift revert'
  | 'drift record'
  | 'refresh'
  | 'adopt'
  | 'state mv'
  | 'state mv to';

/** What happens to a process in the middle, counted from its start in events of the world. */
export interface Mishap {
  readonly kind: 'kill' | 'stop' | 'stop twice' | 'freeze';
  /** Counted from its start, or from when its write of that number leaves. */
  readonly afterMs: number;
  readonly atWrite?: number;
}

/** One thing that happens in a world, at a moment of its own. */
export type Act = { readonly atMs: number } & (
  | { readonly kind: 'write files'; readonly stack: string; readonly edits: number; readonly seed: number }
  | {
      readonly kind: 'run';
      readonly stack: string;
      readonly command: Command;
      readonly seed: number;
      /** Milliseconds by which its clock is wrong. */
      readonly skewMs: number;
      readonly mishap?: Mishap;
    }
  | {
      readonly kind: 'edit by hand';
      readonly how: 'change' | 'rename' | 'end' | 'make' | 'move key';
      readonly seed: number;
    }
  | { readonly kind: 'store away' | 'service away'; readonly ms: number }
  | { readonly kind: 'set clock'; readonly ms: number }
);

/** A world before anything has happened, as data: what shrinks, and what a test file holds. */
export interface Scenario {
  readonly seed: number;
  readonly stacks: readonly string[];
  readonly lagMs: number;
  readonly rates: Rates;
  readonly acts: readonly Act[];
}

const commands = [
  ...['apply', 'apply', 'apply', 'apply', 'apply', 'apply full', 'apply no-delete', 'apply target', 'apply exclude'],
  ...[
    'plan',
    'review',
    'review',
    'destroy',
    'drift',
    'drift',
    'drift revert',
    'drift record',
    'refresh',
    'adopt',
    'state mv',
  ],
] as readonly Command[];
const edits = ['change', 'change', 'rename', 'end', 'make', 'move key'] as const;
const mishaps = ['kill', 'kill', 'stop', 'stop twice', 'freeze'] as const;

/** The world that a number stands for. */
export function scenarioOf(seed: number): Scenario {
  const chance = new Chance(seed, 'scenario');
  const stacks = chance.happens(400) ? ['one', 'two'] : ['one'];
  const isCalm = chance.happens(150);
  const storm = chance.happens(200) ? 4 : 1;
  const rate = (most: number): number => (isCalm || chance.happens(400) ? 0 : chance.between(0, most * storm));
  const rates: Rates = {
    ...{ slow: rate(150), lost: rate(120), refused: rate(120), failed: rate(120), wrong: rate(120), twice: rate(60) },
    ...{ storeSlow: rate(40), storeRefused: rate(40), storeLost: rate(40) },
  };
  const acts: Act[] = stacks.map((stack) => ({
    atMs: 0,
    kind: 'write files',
    stack,
    edits: 6,
    seed: chance.between(0, 2 ** 31),
  }));
  let atMs = 1;
  const most = chance.between(3, 14);
  for (let nth = 0; nth < most; nth += 1) {
    const act: Act = { atMs, ...actOf(chance, stacks) };
    acts.push(act);
    // Some come while others go on, most when they are over.
    atMs += chance.happens(350) ? chance.between(5, 4000) : chance.between(20_000, 400_000);
    if (act.kind !== 'run') continue;
    // Somebody or something comes in between.
    if (chance.happens(250)) acts.push({ atMs: act.atMs + chance.between(20, 2500), ...meanwhile(chance) });
    const next = followed(chance, act);
    if (next === undefined) continue;
    acts.push(next);
    atMs = Math.max(atMs, next.atMs + chance.between(1, 60_000));
  }
  acts.sort((one, other) => one.atMs - other.atMs);
  return { seed, stacks, lagMs: chance.pick([0, 0, 2000, 45_000]), rates, acts };
}

/** What people do next: carry out what was reviewed, or try again as soon as a dead run's lease is over. */
function followed(
  chance: Chance,
  { stack, command, mishap, atMs, skewMs }: Extract<Act, { readonly kind: 'run' }>,
): Act | undefined {
  const again = { kind: 'run', stack, skewMs, seed: chance.between(0, 2 ** 31) } as const;
  if (command === 'review' && chance.happens(800))
    return { ...again, atMs: atMs + chance.between(5_000, 60_000), command: 'apply reviewed' };
  const isLeft = mishap?.kind === 'kill' || mishap?.kind === 'freeze';
  if (isLeft && chance.happens(600)) return { ...again, atMs: atMs + chance.between(31_000, 50_000), command: 'apply' };
  return undefined;
}

function meanwhile(chance: Chance): Happening {
  if (chance.happens(400)) return { kind: 'service away', ms: chance.between(8_000, 60_000) };
  return { kind: 'edit by hand', how: chance.pick(edits), seed: chance.between(0, 2 ** 31) };
}

type Happening = Act extends infer Each ? (Each extends Act ? Omit<Each, 'atMs'> : never) : never;

function actOf(chance: Chance, stacks: readonly string[]): Happening {
  const seed = chance.between(0, 2 ** 31);
  const stack = chance.pick(stacks);
  const kind = chance.between(0, 99);
  if (kind < 20) return { kind: 'write files', stack, edits: chance.between(1, 4), seed };
  if (kind < 35) return { kind: 'edit by hand', how: chance.pick(edits), seed };
  if (kind < 38) return { kind: 'store away', ms: chance.between(500, 40_000) };
  if (kind < 41) return { kind: 'service away', ms: chance.between(5_000, 60_000) };
  if (kind < 44) return { kind: 'set clock', ms: chance.between(-15_000, 15_000) };
  const mishap = chance.happens(250)
    ? { mishap: { kind: chance.pick(mishaps), afterMs: chance.between(5, 3000) } }
    : {};
  return {
    kind: 'run',
    stack,
    command: chance.pick(commands),
    seed,
    skewMs: chance.pick([0, 0, 0, -15_000, 20_000]),
    ...mishap,
  };
}
