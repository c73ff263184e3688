import { hostname } from 'node:os';
import type { PlanOptions, PlanResult } from '../api.js';
import { recover } from '../apply/recover.js';
import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import { DiagnosticError } from '../model/diagnostic.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { ProviderError } from '../model/provider.js';
import type { Reading } from '../model/snapshot.js';
import type { JsonObject } from '../model/value.js';
import { parseImportId } from '../plan/import-id.js';
import { makePlan } from '../plan/plan.js';
import type { PlanInput } from '../plan/plan.js';
import type { NeededLookup, NeededObject } from '../plan/proposal.js';
import { findExisting, readExisting } from '../refresh/find-existing.js';
import { refresh } from '../refresh/refresh.js';
import { dependencyGraph, topologicalOrder } from '../resolve/graph.js';
import { fingerprint } from '../state/fingerprint.js';
import { withChanges } from '../state-overlay.js';
import { engineVersion } from '../version.js';
import { packageNameOf } from '../workspace.js';
import type { Workspace } from '../workspace.js';
import { keepPrepared } from './prepared.js';

/** Reads what exists, compares, and says what would be done. Writes nothing. */
export async function planProject(
  workspace: Workspace,
  options: PlanOptions = {},
  imports: ReadonlyMap<Address, string> = new Map(),
): Promise<PlanResult> {
  const mode = options.mode ?? 'apply';
  const loaded = await workspace.catalogue();
  if (loaded.desired === undefined) return { diagnostics: loaded.diagnostics };
  const desired = mode === 'destroy' ? nothingOf(loaded.desired) : loaded.desired;
  const unknownAddresses = checkAddresses(options, desired);
  try {
    const stored = await (await workspace.state()).read();
    await workspace.loadPackages([
      ...tokensOf(desired),
      ...[...stored.resources.values()].map((r) => r.type),
      ...stored.intents.map((i) => i.type),
    ]);
    const seal = (value: Parameters<typeof fingerprint>[1]): string => fingerprint(stored.fingerprintKey, value);
    const recovery = await recover({
      state: stored,
      typeOf: workspace.typeOf,
      providerOf: workspace.providerOf,
      fingerprint: seal,
      onEvent: workspace.emit,
    });
    if (recovery.diagnostics.length > 0) return { diagnostics: [...loaded.diagnostics, ...recovery.diagnostics] };
    const state = withChanges(stored, recovery.changes);
    const missing = unknownAddresses
      .filter(({ address }) => !state.resources.has(address))
      .map(({ diagnostic }) => diagnostic);
    if (missing.length > 0) return { diagnostics: [...loaded.diagnostics, ...missing] };
    const graph = dependencyGraph(desired);
    const snapshot = await refresh({
      mode: options.refresh ?? 'auto',
      recorded: state.resources,
      desired: desired.resources,
      typeOf: workspace.typeOf,
      providerOf: workspace.providerOf,
      concurrency: workspace.config.concurrency,
      onEvent: workspace.emit,
    });
    const targets = await targetsOf(workspace, desired, state.resources.values());
    const input: PlanInput = {
      mode,
      desired,
      graph,
      order: topologicalOrder(graph),
      state,
      snapshot,
      types: workspace.types(),
      fingerprint: seal,
      lookups: new Map(),
      replace: new Set(options.replace ?? []),
      imports,
      engine: engineVersion,
      targets,
      guards: workspace.config.guards,
      allow: options.allow ?? [],
      only: options.targets ?? [],
      excludes: options.excludes ?? [],
      meta: { createdAt: new Date().toISOString(), host: hostname(), requests: 0 },
    };
    return await settlePlan(workspace, input, recovery.changes, loaded.diagnostics);
  } catch (error) {
    if (error instanceof ProviderError || error instanceof DiagnosticError)
      return { diagnostics: [...loaded.diagnostics, ...error.diagnostics] };
    throw error;
  }
}

