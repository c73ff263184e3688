import { defined } from '@platform-sync/core/model/value';
import { commentText, type CommentText, type Place } from './comment-text.js';
import { entriesWith, type Entry, joined, type Part } from './entry.js';
import { createOnce, type Patience, patiently } from './patience.js';
import { ReviewError } from './review-error.js';
import type { ReviewComment, ReviewHost } from './review-host.js';
import { isSuperseded, type RequestFacts, type Revision } from './review-request.js';
import { isSameSubject, type Subject } from './subject.js';
import { readJson } from '@platform-sync/core/model/read-json';
import { flag, type Form, list, number, orNone, record, text } from './answer.js';
import { textHash } from './text-hash.js';

/** What one run has to say in the comment. */
export interface StickyPart {
  readonly subject: Subject;
  readonly part: Part;
  /** About what a merge queue tries: the request's head, which it is made of, is older. */
  readonly isQueued?: true;
}

export interface Posted {
  /** `superseded`: a newer commit has spoken already, so nothing was written. */
  readonly outcome: 'created' | 'edited' | 'unchanged' | 'superseded';
  readonly url?: string;
  /** Further comments of ours that two runs at once had left; they are gone. */
  readonly removed: number;
}

interface Found extends ReviewComment {
  readonly marker: Marker;
}

/** What a post works with. */
interface Task {
  readonly host: ReviewHost;
  readonly parts: readonly StickyPart[];
  readonly patience: Patience;
  /** Undefined where the platform tells nothing of the request: then markers are believed. */
  readonly facts: RequestFacts | undefined;
}

/** Makes the one comment of a request say what its parts should. Writes nothing when it does already. */
export async function postSticky(
  host: ReviewHost,
  wanted: readonly StickyPart[],
  patience: Patience,
  facts?: RequestFacts,
): Promise<Posted> {
  const parts = wanted.map(({ part, ...rest }) => ({
    ...rest,
    part: { ...part, markdown: `${host.harmless(part.markdown).trimEnd()}\n` },
  }));
  const task = { host, patience, facts, parts };
  const found = await ownComments(host);
  return found.length === 0 ? createOne(task) : keepOldest(task, found);
}

/** Our comments of the request, oldest first. */
export async function ownComments(host: ReviewHost): Promise<readonly Found[]> {
  const own = await host.own((body) => readMarker(body) !== undefined);
  return own.flatMap((found) => {
    const marker = readMarker(found.body);
    return marker === undefined ? [] : [{ ...found, marker }];
  });
}

// A run that edits at the same moment may have read the comment before ours was in it: so often it is put in again.
const mostRounds = 4;

/** The oldest one stays, and takes over what others say that two runs at once had left; those are removed. */
async function keepOldest(task: Task, found: readonly Found[], round = 1): Promise<Posted> {
  const { host, patience } = task;
  const [kept, ...twins] = found;
  if (kept === undefined) throw new Error('bug: no comment to keep');
  const newer = await Promise.all(task.parts.map((part) => newerOf(task, part, found)));
  const parts = task.parts.filter((_, at) => newer[at] === undefined);
  const [first] = newer;
  if (parts.length === 0) return posted('superseded', first ?? kept, 0);
  const body = bodyOf(task, entriesWith(known(found), parts));
  const result = isSaid(kept, body) ? posted('unchanged', kept, 0) : await edit({ ...task, parts }, kept, body);
  for (const twin of twins) await patiently(patience, () => host.remove(twin.id), { repeatable: true });
  if (result.outcome === 'edited' && known(found).length > 1 && round < mostRounds) {
    const now = await ownComments(host);
    if (now.length > 0 && !parts.every((part) => isIn(now, part))) return keepOldest(task, now, round + 1);
  }
  return { ...result, removed: twins.length };
}

/** The comment once plans of these stacks are called old; undefined where it has none that are not called so already. */
export function markedOld({ marker }: Found, subjects: readonly Subject[], commit: string): string | undefined {
  const isNews = ({ subject, now, appliedSince }: Entry): boolean =>
    now.kind === 'plan' && appliedSince !== commit && subjects.some((about) => isSameSubject(subject, about));
  if (!marker.isIntact || !marker.entries.some(isNews)) return undefined;
  const entries = marker.entries.map((entry) => (isNews(entry) ? { ...entry, appliedSince: commit } : entry));
  return withMarker(entries, commentText(entries));
}

