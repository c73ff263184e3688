import { describe, expect, it } from 'vitest';
import { isIntact, readMarker, withMarker } from '../../src/review/marker.js';
import { isSuperseded, type Revision } from '../../src/review/review-request.js';
import { isSameSubject, subjectOf } from '../../src/review/subject.js';

const commit = 'a'.repeat(40);
const planned = '2026-01-02T03:04:05.678Z';
const revision: Revision = { commit, planned, run: { series: 'b'.repeat(16), number: 42, id: 4711 } };
const subject = subjectOf({ project: 'p', stack: 's' }, 'apis');

describe('the marker', () => {
  it.each([[revision], [{ commit, planned }]])('is read as it was written: %j', (written) => {
    expect(readMarker(withMarker(subject, written, 'text'))).toMatchObject({ subject, revision: written });
  });

  it.each([
    ['further down', (body: string) => `hello\n${body}`],
    ['after a blank', (body: string) => ` ${body}`],
    ['quoted', (body: string) => `> ${body}`],
    ['with more in it', (body: string) => body.replace(' -->', ' extra=1 -->')],
    ['without its end', (body: string) => body.replace(' -->', '')],
    ['alone on its line without a text', (body: string) => body.split('\n')[0] ?? ''],
  ])('does not count %s', (_name, change) => {
    expect(readMarker(change(withMarker(subject, revision, 'text')))).toBeUndefined();
  });

  it('knows whether somebody edited the text, however the server ends its lines', () => {
    const body = withMarker(subject, revision, 'one\ntwo\n');
    const marker = readMarker(body);
    if (marker === undefined) throw new Error('no marker');
    expect(isIntact(body, marker, 'one\ntwo\n')).toBe(true);
    expect(isIntact(body.replaceAll('\n', '\r\n').trimEnd(), marker, 'one\ntwo\n')).toBe(true);
    expect(isIntact(body.replace('two', 'three'), marker, 'one\ntwo\n')).toBe(false);
    expect(isIntact(body, marker, 'another')).toBe(false);
  });

  it('is read where the name of the project was not known', () => {
    const nameless = subjectOf({ stack: 's' }, '');
    expect(readMarker(withMarker(nameless, revision, 'text'))?.subject).toEqual({ place: nameless.place });
  });
});

describe('what a comment is about', () => {
  const base = subjectOf({ project: 'p', stack: 's' }, 'apis');
  const rows: readonly (readonly [string, ReturnType<typeof subjectOf>, boolean])[] = [
    ['itself', base, true],
    ['the same folder while the name can not be read', subjectOf({ stack: 's' }, 'apis'), true],
    ['the project after it was renamed', subjectOf({ project: 'q', stack: 's' }, 'apis'), true],
    ['the project after it was moved', subjectOf({ project: 'p', stack: 's' }, 'other'), true],
    ['another stack', subjectOf({ project: 'p', stack: 't' }, 'apis'), false],
    ['another project of the repository', subjectOf({ project: 'q', stack: 's' }, 'other'), false],
    ['another folder whose name can not be read', subjectOf({ stack: 's' }, 'other'), false],
  ];
  it.each(rows)('%s', (_name, other, expected) => {
    expect([isSameSubject(base, other), isSameSubject(other, base)]).toEqual([expected, expected]);
  });
});

describe('of two revisions, the superseded one', () => {
  const at = (hash: string, minute: number, number?: number, series = 's'): Revision => ({
    commit: hash.repeat(40),
    planned: `2026-01-01T00:0${minute}:00.000Z`,
    ...(number === undefined ? {} : { run: { series, number, id: number } }),
  });
  const rows: readonly (readonly [string, Revision, Revision, boolean])[] = [
    ['is of the earlier run', at('a', 1, 1), at('b', 2, 2), true],
    [
      'is of the earlier run, though it was planned later (an old run, started again)',
      at('a', 9, 1),
      at('b', 2, 2),
      true,
    ],
    ['is not of the later run, though its plan is older', at('b', 1, 3), at('a', 9, 2), false],
    ['is the earlier look at one commit, whatever the run', at('a', 1, 5), at('a', 2, 4), true],
    ['is not the later look at one commit', at('a', 2, 4), at('a', 1, 5), false],
    ['is not itself', at('a', 1, 1), at('a', 1, 1), false],
    ['is told by time between two workflows', at('a', 1, 100), at('b', 2, 2, 'other'), true],
    ['is told by time without runs', at('a', 1), at('b', 2), true],
    ['is told by time when runs are equal', at('b', 2, 1), at('a', 1, 1), false],
  ];
  it.each(rows)('%s', (_name, a, b, expected) => {
    expect(isSuperseded(a, b)).toBe(expected);
  });
});
