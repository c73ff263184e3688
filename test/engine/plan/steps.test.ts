import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import type { JsonObject } from '@platform-sync/core/model/value';
import { makePlan } from '@platform-sync/engine/plan/plan';
import { canResend } from '@platform-sync/engine/plan/change';
import {
  expression,
  planInput,
  planOf,
  planned,
  recordedAnew,
  readingOf,
  recordOf,
  seals,
  stepOf,
  type World,
} from './made-up-plan.js';
import { types as madeUp } from './made-up-types.js';

/** What the plan shows of a change. */

const shelf = (properties: JsonObject, options = {}) => ({ properties, options });
const card = (properties: JsonObject, dependsOn: readonly string[] = []) => ({
  ...{ type: 'Card', properties, options: { dependsOn } },
});
const a = recordOf('a', 'Shelf', { name: 'A' });

describe('a step', () => {
  it('waits for those whose operations its own wait for, in order, and never for itself', () => {
    const world: World = {
      wanted: {
        z: shelf({ name: 'Z' }),
        b: shelf({ name: 'B' }),
        c: card({ name: 'c' }, ['z', 'b']),
        a: shelf({ name: 'A', material: 'pine' }, { dependsOn: ['c'] }),
      },
      records: [a],
    };
    expect(stepOf(world, 'c').dependsOn).toEqual(['b', 'z']);
    // A replacement is two operations, and one waits for the other.
    expect(stepOf(world, 'a').dependsOn).toEqual(['c']);
  });

  it('names its object, also one of which only the record is left', () => {
    const kept = { ...recordOf('b', 'Shelf', { name: 'B' }), retainOnDelete: true };
    const gone = { kind: 'gone' } as const;
    expect(stepOf({ records: [kept], readings: { b: gone } }, 'b')).toMatchObject({ action: 'forget', id: 'id-b' });
    expect(stepOf({ records: [a] }, 'a').id).toBe('id-a');
    const anew: World = { wanted: { a: shelf({ name: 'A' }) }, records: [a], readings: { a: gone } };
    expect(stepOf(anew, 'a')).toMatchObject({ action: 'create' });
    expect(stepOf(anew, 'a')).not.toHaveProperty('id');
  });

  it.each<[string, JsonObject, JsonObject, string | undefined]>([
    ['the file', { name: 'A', note: 'new' }, {}, 'config'],
    ['somebody', { name: 'A', note: 'n' }, { note: 'x' }, 'drift'],
    ['the file in one field and somebody in another', { name: 'B', note: 'n' }, { note: 'x' }, 'both'],
    ['nobody', { name: 'A', note: 'n' }, {}, undefined],
  ])('is because of %s', (_name, properties, changes, cause) => {
    const record = recordOf('a', 'Shelf', { name: 'A', note: 'n' });
    const wanted = { b: shelf(properties, { aliases: ['a'] }) };
    const step = stepOf({ wanted, records: [record], readings: { a: readingOf(record, changes) } }, 'b');
    expect(step.cause).toBe(cause);
    expect('cause' in step).toBe(cause !== undefined);
  });

  it('rests on values in clear, and says nothing of those that are secret, or are to be', () => {
    const record = recordOf('a', 'Shelf', { name: 'A', note: 'n', pin: 'p' });
    const wanted = { a: shelf({ name: 'A', note: 'm', pin: 'secret:PIN:q' }) };
    const managed = { name: 'A', note: 'n' };
    expect(stepOf({ wanted, records: [record] }, 'a').precondition).toMatchObject({
      digest: sha256(canonicalJson(managed)),
    });
  });
});

describe('what a record rests on', () => {
  it.each<[readonly string[], boolean]>([
    [['a', 'b'], false],
    [['ab'], true],
    [['a'], true],
    [[], true],
  ])('%j is rewritten: %s', (dependencies, expected) => {
    const c = recordOf('c', 'Card', { name: 'c' }, { dependencies });
    const wanted = { a: shelf({ name: 'A' }), b: shelf({ name: 'B' }), c: card({ name: 'c' }, ['a', 'b']) };
    const records = [a, recordOf('b', 'Shelf', { name: 'B' }), c];
    expect(recordedAnew({ wanted, records })).toEqual(expected ? ['c'] : []);
  });
});

describe('what is sent again', () => {
  const inputs = { name: 'A', note: 'n', pin: 'p', door: 'd' };
  const record = recordOf('a', 'Shelf', inputs, { outputs: { name: 'A', note: 'n', pin: 'p' } });
  const sent = (properties: JsonObject, more: World = {}) =>
    planOf({ wanted: { a: shelf(properties) }, records: [record], more: { resend: new Set(['a']) }, ...more })
      .steps.flatMap(({ fields }) => fields)
      .map(({ field, rule, cause, new: next }) => [field, rule, cause, next ?? null]);

  it('is nothing of one that nobody named, that cannot be updated, or that would be replaced for it', () => {
    expect(sent(inputs, { more: {} })).toEqual([]);
    const stamp = { name: 'A', seal: 's' };
    const world: World = {
      wanted: { a: { type: 'Stamp', properties: stamp } },
      records: [recordOf('a', 'Stamp', stamp, { outputs: { name: 'A' } })],
      more: { resend: new Set(['a']) },
    };
    expect(planOf(world).steps).toEqual([]);
    const { type } = planned({ wanted: { a: shelf(inputs) } }).steps.get('a') ?? {};
    const rules = Object.values(type?.fields ?? {});
    expect(rules.filter((rule) => type !== undefined && canResend(type, rule)).map(({ name }) => name)).toEqual([
      ...['pin', 'door'],
    ]);
    const fixed = rules
      .filter(({ name }) => name === 'door')
      .map((rule) => ({ ...rule, onChange: 'replace' as const }));
    expect(fixed.map((rule) => type !== undefined && canResend(type, rule))).toEqual([false]);
  });
});

