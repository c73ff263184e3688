import type { ExportedType, Project } from '@platform-sync/engine/api';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { boolean, option, string } from '../arguments/flag.js';
import { hasErrors, DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ownMember } from '@platform-sync/core/model/value';
import { visible } from '@platform-sync/report/words/escape';
import { count } from '@platform-sync/report/words/value';
import { schemaLine, writeSchemas } from '../init/editor-files.js';
import { exitCode, type ExitCode, withoutPlan } from '../process/exit-code.js';
import { selectionFlags, type SelectionFlagValues, selectionOptions } from '../arguments/shared-flags.js';
import { fileReason } from '../files/file-reason.js';
import { requireOwnPlace, shownPath } from '../files/report-file.js';
import { printProblems, type RunContext } from '../run/run-context.js';
import { command } from '../run/command.js';

const defaultFolder = 'catalogue';
const programFolder = 'pulumi';
/** What was there and could not be read. */
const unread: ReadonlySet<string> = new Set(['export-list-unread', 'export-object-unread']);
/** More names than this help nobody. */
const maxNames = 10;

export const exportCommand = command({
  summary: 'Write catalogue files for what exists on the platform.',
  description:
    'Reads all objects of every type, or those that --type and --filter choose, and writes them as an idiomatic catalogue: children under their parents, long texts and specifications in files of their own, references instead of ids. Objects that cannot be read or written are skipped and listed by type. Nothing on the platform and nothing in state changes. Existing files stay unless --force is given. A filter applies to the types that have its field; nested objects follow their parent. Filters on one field are alternatives; filters on several fields must all match. --target and --exclude use the addresses that the files will have, and include parents and references.',
  examples: [
    'sync export',
    'sync export --type Api --type ApiDocument --out catalogue/apis',
    'sync export --filter "name=Pay*" --filter labels.team=payments',
    'sync export --filter Api.slug=petstore',
    'sync export --target "petstore/**"',
    'sync export --sources --out catalogue/apis',
    'sync export --as pulumi-yaml',
  ],
  flags: {
    type: string({
      description: 'only objects of this type (sync schema lists them); may be repeated',
      helpValue: 'TYPE',
      multiple: true,
    }),
    ...selectionFlags,
    filter: string({
      description: 'only objects whose field matches; * is any text; may be repeated',
      helpValue: 'FIELD=PATTERN',
      multiple: true,
    }),
    sources: boolean({
      description: 'write files for sources: APIs as their specifications, documents as Markdown with front matter',
    }),
    as: option({
      options: ['catalogue', 'pulumi-yaml'] as const,
      description:
        'what to write: files of a catalogue, or a Pulumi program in YAML and the file that imports its objects',
      default: 'catalogue' as const,
      exclusive: ['sources'],
    })(),
    out: string({ description: `folder to write to (default: ${defaultFolder}, or pulumi)`, helpValue: 'DIR' }),
    force: boolean({ description: 'overwrite files that exist' }),
  },
  needs: 'project',
  run: ({ flags, context, project }) => exported(context, project, flags),
});

interface ExportFlagValues extends SelectionFlagValues {
  readonly type?: readonly string[] | undefined;
  readonly filter?: readonly string[] | undefined;
  readonly sources: boolean;
  readonly as: 'catalogue' | 'pulumi-yaml';
  readonly out?: string | undefined;
  readonly force: boolean;
}

