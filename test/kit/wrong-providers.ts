import type { Provider, ProviderPackage, RemoteObject } from '@platform-sync/core/model/provider';
import type { TypeDefinition } from '@platform-sync/kit/index';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { nextLink } from '@platform-sync/rest/paging';
import { libraryDefinitions, libraryPackage } from './library-provider.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A provider of the library that gets one thing wrong about links, envelopes or numbers. */
export interface WrongProvider {
  readonly name: string;
  /** Short tokens of types that must show it. */
  readonly types: readonly string[];
  /** A walk that tells, where others see nothing of it. Left out: the first one does. */
  readonly walk?: string;
  readonly package: (env: Env) => ProviderPackage;
}

const numbered = ['library:Reader', 'library:Loan'];

export const wrongProviders: readonly WrongProvider[] = [
  {
    name: 'reads only the first page of links',
    types: numbered,
    walk: 'many',
    package: () =>
      defined(({ list, ...rest }) =>
        list?.paging?.by === 'link'
          ? { ...rest, list: { ...list, paging: { by: 'none', items: 'items' } } }
          : undefined,
      ),
  },
  {
    name: 'looks for the next page in another place',
    types: numbered,
    walk: 'many',
    package: () =>
      defined(({ list, ...rest }) =>
        list?.paging?.by === 'link'
          ? { ...rest, list: { ...list, paging: { ...list.paging, next: ['meta', 'next'] } } }
          : undefined,
      ),
  },
  {
    name: 'follows a link to another host',
    types: ['library:Reader'],
    walk: 'many',
    package: (env) => changed((provider) => followsLinks(provider, env)),
  },
  {
    name: 'leaves the envelope',
    types: numbered,
    package: () => defined(({ envelope, ...rest }) => (envelope === undefined ? undefined : rest)),
  },
  {
    name: 'puts bodies into another envelope',
    types: numbered,
    package: () =>
      defined((definition) => (definition.envelope === undefined ? undefined : { ...definition, envelope: 'data' })),
  },
  {
    name: 'rounds a whole number beyond 2^53',
    types: ['library:Reader'],
    walk: 'numbered exactly',
    package: (env) => changed((provider) => roundsIds(provider, env)),
  },
  {
    name: 'takes ids for texts',
    types: numbered,
    package: () => defined(({ idType, ...rest }) => (idType === undefined ? undefined : rest)),
  },
  {
    name: 'sends an id as text',
    types: ['library:Reader'],
    package: () =>
      defined((definition) => {
        const fields = Object.entries(definition.fields).map(([name, { as: _, ...field }]) => [name, field] as const);
        return definition.name === 'Reader' ? { ...definition, fields: Object.fromEntries(fields) } : undefined;
      }),
  },
];

/** The library's own, with definitions changed; undefined leaves one as it is. */
function defined(change: (definition: TypeDefinition) => TypeDefinition | undefined): ProviderPackage {
  return libraryPackage(libraryDefinitions.map((each) => change(each) ?? each));
}

/** The library's own, with calls changed. */
function changed(change: (provider: Provider) => Partial<Provider>): ProviderPackage {
  const right = libraryPackage();
  return {
    ...right,
    start: async (context) => {
      const provider = await right.start(context);
      return { ...provider, ...change(provider) };
    },
  };
}

/** Goes wherever the service says, with the key. */
function followsLinks({ list }: Provider, env: Env): Partial<Provider> {
  return {
    list: async (type, scope, options) => {
      if (type.name !== 'Reader') return list(type, scope, options);
      const objects: RemoteObject[] = [];
      for (let at: string | undefined = `${env['LIBRARY_URL'] ?? ''}/readers`; at !== undefined;) {
        const answer: Response = await fetch(at, { headers: { 'x-key': env['LIBRARY_KEY'] ?? '' } });
        const { items } = (await answer.json()) as { items: readonly JsonObject[] };
        objects.push(...items.map(readerOf));
        at = nextLink(answer.headers.get('link') ?? undefined);
      }
      return { objects, isComplete: true, total: objects.length };
    },
  };
}

/** Takes what JSON.parse makes of a number for the id. */
function roundsIds({ create }: Provider, env: Env): Partial<Provider> {
  return {
    create: async (type, scope, inputs, options) => {
      if (type.name !== 'Reader') return create(type, scope, inputs, options);
      const ids = (value: unknown): unknown => [value ?? []].flat().map(Number);
      const { guarantorId = null, friendIds } = inputs;
      const result = {
        ...inputs,
        guarantorId: guarantorId === null ? null : Number(guarantorId),
        friendIds: ids(friendIds),
      };
      const answer = await fetch(`${env['LIBRARY_URL'] ?? ''}/readers`, {
        method: 'POST',
        headers: { 'x-key': env['LIBRARY_KEY'] ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ result }),
      });
      const made: unknown = await answer.json();
      const reader = isObject(made) ? made['result'] : undefined;
      if (!isObject(reader)) throw new Error(`no reader: ${JSON.stringify(made)}`);
      return readerOf(reader);
    },
  };
}

function readerOf({ id, name = null, guarantorId = null, friendIds = [] }: JsonObject): RemoteObject {
  return {
    identity: { id: String(id), scope: {} },
    values: {
      name,
      guarantorId: guarantorId === null ? null : String(guarantorId),
      friendIds: Array.isArray(friendIds) ? friendIds.map(String) : friendIds,
    },
  };
}
