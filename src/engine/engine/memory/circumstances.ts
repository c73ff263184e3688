import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Project } from '../api.js';
import { engineVersion } from '../version.js';
import { ProjectFiles, type TextRead } from '@platform-sync/catalogue/read/file-texts';
import { encodeExpression } from '@platform-sync/catalogue/build/meaning';
import { visitExpression } from '@platform-sync/core/model/expression';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { momentIn, type World } from '@platform-sync/core/model/world';
import { digestOf } from './blocks.js';
import type { KnownFile } from './memory-file.js';

/** Whose memory it is: the project as it is opened, and where it is run. */
export interface Circumstances {
  readonly project: Pick<Project, 'config' | 'packages'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly world: World;
}

/**
 * A digest of all that counts beside files and state: settings, parameters, the program, the day. No secret is in it. Undefined where
 * something has a say of which nothing is remembered: rules of the operator, settings from elsewhere, secrets.
 */
export function settingsDigest({ project: { config, packages }, env, world }: Circumstances): string | undefined {
  const { ownership, settingsFromBase, parameters } = config;
  const isRuled = (env['SYNC_POLICY'] ?? '').trim() !== '';
  if (isRuled || settingsFromBase === true) return undefined;
  const values = parametersText(parameters);
  const own = Object.entries(config.providers).flatMap(([name, settings]) => ('types' in settings ? [name] : []));
  const described = own.map((name) => packages.described?.get(name));
  if (values === undefined || described.includes(undefined)) return undefined;
  const { root, project, stack, catalogue, overlays, everyOverlay, guards, adopt, labels, specificationRules } = config;
  const rules = specificationRules && [specificationRules.file, [...specificationRules.texts]];
  const day = momentIn(world).slice(0, 10);
  const program = [engineVersion, process.version, stampOf(fileURLToPath(import.meta.url))];
  const settings = { root, project, stack, catalogue, overlays, everyOverlay, guards, adopt, labels, ownership, rules };
  const types = [packages.names, Object.keys(config.providers), own, described];
  return digestOf(JSON.stringify([program, day, types, settings, values]));
}

/** False where a plan says something of the whole that no part can say: rules judge it, or what nobody manages is counted. */
export function isPartOfPlan({ policies, drift }: ProjectConfig): boolean {
  return policies === undefined && drift?.unmanaged === undefined;
}

function parametersText(parameters: ProjectConfig['parameters']): readonly string[] | undefined {
  if (parameters === undefined) return [];
  let isSecret = parameters.problems.length > 0;
  const texts = [...parameters.values].map(([name, value]) => {
    if (value === undefined) return name;
    visitExpression(value, { secret: () => (isSecret = true) });
    return `${name}=${encodeExpression(value)}`;
  });
  return isSecret ? undefined : texts;
}

/** What tells without a read that a file is what it was; empty where there is none. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : '';
}

/** So long after its last change a file may have been changed once more in the same moment of its file system's clock. */
const settlingMs = 2000;

/** The files of a project, read as its catalogue is read. */
export class FileState {
  readonly #root: string;
  readonly #files: ProjectFiles;
  readonly #begun: number;

  constructor({ root, state }: ProjectConfig, begun: number) {
    this.#root = root;
    this.#files = new ProjectFiles(root, state.backend === 'sqlite' ? state.path : undefined);
    this.#begun = begun;
  }

  read(file: string): TextRead {
    return this.#files.read(file);
  }

  /** False: it must be read to know whether it is what it was. */
  isSame({ file, stamp }: KnownFile): boolean {
    return stamp !== '' && stampOf(join(this.#root, file)) === stamp;
  }

  /** A file as it was read after this run began; its stamp is good for later runs only where it had been left alone for a while. */
  known(file: string): KnownFile {
    const found = statSync(join(this.#root, file), { throwIfNoEntry: false });
    const isSettled = found !== undefined && Math.max(found.mtimeMs, found.ctimeMs) < this.#begun - settlingMs;
    return { file, stamp: isSettled ? stampOf(join(this.#root, file)) : '' };
  }
}
