/** An issue as the review platform has it. */
export interface TrackedIssue {
  /** As people say it: the number in its address. */
  readonly number: number;
  readonly body: string;
  readonly url?: string;
}

export type IssueState = 'open' | 'closed';

/** How many pages of closed issues are looked through; what lies deeper stays closed. */
export const closedPages = 3;

/** The issues of one project. All methods reject with ReviewError; those that only read try again by themselves. */
export interface IssueHost {
  /** The issues this token's owner opened, in that state, whose body passes; the oldest first. */
  own(state: IssueState, passes: (body: string) => boolean): Promise<readonly TrackedIssue[]>;
  /** The text as this platform may be given it: nothing in it is carried out. */
  harmless(markdown: string): string;
  create(title: string, body: string): Promise<TrackedIssue>;
  edit(number: number, change: { readonly body?: string; readonly state?: IssueState }): Promise<TrackedIssue>;
  comment(number: number, body: string): Promise<void>;
}
