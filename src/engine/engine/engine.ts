import { join } from 'node:path';
import type { OpenedProject, OpenOptions, OptionsInWorld, Project, ValidateResult } from './api.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { openConfig } from './use-cases/open-config.js';
import { outlined } from './use-cases/applicable-plan.js';
import { redacted } from './redacted-provider.js';
import { Workspace } from './workspace.js';

/** What comes of a use case, without the secrets in it. */
type Redacting = <T extends object>(work: Promise<T>) => Promise<T>;

/** Reads sync.yaml and opens the project: the entry point of the engine. */
export async function openProject(given: OpenOptions): Promise<OpenedProject> {
  const here = { ...given, world: given.world ?? realWorld };
  const options = given.rehearsal === undefined ? here : { ...here, openState: emptyState };
  const { config: settings, permissions, packages, stacks, diagnostics, names } = await openConfig(options);
  const config = settings && rehearsed(settings, given);
  if (config === undefined) return { diagnostics, ...(names === undefined ? {} : { names }) };
  const workspace = new Workspace(config, { ...options, packages }, permissions);
  const clean: Redacting = (work) => redacted(workspace, work);
  const project: Project = {
    config,
    stacks,
    packages,
    validate: () => clean(validate(workspace)),
    plan: (planOptions) =>
      clean(import('./use-cases/plan-project.js').then(({ planProject }) => planProject(workspace, planOptions))),
    outlined,
    hold: async (holdOptions, work) => (await import('./use-cases/lease.js')).holdStack(workspace, holdOptions, work),
    apply: (planned, applyOptions) =>
      clean(import('./use-cases/apply-plan.js').then(({ applyPlan }) => applyPlan(workspace, planned, applyOptions))),
    applyReviewed: (reviewed, applyOptions) =>
      clean(
        import('./use-cases/apply-reviewed.js').then(({ applyReviewed }) =>
          applyReviewed(workspace, reviewed, applyOptions),
        ),
      ),
    refresh: (applyOptions) =>
      clean(import('./use-cases/refresh-state.js').then(({ refreshState }) => refreshState(workspace, applyOptions))),
    importResource: (address, id, applyOptions) =>
      clean(
        import('./use-cases/import-resources.js').then(({ importResource }) =>
          importResource(workspace, { address, id }, applyOptions),
        ),
      ),
    importResources: (requests, applyOptions) =>
      clean(
        import('./use-cases/import-resources.js').then(({ importResources }) =>
          importResources(workspace, requests, applyOptions),
        ),
      ),
    ...undoCases(workspace, clean),
    ...driftCases(workspace, clean),
    rename: (address, key) =>
      clean(
        import('./use-cases/rename-resource.js').then(({ renameResource }) =>
          renameResource(options, stacks, { address, key }),
        ),
      ),
    ...readingCases(workspace, clean, options, stacks),
    provider: (name) => workspace.provider(name),
    state: () => workspace.state(),
    close: () => workspace.close(),
  };
  return { project, diagnostics };
}

async function emptyState({ project, stack }: ProjectConfig): Promise<StateStore> {
  return (await import('@platform-sync/state/memory')).memoryStateStore(project, stack);
}

/** Nothing of the project's state is asked, its share of a rate neither. */
function rehearsed(config: ProjectConfig, { rehearsal }: OpenOptions): ProjectConfig {
  if (rehearsal === undefined) return config;
  const { policies: _own, requestsPerMinute: _pace, ...settings } = config;
  const others = { ...settings, state: { backend: 'sqlite', path: join(config.root, '.sync', 'none.db') } } as const;
  return rehearsal.rules.length === 0 ? others : { ...others, policies: { patterns: rehearsal.rules } };
}

/** What is looked at and changes nothing. */
function readingCases(
  workspace: Workspace,
  clean: Redacting,
  options: OptionsInWorld,
  stacks: readonly string[],
): Pick<Project, 'export' | 'checkPolicy' | 'testRules' | 'judgeRecords' | 'evaluate' | 'lookup' | 'objects'> {
  return {
    export: (exportOptions) =>
      clean(
        import('./use-cases/export-project.js').then(({ exportProject }) => exportProject(workspace, exportOptions)),
      ),
    checkPolicy: () =>
      clean(import('./use-cases/check-policy.js').then(({ checkPolicy }) => checkPolicy(options, stacks))),
    testRules: () => clean(import('./rules/cases.js').then(({ testRules }) => testRules(workspace))),
    judgeRecords: () => clean(import('./rules/cases.js').then(({ judgeRecords }) => judgeRecords(workspace))),
    evaluate: (how) =>
      clean(
        import('./use-cases/evaluate-expression.js').then(({ evaluateExpression }) =>
          evaluateExpression(workspace, how),
        ),
      ),
    lookup: (token, args) => clean(lookup(workspace, token, args)),
    objects: (question) =>
      clean(import('./use-cases/show-objects.js').then(({ showObjects }) => showObjects(workspace, question))),
  };
}

