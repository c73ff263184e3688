import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectEnvironment, reviewEnvironment } from '@platform-sync/review/environment';
import { shortHash } from '@platform-sync/review/text-hash';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-review-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const head = 'a'.repeat(40);
const merge = 'b'.repeat(40);
const unsaid = { platform: undefined, number: undefined };

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_SHA: merge,
  GITHUB_RUN_NUMBER: '12',
  GITHUB_RUN_ID: '4711',
  GITHUB_SERVER_URL: 'https://github.example.com',
  GITHUB_WORKFLOW_REF: 'acme/shop/.github/workflows/plan.yml@refs/pull/5/merge',
  GITHUB_TOKEN: 't',
  GITHUB_STEP_SUMMARY: '/summary',
};
const run = { series: shortHash('github acme/shop/.github/workflows/plan.yml'), number: 12, id: 4711 };
const pull = (from: string | null): object => ({
  pull_request: { number: 5, head: { sha: head, repo: from === null ? null : { full_name: from } } },
});

function onGithub(event: unknown, env: object = {}): ReturnType<typeof reviewEnvironment> {
  const file = join(folder, 'event.json');
  writeFileSync(file, typeof event === 'string' ? event : JSON.stringify(event));
  return reviewEnvironment({ ...github, GITHUB_EVENT_PATH: file, ...env }, unsaid);
}

describe('on github', () => {
  it('a pull request is found in the event, with the commit somebody wrote', () => {
    expect(onGithub(pull('acme/shop'))).toEqual({
      platform: 'github',
      links: {
        commit: `https://github.example.com/acme/shop/commit/${head}`,
        run: 'https://github.example.com/acme/shop/actions/runs/4711',
        files: `https://github.example.com/acme/shop/blob/${head}/`,
      },
      project: expect.objectContaining({ project: 'acme/shop' }) as unknown,
      commit: head,
      run,
      summaryFile: '/summary',
      request: {
        platform: 'github',
        apiUrl: 'https://api.github.com',
        project: 'acme/shop',
        number: 5,
        token: 't',
        isUntrusted: false,
        isPipelineToken: true,
      },
    });
  });

  it('a merge queue is found by its branch, with the commit it tries', () => {
    const queue = `refs/heads/gh-readonly-queue/main/pr-5-${'c'.repeat(40)}`;
    expect(onGithub({ merge_group: { head_sha: head } }, { GITHUB_REF: queue })).toMatchObject({
      commit: head,
      isQueued: true,
      request: { number: 5 },
    });
  });

  it.each(['javascript:alert(1)//', 'https://x.example/)](https://evil', 'nonsense', 'https://a b'])(
    'an address that is none makes no link: %s',
    (server) => {
      expect(onGithub(pull('acme/shop'), { GITHUB_SERVER_URL: server })?.links).toEqual({});
    },
  );

  it.each([
    ['a fork', pull('mallory/shop'), {}, true],
    ['a fork that was deleted', pull(null), {}, true],
    ['the dependency bot', pull('acme/shop'), { GITHUB_ACTOR: 'dependabot[bot]' }, true],
    ['a branch of the repository', pull('acme/shop'), { GITHUB_ACTOR: 'ann' }, false],
    ['no pull request event', {}, { GITHUB_REF: 'refs/pull/5/merge' }, false],
  ])('%s', (_name, event, env, isUntrusted) => {
    expect(onGithub(event, env)?.request?.isUntrusted).toBe(isUntrusted);
  });

  it.each([
    ['a comment on a pull request', { issue: { number: 6, pull_request: {} } }, {}, 6],
    ['a comment on an issue', { issue: { number: 6 } }, {}, undefined],
    ['a workflow after another one', { workflow_run: { pull_requests: [{ number: 7 }], head_sha: head } }, {}, 7],
    ['a workflow after the one of a fork', { workflow_run: { pull_requests: [], head_sha: head } }, {}, undefined],
    ['a push', { ref: 'refs/heads/main' }, { GITHUB_REF: 'refs/heads/main' }, undefined],
    ['a ref', {}, { GITHUB_REF: 'refs/pull/8/merge' }, 8],
    ['an event that is no JSON', '{', { GITHUB_REF: 'refs/pull/8/merge' }, 8],
    ['a number that is none', { pull_request: { number: '5/../6' } }, {}, undefined],
    ['a repository that is none', pull('acme/shop'), { GITHUB_REPOSITORY: '../..' }, undefined],
  ])('%s', (_name, event, env, number) => {
    expect(onGithub(event, env)?.request?.number).toBe(number);
  });

  it('an enterprise server, another token and a named request are taken', () => {
    const env = { ...github, GITHUB_API_URL: 'https://git.example.com/api/v3/', GITHUB_TOKEN: '', GH_TOKEN: 'g' };
    const found = reviewEnvironment(env, { platform: undefined, number: 9 });
    expect(found?.request).toMatchObject({ apiUrl: 'https://git.example.com/api/v3', token: 'g', number: 9 });
    expect(found?.commit).toBe(merge);
  });
});

