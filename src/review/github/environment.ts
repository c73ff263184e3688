import { defined } from '@platform-sync/core/model/value';
import { shortHash } from '../text-hash.js';
import {
  commitHash,
  type Environment,
  member,
  positive,
  type ProjectEnvironment,
  type ReviewEnvironment,
  type ReviewLinks,
  variable,
  webAddress,
} from '../review-environment.js';
import type { PipelineRun, ReviewProject, ReviewRequest } from '../review-request.js';

/** A workflow run: which pull request, which commit of it, and whose token. */
export function githubEnvironment(env: Environment, number: number | undefined, event: unknown): ReviewEnvironment {
  const request = requestOf(env, number, event);
  const commit = commitOf(env, event);
  const project = projectOf(env, event);
  const run = runOf(env);
  const summaryFile = variable(env, 'GITHUB_STEP_SUMMARY');
  return {
    platform: 'github',
    links: linksOf(env, commit, event),
    ...defined({ project }),
    ...(queuedRequest(env['GITHUB_REF'] ?? '') === undefined ? {} : { isQueued: true }),
    ...defined({ request, commit, run, summaryFile }),
  };
}

/** A fork's files are shown by the fork. */
function linksOf(env: Environment, commit: string | undefined, event: unknown): ReviewLinks {
  const server = variable(env, 'GITHUB_SERVER_URL');
  const project = variable(env, 'GITHUB_REPOSITORY');
  const head = member(event, 'pull_request', 'head', 'repo', 'full_name');
  const source = typeof head === 'string' ? head : project;
  const run = webAddress(server, '/', project, '/actions/runs/', variable(env, 'GITHUB_RUN_ID'));
  const commitPage = webAddress(server, '/', project, '/commit/', commit);
  const files = webAddress(server, '/', source, '/blob/', commit, '/');
  return defined({ run, commit: commitPage, files });
}

/** Any run of a workflow: the repository, and whose token. */
export function githubProject(env: Environment, event: unknown): ProjectEnvironment {
  const project = projectOf(env, event);
  const root = variable(env, 'GITHUB_WORKSPACE');
  const summaryFile = variable(env, 'GITHUB_STEP_SUMMARY');
  return {
    platform: 'github',
    ...defined({ project, root, summaryFile }),
  };
}

function requestOf(env: Environment, said: number | undefined, event: unknown): ReviewRequest | undefined {
  const project = projectOf(env, event);
  const number = said ?? numberOf(env, event);
  return number === undefined || project === undefined ? undefined : { ...project, number };
}

function projectOf(env: Environment, event: unknown): ReviewProject | undefined {
  const project = variable(env, 'GITHUB_REPOSITORY');
  if (project === undefined || !/^\w[\w.-]*\/(?!\.+$)[\w.-]+$/.test(project)) return undefined;
  const token = variable(env, 'GITHUB_TOKEN', 'GH_TOKEN');
  return {
    platform: 'github',
    apiUrl: (variable(env, 'GITHUB_API_URL') ?? 'https://api.github.com').replace(/\/+$/, ''),
    project,
    ...defined({ token }),
    isUntrusted: isUntrusted(env, project, event),
    isPipelineToken: env['GITHUB_ACTIONS'] === 'true',
  };
}

function numberOf(env: Environment, event: unknown): number | undefined {
  const onRequest = member(event, 'issue', 'pull_request') === undefined ? undefined : member(event, 'issue', 'number');
  return (
    positive(member(event, 'pull_request', 'number')) ??
    positive(onRequest) ??
    positive(member(event, 'workflow_run', 'pull_requests', '0', 'number')) ??
    queuedRequest(env['GITHUB_REF'] ?? '') ??
    positive(/^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '')?.[1])
  );
}

/** GITHUB_SHA of a pull request is a merge commit that nobody has written. */
function commitOf(env: Environment, event: unknown): string | undefined {
  return (
    commitHash(member(event, 'pull_request', 'head', 'sha')) ??
    commitHash(member(event, 'workflow_run', 'head_sha')) ??
    commitHash(member(event, 'merge_group', 'head_sha')) ??
    commitHash(env['GITHUB_SHA'])
  );
}

/** A fork's token, and that of the dependency bot, can only read. */
function isUntrusted(env: Environment, project: string, event: unknown): boolean {
  const from = member(event, 'pull_request', 'head', 'repo', 'full_name');
  const isFork = member(event, 'pull_request') !== undefined && from !== project;
  return isFork || env['GITHUB_ACTOR'] === 'dependabot[bot]';
}

/** Runs are counted for each workflow file, so the numbers of two workflows say nothing about each other. */
function runOf(env: Environment): PipelineRun | undefined {
  const number = positive(env['GITHUB_RUN_NUMBER']);
  const id = positive(env['GITHUB_RUN_ID']);
  if (number === undefined || id === undefined) return undefined;
  return { series: seriesOf(variable(env, 'GITHUB_WORKFLOW_REF', 'GITHUB_WORKFLOW') ?? ''), number, id };
}

/** `acme/shop/.github/workflows/review.yml`, with or without a ref behind it. */
export function seriesOf(file: string): string {
  return shortHash(`github ${file.split('@')[0] ?? ''}`);
}

/** `gh-readonly-queue/main/pr-5-0123…` → 5 */
export function queuedRequest(ref: string): number | undefined {
  const match = /^(?:refs\/heads\/)?gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]{40}$/.exec(ref);
  return match === null ? undefined : Number(match[1]);
}
