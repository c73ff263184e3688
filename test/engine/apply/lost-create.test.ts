import { identityKey } from '@platform-sync/core/model/identity';
import { describe, expect, it } from 'vitest';
import { asMade, creationKey, whichIsOurs } from '@platform-sync/engine/apply/lost-create';
import { markField } from '@platform-sync/core/model/ownership-mark';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { fingerprint } from '@platform-sync/engine/sealed-state';
import { Seals } from '@platform-sync/core/value/seal';
import { productType, typeOf } from './stubs.js';

const begun = '2026-01-01T12:00:00.000Z';
const minuteBefore = '2026-01-01T11:59:00.000Z';
const seal = (value: JsonObject[string]): string => fingerprint('00', value);
const object = (id: string, values: JsonObject = {}, createdAt = '2026-01-01T12:00:01.000Z'): RemoteObject => ({
  identity: { id, scope: {} },
  values: { name: 'Shop', description: 'ours', createdAt, ...values },
});
const secret = (text: string): JsonObject => ({ $secret: { expression: '!env X', fingerprint: seal(text) } });

describe('an object that somebody changed right after its create', () => {
  const question = { type: typeOf('platform:index/api:Api'), seals: new Seals(seal) };
  const intent = { inputs: { name: 'Pets', description: 'ours' }, createdAt: begun };
  const { revision = '' } = question.type;

  it('is taken as it was sent, without the revision of the change: the next plan finds it', () => {
    const values = { name: 'Pets', description: 'by hand', labels: {}, [revision]: 'later' };
    expect(asMade({ ...question, intent }, object('a', values)).values).toEqual({
      ...{ name: 'Pets', description: 'ours', labels: {}, createdAt: '2026-01-01T12:00:01.000Z' },
    });
  });

  it('is taken as it is where nothing of what was sent has moved', () => {
    const made = object('a', { name: 'Pets', labels: { by: 'hand' }, [revision]: 'later' });
    expect(asMade({ ...question, intent }, made)).toBe(made);
  });
});

const alwaysThere = {
  ...productType,
  ...{ collection: { ...productType.collection, listed: false as const }, endless: { putsBack: 'all' as const } },
};

