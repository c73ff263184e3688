import { homedir } from 'node:os';
import { join } from 'node:path';

/** Pulumi's schema of package schemas, in the folder of the tools. */
export const metaschema = 'metaschema.json';

/** Folder of Pulumi's command line and its hosts: PULUMI_TOOLS, else the user's cache. */
export function pulumiTools(env = process.env) {
  return env.PULUMI_TOOLS ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'platform-sync/pulumi');
}