/** Writes files for what exists, and says what is left out and what comes next. */
export async function exported(context: RunContext, project: Project, flags: ExportFlagValues): Promise<ExitCode> {
  const { host } = context;
  const isProgram = flags.as === 'pulumi-yaml';
  const { files, objects, diagnostics, types } = await project.export({
    types: flags.type ?? [],
    filters: flags.filter ?? [],
    ...selectionOptions(flags),
    asSources: flags.sources,
    ...(isProgram && { asPulumi: true }),
  });
  context.progress.finish();
  printProblems(context, diagnostics);
  if (hasErrors(diagnostics)) return exitCode(withoutPlan(diagnostics));
  const code = exitCode({ notCompared: diagnostics.some(({ code }) => unread.has(code)) });
  const left = leftOutText(types);
  if (objects === 0) {
    host.result?.({ objects, types });
    host.out(`Nothing to export: no object ${code === 0 ? 'matches' : 'could be read'}.\n${left}`);
    return code;
  }
  const folder = resolve(context.cwd, flags.out ?? (isProgram ? programFolder : defaultFolder));
  const shown = shownPath(context.cwd, folder);
  const taken = flags.force ? [] : await existing(folder, [...files.keys()]);
  if (taken.length > 0) {
    printProblems(context, [filesExist(shown, taken)]);
    return exitCode({ errors: true });
  }
  const failed = await writeFiles(folder, isProgram ? files : withSchema(files, context.folder, folder));
  if (failed !== undefined) {
    printProblems(context, [failed]);
    return exitCode({ errors: true });
  }
  if (!isProgram) await writeSchemas(context.folder);
  const next = isProgram ? programSteps(shown) : nextSteps(shown);
  host.result?.({ folder: shown, files: [...files.keys()], objects, types });
  host.out(
    `Exported ${count(objects, 'object')} to ${count(files.size, 'file')} in ${visible(shown)}.\n${left}${context.style.typed(next)}`,
  );
  return code;
}

/** Why objects of a type are not in the files. */
const leftOutWords: Readonly<Record<string, string>> = {
  'container-left-out': 'with what they live in',
  'export-list-unread': 'list unread',
  'export-object-unread': 'unread',
  'export-object-left-out': 'not writable',
  'export-same-key': 'key of another',
};

/** A line for each type with objects that are known and not in the files. Settings as they are at first are no news. */
function leftOutText(types: readonly ExportedType[]): string {
  const lines = types.flatMap(({ type, written, leftOut }) => {
    const told = Object.entries(leftOut).flatMap(([why, many]) => {
      const words = ownMember(leftOutWords, why);
      return words === undefined ? [] : [`${many} ${words}`];
    });
    return told.length === 0 ? [] : [`  ${type}: ${written} written; ${told.join(', ')}\n`];
  });
  return lines.length === 0 ? '' : `\nLeft out, by type:\n${lines.join('')}`;
}

/** What lies at the top is a part of the catalogue: its first line tells editors the schema. */
function withSchema(files: ReadonlyMap<string, string>, project: string, folder: string): ReadonlyMap<string, string> {
  const line = (name: string): string => {
    const path = shownPath(project, join(folder, name));
    return name.includes('/') || path.startsWith('..') ? '' : schemaLine('catalogue', path);
  };
  return new Map([...files].map(([name, text]) => [name, `${line(name)}${text}`]));
}

async function existing(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name)).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/** Stops at the first file that can't be written, and tells which. */
async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<Diagnostic | undefined> {
  for (const [name, text] of files) {
    const path = join(folder, name);
    try {
      requireOwnPlace(path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } catch (error) {
      if (error instanceof DiagnosticError) throw error;
      return {
        severity: 'error',
        code: 'export-not-written',
        summary: `${path} can't be written: ${fileReason(error)}.`,
        hint: 'Files written before it stay. Remove the cause, and run it again with --force.',
      };
    }
  }
  return undefined;
}

function filesExist(folder: string, taken: readonly string[]): Diagnostic {
  const names = taken.slice(0, maxNames).map((name) => join(folder, name));
  const more = taken.length > maxNames ? ` and ${count(taken.length - maxNames, 'other')}` : '';
  return {
    severity: 'error',
    code: 'file-exists',
    summary: `${names.join(', ')}${more} already ${taken.length === 1 ? 'exists' : 'exist'}; nothing was written.`,
    hint: 'Choose another folder with --out, or overwrite with --force.',
  };
}

function nextSteps(folder: string): string {
  const isRead = folder === defaultFolder || folder.startsWith(`${defaultFolder}/`);
  const note = isRead ? '' : 'Only files that match "catalogue" in sync.yaml belong to the project.\n';
  return `${note}\nNext, type:\n  sync validate\n  sync adopt\nIt records what exists and changes nothing. After that, the plan is empty:\n  sync plan\n`;
}

function programSteps(folder: string): string {
  return `\nNext, in ${folder}: pulumi stack init, then pulumi import --file import.json; pulumi up has nothing to do after that.\n`;
}
