import {
  defineProvider,
  crud,
  type FieldDefinition,
  type ProviderPackage,
  type RestStyle,
  type TypeDefinition,
} from '@platform-sync/kit/index';
import type { Connect } from '@platform-sync/rest/http/transport';

const pages = { items: 'items', total: ['total'], size: { parameter: 'limit', items: 2 } } as const;
const styleOf = ({ isNumbered, isUncounted }: Kinds): RestStyle => {
  const { total: _, ...uncounted } = pages;
  const all = isUncounted === true ? uncounted : pages;
  return {
    naming: { rule: 'as-is', names: {} },
    paging:
      isNumbered === true
        ? { ...all, by: 'number', number: 'page' }
        : { ...all, by: 'cursor', cursor: 'after', next: ['next'] },
    kinds: {},
  };
};

const outputs = {
  revision: { type: 'integer', role: 'revision' },
  createdAt: { role: 'creation' },
} as const;
const shownBoard = (more: Readonly<Record<string, string>>): FieldDefinition => ({
  type: {
    ...{ record: 'ShownBoard', description: 'One of its boards.' },
    members: { id: 'Its id.', title: 'Its title.', ...more },
  },
});
const lookMembers = {
  font: { optional: true },
  size: { type: 'integer', optional: true },
  color: { optional: true },
  shade: {
    optional: true,
    type: {
      ...{ record: 'Shade', description: 'What falls behind it.' },
      members: { dark: { optional: true }, deep: { type: 'integer', optional: true } },
    },
  },
} as const;
/** Of which a file may say a part: the rest is the service's, which fills in what nobody says, or anybody's. */
const look: FieldDefinition = {
  type: { ...{ record: 'Look', description: 'How it looks.' }, members: lookMembers },
  ...{ equality: 'record', nullable: true },
};
/** Its frame is chosen when the page is made. */
const framed: FieldDefinition = {
  ...look,
  type: {
    ...{ record: 'FramedLook', description: 'How it looks.' },
    members: { ...lookMembers, frame: { type: 'integer', optional: true, createOnly: true } },
  },
};
const none = { by: 'value', value: [] } as const;
/** Lists, records and what has several spellings, which some worlds have. */
const shapes: Readonly<Record<string, Readonly<Record<string, FieldDefinition>>>> = {
  Site: { look: { ...look, patched: true }, until: { limits: { format: 'date-time' }, nullable: true } },
  Route: { port: { type: 'integer-or-text', nullable: true } },
  Page: {
    ...{ look: framed, script: { equality: 'text', nullable: true } },
    labels: { type: { list: 'string' }, equality: 'set', clearing: none },
  },
  Board: {
    scheme: { equality: 'document', nullable: true },
    rows: {
      type: {
        list: {
          ...{ record: 'Row', description: 'One of its rows.' },
          members: { cell: 'What it says.', width: { type: 'integer', optional: true } },
        },
      },
      ...{ equality: 'record', clearing: none },
    },
  },
};
/** Secrets in maps and records, and one that the service makes, which some worlds have. */
const vaults: Readonly<Record<string, Readonly<Record<string, FieldDefinition>>>> = {
  Site: { env: { type: { map: 'string' }, secret: true, clearing: { by: 'value', value: {} } } },
  Route: {
    door: {
      type: {
        ...{ record: 'Door', description: 'How it is opened.' },
        members: {
          lock: { optional: true },
          key: { optional: true, secret: true },
          pin: { optional: true, secret: true, writeOnly: true },
        },
      },
      ...{ equality: 'record', nullable: true },
    },
  },
};
const home = { references: 'Site', nests: true, diesWith: true } as const;
const called = { by: 'nothing', why: 'it always has one' } as const;

