import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { boolean, string } from '../arguments/flag.js';
import { customTags, editorSettings } from '../init/editor-files.js';
import { type Command, command } from '../run/command.js';
import type { ExitCode } from '../process/exit-code.js';
import { shownPath } from '../files/report-file.js';
import type { Beginning } from '../init/starter.js';
import { printProblems, type RunContext, withProject } from '../run/run-context.js';
import { UsageError } from '../process/usage-error.js';

const projectPattern = /^[a-z][a-z0-9-]{0,62}$/;

export const initCommand = command({
  summary: 'Start a project: sync.yaml and a first catalogue file.',
  description:
    'Begins with an example, or with what stands already: --from-platform writes what the platform has as sync export does, --from-specifications makes an API of each file of a folder. At a terminal it asks, unless --project says the name. Writes only files that do not exist, with what editors need to check and complete them: the schemas in .platform-sync and settings in .vscode. What it writes passes sync validate. With --agents, --editor or --policies in an existing project, only those files are written or brought up to date.',
  examples: [
    'sync init',
    'sync init --project payments -C my-catalogue',
    'sync init --from-platform  # what exists, as files',
    'sync init --from-specifications specs',
    'sync init --agents',
  ],
  flags: {
    project: string({ description: 'name of the project; default: from the folder', helpValue: 'NAME' }),
    'from-platform': boolean({
      description: 'begin with what exists: write it as catalogue files (reads the platform, needs a token)',
      exclusive: ['from-specifications'],
    }),
    'from-specifications': string({
      description: 'begin with the API specifications in this folder',
      helpValue: 'DIR',
    }),
    agents: boolean({ description: 'also write for coding agents: a section of AGENTS.md, and skills in .agents/' }),
    editor: boolean({ description: 'only schemas and settings for editors, of this version' }),
    policies: boolean({
      description: 'also write policies: twelve rules for plans, each with its tests, into policies/',
    }),
  },
  needs: 'context',
  async run({ flags, host, context }) {
    const isThere = existsSync(join(context.cwd, 'sync.yaml'));
    const { project, beginning } = await wantedBeginning(context, flags, isThere);
    if (!projectPattern.test(project)) {
      throw new UsageError(
        `"${project}" is not a project name: small letters, digits and dashes, a letter first, 63 at most`,
      );
    }
    if (isThere && (flags.agents || flags.editor || flags.policies)) {
      const added = await additions(context.cwd, flags);
      host.out(added.map((file) => `wrote ${file}\n`).join(''));
      if (flags.editor) host.out(settingsNote(added));
      if (flags.policies) host.out(policiesNote);
      return 0;
    }
    const { writeStarter } = await import('../init/starter.js');
    const { written, diagnostics } = await writeStarter(context.cwd, project, beginning);
    if (diagnostics.length > 0) {
      printProblems(context, diagnostics);
      return 1;
    }
    const more = await additions(context.cwd, { ...flags, editor: false });
    host.out([...written, ...more].map((file) => `wrote ${file}\n`).join(''));
    host.out(gitNote);
    host.out(settingsNote(written));
    if (flags.policies) host.out(policiesNote);
    if (beginning === 'platform') return fromPlatform({ ...context, folder: context.cwd });
    const next =
      'Next, type:\n  sync validate\n  sync plan\nThe plan needs PLATFORM_TOKEN. To try it without, plan against:\n  sync sandbox';
    host.out(`\n${context.style.typed(next)}\n`);
    return 0;
  },
});

interface BeginningFlags {
  readonly project: string | undefined;
  readonly 'from-platform': boolean;
  readonly 'from-specifications': string | undefined;
}

