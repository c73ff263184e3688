import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { blockTypes, editKinds, type Block, type Habits, type Leaving } from './catalogue.js';
import { Chance } from './chance.js';
import { meetingsOf } from './meetings.js';
import { nearOf } from './near.js';
import type { Collection } from './service.js';

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
  | 'apply allowed'
  | 'destroy allowed'
  | 'apply full'
  | 'apply no-delete'
  | 'apply replace'
  | 'replace but'
  | 'apply resend'
  | 'apply fail-fast'
  | 'apply target'
  | 'apply exclude'
  | 'plan'
  | 'review'
  | 'apply reviewed'
  | 'destroy'
  | 'drift'
  | 'drift revert'
  | 'drift record'
  | 'drift accept'
  | 'drift ignore'
  | 'refresh'
  | 'adopt'
  | 'state mv'
  | 'state mv to'
  | 'state rm'
  | 'state push'
  | 'adopt one'
  | 'adopt old'
  | 'apply waiting'
  | 'apply frozen'
  | 'freeze'
  | 'thaw'
  | 'undo'
  | 'undo edit'
  | 'unlock'
  | 'fleet check'
  | 'fleet plan'
  | 'fleet status'
  | 'fleet work';

/** What happens to a process in the middle, counted from its start in events of the world. */
export interface Mishap {
  readonly kind:
    | 'kill'
    | 'stop'
    | 'stop twice'
    | 'freeze'
    | 'cut off'
    | 'unanswered'
    | 'misled'
    | 'by hand'
    | 'denied home'
    // Each page of a list says that there are more than there are.
    | 'miscounted'
    // Somebody breaks its lease.
    | 'unlocked'
    // The service lets it end nothing; or asks it to wait for so long, once.
    | 'no ends'
    | 'held';
  /** Counted from its start, or from when its write of that number leaves; of number 0, from when it has its plan. */
  readonly afterMs: number;
  readonly atWrite?: number;
  /** Not then, but when it asks the store for the time of that number from then on: its answer is still to come. */
  readonly atQuestion?: number;
  /** How long it stands still, or does not reach the store or the service, or is told wrong things. */
  readonly ms?: number;
  /** Unanswered: only its writes are, and what it asks is answered. */
  readonly isOfWrites?: true;
  /** How many of a thousand of these are carried out all the same: 500. */
  readonly arrive?: number;
  /** Misled: how many of a thousand of its looks are: 700. */
  readonly often?: number;
  /** Misled: every list that is wrong is wrong in this way (`lies.ts`). */
  readonly lie?: string;
  /** No ends: of what has an odd number, or an even one, alone. */
  readonly of?: 0 | 1;
  /** Each of its requests takes seconds. */
  readonly isSlow?: true;
  /** The store takes its time with each of its questions. */
  readonly isStoreSlow?: true;
  /** Its writes are answered late, some when its lease is nearly over. */
  readonly tarries?: true;
  /** Its clock stands still with it. */
  readonly sleeps?: true;
  /** The clock that tells how long things take stands still with it: its machine sleeps. */
  readonly dozes?: true;
  /** Somebody has changed what it is about to write, too, right after it had its plan. */
  readonly meets?: true;
  /** By hand: not at once, but between its look of that number from then on and the next one, and what it looked at. */
  readonly atLook?: number;
  /** What befalls it as well, so many milliseconds after the first did. */
  readonly then?: Mishap & { readonly inMs: number };
}

/** What somebody does without any tool. */
export interface HandEdit {
  readonly how: 'end' | 'change' | 'make';
  /** Of the object; of one that is made, of the home. */
  readonly id: string;
  readonly collection: Collection;
  readonly values: JsonObject;
}

/** One thing that happens in a world, at a moment of its own. */
export type Act = { readonly atMs: number } & (
  | {
      readonly kind: 'write files';
      readonly stack: string;
      readonly edits: number;
      readonly seed: number;
      /** How these are changed; else as the world has it. */
      readonly habits?: Habits;
    }
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
      readonly how: HandKind;
      /** Of what was written last, whoever did it; else of anything. */
      readonly of?: 'the last';
      readonly seed: number;
    }
  | { readonly kind: 'store away' | 'service away'; readonly ms: number }
  | { readonly kind: 'set clock'; readonly ms: number }
  // The same as they came out: nothing in them is left to a number.
  | {
      readonly kind: 'files';
      readonly stack: string;
      readonly resources: Readonly<Record<string, Block>>;
      readonly moved?: readonly Leaving[];
      readonly removed?: readonly string[];
    }
  | {
      readonly kind: 'command';
      readonly stack: string;
      readonly argv: readonly string[];
      readonly machine: string;
      readonly skewMs: number;
      readonly mishap?: Mishap;
    }
  | ({ readonly kind: 'hand' } & HandEdit)
);

