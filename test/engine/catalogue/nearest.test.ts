import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/engine/catalogue/problem/nearest.js';

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
  ])('%s among %j → %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });

  it('prefers the closer of two', () => {
    expect(nearest('petstor', ['petshop', 'petstore'])).toBe('petstore');
    expect(nearest('petstor', ['petstore', 'petshop'])).toBe('petstore');
  });
});
