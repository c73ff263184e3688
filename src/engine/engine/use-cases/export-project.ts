import type { ExportedType, ExportOptions, ExportResult, SelectionOptions } from '../api.js';
import { catalogueFiles, variableOf } from '../export/catalogue-files.js';
import { fitRules, type Fitting } from '../export/fit-rules.js';
import {
  containersOf,
  describeObject,
  type FoundObject,
  keyOf,
  referencedIn,
  sortObjects,
  withoutLiving,
} from '../export/found-object.js';
import { nameObjects } from '../export/name-objects.js';
import { isUnlisted, secretAsked, unlistedDiagnostic, unreadDiagnostic, type Unread } from '../export/left-out.js';
import { placeObjects } from '../export/place-objects.js';
import { readObjects, unreadOf } from '../export/read-objects.js';
import { sourceFiles } from '../export/source-files.js';
import { alikeObjects, findSameKeys } from '../export/same-keys.js';
import { typeCounts, type Counted } from '../export/type-counts.js';
import { selectionOf } from '../export/selection.js';
import { type Address, chooses, compareText } from '@platform-sync/core/model/address';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type ProviderPackage } from '@platform-sync/core/model/provider';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Workspace } from '../workspace.js';
import { reach } from '@platform-sync/core/model/graph';
import { type Choosable, selected } from './selection/terms.js';
import type { Json } from '@platform-sync/core/model/value';
import type { ReferredFiles } from '../specification/references.js';
import { documents, isSpecificationOf } from './specifications.js';

