import { describe, expect, it } from 'vitest';
import type { Destination } from '@platform-sync/core/model/destination';
import type { Json } from '@platform-sync/core/model/value';
import { handedOutputs, uselessDestinations } from '@platform-sync/engine/plan/handed-outputs';
import { planInput } from './made-up-plan.js';
import { types } from './made-up-types.js';

/** A club shows its key once; `outputs` says what the catalogue asks to be handed over. */

const club = { type: 'Club', properties: { name: 'C' } };
const handed = (outputs: Readonly<Record<string, Json>>, wanted = { c: club, s: { properties: { name: 'S' } } }) =>
  handedOutputs(planInput({ wanted, outputs }).desired, types);

describe('outputs that are handed over', () => {
  it('name a secret that the platform chooses and shows once', () => {
    expect(handed({ clubKey: '${c.key}' })).toEqual([{ name: 'clubKey', address: 'c', field: 'key' }]);
  });

  it.each<[string, Json]>([
    ['of a field that is shown at any time', '${c.name}'],
    ['of a type that shows nothing once', '${s.key}'],
    ['of a part of it', '${c.key.first}'],
    ['of a resource that is not there', '${d.key}'],
    ['that is a text', 'key'],
    ['that is a list of it', ['${c.key}']],
  ])('are none %s', (_of, output) => {
    expect(handed({ output })).toEqual([]);
  });

  it('are none of a secret that the file chooses', () => {
    const chosen = { c: { ...club, properties: { name: 'C', key: 'mine' } }, s: { properties: { name: 'S' } } };
    expect(handed({ output: '${c.key}' }, chosen)).toEqual([]);
  });
});

describe('a destination for which there is nothing to hand over', () => {
  const to: Destination = { text: 'fd:3', take: () => Promise.resolve() } as unknown as Destination;
  const useless = (names: Readonly<Record<string, Destination>>, outputs: Readonly<Record<string, Json>>) =>
    uselessDestinations(new Map(Object.entries(names)), handed(outputs)).map((problem) => [
      `${problem.severity} ${problem.code}`,
      `${problem.summary} ${problem.hint ?? ''}`,
    ]);
  const words = (name: string, hint: string): readonly string[] => [
    'error no-such-secret-output',
    `There is no output ${name} of a secret that is shown once, so nothing can be sent to its destination. ${hint}`,
  ];

  it('is told with what to write where no output is handed over', () => {
    expect(useless({ key: to }, {})).toEqual([
      words('key', 'Name the secret in the catalogue: outputs: {key: ${ADDRESS.FIELD}}'),
    ]);
  });

  it('is told with a name that is like it, or with all there are', () => {
    const outputs = { firstKey: '${c.key}', other: '${c.key}' };
    expect(useless({ firstKye: to }, outputs)).toEqual([words('firstKye', 'Did you mean firstKey?')]);
    expect(useless({ z: to }, outputs)).toEqual([words('z', 'Such outputs are firstKey, other.')]);
  });

  it('is none that has its output, and none that is for any run', () => {
    expect(useless({ key: to, any: { ...to, isForAny: true } }, { key: '${c.key}' })).toEqual([]);
  });
});
