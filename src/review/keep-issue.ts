import { defined } from '@platform-sync/core/model/value';
import { findIssues, issueBody, saysSo, type DriftIssue, type OwnIssue } from './drift-issue.js';
import { isOtherState } from './drift-marker.js';
import type { IssueHost, TrackedIssue } from './issue-host.js';
import { createOnce, patiently, type Patience } from './patience.js';
import { ReviewError } from './review-error.js';

export interface IssueResult {
  /**
   * `none`: clean, and there was nothing to close. `superseded`: a newer check has spoken already. `other-state`: clean, but by
   * another state than the issue tells of, which proves nothing.
   */
  readonly outcome: 'opened' | 'reopened' | 'edited' | 'unchanged' | 'closed' | 'none' | 'superseded' | 'other-state';
  readonly url?: string;
}

/** Makes the one issue of a project and stack say what a check found. Only looks when it does already. */
export async function keepIssue(host: IssueHost, given: DriftIssue, patience: Patience): Promise<IssueResult> {
  const wanted = {
    ...given,
    markdown: host.harmless(given.markdown),
    closingComment: host.harmless(given.closingComment),
  };
  const [kept, ...twins] = await findIssues(host, 'open', wanted.subject);
  if (kept !== undefined) return keepOldest(host, kept, twins, wanted, patience);
  if (wanted.status === 'clean') return { outcome: 'none' };
  return (await reopen(host, wanted, patience)) ?? open(host, wanted, patience);
}

/** The oldest one stays; others that two runs at once had opened are closed. */
async function keepOldest(
  host: IssueHost,
  kept: OwnIssue,
  twins: readonly OwnIssue[],
  wanted: DriftIssue,
  patience: Patience,
): Promise<IssueResult> {
  if ([kept, ...twins].some(({ marker }) => marker.checked > wanted.checked)) return done('superseded', kept);
  if (wanted.status === 'clean' && isOtherState(kept.marker, wanted)) return done('other-state', kept);
  const result = wanted.status === 'clean' ? await close(host, kept, wanted, patience) : await update();
  for (const { number } of twins) await closeAs(host, number, isElsewhere(kept), patience);
  return result;

  async function update(): Promise<IssueResult> {
    if (saysSo(kept, wanted)) return done('unchanged', kept);
    const change = { body: issueBody(wanted, kept) };
    return done('edited', await patiently(patience, () => host.edit(kept.number, change), { repeatable: true }));
  }
}

function isElsewhere({ number }: OwnIssue): string {
  return `Kept up to date in #${number}.`;
}

async function close(host: IssueHost, issue: OwnIssue, wanted: DriftIssue, patience: Patience): Promise<IssueResult> {
  const body = issueBody(wanted);
  // First the end, then the words: a run that is cut short in between says nothing twice.
  return done('closed', await closeAs(host, issue.number, wanted.closingComment, patience, body));
}

async function closeAs(
  host: IssueHost,
  number: number,
  words: string,
  patience: Patience,
  body?: string,
): Promise<TrackedIssue> {
  const change = { state: 'closed', ...defined({ body }) } as const;
  const closed = await patiently(patience, () => host.edit(number, change), { repeatable: true });
  await patiently(patience, () => host.comment(number, words), { repeatable: false });
  return closed;
}

/** The same issue for the same stack: its readers, links and notes stay, and drift that comes and goes makes no pile. */
async function reopen(host: IssueHost, wanted: DriftIssue, patience: Patience): Promise<IssueResult | undefined> {
  const [last] = await findIssues(host, 'closed', wanted.subject);
  if (last === undefined) return undefined;
  if (last.marker.checked > wanted.checked) return done('superseded', last);
  const change = { state: 'open', body: issueBody(wanted) } as const;
  try {
    return done('reopened', await patiently(patience, () => host.edit(last.number, change), { repeatable: true }));
  } catch (error) {
    // Deleted meanwhile, moved elsewhere, or closed for good.
    if (error instanceof ReviewError && ['not-found', 'refused'].includes(error.kind)) return undefined;
    throw error;
  }
}

async function open(host: IssueHost, wanted: DriftIssue, patience: Patience): Promise<IssueResult> {
  const created = await createOnce(
    patience,
    () => host.create(wanted.title, issueBody(wanted)),
    async () => (await findIssues(host, 'open', wanted.subject))[0],
  );
  // Another run may have opened one at the same moment; both look, and both leave the same one open.
  const [kept, ...twins] = await findIssues(host, 'open', wanted.subject);
  if (kept === undefined || twins.length === 0) return done('opened', created);
  const outcome = await keepOldest(host, kept, twins, wanted, patience);
  if (kept.number === created.number) return done('opened', created);
  if (outcome.outcome === 'superseded') await closeAs(host, created.number, isElsewhere(kept), patience);
  return outcome;
}

function done(outcome: IssueResult['outcome'], { url }: TrackedIssue): IssueResult {
  return { outcome, ...defined({ url }) };
}
