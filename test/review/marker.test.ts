import { describe, expect, it } from 'vitest';
import { readMarker } from '@platform-sync/review/sticky-comment';
import { isSuperseded, type Revision } from '@platform-sync/review/review-request';
import { isSameSubject, subjectOf } from '@platform-sync/review/subject';
import { body, row, sticky } from './comment-builder.js';

const commit = 'a'.repeat(40);
const planned = '2026-01-02T03:04:05.678Z';
const revision: Revision = { commit, planned, run: { series: 'b'.repeat(16), number: 42, id: 4711 } };
const subject = subjectOf({ project: 'p', stack: 's' }, 'apis');

describe('the marker', () => {
  it.each([[revision], [{ commit, planned }]])('is read as it was written: %j', (written) => {
    const read = readMarker(body(sticky(subject, written, 'text\n')));
    expect(read).toEqual({
      isIntact: true,
      entries: [{ subject, runs: [], now: { kind: 'plan', revision: written, row: row(), markdown: 'text\n' } }],
    });
  });

  const written = body(sticky(subject, revision, 'one\ntwo\n', { row: row({ verdict: 'a --> b <!-- c' }) }));
  it.each([
    ['further down', (text: string) => `hello\n${text}`],
    ['after a blank', (text: string) => ` ${text}`],
    ['quoted', (text: string) => `> ${text}`],
    ['with more in it', (text: string) => text.replace(' -->', ' extra=1 -->')],
    ['without its end', (text: string) => text.replace(' -->', '')],
    ['alone on its line without a text', (text: string) => text.split('\n')[0] ?? ''],
    ['with a commit that is none', (text: string) => text.replace(commit, `${commit.slice(1)}?`)],
    ['with a part of no kind', (text: string) => text.replace('"plan"', '"verdict"')],
  ])('does not count %s', (_name, change) => {
    expect(readMarker(change(written))).toBeUndefined();
  });

  it('is one HTML comment, whatever a name or a verdict holds', () => {
    const [line = ''] = written.split('\n');
    expect(line.slice(4, -3)).not.toMatch(/--|[<>]/);
  });

  it('knows whether somebody edited the text, however the server ends its lines', () => {
    expect(readMarker(written)?.isIntact).toBe(true);
    const read = readMarker(written.replaceAll('\n', '\r\n').trimEnd());
    expect([read?.isIntact, read?.entries[0]?.now.markdown]).toEqual([true, 'one\ntwo']);
    const edited = readMarker(written.replace('\ntwo', '\nthree'));
    expect([edited?.isIntact, edited?.entries[0]?.now.markdown]).toEqual([false, '']);
  });

  it('is read where the name of the project was not known', () => {
    const nameless = subjectOf({ stack: 's' }, '');
    expect(readMarker(body(sticky(nameless, revision, 'text')))?.entries[0]?.subject).toEqual(nameless);
  });
});

describe('what a comment is about', () => {
  const base = subjectOf({ project: 'p', stack: 's' }, 'apis');
  const rows: readonly (readonly [string, ReturnType<typeof subjectOf>, boolean])[] = [
    ['itself', base, true],
    ['the same folder while the name cannot be read', subjectOf({ stack: 's' }, 'apis'), true],
    ['the project after it was renamed', subjectOf({ project: 'q', stack: 's' }, 'apis'), true],
    ['the project after it was moved', subjectOf({ project: 'p', stack: 's' }, 'other'), true],
    ['another stack', subjectOf({ project: 'p', stack: 't' }, 'apis'), false],
    ['another project of the repository', subjectOf({ project: 'q', stack: 's' }, 'other'), false],
    ['another folder whose name cannot be read', subjectOf({ stack: 's' }, 'other'), false],
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
