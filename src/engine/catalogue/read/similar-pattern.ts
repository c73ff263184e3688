import { badGlob, isGlob } from '@platform-sync/core/model/glob';
import { nearest } from '@platform-sync/core/model/nearest';
import { discoverFiles } from './discover.js';

/** What a pattern without files may have meant: a file, or the same pattern in a folder or with an ending that has some. */
export async function similarPattern(root: string, pattern: string): Promise<string | undefined> {
  const { files } = await discoverFiles(root, ['**/*.{yaml,yml}', '!.sync/**']);
  if (!isGlob(pattern)) return nearest(pattern, files);
  const steps = pattern.split('/');
  const tail = steps.slice(steps.findIndex((step) => isGlob(step))).join('/');
  const candidates = new Set(files.map((file) => besideOf(file, tail)));
  const found = nearest(pattern, candidates);
  if (found === undefined || badGlob(found) !== undefined) return undefined;
  return (await discoverFiles(root, [found])).unmatched.length === 0 ? found : undefined;
}

/** The same pattern in the folder of a file, with the ending that the file has. */
function besideOf(file: string, tail: string): string {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return folder + tail.replace(/\.ya?ml$/, file.slice(file.lastIndexOf('.')));
}
