import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { readDriftMarker } from '@platform-sync/review/drift-marker';
import { openIssues } from '@platform-sync/review/hosts';
import type { IssueResult } from '@platform-sync/review/keep-issue';
import { type PublishedDrift, publishDrift } from '@platform-sync/review/publish-drift';
import { driftResult, finding } from '../report/drift-builder.js';
import type { Fault } from './fake-api.js';
import { fakeGithubIssues, fakeGitlabIssues, type FakeIssue, type FakeTracker } from './fake-issues.js';
import { token } from './fake-platforms.js';

const at = (hour: number): { checkedAt: string } => ({
  checkedAt: `2030-05-02T${String(hour).padStart(2, '0')}:00:00.000Z`,
});
const unread: DriftResult['notCompared'][number] = {
  ...{ id: 'aaaaaaaaaa', address: 'cats', type: 'platform:index/api:Api', trend: 'new' },
  firstSeen: '2030-05-02T03:00:00.000Z',
  diagnostic: { severity: 'error', code: 'platform-error', summary: 'The platform answered 503.' },
};
const problem = { severity: 'error', code: 'unset-variable', summary: 'NAME is not set.' } as const;
const clean = (hour: number): DriftResult => driftResult(at(hour));
const drift = (hour: number, given: Parameters<typeof finding>[0] = {}): DriftResult =>
  driftResult({ ...at(hour), status: 'drift', findings: [finding(given)] });
const incomplete = (hour: number): DriftResult =>
  driftResult({ ...at(hour), status: 'incomplete', notCompared: [unread] });
const failed = (hour: number, given: Partial<DriftResult> = {}): DriftResult =>
  driftResult({ ...at(hour), status: 'failed', targets: {}, diagnostics: [problem], ...given });

