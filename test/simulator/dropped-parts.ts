import type { Block } from './catalogue.js';
import type { Act, Scenario } from './scenario.js';

type Files = Readonly<Record<string, Block>>;
type Command = Act & { readonly kind: 'command' };

const site = (properties: Block['properties']): Block => ({ type: 'yard:Site', properties });
const other = { k0: site({ name: 'other' }) } satisfies Files;
const plain = { name: 'a' };
const full = { ...plain, note: 'n', tags: { a: '1' } };
const moments = { writtenAt: 200_000, meantAt: 206_000, droppedAt: 212_000 };

/** A write that says a field and a key of a map, and shows late; the files say neither any more a moment later. */
interface Write {
  readonly before: Files;
  readonly sent: string;
  readonly version: number;
  readonly isKilled?: boolean;
  readonly lag: Readonly<Record<'inLists' | 'alone', number>> & { readonly glimpse?: number };
}

const late = { inLists: 60_000, alone: 50_000 };
const update = { before: { ...other, k1: site(plain) }, sent: 'PATCH /sites/si-0002 1', version: 1, lag: late };
const writes: Readonly<Record<string, Write>> = {
  update,
  'killed update': { ...update, isKilled: true },
  'killed update that shows for a moment': { ...update, isKilled: true, lag: { ...late, glimpse: 9_000 } },
  'killed create': { before: other, sent: 'POST /sites 1', version: 0, isKilled: true, lag: late },
};

const command = (atMs: number, ...argv: readonly string[]): Command => ({
  ...{ atMs, kind: 'command', stack: 'one', argv, machine: 'machine 0', skewMs: 0 },
});
const meant = (...argv: readonly string[]): Command => command(moments.meantAt, ...argv);
const files = (atMs: number, resources: Files, stack = 'one'): Act => ({ atMs, kind: 'files', stack, resources });
const byHand = (values: Block['properties']): Act => ({
  ...{ atMs: moments.meantAt, kind: 'hand', how: 'change', id: 'si-0002', collection: 'sites', values },
});

/** What happens before the files drop what they said, and what is in them then. */
interface Deed {
  readonly acts: readonly Act[];
  readonly left?: Files;
  readonly stack?: string;
}

const applied = (resources: Files, ...more: readonly string[]): readonly Act[] => [
  files(moments.meantAt - 1, resources),
  meant('apply', '--yes', ...more),
];
const moved = (properties: Block['properties']): Files => ({
  ...other,
  moved: { ...site(properties), options: { aliases: ['k1'] } },
});
const deeds: Readonly<Record<string, Deed>> = {
  nothing: { acts: [] },
  plan: { acts: [meant('plan')] },
  refresh: { acts: [meant('refresh')] },
  drift: { acts: [meant('drift')] },
  'drift record': { acts: [meant('drift', 'record', 'k1')] },
  'drift revert': { acts: [meant('drift', 'revert', 'k1')] },
  adopt: { acts: [meant('adopt', '--yes')] },
  'adopt of it': { acts: [meant('adopt', 'k1', 'si-0002')] },
  'another change': {
    acts: applied({ ...other, k1: site({ ...full, name: 'b' }) }),
    left: { ...other, k1: site({ name: 'b' }) },
  },
  'another change upon no reading': {
    acts: applied({ ...other, k1: site({ ...full, note: 'm' }) }, '--refresh', 'none'),
  },
  'another key in its place': { acts: applied({ ...other, k1: site({ ...plain, tags: { b: '2' } }) }) },
  'other values': { acts: applied({ ...other, k1: site({ ...plain, note: 'm', tags: { a: '2' } }) }) },
  'an alias': { acts: applied(moved(full)), left: moved(plain) },
  'an alias, with less': { acts: applied(moved(plain)), left: moved(plain) },
  'state mv': { acts: [meant('state', 'mv', 'k1', 'moved')], left: { ...other, moved: site(plain) } },
  'state mv to another stack': {
    ...{ acts: [meant('state', 'mv', 'k1', '--to-stack', 'two'), files(moments.meantAt + 1, other)] },
    ...{ left: { k1: site(plain) }, stack: 'two' },
  },
  undo: { acts: [meant('undo', '3', '--yes', '--allow', 'delete:k1', '--reason', 'seen')] },
  'an undo and its undo': {
    acts: [meant('undo', '3', '--yes'), command(moments.meantAt + 2_000, 'undo', '4', '--yes')],
  },
  'a change of another key by hand': { acts: [byHand({ tags: { c: '3' } })] },
  'a change of a field by hand': { acts: [byHand({ note: 'by hand' })] },
  'a change of its name by hand': { acts: [byHand({ name: 'by hand' })] },
};

/** Each deed after each write, by name: the judge asks whether anything is left that runs wrote and no file says. */
export const droppedParts: ReadonlyMap<string, Scenario> = new Map(
  Object.entries(writes).flatMap(([what, write]) =>
    Object.entries(deeds).flatMap(([name, deed]) => {
      const [title, world] = [`${name} after a ${what}`, worldOf(write, deed)];
      return [[title, world] as const, [`${title} of a record`, withRecords(world)] as const];
    }),
  ),
);

/** The same of a member of a record, of which the file goes on to say another one. */
function withRecords(world: Scenario): Scenario {
  const said = ({ properties: { name, note, ...others }, ...block }: Block): Block => ({
    ...block,
    properties: {
      ...{ name: name ?? '', ...others },
      ...(note === undefined ? {} : { note }),
      look: { size: 12, ...(note === undefined ? {} : { font: note }) },
    },
  });
  const files = (resources: Files): Files =>
    Object.fromEntries(Object.entries(resources).map(([address, block]) => [address, said(block)]));
  return {
    ...world,
    shapes: true,
    acts: world.acts.map((act) => (act.kind === 'files' ? { ...act, resources: files(act.resources) } : act)),
  };
}

function worldOf({ before, sent, version, isKilled = false, lag }: Write, deed: Deed): Scenario {
  const { writtenAt, droppedAt } = moments;
  const kill = { kind: 'kill', atWrite: 1, afterMs: 60 } as const;
  const { acts, left = { ...other, k1: site(plain) }, stack = 'one' } = deed;
  const all: readonly Act[] = [
    files(0, other),
    command(1, 'apply', '--yes'),
    files(59_999, before),
    command(60_000, 'apply', '--yes'),
    files(writtenAt - 1, { ...other, k1: site(full) }),
    { ...command(writtenAt, 'apply', '--yes'), ...(isKilled ? { mishap: kill } : {}) },
    ...acts,
    files(droppedAt - 1, left, stack),
    { ...command(droppedAt, 'apply', '--yes'), stack },
  ];
  const answer = { connect: 1, there: 26, back: 4_700, arrives: true, returns: 'answer' };
  return {
    stacks: ['one', 'two'],
    acts: all.toSorted((one, another) => one.atMs - another.atMs),
    decisions: {
      ...(isKilled ? { [`p${String(writtenAt)} ${sent}`]: answer } : {}),
      [`si-0002 shows its version ${String(version)}`]: lag,
    },
  };
}
