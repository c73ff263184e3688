import type { OpenOptions, PackageSource } from '../api.js';
import { defined } from '@platform-sync/core/model/value';
import { trustedSettings } from '@platform-sync/catalogue/project/meanings';
import { loadProjectConfig, type ProjectOptions } from '@platform-sync/catalogue/project/project-file';
import { DiagnosticError, hasErrors, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProjectConfig, ProjectNames } from '@platform-sync/core/model/project';
import { namedStack } from '@platform-sync/core/model/stack-name';
import { noPolicy, type Policy, readPolicy } from '../trust/policy.js';
import { readingRules } from '../trust/project-trust.js';
import { withTrustedWebhook } from '../trust/webhook.js';

interface OpenedConfig {
  /** Present when there were no errors. */
  readonly config?: ProjectConfig;
  readonly policy: Policy;
  readonly packages: PackageSource;
  /** Stacks that sync.yaml declares. */
  readonly stacks: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly names?: ProjectNames;
}

/** The settings of a project, with what whoever runs this says about them. */
export async function openConfig(options: OpenOptions): Promise<OpenedConfig> {
  try {
    const policy = readGivenPolicy(options);
    const { untrusted } = options;
    const read = await loadSettings(options.cwd, untrusted === undefined ? options : asProposal(options), policy);
    const { config, stacks, diagnostics, names } = read;
    if (config === undefined) return { policy, packages: read.packages, stacks, diagnostics, ...defined({ names }) };
    const { settings, packages, notes } =
      untrusted === undefined
        ? { settings: config, packages: read.packages, notes: [] }
        : await withBaseSettings({ ...read, config }, options, policy, untrusted.base);
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
  policy: Policy,
  hide?: (content: string) => void,
): ReturnType<typeof loadProjectConfig> {
  return loadProjectConfig(folder, {
    env: options.env,
    packages: options.packages,
    rules: readingRules(policy, hide),
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
    }),
  });
}

/** How much may end. */
const limits = ['maxDeletes', 'maxDeletePercent', 'maxUpdatePercent'] as const;

type Loaded = Awaited<ReturnType<typeof loadSettings>>;

/**
 * The proposed catalogue under the base's settings. They are those of the tip of `ref`, not of the commit where the branch
 * began: an author may begin a branch at any commit there ever was.
 */
async function withBaseSettings(
  proposal: Loaded & { readonly config: ProjectConfig },
  options: OpenOptions,
  policy: Policy,
  ref: string,
): Promise<{
  readonly settings: ProjectConfig;
  readonly packages: PackageSource;
  readonly notes: readonly Diagnostic[];
}> {
  const { config: head } = proposal;
  const { checkOut } = await import('./base/checkout.js');
  const { folder, name, close } = await checkOut(head.root, ref, 'tip');
  const hidden = new Set<string>();
  try {
    const { stack: _stack, ...others } = options;
    // Which stack it is is for the operator to say, or else for the base: a proposal would choose whose credentials are used.
    const stack = namedStack(options.stack, options.env);
    const given = { ...others, ...defined({ stack }), isOtherCommit: true } as const;
    const base =
      folder === undefined ? undefined : await loadSettings(folder, given, policy, (content) => hidden.add(content));
    if (base?.config === undefined) throw new DiagnosticError([nothingToTrust(name, base?.diagnostics ?? [])]);
    if (base.config.stack !== head.stack) throw new DiagnosticError([otherStack(name, head.stack, base.config.stack)]);
    const { project, providers, state, variables = {}, drift, parameters, guards } = base.config;
    const { drift: _drift, parameters: _parameters, policies: _policies, ...rest } = head;
    const policies = await basePolicies(head, base.config, folder ?? '');
    const settings: ProjectConfig = {
      ...rest,
      ...{ project, providers, state, variables, settingsFromBase: true, hidden: [...hidden] },
      // Which guards are lifted is reviewed with the plan, which says so.
      guards: { ...guards, allow: head.guards.allow },
      ...defined({ drift, parameters, policies: policies?.settings }),
    };
    return {
      settings,
      packages: base.packages,
      notes: leftOut(proposal, base, settings, name, policies?.isOther ?? false),
    };
  } finally {
    await close();
  }
}

/** The rules of the base judge a proposal, which brings none of its own. */
async function basePolicies(
  head: ProjectConfig,
  base: ProjectConfig,
  folder: string,
): Promise<{ readonly settings: ProjectConfig['policies']; readonly isOther: boolean } | undefined> {
  if (head.policies === undefined && base.policies === undefined) return undefined;
  const { filesOf } = await import('../rules/load.js');
  const none = { files: [], diagnostics: [] };
  const trusted = base.policies === undefined ? none : await filesOf(folder, base.policies, base);
  if (hasErrors(trusted.diagnostics)) throw new DiagnosticError(trusted.diagnostics);
  const proposed = head.policies === undefined ? none : await filesOf(head.root, head.policies, head);
  return {
    settings: base.policies === undefined ? undefined : { ...base.policies, ofBase: trusted.files },
    isOther: JSON.stringify(proposed.files) !== JSON.stringify(trusted.files),
  };
}

/** What of the proposal counts after the merge. */
function leftOut(
  proposal: Loaded,
  base: Loaded,
  settings: ProjectConfig,
  name: string,
  hasOtherRules: boolean,
): readonly Diagnostic[] {
  const { config: head } = proposal;
  const isOther = (key: keyof NonNullable<Loaded['meanings']>): boolean =>
    proposal.meanings?.[key] !== base.meanings?.[key];
  const guards = limits.filter((key) => head?.guards[key] !== settings.guards[key]).map((key) => `guards.${key}`);
  const both = [
    ...trustedSettings.filter(isOther),
    ...guards,
    ...(isOther('parameters') ? ['parameters'] : []),
    ...(hasOtherRules ? ['policies'] : []),
  ];
  const notes: Diagnostic[] = [];
  if (both.length > 0) notes.push(settingsLeftOut(both, name));
  if (isOther('types')) notes.push(typesLeftOut(name));
  return notes;
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

function otherStack(name: string, proposed: string, trusted: string): Diagnostic {
  return {
    severity: 'error',
    code: 'untrusted-without-base',
    summary: `This branch plans the stack ${proposed} where ${name} plans ${trusted}: no plan was made.`,
    hint: 'Name the stack with --stack or SYNC_STACK: a proposal does not choose it.',
  };
}

function settingsLeftOut(changed: readonly string[], name: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'base-settings-used',
    summary: `This branch changes ${changed.map((key) => `"${key}"`).join(' and ')} of sync.yaml; the plan was made with those of ${name}.`,
    hint: 'They count after the merge: review them as you would review a secret.',
  };
}

function typesLeftOut(name: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'base-types-used',
    summary: `This branch changes a file of types; the plan was made with the types of ${name}.`,
    detail: 'Types decide which fields are secret, which values are valid, and which calls are made.',
    hint: 'They count after the merge: review them as you would review a secret.',
  };
}
