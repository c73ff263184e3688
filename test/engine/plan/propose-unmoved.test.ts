import { describe, expect, it } from 'vitest';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { Json, Value } from '@platform-sync/core/model/value';
import { proposeUnmoved } from '@platform-sync/engine/plan/propose-unmoved';
import type { DesiredStep } from '@platform-sync/engine/plan/step';
import { failedReading, planInput, readingOf, recordOf } from './made-up-plan.js';
import { typeOf } from './made-up-types.js';

/** A resource of which nothing moved is told at once; of any other, all is compared. */

interface Shape {
  readonly declared?: Readonly<Record<string, Value>>;
  readonly inputs?: Readonly<Record<string, Json>>;
  readonly outputs?: Readonly<Record<string, Json>>;
  /** Null is no object. */
  readonly read?: Readonly<Record<string, Json>> | null;
  readonly recorded?: object;
  readonly input?: object;
  readonly dependsOn?: readonly string[];
}

const said = { name: 'A', note: 'n' };

function isToldAtOnce(shape: Shape): boolean {
  const { declared = said, inputs = said, outputs = inputs, read = outputs, recorded = {}, input = {} } = shape;
  const type = typeOf('Shelf');
  const record = { ...recordOf('a', 'Shelf', inputs, { outputs }), ...recorded };
  const desired = { options: { protect: false, retainOnDelete: false } } as DesiredResource;
  const base = { address: 'a', type, desired, declared: new Map(Object.entries(declared)) } as unknown as DesiredStep;
  const graph = new Map(shape.dependsOn === undefined ? [] : [['a', shape.dependsOn]]);
  const reading = read === null ? failedReading() : { ...readingOf(record), values: read };
  const step = proposeUnmoved({ ...planInput({}), graph, ...input }, base, record, reading);
  if (step !== undefined)
    expect(step).toMatchObject({ address: 'a', action: 'none', recorded: record, actual: reading });
  return step !== undefined;
}

describe('a resource of which nothing moved', () => {
  it.each<[string, Shape]>([
    ['where it says and shows what is recorded', {}],
    ['where the platform shows as before what nobody says', { outputs: { ...said, mode: 'open' } }],
    ['where what it needs stays', { dependsOn: ['b', 'c'], recorded: { dependencies: ['b', 'c'] } }],
    ['where nothing is known of what it needs', { recorded: { dependencies: [] } }],
    ['where another one is made anew', { input: { replace: new Set(['b']), resend: new Set(['b']) } }],
  ])('is told at once %s', (_where, shape) => {
    expect(isToldAtOnce(shape)).toBe(true);
  });

  it.each<[string, Shape]>([
    ['where nothing was read', { read: null }],
    ['where another type is recorded', { recorded: { type: typeOf('Card').token } }],
    ['where the record has no revision', { read: { ...said, updatedAt: '1' } }],
    ['where it is protected from now on', { recorded: { protect: true } }],
    ['where its object is to stay from now on', { recorded: { retainOnDelete: true } }],
    ['where it is to be made anew', { input: { replace: new Set(['a']) } }],
    ['where it is to be sent again', { input: { resend: new Set(['a']) } }],
    ['where it needs one more', { dependsOn: ['b'] }],
    ['where it needs one less', { dependsOn: [], recorded: { dependencies: ['b'] } }],
    ['where it needs another one', { dependsOn: ['b', 'd'], recorded: { dependencies: ['b', 'c'] } }],
    ['where it needs none of those', { dependsOn: ['d', 'e'], recorded: { dependencies: ['b', 'c'] } }],
    ['where it says something else', { declared: { name: 'A', note: 'm' } }],
    ['where it says one thing more', { declared: { ...said, mode: 'open' } }],
    ['where it says one thing less', { declared: { name: 'A' } }],
    ['where the platform shows something else', { read: { name: 'A', note: 'm' } }],
    ['where the platform shows another one of what nobody says', { read: { ...said, mode: 'open' } }],
    ['where the platform shows that no longer', { outputs: { ...said, mode: 'open' }, read: said }],
    [
      'where it says a secret, whose words say little',
      { declared: { ...said, pin: '1' }, inputs: { ...said, pin: '1' } },
    ],
  ])('is compared %s', (_where, shape) => {
    expect(isToldAtOnce(shape)).toBe(false);
  });
});
