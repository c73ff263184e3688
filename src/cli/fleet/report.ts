import { readFile, rmdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { fleetDocument } from '@platform-sync/report/document/fleet';
import { documentHtml } from '@platform-sync/report/html/document';
import { documentMarkdown } from '@platform-sync/report/markdown/document';
import { documentText } from '@platform-sync/report/text/document';
import { jsonText } from '@platform-sync/report/words/json-text';
import { isObject, type Json } from '@platform-sync/core/model/value';
import { reportFiles } from '@platform-sync/report/report-files';
import { driftFiles } from '../drift/files.js';
import { removeReport, writeReport } from '../files/report-file.js';
import type { RunContext } from '../run/run-context.js';

export const fleetFormats = ['text', 'json', 'markdown', 'html'] as const;

/** A round on stdout in a form, and as a page with its data in a folder. */
export async function reportFleet(
  { host, style }: RunContext,
  report: FleetReport,
  { format, out }: { readonly format: (typeof fleetFormats)[number]; readonly out?: string | undefined },
): Promise<void> {
  const document = fleetDocument(report);
  const forms = {
    text: () => documentText(document, { style }),
    json: () => jsonText(report),
    markdown: () => documentMarkdown(document, {}),
    html: () => documentHtml(document),
  };
  host.out(forms[format]());
  if (out === undefined) return;
  await clearLeft(out, report);
  await writeReport(join(out, 'index.html'), forms.html());
  await writeReport(join(out, 'fleet.md'), forms.markdown());
  await writeReport(join(out, 'fleet.json'), forms.json());
}

/** Takes away what an earlier round wrote of stacks that have left the fleet. */
async function clearLeft(out: string, { rows }: FleetReport): Promise<void> {
  const text = await readFile(join(out, 'fleet.json'), 'utf8').catch(() => '{}');
  for (const before of placesIn(text)) {
    // Of a project that can't be opened nobody knows which stacks it has.
    if (rows.some(({ folder, stack }) => folder === before.folder && (stack === '' || stack === before.stack)))
      continue;
    const place = resolve(out, before.folder, before.stack);
    if (!place.startsWith(resolve(out) + sep)) continue;
    for (const name of [...driftFiles, ...reportFiles]) await removeReport(join(place, name));
    for (let folder = place; folder !== resolve(out); folder = dirname(folder)) if (!(await isRemoved(folder))) break;
  }
}

/** An empty folder. */
async function isRemoved(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

function placesIn(text: string): readonly { readonly folder: string; readonly stack: string }[] {
  const report = parsed(text);
  const rows = isObject(report) ? report['rows'] : undefined;
  return (Array.isArray(rows) ? rows : []).flatMap((row: Json) => {
    const { folder, stack } = isObject(row) ? row : {};
    return typeof folder === 'string' && typeof stack === 'string' && stack !== '' ? [{ folder, stack }] : [];
  });
}

/** What somebody else has written there is no round. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