/** A world before anything has happened, as data: what shrinks, and what a test file holds. */
export interface Scenario {
  /** What `decisions` does not say is drawn from it. Absent: nothing is drawn, and `decisions` says what was not as usual. */
  readonly seed?: number;
  readonly stacks: readonly string[];
  readonly lagMs?: number;
  /** How likely it is, of a thousand, that no more is done in the end than bringing all about: 0. */
  readonly brief?: number;
  /** How many of a thousand writes show late: 500. */
  readonly late?: number;
  /** How many of a thousand writes show for a moment before they show: 400. */
  readonly glimpses?: number;
  /** Only lists, or only objects by themselves, show writes late. */
  readonly lateWay?: 'inLists' | 'alone';
  /** The files say that every write shows at once. */
  readonly isPrompt?: true;
  /** The files have outputs. */
  readonly tells?: true;
  /** How many of a thousand blocks stand within that of what they live in: 0. */
  readonly nested?: number;
  /** Checks tell of what nobody manages. */
  readonly watches?: true;
  /** Pages of lists go by number: what goes while a list is read makes another one slip between two of them. */
  readonly isByPosition?: true;
  /** A page is asked for by its number: nothing tells which one is the last but how many there are. */
  readonly isNumbered?: true;
  /** Pages may have fewer items than was asked for. */
  readonly isRagged?: true;
  /** Nothing says how many a list has. */
  readonly isUncounted?: true;
  /** Changes are answered with nothing at all. */
  readonly isSilent?: true;
  /** Creates are answered with an id, and nothing else. */
  readonly isTerse?: true;
  /** What sync.yaml says that it does not say in most worlds. */
  readonly settings?: JsonObject;
  /** Objects have no revisions. */
  readonly isUnrevised?: true;
  /** In the place of how many of a thousand pages people write a note: 0. */
  readonly notes?: number;
  /** Objects have lists and records. */
  readonly shapes?: true;
  /** They have secrets in maps and records. */
  readonly vaults?: true;
  /** In the place of how many of a thousand texts files refer to something else, or have it looked up: 0. */
  readonly expressions?: number;
  /** How many of a thousand who take something out of the files let go of it (`removed`): 0. */
  readonly letting?: number;
  /** How many of a thousand plans go by the records alone: 0. */
  readonly blind?: number;
  /** How many of a thousand plans, checks and the like are of a part: 0. */
  readonly parts?: number;
  readonly rates?: Rates;
  /** Of what is left to a number: how files are changed. */
  readonly habits?: Habits;
  readonly acts: readonly Act[];
  readonly decisions?: Readonly<Record<string, Json>>;
}

export const commands = [
  ...[
    'apply',
    'apply',
    'apply',
    'apply allowed',
    'apply allowed',
    'apply full',
    'apply no-delete',
    'apply target',
    'apply exclude',
    'apply replace',
    'apply resend',
    'apply fail-fast',
  ],
  ...[
    'plan',
    'review',
    'review',
    'destroy',
    'destroy allowed',
    'drift',
    'drift',
    'drift revert',
    'drift record',
    'drift accept',
    'drift ignore',
    'refresh',
    'adopt',
    'state mv',
    'state mv to',
    'state rm',
    'state push',
    'adopt one',
    'apply waiting',
    'apply waiting',
    'undo',
    'undo',
    'undo edit',
    'freeze',
    'unlock',
    'fleet check',
    'fleet check',
    'fleet plan',
    'fleet status',
    'fleet work',
  ],
] as readonly Command[];
export const handKinds = ['change', 'change', 'rename', 'end', 'make', 'make', 'move key'] as const;
export type HandKind = (typeof handKinds)[number];
export const mishaps = [
  ...(['kill', 'kill', 'stop', 'stop twice', 'freeze', 'freeze'] as const),
  ...(['cut off', 'unanswered', 'unanswered', 'misled', 'misled', 'miscounted'] as const),
  ...(['by hand', 'by hand', 'by hand'] as const),
  ...(['no ends', 'held'] as const),
];

