import type { PipelineRun, ReviewPlatform, ReviewProject, ReviewRequest } from './review-request.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a pipeline runs and for what, as its environment variables say. */
export interface ReviewEnvironment {
  readonly platform: ReviewPlatform;
  /** Absent: this run belongs to no pull or merge request. */
  readonly request?: ReviewRequest;
  /** Absent: the variables name none. */
  readonly project?: ReviewProject;
  readonly commit?: string;
  /** The commit was made by a merge queue. */
  readonly isQueued?: true;
  readonly links: ReviewLinks;
  readonly run?: PipelineRun;
  /** File whose Markdown the pipeline's page shows. */
  readonly summaryFile?: string;
}

/** Where readers find what a text is about. All are addresses of the platform's pages. */
export interface ReviewLinks {
  readonly commit?: string;
  readonly run?: string;
  /** Of the commit's files, with a slash at the end. */
  readonly files?: string;
}

/** Where a pipeline runs, whatever it runs for. */
export interface ProjectEnvironment {
  readonly platform: ReviewPlatform;
  /** Absent: the variables name none. */
  readonly project?: ReviewProject;
  /** The folder that the project was checked out to. */
  readonly root?: string;
  /** File whose Markdown the pipeline's page shows. */
  readonly summaryFile?: string;
}

/** What one platform's variables say; `number` beats the request they name. */
export type EnvironmentReader = (env: Environment, number: number | undefined, event: unknown) => ReviewEnvironment;
export type ProjectReader = (env: Environment, event: unknown) => ProjectEnvironment;

/** A variable that is there and not empty. */
export function variable(env: Environment, ...names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

/** An address for a link; anything else is nothing. */
export function webAddress(...parts: readonly (string | undefined)[]): string | undefined {
  const text = parts.includes(undefined) ? '' : parts.join('');
  return /^https?:\/\/[^\s"<>()`|\\]+$/.test(text) && URL.canParse(text) ? text : undefined;
}

/** A whole number above zero, or nothing. */
export function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

export function commitHash(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(value) ? value : undefined;
}

/** A member of what came out of a JSON file, however deep; undefined where the way ends. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

/** Whose pipeline this is; undefined outside of both. */
export function reviewPlatformOf(env: Environment): ReviewPlatform | undefined {
  return env['GITLAB_CI'] === 'true' ? 'gitlab' : env['GITHUB_ACTIONS'] === 'true' ? 'github' : undefined;
}
