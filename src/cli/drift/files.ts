import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftDocument } from '@platform-sync/report/document/drift';
import { documentHtml } from '@platform-sync/report/html/document';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import { driftMetrics } from '@platform-sync/report/ci/prometheus';
import { removeReport, writeReport } from '../files/report-file.js';
import { jsonText } from '@platform-sync/report/words/json-text';

/** The document of a check, as `--format json` prints it. */
export function driftJson(result: DriftResult): string {
  return jsonText(result);
}

/** A check as a page. */
export function driftPage(result: DriftResult, at: ReviewPlace): string {
  return documentHtml(driftDocument(result), at);
}

/** A check that is killed leaves no report: an earlier one would be read as its own. Metrics stay: their time grows old. */
export async function removeDriftReports(folder: string): Promise<void> {
  for (const name of ['drift.json', 'drift.md', 'drift.html']) await removeReport(join(folder, name));
}

export const driftFiles = ['drift.json', 'drift.md', 'drift.html', 'drift.prom'] as const;

/** All of them, in one folder. */
export async function writeDriftReports(folder: string, result: DriftResult, at: ReviewPlace): Promise<void> {
  await writeReport(join(folder, 'drift.json'), driftJson(result));
  await writeReport(join(folder, 'drift.md'), driftMarkdown(result, { at }));
  await writeReport(join(folder, 'drift.html'), driftPage(result, at));
  // Metrics are of whole stacks.
  if (result.partial === undefined) await writeMetrics(join(folder, 'drift.prom'), result);
}

/**
 * Metrics for a textfile collector. A failed check that does not know when one succeeded last leaves the file as it is:
 * the time in it grows old, and that is what an alert watches.
 */
export async function writeMetrics(path: string, result: DriftResult): Promise<void> {
  const knowsNothing = result.status === 'failed' && result.lastSuccess === undefined;
  if (knowsNothing && (await exists(path))) return;
  await writeReport(path, driftMetrics(result));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
