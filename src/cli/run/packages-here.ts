import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageSource } from '@platform-sync/engine/api';
import { defined } from '@platform-sync/core/model/value';
import type { RunContext } from './run-context.js';

/** With those that the project describes, where there is a project that can be opened. */
export async function packagesHere({ host, folder, flags }: RunContext): Promise<PackageSource> {
  const packages = await host.packages();
  if (!existsSync(join(folder, 'sync.yaml'))) return packages;
  const options = { cwd: folder, env: host.env, purpose: 'schema', packages } as const;
  const anyStack = { isOffline: true, isForEveryStack: true, ...defined({ stack: flags.stack }) } as const;
  const { project } = await host.openProject({ ...options, ...anyStack });
  await project?.close();
  return project?.packages ?? packages;
}