const gitlab = {
  GITLAB_CI: 'true',
  CI_PROJECT_ID: '12',
  CI_MERGE_REQUEST_PROJECT_ID: '12',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '12',
  CI_MERGE_REQUEST_IID: '5',
  CI_COMMIT_SHA: merge,
  CI_PIPELINE_IID: '77',
  CI_PIPELINE_ID: '1077',
  CI_PIPELINE_URL: 'https://gitlab.example.com/acme/shop/-/pipelines/1077',
  CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
  CI_API_V4_URL: 'https://gitlab.example.com/sub/api/v4',
  GITLAB_TOKEN: 't',
};

describe('on gitlab', () => {
  it('a merge request is found in the variables', () => {
    expect(reviewEnvironment(gitlab, unsaid)).toEqual({
      platform: 'gitlab',
      links: {
        commit: `https://gitlab.example.com/acme/shop/-/commit/${merge}`,
        run: 'https://gitlab.example.com/acme/shop/-/pipelines/1077',
        files: `https://gitlab.example.com/acme/shop/-/blob/${merge}/`,
      },
      project: expect.objectContaining({ project: '12' }) as unknown,
      commit: merge,
      run: { series: shortHash('gitlab 12'), number: 77, id: 1077 },
      request: {
        platform: 'gitlab',
        apiUrl: 'https://gitlab.example.com/sub/api/v4',
        project: '12',
        number: 5,
        token: 't',
        isUntrusted: false,
        isPipelineToken: false,
      },
    });
  });

  it('the commit of a merged-results pipeline is the one somebody wrote', () => {
    expect(reviewEnvironment({ ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head }, unsaid)?.commit).toBe(head);
    expect(reviewEnvironment({ ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '' }, unsaid)?.commit).toBe(merge);
  });

  it('a fork comments on the project the request is for, if it may', () => {
    const fork = { ...gitlab, CI_PROJECT_ID: '99', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '99' };
    expect(reviewEnvironment(fork, unsaid)?.request).toMatchObject({ project: '12', isUntrusted: true });
  });

  it('without a merge request there is none, and the job token is no token', () => {
    const { CI_MERGE_REQUEST_IID: _number, ...branch } = gitlab;
    expect(reviewEnvironment(branch, unsaid)).toMatchObject({ platform: 'gitlab' });
    expect(reviewEnvironment(branch, unsaid)?.request).toBeUndefined();
    const { GITLAB_TOKEN: _token, ...job } = gitlab;
    expect(reviewEnvironment({ ...job, CI_JOB_TOKEN: 'j' }, unsaid)?.request).not.toHaveProperty('token');
  });
});

describe('a project', () => {
  it('of a scheduled workflow is its repository, with the folder it lies in', () => {
    const env = { ...github, GITHUB_WORKSPACE: '/home/runner/shop', GITHUB_REF: 'refs/heads/main' };
    expect(projectEnvironment(env, undefined)).toEqual({
      platform: 'github',
      root: '/home/runner/shop',
      summaryFile: '/summary',
      project: {
        ...{ platform: 'github', apiUrl: 'https://api.github.com', project: 'acme/shop', token: 't' },
        ...{ isUntrusted: false, isPipelineToken: true },
      },
    });
  });

  it('of a scheduled pipeline is its own, not the one a merge request is for', () => {
    const env = { ...gitlab, CI_MERGE_REQUEST_PROJECT_ID: '99', CI_PROJECT_DIR: '/builds/shop' };
    expect(projectEnvironment(env, undefined)).toEqual({
      platform: 'gitlab',
      root: '/builds/shop',
      project: {
        ...{ platform: 'gitlab', apiUrl: 'https://gitlab.example.com/sub/api/v4', project: '12', token: 't' },
        ...{ isUntrusted: false, isPipelineToken: false },
      },
    });
  });

  it.each([
    [{}, undefined, undefined],
    [{ GITHUB_REPOSITORY: '../..' }, 'github', { platform: 'github' }],
    [{ CI_PROJECT_ID: '' }, 'gitlab', { platform: 'gitlab' }],
  ] as const)('is not made up: %j', (env, platform, expected) => {
    expect(projectEnvironment(env, platform)).toEqual(expected);
  });
});

describe('elsewhere', () => {
  it('there is nothing, unless given', () => {
    expect(reviewEnvironment({}, unsaid)).toBeUndefined();
    const said = { platform: 'gitlab', number: 3 } as const;
    expect(reviewEnvironment({ CI_PROJECT_ID: 'a/b', GITLAB_TOKEN: 't' }, said)?.request).toMatchObject({
      apiUrl: 'https://gitlab.com/api/v4',
      project: 'a/b',
      number: 3,
    });
  });
});
