import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What an installation consists of. */
export interface Installed {
  readonly packages: number;
  readonly bytes: number;
}

const manifest = /node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/@.]+[\\/]package\.json$/;

/** Counts the packages below a node_modules folder, each once, and what all files weigh. */
export function measureInstalled(modules: string): Installed {
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return {
    packages: new Set(paths.filter((path) => manifest.test(path))).size,
    bytes: paths.reduce((sum, path) => sum + statSync(path).size, 0),
  };
}
