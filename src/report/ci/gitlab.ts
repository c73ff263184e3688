import type { Json } from '@platform-sync/core/model/value';
import type { Document } from '../document/document.js';
import { documentFindings } from '../document/findings.js';
import { findingRules, type FindingLevel } from '../document/rules.js';
import { inRepository, type ReviewPlace } from '../view/review-place.js';
import { jsonText } from '../words/json-text.js';

const severities: Readonly<Record<FindingLevel, string>> = { error: 'critical', warning: 'major', note: 'info' };
// What has no line of its own is shown at the project file.
const projectFile = 'sync.yaml';

/** What a document shows at lines, as a code quality report (`artifacts:reports:codequality`). */
export function documentCodeQuality(document: Document, at: ReviewPlace = {}): string {
  const found = documentFindings(document).flatMap((one) => [one, ...one.others]);
  const entries = found.map(({ rule, message, fingerprint, level, place }): Json => ({
    description: `${findingRules[rule].title}: ${message}`,
    check_name: rule,
    fingerprint,
    severity: severities[level],
    location: { path: inRepository(place?.file ?? projectFile, at), lines: { begin: place?.line ?? 1 } },
  }));
  return jsonText(entries);
}

/** The three numbers of the plan widget (`artifacts:reports:terraform`). A replacement is a delete and a create. */
export function documentCounts({ values }: Document): string {
  const number = (name: string): number => Number(values[name] ?? 0);
  const replace = number('replace');
  const counts = { create: number('create') + replace, update: number('update'), delete: number('delete') + replace };
  return `${JSON.stringify(counts)}\n`;
}
