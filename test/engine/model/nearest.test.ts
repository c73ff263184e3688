import { describe, expect, it } from 'vitest';
import { nearest } from '@platform-sync/core/model/nearest';

const commands = ['plan', 'apply', 'import', 'state:list', 'state:mv'];

describe('nearest', () => {
  it.each([
    ['descripton', ['description', 'version'], 'description'],
    ['verison', ['description', 'version'], 'version'],
    ['Type', ['type', 'options'], 'type'],
    ['lable', ['labels', 'slug'], 'labels'],
    ['Api', ['platform:ApiDocument', 'platform:Api'], 'platform:Api'],
    ['other:Api', ['platform:ApiDocument', 'platform:Api'], 'platform:Api'],
    ['platform:Apis', ['platform:ApiDocument', 'platform:Api'], 'platform:Api'],
    ['ab', ['ba'], 'ba'],
    ['slug', ['labels', 'name'], undefined],
    ['x', ['protect', 'import'], undefined],
    ['', ['name'], undefined],
    ['name', [], undefined],
    ['plam', commands, 'plan'],
    ['paln', commands, 'plan'],
    ['PLAN', commands, 'plan'],
    ['aply', commands, 'apply'],
    ['imprt', commands, 'import'],
    ['list', commands, 'state:list'],
    ['terraform', commands, undefined],
    ['x', commands, undefined],
  ])('%s among %j → %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });

  it('prefers the closer of two', () => {
    expect(nearest('petstor', ['petshop', 'petstore'])).toBe('petstore');
    expect(nearest('petstor', ['petstore', 'petshop'])).toBe('petstore');
  });
});
