import type { OpenOptions, PackageSource } from '../api.js';
import { defined } from '../model/defined.js';
import { loadProjectConfig, type ProjectOptions } from '../project/project-file.js';
import { canonicalJson } from '../model/canonical.js';
import { DiagnosticError, hasErrors, type Diagnostic } from '../model/diagnostic.js';
import type { ProjectConfig } from '../model/project.js';
import type { Json } from '../model/value.js';
import { noPolicy, type Policy } from '../trust/policy.js';
import { readingRules } from '../trust/project-trust.js';
import { readPolicy } from '../trust/read-policy.js';
import { withTrustedWebhook } from '../trust/webhook.js';

export interface OpenedConfig {
  /** Present when there were no errors. */
  readonly config?: ProjectConfig;
  readonly policy: Policy;
  readonly packages: PackageSource;
  /** Stacks that sync.yaml declares. */
  readonly stacks: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The settings of a project, with what whoever runs this says about them. */
export async function openConfig(options: OpenOptions): Promise<OpenedConfig> {
  try {
    const policy = readGivenPolicy(options);
    const { config, packages, stacks, diagnostics } = await loadSettings(options.cwd, options, policy);
    if (config === undefined) return { policy, packages, stacks, diagnostics };
    const { settings, notes } =
      options.untrusted === undefined
        ? { settings: config, notes: [] }
        : await withBaseSettings(config, options, policy, options.untrusted.base);
    return {
      config: withTrustedWebhook(settings, policy, options.env),
      policy,
      packages,
      stacks,
      diagnostics: [...diagnostics, ...notes],
    };
  } catch (error) {
    if (error instanceof DiagnosticError)
      return { policy: noPolicy, packages: options.packages, stacks: [], diagnostics: error.diagnostics };
    throw error;
  }
}

/** The operator's policy for these options. Throws DiagnosticError. */
export function readGivenPolicy({ cwd, env }: Pick<OpenOptions, 'cwd' | 'env'>): Policy {
  return readPolicy(cwd, env);
}

/** The settings that a folder's sync.yaml has for a stack, as it says them. */
export function loadSettings(
  folder: string,
  options: OpenOptions & Pick<ProjectOptions, 'isOtherCommit'>,
  policy: Policy,
): ReturnType<typeof loadProjectConfig> {
  return loadProjectConfig(folder, {
    env: options.env,
    packages: options.packages,
    rules: readingRules(policy),
    root: options.cwd,
    ...defined({
      stack: options.stack,
      concurrency: options.concurrency,
      settleSeconds: options.settleSeconds,
      vars: options.vars,
      varFiles: options.varFiles,
      isOtherCommit: options.isOtherCommit,
      isOffline: options.isOffline,
      isOptional: options.isOptional,
    }),
  });
}

/** Everything that says where secrets go, and whose state is meant. */
const trusted = ['project', 'providers', 'state', 'drift'] as const;

/**
 * The proposed catalogue under the base's settings. They are those of the tip of `ref`, not of the commit where the branch
 * began: an author may begin a branch at any commit there ever was.
 */
async function withBaseSettings(
  head: ProjectConfig,
  options: OpenOptions,
  policy: Policy,
  ref: string,
): Promise<{ readonly settings: ProjectConfig; readonly notes: readonly Diagnostic[] }> {
  const { checkOut } = await import('./base/checkout.js');
  const { folder, name, close } = await checkOut(head.root, ref, 'tip');
  try {
    const base =
      folder === undefined
        ? undefined
        : await loadSettings(folder, { ...options, stack: head.stack, isOtherCommit: true }, policy);
    if (base?.config === undefined) throw new DiagnosticError([nothingToTrust(name, base?.diagnostics ?? [])]);
    const { project, providers, state, variables = {}, drift } = base.config;
    const { drift: _, ...rest } = head;
    const settings: ProjectConfig = {
      ...rest,
      ...{ project, providers, state, variables, settingsFromBase: true },
      ...defined({ drift }),
    };
    const changed = trusted.filter((key) => meaning(head[key]) !== meaning(base.config?.[key]));
    return { settings, notes: changed.length === 0 ? [] : [leftOut(changed, name)] };
  } finally {
    await close();
  }
}

function meaning(value: unknown): string {
  // Places of rules move with every line above them, and mean nothing here.
  return canonicalJson(
    JSON.parse(JSON.stringify(value ?? null, (key, item: unknown) => (key === 'source' ? null : item))) as Json,
  );
}

function nothingToTrust(name: string, diagnostics: readonly Diagnostic[]): Diagnostic {
  const first = diagnostics.find((found) => hasErrors([found]));
  return {
    severity: 'error',
    code: 'untrusted-without-base',
    summary: `${name} has no settings for this project and stack that could be trusted: no plan was made.`,
    ...defined({ detail: first?.summary }),
    hint: 'Let a maintainer bring the project or stack first, or plan without --untrusted where nobody else can change the files.',
  };
}

function leftOut(changed: readonly string[], name: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'base-settings-used',
    summary: `This branch changes ${changed.map((key) => `"${key}"`).join(' and ')} of sync.yaml; the plan was made with those of ${name}.`,
    hint: 'They count after the merge: review them as you would review a secret.',
  };
}
