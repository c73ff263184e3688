import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { boolean, string } from '../arguments/flag.js';
import { diagnosticsText } from '@platform-sync/report/text/diagnostics';
import { customTags, editorSettings } from '../init/editor-files.js';
import { type Command, command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

const projectPattern = /^[a-z][a-z0-9-]{0,62}$/;

export const initCommand = command({
  summary: 'Start a project: sync.yaml and a first catalogue file.',
  description:
    'Writes only files that do not exist, with what editors need to check and complete them: the schemas in .platform-sync and settings in .vscode. What it writes passes sync validate. With --agents, --editor or --policies in an existing project, only those files are written or brought up to date.',
  examples: ['sync init', 'sync init --project payments -C my-catalogue', 'sync init --agents'],
  flags: {
    project: string({ description: 'name of the project; default: from the folder', helpValue: 'NAME' }),
    agents: boolean({ description: 'also write for coding agents: a section of AGENTS.md, and skills in .agents/' }),
    editor: boolean({ description: 'only schemas and settings for editors, of this version' }),
    policies: boolean({
      description: 'also write policies: twelve rules for plans, each with its tests, into policies/',
    }),
  },
  needs: 'context',
  async run({ flags, host, context }) {
    const project = flags.project ?? projectName(basename(context.cwd));
    if (!projectPattern.test(project)) {
      throw new UsageError(
        `"${project}" is not a project name: small letters, digits and dashes, a letter first, 63 at most`,
      );
    }
    const isThere = existsSync(join(context.cwd, 'sync.yaml'));
    if (isThere && (flags.agents || flags.editor || flags.policies)) {
      const added = await additions(context.cwd, flags);
      host.out(added.map((file) => `wrote ${file}\n`).join(''));
      if (flags.editor) host.out(settingsNote(added));
      if (flags.policies) host.out(policiesNote);
      return 0;
    }
    const { writeStarter } = await import('../init/starter.js');
    const { written, diagnostics } = await writeStarter(context.cwd, project);
    if (diagnostics.length > 0) {
      host.err(diagnosticsText(diagnostics, context.errorStyle));
      return 1;
    }
    const more = await additions(context.cwd, { ...flags, editor: false });
    host.out([...written, ...more].map((file) => `wrote ${file}\n`).join(''));
    host.out(gitNote);
    host.out(settingsNote(written));
    if (flags.policies) host.out(policiesNote);
    const next =
      'Next, type:\n  sync validate\n  sync plan\nThe plan needs PLATFORM_TOKEN. To try it without, plan against:\n  sync sandbox';
    host.out(`\n${context.style.typed(next)}\n`);
    return 0;
  },
});

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

const gitNote = 'All of them belong into git. What .sync/ will hold does not: .gitignore names it.\n';

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
