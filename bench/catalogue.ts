import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The shape of a measured catalogue. */
export interface Shape {
  readonly apis: number;
  /** Documents of each API. */
  readonly documents: number;
  /** Characters of each document. */
  readonly content: number;
}

/** A fifth of the resources are APIs, the rest are their documents. */
export function shapeOf(resources: number): Shape {
  return { apis: Math.max(1, Math.round(resources / 5)), documents: 4, content: 200 };
}

export function sizeOf({ apis, documents }: Shape): number {
  return apis * (1 + documents);
}

/** `some` edits every twentieth API. */
export const changedEvery = 20;

/**
 * How the catalogue differs from the first one: `some` changes the description of every twentieth API, which is 1 %
 * of the resources of `shapeOf`; `all` changes every description and a line of every document.
 */
export type Edit = 'none' | 'some' | 'all';

export interface ProjectOptions {
  readonly edit?: Edit;
  /** Lines of sync.yaml besides the project's name. */
  readonly settings?: string;
  /** Default 200. */
  readonly apisPerFile?: number;
  /** With `!file`, `!env`, `!secret` and `!json` in every API, and anchors; needs the variables of `tagsEnv`. */
  readonly tags?: boolean;
}

/** Environment variables that a catalogue with tags reads. */
export const tagsEnv = { SYNC_BENCH_TIER: 'gold' } as const;

/** `as pages`: the specifications are contents of documents, which nobody checks. */
export type FolderForm = 'sources' | 'written out' | 'as pages';

/**
 * The same APIs, specifications and documents as folders, or written out. A specification has so many paths that its head is a small
 * part of it, as in life.
 */
export async function writeFolders(
  folder: string,
  { apis, documents, content }: Shape,
  form: FolderForm,
): Promise<void> {
  const catalogue = join(folder, 'catalogue');
  await rm(catalogue, { recursive: true, force: true });
  await mkdir(join(catalogue, 'specs'), { recursive: true });
  await writeFile(join(folder, 'sync.yaml'), 'project: bench\n');
  const blocks: string[] = [];
  for (let api = 0; api < apis; api++) {
    await writeFile(join(catalogue, 'specs', `api${api}.yaml`), specification(api));
    await mkdir(join(catalogue, 'docs', `api${api}`), { recursive: true });
    const pages = Array.from({ length: documents }, (_, number) => number);
    for (const number of pages) {
      const matter = form === 'sources' ? `---\ntitle: Page ${number}\nstatus: published\n---\n\n` : '';
      await writeFile(join(catalogue, 'docs', `api${api}`, `page${number}.md`), `${matter}${'x'.repeat(content)}\n`);
    }
    blocks.push(writtenOut(api, pages, form === 'as pages'));
  }
  const sources = 'sources:\n  specs: platform:Api\n  docs: platform:ApiDocument\n';
  await writeFile(join(catalogue, 'all.yaml'), form === 'sources' ? sources : `resources:\n${blocks.join('')}`);
}

const pathsOfSpecification = 40;

function specification(api: number): string {
  const paths = Array.from(
    { length: pathsOfSpecification },
    (_, path) =>
      `  /things-${path}/{id}:\n    get:\n      operationId: get${path}\n      responses: {'200': {description: The thing., content: {application/json: {schema: {type: object}}}}}\n`,
  );
  return `openapi: 3.0.0\ninfo:\n  title: API number ${api}\n  version: 1.0.${api}\n  description: As at first.\npaths:\n${paths.join('')}`;
}

function writtenOut(api: number, pages: readonly number[], isPage: boolean): string {
  const specification = isPage
    ? `{type: platform:ApiDocument, properties: {title: All, status: published, content: !file specs/api${api}.yaml}}`
    : `{type: platform:ApiVersion, properties: {specContent: !file specs/api${api}.yaml}}`;
  const children = pages.map(
    (page) =>
      `      page${page}:\n        type: platform:ApiDocument\n        properties: {title: Page ${page}, status: published, content: !file docs/api${api}/page${page}.md}\n`,
  );
  return `  api${api}:
    type: platform:Api
    properties: {name: API number ${api}, version: 1.0.${api}, description: As at first.}
    children:
      version: ${specification}
${children.join('')}`;
}

/** Writes sync.yaml and the catalogue of that shape; what was in the catalogue before is gone. */
export async function writeProject(folder: string, shape: Shape, options: ProjectOptions = {}): Promise<void> {
  const { edit = 'none', settings = '', apisPerFile = 200, tags = false } = options;
  await rm(join(folder, 'catalogue'), { recursive: true, force: true });
  await mkdir(join(folder, 'catalogue'), { recursive: true });
  await writeFile(join(folder, 'sync.yaml'), `project: bench\n${settings}`);
  if (tags) await writeFile(join(folder, 'catalogue', 'about.md'), 'As at first.\n');
  for (let first = 0; first < shape.apis; first += apisPerFile) {
    const count = Math.min(apisPerFile, shape.apis - first);
    const blocks = Array.from({ length: count }, (_, offset) => apiBlock(first + offset, shape, edit, tags));
    await writeFile(join(folder, 'catalogue', `apis-${first}.yaml`), `resources:\n${blocks.join('')}`);
  }
}

/** One API and its documents, as an entry of `resources`. */
export function apiBlock(index: number, shape: Shape, edit: Edit, tags = false): string {
  const changed = edit === 'all' || (edit === 'some' && index % changedEvery === 0);
  const description = tags && !changed ? '!file about.md' : changed ? 'Changed.' : 'As at first.';
  const head = `  api${index}:
    type: platform:Api
    properties:
      name: API number ${index}
      version: "1.0"
      description: ${description}
${tags ? taggedLines(index) : plainLines(index)}`;
  if (shape.documents === 0) return head;
  const documents = Array.from({ length: shape.documents }, (_, number) =>
    documentBlock(index, number, shape.content, edit),
  );
  return `${head}    children:\n${documents.join('')}`;
}

function plainLines(index: number): string {
  return `      labels: {team: team-${index % 7}, tier: gold}
      attributes: {domain: [payments, orders], owner: ["team ${index % 7}"]}
`;
}

function taggedLines(index: number): string {
  return `      labels: &labels${index} {team: team-${index % 7}, tier: !env SYNC_BENCH_TIER}
      attributes:
        domain: [!json {payments: orders}]
        owner: [!secret team ${index % 7}]
`;
}

function documentBlock(api: number, number: number, content: number, edit: Edit): string {
  const lines = documentText(api, number, content).split('\n');
  if (edit === 'all') lines[Math.floor(lines.length / 2)] = 'This line was changed.';
  return `      doc${number}:
        type: platform:ApiDocument
        properties:
          title: Document ${number}
          content: |
${lines.map((line) => `            ${line}\n`).join('')}          status: published
`;
}

/** Prose-like lines of at most 72 characters, `length` characters in all; no two documents are the same. */
export function documentText(api: number, number: number, length: number): string {
  const sentence = `Document ${number} of API ${api} says how it is used. `;
  const text = sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);
  return (text.match(/.{1,71}(?: |$)|.{1,72}/g) ?? []).map((line) => line.trimEnd()).join('\n');
}
