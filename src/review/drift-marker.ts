import { defined } from '@platform-sync/core/model/value';
import type { DriftResult, DriftStatus } from '@platform-sync/core/model/drift';
import { subjectOf, type Subject } from './subject.js';
import { shortHash, textHash } from './text-hash.js';

/** Whose drift an issue is about. */
export type DriftSubject = Subject;

/** What the first line of a drift issue says about it, hidden from readers. */
export interface DriftMarker extends DriftSubject {
  readonly status: DriftStatus;
  /** When the check was made, ISO 8601 UTC. */
  readonly checked: string;
  /** Short hash of what the check found, times left out: see `saidBy`. */
  readonly said: string;
  /** Identity of the state that was compared; absent where it is not known. */
  readonly lineage?: string;
  /** Short hash of the text below the marker. */
  readonly text: string;
}

export function driftSubject(result: DriftResult, folder: string): DriftSubject {
  return subjectOf(result, folder);
}

export function isAbout(marker: DriftSubject, subject: DriftSubject): boolean {
  if (marker.project !== undefined && subject.project !== undefined) return marker.project === subject.project;
  return marker.place === subject.place;
}

/** The lineage as a marker may bear it; a state that was pushed may have any text for one. */
export function markedLineage(lineage: string): string {
  return /^[0-9A-Za-z-]{1,64}$/.test(lineage) ? lineage : shortHash(lineage);
}

/** Two states: what one of them shows is no evidence of the other. */
export function isOtherState(a: Pick<DriftMarker, 'lineage'>, b: Pick<DriftMarker, 'lineage'>): boolean {
  return a.lineage !== undefined && b.lineage !== undefined && a.lineage !== b.lineage;
}

/**
 * What a check found: the same for two checks that found the same. Its own times, since when something is known, and
 * what of it is new are left out, so that nothing is written anew for their sake.
 */
export function saidBy(result: DriftResult): string {
  const { engine, status, targets, findings, notCompared, unrecorded, diagnostics, flapping = [] } = result;
  return shortHash(
    JSON.stringify([
      ...[engine, status, targets, ...(unrecorded === undefined ? [] : [unrecorded])],
      findings.map(({ firstSeen: _first, lastSeen: _last, trend: _trend, ...finding }) => finding),
      notCompared.map(({ address, type, diagnostic }) => [address ?? '', type, diagnostic.code, diagnostic.summary]),
      ...(flapping.length === 0 ? [] : [flapping.map(({ id, came }) => [id, came])]),
      diagnostics.map(({ code, summary, hint }) => [code, summary, hint ?? '']),
    ]),
  );
}

/** The issue as it is written: marker, then text. */
export function withDriftMarker(marker: Omit<DriftMarker, 'text'>, text: string): string {
  const { project = '-', place, status, checked, lineage, said } = marker;
  const state = lineage === undefined ? '' : ` lineage=${lineage}`;
  return `<!-- platform-sync drift project=${project} place=${place} status=${status} checked=${checked}${state} said=${said} text=${textHash(text)} -->\n${text}`;
}

const pattern =
  /^<!-- platform-sync drift project=([0-9a-f]{16}|-) place=([0-9a-f]{16}) status=(clean|drift|incomplete|failed) checked=([0-9TZ:.-]{20,30})(?: lineage=([0-9A-Za-z-]{1,64}))? said=([0-9a-f]{16}) text=([0-9a-f]{16}) -->\r?\n/;

/** Reads an issue's marker. Only the very first line counts: further down, anybody's text may look like one. */
export function readDriftMarker(body: string): DriftMarker | undefined {
  const match = pattern.exec(body);
  if (match === null) return undefined;
  const [, project = '-', place = '', status = '', checked = '', lineage, said = '', text = ''] = match;
  return {
    ...(project === '-' ? {} : { project }),
    ...{ place, status: status as DriftStatus, checked, said, text },
    ...defined({ lineage }),
  };
}

/** The text below the marker; undefined when somebody else has changed it since. */
export function intactText(body: string, marker: DriftMarker): string | undefined {
  const below = body.slice(body.indexOf('\n') + 1).replaceAll('\r\n', '\n');
  return textHash(below) === marker.text ? below : undefined;
}
