/** A project on a review platform, and the right to write there. */
export interface ReviewProject {
  readonly platform: ReviewPlatform;
  /** Root of the API, without a slash at the end. */
  readonly apiUrl: string;
  /** `owner/name`, or the number or path of a project. */
  readonly project: string;
  /** Never shown, never stored. */
  readonly token?: string;
  /** The pipeline runs for somebody who may not write here: a read-only token, or none, is as it should be. */
  readonly isUntrusted: boolean;
  /** The token is the pipeline's own, whose name is known where it can't be asked for. */
  readonly isPipelineToken: boolean;
}

/** The pull or merge request to comment on. */
export interface ReviewRequest extends ReviewProject {
  /** As people say it: the number in the request's address. */
  readonly number: number;
}

export type ReviewPlatform = 'github' | 'gitlab';

/** What a comment is about: which commit, and which run of the pipeline said so. */
export interface Revision {
  /** Full hash of the commit under review. */
  readonly commit: string;
  /** The plan's own time, ISO 8601 UTC. */
  readonly planned: string;
  /** Absent outside of a pipeline. */
  readonly run?: PipelineRun;
}

/** Runs of one series are numbered in the order in which they were started. */
export interface PipelineRun {
  /** Short hash of what numbers the runs: a workflow's file, a project's pipelines. */
  readonly series: string;
  readonly number: number;
  /** What the platform's API knows the run by. */
  readonly id: number;
}

/** A request that was merged. */
export interface MergedRequest {
  readonly number: number;
  /** ISO 8601 UTC. */
  readonly mergedAt: string;
  /** The branch that it was merged into. */
  readonly base: string;
}

/** An edit of files that somebody is asked to merge. */
export interface ProposedEdit {
  /** Of its own: the same edit, proposed again, has the same. */
  readonly branch: string;
  /** The whole id of the commit that it is made on. */
  readonly onto: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** What files that exist are to say, by their paths from the root. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** Requests to one branch: those that are open, or the newest of those that were merged before another one. */
export type RequestChoice = { readonly most: number } & (
  { readonly state: 'open'; readonly base: string } | { readonly state: 'merged'; readonly before: MergedRequest }
);

/** What the review platform says about a request. */
export interface RequestFacts {
  /** The newest commit of its branch. */
  readonly head: string;
  /** Commits that stand for it on the branch it was merged into. */
  readonly merged: readonly string[];
  readonly isOpen: boolean;
}

/** True when what `a` says was superseded by `b`: an older commit must never overwrite what a newer one said. */
export function isSuperseded(a: Revision, b: Revision): boolean {
  // Of one commit, the later look counts, even when an old run is started again.
  if (a.commit === b.commit) return a.planned < b.planned;
  const comparable = a.run !== undefined && b.run !== undefined && a.run.series === b.run.series;
  if (comparable && a.run.number !== b.run.number) return a.run.number < b.run.number;
  return a.planned < b.planned;
}
