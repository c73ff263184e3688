import type { RequestFacts, Revision } from './review-request.js';

/** A comment as the review platform has it. */
export interface ReviewComment {
  readonly id: number;
  readonly body: string;
  readonly url?: string;
}

/** What a commit's row of checks says of it, without a pipeline. */
export interface CommitStatus {
  /** The same each time: the later one takes the place of the earlier one. */
  readonly name: string;
  /** `neutral`: nothing to say. `superseded`: nobody waits for it any more. */
  readonly state: 'pending' | 'success' | 'failure' | 'neutral' | 'superseded';
  readonly words: string;
  readonly link?: string;
}

/** The comments of one request, and the status of its commits. All methods reject with ReviewError; those that only read try again by themselves. */
export interface ReviewHost {
  /** The comments this token's owner wrote and whose body passes, oldest first. */
  own(passes: (body: string) => boolean): Promise<readonly ReviewComment[]>;
  /** What is known of the request itself; undefined where the token may not read it. */
  facts(): Promise<RequestFacts | undefined>;
  /** Whether that commit belongs to the request, and the platform knows a run of these numbers. */
  knows(revision: Revision): Promise<boolean>;
  /** The text as this platform may be given it: nothing in it is carried out. */
  harmless(markdown: string): string;
  create(body: string): Promise<ReviewComment>;
  edit(id: number, body: string): Promise<ReviewComment>;
  remove(id: number): Promise<void>;
  /** The same once more does no harm. */
  mark(commit: string, status: CommitStatus): Promise<void>;
}
