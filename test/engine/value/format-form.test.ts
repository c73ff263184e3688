import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';

const moment = { type: 'string', format: 'date-time' };
const mail = { type: 'string', format: 'email' };
const host = { type: 'string', format: 'hostname' };

describe('two spellings of a text with a format', () => {
  it.each<[string, JsonObject, Json, Json, boolean]>([
    ['a moment with and without a fraction', moment, '2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z', true],
    ['a moment in another zone', moment, '2027-01-01T00:00:00Z', '2027-01-01T01:00:00+01:00', true],
    ['a moment in small letters', moment, '2027-01-01T00:00:00Z', '2027-01-01t00:00:00z', true],
    ['a moment with a long fraction', moment, '2027-01-01T00:00:00.5Z', '2027-01-01T00:00:00.500000000Z', true],
    ['moments a nanosecond apart', moment, '2027-01-01T00:00:00.1Z', '2027-01-01T00:00:00.100000001Z', false],
    ['moments an hour apart', moment, '2027-01-01T00:00:00Z', '2027-01-01T00:00:00+01:00', false],
    ['a moment and no moment', moment, '2027-01-01T00:00:00Z', 'soon', false],
    ['days that there are not', moment, '2027-02-31T00:00:00Z', '2027-13-31T00:00:00Z', false],
    [
      'a text that only looks like a moment',
      { type: 'string' },
      '2027-01-01T00:00:00Z',
      '2027-01-01T00:00:00.0Z',
      false,
    ],
    ['an address with capitals in its host', mail, 'ann@Example.ORG', 'ann@example.org', true],
    ['an address with capitals in its mailbox', mail, 'Ann@example.org', 'ann@example.org', false],
    ['a host with capitals', host, 'API.Example.org', 'api.example.org', true],
    ['a host with the dot of the root', host, 'api.example.org.', 'api.example.org', true],
    ['two hosts', host, 'api.example.org', 'api.example.com', false],
    ['items', { type: 'array', items: host }, ['A.org', 'b.org'], ['a.org', 'b.org'], true],
    [
      'members',
      { type: 'object', properties: { at: moment } },
      { at: '2027-01-01T00:00:00Z', x: 'A' },
      { at: '2027-01-01T00:00:00.0Z', x: 'A' },
      true,
    ],
    [
      'members without a format beside them',
      { type: 'object', properties: { at: moment } },
      { at: '2027-01-01T00:00:00Z', x: 'A' },
      { at: '2027-01-01T00:00:00.0Z', x: 'a' },
      false,
    ],
    ['entries', { type: 'object', additionalProperties: host }, { k: 'A.org' }, { k: 'a.org' }, true],
  ])('%s', (_name, schema, one, other, same) => {
    expect(sameValue({ equality: 'exact', schema }, one, other)).toBe(same);
    expect(sameValue({ equality: 'exact', schema }, other, one)).toBe(same);
  });

  it('is the same moment in whatever zone it is told', () => {
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), minutes, (second, offset) => {
        const local = new Date((second + offset * 60) * 1000).toISOString().slice(0, 19);
        const size = Math.abs(offset);
        const two = (part: number): string => String(part).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        const utc = new Date(second * 1000).toISOString();
        expect(sameValue({ equality: 'exact', schema: moment }, utc, `${local}${zone}`)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