/** What the flags say; where they say nothing, what somebody at the terminal answers. */
async function wantedBeginning(
  context: RunContext,
  flags: BeginningFlags,
  isThere: boolean,
): Promise<{ readonly project: string; readonly beginning: Beginning }> {
  const usual = flags.project ?? projectName(basename(context.cwd));
  const { 'from-platform': fromPlatform, 'from-specifications': folder } = flags;
  if (folder !== undefined) return { project: usual, beginning: specificationsIn(context.cwd, folder) };
  if (fromPlatform) return { project: usual, beginning: 'platform' };
  // Who says how it is called wants no conversation.
  if (!context.host.interactive || isThere || flags.project !== undefined)
    return { project: usual, beginning: 'example' };
  const ask = async (question: string): Promise<string> => (await context.host.ask(question)).trim();
  const project = (await ask(`Name of the project (${usual}): `)) || usual;
  const choice = await ask('Begin with: 1 an example, 2 what the platform has, 3 a folder of specifications (1): ');
  if (choice === '2') return { project, beginning: 'platform' };
  if (choice !== '3') return { project, beginning: 'example' };
  return { project, beginning: specificationsIn(context.cwd, (await ask('Folder (specs): ')) || 'specs') };
}

/** A source reads within its project, and no file of the catalogue. */
function specificationsIn(cwd: string, folder: string): Beginning {
  const path = shownPath(cwd, resolve(cwd, folder));
  if (path === '.' || path === '..' || path.startsWith('../') || /^catalogue(?:\/|$)/.test(path))
    throw new UsageError(
      `${folder} is no place for specifications: it has to be a folder of the project beside catalogue/`,
      'Put them into a folder: sync init --from-specifications specs',
    );
  if (!existsSync(resolve(cwd, folder))) throw new UsageError(`there is no folder ${folder}`);
  return { specifications: path };
}

async function fromPlatform(context: RunContext): Promise<ExitCode> {
  const { exported } = await import('./export.js');
  const code = await withProject(context, 'export', (project) =>
    exported(context, project, { sources: false, as: 'catalogue', force: false }),
  );
  if (code === 1)
    context.host.err(`\n${context.style.typed('The project is there. To read again, type:\n  sync export')}\n`);
  return code;
}

async function additions(
  folder: string,
  flags: { readonly agents: boolean; readonly editor: boolean; readonly policies: boolean },
): Promise<readonly string[]> {
  const agents = flags.agents ? await forAgents(folder) : [];
  const editor = flags.editor ? await (await import('../init/editor-files.js')).writeEditorFiles(folder) : [];
  const policies = flags.policies ? await (await import('../init/policy-files.js')).writePolicyFiles(folder) : [];
  return [...agents, ...editor, ...policies];
}

async function forAgents(folder: string): Promise<readonly string[]> {
  const [{ writeAgentsSection, writeSkills }, { commandGroups, commandLoaders }] = await Promise.all([
    import('../init/agents-section.js'),
    import('../command-list.js'),
  ]);
  const loaders = Object.entries<(() => Promise<Command>) | undefined>(commandLoaders);
  const commands = await Promise.all(loaders.map(async ([id, load]) => ({ id, ...(await load?.()) })));
  const described = commands.flatMap(({ id, summary = '', examples = [] }) => [{ id, summary, examples }]);
  return [await writeAgentsSection(folder), ...(await writeSkills(folder, commandGroups, described))];
}

const gitNote = 'All files of the project belong into git. What .sync/ will hold does not: .gitignore names it.\n';

const policiesNote =
  'For plans to be judged by them, sync.yaml says "policies: policies/*.yaml"; sync policy test runs their tests.\n';

/** Settings that are there already are somebody's own. */
function settingsNote(written: readonly string[]): string {
  if (written.includes(editorSettings.path)) return '';
  const lines = `"${customTags}": ${JSON.stringify(editorSettings.text[customTags])}`;
  return `left ${editorSettings.path} as it is; without these lines of it, editors underline tags:\n  ${lines}\n`;
}

/** The folder's name made into a project's: `My APIs` → `my-apis`. */
function projectName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 63);
  return name === '' ? 'catalogue' : name;
}
