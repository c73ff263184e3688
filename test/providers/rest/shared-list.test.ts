import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListingStart, Provider } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { programTrust } from '@platform-sync/core/model/trust';
import type { TypeDefinition } from '@platform-sync/kit/index';
import { libraryDefinitions, libraryPackage } from '../../kit/library-provider.js';
import { LibraryService } from '../../kit/library-service.js';

let service: LibraryService;
beforeAll(async () => {
  service = await LibraryService.start();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

async function started(definitions: readonly TypeDefinition[]): Promise<Provider> {
  return libraryPackage(definitions).start({
    ...{ settings: {}, env: service.env, trust: programTrust, concurrency: 4, userAgent: 'test' },
  });
}

function typeNamed({ types }: Provider, name: string): ResourceType {
  const type = [...types.values()].find((each) => each.name === name);
  if (type === undefined) throw new Error(name);
  return type;
}

const definitionOf = (name: string): TypeDefinition => {
  const found = libraryDefinitions.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('types that lie in one list', () => {
  const told = (name: string): TypeDefinition => ({
    ...definitionOf('Library'),
    name,
    tells: { member: 'name', is: name },
  });
  const others = libraryDefinitions.filter(({ name }) => name !== 'Library');

  it('share its answers where they are read together, and each sees its own objects', async () => {
    const provider = await started([...others, told('Library'), told('Annex')]);
    const [library, annex] = [typeNamed(provider, 'Library'), typeNamed(provider, 'Annex')];
    for (const type of [library, annex]) await provider.create(type, {}, { name: type.name });
    const listed = async (first: object | undefined, second: object | undefined) => {
      service.calls.length = 0;
      const listings = await Promise.all([
        provider.list(library, {}, first === undefined ? {} : { together: first }),
        provider.list(annex, {}, second === undefined ? {} : { together: second }),
      ]);
      expect(listings.map(({ objects }) => objects.map(({ values }) => values['name']))).toEqual([
        ['Library'],
        ['Annex'],
      ]);
      return service.calls;
    };
    const together = {};
    expect(await listed(together, together)).toEqual(['GET /libraries']);
    expect(await listed({}, {})).toEqual(['GET /libraries', 'GET /libraries']);
    expect(await listed(undefined, undefined)).toEqual(['GET /libraries', 'GET /libraries']);
    await provider.close();
  });

  it('divide its objects between them: what none is told by is of the type that takes any other', async () => {
    const rest: TypeDefinition = {
      ...definitionOf('Library'),
      ...{ name: 'Cabin', tells: { member: 'name', others: { Library: 'Library', Annex: 'Annex' } } },
    };
    const provider = await started([...others, told('Library'), told('Annex'), rest]);
    const types = ['Library', 'Annex', 'Cabin'].map((name) => typeNamed(provider, name));
    for (const name of ['Library', 'Annex', 'Shed', 'toString'])
      await provider.create(typeNamed(provider, 'Cabin'), {}, { name });
    service.calls.length = 0;
    const together = {};
    const listings = await Promise.all(types.map((type) => provider.list(type, {}, { together })));
    expect(listings.map(({ objects }) => objects.map(({ values }) => values['name']).sort())).toEqual([
      ...[['Library'], ['Annex'], ['Shed', 'toString']],
    ]);
    // Each page once.
    expect(service.calls).toEqual(['GET /libraries', 'GET /libraries?after=lib-5']);
    await provider.close();
  });
});

describe('a type without a list whose objects have ids', () => {
  it('is as good as a list of which no page was read, for no request', async () => {
    const { list: _, ...alone } = definitionOf('Library');
    const provider = await started([...libraryDefinitions.filter(({ name }) => name !== 'Library'), alone]);
    const type = typeNamed(provider, 'Library');
    expect(type.collection.listed).toBe(false);
    const { identity } = await provider.create(type, {}, { name: 'Main' });
    service.calls.length = 0;
    const starts: ListingStart[] = [];
    const listing = await provider.list(type, {}, { isEnough: (start) => starts.push(start) > 0 });
    expect(listing).toEqual({ objects: [], isComplete: false, total: 0 });
    expect(starts).toEqual([{ objects: [], morePages: Infinity }]);
    expect(service.calls).toEqual([]);
    expect((await provider.read(type, identity))?.values['name']).toBe('Main');
    await provider.close();
  });
});