/** One type for each way an object is proven gone, is written, and ends. */
const definitions: readonly TypeDefinition[] = [
  {
    name: 'Site',
    description: 'What others live in; its name is taken once.',
    operations: crud('/sites'),
    list: { get: '/sites', findBy: { name: 'name' } },
    naturalKey: ['name'],
    unique: [['name']],
    absence: 'problem-404',
    required: ['name'],
    always: ['name', 'revision', 'createdAt'],
    fields: {
      name: { role: 'name', clearing: called },
      note: { nullable: true },
      tags: { type: { map: 'string' }, clearing: { by: 'value', value: {} } },
    },
    outputs: {
      ...outputs,
      board: shownBoard({ revision: 'Its revision.' }),
    },
  },
  {
    name: 'Page',
    description: 'Lives in a site; two may have one title.',
    operations: crud('/sites/{siteId}/pages'),
    list: { get: '/sites/{siteId}/pages' },
    naturalKey: ['siteId', 'title'],
    absence: 'unlisted-404',
    required: ['siteId', 'title'],
    always: ['siteId', 'title', 'revision', 'createdAt'],
    fields: {
      siteId: home,
      title: { role: 'name', clearing: called },
      layout: { replaces: true, clearing: { by: 'value', value: 'plain' } },
      body: { inList: false, nullable: true },
      password: { secret: true, writeOnly: true, clearing: called },
    },
    outputs,
  },
  {
    name: 'Route',
    description: 'Written as a whole, and refers to a site, which does not end before it.',
    operations: { ...crud('/routes'), update: 'PUT /routes/{id}' },
    list: { get: '/routes', findBy: { name: 'name' } },
    naturalKey: ['name'],
    unique: [['name']],
    absence: { status: 404, body: { error: 'no-such-route' } },
    required: ['name', 'siteId'],
    always: ['name', 'siteId', 'revision', 'createdAt'],
    fields: {
      name: { role: 'name', clearing: called },
      siteId: { references: 'Site', clearing: called },
      weight: { type: 'integer', nullable: true },
      note: { nullable: true },
      password: { secret: true, writeOnly: true, clearing: called },
    },
    outputs,
  },
  {
    name: 'Member',
    description: 'Shown by its list alone, and never changed.',
    operations: { create: 'POST /sites/{siteId}/members', delete: 'DELETE /sites/{siteId}/members/{id}' },
    list: { get: '/sites/{siteId}/members' },
    naturalKey: ['siteId', 'mail'],
    absence: 'two-lists',
    required: ['siteId', 'mail'],
    always: ['siteId', 'mail', 'createdAt'],
    fields: { siteId: home, mail: { role: 'name' }, rank: { nullable: true } },
    outputs: { createdAt: outputs.createdAt },
  },
  {
    name: 'Board',
    description: 'Written as a whole, in a site that shows one of them and does not end before it.',
    operations: { ...crud('/sites/{siteId}/boards'), update: 'PUT /sites/{siteId}/boards/{id}' },
    list: { get: '/sites/{siteId}/boards', shownIn: 'board' },
    naturalKey: ['siteId', 'title'],
    unique: [['siteId', 'title']],
    absence: 'unlisted-404',
    required: ['siteId', 'title'],
    always: ['siteId', 'title', 'revision', 'createdAt'],
    fields: {
      siteId: { references: 'Site', nests: true },
      title: { role: 'name', clearing: called },
      text: { inList: false, nullable: true },
      tags: { type: { map: 'string' }, nullable: true },
    },
    outputs: { revision: { role: 'revision' }, createdAt: outputs.createdAt },
  },
  {
    name: 'Note',
    description: 'Lives in a site and has no name: what it says tells which one it is.',
    operations: crud('/sites/{siteId}/notes'),
    list: { get: '/sites/{siteId}/notes' },
    naturalKey: [],
    absence: 'problem-404',
    required: ['siteId', 'words'],
    always: ['siteId', 'words', 'revision', 'createdAt'],
    fields: {
      siteId: home,
      words: { clearing: called },
      color: { nullable: true },
    },
    outputs,
  },
  {
    name: 'Policy',
    description: 'Every site has one, which nobody makes or ends.',
    operations: {
      create: 'PATCH /sites/{siteId}/policy',
      read: 'GET /sites/{siteId}/policy',
      update: 'PATCH /sites/{siteId}/policy',
      reset: { mode: 'open', limit: 0 },
    },
    parent: 'siteId',
    naturalKey: ['siteId'],
    unique: [['siteId']],
    required: ['siteId'],
    fields: {
      siteId: home,
      mode: { clearing: { by: 'value', value: 'open' } },
      limit: { type: 'integer', clearing: { by: 'value', value: 0 } },
    },
  },
];

/** How long a lease lives. */
export const leaseMs = 30_000;

export const address = 'http://127.0.0.1:9';
/** What the service asks for, and nothing may repeat. */
export const apiKey = 'K3y-of-the-service-9f21';

/** The same with lists and records. */
const withShapes = (definition: TypeDefinition): TypeDefinition => ({
  ...definition,
  fields: { ...definition.fields, ...shapes[definition.name] },
});

const withVaults = (definition: TypeDefinition): TypeDefinition => ({
  ...definition,
  fields: { ...definition.fields, ...vaults[definition.name] },
  ...(definition.name === 'Site' ? { outputs: { ...definition.outputs, token: { secret: true } } } : {}),
});

/** The same where nothing tells at a glance that an object was changed. */
const unrevised = (definition: TypeDefinition): TypeDefinition => {
  const { revision: _, board, ...outputsLeft } = definition.outputs ?? {};
  const others = { ...outputsLeft, ...(board === undefined ? {} : { board: shownBoard({}) }) };
  const { always } = definition;
  return {
    ...definition,
    ...(Array.isArray(always) ? { always: always.filter((name) => name !== 'revision') } : {}),
    ...(definition.outputs === undefined ? {} : { outputs: others }),
  };
};

/** What differs from world to world. */
interface Kinds {
  readonly isNumbered?: boolean;
  readonly isUnrevised?: boolean;
  readonly isUncounted?: boolean;
  readonly shapes?: boolean;
  readonly vaults?: boolean;
}

const definitionsOf = ({ isUnrevised, shapes: isShaped, vaults: isVaulted }: Kinds): readonly TypeDefinition[] =>
  definitions.map((definition) => {
    const shaped = isShaped === true ? withShapes(definition) : definition;
    const vaulted = isVaulted === true ? withVaults(shaped) : shaped;
    return isUnrevised === true ? unrevised(vaulted) : vaulted;
  });

const providerOf = (kinds: Kinds): ProviderPackage =>
  defineProvider({
    ...{ name: 'yard', style: styleOf(kinds), definitions: definitionsOf(kinds) },
    connect: async ({ redactor }) => {
      redactor?.add(apiKey);
      return {
        // Who asks one server with one key shares a pace, and what is read.
        ...{ target: address, targetSource: 'The simulator', caller: `${address} ${apiKey}` },
        base: () => ({ origin: address, prefix: '' }),
        headers: ({ body }) => ({
          'x-key': apiKey,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        }),
      };
    },
  });
const providers = new Map<string, ProviderPackage>();

/** The provider of the simulated service: real definitions, calls, repeats and fences over a line that is none. */
export function yardPackage(connect: Connect, kinds: Kinds = {}): ProviderPackage {
  const kind = JSON.stringify([kinds.isNumbered, kinds.isUnrevised, kinds.shapes, kinds.vaults, kinds.isUncounted]);
  const provider = providers.get(kind) ?? providerOf(kinds);
  providers.set(kind, provider);
  // The provider hands what it is given to its HTTP client.
  return { ...provider, start: (context) => provider.start({ ...context, connect } as typeof context) };
}
