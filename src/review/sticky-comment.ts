import { isIntact, readMarker, withMarker } from './marker.js';
import type { Marker } from './marker.js';
import { isAmbiguous, patiently, waitBefore } from './patience.js';
import type { Patience } from './patience.js';
import { ReviewError } from './review-error.js';
import type { ReviewComment, ReviewHost } from './review-host.js';
import { isSuperseded } from './review-request.js';
import type { Revision } from './review-request.js';

/** What a target's comment should say. */
export interface StickyComment {
  readonly target: string;
  readonly revision: Revision;
  readonly markdown: string;
}

export interface Posted {
  /** `superseded`: a newer commit has spoken already, so nothing was written. */
  readonly outcome: 'created' | 'edited' | 'unchanged' | 'superseded';
  readonly url?: string;
  /** Further comments of this target that two runs at once had left; they are gone. */
  readonly removed: number;
}

interface Found extends ReviewComment {
  readonly marker: Marker;
}

/** Makes the one comment of a target say what it should. Writes nothing when it does already. */
export async function postSticky(host: ReviewHost, wanted: StickyComment, patience: Patience): Promise<Posted> {
  const comment = { ...wanted, markdown: host.harmless(wanted.markdown) };
  const [kept, ...twins] = await find(host, comment.target);
  if (kept === undefined) return createOnce(host, comment, patience);
  const newest = [kept, ...twins].reduce((a, b) => (isSuperseded(a.marker.revision, b.marker.revision) ? b : a));
  if (isSuperseded(comment.revision, newest.marker.revision)) return posted('superseded', newest, 0);
  const isSame =
    kept.marker.revision.commit === comment.revision.commit && isIntact(kept.body, kept.marker, comment.markdown);
  const result = isSame ? posted('unchanged', kept, 0) : await edit(host, kept, comment, patience);
  for (const twin of twins) await patiently(patience, () => host.remove(twin.id), { repeatable: true });
  return { ...result, removed: twins.length };
}

async function find(host: ReviewHost, target: string): Promise<readonly Found[]> {
  const own = await host.own((body) => readMarker(body)?.target === target);
  return own.flatMap((comment) => {
    const marker = readMarker(comment.body);
    return marker === undefined ? [] : [{ ...comment, marker }];
  });
}

async function edit(host: ReviewHost, kept: Found, comment: StickyComment, patience: Patience): Promise<Posted> {
  try {
    const edited = await patiently(patience, () => host.edit(kept.id, bodyOf(comment)), { repeatable: true });
    return posted('edited', edited, 0);
  } catch (error) {
    // Somebody deleted it meanwhile.
    if (error instanceof ReviewError && error.kind === 'not-found') return createOnce(host, comment, patience);
    throw error;
  }
}

const createAttempts = 3;

/** After an answer that leaves open whether the comment was made, it is looked for before it is sent again. */
async function createOnce(host: ReviewHost, comment: StickyComment, patience: Patience): Promise<Posted> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const created = await patiently(patience, () => host.create(bodyOf(comment)), { repeatable: false });
      return posted('created', created, 0);
    } catch (error) {
      if (!(error instanceof ReviewError) || !isAmbiguous(error) || attempt === createAttempts) throw error;
      await patience.wait(waitBefore(attempt, error), error.message);
      const [made] = await find(host, comment.target);
      if (made !== undefined) return posted('created', made, 0);
    }
  }
}

function bodyOf({ target, revision, markdown }: StickyComment): string {
  return withMarker(target, revision, markdown);
}

function posted(outcome: Posted['outcome'], { url }: ReviewComment, removed: number): Posted {
  return { outcome, removed, ...(url === undefined ? {} : { url }) };
}