describe('which object a create made', () => {
  const sent = { inputs: { name: 'Shop', description: 'ours' } };

  it.each<[string, readonly RemoteObject[], Partial<Parameters<typeof whichIsOurs>[0]>, string]>([
    ['none is there', [], {}, 'absent'],
    ['one is there with all that was sent', [object('a')], {}, 'ours a'],
    [
      'it belongs to another resource',
      [object('a')],
      { taken: new Set([identityKey(productType.token, { id: 'a', scope: {} })]) },
      'absent',
    ],
    [
      'the other one belongs to another resource',
      [object('a'), object('b')],
      { taken: new Set([identityKey(productType.token, { id: 'a', scope: {} })]) },
      'ours b',
    ],
    ['it is older than the create', [object('a', {}, '2026-01-01T11:50:00.000Z')], {}, 'absent'],
    ['it seems a little older: clocks differ', [object('a', {}, '2026-01-01T11:58:00.000Z')], {}, 'ours a'],
    ['it says no time', [{ ...object('a'), values: { name: 'Shop', description: 'ours' } }], {}, 'ours a'],
    ['it differs in a field that was sent', [object('a', { description: 'theirs' })], {}, 'undecided a'],
    [
      'it differs, and is always there: nobody makes it, and it may be written again',
      [object('a', { description: 'theirs' })],
      { type: alwaysThere },
      'absent',
    ],
    [
      'it is as another open create sent it, and not as this one did',
      [object('a', { description: 'theirs' })],
      { rivals: [{ inputs: { name: 'Shop', description: 'theirs' } }] },
      'absent',
    ],
    [
      'one is as another open create sent it, and one as none did',
      [object('a', { description: 'theirs' }), object('b', { description: 'by hand' })],
      { rivals: [{ inputs: { name: 'Shop', description: 'theirs' } }] },
      'undecided b',
    ],
    ['it differs in a field that was not sent', [object('a', { labels: { x: 'y' } })], {}, 'ours a'],
    ['of two, one differs', [object('a', { description: 'theirs' }), object('b')], {}, 'ours b'],
    ['two are equal', [object('a'), object('b')], {}, 'undecided a b'],
    ['two are equal, and two creates are open', [object('a'), object('b')], { rivals: [sent] }, 'ours a'],
    [
      'one of two open creates made it: it is older than this one',
      [object('a', {}, minuteBefore)],
      { rivals: [sent] },
      'absent',
    ],
    [
      'of two open creates the last one made the last one',
      [object('a', {}, minuteBefore), object('b')],
      { rivals: [sent] },
      'ours b',
    ],
    [
      'two are a little older, and two creates are open: clocks differ',
      [object('a', {}, minuteBefore), object('b', {}, minuteBefore)],
      { rivals: [sent] },
      'ours a',
    ],
    [
      'three are equal, and two creates are open',
      [object('a'), object('b'), object('c')],
      { rivals: [sent] },
      'undecided a b c',
    ],
  ])('%s', (_name, found, question, expected) => {
    const intent = { inputs: { name: 'Shop', description: 'ours' }, createdAt: begun };
    const verdict = whichIsOurs(
      { type: productType, intent, taken: new Set(), seals: new Seals(seal), ...question },
      found,
    );
    expect(textOf(verdict)).toBe(expected);
  });

  it('by its mark alone where one was sent, whatever else differs', () => {
    const intent = { inputs: { name: 'Shop', description: 'ours', [markField]: 'mine' }, createdAt: begun };
    const ask = (...found: readonly RemoteObject[]): string =>
      textOf(whichIsOurs({ type: productType, intent, taken: new Set(), seals: new Seals(seal) }, found));
    const mine = object('a', { [markField]: 'mine', description: 'edited' });
    expect(ask(mine, object('b'), object('c', { [markField]: 'theirs' }))).toBe('ours a');
    expect(ask(object('b'), object('c', { [markField]: 'theirs' }))).toBe('absent');
  });

  it('whatever the platform made of what was sent as null', () => {
    const intent = { inputs: { name: 'Shop', description: null, nothing: 'x' }, createdAt: begun };
    const found = [object('a', { description: 'a default', nothing: 'y' })];
    const verdict = whichIsOurs({ type: productType, intent, taken: new Set(), seals: new Seals(seal) }, found);
    expect(textOf(verdict)).toBe('ours a');
  });

  it.each<[string, string, string]>([
    ['the same secret', 'ours', 'ours a'],
    ['another secret', 'theirs', 'undecided a'],
  ])('compares sealed fields by fingerprint: %s', (_name, description, expected) => {
    const intent = { inputs: { name: 'Shop', description: secret('ours') }, createdAt: begun };
    const found = [object('a', { description })];
    const verdict = whichIsOurs({ type: productType, intent, taken: new Set(), seals: new Seals(seal) }, found);
    expect(textOf(verdict)).toBe(expected);
  });
});

describe('creates that could be taken for each other', () => {
  const page = typeOf('platform:index/apiDocument:ApiDocument');
  const key = (inputs: JsonObject, chosen: JsonObject = {}, scope = { apiId: '1' }, type = page): string =>
    creationKey(type, scope, inputs, chosen);

  it('are those of one type, place and key, whoever chose it', () => {
    expect(key({ slug: 'a', title: 'A' })).toBe(key({ slug: 'a', title: 'B' }));
    expect(key({ slug: 'a' })).toBe(key({}, { slug: 'a' }));
    expect(key({ slug: 'a' }, { slug: 'b' })).toBe(key({ slug: 'a' }));
    expect(key({})).toBe(key({ slug: null }));
    const others = [
      key({ slug: 'b' }),
      key({}),
      key({ slug: 'a' }, {}, { apiId: '2' }),
      key({ slug: 'a' }, {}, { apiId: '1' }, productType),
    ];
    expect(others).not.toContain(key({ slug: 'a' }));
  });
});

function textOf(verdict: ReturnType<typeof whichIsOurs>): string {
  if (verdict.kind === 'ours') return `ours ${verdict.object.identity.id}`;
  if (verdict.kind === 'absent') return 'absent';
  return `undecided ${verdict.candidates.map(({ identity }) => identity.id).join(' ')}`;
}