/** How many of a thousand each kind of a table has in most worlds: what is rare meets what is rare where all else is left out. */
const kindsKept = 400;

/** What happens in a world at all. */
export interface Turns {
  readonly stacks: readonly string[];
  readonly commands: readonly Command[];
  readonly hands: readonly HandKind[];
  readonly mishaps: readonly Mishap['kind'][];
  /** How many of a thousand runs meet one. */
  readonly troubled: number;
}

/** Some of each table, each as often as it stands in it. */
type Some = <Kind>(table: readonly Kind[]) => readonly Kind[];

function someOf(chance: Chance): Some {
  if (chance.happens(300)) return (table) => table;
  return (table) => {
    const kept = new Set([...new Set(table)].filter(() => chance.happens(kindsKept)));
    return kept.size === 0 ? table : table.filter((kind) => kept.has(kind));
  };
}

function turnsOf(chance: Chance, stacks: readonly string[], some: Some): Turns {
  return {
    stacks,
    // Nothing happens where nobody writes.
    commands: ['apply', 'apply allowed', ...some(commands)],
    ...{ hands: some(handKinds), mishaps: some(mishaps) },
    troubled: chance.pick([250, 450, 700]),
  };
}

function habitsOf(chance: Chance, some: Some): Habits {
  return {
    edits: [...new Set(['add', 'change', ...some(editKinds)] as const)],
    types: [...new Set(['yard:Site', ...some(blockTypes)] as const)],
    abroad: chance.pick([0, 150, 150, 600]),
    last: chance.pick([200, 350, 700]),
  };
}

/** How many of a thousand worlds are nothing but a few meetings: little else happens in them. */
const meetingsOften = 500;

/** How many of a thousand worlds have files with outputs, lists whose pages go by number where all shows at once, and empty answers. */
const tellOften = 250;
/** And checks that tell of what nobody manages. */
const watchOften = 250;
/** And what lives in something within its block. */
const nestOften = 250;
/** And things without a name. */
const noteOften = 250;
/** And lists and records in what is written. */
const shapesOften = 250;
/** And people who let go of what leaves the files. */
const lettingOften = 200;
/** And plans, and what carries them out, that read nothing. */
const blindOften = 200;
/** And plans, checks and undos of a part. */
const partsOften = 300;
/** And secrets inside of these. */
const vaultsOften = 250;
/** And values that are worked out: references, and what lookups find. */
const expressionsOften = 250;
const byPositionOften = 700;
/** Of these, how many of a thousand ask for pages by their numbers. */
const numberedOften = 500;
const raggedOften = 200;
const uncountedOften = 150;
const silentOften = 125;
const terseOften = 100;
/** How many of a thousand worlds have objects without revisions: only what they show tells that they were changed. */
const unrevisedOften = 125;

/** How many of a thousand worlds are near one that once went wrong. */
const nearOften = 500;

/** The world that a number stands for. */
export function scenarioOf(seed: number): Scenario & { readonly seed: number } {
  if (new Chance(seed, 'near').happens(nearOften)) return nearOf(seed);
  const tells = new Chance(seed, 'outputs').happens(tellOften);
  const watches = new Chance(seed, 'watch').happens(watchOften);
  const notes = new Chance(seed, 'notes');
  const nests = new Chance(seed, 'blocks');
  const world = drawn(seed);
  // Where one may show while another does not, the count may stay the same although one slips.
  const isByPosition = world.lagMs === 0 && new Chance(seed, 'pages').happens(byPositionOften);
  const isNumbered = isByPosition && new Chance(seed, 'numbers').happens(numberedOften);
  const isSilent = new Chance(seed, 'silence').happens(silentOften);
  const isTerse = new Chance(seed, 'terse').happens(terseOften);
  const settings = settingsOf(new Chance(seed, 'settings'));
  const isUnrevised = new Chance(seed, 'revisions').happens(unrevisedOften);
  return {
    ...world,
    ...(tells ? { tells } : {}),
    ...(watches ? { watches } : {}),
    ...(nests.happens(nestOften) ? { nested: nests.pick([500, 900]) } : {}),
    ...(notes.happens(noteOften) ? { notes: notes.pick([300, 800]) } : {}),
    ...(new Chance(seed, 'shapes').happens(shapesOften) ? { shapes: true } : {}),
    ...(new Chance(seed, 'vaults').happens(vaultsOften) ? { vaults: true } : {}),
    ...(new Chance(seed, 'expressions').happens(expressionsOften) ? { expressions: 500 } : {}),
    ...(new Chance(seed, 'letting').happens(lettingOften) ? { letting: 500 } : {}),
    ...(new Chance(seed, 'blind').happens(blindOften) ? { blind: 600 } : {}),
    ...(new Chance(seed, 'parts').happens(partsOften) ? { parts: 500 } : {}),
    ...(isByPosition ? { isByPosition } : {}),
    ...(isNumbered ? { isNumbered } : {}),
    ...(new Chance(seed, 'ragged').happens(raggedOften) ? { isRagged: true } : {}),
    ...(new Chance(seed, 'uncounted').happens(uncountedOften) ? { isUncounted: true } : {}),
    ...(isSilent ? { isSilent } : {}),
    ...(isTerse ? { isTerse } : {}),
    ...(isUnrevised ? { isUnrevised } : {}),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  };
}

