import { describe, expect, it } from 'vitest';
import { keysOf, type ResourceType } from '@platform-sync/core/model/resource-type';

type Keys = Partial<Pick<ResourceType, 'naturalKey' | 'unique' | 'derived'>>;

const typeWith = (keys: Keys): ResourceType => ({ naturalKey: [], unique: [], ...keys }) as unknown as ResourceType;

describe('groups of fields that no two objects share', () => {
  it.each<[string, Keys, readonly (readonly string[])[]]>([
    ['the key that somebody wrote', { naturalKey: ['api', 'slug'] }, [['api', 'slug']]],
    [
      'the same group once, in whatever order it is said',
      { naturalKey: ['a', 'b'], unique: [['b', 'a'], ['c']] },
      [['b', 'a'], ['c']],
    ],
    ['no group without a field', { naturalKey: [], unique: [[]] }, []],
    ['of a derived type not its key, which is a guess', { derived: true, naturalKey: ['name'] }, []],
    [
      'of a derived type what is said to be unique',
      { derived: true, naturalKey: ['name'], unique: [['name']] },
      [['name']],
    ],
  ])('%s', (_, keys, groups) => {
    expect(keysOf(typeWith(keys))).toEqual(groups);
  });
});
