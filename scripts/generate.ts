import { mkdir, readFile, rm, writeFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generate/files.js';

/** Writes everything that is made from the schemas. With `--check`, writes nothing and exits 1 when a file is stale. */
async function main(check: boolean): Promise<void> {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const { files, ownedFolders } = await generatedFiles();
  const stale: string[] = [];
  for (const [path, content] of files) {
    if ((await readFile(join(root, path), 'utf8').catch(() => undefined)) === content) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  for (const folder of ownedFolders) {
    const there = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of there.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`;
      if (files.has(path) || entry.isDirectory()) continue;
      stale.push(path);
      if (!check) await rm(join(root, path));
    }
  }
  report(stale, files.size, check);
}

function report(stale: readonly string[], total: number, check: boolean): void {
  for (const path of stale) console.log(check ? `stale: ${path}` : `wrote ${path}`);
  if (!check) console.log(`${total} files are up to date`);
  else if (stale.length > 0) {
    console.error('Run `npm run generate` and commit what it writes.');
    process.exitCode = 1;
  }
}

await main(process.argv.includes('--check'));
