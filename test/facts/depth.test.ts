import { expect, it } from 'vitest';
import { depthOf, subjects, type Subject } from '../../scripts/facts/depth.js';
import { platformPackage } from '@platform-sync/platform/package';
import { restOf } from '../derived/edit.js';

const depths = depthOf([...platformPackage.types.values()].map((type) => ({ type, rest: restOf(type) })));

function shareOf(subject: Subject): number {
  const sum = (what: 'said' | 'carried'): number => depths.reduce((all, { counts }) => all + counts[subject][what], 0);
  return sum('carried') / sum('said');
}

/** The least share of what descriptions say that definitions carry; the rest is what no rule can say, by name. */
const least: Readonly<Record<Subject, number>> = {
  'limits of fields': 0.98,
  'limits inside': 0.97,
  'forms inside': 0.94,
  'required inside': 0.95,
  choices: 0.98,
};

it.each(subjects)('of %s, definitions carry what descriptions say', (subject) => {
  expect(shareOf(subject)).toBeGreaterThanOrEqual(least[subject]);
});

it('what no definition says is not counted as carried', () => {
  const bare = [...platformPackage.types.values()].map((type) => {
    const { kinds: _kinds, ...plain } = type;
    return { type: { ...plain, fields: {} }, rest: restOf(type) };
  });
  const carried = depthOf(bare).map(({ counts }) => counts['limits inside'].carried);
  expect(Math.max(...carried)).toBe(0);
  expect(depths.length).toBeGreaterThan(200);
});
