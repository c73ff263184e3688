import type { Revision } from './review-request.js';
import type { Subject } from './subject.js';
import { textHash } from './text-hash.js';

/** What the first line of a comment says about it, hidden from readers. */
export interface Marker {
  readonly subject: Subject;
  readonly revision: Revision;
  /** Short hash of the text below the marker. */
  readonly text: string;
}

/** The comment as it is posted: marker, then text. */
export function withMarker({ project = '-', place }: Subject, revision: Revision, markdown: string): string {
  const { commit, planned, run } = revision;
  const facts = [
    `project=${project}`,
    `place=${place}`,
    `commit=${commit}`,
    ...(run === undefined ? [] : [`run=${run.series}.${run.number}.${run.id}`]),
    `planned=${planned}`,
    `text=${textHash(markdown)}`,
  ];
  return `<!-- platform-sync plan ${facts.join(' ')} -->\n${markdown}`;
}

const pattern =
  /^<!-- platform-sync plan project=([0-9a-f]{16}|-) place=([0-9a-f]{16}) commit=([0-9a-f]{7,64}) (?:run=([0-9a-f]{16})\.(\d{1,15})\.(\d{1,15}) )?planned=([0-9TZ:.-]{20,30}) text=([0-9a-f]{16}) -->\r?\n/;

/** Reads a comment's marker. Only the very first line counts: further down, anybody's text may look like one. */
export function readMarker(body: string): Marker | undefined {
  const match = pattern.exec(body);
  if (match === null) return undefined;
  const [, project = '-', place = '', commit = '', series, number, id, planned = '', text = ''] = match;
  const run = series === undefined ? {} : { run: { series, number: Number(number), id: Number(id) } };
  return {
    subject: { ...(project === '-' ? {} : { project }), place },
    revision: { commit, planned, ...run },
    text,
  };
}

/** True when the comment still says what its marker claims, and that is this text. */
export function isIntact(body: string, marker: Marker, markdown: string): boolean {
  const below = body.slice(body.indexOf('\n') + 1);
  return marker.text === textHash(markdown) && textHash(below) === marker.text;
}
