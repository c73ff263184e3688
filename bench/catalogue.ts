import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The shape of a measured catalogue. */
export interface Shape {
  readonly apis: number;
  readonly documents: number;
  /** Characters of each document. */
  readonly content: number;
}

/** A fifth of the resources are APIs, the rest are their documents. */
export function shapeOf(resources: number): Shape {
  return { apis: Math.max(1, Math.round(resources / 5)), documents: 4, content: 200 };
}

const apisPerFile = 200;

/** Writes a project of that shape. `changed` of every hundred APIs have another description than the first time. */
export async function writeProject(
  folder: string,
  shape: Shape,
  options: { changed?: number; state?: string } = {},
): Promise<void> {
  await rm(join(folder, 'catalogue'), { recursive: true, force: true });
  await mkdir(join(folder, 'catalogue'), { recursive: true });
  await writeFile(join(folder, 'sync.yaml'), `project: bench\n${options.state ?? ''}`);
  for (let first = 0; first < shape.apis; first += apisPerFile) {
    const last = Math.min(shape.apis, first + apisPerFile);
    const blocks = Array.from({ length: last - first }, (_, offset) =>
      apiBlock(first + offset, shape, options.changed ?? 0),
    );
    await writeFile(join(folder, 'catalogue', `apis-${first}.yaml`), `resources:\n${blocks.join('')}`);
  }
}

function apiBlock(index: number, shape: Shape, changed: number): string {
  const description = index % 100 < changed ? 'Changed.' : 'As at first.';
  const head = `  api${index}:
    type: platform:Api
    properties:
      name: API number ${index}
      version: "1.0"
      description: ${description}
      labels: {team: team-${index % 7}, tier: gold}
      attributes: {domain: [payments, orders], owner: ["team ${index % 7}"]}
`;
  if (shape.documents === 0) return head;
  const documents = Array.from({ length: shape.documents }, (_, number) => documentBlock(index, number, shape.content));
  return `${head}    children:\n${documents.join('')}`;
}

function documentBlock(api: number, number: number, content: number): string {
  const line = `Document ${number} of API ${api}. `;
  const text = line
    .repeat(Math.ceil(content / line.length))
    .slice(0, content)
    .trimEnd();
  return `      doc${number}:
        type: platform:ApiDocument
        properties:
          title: Document ${number}
          content: |
            ${text}
          status: published
`;
}
