import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHost } from '@platform-sync/review/hosts';
import { type Posted, postSticky, readMarker, type StickyPart } from '@platform-sync/review/sticky-comment';
import { ReviewError } from '@platform-sync/review/review-error';
import type { Revision } from '@platform-sync/review/review-request';
import type { Subject } from '@platform-sync/review/subject';
import { body as bodyOf, sticky } from './comment-builder.js';
import type { Fault } from './fake-api.js';
import { fakeGithub, fakeGitlab, token, type FakePlatform } from './fake-platforms.js';

const subject: Subject = { project: 'c'.repeat(16), place: 'c'.repeat(16) };
const revision = (number: number): Revision => ({
  commit: number.toString(16).padStart(40, '0'),
  planned: `2026-01-01T00:00:0${number}.000Z`,
  run: { series: 'd'.repeat(16), number, id: number },
});
const comment = (number: number, markdown = 'The plan.\n'): StickyPart => sticky(subject, revision(number), markdown);
const revisionIn = (body: string): Revision | undefined => readMarker(body)?.entries[0]?.now.revision;

describe.each([
  ['github', fakeGithub, '/repos/acme/shop/issues/5/comments', '/repos/acme/shop/issues/comments/1', 'PATCH'],
  [
    'gitlab',
    fakeGitlab,
    '/api/v4/projects/12/merge_requests/5/notes',
    '/api/v4/projects/12/merge_requests/5/notes/1',
    'PUT',
  ],
] as const)('the one comment of a target on %s', (_name, start, list, first, editing) => {
  let platform: FakePlatform;
  let waits: number[];
  beforeEach(async () => {
    platform = await start();
    waits = [];
  });
  afterEach(() => platform.api.close());

  const now = Date.parse('2026-01-01T00:00:00Z');
  async function post(wanted: StickyPart): Promise<Posted> {
    const patience = { wait: async (ms: number) => void waits.push(ms), now: () => now };
    return postSticky(await openHost(platform.request, patience), [wanted], patience);
  }
  const fault = (match: RegExp, answer: Fault['answer'], more: Partial<Fault> = {}): void =>
    void platform.api.faults.push({ match, answer, ...more });
  const failing = async (): Promise<ReviewError> => {
    const error: unknown = await post(comment(1)).catch((thrown: unknown) => thrown);
    if (error instanceof ReviewError) return error;
    throw new Error('it should have failed');
  };

  it('is created, and costs one write and a look before and after', async () => {
    expect((await post(comment(1))).outcome).toBe('created');
    expect(platform.comments.map(({ body }) => body)).toEqual([bodyOf(comment(1))]);
    expect(platform.api.log.slice(0, 3)).toEqual([`GET ${list}`, `POST ${list}`, `GET ${list}`]);
    // Whose the comments are is asked once there are some.
    expect(platform.api.log[3]).toMatch(/\/user$/);
    expect(platform.api.log).toHaveLength(4);
  });

  it('is edited by a newer commit, in place', async () => {
    await post(comment(1));
    expect((await post(comment(2, 'Another plan.\n'))).outcome).toBe('edited');
    expect(platform.comments.map(({ body }) => body)).toEqual([bodyOf(comment(2, 'Another plan.\n'))]);
    expect(platform.api.writes()).toEqual([`POST ${list}`, `${editing} ${first}`]);
  });

  it('is not written when nothing changed', async () => {
    await post(comment(1));
    const again = { ...comment(1), revision: { ...revision(1), planned: '2026-01-01T00:00:09.000Z' } };
    expect((await post(again)).outcome).toBe('unchanged');
    expect(platform.api.writes()).toEqual([`POST ${list}`]);
  });

  it('moves on to a newer commit that says the same, so that what came between cannot overwrite it', async () => {
    await post(comment(1));
    await post(comment(3));
    expect((await post(comment(2, 'Something else.\n'))).outcome).toBe('superseded');
    expect(platform.comments.map(({ body }) => revisionIn(body))).toEqual([revision(3)]);
  });

  it('is never overwritten by an older commit', async () => {
    await post(comment(2));
    const before = platform.comments.map(({ body }) => body);
    expect((await post(comment(1, 'Old news.\n'))).outcome).toBe('superseded');
    expect(platform.comments.map(({ body }) => body)).toEqual(before);
  });

  it('is put right when somebody edited it by hand', async () => {
    await post(comment(1));
    const [only] = platform.comments;
    if (only === undefined) throw new Error('no comment');
    only.body = only.body.replace('The plan.', 'All is well, merge it.');
    expect((await post(comment(1))).outcome).toBe('edited');
    expect(only.body).toBe(bodyOf(comment(1)));
  });

  it("leaves another author's lookalike, and what quotes it, alone", async () => {
    platform.add('other', bodyOf(comment(9, 'Forged.\n')));
    platform.add('me', `Somebody said: ${bodyOf(comment(9))}`);
    expect((await post(comment(1))).outcome).toBe('created');
    expect(platform.comments).toHaveLength(3);
    expect(platform.api.writes()).toEqual([`POST ${list}`]);
  });

  it('is found behind several pages of others', async () => {
    for (let at = 0; at < 230; at += 1) platform.add('other', `Comment ${at}`);
    await post(comment(1));
    for (let at = 0; at < 130; at += 1) platform.add('other', `Comment ${at}`);
    platform.api.log.length = 0;
    expect((await post(comment(2))).outcome).toBe('edited');
    expect(platform.api.log.filter((line) => line === `GET ${list}`)).toHaveLength(4);
    expect(platform.comments).toHaveLength(361);
  });

  it('stays one: what two runs at once had left is removed', async () => {
    platform.add('me', bodyOf(comment(1)));
    platform.add('me', bodyOf(comment(2, 'Two.\n')));
    platform.add('other', bodyOf(comment(2)));
    expect(await post(comment(3, 'Three.\n'))).toMatchObject({ outcome: 'edited', removed: 1 });
    expect(platform.comments.map(({ id, body }) => [id, revisionIn(body)?.run?.number])).toEqual([
      [1, 3],
      [3, 2],
    ]);
  });

  it('is made again when it was deleted in the very moment', async () => {
    await post(comment(1));
    fault(new RegExp(`^${editing} `), { status: 404, body: { message: 'Not Found' } });
    await post(comment(2));
    expect(platform.comments.map(({ body }) => body)).toEqual([bodyOf(comment(2))]);
  });

  it.each([
    ['an answer 502 that did nothing', { status: 502 } as const, false],
    ['an answer 502 after it was made', { status: 502 } as const, true],
    ['a cut connection before', 'reset' as const, false],
    ['a cut connection after it was made', 'reset' as const, true],
  ])('is made exactly once in spite of %s', async (_case, answer, after) => {
    fault(/^POST /, answer, { after });
    expect((await post(comment(1))).outcome).toBe('created');
    expect(platform.comments).toHaveLength(1);
    expect(waits).toEqual([1000]);
  });

  it('is made after a pause that the server asks for, and no call is wasted meanwhile', async () => {
    fault(/^POST /, { status: 429, headers: { 'retry-after': '7' } });
    fault(/^GET /, { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' } });
    expect((await post(comment(1))).outcome).toBe('created');
    expect([waits, platform.api.log.length]).toEqual([[5000, 7000], 6]);
  });

  it('is given up when the server asks for a longer pause, or keeps failing', async () => {
    fault(/^GET /, { status: 429, headers: { 'retry-after': '3600' } });
    expect((await failing()).kind).toBe('rate-limited');
    fault(/^GET /, { status: 503 }, { times: 4 });
    expect((await failing()).kind).toBe('unavailable');
    expect([waits, platform.api.writes()]).toEqual([[1000, 2000, 4000], []]);
  });

  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [422, 'refused'],
  ])('an answer %i is told as %s, once', async (status, kind) => {
    fault(/^POST /, { status, body: { message: 'No.' } });
    expect(await failing()).toMatchObject({ kind, status });
    expect([platform.api.writes().length, waits]).toEqual([1, []]);
  });

  it('never carries the token in an error', async () => {
    fault(/^POST /, { status: 400, body: { message: 'bad' } });
    const error = await failing();
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(token);
  });
});

