import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHost } from '@platform-sync/review/hosts';
import { readMarker } from '@platform-sync/review/sticky-comment';
import type { Row } from '@platform-sync/review/entry';
import { publishToOthers } from '@platform-sync/review/publish-others';
import { publishOutcomes, requestOfCommit, type OutcomeComment, type Published } from '@platform-sync/review/publish';
import type { ReviewRequest, Revision } from '@platform-sync/review/review-request';
import { subjectOf } from '@platform-sync/review/subject';
import { seriesOf } from '@platform-sync/review/github/environment';
import { shortHash } from '@platform-sync/review/text-hash';
import { body, row, sticky } from './comment-builder.js';
import { fakeGithub, fakeGitlab, workflow, type FakePlatform } from './fake-platforms.js';

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
  const flows: string[] = [];
  const flow = (kind: string, what: string, run: () => Promise<void>): void => {
    flows.push(kind);
    it(`${kind}: ${what}`, run);
  };
  interface Told {
    readonly run?: number;
    readonly second?: number;
    readonly more?: Partial<OutcomeComment>;
    readonly isQueued?: true;
    readonly request?: Partial<ReviewRequest>;
  }
  const tell = (
    letter: string,
    text: string,
    { run = 1, second = run, more = {}, isQueued, request = {} }: Told = {},
  ): Promise<Published> =>
    publishOutcomes(
      [
        {
          ...{ subject, kind: 'plan', row: row(), at: at(second), digest: '', markdown: text },
          superseded: (head) => ({ row: row(), markdown: `Superseded by ${head}\n` }),
          ...more,
        },
      ],
      {
        ...{ platform: platform.request.platform, request: { ...platform.request, ...request }, links: {} },
        ...{ commit: commit(letter), run: { series, number: run, id: run } },
        ...(isQueued === undefined ? {} : { isQueued }),
      },
      patience,
    );
  const texts = (): readonly string[] => platform.comments.map(({ body }) => body.slice(body.indexOf('\n') + 1));
  const forge = (revision: Partial<Revision>): void => {
    const claim = { commit: commit('b'), planned: at(40), run: { series, number: 19, id: 19 }, ...revision };
    platform.add('me', body(sticky(subject, claim, 'All is well, merge it.\n')));
  };

  flow('late', 'the newest commit has the last word, whoever comes last', async () => {
    await tell('b', 'B failed\n', { run: 2 });
    await tell('a', 'A is fine\n', { run: 1, second: 30 });
    expect(texts()).toEqual(['B failed\n']);
  });

  flow('late', 'a late run of an old commit does not give its verdict, even where nobody has spoken yet', async () => {
    await tell('a', 'A is fine\n', { run: 1 });
    expect(texts()).toEqual([`Superseded by ${commit('b')}\n`]);
    await tell('b', 'B failed\n', { run: 2 });
    expect(texts()).toEqual(['B failed\n']);
  });

  flow('forged', 'a run of the head is not silenced by a higher number of another commit', async () => {
    platform.head = commit('a');
    await tell('a', 'A is fine\n', { run: 9 });
    platform.head = commit('b');
    await tell('b', 'B failed\n', { run: 3, second: 20 });
    expect(texts()).toEqual(['B failed\n']);
  });

  flow(
    'late',
    'the later look at one commit stands, and an old run that is started again counts as later',
    async () => {
      await tell('b', 'second look\n', { run: 2, second: 20 });
      await tell('b', 'first look\n', { run: 1, second: 10 });
      expect(texts()).toEqual(['second look\n']);
      await tell('b', 'third look\n', { run: 1, second: 30 });
      expect(texts()).toEqual(['third look\n']);
    },
  );

  const forgeries: readonly (readonly [string, Partial<Revision>])[] = [
    ['with a run that does not exist', { run: { series, number: 999, id: 999 } }],
    ['with a number that is not the run’s', { run: { series, number: 999, id: 3 } }],
    ['with a commit that is not of the request', { commit: '9'.repeat(40) }],
    ['with a time to come', { planned: '2099-01-01T00:00:00.000Z' }],
    ['without a run', { run: undefined as never }],
  ];
  for (const [how, revision] of forgeries)
    flow('forged', `a forged marker silences nobody: ${how}`, async () => {
      forge(revision);
      expect((await tell('b', 'B failed\n', { run: 3 })).posted?.outcome).toBe('edited');
      expect(texts()).toEqual(['B failed\n']);
    });

  flow('forged', 'somebody else’s comment with our marker is neither believed nor touched', async () => {
    const claim = { commit: commit('b'), planned: at(40), run: { series, number: 19, id: 19 } };
    platform.add('other', body(sticky(subject, claim, 'All is well, merge it.\n')));
    await tell('b', 'B failed\n', { run: 3 });
    expect(texts()).toEqual(['All is well, merge it.\n', 'B failed\n']);
  });

  flow('forged', 'a forgery beside our comment goes, and ours stays', async () => {
    await tell('b', 'B failed\n', { run: 3 });
    forge({ run: { series, number: 999, id: 999 } });
    await tell('b', 'B failed again\n', { run: 4 });
    expect(texts()).toEqual(['B failed again\n']);
  });

  flow('forged', 'many forged markers cost no more than a few questions', async () => {
    for (let at = 0; at < 50; at += 1) forge({ run: { series, number: 999, id: 1000 + at } });
    await tell('b', 'B failed\n', { run: 3 });
    expect(texts()).toEqual(['B failed\n']);
    expect(platform.api.log.filter((line) => /runs|pipelines/.test(line)).length).toBeLessThanOrEqual(4);
  });

  flow(
    'concurrent',
    'two runs that comment for the first time at once leave one comment, the later one’s',
    async () => {
      await Promise.all([
        tell('b', 'first look\n', { run: 1, second: 10 }),
        tell('b', 'second look\n', { run: 2, second: 20 }),
      ]);
      expect(texts()).toEqual(['second look\n']);
    },
  );

  const shown = (project: string, stack: string): Row => row({ project, stack });
  const eu = subjectOf({ project: 'shop', stack: 'eu' }, '');
  const euText = { subject: eu, row: row({ stack: 'eu' }) };

  flow('two stacks', 'two stacks are two rows of one comment, and one never wipes out the other’s', async () => {
    await tell('b', 'default\n');
    await tell('b', 'eu\n', { run: 2, more: euText });
    await tell('b', 'default again\n', { run: 3 });
    const [only, ...others] = texts();
    expect(others).toEqual([]);
    expect(only).toContain('default again\n');
    expect(only).toContain('eu\n');
    expect(only).not.toContain('default\n');
  });

  flow(
    'two stacks',
    'a failure that cannot even name the project takes its comment over, and gives it back',
    async () => {
      await tell('b', 'A is fine\n', { run: 1 });
      await tell('b', 'No plan\n', { run: 2, more: { subject: subjectOf({ stack: 'default' }, '') } });
      expect(texts()).toEqual(['No plan\n']);
      expect(readMarker(platform.comments[0]?.body ?? '')?.entries[0]?.subject).toEqual(subject);
      await tell('b', 'fine again\n', { run: 3 });
      expect(texts()).toEqual(['fine again\n']);
    },
  );

  flow('locked', 'a locked conversation is told as one, and is no fault of the token', async () => {
    const body = { message: 'Unable to create comment because issue is locked.' };
    platform.api.faults.push({ match: /^POST /, answer: { status: 403, body }, times: 9 });
    const { diagnostic } = await tell('b', 'B\n');
    expect(diagnostic).toMatchObject({ severity: 'warning', code: 'review-locked' });
    expect(JSON.stringify(diagnostic)).not.toMatch(/permission|scope/i);
    expect(platform.api.writes()).toHaveLength(1);
  });

  flow('limited', 'a limit on bursts without a time is waited for, and is no fault of the token', async () => {
    const body = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' };
    platform.api.faults.push({ match: /^POST /, answer: { status: 403, body } });
    expect((await tell('b', 'B\n')).posted?.outcome).toBe('created');
    expect(waits).toEqual([60_000]);
    platform.comments = [];
    platform.api.faults.push({ match: /^POST /, answer: { status: 403, body }, times: 9 });
    expect((await tell('b', 'B\n')).diagnostic).toMatchObject({ code: 'review-unavailable' });
  });

  flow('merged', 'an apply after the merge finds its request, and what it did stands', async () => {
    Object.assign(platform, { state: 'merged' });
    const found = await requestOfCommit(platform.request, commit('e'), patience);
    expect(found.request?.number).toBe(5);
    await tell('e', 'Applied\n', { run: 7, more: { kind: 'run' } });
    expect(texts()).toEqual(['Applied\n']);
    await tell('b', 'a plan of before\n', { run: 2, second: 5 });
    expect(texts()).toEqual(['Applied\n']);
    expect(await requestOfCommit(platform.request, commit('d'), patience)).toEqual({});
  });

  flow('late', 'what was carried out stands, although the request has moved on', async () => {
    await tell('a', 'Applied\n', { more: { superseded: undefined as never } });
    expect(texts()).toEqual(['Applied\n']);
  });

  flow('late', 'a branch that goes back to an older commit gets that one’s verdict', async () => {
    await tell('b', 'B failed\n', { run: 2 });
    platform.head = commit('a');
    await tell('a', 'A is fine\n', { run: 3 });
    expect(texts()).toEqual(['A is fine\n']);
  });

  flow('late', 'a newer commit of which the same is said moves the comment on', async () => {
    await tell('b', 'fine\n', { run: 1 });
    platform.head = commit('c');
    await tell('c', 'fine\n', { run: 2 });
    expect(readMarker(platform.comments[0]?.body ?? '')?.entries[0]?.now.revision.commit).toBe(commit('c'));
  });

  flow('concurrent', 'three runs at once leave one comment, the newest commit’s', async () => {
    await Promise.all([
      tell('a', 'A is fine\n', { run: 1, second: 10 }),
      tell('b', 'first look\n', { run: 2, second: 20 }),
      tell('b', 'second look\n', { run: 3, second: 30 }),
    ]);
    expect(texts()).toEqual(['second look\n']);
  });

  flow('concurrent', 'a comment that is deleted in the very moment is made again', async () => {
    await tell('b', 'first look\n', { run: 1 });
    const method = platform.request.platform === 'github' ? /^PATCH / : /^PUT /;
    platform.api.faults.push({ match: method, answer: { status: 404, body: { message: 'Not Found' } } });
    platform.comments = [];
    await tell('b', 'second look\n', { run: 2 });
    expect(texts()).toEqual(['second look\n']);
  });

  flow('locked', 'a conversation that is locked after the first comment is told as one, too', async () => {
    await tell('b', 'first look\n', { run: 1 });
    const body = { message: 'Unable to update comment because issue is locked.' };
    platform.api.faults.push({ match: /^(?:PATCH|PUT) /, answer: { status: 403, body }, times: 9 });
    expect((await tell('b', 'second look\n', { run: 2 })).diagnostic).toMatchObject({
      ...{ severity: 'warning', code: 'review-locked' },
    });
  });

  flow('limited', 'a limit that names its time is waited for that long', async () => {
    const answer = { status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '7' } };
    platform.api.faults.push({ match: /^POST /, answer });
    expect((await tell('b', 'B\n')).posted?.outcome).toBe('created');
    expect(waits).toEqual([7000]);
  });

  flow('limited', 'a limit that lasts longer than a pipeline waits is told, and nothing more is sent', async () => {
    const answer = { status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '86400' } };
    platform.api.faults.push({ match: /^POST /, answer, times: 9 });
    expect((await tell('b', 'B\n')).diagnostic).toMatchObject({ code: 'review-unavailable' });
    expect(platform.api.writes()).toHaveLength(1);
  });

  const forbidden = { status: 403, body: { message: 'Resource not accessible by integration' } };
  flow('fork', 'a fork’s token that may only read is as it should be', async () => {
    platform.api.faults.push({ match: /^POST /, answer: forbidden, times: 9 });
    expect((await tell('b', 'B\n', { request: { isUntrusted: true } })).diagnostic).toMatchObject({
      ...{ severity: 'warning', code: 'review-read-only' },
    });
  });

  flow('fork', 'the same answer to a pipeline of our own is an error', async () => {
    platform.api.faults.push({ match: /^POST /, answer: forbidden, times: 9 });
    expect((await tell('b', 'B\n')).diagnostic).toMatchObject({ severity: 'error', code: 'review-forbidden' });
  });

  flow('fork', 'a fork without a token asks for nothing', async () => {
    const { diagnostic } = await tell('b', 'B\n', { request: { isUntrusted: true, token: undefined as never } });
    expect(diagnostic?.severity).toBe('warning');
    expect(platform.api.log).toEqual([]);
  });

  flow(
    'two stacks',
    'five projects are one comment: a table, the gravest first, what is clean without a fold',
    async () => {
      const clean = { mark: '✅', verdict: 'No changes', counts: '3 unchanged', rank: 4 };
      const blocked = { mark: '⛔', verdict: 'Blocked by 1 guard', counts: '1 to delete', rank: 0 };
      for (const [index, project] of ['one', 'two', 'three', 'four', 'five'].entries()) {
        const about = subjectOf({ project, stack: 'default' }, `apis/${project}`);
        const of = { ...shown(project, 'default'), ...(project === 'three' ? blocked : clean) };
        await tell('b', `text of ${project}\n`, { run: index + 1, more: { subject: about, row: of } });
      }
      expect(texts()).toEqual([
        [
          '## ⛔ Blocked by 1 guard: three, stack default, the gravest of 5',
          '',
          '| | Project | Stack | Verdict | Counts | |',
          '|---|---|---|---|---|---|',
          '| ⛔ | three | default | Blocked by 1 guard | 1 to delete |  |',
          ...['five', 'four', 'one', 'two'].map((name) => `| ✅ | ${name} | default | No changes | 3 unchanged |  |`),
          '',
          '<details><summary>⛔ three, stack default: Blocked by 1 guard</summary>',
          '',
          'text of three',
          '',
          '</details>',
          '',
          '',
        ].join('\n'),
      ]);
    },
  );

  flow('two stacks', 'a row of an older commit is no verdict on the newest, however clean it was', async () => {
    const clean = row({ mark: '✅', verdict: 'No changes', rank: 4 });
    await tell('b', 'default\n', { more: { row: clean } });
    await tell('b', 'eu\n', { run: 2, more: { ...euText, row: { ...clean, stack: 'eu' } } });
    platform.head = commit('c');
    await tell('c', 'default again\n', { run: 3, more: { row: clean } });
    expect(texts()[0]).toContain(
      '| ❓ | shop | eu | Not planned at <code>cccccccccccc</code> yet. Of <code>bbbbbbbbbbbb</code>: No changes |',
    );
    await tell('c', 'eu again\n', { run: 4, more: { ...euText, row: { ...clean, stack: 'eu' } } });
    expect(texts()[0]).not.toContain('❓');
  });

  flow('two stacks', 'however long their plans are, the comment fits, and nothing opened stays open', async () => {
    const block = '<details><summary>x</summary>\n\n```diff\n+ a\n\n+ b\n```\n\n</details>\n\n';
    const long = block.repeat(1200);
    await tell('b', long);
    await tell('b', long, { run: 2, more: euText });
    const [only = ''] = texts();
    expect(platform.comments[0]?.body.length).toBeLessThan(65_000);
    expect(only.split('<details>').length).toBe(only.split('</details>').length);
    expect((only.split('```').length - 1) % 2).toBe(0);
    expect(only.split('The rest has no room here').length).toBe(3);
  });

  const run = { kind: 'run', superseded: undefined as never } as const;
  flow('runs', 'the plan that was approved stays below the result, and each run is listed', async () => {
    await tell('b', 'the plan\n', { more: { row: row({ verdict: 'Changes' }) } });
    Object.assign(platform, { state: 'merged' });
    const partly = row({ mark: '⚠️', verdict: 'Partly applied: 2 done, 1 failed', rank: 2 });
    await tell('e', 'partly\n', { run: 2, more: { ...run, row: partly } });
    const done = row({ mark: '✅', verdict: 'Applied: 1 done', rank: 4 });
    await tell('e', 'done\n', { run: 3, more: { ...run, row: done } });
    await tell('e', 'done\n', { run: 3, more: { ...run, row: done } });
    expect(texts()).toEqual([
      [
        'done',
        '',
        '**Runs before this one:**',
        '',
        '- ⚠️ Partly applied: 2 done, 1 failed (<code>eeeeeeeeeeee</code>)',
        '',
        '<details><summary>The plan that was reviewed, of <code>bbbbbbbbbbbb</code>: Changes</summary>',
        '',
        'the plan',
        '',
        '</details>',
        '',
      ].join('\n'),
    ]);
  });

  flow('runs', 'an apply before the merge stands, and a plan after it lists it', async () => {
    await tell('b', 'the plan\n');
    await tell('b', 'applied\n', { run: 2, more: { ...run, row: row({ verdict: 'Applied: 2 done' }) } });
    await tell('b', 'nothing left\n', { run: 3 });
    expect(texts()[0]).toBe(
      'nothing left\n\n**Runs before this one:**\n\n- 📝 Applied: 2 done (<code>bbbbbbbbbbbb</code>)\n',
    );
  });

  flow('merged', 'merges that share one apply are all told; open requests hear that their plan is old', async () => {
    const planned = (letter: string): string =>
      body(sticky(subject, { commit: commit(letter), planned: at(1) }, 'plan\n'));
    const applied = body(sticky(subject, { commit: commit('1'), planned: at(1) }, 'applied\n', { kind: 'run' }));
    platform.others.push(
      ...[1, 2, 3, 4].map((number) => ({ number, mergedAt: `2025-12-31T00:00:0${number}Z` })),
      ...[{ number: 6 }, { number: 7 }, { number: 8, mergedAt: '2026-01-02T00:00:00Z' }],
    );
    platform.add('me', planned('1'), 1);
    platform.add('me', applied, 2);
    for (const number of [3, 4, 6, 8]) platform.add('me', planned('2'), number);
    platform.add('me', body(sticky(eu, { commit: commit('2'), planned: at(1) }, 'plan of eu\n')), 7);
    Object.assign(platform, { state: 'merged' });
    const { merged, request } = await requestOfCommit(platform.request, commit('e'), patience);
    if (merged === undefined || request === undefined) throw new Error('no request');
    const outcome = {
      ...run,
      subject,
      row: row({ verdict: 'Applied' }),
      at: at(30),
      digest: '',
      markdown: 'Applied\n',
    };
    const where = { platform: request.platform, request, links: {}, commit: commit('e') };
    const told = await publishToOthers([outcome], where, merged, patience);
    expect(told).toEqual({ merged: [4, 3], open: [6], diagnostics: [] });
    const textOf = (number: number): string =>
      platform.comments
        .find((one) => one.request === number)
        ?.body.split('\n')
        .slice(1)
        .join('\n') ?? '';
    expect([3, 4].map((number) => textOf(number).startsWith('Applied\n'))).toEqual([true, true]);
    // Told before, merged after, or of another stack.
    expect([1, 2, 7, 8].map(textOf)).toEqual(['plan\n', 'applied\n', 'plan of eu\n', 'plan\n']);
    expect(textOf(6)).toBe(
      '> **This plan is old:** <code>eeeeeeeeeeee</code> was applied since it was made. Run the plan again before this is merged.\n\nplan\n',
    );
    const again = await publishToOthers([outcome], where, merged, patience);
    expect(again).toEqual({ merged: [], open: [], diagnostics: [] });
  });

  flow('two stacks', 'that comment at once are both in the one comment that is left', async () => {
    await Promise.all([tell('b', 'default\n'), tell('b', 'eu\n', { run: 2, more: euText })]);
    await Promise.all([tell('b', 'default 2\n', { run: 3 }), tell('b', 'eu 2\n', { run: 4, more: euText })]);
    expect(platform.comments).toHaveLength(1);
    expect(texts()[0]).toContain('default 2\n');
    expect(texts()[0]).toContain('eu 2\n');
  });

  flow('two stacks', 'a run that cannot tell its stack speaks for the folder until one can', async () => {
    const usa = { subject: subjectOf({ project: 'shop', stack: 'us' }, ''), row: row({ stack: 'us' }) };
    await tell('b', 'eu\n', { more: euText });
    await tell('b', 'us\n', { run: 2, more: usa });
    const { project: _project, stack: _stack, ...nameless } = row({ mark: '⛔', verdict: 'No plan', rank: 0 });
    await tell('b', 'no plan\n', { run: 3, more: { subject: subjectOf({}, ''), row: nameless } });
    expect(texts()[0]).toContain('| ⛔ | (not known) | (not known) | No plan |');
    await tell('b', 'eu again\n', { run: 4, more: euText });
    expect(texts()[0]).not.toContain('No plan');
  });

  flow(
    'merge queue',
    'a failure in the queue takes the place of the branch’s verdict, and the branch may speak again',
    async () => {
      await tell('b', 'B is fine\n', { run: 1 });
      await tell('f', 'the queue’s plan failed\n', { run: 4, isQueued: true });
      expect(texts()).toEqual(['the queue’s plan failed\n']);
      platform.head = commit('c');
      await tell('c', 'C is fine\n', { run: 5 });
      expect(texts()).toEqual(['C is fine\n']);
    },
  );

  flow('merge queue', 'what was applied after the queue stands last', async () => {
    await tell('f', 'the queue’s plan\n', { run: 4, isQueued: true });
    Object.assign(platform, { state: 'merged' });
    await tell('e', 'Applied\n', { run: 5 });
    expect(texts()).toEqual(['Applied\n']);
  });

  flow('merge queue', 'what a merge queue tries is never late', async () => {
    await tell('f', 'the queue’s plan\n', { run: 4, isQueued: true });
    expect(texts()).toEqual(['the queue’s plan\n']);
  });

  flow('limited', 'a token that may not read the request still comments', async () => {
    platform.head = undefined;
    await tell('a', 'A\n', { run: 1 });
    await tell('b', 'B\n', { run: 2 });
    expect(texts()).toEqual(['B\n']);
    expect((await openHost(platform.request, patience)).facts).toBeTypeOf('function');
    expect(name).toBe(platform.request.platform);
  });

  it('thirty flows and more, by what makes them hard', () => {
    const counts = Object.fromEntries(
      [...new Set(flows)].map((kind) => [kind, flows.filter((one) => one === kind).length]),
    );
    expect(counts).toEqual({
      ...{ late: 6, forged: 9, concurrent: 3, 'two stacks': 7, locked: 2, limited: 4, merged: 2, fork: 3 },
      ...{ 'merge queue': 3, runs: 2 },
    });
    expect(flows.length).toBeGreaterThanOrEqual(30);
  });
});
