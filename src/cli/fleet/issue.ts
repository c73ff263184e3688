import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { fleetDocument } from '@platform-sync/report/document/fleet';
import { documentMarkdown } from '@platform-sync/report/markdown/document';
import { shortTime } from '@platform-sync/report/words/drift';
import { visible } from '@platform-sync/report/words/escape';
import { publishIssue } from '@platform-sync/review/publish-drift';
import type { ProjectEnvironment } from '@platform-sync/review/review-environment';
import { subjectOf } from '@platform-sync/review/subject';
import { shortHash } from '@platform-sync/review/text-hash';
import { folderIn, issuePatience, noIssueProject, tellKept } from '../drift/issue.js';
import type { RunContext } from '../run/run-context.js';

const maxCharacters = 60_000;

/** Keeps the one issue of a fleet: open while a stack needs somebody, edited when that changes. Gives what went wrong. */
export async function keepFleetIssue(
  context: RunContext,
  report: FleetReport,
  { project, platform, root }: ProjectEnvironment,
): Promise<readonly Diagnostic[]> {
  if (project === undefined) return [noIssueProject(platform)];
  const { name, kind, rows, madeAt } = report;
  const document = fleetDocument(report);
  const isClean = rows.every(({ state }) => state === 'clean');
  const { kept, diagnostic } = await publishIssue(
    {
      // No name of a project has a space.
      subject: subjectOf({ project: `fleet ${name}`, stack: kind }, folderIn(root, context.cwd)),
      status: isClean ? 'clean' : 'drift',
      checked: madeAt,
      knowsNothing: false,
      said: shortHash(
        JSON.stringify(
          rows.map(({ project: of, stack, state, cause, since }) => [of, stack, state, cause, since ?? '']),
        ),
      ),
      title: `Fleet ${visible(name)}`.slice(0, 200),
      markdown: documentMarkdown(document, { maxCharacters }),
      closingComment: `${document.verdict}. Checked ${shortTime(madeAt)}.`,
    },
    project,
    issuePatience(context),
  );
  if (kept === undefined) return [diagnostic];
  tellKept(context, kept);
  return [];
}
