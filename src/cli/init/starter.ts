import { mkdir, writeFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { schemaLine, writeEditorFiles } from './editor-files.js';
import { type Diagnostic, errorCode } from '@platform-sync/core/model/diagnostic';

/** What a project begins with; `platform`: what exists there is written afterwards. */
export type Beginning = 'example' | 'platform' | { readonly specifications: string };

/** Writes the files of a new project. Nothing is written when one of the main files is already there. */
export async function writeStarter(
  folder: string,
  project: string,
  beginning: Beginning,
): Promise<{ readonly written: readonly string[]; readonly diagnostics: readonly Diagnostic[] }> {
  const files = {
    'sync.yaml': schemaLine('project', 'sync.yaml') + projectFile(project),
    ...catalogueFiles(beginning),
  };
  const taken: Diagnostic[] = [];
  for (const name of Object.keys(files)) if (await exists(join(folder, name))) taken.push(fileExists(name));
  if (taken.length > 0) return { written: [], diagnostics: taken };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, { flag: 'wx' });
  }
  const ignored = await ignoreState(folder);
  const forEditors = await writeEditorFiles(folder);
  return { written: [...Object.keys(files), ...ignored, ...forEditors], diagnostics: [] };
}

function catalogueFiles(beginning: Beginning): Readonly<Record<string, string>> {
  const line = (path: string): string => schemaLine('catalogue', path);
  if (beginning === 'platform') return {};
  if (beginning === 'example')
    return { 'catalogue/hello.yaml': line('catalogue/hello.yaml') + catalogueFile, 'catalogue/hello.md': document };
  const path = 'catalogue/apis.yaml';
  return { [path]: line(path) + sourcesFile(beginning.specifications) };
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ENOENT',
  );
}

function fileExists(name: string): Diagnostic {
  const hint = 'In a project that is there, write files for what exists: sync export';
  return { severity: 'error', code: 'file-exists', summary: `${name} already exists; nothing was written.`, hint };
}

/** State may hold what the platform says about objects: it belongs into no repository. */
async function ignoreState(folder: string): Promise<readonly string[]> {
  const path = join(folder, '.gitignore');
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.split('\n').some((line) => line.trim().replace(/^\//, '') === '.sync/')) return [];
  await writeFile(path, `${text === '' || text.endsWith('\n') ? text : `${text}\n`}.sync/\n`);
  return ['.gitignore'];
}

const projectFile = (project: string): string => `project: ${project}
catalogue: [catalogue/**/*.yaml]

providers:
  platform:
    # The server to keep in sync. Left out: PLATFORM_SERVER_URL, else the provider's default.
    # serverUrl: https://eu.api.example.com
    # Tokens never stand in a file: set PLATFORM_TOKEN or PLATFORM_SPAT in the environment.

guards: { maxDeletes: 10, maxDeletePercent: 20, maxUpdatePercent: 50 }
`;

const catalogueFile = `resources:
  hello:
    type: platform:Api
    properties:
      name: Hello
      version: "1.0"
      description: The first API of this catalogue.
      labels: { team: payments }
    children:
      guide:
        type: platform:ApiDocument
        properties:
          title: Guide
          content: !file hello.md

outputs:
  helloId: \${hello.id}
`;

const sourcesFile = (
  folder: string,
): string => `# Each specification in this folder is an API; its address comes from the file's name.
sources:
  ${JSON.stringify(`../${folder}`)}: platform:Api
`;

const document = `# Guide

Say hello.
`;
