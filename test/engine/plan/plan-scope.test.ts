import { describe, expect, it } from 'vitest';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type JsonObject, secret, type Value } from '@platform-sync/core/model/value';
import { Seals } from '@platform-sync/core/value/seal';
import { planScope } from '@platform-sync/engine/plan/selection';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import { failedReading, readingOf, recordOf, seals, stepOf, type World } from './made-up-plan.js';

/** What `${a.…}` is worth while planning, by what will happen to `a`. */

const unknown = { $unknown: ['a.note'] };
const later = (name: string) => ({ $unknown: [`a.${name}`] });
const sealed = (value: string) => seals.sealPlain({ equality: 'exact' }, value, '!env N');
/** As the plan tells it, of one field alone. */
const told = (value: string): object => ({
  $secret: {
    expression: '!env N',
    fingerprint: seals.fingerprint(['digest', 'reader', 'text', seals.fingerprint(value)]),
  },
});
const answer = { code: 'a', updatedAt: '1', note: 'n', readers: ['ann'] };
const a = recordOf('a', 'Shelf', { name: 'A' }, { outputs: { name: 'A', ...answer } });

function valueOf(name: string, world: World): unknown {
  const reader = { type: 'Card', properties: { name: 'reader', text: `\${a.${name}}` } };
  return stepOf({ ...world, wanted: { ...world.wanted, reader } }, 'reader').fields.find(
    ({ field }) => field === 'text',
  )?.new;
}

const wanted = (properties: JsonObject) => ({ a: { properties } });
const gone = { kind: 'gone' } as const;
const empty = { found: { a: gone } };

describe('what a reference sees', () => {
  it.each<[string, string, World, unknown]>([
    ['a declared property', 'name', { wanted: wanted({ name: 'B' }), ...empty }, 'B'],
    ['the id of what is made', 'id', { wanted: wanted({ name: 'A' }), ...empty }, later('id')],
    ['anything else of what is made', 'note', { wanted: wanted({ name: 'A' }), ...empty }, unknown],
    ['what is null in what is made', 'note', { wanted: wanted({ name: 'A', note: null }), ...empty }, unknown],
    ['the id of what is there', 'id', { wanted: wanted({ name: 'A' }), records: [a] }, 'id-a'],
    [
      'the id of what could not be read',
      'id',
      { wanted: wanted({ name: 'A' }), records: [a], readings: { a: failedReading() } },
      'id-a',
    ],
    ['a property of what is there', 'note', { wanted: wanted({ name: 'A' }), records: [a] }, 'n'],
    [
      'as it was read',
      'note',
      { wanted: wanted({ name: 'A' }), records: [a], readings: { a: readingOf(a, { note: 'm' }) } },
      'm',
    ],
    [
      'as it was recorded, where it could not be read',
      'note',
      { wanted: wanted({ name: 'A' }), records: [a], readings: { a: failedReading() } },
      'n',
    ],
    [
      'what it has, and no answer has shown so far',
      'readers',
      {
        wanted: wanted({ name: 'A' }),
        records: [recordOf('a', 'Shelf', { name: 'A' }, { outputs: { name: 'A' } })],
        readings: { a: failedReading() },
      },
      later('readers'),
    ],
    ['what it has not', 'owner', { wanted: wanted({ name: 'A' }), records: [a] }, undefined],
    [
      'the id of what is replaced',
      'id',
      { wanted: wanted({ name: 'A' }), records: [a], more: { replace: new Set(['a']) } },
      later('id'),
    ],
    [
      'anything of what is replaced',
      'note',
      { wanted: wanted({ name: 'A' }), records: [a], more: { replace: new Set(['a']) } },
      unknown,
    ],
    ['the id of what is updated', 'id', { wanted: wanted({ name: 'B' }), records: [a] }, 'id-a'],
    ['what an update does not touch', 'note', { wanted: wanted({ name: 'B' }), records: [a] }, 'n'],
    ['the marker of what is updated', 'updatedAt', { wanted: wanted({ name: 'B' }), records: [a] }, later('updatedAt')],
    ['the marker of what stays', 'updatedAt', { wanted: wanted({ name: 'A' }), records: [a] }, '1'],
    ['what follows from what is updated', 'code', { wanted: wanted({ name: 'B' }), records: [a] }, later('code')],
    ['what follows from what is not', 'code', { wanted: wanted({ name: 'A', note: 'm' }), records: [a] }, 'a'],
    [
      'what follows from what is taken over and changed',
      'code',
      {
        wanted: { a: { properties: { name: 'B' }, options: { import: 'x' } } },
        found: { a: { kind: 'found', identity: { id: 'x', scope: {} }, values: { name: 'A', code: 'a' } } },
      },
      later('code'),
    ],
    [
      'the marker of what is taken over as it is',
      'updatedAt',
      {
        wanted: { a: { properties: { name: 'A' }, options: { import: 'x' } } },
        found: { a: { kind: 'found', identity: { id: 'x', scope: {} }, values: { name: 'A', updatedAt: '1' } } },
      },
      '1',
    ],
    [
      'what is put back to null in what is replaced',
      'note',
      { wanted: wanted({ name: 'A', note: null }), records: [a], more: { replace: new Set(['a']) } },
      unknown,
    ],
    [
      'what is put back to null beside another change',
      'note',
      { wanted: wanted({ name: 'B', note: null }), records: [a] },
      undefined,
    ],
    [
      'what null would clear, where it is left alone',
      'note',
      { wanted: { a: { properties: { name: 'A', note: null }, options: { ignoreChanges: ['note'] } } }, records: [a] },
      'n',
    ],
    ['what is put back to null', 'note', { wanted: wanted({ name: 'A', note: null }), records: [a] }, undefined],
    [
      'what is put back to a default',
      'mode',
      { wanted: wanted({ name: 'A', mode: null }), records: [recordOf('a', 'Shelf', { name: 'A', mode: 'open' })] },
      'hidden',
    ],
    [
      'what null leaves as it is',
      'owner',
      {
        wanted: wanted({ name: 'A', owner: null }),
        records: [recordOf('a', 'Shelf', { name: 'A', owner: null }, { outputs: { name: 'A', owner: null } })],
      },
      undefined,
    ],
    ['what is secret', 'note', { wanted: wanted({ name: 'A', note: 'secret:N:hush' }), ...empty }, told('hush')],
    [
      'what follows from a secret',
      'code',
      {
        wanted: wanted({ name: 'secret:N:A' }),
        records: [recordOf('a', 'Shelf', { name: sealed('A') }, { outputs: { name: sealed('A'), code: 'a' } })],
      },
      told('a'),
    ],
  ])('%s', (_name, property, world, expected) => {
    expect(valueOf(property, world)).toEqual(expected);
  });
});

