import { join } from 'node:path';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { fleetDocument } from '@platform-sync/report/document/fleet';
import { documentHtml } from '@platform-sync/report/html/document';
import { documentMarkdown } from '@platform-sync/report/markdown/document';
import { documentText } from '@platform-sync/report/text/document';
import { jsonText } from '@platform-sync/report/words/json-text';
import { writeReport } from '../files/report-file.js';
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
  await writeReport(join(out, 'index.html'), forms.html());
  await writeReport(join(out, 'fleet.md'), forms.markdown());
  await writeReport(join(out, 'fleet.json'), forms.json());
}
