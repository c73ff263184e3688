/**
 * The program as a library: typed lookups, and open a project, then validate, plan and apply it as the command line does.
 *
 * @packageDocumentation
 */
import type { OpenOptions, Project } from './engine/api.js';
import type { Diagnostic } from './engine/model/diagnostic.js';
import { providerPackages } from './providers/registry.js';

export type * from './engine/api.js';
export type { Address } from './engine/model/address.js';
export type { DesiredResource, DesiredState, ResourceOptions } from './engine/model/desired.js';
export { DiagnosticError, hasErrors } from './engine/model/diagnostic.js';
export type { Diagnostic, Severity } from './engine/model/diagnostic.js';
export type * from './engine/model/drift.js';
export type { Event, EventListener, StepAction } from './engine/model/event.js';
export { isEmptyPlan } from './engine/model/plan.js';
export type * from './engine/model/plan.js';
export type { GuardAllowance, GuardSettings, ProjectConfig } from './engine/model/project.js';
export { ProviderError } from './engine/model/provider.js';
export type { LookupType, Provider, ProviderErrorKind, ProviderPackage } from './engine/model/provider.js';
export type { FieldRule, ResourceType } from './engine/model/resource-type.js';
export type { Place, SourceRange } from './engine/model/place-in-file.js';
export type { RecordedResource, StackState } from './engine/model/state.js';
export { LeaseHeldError, LeaseLostError, StateStoreError } from './engine/model/state-store.js';
export type { Lease, LeaseHolder, StateBackend, StateStore } from './engine/model/state-store.js';
export type { Json, JsonObject } from './engine/model/value.js';
export { parsePlan, serializePlan } from './engine/plan/saved-plan.js';
export * from './generated/sdk.js';
export type * from './generated/types.js';
export { providerPackages } from './providers/registry.js';
export { diagnosticsText } from './report/text/diagnostics.js';
export { driftText } from './report/text/drift.js';
export { driftMarkdown } from './report/markdown/drift.js';
export { driftMetrics } from './report/ci/prometheus.js';
export type { NoPlan } from './report/view/no-plan.js';
export { renderNoPlanReports, renderPlan, renderPlanReports } from './report/render-plan.js';
export type { PlanFormat, RenderOptions } from './report/render-plan.js';
export { ansiStyle, plainStyle } from './report/text/style.js';
export type { Style } from './report/text/style.js';
export { structuredReader } from './report/diff/structured-text.js';
export { planText } from './report/text/plan.js';
export type { InvokeOptions, InvokeOutputOptions } from './sdk/invoke.js';
export { Output, all, interpolate, output, secret } from './sdk/output.js';
export type { Objects } from './generated/objects.js';
export type { ObjectArgs, ObjectFilter, ObjectList, TextFilter } from './sdk/objects.js';
export type { ProviderOptions } from './sdk/provider-options.js';
export type { Input, Lifted, OutputMethods, Unwrap } from './sdk/types.js';

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
  const { openProject: open } = await import('./engine/engine.js');
  return open({ env: process.env, purpose: 'program', packages: providerPackages, ...options });
}
