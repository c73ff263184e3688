import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { argument, string } from '../arguments/flag.js';
import { importList, importRequests } from '../arguments/import-list.js';
import { lockWait } from '../arguments/shared-flags.js';
import { applied } from '../plan/apply-report.js';
import { planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import { applyFlags, planFlags, planOptions } from '../arguments/plan-flags.js';
import type { ApplyOptions, ImportRequest, ImportsResult, PlanOptions } from '@platform-sync/engine/api';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { visible } from '@platform-sync/report/words/escape';
import { fileReason } from '../files/file-reason.js';
import { shownPath } from '../files/report-file.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';
import { givenText } from '../run/given-text.js';
import { printProblems, withProject, type RunContext } from '../run/run-context.js';

/** What only a search takes. */
const ofSearches = [
  ...['target', 'exclude', 'replace', 'resend', 'allow', 'reason'],
  ...['from-pulumi', 'report', 'report-dir', 'expect', 'expect-effect'],
];

/** Ids that are said, or how to look for objects. */
type Given = { readonly named: readonly ImportRequest[]; readonly wait: ApplyOptions } | { readonly plan: PlanOptions };

export const adoptCommand = command({
  summary: 'Bring existing objects under management; import is another name for it.',
  description:
    'Without ids it looks for what the catalogue describes and state does not know: by name (an API by name and version, a document by its slug), by contents where there is no name, or by the ids of a Pulumi stack. It shows what it found, asks, and records it. ADDRESS ID takes over one object, ADDRESS=ID words or a list several: all or none, without a question. An id is plain text, or JSON where an object lives inside another one (sync schema TYPE shows the form). Only state is written; of each object it says what the next plan will change or replace. Also the way back when state was lost.',
  examples: [
    'sync adopt',
    'sync adopt --target petstore --yes',
    'sync adopt petstore 6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f',
    'sync adopt petstore/guide \'{"api_id":"6f1c…","id":"0b7d…"}\'',
    'sync adopt petstore=6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f payments=0b7dd2f1-9a53-4c1c-8e40-2f1f0a6a8d11',
    'sync adopt --from ids.txt',
    'sync adopt --from-pulumi stack.json',
  ],
  args: {
    address: argument({ name: 'ADDRESS', description: 'address in the catalogue, or ADDRESS=ID words' }),
    id: argument({ name: 'ID', description: 'id of the existing object' }),
  },
  flags: {
    ...planFlags,
    ...applyFlags,
    from: string({
      helpValue: 'FILE',
      description: 'a list with ADDRESS ID in each line; # begins a comment line, - reads standard input',
    }),
    'from-pulumi': string({
      description: 'take over the objects of a Pulumi stack (a file of pulumi stack export)',
      helpValue: 'FILE',
    }),
  },
  anyWords: true,
  needs: 'context',
  given({ words, flags }): Given {
    const wait = lockWait(flags);
    if (words.length === 0 && flags.from === undefined) return { plan: { ...planOptions(flags), mode: 'adopt' } };
    const said = new Map<string, unknown>(Object.entries(flags));
    const useless = ofSearches.find((name) => said.get(name) !== undefined);
    if (useless !== undefined)
      throw new UsageError(
        `--${useless} goes without ids`,
        'leave it out, or leave the ids out and have it look for them',
      );
    return { named: importRequests(words, flags.from !== undefined), wait };
  },
  async run({ flags, given, host, context }) {
    if ('plan' in given) {
      requireConsent(context, flags, 'adopt');
      const stack = flags['from-pulumi'];
      const options =
        stack === undefined ? given.plan : { ...given.plan, fromPulumi: await readStack(context.cwd, stack) };
      return applied(context, flags, 'adopt', (logged, project) => planAndApply(logged, project, options, flags));
    }
    const { from } = flags;
    const list =
      from === undefined ? undefined : importList(await givenText(host, context.cwd, from), nameOf(context, from));
    if (list === undefined || list.problems.length === 0)
      return takeOver(context, [...given.named, ...(list?.requests ?? [])], given.wait);
    printProblems(context, list.problems);
    return exitCode({ errors: true });
  },
});

function takeOver(context: RunContext, requests: readonly ImportRequest[], wait: ApplyOptions): Promise<ExitCode> {
  return withProject(context, 'adopt', async (project) => {
    const result = await context.interrupts.guard((signals) =>
      project.importResources(requests, { ...wait, ...signals }),
    );
    printProblems(context, result.diagnostics);
    tell(context, result);
    const failed = hasErrors(result.diagnostics) ? withoutPlan(result.diagnostics) : {};
    return exitCode({ ...failed, signal: context.interrupts.caught });
  });
}

async function readStack(cwd: string, file: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(
      `${file} can't be read: ${fileReason(error)}`,
      'Write it with:\npulumi stack export --file FILE',
    );
  }
}

/** Of a list, as problems name it. */
function nameOf({ folder, cwd }: RunContext, from: string): string {
  return from === '-' ? 'standard input' : shownPath(folder, resolve(cwd, from));
}

function tell({ host, style }: RunContext, { imported, diagnostics }: ImportsResult): void {
  if (hasErrors(diagnostics)) return;
  const lines = imported.map(({ address, id }) => `Adopted ${visible(address)} (id ${visible(id)}).`);
  const next = style.typed(`To see what the next plan does, type:\n  sync plan`);
  host.result?.({ imported });
  if (lines.length === 0) host.out('The list names no objects.\n');
  else host.out(`${lines.join('\n')}\n${next}\n`);
}
