import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFileName } from '../../engine/model/project.js';

/** The nearest folder, from this one up, that has a sync.yaml; no further than what git keeps as one checkout. */
export function projectFolder(folder: string): string | undefined {
  if (existsSync(join(folder, projectFileName))) return folder;
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, '.git')) ? undefined : projectFolder(above);
}
