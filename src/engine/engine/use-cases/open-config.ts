import type { OpenOptions, OptionsInWorld, PackageSource } from '../api.js';
import { defined } from '@platform-sync/core/model/value';
import { loadProjectConfig, type ProjectOptions } from '@platform-sync/catalogue/project/project-file';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { namedStack, type ProjectConfig, type ProjectNames } from '@platform-sync/core/model/project';
import { noPermissions, type Permissions, readPermissions } from '../trust/permissions.js';
import { readingRules, withTrustedWebhook } from '../trust/project-trust.js';

interface OpenedConfig {
  /** Present when there were no errors. */
  readonly config?: ProjectConfig;
  readonly permissions: Permissions;
  readonly packages: PackageSource;
  /** Stacks that sync.yaml declares. */
  readonly stacks: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly names?: ProjectNames;
}

/** The settings of a project, with what whoever runs this says about them. */
export async function openConfig(options: OptionsInWorld): Promise<OpenedConfig> {
  try {
    const permissions = readGivenPermissions(options);
    const { untrusted } = options;
    const read = await loadSettings(options.cwd, untrusted === undefined ? options : asProposal(options), permissions);
    const { config, stacks, diagnostics, names } = read;
    if (config === undefined)
      return { permissions, packages: read.packages, stacks, diagnostics, ...defined({ names }) };
    const { settings, packages, notes } =
      untrusted === undefined
        ? { settings: config, packages: read.packages, notes: [] }
        : await (
            await import('./base/base-settings.js')
          ).withBaseSettings({ ...read, config }, { ref: untrusted.base, world: options.world }, (folder, hide) =>
            loadSettings(folder, asBase(options), permissions, hide),
          );
    return {
      config: withTrustedWebhook(settings, permissions, options.env),
      permissions,
      packages,
      stacks,
      diagnostics: [...diagnostics, ...notes],
    };
  } catch (error) {
    if (error instanceof DiagnosticError)
      return { permissions: noPermissions, packages: options.packages, stacks: [], diagnostics: error.diagnostics };
    throw error;
  }
}

/** The operator's permissions for these options. Throws DiagnosticError. */
export function readGivenPermissions({ cwd, env }: Pick<OpenOptions, 'cwd' | 'env'>): Permissions {
  return readPermissions(cwd, env);
}

/** A file under review is read for what it says, without what the environment holds. */
export function asProposal<T extends Pick<OpenOptions, 'env' | 'stack'>>(
  options: T,
): T & Pick<ProjectOptions, 'isOtherCommit' | 'isOffline'> {
  const stack = namedStack(options.stack, options.env);
  return { ...options, ...defined({ stack }), env: {}, vars: {}, varFiles: [], isOffline: true, isOtherCommit: true };
}

/** The settings that a folder's sync.yaml has for a stack, as it says them. */
export function loadSettings(
  folder: string,
  options: OpenOptions & Pick<ProjectOptions, 'isOtherCommit'>,
  permissions: Permissions,
  hide?: (content: string) => void,
): ReturnType<typeof loadProjectConfig> {
  return loadProjectConfig(folder, {
    env: options.env,
    packages: options.packages,
    rules: readingRules(permissions, hide),
    root: options.cwd,
    ...defined({
      stack: options.stack,
      concurrency: options.concurrency,
      settleSeconds: options.settleSeconds,
      vars: options.vars,
      varFiles: options.varFiles,
      isOtherCommit: options.isOtherCommit,
      isOffline: options.isOffline,
      isForEveryStack: options.isForEveryStack,
      isOptional: options.isOptional,
      texts: options.texts,
    }),
  });
}

/** Which stack it is is for the operator to say, or else for the base: a proposal would choose whose credentials are used. */
function asBase({ stack: given, ...others }: OpenOptions): OpenOptions & Pick<ProjectOptions, 'isOtherCommit'> {
  const stack = namedStack(given, others.env);
  return { ...others, ...defined({ stack }), isOtherCommit: true };
}