describe.each([
  ['github', fakeGithubIssues, '/repos/acme/shop/issues', 'PATCH', 'comments'],
  ['gitlab', fakeGitlabIssues, '/api/v4/projects/12/issues', 'PUT', 'notes'],
] as const)('the one drift issue on %s', (_name, start, root, edit, comments) => {
  let tracker: FakeTracker;
  beforeEach(async () => {
    tracker = await start();
  });
  afterEach(() => tracker.api.close());

  const patience = { wait: async () => undefined, now: () => 0 };
  const publish = (result: DriftResult, folder = ''): Promise<PublishedDrift> =>
    publishDrift(
      result,
      {
        title: `Drift: ${result.project}`,
        markdown: `${result.status}: ${result.findings.map(({ new: now }) => JSON.stringify(now)).join()}\n`,
        closingComment: `Fine at ${result.checkedAt}.`,
        folder,
      },
      tracker.project,
      patience,
    );
  const keep = async (result: DriftResult, folder?: string): Promise<IssueResult['outcome']> => {
    const { kept, diagnostic } = await publish(result, folder);
    if (kept === undefined) throw new Error(diagnostic.summary);
    return kept.outcome;
  };
  const fault = (match: RegExp, answer: Fault['answer'], more: Partial<Fault> = {}): void =>
    void tracker.api.faults.push({ match, answer, ...more });
  const issue = (number = 1): FakeIssue => {
    const found = tracker.issues.find((one) => one.number === number);
    if (found === undefined) throw new Error(`no issue ${number}`);
    return found;
  };
  const states = (): readonly string[] => tracker.issues.map(({ state }) => state);

  it('is closed only by a check of the state that it tells of', async () => {
    const ofState = (result: DriftResult, lineage: string): DriftResult => ({ ...result, lineage });
    const unrecorded: DriftResult = { ...incomplete(3), notCompared: [], compared: 0, unrecorded: 63 };
    const outcomes = [
      await keep(ofState(drift(1), 'state-a')),
      await keep(ofState(clean(2), 'state-b')),
      await keep(ofState(unrecorded, 'state-c')),
      await keep(ofState(clean(4), 'state-c')),
      await keep(ofState(drift(5, { new: 'Again' }), 'state-b')),
      await keep(ofState(clean(6), 'state-b')),
    ];
    expect(outcomes).toEqual(['opened', 'other-state', 'edited', 'other-state', 'edited', 'other-state']);
    expect(issue()).toMatchObject({ state: 'open', comments: [] });
    expect(readDriftMarker(issue().body ?? '')).toMatchObject({ lineage: 'state-a' });
    expect(await keep(ofState(clean(7), 'state-a'))).toBe('closed');
  });

  it('keeps what was found where nothing is recorded any more', async () => {
    await keep({ ...drift(1), lineage: 'state-a' });
    await keep({ ...incomplete(2), notCompared: [], compared: 0, unrecorded: 63, lineage: 'state-c' });
    expect(issue().body).toContain('What the last check before that found:\n\ndrift: "Clicked"');
  });

  it('is opened for a finding, edited when that changes, and closed with a word when all is as recorded', async () => {
    const outcomes = [await keep(drift(1)), await keep(drift(2, { new: 'Again' })), await keep(clean(3))];
    expect(outcomes).toEqual(['opened', 'edited', 'closed']);
    expect(tracker.issues).toMatchObject([
      { title: 'Drift: payments', state: 'closed', comments: ['Fine at 2030-05-02T03:00:00.000Z.'] },
    ]);
    expect(tracker.api.writes()).toEqual([
      `POST ${root}`,
      `${edit} ${root}/1`,
      `${edit} ${root}/1`,
      `POST ${root}/1/${comments}`,
    ]);
  });

  it('costs two looks when nothing changed, whatever the hour and however long it is known', async () => {
    await keep(drift(1, { trend: 'new', firstSeen: '2030-05-02T01:00:00.000Z' }));
    const [body] = tracker.issues.map((one) => one.body);
    tracker.api.log.length = 0;
    const later = drift(9, { trend: 'known', firstSeen: '2030-05-02T09:00:00.000Z', lastSeen: '2030-05-02T09:00:00Z' });
    expect(await keep({ ...later, compared: 13, requests: 99, lastSuccess: '2030-05-02T09:00:00Z' })).toBe('unchanged');
    expect([...tracker.api.log].sort()).toEqual([`GET ${root}`, expect.stringMatching(/^GET .*\/user$/)].sort());
    expect(issue().body).toBe(body);
  });

  it('is not made for a clean check', async () => {
    expect(await keep(clean(1))).toBe('none');
    expect(tracker.api.writes()).toEqual([]);
  });

  it.each<readonly [string, DriftResult]>([
    ['something could not be compared', incomplete(2)],
    ['the check failed', failed(2)],
  ])('is opened when %s, and never closed by that', async (_what, result) => {
    expect(await keep(result)).toBe('opened');
    expect(await keep({ ...result, ...at(3) })).toBe('unchanged');
    expect(states()).toEqual(['open']);
    expect(await keep(clean(4))).toBe('closed');
  });

  it('keeps what was found before below the problems of checks that fail', async () => {
    await keep(drift(1, { new: 'Clicked' }));
    await keep(failed(2));
    await keep(failed(3, { diagnostics: [{ ...problem, summary: 'OTHER is not set.' }] }));
    const divider = '\n---\n\nWhat the last check before that found:\n\n';
    expect(issue().body?.split(divider)).toEqual([expect.stringContaining('failed: '), 'drift: "Clicked"\n']);
    await keep(drift(4, { new: 'Clicked' }));
    expect(issue().body).not.toContain('failed: ');
  });

  it('keeps nothing that somebody else has written there', async () => {
    await keep(drift(1));
    issue().body += 'All is well.';
    await keep(failed(2));
    expect(issue().body).not.toMatch(/All is well|last check before/);
  });

  it('is written anew when somebody changed it by hand', async () => {
    await keep(drift(1));
    const { body } = issue();
    issue().body = (body ?? '').replace('Clicked', 'Nothing to see');
    expect(await keep(drift(2))).toBe('edited');
    expect(issue().body).toContain('Clicked');
  });

  it('is opened again, the same one, when drift comes back or somebody closed it too early', async () => {
    await keep(drift(1));
    await keep(clean(2));
    expect(await keep(drift(3))).toBe('reopened');
    issue().state = 'closed';
    expect(await keep(drift(4))).toBe('reopened');
    expect(states()).toEqual(['open']);
  });

  it('that was opened again by hand, for nothing, is closed again; a check that fails does not call it findings', async () => {
    await keep(drift(1));
    await keep(clean(2));
    issue().state = 'open';
    expect(await keep(clean(3))).toBe('closed');
    issue().state = 'open';
    expect(await keep(failed(4))).toBe('edited');
    expect(issue().body).not.toContain('last check before');
  });

  it('is another one when the old one is gone', async () => {
    await keep(drift(1));
    await keep(clean(2));
    fault(new RegExp(`^${edit} `), { status: 404, body: { message: 'Not Found' } });
    expect(await keep(drift(3))).toBe('opened');
    expect(states()).toEqual(['closed', 'open']);
  });

  it('is left alone by an older check, open or closed', async () => {
    await keep(drift(5));
    expect(await keep(clean(4))).toBe('superseded');
    expect(await keep(drift(4, { new: 'Old news' }))).toBe('superseded');
    expect(states()).toEqual(['open']);
    await keep(clean(6));
    expect(await keep(drift(5))).toBe('superseded');
    expect([issue().state, issue().comments.length]).toEqual(['closed', 1]);
  });

  it.each([false, true])(
    'never touches what somebody else wrote, or what is about something else (%s)',
    async (isDeaf) => {
      tracker.isDeaf = isDeaf;
      await keep(drift(1));
      const { body } = issue();
      for (const one of tracker.issues.splice(0)) tracker.add({ ...one, author: 'other', body });
      tracker.add({ body: `Somebody said: ${body ?? ''}` });
      tracker.add({ body: null });
      tracker.add({ body: (await bodyFor({ ...drift(1), stack: 'prod' })) ?? '' });
      const before = JSON.stringify(tracker.issues);
      tracker.api.log.length = 0;
      expect(await keep(clean(2))).toBe('none');
      expect(JSON.stringify(tracker.issues)).toBe(before);
      expect(await keep(drift(3))).toBe('opened');
      expect(tracker.api.writes()).toEqual([`POST ${root}`]);
    },
  );

  /** What the issue of another check looks like. */
  async function bodyFor(result: DriftResult): Promise<string | null> {
    const other = await start();
    const before = tracker;
    tracker = other;
    try {
      await keep(result);
      return issue().body;
    } finally {
      tracker = before;
      await other.api.close();
    }
  }

  it('is one for each project and stack', async () => {
    for (const given of [{}, { stack: 'prod' }, { project: 'shop' }]) await keep({ ...drift(1), ...given });
    expect(states()).toEqual(['open', 'open', 'open']);
    await keep({ ...clean(2), stack: 'prod' });
    expect(states()).toEqual(['open', 'closed', 'open']);
  });

  it('is known again by its folder when sync.yaml cannot be read, and closed once it can', async () => {
    await keep(drift(1), 'teams/pay');
    expect(await keep(failed(2, { project: '' }), 'teams/pay')).toBe('edited');
    expect(await keep(failed(2, { project: '' }), 'teams/other')).toBe('opened');
    expect(await keep(clean(3), 'teams/pay')).toBe('closed');
    expect(await keep({ ...clean(3), project: 'other' }, 'teams/other')).toBe('closed');
  });

  it('is told its project as soon as that is known', async () => {
    await keep(failed(1, { project: '' }), 'a');
    expect(await keep(failed(2), 'a')).toBe('edited');
    expect(await keep(failed(3), 'moved')).toBe('unchanged');
  });

  it('stays one: what two runs at once had opened is closed', async () => {
    await keep(drift(1));
    const { body } = issue();
    tracker.add({ body });
    tracker.add({ body });
    expect(await keep(drift(2))).toBe('unchanged');
    expect(states()).toEqual(['open', 'closed', 'closed']);
    expect(issue(2).comments).toEqual(['Kept up to date in #1.']);
    tracker.add({ body });
    await keep(clean(3));
    expect(states()).toEqual(['closed', 'closed', 'closed', 'closed']);
  });

  it.each([
    ['older', 1, 'edited', '"Mine"'],
    ['newer', 9, 'superseded', '"Theirs"'],
  ] as const)('stays one when an %s check opens it at the same moment', async (_what, hour, outcome, text) => {
    const theirs = await bodyFor(drift(hour, { new: 'Theirs' }));
    // Theirs shows up between our look and our issue.
    const { faults } = tracker.api;
    const make = tracker.add.bind(tracker);
    tracker.add = (given) => {
      tracker.add = make;
      make({ body: theirs });
      return make(given);
    };
    expect(await keep(drift(5, { new: 'Mine' }))).toBe(outcome);
    expect([states(), faults]).toEqual([['open', 'closed'], []]);
    expect(issue().body).toContain(text);
  });

  it('is found behind pages of others', async () => {
    await keep(drift(1));
    for (let more = 0; more < 250; more += 1) tracker.add({ body: 'Something else.' });
    expect(await keep(drift(2))).toBe('unchanged');
    expect(tracker.issues).toHaveLength(251);
  });

  it.each([
    ['before', 'reset'],
    ['after', 'reset'],
    ['before', 503],
    ['after', 503],
  ] as const)('is opened once when the answer is lost %s it was made (%s)', async (when, how) => {
    const answer = how === 'reset' ? how : { status: how, body: { message: 'Try again' } };
    fault(new RegExp(`^POST ${root}$`), answer, { after: when === 'after' });
    expect(await keep(drift(1))).toBe('opened');
    expect(tracker.issues).toHaveLength(1);
  });

  it.each([
    ['a look', /^GET /, { status: 502, body: { message: 'Bad gateway' } }],
    ['an edit', new RegExp(`^${edit} `), { status: 503, body: { message: 'Try again' } }],
    ['a limit', /^GET /, { status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '2' } }],
  ] as const)('is kept in spite of %s that fails in passing', async (_what, match, answer) => {
    await keep(drift(1));
    fault(match, answer);
    expect(await keep(drift(2, { new: 'Again' }))).toBe('edited');
  });

  const refusals: readonly (readonly [number, string, boolean, string, string])[] = [
    [401, 'GET', false, 'review-unauthenticated', 'error'],
    [403, 'POST', false, 'review-forbidden', 'error'],
    [403, 'POST', true, 'review-read-only', 'warning'],
    [404, 'POST', false, 'review-not-found', 'error'],
    [410, 'POST', false, 'review-refused', 'error'],
    [500, 'GET', false, 'review-unavailable', 'error'],
  ];
  it.each(refusals)('%i of %s (for a fork: %s) is %s', async (status, method, isUntrusted, code, severity) => {
    fault(new RegExp(`^${method} `), { status, body: { message: `no ${token}` } }, { times: 20 });
    Object.assign(tracker.project, { isUntrusted });
    const { diagnostic } = await publish(drift(1));
    expect(diagnostic).toMatchObject({ code, severity });
    expect(JSON.stringify(diagnostic)).not.toContain(token);
    expect(JSON.stringify(diagnostic)).not.toContain('comment on');
  });

  it('is not asked for without a token, or over a line that anybody can read', async () => {
    const { token: _token, ...bare } = tracker.project;
    const texts = { title: 't', markdown: 'm', closingComment: 'f', folder: '' };
    const given = [bare, { ...bare, isUntrusted: true }, { ...tracker.project, apiUrl: 'http://git.example.com' }];
    const codes = await Promise.all(
      given.map(async (project) => (await publishDrift(drift(1), texts, project, patience)).diagnostic?.code),
    );
    expect(codes).toEqual(['review-no-token', 'review-read-only', 'review-insecure-server']);
    expect(tracker.api.log).toEqual([]);
  });
});

