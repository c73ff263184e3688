import type { ExportOptions, ExportResult } from '../api.js';
import { catalogueFiles, variableOf } from '../export/catalogue-files.js';
import { fitRules, type Fitting } from '../export/fit-rules.js';
import { keyOf, sortObjects, withoutLiving } from '../export/found-object.js';
import { nameObjects } from '../export/name-objects.js';
import { isUnlisted, secretAsked, unlistedDiagnostic, unreadDiagnostic } from '../export/left-out.js';
import { placeObjects } from '../export/place-objects.js';
import { readObjects } from '../export/read-objects.js';
import { sourceFiles } from '../export/source-files.js';
import { alikeObjects, findSameKeys } from '../export/same-keys.js';
import { selectionOf } from '../export/selection.js';
import type { Address } from '@platform-sync/core/model/address';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type ProviderPackage } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Workspace } from '../workspace.js';
import { selectedObjects } from './selection/export-choice.js';
import { brokenObjects } from './found-specifications.js';

/** Writes what exists as a catalogue: after `adopt`, a plan with it is empty. Reads the platform, no state; changes nothing. */
export async function exportProject(workspace: Workspace, options: ExportOptions = {}): Promise<ExportResult> {
  const packages = await loadPackages(workspace);
  const types = workspace.types();
  const chosen = selectionOf(types, options.types ?? [], options.filters ?? []);
  if ('problems' in chosen) return nothing(chosen.problems);
  const reads = workspace.reads();
  // Each list and each object has one reader.
  reads.keepOnly(new Set());
  const unread: Diagnostic[] = [];
  try {
    const { written } = chosen.selection;
    const unlisted = unlistedDiagnostic(written.filter(isUnlisted));
    const read = await readObjects({
      selection: chosen.selection,
      reads,
      concurrency: workspace.config.concurrency,
      onEvent: workspace.emit,
      onUnread: (found) => unread.push(unreadDiagnostic(found)),
    });
    const found = await selectedObjects(sortObjects(read, types), types, options);
    const validate = ({ provider }: ResourceType): ProviderPackage['validate'] =>
      packageOf(packages, provider).validate;
    const fits = await fitRules(found, validate, options.asPulumi !== true);
    const fitting = { ...fits, diagnostics: [...unlisted, ...unread, ...fits.diagnostics] };
    const holdable = withoutLiving(found, fitting.leftOut);
    if (options.asPulumi === true) return asProgram(workspace, fitting, nameObjects(placeObjects(holdable), types));
    const same = findSameKeys(holdable);
    const roots = placeObjects(withoutLiving(holdable, same.leftOut));
    const addresses = nameObjects(roots, types);
    const long = { sourced: new Map(), addresses, folders: new Map() };
    const { objects } = fitting;
    const sources = options.asSources === true ? sourceFiles(roots, { types, addresses, objects }) : long;
    const broken = await brokenObjects(objects);
    const exported = [...objects.values()].filter(({ object }) => addresses.has(keyOf(object)));
    // What secrets it has is nobody's to compare: its id tells the object.
    const secretive = exported.flatMap(({ object, holes }) => (holes.length === 0 ? [] : [keyOf(object)]));
    const ambiguous = new Set([...same.ambiguous, ...alikeObjects(exported), ...secretive]);
    const files = catalogueFiles({ roots, ...sources, objects, ambiguous, broken: broken.keys });
    const asked = exported.flatMap(({ object, holes }) =>
      holes.map((path) => secretAsked(object, path, variableOf(addresses.get(keyOf(object)) ?? '', path))),
    );
    const told = [...fitting.diagnostics, ...asked, ...same.diagnostics, ...broken.diagnostics];
    const diagnostics = [...workspace.warnings, ...told];
    return { files, objects: addresses.size, diagnostics };
  } catch (error) {
    if (error instanceof ProviderError || error instanceof DiagnosticError)
      return nothing([...workspace.warnings, ...error.diagnostics]);
    throw error;
  }
}

/** A program imports by id: objects of one name are no trouble to it. */
async function asProgram(
  { config, warnings }: Workspace,
  { objects, diagnostics }: Fitting,
  addresses: ReadonlyMap<string, Address>,
): Promise<ExportResult> {
  const { pulumiProgram } = await import('../export/pulumi-program.js');
  const files = addresses.size === 0 ? new Map() : pulumiProgram({ name: config.project, objects, addresses });
  return { files, objects: addresses.size, diagnostics: [...warnings, ...diagnostics] };
}

async function loadPackages(workspace: Workspace): Promise<ReadonlyMap<string, ProviderPackage>> {
  const source = workspace.options.packages;
  await workspace.loadPackages(source.names.map((name) => `${name}:`));
  return new Map(await Promise.all(source.names.map(async (name) => [name, await source.load(name)] as const)));
}

function packageOf(packages: ReadonlyMap<string, ProviderPackage>, name: string): ProviderPackage {
  const found = packages.get(name);
  if (found === undefined) throw new Error(`bug: package ${name} is not loaded`);
  return found;
}

function nothing(diagnostics: readonly Diagnostic[]): ExportResult {
  return { files: new Map(), objects: 0, diagnostics };
}
