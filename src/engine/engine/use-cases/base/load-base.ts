import { loadCatalogue } from '@platform-sync/catalogue/load';
import { defined } from '@platform-sync/core/model/value';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { hasErrors, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import type { Workspace } from '../../workspace.js';
import { asProposal } from '../open-config.js';

export type LoadedBase =
  { readonly desired: DesiredState } | { readonly desired?: undefined; readonly problem: Diagnostic };

/** The catalogue as of the commit, or why it can't be had. */
export async function loadBase(workspace: Workspace, folder: string, name: string): Promise<LoadedBase> {
  const given = { ...workspace.reading, stack: workspace.config.stack };
  const values = defined({ vars: workspace.options.vars, varFiles: workspace.options.varFiles });
  const options = workspace.isUnderReview ? asProposal(given) : { ...given, ...values, isOtherCommit: true as const };
  const { config: own, diagnostics } = await loadProjectConfig(folder, options);
  const config = own && workspace.isUnderReview ? withParameters(own, workspace.config) : own;
  // A project or a stack that the branch brings along: none of its changes was there before.
  if (diagnostics.some(({ code }) => code === 'no-project' || code === 'unknown-stack')) return missing(name);
  if (config === undefined) return broken(name, diagnostics);
  const loaded = await loadCatalogue(config, workspace.reading);
  return loaded.desired === undefined ? broken(name, loaded.diagnostics) : { desired: loaded.desired };
}

/** What a value is, another commit does not say. */
function withParameters({ parameters: _, ...rest }: ProjectConfig, { parameters }: ProjectConfig): ProjectConfig {
  return { ...rest, ...defined({ parameters }) };
}

export function missing(name: string): { readonly problem: Diagnostic } {
  return {
    problem: {
      severity: 'warning',
      code: 'base-without-project',
      summary: `There is no such project or stack in ${name}, so the plan can't tell this branch's changes from others.`,
    },
  };
}

export function broken(name: string, diagnostics: readonly Diagnostic[]): { readonly problem: Diagnostic } {
  const errors = diagnostics.filter((found) => hasErrors([found]));
  const [first] = errors;
  const where = first?.place === undefined ? '' : `${first.place.file}:${first.place.line}: `;
  return {
    problem: {
      severity: 'warning',
      code: 'base-not-planned',
      summary: `The catalogue of ${name} can't be planned, so the plan can't tell this branch's changes from others.`,
      ...(first === undefined
        ? {}
        : { detail: `${where}${first.summary}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}` }),
    },
  };
}