describe('on github', () => {
  let tracker: FakeTracker;
  beforeEach(async () => {
    tracker = await fakeGithubIssues();
  });
  afterEach(() => tracker.api.close());
  const patience = { wait: async () => undefined, now: () => 0 };
  const texts = { title: 't', markdown: 'm', closingComment: 'f', folder: '' };

  it.each([
    ['a user', 'user', 'me'],
    ['an app', 'app', 'shop-bot[bot]'],
    ['the pipeline itself', 'pipeline', 'github-actions[bot]'],
  ] as const)('the token of %s finds its own issue again, and looks at no other', async (_who, identity, creator) => {
    tracker.identity = identity;
    // More than one page of others.
    for (let more = 0; more < 120; more += 1) tracker.add({ author: 'other' });
    for (const hour of [1, 2]) await publishDrift(drift(hour), texts, tracker.project, patience);
    expect(tracker.issues).toHaveLength(121);
    const lists = tracker.api.calls.filter(({ path, method }) => method === 'GET' && path.endsWith('/issues'));
    expect(new Set(lists.map(({ query }) => query.get('creator')))).toEqual(new Set([null, creator]));
    for (const { query } of lists) if (query.get('creator') === null) expect(query.get('page')).toBe('1');
  });

  it('a clean check of a pipeline costs one call, with an issue or without; so does one that finds the same again', async () => {
    tracker.identity = 'pipeline';
    tracker.add({ author: 'other', body: 'Something else.' });
    const check = async (result: DriftResult): Promise<readonly string[]> => {
      tracker.api.log.length = 0;
      await publishDrift(result, texts, tracker.project, patience);
      return [...tracker.api.log];
    };
    expect(await check(clean(1))).toEqual(['GET /repos/acme/shop/issues']);
    await check(drift(2));
    expect(await check(drift(3))).toEqual(['GET /repos/acme/shop/issues']);
    const closing = await check(clean(4));
    expect(closing.filter((line) => line.startsWith('GET'))).toEqual(['GET /repos/acme/shop/issues']);
    expect(await check(clean(5))).toEqual(['GET /repos/acme/shop/issues']);
  });

  it.each([
    ['clean', clean(1), 'warning'],
    ['drift', drift(1), 'error'],
  ] as const)('at the limit of calls a check that is %s is told with a %s', async (_what, result, severity) => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999' };
    const answer = { status: 403, headers, body: { message: 'rate limit' } };
    tracker.api.faults.push({ match: /./, answer, times: 99 });
    const { diagnostic } = await publishDrift(result, texts, tracker.project, patience);
    expect(diagnostic).toMatchObject({ severity, code: 'review-unavailable' });
  });

  it('a token that does not tell whose it is opens nothing: it could not find it again', async () => {
    tracker.identity = 'pipeline';
    const project = { ...tracker.project, isPipelineToken: false };
    const { diagnostic } = await publishDrift(drift(1), texts, project, patience);
    expect(diagnostic?.code).toBe('review-forbidden');
    expect(tracker.issues).toEqual([]);
  });

  it('a pull request is no issue, whatever it says', async () => {
    await publishDrift(drift(1), texts, tracker.project, patience);
    const [first] = tracker.issues.splice(0);
    tracker.add({ body: first?.body ?? null, isPull: true });
    await publishDrift(clean(2), texts, tracker.project, patience);
    expect(tracker.issues.map(({ state }) => state)).toEqual(['open']);
  });

  it('closed issues are looked through a little way only', async () => {
    const host = await openIssues(tracker.project, patience);
    for (let more = 0; more < 500; more += 1) tracker.add({ state: 'closed' });
    tracker.api.log.length = 0;
    expect(await host.own('closed', () => true)).toHaveLength(300);
    expect(tracker.api.log.filter((line) => line.endsWith('/issues'))).toHaveLength(3);
  });
});

