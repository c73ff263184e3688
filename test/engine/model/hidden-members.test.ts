import { describe, expect, it } from 'vitest';
import { saysHidden, shownMembers, withHidden } from '@platform-sync/core/model/hidden-members';
import type { Json } from '@platform-sync/core/model/value';

const rule = { hiddenMembers: ['key', 'auth.token', 'hosts.password', '*.pin'] };

describe('members that no answer shows', () => {
  it.each<[string, Json, Json]>([
    ['at the top', { key: 'k', name: 'a' }, { name: 'a' }],
    ['in a record', { auth: { token: 't', user: 'u' } }, { auth: { user: 'u' } }],
    [
      'in each record of a list',
      { hosts: [{ password: 'p', name: 'a' }, { name: 'b' }] },
      { hosts: [{ name: 'a' }, { name: 'b' }] },
    ],
    ['below every key of a map', { a: { pin: 1, x: 2 }, b: { pin: 3 } }, { a: { x: 2 }, b: {} }],
    ['of the same name elsewhere stay', { auth: { key: 'k' }, token: 't' }, { auth: { key: 'k' }, token: 't' }],
    ['are none in a text', 'key', 'key'],
    ['are none in null', { auth: null }, { auth: null }],
  ])('%s', (_, said, shown) => {
    expect(shownMembers(rule, said)).toEqual(shown);
    expect(saysHidden(rule, said)).toBe(JSON.stringify(said) !== JSON.stringify(shown));
    // What goes along is what was said, on what was read.
    expect(withHidden(rule, shown, said)).toEqual(said);
  });

  it('go onto what is there, and make nothing that is not', () => {
    const said = { key: 'k', auth: { token: 't', user: 'u' }, hosts: [{ password: 'p' }] };
    expect(withHidden(rule, { auth: { user: 'other' }, hosts: [] }, said)).toEqual({
      ...{ key: 'k', auth: { user: 'other', token: 't' }, hosts: [] },
    });
    expect(withHidden(rule, {}, { auth: { token: 't' } })).toEqual({});
    expect(withHidden(rule, { name: 'a' }, undefined)).toEqual({ name: 'a' });
  });

  it('are none where a rule names none', () => {
    expect(shownMembers({}, { key: 'k' })).toEqual({ key: 'k' });
    expect(saysHidden({}, { key: 'k' })).toBe(false);
  });
});