/** Few requests a minute make many wait for their turn. */
function settingsOf(chance: Chance): JsonObject {
  return {
    ...(chance.happens(80) ? { requestsPerMinute: chance.pick([20, 60, 120]) } : {}),
    ...(chance.happens(150) ? { concurrency: chance.pick([1, 4, 16]) } : {}),
    ...(chance.happens(80) ? { adopt: 'byKey' } : {}),
    ...(chance.happens(150) ? { drift: { ignore: rulesOf(chance) } } : {}),
    ...(chance.happens(150) ? { guards: limitsOf(chance) } : {}),
    ...(chance.happens(60) ? { timing: { retries: chance.pick([0, 1]) } } : {}),
  };
}

/** Few may end or change at once; of what is let through some is over. */
function limitsOf(chance: Chance): JsonObject {
  const lifted = chance.pick(['maxDeletes', 'maxDeletePercent', 'emptyCatalogue']);
  const allow = ['everythingGone', 'maxMissing', 'adopt'].map((guard) => ({ guard, reason: 'simulated' }));
  const some = { guard: lifted, reason: 'simulated', until: chance.pick(['2026-01-04', '2026-01-05', '2026-01-06']) };
  return {
    ...{ maxDeletes: chance.pick([0, 1, 2, 1000]), maxDeletePercent: chance.pick([10, 25, 50, 100]) },
    ...{ maxUpdatePercent: chance.pick([10, 50]), allow: [...allow, some] },
  };
}

/** What checks are to leave out, as somebody has said who knows no more than how files are written; some rules are over. */
function rulesOf(chance: Chance): Json[] {
  return Array.from({ length: chance.between(1, 3) }, () => {
    const field = chance.pick(['', 'note', 'body', 'name', 'tags', 'text', 'weight', 'tags.a', 'tags.a', 'tags.hand']);
    const address = chance.pick(['*', '*', 'k*', 'k1*', 'k1', 'k2', 'k3', 'k4']);
    const until = chance.pick(['', '', '2026-01-04', '2026-01-05', '2026-01-06']);
    return {
      address,
      reason: `said ${String(chance.between(0, 99))}`,
      ...(field === '' ? {} : { field }),
      ...(until === '' ? {} : { until }),
    };
  });
}

