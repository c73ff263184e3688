import { defined } from '../engine/model/defined.js';
import { isIntact, readMarker, withMarker, type Marker } from './marker.js';
import { createOnce, patiently, type Patience } from './patience.js';
import { ReviewError } from './review-error.js';
import type { ReviewComment, ReviewHost } from './review-host.js';
import { isSuperseded, type RequestFacts, type Revision } from './review-request.js';
import { isSameSubject, type Subject } from './subject.js';

/** What a subject's comment should say. */
export interface StickyComment {
  readonly subject: Subject;
  readonly revision: Revision;
  readonly markdown: string;
  /** About what a merge queue tries: the request's head, which it is made of, is older. */
  readonly isQueued?: true;
}

export interface Posted {
  /** `superseded`: a newer commit has spoken already, so nothing was written. */
  readonly outcome: 'created' | 'edited' | 'unchanged' | 'superseded';
  readonly url?: string;
  /** Further comments of this subject that two runs at once had left; they are gone. */
  readonly removed: number;
}

interface Found extends ReviewComment {
  readonly marker: Marker;
}

/** What a post works with. */
interface Task {
  readonly host: ReviewHost;
  readonly comment: StickyComment;
  readonly patience: Patience;
  /** Undefined where the platform tells nothing of the request: then markers are believed. */
  readonly facts: RequestFacts | undefined;
}

/** Makes the one comment of a subject say what it should. Writes nothing when it does already. */
export async function postSticky(
  host: ReviewHost,
  wanted: StickyComment,
  patience: Patience,
  facts?: RequestFacts,
): Promise<Posted> {
  const task = { host, patience, facts, comment: { ...wanted, markdown: host.harmless(wanted.markdown) } };
  const found = await find(task);
  return found.length === 0 ? createOne(task) : keepOldest(task, found);
}

/** The oldest one stays; others that two runs at once had left are removed. */
async function keepOldest(task: Task, found: readonly Found[]): Promise<Posted> {
  const { host, comment, patience } = task;
  const [kept, ...twins] = found;
  if (kept === undefined) throw new Error('bug: no comment to keep');
  const newer = await newerOf(task, found);
  if (newer !== undefined) return posted('superseded', newer, 0);
  const isSame =
    kept.marker.revision.commit === comment.revision.commit && isIntact(kept.body, kept.marker, comment.markdown);
  const result = isSame ? posted('unchanged', kept, 0) : await edit(task, kept);
  for (const twin of twins) await patiently(patience, () => host.remove(twin.id), { repeatable: true });
  return { ...result, removed: twins.length };
}

async function find({ host, comment }: Pick<Task, 'host' | 'comment'>): Promise<readonly Found[]> {
  const isOurs = (marker: Marker | undefined): boolean =>
    marker !== undefined && isSameSubject(marker.subject, comment.subject);
  const own = await host.own((body) => isOurs(readMarker(body)));
  return own.flatMap((found) => {
    const marker = readMarker(found.body);
    return marker === undefined ? [] : [{ ...found, marker }];
  });
}

// Clocks of two machines differ by less.
const clockMs = 5 * 60_000;
// Of more claims than a few runs could have left, the rest is noise.
const mostClaims = 4;

/** The newest comment that speaks for something newer than ours, and rightly so. */
async function newerOf(task: Task, found: readonly Found[]): Promise<Found | undefined> {
  const { comment, facts, host, patience } = task;
  const claims = found
    .filter(({ marker }) => isNewer(marker.revision, comment, facts))
    .filter(({ marker }) => Date.parse(marker.revision.planned) <= patience.now() + clockMs)
    .sort((a, b) => (isSuperseded(a.marker.revision, b.marker.revision) ? 1 : -1));
  for (const claim of claims.slice(0, mostClaims)) {
    const { revision } = claim.marker;
    // What is about the request's head can only be silenced by it; nothing to prove where ours is not.
    const isHead = revision.commit === facts?.head && comment.revision.commit !== facts.head;
    if (facts === undefined || (isHead && comment.isQueued !== true) || (await host.knows(revision))) return claim;
  }
  return undefined;
}

/** The request's own head decides where it is known; else, and for what a queue tries, the order of runs, else of times. */
function isNewer(
  theirs: Revision,
  { revision: ours, isQueued }: StickyComment,
  facts: RequestFacts | undefined,
): boolean {
  if (facts?.isOpen === true && isQueued !== true && theirs.commit !== ours.commit) {
    if (theirs.commit === facts.head) return true;
    if (ours.commit === facts.head) return false;
  }
  return isSuperseded(ours, theirs);
}

async function edit(task: Task, kept: Found): Promise<Posted> {
  const { host, comment, patience } = task;
  try {
    const edited = await patiently(patience, () => host.edit(kept.id, bodyOf(comment, kept)), { repeatable: true });
    return posted('edited', edited, 0);
  } catch (error) {
    // Somebody deleted it meanwhile.
    if (error instanceof ReviewError && error.kind === 'not-found') return createOne(task);
    throw error;
  }
}

/** Another run may have made one at the same moment: both look, and both leave the same one. */
async function createOne(task: Task): Promise<Posted> {
  const { host, comment, patience } = task;
  const created = await createOnce<ReviewComment>(
    patience,
    () => host.create(bodyOf(comment)),
    async () => (await find(task))[0],
  );
  const found = await find(task);
  const isMine = created.body === bodyOf(task.comment);
  if (found.length === 0 || (found.length === 1 && isMine)) return posted('created', created, 0);
  const outcome = await keepOldest(task, found);
  return outcome.outcome === 'unchanged' ? { ...outcome, outcome: 'created' } : outcome;
}

/** A run that could not read the project's name leaves the one that is known. */
function bodyOf({ subject, revision, markdown }: StickyComment, before?: Found): string {
  const project = subject.project ?? before?.marker.subject.project;
  return withMarker({ ...subject, ...defined({ project }) }, revision, markdown);
}

function posted(outcome: Posted['outcome'], { url }: ReviewComment, removed: number): Posted {
  return { outcome, removed, ...defined({ url }) };
}
