import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder of Pulumi's command line and its hosts: PULUMI_TOOLS, else the user's cache. */
export function pulumiTools(env = process.env) {
  return env.PULUMI_TOOLS ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'platform-sync/pulumi');
}
