import { describe, expect, it } from 'vitest';
import type { UpdateLimits } from '@platform-sync/core/model/resource-type';
import { secret, unknown, type Json, type Value } from '@platform-sync/core/model/value';
import { isTakenByUpdate } from '@platform-sync/engine/plan/change';
import type { Wanted } from '@platform-sync/core/value/field-comparison';

const some: UpdateLimits = { kinds: { kind: ['a', 'b'] }, fixed: ['arn'] };
const deep: UpdateLimits = { kinds: { 'auth.type': ['a'], 'rules.type': ['a'], 'map.*.type': ['a'] } };
const to = (value: Value): Wanted => ({ by: 'value', value });

describe('an update takes a change', () => {
  it.each<[string, UpdateLimits | undefined, Json | undefined, Wanted, boolean]>([
    ['of a field without limits', undefined, { kind: 'z' }, to({ kind: 'y' }), true],
    ['inside of a kind that it takes', some, { kind: 'a', x: 1 }, to({ kind: 'a', x: 2 }), true],
    ['from one kind that it takes to another', some, { kind: 'a' }, to({ kind: 'b' }), true],
    ['from nothing to a kind that it takes', some, null, to({ kind: 'a' }), true],
    ['from a kind that it takes to nothing', some, { kind: 'a', arn: '1' }, { by: 'null' }, true],
    ['back to what the platform chooses', some, { kind: 'a' }, { by: 'default' }, true],
    ['of what is said as a secret', some, { kind: 'a' }, to(secret({ kind: 'b' }, '!env K')), true],
    ['whose other members are not known yet', some, { kind: 'a' }, to({ kind: 'a', x: unknown(['b.id']) }), true],
    ['inside of a kind that it does not take', some, { kind: 'z', x: 1 }, to({ kind: 'z', x: 2 }), false],
    ['to a kind that it does not take', some, { kind: 'a' }, to({ kind: 'z' }), false],
    ['from a kind that it does not take', some, { kind: 'z' }, to({ kind: 'a' }), false],
    ['from nothing to a kind that it does not take', some, undefined, to({ kind: 'z' }), false],
    ['from a kind that it does not take to nothing', some, { kind: 'z' }, { by: 'null' }, false],
    ['to a secret of a kind that it does not take', some, { kind: 'a' }, to(secret({ kind: 'z' }, '!env K')), false],
    ['of what does not say its kind', some, { x: 1 }, to({ kind: 'a' }), false],
    ['to what does not say its kind', some, { kind: 'a' }, to({ x: 1 }), false],
    ['whose kind is no text', some, { kind: 'a' }, to({ kind: ['a'] }), false],
    ['whose kind is not known yet', some, { kind: 'a' }, to({ kind: unknown(['b.id']) }), false],
    ['that is not known yet at all', some, { kind: 'a' }, to(unknown(['b.id'])), false],
    ['that is not known yet, of a map', deep, {}, to({ map: unknown(['b.id']) }), false],
    ['back to what the platform chooses, of nothing', some, null, { by: 'default' }, true],
    [
      'of which a digest alone was kept',
      some,
      { $secret: { expression: 'x', fingerprint: 'y' } },
      to({ kind: 'a' }),
      false,
    ],
    ['of a member that only creates take', some, { kind: 'a', arn: '1' }, to({ kind: 'a', arn: '2' }), false],
    ['that takes such a member away', some, { kind: 'a', arn: '1' }, to({ kind: 'a' }), false],
    ['that brings such a member', some, { kind: 'a' }, to({ kind: 'a', arn: '1' }), false],
    ['that brings nothing for such a member', some, { kind: 'a' }, to({ kind: 'a', arn: null }), true],
    [
      'whose such member is not known yet',
      some,
      { kind: 'a', arn: '1' },
      to({ kind: 'a', arn: unknown(['b.id']) }),
      false,
    ],
    ['beside such a member', some, { kind: 'a', arn: '1' }, to({ kind: 'b', arn: '1' }), true],
    ['deep inside', deep, { auth: { type: 'a' } }, to({ auth: { type: 'a', x: 1 } }), true],
    ['deep inside, of a kind that it does not take', deep, { auth: { type: 'z' } }, to({ auth: { type: 'a' } }), false],
    ['deep inside, where nothing was', deep, {}, to({ auth: { type: 'a' } }), true],
    ['of items of a list', deep, { rules: [{ type: 'a' }] }, to({ rules: [{ type: 'a' }, { type: 'a' }] }), true],
    ['of an item of a kind it does not take', deep, { rules: [{ type: 'a' }] }, to({ rules: [{ type: 'z' }] }), false],
    ['of an item that goes, of such a kind', deep, { rules: [{ type: 'z' }] }, to({ rules: [] }), false],
    ['of entries of a map', deep, { map: { k: { type: 'a' } } }, to({ map: { l: { type: 'a' } } }), true],
    ['of an entry of such a kind', deep, { map: { k: { type: 'a' } } }, to({ map: { k: { type: 'z' } } }), false],
  ])('%s', (_, updatesOnly, actual, wanted, taken) => {
    expect(isTakenByUpdate(updatesOnly === undefined ? {} : { updatesOnly }, actual, wanted)).toBe(taken);
  });
});
