import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Folder of package.json. */
  readonly root: string;
  /** Path of the commands' entries, present when this is the built program. */
  readonly manifest: string | undefined;
}

let facts: PackageFacts | undefined;

/** Name, version and place of this package, found by walking up from this module. */
export function packageFacts(): PackageFacts {
  facts ??= findPackage(dirname(fileURLToPath(import.meta.url)));
  return facts;
}

function findPackage(folder: string): PackageFacts {
  // A part of the program may have a package.json of its own; a folder of schemas, the whole alone has.
  if (!existsSync(join(folder, 'schemas'))) {
    if (dirname(folder) === folder) throw new Error('bug: package.json of the program was not found');
    return findPackage(dirname(folder));
  }
  const file = join(folder, 'package.json');
  const { name, version, description } = JSON.parse(readFileSync(file, 'utf8')) as PackageFacts;
  const manifest = join(folder, 'dist', 'commands.json');
  const built = import.meta.url.includes('/dist/') && existsSync(manifest);
  return { name, version, description, root: folder, manifest: built ? manifest : undefined };
}
