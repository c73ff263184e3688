import { readFile } from 'node:fs/promises';
import type { PackageSchema } from '@platform-sync/rest/schema/package-schema';
import { hostOf } from './host.js';
import { serve } from './server.js';

/** How often it is looked whether the engine is still there, milliseconds. */
const watchMs = 1000;

/**
 * Runs one provider as the engine starts it: the first line on stdout is the port. Ends with the engine: a killed one says
 * nothing, but leaves the process to another parent. The build has written the schema into a file.
 */
export async function main(base: PackageSchema, schemaFile: URL): Promise<void> {
  const { port } = await serve(await hostOf(base, process.env, () => readFile(schemaFile, 'utf8')));
  process.stdout.write(`${String(port)}\n`);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, watchMs).unref();
}
