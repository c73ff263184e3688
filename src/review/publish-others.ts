import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Entry } from './entry.js';
import { listRequests, openHost } from './hosts.js';
import { patiently, type Patience } from './patience.js';
import { commentOn, explain } from './problems.js';
import { publishOutcomes, type OutcomeComment } from './publish.js';
import { ReviewError } from './review-error.js';
import type { ReviewEnvironment } from './review-environment.js';
import type { MergedRequest, ReviewRequest } from './review-request.js';
import type { ReviewHost } from './review-host.js';
import { markedOld, ownComments } from './sticky-comment.js';
import { isSameSubject, type Subject } from './subject.js';

/** Who else was told of an apply. */
export interface TellingOthers {
  /** Numbers of the requests that were merged before, and whose changes it carried out, too. */
  readonly merged: readonly number[];
  /** Of open ones, whose plans it made old. */
  readonly open: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
}

// A run that has more to tell than these is told of by the requests that come after it.
const mostMerged = 30;
const mostOpen = 50;

/**
 * Tells of an apply whoever is concerned besides the request that started it. Several merges may share one apply: of the requests that
 * were merged before, newest first, each is told that was told of no run yet, up to the first one that was. Open requests hear that
 * their plan is old.
 */
export async function publishToOthers(
  outcomes: readonly OutcomeComment[],
  environment: ReviewEnvironment & { readonly request: ReviewRequest },
  own: MergedRequest,
  patience: Patience,
): Promise<TellingOthers> {
  const { request, commit } = environment;
  const subjects = outcomes.map(({ subject }) => subject);
  const merged: number[] = [];
  const open: number[] = [];
  const diagnostics: Diagnostic[] = [];
  try {
    for (const { number } of await listRequests(
      request,
      { state: 'merged', before: own, most: mostMerged },
      patience,
    )) {
      const other = { ...request, number };
      const told = await entriesOf(await openHost(other, patience), subjects);
      const untold = outcomes.filter(({ subject }) =>
        told.some(({ subject: about, now }) => isSameSubject(about, subject) && now.kind === 'plan'),
      );
      // What was applied before is told already, and so is what was merged before that.
      if (told.length > 0 && untold.length === 0) break;
      if (untold.length === 0) continue;
      const { diagnostic } = await publishOutcomes(untold, { ...environment, request: other }, patience);
      if (diagnostic === undefined) merged.push(number);
      else diagnostics.push(diagnostic);
    }
    if (commit === undefined) return { merged, open, diagnostics };
    for (const { number } of await listRequests(request, { state: 'open', base: own.base, most: mostOpen }, patience))
      if (await markOld(await openHost({ ...request, number }, patience), subjects, commit, patience))
        open.push(number);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    diagnostics.push(explain(error, commentOn(request)));
  }
  return { merged, open, diagnostics };
}

/** What the request was told of these stacks. */
async function entriesOf(host: ReviewHost, subjects: readonly Subject[]): Promise<readonly Entry[]> {
  const found = await ownComments(host);
  return found.flatMap(({ marker }) =>
    marker.entries.filter(({ subject }) => subjects.some((about) => isSameSubject(subject, about))),
  );
}

async function markOld(
  host: ReviewHost,
  subjects: readonly Subject[],
  commit: string,
  patience: Patience,
): Promise<boolean> {
  const [found] = await ownComments(host);
  const body = found === undefined ? undefined : markedOld(found, subjects, commit);
  if (found === undefined || body === undefined) return false;
  await patiently(patience, () => host.edit(found.id, body), { repeatable: true });
  return true;
}