/** The way back from what a run did, and what a plan found out, written into the catalogue. */
function undoCases(workspace: Workspace, clean: Redacting): Pick<Project, 'undo' | 'editUndone' | 'fix'> {
  return {
    undo: (run, addresses, planOptions) =>
      clean(import('./use-cases/undo.js').then(({ undoRun }) => undoRun(workspace, run, addresses, planOptions))),
    editUndone: (run, addresses, editOptions) =>
      clean(import('./use-cases/undo.js').then(({ editUndone }) => editUndone(workspace, run, addresses, editOptions))),
    fix: (plan, fixOptions) =>
      clean(
        import('./use-cases/fix-catalogue.js').then(({ fixCatalogue }) => fixCatalogue(workspace, plan, fixOptions)),
      ),
  };
}

/** What somebody changed on the platform: found, told, and put right one way or the other. */
function driftCases(
  workspace: Workspace,
  clean: Redacting,
): Pick<
  Project,
  'drift' | 'tellDrift' | 'tellRuns' | 'noteLostRun' | 'revertDrift' | 'acceptDrift' | 'recordDrift' | 'ignoreDrift'
> {
  return {
    drift: (driftOptions) =>
      clean(
        import('./use-cases/drift/check.js').then(async (m) => (await m.checkDrift(workspace, driftOptions)).result),
      ),
    tellDrift: async (result, address, send) =>
      (await import('./use-cases/drift/tell.js')).tellDrift(workspace, result, address, send),
    tellRuns: async (ended, address, send) =>
      (await import('./use-cases/tell-runs.js')).tellRuns(workspace, ended, address, send),
    noteLostRun: async () => (await import('./use-cases/tell-runs.js')).noteLostRun(workspace),
    revertDrift: (findings, planOptions) =>
      clean(
        import('./use-cases/drift/revert.js').then(({ revertDrift }) => revertDrift(workspace, findings, planOptions)),
      ),
    acceptDrift: (findings, acceptOptions) =>
      clean(
        import('./use-cases/drift/accept.js').then(({ acceptDrift }) =>
          acceptDrift(workspace, findings, acceptOptions),
        ),
      ),
    recordDrift: (findings, applyOptions) =>
      clean(
        import('./use-cases/drift/record.js').then(({ recordDrift }) => recordDrift(workspace, findings, applyOptions)),
      ),
    ignoreDrift: (findings, ignoreOptions) =>
      clean(
        import('./use-cases/drift/ignore.js').then(({ ignoreDrift }) =>
          ignoreDrift(workspace, findings, ignoreOptions),
        ),
      ),
  };
}

async function validate(workspace: Workspace): Promise<ValidateResult> {
  const { desired, diagnostics, files, recheck } = await workspace.catalogue();
  const result = (all: readonly Diagnostic[]): ValidateResult => {
    const told = { diagnostics: all, files, ...(desired === undefined ? {} : { desired }) };
    return recheck === undefined ? told : { ...told, recheck: rechecking(workspace, all, recheck) };
  };
  if (desired === undefined) return result(diagnostics);
  await workspace.loadPackages([...desired.resources.values()].map(({ type }) => type));
  const { brokenSpecifications, declaredSpecifications } = await import('./use-cases/specifications.js');
  const read = await brokenSpecifications(workspace, declaredSpecifications(desired, workspace.typeOf), desired);
  // That a file is empty says it all.
  const emptied = diagnostics.filter(({ code }) => code === 'empty-file').map(placeText);
  const others = read.filter((each) => !emptied.includes(placeText(each)));
  return result([...diagnostics, ...others, ...(await brokenRules(workspace))]);
}

function rechecking(
  workspace: Workspace,
  whole: readonly Diagnostic[],
  recheck: NonNullable<ValidateResult['recheck']>,
): NonNullable<ValidateResult['recheck']> {
  const others = whole.filter((each) => !workspace.ofFiles.has(each));
  return async (file, texts) => {
    const found = await recheck(file, texts);
    return found && [...workspace.redactor.diagnostics(found), ...others.filter(({ place }) => place?.file === file)];
  };
}

async function brokenRules(workspace: Workspace): Promise<readonly Diagnostic[]> {
  if (workspace.config.policies === undefined && workspace.permissions.rules.length === 0) return [];
  return (await (await import('./rules/load.js')).projectRules(workspace)).diagnostics;
}

function placeText({ place }: Diagnostic): string {
  return place === undefined ? '' : `${place.file}:${String(place.line)}:${String(place.column)}`;
}

async function lookup(
  workspace: Workspace,
  token: string,
  args: Json,
): Promise<{ readonly result?: Json; readonly diagnostics: readonly Diagnostic[] }> {
  try {
    const result = await workspace.lookup(token, (args ?? {}) as JsonObject);
    return { result: workspace.redactor.value(result), diagnostics: workspace.warnings };
  } catch (error) {
    if (error instanceof ProviderError) return { diagnostics: error.diagnostics };
    throw error;
  }
}
