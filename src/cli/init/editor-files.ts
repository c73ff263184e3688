import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jsonText } from '@platform-sync/report/words/json-text';
import { packageFacts } from '../process/package-facts.js';

/** The folder of a project that holds the schemas: committed, so that the paths in files hold on every machine. */
const schemaFolder = '.platform-sync';
const schemas = { catalogue: 'catalogue.schema.json', project: 'project.schema.json' } as const;

/** The line by which editors find a file's schema; `file` is seen from the project's folder, with `/`. */
export function schemaLine(kind: keyof typeof schemas, file: string): string {
  const up = '../'.repeat(file.split('/').length - 1);
  return `# yaml-language-server: $schema=${up}${schemaFolder}/${schemas[kind]}\n`;
}

const tags = [
  'file scalar',
  'env scalar',
  'secret scalar',
  'secret mapping',
  'secret sequence',
  'json scalar',
  'unset scalar',
];
export const customTags = 'yaml.customTags';
const settings = {
  [customTags]: [...tags, 'json mapping', 'json sequence', 'lookup mapping'].map((tag) => `!${tag}`),
  'yaml.schemas': {
    [`./${schemaFolder}/${schemas.project}`]: ['sync.yaml'],
    // Specifications that the catalogue reads are none of its files; `sync export` writes them to specs/.
    [`./${schemaFolder}/${schemas.catalogue}`]: [
      'catalogue/**/*.yaml',
      'catalogue/**/*.yml',
      'overlays/**/*.yaml',
      '!catalogue/**/specs/**',
    ],
  },
};

/** What VS Code reads of a folder. */
export const editorSettings = { path: '.vscode/settings.json', text: settings };

/** Copies the schemas of this version, and writes the editor's settings where there are none. Gives what was written. */
export async function writeEditorFiles(folder: string): Promise<readonly string[]> {
  const written = await writeSchemas(folder);
  const { path, text } = editorSettings;
  await mkdir(dirname(join(folder, path)), { recursive: true });
  const isNew = await writeFile(join(folder, path), jsonText(text), { flag: 'wx' }).then(
    () => true,
    () => false,
  );
  return isNew ? [...written, path] : written;
}

/** The schemas alone: what the line in a written file points at. `catalogue`: the one for the types of this project. */
export async function writeSchemas(folder: string, catalogue?: string): Promise<readonly string[]> {
  const names = Object.values(schemas);
  await mkdir(join(folder, schemaFolder), { recursive: true });
  for (const name of names)
    if (name === schemas.catalogue && catalogue !== undefined)
      await writeFile(join(folder, schemaFolder, name), catalogue);
    else await copyFile(join(packageFacts().root, 'schemas', name), join(folder, schemaFolder, name));
  return names.map((name) => `${schemaFolder}/${name}`);
}