describe('a lookup', () => {
  const desired = { variables: new Map() } as unknown as DesiredState;
  const seals = new Seals(() => '');
  const at = { file: 'a.yaml', start: 0, end: 0 };
  const call = (given: Value): LookupCall => ({ token: 'library:shelfOf', args: { of: 'x' }, given, at });
  const as = { kind: 'literal', value: null, at } as const;
  const [open, hushed] = [call({ of: 'x' }), call({ of: secret('x', '!env X') })];

  it('that was not called yet waits for itself', () => {
    const scope = planScope(desired, new Map(), new Map(), new Map(), seals);
    expect(scope.lookup(open, as)).toMatchObject({ from: ['lookup library:shelfOf'] });
  });

  it('has what it was answered', () => {
    const used = new Map<string, LookupCall>();
    planScope(desired, new Map(), new Map(), used, seals).lookup(open, as);
    const answers = new Map([...used.keys()].map((key) => [key, { id: 'i' }]));
    expect(planScope(desired, new Map(), answers, new Map(), seals).lookup(hushed, as)).toEqual({ id: 'i' });
  });

  it.each([
    ['in the open', [open], open],
    ['twice in the open, the first', [open, call({ of: 'x' })], open],
    ['with a secret after one in the open, has one', [open, hushed], hushed],
    ['in the open after one with a secret, has one', [hushed, open], hushed],
    ['with a secret twice, the first', [hushed, call({ of: secret('x', '!env Y') })], hushed],
  ])('that is written %s', (_name, calls, expected) => {
    const used = new Map<string, LookupCall>();
    const scope = planScope(desired, new Map(), new Map(), used, seals);
    for (const one of calls) scope.lookup(one, as);
    expect([...used.values()]).toHaveLength(1);
    expect([...used.values()][0]).toBe(expected);
  });

  it('has no property of what there is not', () => {
    expect(planScope(desired, new Map(), new Map(), new Map(), seals).property('a', 'name', 'a.name')).toBeNull();
  });
});