it('on gitlab nothing in the text is an order, in code or outside', async () => {
  const tracker = await fakeGitlabIssues();
  const texts = { title: 't', markdown: '/close\n```diff\n/assign me\n```\n', closingComment: '/reopen', folder: '' };
  for (const result of [drift(1), failed(2), failed(3, { diagnostics: [] }), clean(4)])
    await publishDrift(result, texts, tracker.project, { wait: async () => undefined, now: () => 0 });
  const [issue] = tracker.issues;
  const seen = tracker.api.calls.flatMap(({ body }) => [body['description'], body['body']]).join('\n');
  expect(issue?.comments).toEqual(['\\/reopen']);
  expect(seen.split('\n').filter((line) => line.startsWith('/'))).toEqual([]);
  await tracker.api.close();
});

describe('the marker', () => {
  const place = 'b'.repeat(16);
  const line = (more = ''): string =>
    `<!-- platform-sync drift project=${'a'.repeat(16)} place=${place} status=drift checked=2030-05-02T01:00:00.000Z said=${'c'.repeat(16)} text=${'d'.repeat(16)}${more} -->`;

  it.each([
    ['the first line', `${line()}\ntext`, true],
    ['the first line of a file from elsewhere', `${line()}\r\ntext`, true],
    ['without a project', `${line().replace(/project=\w+/, 'project=-')}\ntext`, true],
    ['further down', `text\n${line()}\n`, false],
    ['with more in it', `${line(' x=1')}\n`, false],
    ['a plan’s', `${line().replace('drift', 'plan')}\n`, false],
  ])('is read from %s: %#', (_name, body, isRead) => {
    expect(readDriftMarker(body)?.place).toBe(isRead ? place : undefined);
  });
});
