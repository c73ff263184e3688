import { afterEach, describe, expect, it } from 'vitest';
import { publishDrift } from '@platform-sync/review/publish-drift';
import { body, row, sticky } from '../review/comment-builder.js';
import { publishOutcomes, requestOfCommit } from '@platform-sync/review/publish';
import { subjectOf } from '@platform-sync/review/subject';
import { seriesOf } from '@platform-sync/review/github/environment';
import { shortHash } from '@platform-sync/review/text-hash';
import { driftResult, finding } from '../report/drift-builder.js';
import type { FakeApi } from '../review/fake-api.js';
import { fakeGithubIssues, fakeGitlabIssues } from '../review/fake-issues.js';
import { fakeGithub, fakeGitlab, workflow } from '../review/fake-platforms.js';
import { partOf } from '../harness/part-of-table.js';

const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
/** What a server may say, although nobody asked for it. */
const wrong: readonly (readonly [what: string, text: string])[] = [
  ['a list', '[]'],
  ['a record', '{}'],
  ['nothing', 'null'],
  ['a number', '7'],
  ['a text', '"moved"'],
  ['a list of nothings', '[null]'],
  ['a list of lists', '[[[]]]'],
  ['members of other kinds', '{"head": {"sha": 1}, "id": "x", "iid": null, "viewer": 1, "data": []}'],
  ['a list of members of other kinds', '[{"id": {}, "iid": "x", "sha": 1, "number": [], "user": 5, "author": null}]'],
  ['no JSON', '<html>moved</html>'],
  ['5,000 levels', nested(5_000)],
  ['200,000 levels', nested(200_000)],
  ['200,000 levels in a member', `{"message": ${nested(200_000)}, "x": ${nested(5_000)}}`],
];
const cases = [
  ...wrong.map((one) => [200, ...one] as const),
  ...wrong.filter(([what]) => /record|nothing|levels/.test(what)).map((one) => [422, ...one] as const),
];

const subject = subjectOf({ project: 'shop', stack: 'default' }, '');
const commit = (letter: string): string => letter.repeat(40);
const patience = { wait: async () => undefined, now: () => Date.parse('2026-01-01T00:01:00Z') };

interface Started {
  readonly api: FakeApi;
  /** All that a run asks; gives the codes of what went wrong, and how much stands there in the end. */
  readonly run: () => Promise<readonly string[]>;
  readonly count: () => number;
}

async function conversation(kind: 'github' | 'gitlab'): Promise<Started> {
  const platform = kind === 'github' ? await fakeGithub() : await fakeGitlab();
  platform.head = commit('b');
  const series = kind === 'github' ? seriesOf(workflow) : shortHash('gitlab 12');
  const tell = async (letter: string, number: number): Promise<string> => {
    const { diagnostic } = await publishOutcomes(
      [
        {
          ...{ subject, kind: 'plan', row: row(), digest: '', markdown: `${letter} ${number}\n` },
          at: `2026-01-01T00:00:0${number}.000Z`,
        },
      ],
      {
        ...{ platform: platform.request.platform, request: platform.request, links: {} },
        ...{ commit: commit(letter), run: { series, number, id: number } },
      },
      patience,
    );
    return diagnostic?.code ?? 'done';
  };
  return {
    api: platform.api,
    count: () => platform.comments.length,
    run: async () => {
      const codes = [await tell('a', 1), await tell('a', 2)];
      // Another commit has spoken: what the platform knows of it is asked.
      const claim = { commit: commit('c'), planned: '2026-01-01T00:00:09.000Z', run: { series, number: 9, id: 9 } };
      platform.comments = [];
      platform.add('me', body(sticky(subject, claim, 'C\n')));
      platform.head = commit('d');
      const merged = await requestOfCommit(platform.request, commit('e'), patience);
      const found = merged.diagnostic?.code ?? String(merged.request?.number);
      return [...codes, await tell('a', 3), found];
    },
  };
}

async function tracker(kind: 'github' | 'gitlab'): Promise<Started> {
  const made = kind === 'github' ? await fakeGithubIssues() : await fakeGitlabIssues();
  const check = async (second: number, found: number): Promise<string> => {
    const findings = Array.from({ length: found }, () => finding({ new: `at ${second}` }));
    const result = driftResult({
      checkedAt: `2026-01-01T00:00:0${second}.000Z`,
      ...{ status: found === 0 ? 'clean' : 'drift', findings },
    });
    const texts = { title: 'Drift', markdown: `${second}\n`, closingComment: 'Fine.', folder: '' };
    return (await publishDrift(result, texts, made.project, patience)).diagnostic?.code ?? 'done';
  };
  return {
    api: made.api,
    count: () => made.issues.filter(({ state }) => state === 'open').length,
    run: async () => [await check(1, 1), await check(2, 1), await check(3, 0), await check(4, 1)],
  };
}

/** Each question of a run, by method and path; paths of single objects are one. */
async function questions(start: () => Promise<Started>): Promise<readonly string[]> {
  const { api, run } = await start();
  await run();
  await api.close();
  return [...new Set(api.log.map((line) => line.replace(/\/\d+$/, '/[0-9]+')))];
}

const worlds = [
  ['comment on github', () => conversation('github')],
  ['comment on gitlab', () => conversation('gitlab')],
  ['drift issue on github', () => tracker('github')],
  ['drift issue on gitlab', () => tracker('gitlab')],
] as const;

/** Told in words; or nothing of that answer was needed. The last two are what a search for a request finds. */
const ends = new Set(['done', 'review-unusable-answer', 'review-refused', 'undefined', '5']);

let started: Started | undefined;
afterEach(() => started?.api.close());

const asked = new Map(await Promise.all(worlds.map(async ([name, start]) => [name, await questions(start)] as const)));

describe.each(worlds)('an answer that nobody expects: %s', (name, start) => {
  it('every kind of question is tried', () => {
    const all = (asked.get(name) ?? []).join('\n');
    for (const method of ['GET', 'POST', name.endsWith('github') ? 'PATCH' : 'PUT']) expect(all).toContain(method);
    expect(asked.get(name)?.length).toBeGreaterThanOrEqual(5);
  });

  it.each(partOf(asked.get(name) ?? [], 2))(
    'to %s: the run ends in words, and nothing is there twice',
    async (line) => {
      for (const [status, what, text] of cases) {
        started = await start();
        const { api, run, count } = started;
        const match = new RegExp(`^${line.replaceAll(/[.()$]/g, '\\$&')}$`);
        // A write may be carried out all the same, and often is.
        api.faults.push({ match, after: status === 200, answer: { status, text }, times: Infinity });
        const codes = await run();
        expect([what, status, codes.filter((code) => !ends.has(code))]).toEqual([what, status, []]);
        // An empty list is an answer: whoever says that there is nothing gets it again.
        if (text !== '[]') expect([what, status, count()]).toEqual([what, status, Math.min(1, count())]);
        await api.close();
      }
    },
  );
});
