import { argument, string } from '../arguments/flag.js';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { defined } from '@platform-sync/core/model/value';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { acceptText, sharedText } from '@platform-sync/report/text/drift-done';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import { printProblems, type RunContext } from '../run/run-context.js';
import type { Project } from '@platform-sync/engine/api';
import { globOf } from '@platform-sync/core/model/glob';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const driftAcceptCommand = command({
  summary: 'Write changes made outside into the catalogue.',
  description:
    'Edits the value at its place in the YAML file (or in the file it is read from); comments and layout stay. If the platform refers to another object of the catalogue, the reference changes to that one. Secrets, other references and computed values are skipped and listed (exit code 7). Nothing is sent to the platform, and state is not written.',
  examples: [
    'sync drift accept 1a2b3c4d5e',
    'sync drift accept petstore petstore/guide.content',
    'sync drift accept petstore.description --overlay overlays/prod.yaml',
  ],
  anyWords: true,
  args: {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  },
  flags: {
    overlay: string({
      description: 'write into this overlay of the stack (other stacks stay as they are)',
      helpValue: 'FILE',
    }),
  },
  needs: 'project',
  async run({ words, flags, host, context, project }) {
    const { stack, overlays = [] } = project.config;
    const overlay = flags.overlay === undefined ? undefined : overlayOf(flags.overlay, context, project);
    const result = await project.acceptDrift(words, defined({ overlay }));
    context.progress.finish();
    printProblems(context, result.diagnostics);
    if (hasErrors(result.diagnostics)) return exitCode(withoutPlan(result.diagnostics));
    host.out(acceptText(result, context.style));
    const others = await sharers(context, project, result.files);
    host.out(context.style.typed(sharedText(others, { stack, words, overlay: onlyFile(overlays) })));
    const left = result.skipped.length > 0;
    return exitCode({ errors: left && result.accepted.length === 0, partly: left });
  },
});

/** The file, relative to the project; refused unless it is an overlay of this stack. */
function overlayOf(given: string, { cwd, folder }: RunContext, { config }: Project): string {
  const file = relative(folder, resolve(cwd, given)).replaceAll('\\', '/');
  const { stack, overlays = [] } = config;
  if (!overlays.some((pattern) => globOf(pattern).test(file)))
    throw new UsageError(
      `${given} is no overlay of stack ${stack}`,
      `in sync.yaml: stacks: { ${stack}: { overlays: ${file} } }`,
    );
  if (!existsSync(join(folder, file)))
    throw new UsageError(`there is no file ${given}`, 'make it, with the line: patches:');
  return file;
}

function onlyFile(overlays: readonly string[]): string {
  const [file] = overlays;
  return overlays.length === 1 && file !== undefined && !/[*?[{]/.test(file) ? file : 'FILE';
}

/** Other stacks that read what was edited: a file of the catalogue is of all, an overlay of those that list it. */
async function sharers(context: RunContext, project: Project, files: readonly string[]): Promise<readonly string[]> {
  const { stack, overlays = [] } = project.config;
  const isIn = (file: string, patterns: readonly string[]): boolean =>
    patterns.some((pattern) => globOf(pattern).test(file));
  const found: string[] = [];
  for (const other of files.length === 0 ? [] : project.stacks.filter((name) => name !== stack)) {
    const read = await overlaysOf(context, other);
    if (files.some((file) => !isIn(file, overlays) || isIn(file, read))) found.push(other);
  }
  return found;
}

async function overlaysOf({ host, folder }: RunContext, stack: string): Promise<readonly string[]> {
  const { project } = await host.openProject({
    ...{ cwd: folder, env: host.env, purpose: 'drift accept', packages: await host.packages() },
    ...{ isOffline: true, stack },
  });
  await project?.close();
  return project?.config.overlays ?? [];
}