describe('the own author on github', () => {
  let platform: FakePlatform;
  beforeEach(async () => {
    platform = await fakeGithub();
  });
  afterEach(() => platform.api.close());
  const patience = { wait: () => Promise.resolve(), now: Date.now };
  const post = async (wanted: StickyPart): Promise<Posted> =>
    postSticky(await openHost(platform.request, patience), [wanted], patience);

  it.each(['user', 'app', 'pipeline'] as const)('is known for the token of a %s', async (identity) => {
    platform.identity = identity;
    await post(comment(1));
    expect((await post(comment(2))).outcome).toBe('edited');
    expect(platform.comments).toHaveLength(1);
  });

  it('is nobody when it cannot be told: better two comments than another one overwritten', async () => {
    platform.identity = 'pipeline';
    Object.assign(platform, { request: { ...platform.request, isPipelineToken: false } });
    await post(comment(1));
    expect((await post(comment(2))).outcome).toBe('created');
  });

  it('waits for its rate limit to be filled up again', async () => {
    const reset = Math.floor(Date.now() / 1000) + 3600;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    platform.api.faults.push({ match: /^POST /, answer: { status: 403, headers, body: { message: 'rate limit' } } });
    await expect(post(comment(1))).rejects.toMatchObject({ kind: 'rate-limited' });
  });
});

describe('quick actions on gitlab', () => {
  it('are never posted, in no part of a text', async () => {
    const platform = await fakeGitlab();
    const patience = { wait: () => Promise.resolve(), now: Date.now };
    const lines = [
      '/merge',
      ' /close',
      '```diff',
      '/approve',
      '+/assign me',
      '```',
      '/merge',
      '````',
      '```',
      '/a',
      '````',
    ];
    const host = await openHost(platform.request, patience);
    await postSticky(host, [comment(1, lines.join('\n'))], patience);
    expect((await postSticky(host, [comment(1, lines.join('\n'))], patience)).outcome).toBe('unchanged');
    const posted = platform.comments[0]?.body.split('\n').slice(1);
    await platform.api.close();
    expect(posted).toEqual([
      '\\/merge',
      ' \\/close',
      '```diff',
      ' /approve',
      '+/assign me',
      '```',
      '\\/merge',
      '````',
      '```',
      ' /a',
      '````',
      '',
    ]);
  });
});
