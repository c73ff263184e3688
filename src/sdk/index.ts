/**
 * The program as a library: typed lookups, and open a project, then validate, plan and apply it as the command line does.
 *
 * @packageDocumentation
 */
import type { CompareSpecifications, OpenOptions, Project } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { providerPackages } from './registry.js';

export type * from '@platform-sync/engine/api';
export type { Address } from '@platform-sync/core/model/address';
export type { DesiredResource, DesiredState, ResourceOptions } from '@platform-sync/core/model/desired';
export { DiagnosticError, hasErrors } from '@platform-sync/core/model/diagnostic';
export type { Diagnostic, Severity } from '@platform-sync/core/model/diagnostic';
export type * from '@platform-sync/core/model/drift';
export type { Event, EventListener, StepAction } from '@platform-sync/core/model/event';
export { isEmptyPlan } from '@platform-sync/core/model/plan';
export type * from '@platform-sync/core/model/plan';
export type { GuardAllowance, GuardSettings, ProjectConfig } from '@platform-sync/core/model/project';
export { ProviderError } from '@platform-sync/core/model/provider';
export type { LookupType, Provider, ProviderErrorKind, ProviderPackage } from '@platform-sync/core/model/provider';
export type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
export type { Place, SourceRange } from '@platform-sync/core/model/diagnostic';
export type { RecordedResource, StackState } from '@platform-sync/core/model/state';
export { LeaseHeldError, LeaseLostError, StateStoreError } from '@platform-sync/core/model/state-store';
export type { Lease, LeaseHolder, StateBackend, StateStore } from '@platform-sync/core/model/state-store';
export type { Json, JsonObject } from '@platform-sync/core/model/value';
export { parsePlan, serializePlan } from '@platform-sync/engine/plan/saved-plan';
export * from './generated/sdk.js';
export type * from './generated/types.js';
export { providerPackages } from './registry.js';
export { diagnosticsText } from '@platform-sync/report/text/diagnostics';
export { driftText } from '@platform-sync/report/text/drift';
export { driftMarkdown } from '@platform-sync/report/markdown/drift';
export { driftMetrics } from '@platform-sync/report/ci/prometheus';
export type { NoPlan } from '@platform-sync/report/document/no-plan';
export { renderNoPlanReports, renderPlan, renderPlanReports } from '@platform-sync/report/render-plan';
export type { PlanFormat, RenderOptions } from '@platform-sync/report/render-plan';
export { ansiStyle, plainStyle } from '@platform-sync/report/text/style';
export type { Style } from '@platform-sync/report/text/style';
export { structuredReader } from '@platform-sync/report/diff/structured-text';
export { planText } from '@platform-sync/report/text/plan';
export type { InvokeOptions, InvokeOutputOptions } from './invoke.js';
export { Output, all, interpolate, output, secret } from './output.js';
export type { Objects } from './generated/objects.js';
export type { ObjectArgs, ObjectFilter, ObjectList, TextFilter } from './objects.js';
export type { ProviderOptions } from './provider-options.js';
export type { Input, Lifted, OutputMethods, Unwrap } from './types.js';

/** What a program says to open a project; what it leaves out is as on the command line. */
export type ProgramOptions = Pick<OpenOptions, 'cwd'> & Partial<OpenOptions>;

/**
 * Opens the project in a folder. Close it when done.
 *
 * @returns the project, unless sync.yaml has errors; they are among the diagnostics
 */
export async function openProject(
  options: ProgramOptions,
): Promise<{ readonly project?: Project; readonly diagnostics: readonly Diagnostic[] }> {
  // A program that only looks things up does not load the engine.
  const { openProject: open } = await import('@platform-sync/engine/engine');
  const compareSpecifications = async (): Promise<CompareSpecifications> =>
    (await import('@platform-sync/report/openapi/caller-changes')).callerChanges;
  return open({ env: process.env, purpose: 'program', packages: providerPackages, compareSpecifications, ...options });
}
