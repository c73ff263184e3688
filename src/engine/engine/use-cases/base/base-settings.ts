import type { World } from '@platform-sync/core/model/world';
import { trustedSettings } from '@platform-sync/catalogue/project/meanings';
import type { LoadedProject } from '@platform-sync/catalogue/project/project-file';
import { type Diagnostic, DiagnosticError, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { defined } from '@platform-sync/core/model/value';
import { checkOut } from './checkout.js';

/** How much may end. */
const limits = ['maxDeletes', 'maxDeletePercent', 'maxUpdatePercent'] as const;

/**
 * The proposed catalogue under the base's settings. They are those of the tip of `ref`, not of the commit where the branch
 * began: an author may begin a branch at any commit there ever was.
 */
export async function withBaseSettings(
  proposal: LoadedProject & { readonly config: ProjectConfig },
  { ref, world }: { readonly ref: string; readonly world: Pick<World, 'spawn'> },
  load: (folder: string, hide: (content: string) => void) => Promise<LoadedProject>,
): Promise<{
  readonly settings: ProjectConfig;
  readonly packages: PackageSource;
  readonly notes: readonly Diagnostic[];
}> {
  const { config: head } = proposal;
  const { folder, name, close } = await checkOut(world, head.root, ref, 'tip');
  const hidden = new Set<string>();
  try {
    const base = folder === undefined ? undefined : await load(folder, (content) => hidden.add(content));
    if (base?.config === undefined) throw new DiagnosticError([nothingToTrust(name, base?.diagnostics ?? [])]);
    if (base.config.stack !== head.stack) throw new DiagnosticError([otherStack(name, head.stack, base.config.stack)]);
    const { project, providers, state, variables = {}, drift, parameters, guards, specificationRules } = base.config;
    const { drift: _drift, parameters: _parameters, policies: _policies, specificationRules: _rules, ...rest } = head;
    const policies = await basePolicies(head, base.config, folder ?? '');
    const settings: ProjectConfig = {
      ...rest,
      ...{ project, providers, state, variables, settingsFromBase: true, hidden: [...hidden] },
      // Which guards are lifted is reviewed with the plan, which says so.
      guards: { ...guards, allow: head.guards.allow },
      ...defined({ drift, parameters, specificationRules, policies: policies?.settings }),
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
  const { filesOf } = await import('../../rules/load.js');
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
  proposal: LoadedProject,
  base: LoadedProject,
  settings: ProjectConfig,
  name: string,
  hasOtherRules: boolean,
): readonly Diagnostic[] {
  const { config: head } = proposal;
  const isOther = (key: keyof NonNullable<LoadedProject['meanings']>): boolean =>
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