/** What the comments tell that nobody has changed since. */
function known(found: readonly Found[]): readonly Entry[] {
  const intact = found.filter(({ marker }) => marker.isIntact).map(({ marker }) => marker.entries);
  const [first = [], ...others] = intact;
  return others.reduce(joined, first);
}

function isIn(found: readonly Found[], { subject, part }: StickyPart): boolean {
  return found.some(({ marker }) =>
    marker.entries.some(
      ({ subject: of, now }) => isSameSubject(of, subject) && !isSuperseded(now.revision, part.revision),
    ),
  );
}

/** The text and the commits are what counts: a later look that finds the same is no news. */
function isSaid({ body, marker }: Found, wanted: string): boolean {
  const own = readMarker(wanted);
  if (!marker.isIntact || own === undefined) return false;
  const said = (entries: readonly Entry[]): string =>
    JSON.stringify(entries.map(({ subject, now, appliedSince }) => [subject, now.revision.commit, appliedSince ?? '']));
  const text = (of: string): string =>
    of
      .slice(of.indexOf('\n') + 1)
      .replaceAll('\r\n', '\n')
      .trimEnd();
  return text(body) === text(wanted) && said(marker.entries) === said(own.entries);
}

// Clocks of two machines differ by less.
const clockMs = 5 * 60_000;
// Of more claims than a few runs could have left, the rest is noise.
const mostClaims = 4;

/** The newest comment that speaks for something newer than ours, and rightly so. */
async function newerOf(task: Task, ours: StickyPart, found: readonly Found[]): Promise<Found | undefined> {
  const { facts, host, patience } = task;
  const { part } = ours;
  const claims = found
    .flatMap((comment) =>
      comment.marker.entries
        .filter(({ subject, now }) => isSameSubject(subject, ours.subject) && isRival(now, part))
        .map(({ now }) => ({ comment, revision: now.revision })),
    )
    .filter(({ revision }) => isNewer(revision, ours, facts))
    .filter(({ revision }) => Date.parse(revision.planned) <= patience.now() + clockMs)
    .sort((a, b) => (isSuperseded(a.revision, b.revision) ? 1 : -1));
  for (const { comment, revision } of claims.slice(0, mostClaims)) {
    // What is about the request's head can only be silenced by it; nothing to prove where ours is not.
    const isHead = revision.commit === facts?.head && part.revision.commit !== facts.head;
    if (facts === undefined || (isHead && ours.isQueued !== true) || (await host.knows(revision))) return comment;
  }
  return undefined;
}

/** What was done stands, whatever is planned after it. */
function isRival(theirs: Part, ours: Part): boolean {
  return ours.kind === 'plan' || theirs.kind === 'run';
}

/** The request's own head decides where it is known; else, and for what a queue tries, the order of runs, else of times. */
function isNewer(
  theirs: Revision,
  { part: { revision: ours, kind }, isQueued }: StickyPart,
  facts: RequestFacts | undefined,
): boolean {
  if (facts?.isOpen === true && isQueued !== true && kind === 'plan' && theirs.commit !== ours.commit) {
    if (theirs.commit === facts.head) return true;
    if (ours.commit === facts.head) return false;
  }
  return isSuperseded(ours, theirs);
}

async function edit(task: Task, kept: Found, body: string): Promise<Posted> {
  const { host, patience } = task;
  try {
    const edited = await patiently(patience, () => host.edit(kept.id, body), { repeatable: true });
    return posted('edited', edited, 0);
  } catch (error) {
    // Somebody deleted it meanwhile.
    if (error instanceof ReviewError && error.kind === 'not-found') return createOne(task);
    throw error;
  }
}

/** Another run may have made one at the same moment: both look, and both leave the same one. */
async function createOne(task: Task): Promise<Posted> {
  const { host, parts, patience } = task;
  const body = bodyOf(task, entriesWith([], parts));
  const created = await createOnce<ReviewComment>(
    patience,
    () => host.create(body),
    async () => (await ownComments(host)).find((found) => parts.every((part) => isIn([found], part))),
  );
  const found = await ownComments(host);
  const isMine = created.body === body;
  if (found.length === 0 || (found.length === 1 && isMine)) return posted('created', created, 0);
  const outcome = await keepOldest(task, found);
  return outcome.outcome === 'unchanged' ? { ...outcome, outcome: 'created' } : outcome;
}

