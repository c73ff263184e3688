import type { Fix, FixResult } from '../api.js';
import { importIdOf } from '../apply/import-id.js';
import { EditableFile } from '../catalogue/edit/properties.js';
import type { TextEdit } from '../catalogue/edit/text.js';
import { loadCatalogue } from '../catalogue/load.js';
import { sameMeaning } from '../catalogue/build/meaning.js';
import type { Address } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import type { DesiredResource, DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { Plan } from '../model/plan.js';
import type { Json } from '../model/value.js';
import type { Workspace } from '../workspace.js';
import { ProjectTexts } from './project-texts.js';

/** A fix, and the option's whole value as it is to stand in the file. */
interface OptionEdit {
  readonly fix: Fix;
  readonly from: Json | undefined;
  readonly to: Json;
}

/**
 * Writes what a plan found out by keys into the catalogue files, and reads them again: when anything but those options
 * means something else then, the files are put back.
 */
export async function fixCatalogue(
  workspace: Workspace,
  plan: Plan,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<FixResult> {
  const nothing = { fixed: [], skipped: [], files: [] };
  const { desired, diagnostics } = await workspace.catalogue();
  if (desired === undefined) return { ...nothing, diagnostics };
  const { project, stack } = workspace.config;
  if (plan.project !== project || plan.stack !== stack)
    return { ...nothing, diagnostics: [otherStack(plan, project, stack)] };
  await workspace.loadPackages(plan.steps.map(({ type }) => type));
  const texts = new ProjectTexts(workspace.config.root);
  const skipped: { fix: Fix; why: string }[] = [];
  const fixed: Fix[] = [];
  const byFile = new Map<string, OptionEdit[]>();
  for (const fix of fixesOf(plan, workspace)) {
    const resource = desired.resources.get(fix.address);
    if (resource === undefined) skipped.push({ fix, why: 'is not in the catalogue any more' });
    else if (!isSaid(fix, resource))
      byFile.set(resource.at.file, [...(byFile.get(resource.at.file) ?? []), optionEdit(fix, resource)]);
  }
  for (const [file, all] of byFile) editFile(texts, file, all, dryRun, fixed, skipped);
  const told = [...diagnostics, ...skipped.map(skippedNotice)];
  if (dryRun || fixed.length === 0) return { fixed, skipped, files: [], diagnostics: told };
  if (await isRight(workspace, desired, fixed)) return { fixed, skipped, files: texts.written, diagnostics: told };
  texts.putBack();
  return { ...nothing, diagnostics: [...told, undone()] };
}

/** What is nested moves along with its parent's alias, so only what was found by a key is to be said. */
function fixesOf(plan: Plan, workspace: Workspace): readonly Fix[] {
  return plan.steps.flatMap(({ address, type, reasons, precondition }) =>
    reasons.flatMap((reason): readonly Fix[] => {
      if (reason.kind === 'same-key') return [{ address, option: 'aliases', value: reason.from }];
      const identity = reason.kind === 'key-exists' ? precondition?.identity : undefined;
      if (identity === undefined) return [];
      return [{ address, option: 'import', value: importIdOf(workspace.typeOf(type), { identity }) }];
    }),
  );
}

function isSaid({ option, value }: Fix, { options }: DesiredResource): boolean {
  return option === 'aliases' ? options.aliases.includes(value) : options.import === value;
}

function optionEdit(fix: Fix, { options }: DesiredResource): OptionEdit {
  if (fix.option === 'import') {
    // Ids of objects that live in another one are spelled as a map, which needs no quotes.
    const to = fix.value.startsWith('{') ? (JSON.parse(fix.value) as Json) : fix.value;
    return { fix, from: options.import, to };
  }
  const from = options.aliases.length === 0 ? undefined : options.aliases;
  return { fix, from, to: [...options.aliases, fix.value] };
}

function editFile(
  texts: ProjectTexts,
  file: string,
  all: readonly OptionEdit[],
  dryRun: boolean,
  fixed: Fix[],
  skipped: { fix: Fix; why: string }[],
): void {
  const text = texts.read(file);
  const editable = text === undefined ? undefined : EditableFile.read(text);
  const edits: TextEdit[] = [];
  for (const { fix, from, to } of all) {
    const edited = editable?.edit({
      ...{ address: fix.address, field: fix.option, section: 'options', from, to },
      same: (a, b) => canonicalJson(a ?? null) === canonicalJson(b ?? null),
      ordered: true,
    });
    if (edited?.kind === 'edited') {
      edits.push(...edited.edits);
      fixed.push(fix);
    } else
      skipped.push({ fix, why: edited?.kind === 'fixed' ? edited.why : `stands in ${file}, which can't be edited` });
  }
  if (editable !== undefined && edits.length > 0 && !dryRun) texts.write(file, editable.withEdits(edits));
}

async function isRight(workspace: Workspace, before: DesiredState, fixed: readonly Fix[]): Promise<boolean> {
  const { env, packages } = workspace.options;
  const { desired: now } = await loadCatalogue(workspace.config, { env, packages });
  if (now === undefined || now.resources.size !== before.resources.size) return false;
  if (!sameMeaning(before.variables, now.variables) || !sameMeaning(before.outputs, now.outputs)) return false;
  const byAddress = new Map<Address, Fix>(fixed.map((fix) => [fix.address, fix]));
  return [...now.resources].every(([address, resource]) => {
    const old = before.resources.get(address);
    if (old === undefined || old.type !== resource.type || !sameMeaning(old.properties, resource.properties))
      return false;
    const fix = byAddress.get(address);
    if (fix !== undefined && !isSaid(fix, resource)) return false;
    return sameOptions(old.options, resource.options, fix?.option);
  });
}

function sameOptions(
  before: DesiredResource['options'],
  now: DesiredResource['options'],
  fixed: Fix['option'] | undefined,
): boolean {
  const rest = (options: DesiredResource['options']): string =>
    canonicalJson(Object.fromEntries(Object.entries(options).filter(([name]) => name !== fixed)) as Json);
  return rest(before) === rest(now);
}

function otherStack(plan: Plan, project: string, stack: string): Diagnostic {
  return {
    severity: 'error',
    code: 'fix-other-stack',
    summary: `The plan is of the stack ${plan.stack} of ${plan.project}, and this is the stack ${stack} of ${project}.`,
    hint: `sync fix PLAN --stack ${plan.stack}`,
  };
}

function skippedNotice({ fix, why }: { readonly fix: Fix; readonly why: string }): Diagnostic {
  return {
    severity: 'warning',
    code: 'cannot-fix',
    summary: `${fix.option} of ${fix.address} was not written: the block ${why}.`,
    hint: `Write it by hand: ${fix.option}: ${fix.option === 'aliases' ? `[${fix.value}]` : `'${fix.value}'`}`,
    address: fix.address,
  };
}

function undone(): Diagnostic {
  return {
    severity: 'error',
    code: 'fix-undone',
    summary: 'The options would have changed more than the resources they belong to; the files were put back.',
    hint: 'See what would be written with --dry-run, and write it by hand.',
  };
}