function drawn(seed: number): Scenario & { readonly seed: number } {
  const chance = new Chance(seed, 'scenario');
  const isOfMeetings = chance.happens(meetingsOften);
  const stacks = chance.happens(isOfMeetings ? 700 : 500) ? ['one', 'two'] : ['one'];
  if (isOfMeetings) {
    const rates = chance.happens(600) ? noTrouble : ratesOf(chance);
    // Some show late as long as the files say at most, nearly.
    const lagMs = chance.pick([0, 45_000, 45_000, 90_000]);
    const isPrompt = lagMs === 0 && chance.happens(300) ? { isPrompt: true as const } : {};
    const glimpses = chance.pick([400, 900]);
    const late = chance.pick([500, 900]);
    const acts = meetingsOf(chance, stacks, lagMs > 0 && late > 500);
    const lateWay = chance.happens(350) ? { lateWay: chance.pick(['inLists', 'alone', 'alone'] as const) } : {};
    return { seed, stacks, lagMs, late, glimpses, ...lateWay, brief: 700, ...isPrompt, rates, acts };
  }
  const rates = ratesOf(chance);
  const some = someOf(chance);
  const turns = turnsOf(chance, stacks, some);
  const habits = habitsOf(chance, some);
  const acts: Act[] = stacks.map((stack) => filesWritten(chance, stack, 0, chance.between(5, 12)));
  let atMs = 1;
  const most = chance.between(4, 16);
  // Some do one thing right after another: then what was written a moment ago does not show yet.
  const isHasty = chance.happens(300);
  const pause = (): number => (isHasty ? chance.between(1_000, 15_000) : chance.between(20_000, 400_000));
  for (let nth = 0; nth < most; nth += 1) {
    const act: Act = { atMs, ...actOf(chance, turns) };
    acts.push(act);
    // Some come while others go on, most when they are over.
    atMs += chance.happens(350) ? chance.between(5, 4000) : pause();
    // Somebody finds it, and says what is to come of it.
    if (act.kind === 'edit by hand' && chance.happens(250)) {
      const stack = chance.pick(stacks);
      for (const command of ['drift', chance.pick(['drift accept', 'drift ignore'] as const)] as const) {
        acts.push({ atMs, kind: 'run', stack, command, seed: chance.between(0, 2 ** 31), skewMs: 0 });
        atMs += pause();
      }
    }
    if (act.kind !== 'run') continue;
    // Most runs have something to do.
    if (chance.happens(600)) acts.push(filesWritten(chance, act.stack, act.atMs - 1, chance.between(2, 6)));
    // Somebody or something comes in between.
    if (chance.happens(300)) acts.push({ atMs: act.atMs + between(chance), ...meanwhile(chance, turns) });
    for (const next of chain(chance, act, turns)) {
      acts.push(next);
      nth += next.kind === 'run' ? 1 : 0;
      atMs = Math.max(atMs, next.atMs + chance.between(1, isHasty ? 10_000 : 60_000));
    }
  }
  acts.sort((one, other) => one.atMs - other.atMs);
  const lagMs = isHasty ? 45_000 : chance.pick([0, 0, 2000, 45_000]);
  return {
    seed,
    stacks,
    lagMs,
    ...(lagMs === 0 && chance.happens(500) ? { isPrompt: true } : {}),
    brief: 500,
    rates,
    habits,
    acts,
  };
}

export function ratesOf(chance: Chance): Rates {
  const isCalm = chance.happens(150);
  const storm = chance.happens(200) ? 4 : 1;
  const rate = (most: number): number => (isCalm || chance.happens(400) ? 0 : chance.between(0, most * storm));
  // Now and then everything takes seconds, so that a run outlives its lease's beats.
  const slow = chance.happens(80) ? 700 : rate(150);
  return {
    ...{ slow, lost: rate(120), refused: rate(120), failed: rate(120), wrong: rate(120), twice: rate(60) },
    ...{ storeSlow: rate(40), storeRefused: rate(40), storeLost: rate(40) },
  };
}

/** Most of what is to meet a run must come within its first second. */
export function between(chance: Chance): number {
  return chance.happens(700) ? chance.between(20, 600) : chance.between(600, 4000);
}

export function filesWritten(chance: Chance, stack: string, atMs: number, edits: number): Act {
  return { atMs, kind: 'write files', stack, edits, seed: chance.between(0, 2 ** 31) };
}

type Run = Extract<Act, { readonly kind: 'run' }>;

/** What people do after a command line, and how many of a thousand do it. */
const sequels: Readonly<Partial<Record<Command, { readonly then: readonly Command[]; readonly often: number }>>> = {
  'state rm': { then: ['apply', 'apply', 'apply allowed', 'undo', 'state push', 'adopt one'], often: 800 },
  'state push': { then: ['apply', 'apply', 'refresh', 'state push', 'undo'], often: 700 },
  'state mv': { then: ['apply', 'undo', 'state mv to'], often: 400 },
  'state mv to': { then: ['apply', 'apply', 'destroy allowed', 'state rm'], often: 700 },
  'adopt one': { then: ['apply', 'undo'], often: 400 },
  drift: { then: ['drift accept', 'drift ignore', 'drift record', 'drift revert'], often: 400 },
  'drift accept': { then: ['plan', 'apply', 'drift'], often: 700 },
  'drift ignore': { then: ['drift', 'fleet check', 'apply', 'drift revert'], often: 700 },
  'drift record': { then: ['apply', 'undo'], often: 500 },
  'apply exclude': { then: ['apply', 'destroy allowed', 'undo'], often: 400 },
  'apply no-delete': { then: ['apply', 'undo'], often: 400 },
  'apply target': { then: ['apply', 'destroy allowed'], often: 300 },
  undo: { then: ['apply', 'undo', 'undo edit'], often: 300 },
  refresh: { then: ['apply'], often: 300 },
  apply: { then: ['apply', 'apply allowed', 'undo', 'drift', 'state rm', 'state mv to'], often: 250 },
  'apply allowed': { then: ['apply', 'destroy allowed', 'undo', 'state rm', 'fleet check'], often: 250 },
};

