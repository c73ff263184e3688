import { createHash } from 'node:crypto';
import type { Revision } from './review-request.js';

/** What the first line of a comment says about it, hidden from readers. */
export interface Marker {
  /** Which plan's comment it is: see `targetKey`. */
  readonly target: string;
  readonly revision: Revision;
  /** Short hash of the text below the marker. */
  readonly text: string;
}

/** One comment a target: project, stack and the servers it is for. Short hash, so that no name can forge a marker. */
export function targetKey(plan: {
  readonly project: string;
  readonly stack: string;
  readonly targets: Readonly<Record<string, string>>;
}): string {
  const servers = Object.entries(plan.targets).sort(([a], [b]) => (a < b ? -1 : 1));
  return shortHash(JSON.stringify([plan.project, plan.stack, servers]));
}

/** The comment as it is posted: marker, then text. */
export function withMarker(target: string, revision: Revision, markdown: string): string {
  const { commit, planned, run } = revision;
  const facts = [
    `target=${target}`,
    `commit=${commit}`,
    ...(run === undefined ? [] : [`run=${run.series}.${run.number}`]),
    `planned=${planned}`,
    `text=${textHash(markdown)}`,
  ];
  return `<!-- platform-sync plan ${facts.join(' ')} -->\n${markdown}`;
}

const pattern =
  /^<!-- platform-sync plan target=([0-9a-f]{16}) commit=([0-9a-f]{7,64}) (?:run=([0-9a-f]{16})\.(\d{1,15}) )?planned=([0-9TZ:.-]{20,30}) text=([0-9a-f]{16}) -->\r?\n/;

/** Reads a comment's marker. Only the very first line counts: further down, anybody's text may look like one. */
export function readMarker(body: string): Marker | undefined {
  const match = pattern.exec(body);
  if (match === null) return undefined;
  const [, target = '', commit = '', series, number, planned = '', text = ''] = match;
  const run = series === undefined ? {} : { run: { series, number: Number(number) } };
  return { target, revision: { commit, planned, ...run }, text };
}

/** True when the comment still says what its marker claims, and that is this text. */
export function isIntact(body: string, marker: Marker, markdown: string): boolean {
  const below = body.slice(body.indexOf('\n') + 1);
  return marker.text === textHash(markdown) && textHash(below) === marker.text;
}

/** Short hash of a text; white space at its end and the kind of line ends are the server's to choose. */
export function textHash(markdown: string): string {
  return shortHash(markdown.replaceAll('\r\n', '\n').trimEnd());
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
