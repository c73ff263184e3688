import type { Block } from './catalogue.js';
import type { Act, Scenario } from './scenario.js';

type Files = Readonly<Record<string, Block>>;
/** What a killed run has left open at a moment of its own: a write of one address, which was carried out and shows late. */
interface OpenWrite {
  readonly address: string;
  readonly files: Files;
  /** As the run sent it, and the version of the object that shows late. */
  readonly sent: string;
  readonly shows: string;
}

const page = (title: string, more: Block['properties'] = {}): Block => ({
  type: 'yard:Page',
  properties: { siteId: '${k1.id}', title, password: 'Pa55word-12-never-told', ...more },
});
const before = { k1: { type: 'yard:Site', properties: { name: 'a' } }, k2: page('p') } satisfies Files;
const moments = { killedAt: 200_000, meantAt: 206_000, killedAgainAt: 215_000 };
const late = { inLists: 60_000, alone: 50_000 };
const isLost = { connect: 1, there: 26, back: 4_700, arrives: true, returns: 'answer' };

const writes: Readonly<Record<string, OpenWrite>> = {
  create: {
    ...{ address: 'k3', files: { ...before, k3: page('q') } },
    ...{ sent: 'POST /sites/si-0001/pages 1', shows: 'pa-0003 shows its version 0' },
  },
  'create of whose key there is one': {
    ...{ address: 'k3', files: { ...before, k3: { type: 'yard:Site', properties: { name: 'b' } } } },
    ...{ sent: 'POST /sites 1', shows: 'si-0003 shows its version 0' },
  },
  'create in the place of another': {
    ...{ address: 'k2', files: { ...before, k2: page('p', { layout: 'wide' }) } },
    ...{ sent: 'POST /sites/si-0001/pages 1', shows: 'pa-0003 shows its version 0' },
  },
  update: {
    ...{ address: 'k2', files: { ...before, k2: page('p', { body: 'other' }) } },
    ...{ sent: 'PATCH /sites/si-0001/pages/pa-0002 1', shows: 'pa-0002 shows its version 1' },
  },
  delete: {
    ...{ address: 'k2', files: { k1: before.k1 } },
    ...{ sent: 'DELETE /sites/si-0001/pages/pa-0002 1', shows: 'pa-0002 shows its version 1' },
  },
};

const command = (atMs: number, ...argv: readonly string[]): Act & { readonly kind: 'command' } => ({
  ...{ atMs, kind: 'command', stack: 'one', argv, machine: 'machine 0', skewMs: 0 },
});
const meant = (...argv: readonly string[]): Act => command(moments.meantAt, ...argv);

const killed = { kind: 'kill', atWrite: 1, afterMs: 60 } as const;

function withValues(block: Block, more: (values: Block['properties']) => Block['properties']): Block {
  return { ...block, properties: { ...block.properties, ...more(block.properties) } };
}

/** The file says something else at the address of the write. */
function saidInstead({ address, files }: OpenWrite, said: (block: Block) => Block): Act {
  const resources = { ...files, [address]: said(files[address] ?? before.k2) };
  return { atMs: moments.meantAt - 1, kind: 'files', stack: 'one', resources };
}

/** What somebody does a few seconds later: none of it says what became of the write. */
const deeds: Readonly<Record<string, (write: OpenWrite) => readonly Act[]>> = {
  'state rm': ({ address }) => [meant('state', 'rm', address)],
  'state mv': ({ address }) => [meant('state', 'mv', address, 'moved')],
  'state mv to another stack': ({ address }) => [meant('state', 'mv', address, '--to-stack', 'two')],
  'state push of a document of before': () => [
    command(moments.killedAt - 2_000, 'state', 'pull'),
    meant('state', 'push', 'backup.json', '--force'),
  ],
  'adopt of another object': ({ address }) => [
    {
      ...{ atMs: moments.meantAt - 1, kind: 'hand', how: 'make' },
      ...{ id: 'si-0001', collection: 'pages' },
      values: { title: 'by hand' },
    },
    meant('adopt', address, '{"siteId":"si-0001","id":"pa-0004"}'),
  ],
  'drift record': ({ address }) => [meant('drift', 'record', address)],
  undo: () => [meant('undo', '1', '--yes', '--allow', 'goes-along:k1', '--reason', 'seen')],
  'an alias': ({ address, files }) => [
    {
      ...{ atMs: moments.meantAt - 1, kind: 'files', stack: 'one' },
      resources: Object.fromEntries(
        Object.entries(files).map(([key, block]) =>
          key === address ? ['moved', { ...block, options: { aliases: [key] } }] : [key, block],
        ),
      ),
    },
    meant('apply', '--yes'),
  ],
  'a block in the files of another stack': ({ address, files }) => [
    {
      ...{ atMs: moments.meantAt - 2, kind: 'files', stack: 'one' },
      resources: Object.fromEntries(Object.entries(files).filter(([key]) => key !== address)),
    },
    {
      ...{ atMs: moments.meantAt - 1, kind: 'files', stack: 'two' },
      resources: {
        other: withValues(files[address] ?? before.k2, ({ siteId }) => (siteId ? { siteId: 'si-0001' } : {})),
      },
    },
    { ...command(moments.meantAt, 'apply', '--yes'), stack: 'two' },
  ],
  'another name in the files': (write) => [
    saidInstead(write, (block) => withValues(block, ({ title }) => (title ? { title: 'r' } : { name: 'r' }))),
    meant('apply', '--yes'),
  ],
  'another name in the files, and another killed run': (write) => [
    saidInstead(write, (block) => withValues(block, ({ title }) => (title ? { title: 'r' } : { name: 'r' }))),
    { ...command(moments.killedAgainAt, 'apply', '--yes'), mishap: killed },
  ],
  'another type in the files': (write) => [
    saidInstead(write, () => ({ type: 'yard:Route', properties: { name: 'r', siteId: '${k1.id}' } })),
    meant('apply', '--yes'),
  ],
};

/** Every deed beside every open write, by name: the judge asks whether anything is made twice, lost, or nobody's. */
export const openQuestions: ReadonlyMap<string, Scenario> = new Map(
  Object.entries(writes).flatMap(([what, write]) =>
    Object.entries(deeds).map(
      ([name, deed]) => [`${name} beside an open ${what}`, worldOf(write, deed(write))] as const,
    ),
  ),
);

function worldOf({ files, sent, shows }: OpenWrite, acts: readonly Act[]): Scenario {
  const { killedAt } = moments;
  const all: readonly Act[] = [
    { atMs: 0, kind: 'files', stack: 'one', resources: before },
    command(1, 'apply', '--yes'),
    { atMs: killedAt - 1, kind: 'files', stack: 'one', resources: files },
    { ...command(killedAt, 'apply', '--yes'), mishap: killed },
    ...acts,
    command(killedAt + 20_000, 'apply', '--yes'),
  ];
  return {
    stacks: ['one', 'two'],
    acts: all.toSorted((one, other) => one.atMs - other.atMs),
    decisions: {
      [`p${String(killedAt)} ${sent}`]: isLost,
      [`p${String(moments.killedAgainAt)} ${sent}`]: isLost,
      [shows]: late,
      // Of what has a key of its own the second one, too, is found only when both show.
      'si-0004 shows its version 0': late,
    },
  };
}
