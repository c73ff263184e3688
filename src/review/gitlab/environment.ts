import { defined } from '@platform-sync/core/model/value';
import { shortHash } from '../text-hash.js';
import {
  commitHash,
  positive,
  variable,
  webAddress,
  type Environment,
  type ProjectEnvironment,
  type ReviewEnvironment,
  type ReviewLinks,
} from '../review-environment.js';
import type { PipelineRun, ReviewProject, ReviewRequest } from '../review-request.js';

/** A merge request's pipeline. The job's own token may not write notes: the token is one the project's owner made. */
export function gitlabEnvironment(env: Environment, number: number | undefined): ReviewEnvironment {
  const request = requestOf(env, number);
  // In a pipeline for merged results CI_COMMIT_SHA is a merge commit that nobody has written.
  const commit = commitHash(env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA']) ?? commitHash(env['CI_COMMIT_SHA']);
  const run = runOf(env);
  const { project } = gitlabProject(env);
  return {
    platform: 'gitlab',
    links: linksOf(env, commit),
    ...defined({ project, request, commit, run }),
  };
}

/** A fork's files are shown by the fork. */
function linksOf(env: Environment, commit: string | undefined): ReviewLinks {
  const source = variable(env, 'CI_MERGE_REQUEST_SOURCE_PROJECT_URL', 'CI_PROJECT_URL');
  const run = webAddress(variable(env, 'CI_PIPELINE_URL', 'CI_JOB_URL'));
  const commitPage = webAddress(source, '/-/commit/', commit);
  const files = webAddress(source, '/-/blob/', commit, '/');
  return defined({ run, commit: commitPage, files });
}

/** Any pipeline of a project. */
export function gitlabProject(env: Environment): ProjectEnvironment {
  const own = variable(env, 'CI_PROJECT_ID');
  const root = variable(env, 'CI_PROJECT_DIR');
  return {
    platform: 'gitlab',
    ...(own === undefined ? {} : { project: projectOf(env, own) }),
    ...defined({ root }),
  };
}

function requestOf(env: Environment, said: number | undefined): ReviewRequest | undefined {
  const own = variable(env, 'CI_PROJECT_ID');
  const project = variable(env, 'CI_MERGE_REQUEST_PROJECT_ID') ?? own;
  const number = said ?? positive(env['CI_MERGE_REQUEST_IID']);
  return number === undefined || project === undefined ? undefined : { ...projectOf(env, project), number };
}

function projectOf(env: Environment, project: string): ReviewProject {
  const token = variable(env, 'GITLAB_TOKEN');
  const source = variable(env, 'CI_MERGE_REQUEST_SOURCE_PROJECT_ID') ?? project;
  return {
    platform: 'gitlab',
    apiUrl: apiUrlOf(env),
    project,
    ...defined({ token }),
    // The pipeline of a fork's merge request runs in the fork, or with the fork's files.
    isUntrusted: source !== project,
    isPipelineToken: false,
  };
}

function apiUrlOf(env: Environment): string {
  const said = variable(env, 'CI_API_V4_URL');
  const server = variable(env, 'CI_SERVER_URL') ?? 'https://gitlab.com';
  return (said ?? `${server.replace(/\/+$/, '')}/api/v4`).replace(/\/+$/, '');
}

function runOf(env: Environment): PipelineRun | undefined {
  const number = positive(env['CI_PIPELINE_IID']);
  const id = positive(env['CI_PIPELINE_ID']);
  if (number === undefined || id === undefined) return undefined;
  return { series: shortHash(`gitlab ${variable(env, 'CI_PROJECT_ID') ?? ''}`), number, id };
}