describe('a record that says something else', () => {
  const only = (inputs: JsonObject, properties: JsonObject, outputs: JsonObject) =>
    recordedAnew({ wanted: { a: shelf(properties) }, records: [recordOf('a', 'Shelf', inputs, { outputs })] });
  it.each<[string, JsonObject, JsonObject, JsonObject, boolean]>([
    ['than both do', { name: 'A', note: 'old' }, { name: 'A', note: 'n' }, { name: 'A', note: 'n' }, true],
    ['nothing of what both do', { name: 'A' }, { name: 'A', note: 'n' }, { name: 'A', note: 'n' }, true],
    ['of what neither does', { name: 'A', note: 'n' }, { name: 'A' }, { name: 'A' }, true],
    ['null, as both do', { name: 'A', note: null }, { name: 'A', note: null }, { name: 'A' }, false],
    ['nothing, where the file says null', { name: 'A' }, { name: 'A', note: null }, { name: 'A' }, true],
    ['null, where the file says nothing', { name: 'A', note: null }, { name: 'A' }, { name: 'A' }, true],
    [
      'the same in another spelling',
      { name: 'A', note: 'n\n' },
      { name: 'A', note: 'n' },
      { name: 'A', note: 'n' },
      false,
    ],
    ['the same', { name: 'A', note: 'n' }, { name: 'A', note: 'n' }, { name: 'A', note: 'n' }, false],
  ])('%s is rewritten: %5$s', (_name, inputs, properties, outputs, expected) => {
    expect(only(inputs, properties, outputs)).toEqual(expected ? ['a'] : []);
  });
});

describe('what a delete may not take along', () => {
  const guards = (world: World) =>
    planOf({ ...world, wanted: { z: shelf({ name: 'Z' }), ...world.wanted } }).guards.map(
      ({ name, summary }) => `${name}: ${summary}`,
    );

  it('is what was protected under its old address, or in what it was moved out of', () => {
    const kept = { ...a, protect: true };
    const moved = { b: shelf({ name: 'A', material: 'pine' }, { aliases: ['a'], protect: false }) };
    expect(guards({ wanted: moved, records: [kept] })).toEqual([
      'replace:b: b is protected (this plan lifts it) and would be replaced',
    ]);
    const inner = recordOf('a/b', 'Book', { shelfId: 'id-a', title: 'T' });
    const out = {
      a: shelf({ name: 'A' }, { protect: true }),
      c: { type: 'Book', properties: { shelfId: 'x', title: 'T' }, options: { aliases: ['a/b'] } },
    };
    expect(guards({ wanted: out, records: [kept, inner] })).toEqual([
      'replace:c: c is protected with a, which it lives in, and would be replaced',
    ]);
  });

  it('and neither that of a type whose every end is asked for', () => {
    const types = new Map([...madeUp].map(([token, type]) => [token, { ...type, guardedEnd: 'it opens the door' }]));
    expect(guards({ records: [a], more: { types } })).toEqual(['delete:a: a would be deleted: it opens the door']);
    const replaced = { wanted: { a: shelf({ name: 'A', material: 'pine' }) }, records: [a], more: { types } };
    expect(guards(replaced)).toEqual(['replace:a: a would be replaced: it opens the door']);
    expect(guards({ records: [a] })).toEqual([]);
  });
});

describe('a delete that somebody forces', () => {
  const types = new Map([...madeUp].map(([token, type]) => [token, { ...type, forcible: ['delete'] as const }]));
  const forced = (guard: object, where: 'allow' | 'guards') => {
    const allow = [{ guard: 'force:a', reason: 'empty it', ...guard }];
    const more = where === 'allow' ? { allow } : { guards: { maxDeletes: 9, maxDeletePercent: 100, allow } };
    return stepOf({ records: [a], more: { types, ...more } }, 'a');
  };
  it.each<['allow' | 'guards', object, boolean]>([
    ['allow', {}, true],
    ['guards', {}, true],
    ['guards', { until: '2026-06-01' }, true],
    ['guards', { until: '2026-05-31' }, false],
  ])('by %s %j: %s', (where, guard, expected) => {
    const { force, risks } = forced(guard, where);
    expect(force === true).toBe(expected);
    const risk = { kind: 'cascades', what: 'whatever else is in it: the delete is forced' };
    expect(risks).toEqual([{ kind: 'deletes' }, ...(expected ? [risk] : [])]);
  });
});

describe('parameters', () => {
  it('stand in the plan by name, secrets sealed', () => {
    const input = planInput({ wanted: { a: shelf({ name: 'A' }) }, more: { looksForKeys: false } });
    const parameters = new Map([
      ['z', expression('x')],
      ['a', expression('secret:K:v')],
    ]);
    const result = makePlan({ ...input, desired: { ...input.desired, parameters } });
    const shown = result.kind === 'plan' ? result.plan.parameters : undefined;
    expect(Object.keys(shown ?? {})).toEqual(['a', 'z']);
    expect(shown).toMatchObject({
      z: 'x',
      a: { $secret: { fingerprint: seals.fingerprint(['digest', 'parameters', 'a', seals.fingerprint('v')]) } },
    });
    expect(planOf({ wanted: { a: shelf({ name: 'A' }) } })).not.toHaveProperty('parameters');
  });
});
