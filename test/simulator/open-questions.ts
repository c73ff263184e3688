import type { Block } from './catalogue.js';
import type { Act, Scenario } from './scenario.js';

type Files = Readonly<Record<string, Block>>;
/** What a killed run has left open at a moment of its own: a write of one address, which was carried out and shows late. */
interface OpenWrite {
  /** What the run before it had applied. */
  readonly first?: Files;
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
const route = (name: string, more: Block['properties'] = {}): Block => ({
  type: 'yard:Route',
  properties: { siteId: '${k1.id}', name, ...more },
});
const member = (mail: string): Block => ({ type: 'yard:Member', properties: { siteId: '${k1.id}', mail } });
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
  'first write of settings': {
    ...{
      address: 'k3',
      files: { ...before, k3: { type: 'yard:Policy', properties: { siteId: '${k1.id}', limit: 3 } } },
    },
    ...{ sent: 'PATCH /sites/si-0001/policy 1', shows: 'policy of si-0001 shows its version 1' },
  },
  'create of what only a list shows': {
    ...{ address: 'k3', files: { ...before, k3: member('m') } },
    ...{ sent: 'POST /sites/si-0001/members 1', shows: 'me-0003 shows its version 0' },
  },
  'create of what is written as a whole': {
    ...{ address: 'k3', files: { ...before, k3: route('r0') } },
    ...{ sent: 'POST /routes 1', shows: 'ro-0003 shows its version 0' },
  },
  'whole write': {
    ...{ address: 'k3', first: { ...before, k3: route('r0') }, files: { ...before, k3: route('r0', { weight: 2 }) } },
    ...{ sent: 'PUT /routes/ro-0003 1', shows: 'ro-0003 shows its version 1' },
  },
  'delete of what only a list shows': {
    ...{ address: 'k3', first: { ...before, k3: member('m') }, files: before },
    ...{ sent: 'DELETE /sites/si-0001/members/me-0003 1', shows: 'me-0003 shows its version 1' },
  },
  'new name': {
    ...{ address: 'k2', files: { ...before, k2: page('p2') } },
    ...{ sent: 'PATCH /sites/si-0001/pages/pa-0002 1', shows: 'pa-0002 shows its version 1' },
  },
  'delete of a home': {
    ...{ address: 'k1', files: {} },
    ...{ sent: 'DELETE /sites/si-0001 1', shows: 'si-0001 shows its version 1' },
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

const collections = ['pages', 'members', 'routes'] as const;
const killed = { kind: 'kill', atWrite: 1, afterMs: 60 } as const;

function withValues(block: Block, more: (values: Block['properties']) => Block['properties']): Block {
  return { ...block, properties: { ...block.properties, ...more(block.properties) } };
}

/** What files may call it next; of settings, which have no name, say of it. */
const called: Readonly<Record<string, Block['properties']>> = {
  ...{ 'yard:Site': { name: 'r' }, 'yard:Page': { title: 'r' }, 'yard:Route': { name: 'r' } },
  ...{ 'yard:Member': { mail: 'r' }, 'yard:Policy': { limit: 4 } },
};

function renamed(block: Block): Block {
  return withValues(block, () => called[block.type] ?? {});
}

/** As the files have it, or had it before. */
function blockOf({ address, first = before, files }: OpenWrite): Block {
  return files[address] ?? first[address] ?? before.k2;
}

/** The file says something else at the address of the write. */
function saidInstead(write: OpenWrite, said: (block: Block) => Block | undefined): Act {
  const { address, files } = write;
  const block = said(blockOf(write));
  const { [address]: _, ...others } = files;
  const resources = block === undefined ? others : { ...files, [address]: block };
  return { atMs: moments.meantAt - 1, kind: 'files', stack: 'one', resources };
}

/** It is somewhere else in the files, which say so. */
function movedTo({ address, files }: OpenWrite, said: (block: Block) => Block): Act {
  const moved = Object.entries(files).map(([key, block]) =>
    key === address ? ['moved', { ...said(block), options: { aliases: [key] } }] : [key, block],
  );
  return { atMs: moments.meantAt - 1, kind: 'files', stack: 'one', resources: Object.fromEntries(moved) };
}

/** What somebody does a few seconds later: none of it says what became of the write. Undefined: nobody can. */
const deeds: Readonly<Record<string, (write: OpenWrite) => readonly Act[] | undefined>> = {
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
  'an alias': (write) => [movedTo(write, (block) => block), meant('apply', '--yes')],
  'an alias and another name': (write) => [movedTo(write, renamed), meant('apply', '--yes')],
  'a block in the files of another stack': (write) => [
    saidInstead(write, () => undefined),
    {
      ...{ atMs: moments.meantAt - 1, kind: 'files', stack: 'two' },
      resources: {
        other: withValues(blockOf(write), ({ siteId }) => (siteId ? { siteId: 'si-0001' } : {})),
      },
    },
    { ...command(moments.meantAt, 'apply', '--yes'), stack: 'two' },
  ],
  'another name in the files': (write) => [saidInstead(write, renamed), meant('apply', '--yes')],
  'another name in the files, and another killed run': (write) => [
    saidInstead(write, renamed),
    { ...command(moments.killedAgainAt, 'apply', '--yes'), mishap: killed },
  ],
  'no block in the files': (write) => [saidInstead(write, () => undefined), meant('apply', '--yes')],
  'no block in the files, and later again': (write) => [
    saidInstead(write, () => undefined),
    meant('apply', '--yes'),
    { atMs: moments.meantAt + 5_000, kind: 'files', stack: 'one', resources: write.files },
  ],
  refresh: () => [meant('refresh')],
  destroy: () => [meant('destroy', '--yes')],
  replace: ({ address }) => [meant('apply', '--yes', '--replace', address)],
  'undo of that run': () => [meant('undo', '2', '--yes')],
  'undo of that run in the files': () => [
    meant('undo', '2', '--edit'),
    command(moments.meantAt + 1_000, 'apply', '--yes'),
  ],
  'drift revert': ({ address }) => [meant('drift', 'revert', address, '--yes')],
  'end by hand': ({ sent, shows }) => {
    const [id = ''] = shows.split(' shows');
    const collection = collections.find((each) => sent.includes(`/${each}`)) ?? 'sites';
    const end = { kind: 'hand', how: 'end', id, collection, values: {} } as const;
    return id.startsWith('policy') ? undefined : [{ atMs: moments.meantAt, ...end }];
  },
  'another type in the files': (write) =>
    blockOf(write).type === 'yard:Site' && write.address === 'k1'
      ? undefined
      : [saidInstead(write, ({ type }) => (type === 'yard:Route' ? member('r') : route('r'))), meant('apply', '--yes')],
};

/** Every deed beside every open write, by name: the judge asks whether anything is made twice, lost, or nobody's. */
export const openQuestions: ReadonlyMap<string, Scenario> = new Map(
  Object.entries(writes).flatMap(([what, write]) =>
    Object.entries(deeds).flatMap(([name, deed]) => {
      const acts = deed(write);
      return acts === undefined ? [] : [[`${name} beside an open ${what}`, worldOf(write, acts)] as const];
    }),
  ),
);

function worldOf({ first = before, files, sent, shows }: OpenWrite, acts: readonly Act[]): Scenario {
  const { killedAt } = moments;
  const all: readonly Act[] = [
    { atMs: 0, kind: 'files', stack: 'one', resources: first },
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