/** At once, while the dead one's lease lives, when it is over, and when all that was written shows. */
export const spans = [
  [300, 5_000],
  [20_000, 60_000],
  [140_000, 400_000],
] as const;

/** One thing leads to the next, a few times. */
function chain(chance: Chance, first: Run, turns: Turns): readonly Act[] {
  const acts: Act[] = [];
  for (let [last, links] = [first as Act | undefined, 0]; last?.kind === 'run' && links < 3; links += 1) {
    const next = followed(chance, last, turns);
    acts.push(...next);
    last = next.at(-1);
  }
  return acts;
}

/** A freeze that nobody needs to end. */
export function isForAWhile(seed: number): boolean {
  return seed % 5 < 2;
}

/** What people do next. */
function followed(chance: Chance, run: Run, turns: Turns): readonly Act[] {
  const { stack, command, mishap, atMs, skewMs } = run;
  const again = (what: Command, after: number): Run => ({
    ...{ kind: 'run', stack, skewMs, seed: chance.between(0, 2 ** 31), atMs: atMs + after, command: what },
  });
  if (command === 'review' && chance.happens(800)) {
    const after = chance.between(5_000, 60_000);
    return [...reviewing(chance, run, after, turns), { ...again('apply reviewed', after), ...mishapOf(chance, turns) }];
  }
  if (command === 'freeze')
    return [
      again(chance.pick(['apply', 'apply frozen', 'refresh', 'undo'] as const), chance.between(1_000, 9_000)),
      // One that is for a while ends by itself.
      isForAWhile(run.seed)
        ? again('apply', chance.between(100_000, 400_000))
        : again('thaw', chance.between(20_000, 200_000)),
    ];
  // Who stands still, or does not reach the store, for longer than its lease lives meets whoever took over.
  if ((mishap?.kind === 'freeze' || mishap?.kind === 'cut off') && chance.happens(500))
    return [again('apply waiting', chance.between(300, 9_000))];
  const [least, most] = chance.happens(400) ? spans[0] : chance.pick(spans);
  const after = chance.between(least, most);
  // Somebody tries again.
  if (mishap !== undefined && chance.happens(700)) {
    const next = again(chance.pick(['apply', 'apply', 'apply waiting', 'unlock'] as const), after);
    // What it hears first may be wrong, or it is interrupted as well.
    const misled = { mishap: { kind: 'misled', afterMs: 0, ms: chance.between(30, 600) } } as const;
    const tried = { ...next, ...(chance.happens(500) ? misled : chance.happens(300) ? mishapOf(chance, turns) : {}) };
    return chance.happens(350) ? [justAfter(chance, run, after), tried] : [tried];
  }
  // Somebody breaks its lease while it works.
  if (chance.happens(60)) return [again('unlock', between(chance))];
  // Two at once; of checks both in nearly the same moment.
  if (command === 'drift' && chance.happens(250)) return [again('drift', chance.between(1, 40))];
  if (chance.happens(200))
    return [{ ...again(chance.pick(turns.commands), between(chance)), ...mishapOf(chance, turns) }];
  const sequel = sequels[command];
  if (sequel === undefined || !chance.happens(sequel.often)) return [];
  const next = { ...again(chance.pick(sequel.then), after), ...mishapOf(chance, turns) };
  const others = turns.stacks.filter((each) => each !== stack);
  // What moved to another stack is that one's to keep.
  const isTheirs = command === 'state mv to' && others.length > 0 && chance.happens(500);
  const last: Run = isTheirs ? { ...next, stack: chance.pick(others) } : next;
  // Some have changed their minds meanwhile.
  const isChanged = last.command.startsWith('apply') && chance.happens(500);
  return isChanged ? [filesWritten(chance, last.stack, last.atMs - 1, chance.between(1, 3)), last] : [last];
}