/** Writes what exists as a catalogue: after `adopt`, a plan with it is empty. Reads the platform, no state; changes nothing. */
export async function exportProject(workspace: Workspace, options: ExportOptions = {}): Promise<ExportResult> {
  const packages = await loadPackages(workspace);
  const types = workspace.types();
  const chosen = selectionOf(types, options.types ?? [], options.filters ?? []);
  if ('problems' in chosen) return nothing(chosen.problems);
  const reads = workspace.reads();
  // Each list and each object has one reader.
  reads.keepOnly(new Set());
  const unread: Unread[] = [];
  try {
    const { written } = chosen.selection;
    const unlisted = written.filter(isUnlisted);
    const read = await readObjects({
      selection: chosen.selection,
      reads,
      concurrency: workspace.config.concurrency,
      onEvent: workspace.emit,
      onUnread: (one) => unread.push(one),
    });
    const found = await selectedObjects(sortObjects(read.objects, types), types, options);
    const validate = ({ provider }: ResourceType): ProviderPackage['validate'] =>
      packageOf(packages, provider).validate;
    const fits = await fitRules(found, validate, options.asPulumi !== true);
    const told = [...unlistedDiagnostic(unlisted), ...unread.map(unreadDiagnostic)];
    const fitting = { ...fits, diagnostics: [...told, ...fits.diagnostics] };
    const holdable = withoutLiving(found, new Set(fitting.leftOut.keys()));
    const counts = (addresses: ReadonlyMap<string, Address>, leftOut: Counted['leftOut']): readonly ExportedType[] =>
      typeCounts({
        ...{ types: types.values(), leftOut, unread, unlisted },
        found: [...found, ...unreadOf(read)],
        isWritten: (key) => addresses.has(key),
      });
    if (options.asPulumi === true) {
      const addresses = nameObjects(placeObjects(holdable), types);
      return { ...(await asProgram(workspace, fitting, addresses)), types: counts(addresses, fitting.leftOut) };
    }
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
    const leftOut = new Map([...fitting.leftOut, ...[...same.leftOut].map((key) => [key, 'export-same-key'] as const)]);
    const all = [...fitting.diagnostics, ...asked, ...same.diagnostics, ...broken.diagnostics];
    const diagnostics = [...workspace.warnings, ...all];
    return { files, objects: addresses.size, diagnostics, types: counts(addresses, leftOut) };
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
): Promise<Omit<ExportResult, 'types'>> {
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
  return { files: new Map(), objects: 0, diagnostics, types: [] };
}

/**
 * The objects that terms choose, by the addresses that an export gives them: those, what they live in and refer to, and nothing that
 * lives in what is left out. Rejects with DiagnosticError where a term stands for nothing.
 */
async function selectedObjects(
  objects: readonly FoundObject[],
  types: ReadonlyMap<string, ResourceType>,
  terms: SelectionOptions,
): Promise<readonly FoundObject[]> {
  const { targets = [], excludes = [] } = terms;
  if (targets.length + excludes.length === 0) return objects;
  const addresses = nameObjects(placeObjects(objects), types);
  const choice = exportChoice(objects, addresses);
  const named = await selected(terms, choice, noFiles);
  const isTarget = chooses({ targets: named.targets, excludes: [] });
  const isKept = chooses({ targets: [], excludes: named.excludes });
  const wanted = reach(choice.addresses.filter(isTarget), choice.needsOf);
  const addressOf = (object: FoundObject): Address => addresses.get(keyOf(object)) ?? '';
  const dropped = objects.filter((object) => !isKept(addressOf(object)));
  const chosen = objects.filter((object) => wanted.has(addressOf(object)));
  return withoutLiving(chosen, new Set(dropped.map(keyOf)));
}

function exportChoice(objects: readonly FoundObject[], addresses: ReadonlyMap<string, Address>): Choosable {
  const byAddress = new Map(
    objects.flatMap((object): (readonly [Address, FoundObject])[] => {
      const address = addresses.get(keyOf(object));
      return address === undefined ? [] : [[address, object]];
    }),
  );
  return {
    addresses: [...byAddress.keys()].sort(compareText),
    typeOf: (address) => byAddress.get(address)?.type.token ?? '',
    valueOf: (address, field) => {
      const { type, values } = byAddress.get(address) ?? {};
      return mayHoldSecret(type?.fields[field]) ? undefined : values?.[field];
    },
    needsOf: (address) => {
      const object = byAddress.get(address);
      if (object === undefined) return [];
      const referenced = Object.values(object.type.fields).map((rule) => referencedIn(addresses, object, rule));
      const containers = containersOf(object).map((key) => addresses.get(key));
      return [...containers, ...referenced].filter((found) => found !== undefined);
    },
  };
}

function noFiles(commit: string): never {
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'term-about-files',
      summary: `changed:${commit} is about catalogue files, and export reads none.`,
      hint: 'Choose by address, type:, a field, or dependents:.',
    },
  ]);
}

/** Objects whose specification the gate of plans would refuse: what is written says that it is published all the same. */
async function brokenObjects(
  objects: Fitting['objects'],
): Promise<{ readonly keys: ReadonlySet<string>; readonly diagnostics: readonly Diagnostic[] }> {
  const keys = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, { object, fields }] of objects) {
    const problems = await brokenFields(object.type, fields, describeObject(object));
    if (problems.length > 0) keys.add(key);
    diagnostics.push(...problems);
  }
  return { keys, diagnostics };
}

/** What is wrong with the specifications of an object as it exists, as warnings: none of the project's files belong to it. */
async function brokenFields(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  name: string,
): Promise<readonly Diagnostic[]> {
  const { specificationProblems } = await import('../specification/check.js');
  const at = { file: '', start: 0, end: 0 };
  const values = documents(type).flatMap(({ name: field }) => {
    const text = fields.get(field);
    if (typeof text !== 'string') return [];
    const shared = { address: name, field, text, at, isSecret: false, exception: 'option' as const };
    return [{ ...shared, isCertain: isSpecificationOf(type, field) }];
  });
  const none: ReferredFiles = { read: () => ({ ok: false, why: 'missing' }) };
  const found = await specificationProblems(values, {
    files: none,
    sources: { place: () => ({ file: '', line: 1, column: 1 }) },
  });
  return found.flatMap(({ address: _, place: _place, ...problem }) =>
    problem.code === 'unknown-specification-version' ? [] : [problem],
  );
}
