import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHost } from '../../src/review/hosts.js';
import { readMarker, withMarker } from '../../src/review/marker.js';
import { publishOutcome, requestOfCommit } from '../../src/review/publish.js';
import type { OutcomeComment, Published } from '../../src/review/publish.js';
import type { Revision } from '../../src/review/review-request.js';
import { subjectOf } from '../../src/review/subject.js';
import { seriesOf } from '../../src/review/github/environment.js';
import { shortHash } from '../../src/review/text-hash.js';
import { fakeGithub, fakeGitlab, workflow } from './fake-platforms.js';
import type { FakePlatform } from './fake-platforms.js';

const commit = (letter: string): string => letter.repeat(40);
const subject = subjectOf({ project: 'shop', stack: 'default' }, '');
const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const now = Date.parse('2026-01-01T00:01:00Z');

describe.each([
  ['github', fakeGithub, seriesOf(workflow)],
  ['gitlab', fakeGitlab, shortHash('gitlab 12')],
] as const)('what is told in the end on %s', (name, start, series) => {
  let platform: FakePlatform;
  let waits: number[];
  beforeEach(async () => {
    platform = await start();
    platform.head = commit('b');
    waits = [];
  });
  afterEach(() => platform.api.close());

  const patience = { wait: async (ms: number) => void waits.push(ms), now: () => now };
  interface Told {
    readonly run?: number;
    readonly second?: number;
    readonly more?: Partial<OutcomeComment>;
    readonly isQueued?: true;
  }
  const tell = (
    letter: string,
    text: string,
    { run = 1, second = run, more = {}, isQueued }: Told = {},
  ): Promise<Published> =>
    publishOutcome(
      { subject, at: at(second), digest: '', markdown: text, superseded: (head) => `Superseded by ${head}\n`, ...more },
      {
        ...{ platform: platform.request.platform, request: platform.request, links: {} },
        ...{ commit: commit(letter), run: { series, number: run, id: run } },
        ...(isQueued === undefined ? {} : { isQueued }),
      },
      patience,
    );
  const texts = (): readonly string[] => platform.comments.map(({ body }) => body.slice(body.indexOf('\n') + 1));
  const forge = (revision: Partial<Revision>): void => {
    const claim = { commit: commit('b'), planned: at(40), run: { series, number: 19, id: 19 }, ...revision };
    platform.add('me', withMarker(subject, claim, 'All is well, merge it.\n'));
  };

  it('the newest commit has the last word, whoever comes last', async () => {
    await tell('b', 'B failed\n', { run: 2 });
    await tell('a', 'A is fine\n', { run: 1, second: 30 });
    expect(texts()).toEqual(['B failed\n']);
  });

  it('a late run of an old commit does not give its verdict, even where nobody has spoken yet', async () => {
    await tell('a', 'A is fine\n', { run: 1 });
    expect(texts()).toEqual([`Superseded by ${commit('b')}\n`]);
    await tell('b', 'B failed\n', { run: 2 });
    expect(texts()).toEqual(['B failed\n']);
  });

  it('a run of the head is not silenced by a higher number of another commit', async () => {
    platform.head = commit('a');
    await tell('a', 'A is fine\n', { run: 9 });
    platform.head = commit('b');
    await tell('b', 'B failed\n', { run: 3, second: 20 });
    expect(texts()).toEqual(['B failed\n']);
  });

  it('the later look at one commit stands, and an old run that is started again counts as later', async () => {
    await tell('b', 'second look\n', { run: 2, second: 20 });
    await tell('b', 'first look\n', { run: 1, second: 10 });
    expect(texts()).toEqual(['second look\n']);
    await tell('b', 'third look\n', { run: 1, second: 30 });
    expect(texts()).toEqual(['third look\n']);
  });

  it.each<[string, Partial<Revision>]>([
    ['with a run that does not exist', { run: { series, number: 999, id: 999 } }],
    ['with a number that is not the run’s', { run: { series, number: 999, id: 3 } }],
    ['with a commit that is not of the request', { commit: '9'.repeat(40) }],
    ['with a time to come', { planned: '2099-01-01T00:00:00.000Z' }],
    ['without a run', { run: undefined as never }],
  ])('a forged marker silences nobody: %s', async (_name, revision) => {
    if (revision.run === undefined && 'run' in revision) forge({ ...revision, run: undefined as never });
    else forge(revision);
    expect((await tell('b', 'B failed\n', { run: 3 })).posted?.outcome).toBe('edited');
    expect(texts()).toEqual(['B failed\n']);
  });

  it('many forged markers cost no more than a few questions', async () => {
    for (let at = 0; at < 50; at += 1) forge({ run: { series, number: 999, id: 1000 + at } });
    await tell('b', 'B failed\n', { run: 3 });
    expect(texts()).toEqual(['B failed\n']);
    expect(platform.api.log.filter((line) => /runs|pipelines/.test(line)).length).toBeLessThanOrEqual(4);
  });

  it('two runs that comment for the first time at once leave one comment, the later one’s', async () => {
    await Promise.all([
      tell('b', 'first look\n', { run: 1, second: 10 }),
      tell('b', 'second look\n', { run: 2, second: 20 }),
    ]);
    expect(texts()).toEqual(['second look\n']);
  });

  it('two stacks have a comment each, and one never edits the other’s', async () => {
    const other = subjectOf({ project: 'shop', stack: 'eu' }, '');
    await tell('b', 'default\n');
    await tell('b', 'eu\n', { run: 2, more: { subject: other } });
    await tell('b', 'default again\n', { run: 3 });
    expect(texts()).toEqual(['default again\n', 'eu\n']);
  });

  it('a failure that can not even name the project takes its comment over, and gives it back', async () => {
    await tell('b', 'A is fine\n', { run: 1 });
    await tell('b', 'No plan\n', { run: 2, more: { subject: subjectOf({ stack: 'default' }, '') } });
    expect(texts()).toEqual(['No plan\n']);
    expect(readMarker(platform.comments[0]?.body ?? '')?.subject).toEqual(subject);
    await tell('b', 'fine again\n', { run: 3 });
    expect(texts()).toEqual(['fine again\n']);
  });

  it('a locked conversation is told as one, and is no fault of the token', async () => {
    const body = { message: 'Unable to create comment because issue is locked.' };
    platform.api.faults.push({ match: /^POST /, answer: { status: 403, body }, times: 9 });
    const { diagnostic } = await tell('b', 'B\n');
    expect(diagnostic).toMatchObject({ severity: 'warning', code: 'review-locked' });
    expect(JSON.stringify(diagnostic)).not.toMatch(/permission|scope/i);
    expect(platform.api.writes()).toHaveLength(1);
  });

  it('a limit on bursts without a time is waited for, and is no fault of the token', async () => {
    const body = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' };
    platform.api.faults.push({ match: /^POST /, answer: { status: 403, body } });
    expect((await tell('b', 'B\n')).posted?.outcome).toBe('created');
    expect(waits).toEqual([60_000]);
    platform.comments = [];
    platform.api.faults.push({ match: /^POST /, answer: { status: 403, body }, times: 9 });
    expect((await tell('b', 'B\n')).diagnostic).toMatchObject({ code: 'review-unavailable' });
  });

  it('an apply after the merge finds its request, and what it did stands', async () => {
    Object.assign(platform, { state: 'merged' });
    const found = await requestOfCommit(platform.request, commit('e'), patience);
    expect(found?.number).toBe(5);
    await tell('e', 'Applied\n', { run: 7 });
    expect(texts()).toEqual(['Applied\n']);
    await tell('b', 'a plan of before\n', { run: 2, second: 5 });
    expect(texts()).toEqual(['Applied\n']);
    expect(await requestOfCommit(platform.request, commit('d'), patience)).toBeUndefined();
  });

  it('what a merge queue tries is never late', async () => {
    await tell('f', 'the queue’s plan\n', { run: 4, isQueued: true });
    expect(texts()).toEqual(['the queue’s plan\n']);
  });

  it('a token that may not read the request still comments', async () => {
    platform.head = undefined;
    await tell('a', 'A\n', { run: 1 });
    await tell('b', 'B\n', { run: 2 });
    expect(texts()).toEqual(['B\n']);
    expect((await openHost(platform.request, patience)).facts).toBeTypeOf('function');
    expect(name).toBe(platform.request.platform);
  });
});