/** Plans, finds what planning asks for, and plans again until nothing is asked any more. */
async function settlePlan(
  workspace: Workspace,
  first: PlanInput,
  recovery: PreparedRecovery,
  warnings: readonly Diagnostic[],
): Promise<PlanResult> {
  const lookups = new Map<string, JsonObject>();
  const found = new Map<Address, Reading>();
  const diagnostics: Diagnostic[] = [...warnings];
  for (;;) {
    const input: PlanInput = {
      ...first,
      lookups,
      snapshot: { ...first.snapshot, found },
      meta: { ...first.meta, requests: await workspace.requests() },
    };
    const planned = makePlan(input);
    if (planned.kind === 'plan') {
      const { plan, proposals, operations } = planned;
      const result: PlanResult = { plan, diagnostics: [...diagnostics, ...workspace.warnings] };
      return keepPrepared(result, {
        desired: input.desired,
        graph: input.graph,
        state: input.state,
        recovery,
        proposals,
        operations,
        lookups,
      });
    }
    const errors = [
      ...(await callLookups(workspace, planned.lookups, lookups)),
      ...(await findObjects(workspace, planned.objects, found, input.desired)),
    ];
    if (errors.length > 0) return { diagnostics: [...diagnostics, ...errors] };
  }
}

type PreparedRecovery = Awaited<ReturnType<typeof recover>>['changes'];

async function callLookups(
  workspace: Workspace,
  needed: readonly NeededLookup[],
  results: Map<string, JsonObject>,
): Promise<readonly Diagnostic[]> {
  const errors = await Promise.all(
    needed.map(async ({ key, token, args }) => {
      try {
        results.set(key, await workspace.lookup(token, args));
        return [];
      } catch (error) {
        if (error instanceof ProviderError) return error.diagnostics;
        throw error;
      }
    }),
  );
  return errors.flat();
}

async function findObjects(
  workspace: Workspace,
  needed: readonly NeededObject[],
  found: Map<Address, Reading>,
  desired: DesiredState,
): Promise<readonly Diagnostic[]> {
  const errors: Diagnostic[] = [];
  await Promise.all(
    needed.map(async ({ address, type, scope, inputs, importId }) => {
      const provider = await workspace.providerOf(type);
      if (importId === undefined) {
        found.set(address, await findExisting(provider, type, scope, inputs));
        return;
      }
      const at = desired.resources.get(address)?.at;
      const place = at === undefined ? {} : { place: desired.sources.place(at) };
      const parsed = parseImportId(type, importId);
      if ('problem' in parsed) {
        errors.push({ ...parsed.problem, address, ...place });
        return;
      }
      const reading = await readExisting(provider, type, parsed.identity);
      found.set(address, reading);
      if (reading.kind === 'gone') errors.push({ ...notFound(address, importId), ...place });
    }),
  );
  return errors;
}

function notFound(address: Address, importId: string): Diagnostic {
  return {
    severity: 'error',
    code: 'import-not-found',
    summary: `${address} says it should take over ${importId}, but the platform has no such object.`,
    hint: 'Correct options.import, or take it out to create a new object.',
    address,
  };
}

/** `destroy`: nothing is desired. */
function nothingOf(desired: DesiredState): DesiredState {
  return { ...desired, resources: new Map(), outputs: new Map(), variables: new Map() };
}

function tokensOf(desired: DesiredState): readonly string[] {
  return [...desired.resources.values()].map((resource) => resource.type);
}

async function targetsOf(
  workspace: Workspace,
  desired: DesiredState,
  recorded: Iterable<{ readonly type: string }>,
): Promise<Readonly<Record<string, string>>> {
  const names = new Set([...tokensOf(desired), ...[...recorded].map((record) => record.type)].map(packageNameOf));
  const targets: [string, string][] = [];
  for (const name of [...names].sort()) targets.push([name, (await workspace.provider(name)).target]);
  return Object.fromEntries(targets);
}

/** Addresses on the command line that the catalogue does not have; state may still know them. */
function checkAddresses(
  options: PlanOptions,
  desired: DesiredState,
): readonly { readonly address: Address; readonly diagnostic: Diagnostic }[] {
  const named = [...(options.targets ?? []), ...(options.excludes ?? []), ...(options.replace ?? [])];
  return named
    .filter((address) => !desired.resources.has(address))
    .map((address) => ({
      address,
      diagnostic: {
        severity: 'error',
        code: 'unknown-address',
        summary: `There is no resource ${address}, neither in the catalogue nor in state.`,
        hint: 'Addresses are written as in `sync state list`: petstore, or petstore/guide for what is nested in it.',
      },
    }));
}
