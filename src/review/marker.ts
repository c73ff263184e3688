import { readJson } from '@platform-sync/core/model/read-json';
import { flag, list, number, orNone, record, text, type Form } from './answer.js';
import type { CommentText, Place } from './comment-text.js';
import type { Entry, Part } from './entry.js';
import { textHash } from './text-hash.js';

/** What the first line of a comment says about it, hidden from readers. */
export interface Marker {
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