/** Somebody changes what an interrupted run wrote last, before anybody has looked what became of it. */
function justAfter(chance: Chance, { atMs }: Run, ms: number): Act {
  const how = chance.pick(handKinds);
  const seed = chance.between(0, 2 ** 31);
  return {
    atMs: atMs + chance.between(Math.min(300, ms - 1), ms - 1),
    kind: 'edit by hand',
    how,
    of: 'the last',
    seed,
  };
}

/** While a plan is looked at, the world goes on. */
function reviewing(chance: Chance, { stack, atMs, skewMs }: Run, ms: number, turns: Turns): readonly Act[] {
  const at = atMs + chance.between(2_000, ms);
  switch (chance.between(0, 5)) {
    case 0:
      return [filesWritten(chance, stack, at, chance.between(1, 4))];
    case 1:
      return [{ atMs: at, ...handEdit(chance, turns) }];
    case 2: {
      const seed = chance.between(0, 2 ** 31);
      const written = filesWritten(chance, stack, at - 1, chance.between(1, 4));
      return [written, { atMs: at, kind: 'run', stack, skewMs, command: 'apply', seed }];
    }
    default:
      return [];
  }
}

function handEdit(chance: Chance, { hands }: Turns): Happening {
  const of = chance.happens(300) ? { of: 'the last' as const } : {};
  return { kind: 'edit by hand', how: chance.pick(hands), ...of, seed: chance.between(0, 2 ** 31) };
}

function meanwhile(chance: Chance, turns: Turns): Happening {
  const kind = chance.between(0, 9);
  if (kind < 3) return { kind: 'service away', ms: chance.between(8_000, 60_000) };
  if (kind < 4) return { kind: 'store away', ms: chance.between(5_000, 60_000) };
  if (kind < 5)
    return { kind: 'write files', stack: chance.pick(turns.stacks), edits: 3, seed: chance.between(0, 2 ** 31) };
  return handEdit(chance, turns);
}

/** Half of them strike while a write is under way. */
export function mishapOf(chance: Chance, turns: Turns): { readonly mishap?: Mishap } {
  if (!chance.happens(turns.troubled)) return {};
  const kind = chance.pick(turns.mishaps);
  const isShort = kind === 'misled' || kind === 'miscounted';
  const long = (): number => (chance.happens(500) ? chance.between(31_000, 90_000) : chance.between(5_000, 40_000));
  const ms = { ms: isShort ? chance.between(100, 3_000) : long() };
  if (kind !== 'by hand' && chance.happens(400)) return { mishap: { kind, afterMs: between(chance), ...ms } };
  // What somebody changes between a plan and its writes counts most.
  const atWrite = kind === 'by hand' && chance.happens(500) ? 0 : chance.between(0, 5);
  const atLook = kind === 'by hand' && chance.happens(400) ? { atLook: chance.between(1, 4) } : {};
  const sleeps =
    kind !== 'freeze'
      ? {}
      : chance.happens(300)
        ? { sleeps: true as const }
        : chance.happens(400)
          ? { dozes: true as const }
          : {};
  const meets = kind !== 'by hand' && chance.happens(200) ? { meets: true as const } : {};
  // Right away: before its connection is there.
  const afterMs = chance.happens(300) ? 0 : chance.between(0, atWrite === 0 ? 30 : 80);
  return { mishap: { kind, afterMs, atWrite, ...ms, ...sleeps, ...meets, ...atLook } };
}

type Happening = Act extends infer Each ? (Each extends Act ? Omit<Each, 'atMs'> : never) : never;

function actOf(chance: Chance, turns: Turns): Happening {
  const seed = chance.between(0, 2 ** 31);
  const stack = chance.pick(turns.stacks);
  const kind = chance.between(0, 99);
  if (kind < 22) return { kind: 'write files', stack, edits: chance.between(1, 4), seed };
  if (kind < 32) return handEdit(chance, turns);
  if (kind < 34) return { kind: 'store away', ms: chance.between(500, 40_000) };
  if (kind < 36) return { kind: 'service away', ms: chance.between(5_000, 60_000) };
  if (kind < 38) return { kind: 'set clock', ms: chance.between(-15_000, 15_000) };
  return {
    kind: 'run',
    stack,
    command: chance.pick(turns.commands),
    seed,
    skewMs: chance.pick([0, 0, 0, -15_000, 20_000]),
    ...mishapOf(chance, turns),
  };
}
