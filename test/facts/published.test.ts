import { describe, expect, it } from 'vitest';
import {
  comparedFields,
  publishedArgued,
  publishedKinds,
  publishedTypes,
  publishedWithoutType,
  whyOtherwise,
} from '../../scripts/facts/published.js';
import { patternOf } from '@platform-sync/core/model/pattern';
import { platformPackage } from '@platform-sync/platform/package';
import { isPlace } from '@platform-sync/rest/rest-type';
import { restOf } from '../derived/edit.js';

const types = [...platformPackage.types.values()];
const byName = new Map(types.map((type) => [type.name, type]));
const different = comparedFields(types).filter(({ here, there }) => here !== there);
const inPlace = different.filter(({ type, field }) => {
  const found = byName.get(type);
  return found !== undefined && isPlace(restOf(found), field);
});

describe('beside the vendor’s Terraform provider', () => {
  it('each of its resources has a type here, or there is a reason', () => {
    const missing = publishedKinds.filter((kind) => !publishedTypes(types).has(kind));
    expect(missing).toEqual(Object.keys(publishedWithoutType));
    expect(publishedKinds).toHaveLength(215);
  });

  it('a change replaces where it does there, but for what stands in the path and what is argued', () => {
    expect(comparedFields(types).length).toBeGreaterThan(1_880);
    const left = different.filter((each) => !inPlace.includes(each) && whyOtherwise(each) === undefined);
    expect(left).toEqual([]);
    expect(new Set(inPlace.map(({ here }) => here))).toEqual(new Set(['replace']));
    expect([inPlace.length, different.length]).toEqual([177, 179]);
  });

  it('no difference is argued that there is not', () => {
    const names = different.map(({ type, field }) => `${type}.${field}`);
    const unused = publishedArgued.flatMap(([patterns]) =>
      patterns.filter((pattern) => !names.some((name) => patternOf(pattern).test(name))),
    );
    expect(unused).toEqual([]);
  });
});