function bodyOf({ facts, parts }: Task, entries: readonly Entry[]): string {
  // What a merge queue tries is nobody's commit.
  const head = facts?.isOpen === true && parts.every(({ isQueued }) => isQueued !== true) ? facts.head : undefined;
  return withMarker(entries, commentText(entries, head));
}

function posted(outcome: Posted['outcome'], { url }: ReviewComment, removed: number): Posted {
  return { outcome, removed, ...defined({ url }) };
}

/** What the first line of a comment says about it, hidden from readers. */
interface Marker {
  readonly entries: readonly Entry[];
  /** The text below is the one that was written. Of one that somebody has changed, entries have no texts. */
  readonly isIntact: boolean;
}

/** The comment as it is posted: marker, then text. Each part is found again by its place, and not by what stands in it. */
export function withMarker(entries: readonly Entry[], { text: below, places }: CommentText): string {
  const placed = (part: Part): object => ({ ...part, markdown: undefined, place: places.get(part) });
  const told = entries.map((entry) => ({
    ...entry,
    now: placed(entry.now),
    ...(entry.plan === undefined ? {} : { plan: placed(entry.plan) }),
  }));
  const json = JSON.stringify({ text: textHash(below), entries: told });
  // Nothing in it ends the comment that hides it, or begins another.
  const hidden = json.replace(/[<>]|-(?=-)/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return `<!-- platform-sync review ${hidden} -->\n${below}`;
}

const matching =
  (pattern: RegExp): Form =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const hash = matching(/^[0-9a-f]{16}$/);
const commit = matching(/^[0-9a-f]{7,64}$/);
const revision = record({
  commit,
  planned: matching(/^[0-9TZ:.-]{20,30}$/),
  run: orNone(record({ series: hash, number, id: number })),
});
const row = record({
  ...{ mark: text, verdict: text, counts: text, rank: number },
  ...{ project: orNone(text), stack: orNone(text), link: orNone(text) },
});
const kind = matching(/^(?:plan|run)$/);
// What stands in the comment twice has one place; what had no room has none.
const place = orNone(record({ start: number, length: number }));
const part = record({ kind, revision, row, place });
const facts = record({
  text: hash,
  entries: list(
    record({
      subject: record({ place: hash, project: orNone(hash), folder: orNone(hash), isAnyStack: orNone(flag) }),
      now: part,
      plan: orNone(part),
      runs: list(record({ row, revision })),
      appliedSince: orNone(commit),
    }),
  ),
});

type Placed = Omit<Part, 'markdown'> & { readonly place?: Place };

/** As it stands in the marker: parts have places in the text. */
interface Facts {
  readonly text: string;
  readonly entries: readonly (Omit<Entry, 'now' | 'plan'> & { readonly now: Placed; readonly plan?: Placed })[];
}

/** Reads a comment's marker. Only the very first line counts: further down, anybody's text may look like one. */
export function readMarker(body: string): Marker | undefined {
  const [, json, below = ''] = /^<!-- platform-sync review (\{.*\}) -->\r?\n([^]*)$/.exec(body) ?? [];
  const found = json === undefined ? undefined : factsOf(json);
  if (found === undefined) return undefined;
  const isIntact = textHash(below) === found.text;
  const written = below.replaceAll('\r\n', '\n');
  const partOf = ({ place: at, ...known }: Placed): Part => ({
    ...known,
    markdown: isIntact && at !== undefined ? written.slice(at.start, at.start + at.length) : '',
  });
  const entries = found.entries.map(({ now, plan, ...entry }) => ({
    ...entry,
    now: partOf(now),
    ...(plan === undefined ? {} : { plan: partOf(plan) }),
  }));
  return { entries, isIntact };
}

function factsOf(json: string): Facts | undefined {
  try {
    const value: unknown = readJson(json);
    return facts(value) ? (value as Facts) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
