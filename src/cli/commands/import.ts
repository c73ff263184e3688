import { resolve } from 'node:path';
import { argument, boolean, string } from '../arguments/flag.js';
import { importList, importRequests } from '../arguments/import-list.js';
import { lockTimeout, lockWait } from '../arguments/lock-timeout.js';
import type { ImportsResult } from '../../engine/api.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { visible } from '../../report/words/escape.js';
import { givenText } from '../run/given-text.js';
import { shownPath } from '../files/shown-path.js';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import { printProblems, withProject, type RunContext } from '../run/run-context.js';
import { command } from '../run/command.js';

export const importCommand = command({
  summary: 'Bring existing objects under management.',
  description:
    'ADDRESS must stand in the catalogue and not yet in state. ID is the id as the platform gives it: plain text, or JSON where an object lives inside another one (sync schema TYPE shows the form). Several objects are named as ADDRESS=ID words, or line by line in a list; one plan reads them all, and all are taken over or none. Only state is written.',
  examples: [
    'sync import petstore 6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f',
    'sync import petstore/guide \'{"api_id":"6f1c…","id":"0b7d…"}\'',
    'sync import petstore=6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f payments=0b7dd2f1-9a53-4c1c-8e40-2f1f0a6a8d11',
    'sync import --from ids.txt',
  ],
  args: {
    address: argument({ name: 'ADDRESS', description: 'address in the catalogue, or ADDRESS=ID words' }),
    id: argument({ name: 'ID', description: 'id of the existing object' }),
  },
  flags: {
    from: string({
      helpValue: 'FILE',
      description: 'a list with ADDRESS ID in each line; # begins a comment line, - reads standard input',
    }),
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; import never asks' }),
  },
  anyWords: true,
  needs: 'context',
  given: ({ words, flags }) => ({
    named: importRequests(words, flags.from !== undefined),
    ...lockWait(flags),
  }),
  async run({ flags: { from }, given: { named, lockTimeoutMs }, host, context }) {
    const { requests, problems } =
      from === undefined
        ? { requests: [], problems: [] }
        : importList(await givenText(host, context.cwd, from), nameOf(context, from));
    if (problems.length > 0) {
      printProblems(context, problems);
      return exitCode({ errors: true });
    }
    return withProject(context, 'import', async (project) => {
      const result = await context.interrupts.guard((signals) =>
        project.importResources([...named, ...requests], { lockTimeoutMs, ...signals }),
      );
      printProblems(context, result.diagnostics);
      tell(context, result);
      const failed = hasErrors(result.diagnostics) ? withoutPlan(result.diagnostics) : {};
      return exitCode({ ...failed, signal: context.interrupts.caught });
    });
  },
});

/** Of a list, as problems name it. */
function nameOf({ folder, cwd }: RunContext, from: string): string {
  return from === '-' ? 'standard input' : shownPath(folder, resolve(cwd, from));
}

function tell({ host, style }: RunContext, { imported, diagnostics }: ImportsResult): void {
  if (hasErrors(diagnostics)) return;
  const lines = imported.map(({ address, id }) => `Imported ${visible(address)} (id ${visible(id)}).`);
  const next = style.typed(`To see how ${lines.length === 1 ? 'it differs' : 'they differ'}, type: sync plan`);
  host.result?.({ imported });
  if (lines.length === 0) host.out('The list names no objects.\n');
  else host.out(`${lines.join('\n')}${lines.length === 1 ? ' ' : '\n'}${next}\n`);
}
