import { addTo } from '@platform-sync/core/model/graph';
import { parsedJson } from '@platform-sync/core/model/read-json';
import type { Fix, FixResult } from '../api.js';
import { importIdOf } from '../apply/import-id.js';
import { EditableFile, type PropertyEdited } from '@platform-sync/catalogue/edit/properties';
import type { TextEdit } from '@platform-sync/catalogue/edit/text';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { sameMeaning } from '@platform-sync/catalogue/build/meaning';
import { isSpecification } from '@platform-sync/catalogue/read/file-texts';
import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson, sameJson } from '@platform-sync/core/model/canonical';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import { defined, isObject, type Json } from '@platform-sync/core/model/value';
import type { Workspace } from '../workspace.js';
import { ProjectTexts } from './project-texts.js';
import type { MoveBelow } from '@platform-sync/catalogue/edit/move-below';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** A fix, and how it is written into a file. */
interface FileEdit {
  readonly fix: Fix;
  readonly edit: (file: EditableFile) => PropertyEdited;
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
  const skipped: Skipped[] = [];
  const fixed: Fix[] = [];
  const byFile = new Map<string, FileEdit[]>();
  const add = (fix: Fix, edit: (resource: DesiredResource) => FileEdit['edit']): void => {
    const resource = desired.resources.get(fix.address);
    if (resource === undefined) skipped.push({ fix, why: 'is not in the catalogue any more' });
    else if (!isSaid(fix, resource)) addTo(byFile, resource.at.file, { fix, edit: edit(resource) });
  };
  for (const fix of fixesOf(plan, workspace)) add(fix, (resource) => optionEdit(fix, resource));
  const moves = await movesOf(plan, workspace, desired);
  for (const { fix, move } of moves) add(fix, () => (file) => file.moveBelow(move));
  for (const [file, all] of byFile) editFile(texts, file, all, dryRun, fixed, skipped);
  const told = [...diagnostics, ...skipped.map(skippedNotice)];
  if (dryRun || fixed.length === 0) return { fixed, skipped, files: [], diagnostics: told };
  if (await isRight(workspace, desired, fixed, moves))
    return { fixed, skipped, files: texts.written, diagnostics: told };
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
  if (option === 'children') return false;
  return option === 'aliases' ? options.aliases.includes(value) : options.import === value;
}

function optionEdit(fix: Fix, { options }: DesiredResource): FileEdit['edit'] {
  const from = fix.option === 'import' ? options.import : options.aliases.length === 0 ? undefined : options.aliases;
  // Ids of objects that live in another one are spelled as a map, which needs no quotes.
  const id = fix.value.startsWith('{') ? parsedJson(fix.value) : fix.value;
  return (file) =>
    file.edit({
      ...{ address: fix.address, field: fix.option, section: 'options', from },
      to: fix.option === 'import' ? id : [...options.aliases, fix.value],
      same: sameJson,
      ordered: true,
    });
}

function editFile(
  texts: ProjectTexts,
  file: string,
  all: readonly FileEdit[],
  dryRun: boolean,
  fixed: Fix[],
  skipped: Skipped[],
): void {
  const text = texts.read(file);
  const editable = text === undefined ? undefined : EditableFile.read(text);
  const edits: TextEdit[] = [];
  for (const { fix, edit } of all) {
    const edited = editable === undefined ? undefined : edit(editable);
    if (edited?.kind === 'edited') {
      edits.push(...edited.edits);
      fixed.push(fix);
    } else skipped.push({ fix, ...whyNot(edited, file, text) });
  }
  if (editable !== undefined && edits.length > 0 && !dryRun) texts.write(file, editable.withEdits(edits));
}

interface Skipped {
  readonly fix: Fix;
  readonly why: string;
  /** Only a file of a source describes the resource: it has no block yet. */
  readonly isOfSource?: boolean;
}

function whyNot(
  edited: PropertyEdited | undefined,
  file: string,
  text: string | undefined,
): Pick<Skipped, 'why' | 'isOfSource'> {
  const isOfSource = /\.(?:md|markdown)$/i.test(file) || (text !== undefined && isSpecification(text));
  if (isOfSource) return { why: `is missing: the file ${file} of a source is all there is`, isOfSource };
  return { why: edited?.kind === 'fixed' ? edited.why : `stands in ${file}, which can't be edited` };
}

async function isRight(
  workspace: Workspace,
  before: DesiredState,
  fixed: readonly Fix[],
  moves: readonly Move[],
): Promise<boolean> {
  const { env, packages } = workspace.options;
  const { desired: read } = await loadCatalogue(workspace.config, { env, packages });
  const done = moves.filter(({ fix }) => fixed.includes(fix));
  const now = read === undefined ? undefined : movedBack(read, before, done);
  if (now === undefined || now.resources.size !== before.resources.size) return false;
  if (!sameMeaning(before.variables, now.variables) || !sameMeaning(before.outputs, now.outputs)) return false;
  const byAddress = new Map<Address, Fix>(fixed.map((fix) => [fix.address, fix]));
  return [...now.resources].every(([address, resource]) => {
    const old = before.resources.get(address);
    if (old === undefined || old.type !== resource.type || !sameMeaning(old.properties, resource.properties))
      return false;
    const fix = byAddress.get(address);
    if (fix?.option === 'children') return sameOptions(old.options, resource.options, undefined);
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
    canonicalJson({ ...options, ...(fixed === undefined ? {} : { [fixed]: null }) });
  return rest(before) === rest(now);
}

function otherStack(plan: Plan, project: string, stack: string): Diagnostic {
  return {
    severity: 'error',
    code: 'fix-other-stack',
    summary: `The plan is of the stack ${plan.stack} of ${plan.project}, and this is the stack ${stack} of ${project}.`,
    hint: `Name the stack of the plan: sync fix PLAN --stack ${plan.stack}`,
  };
}

function skippedNotice({ fix, why, isOfSource = false }: Skipped): Diagnostic {
  return {
    severity: 'warning',
    code: 'cannot-fix',
    summary: `${fix.option} of ${fix.address} was not written: the block ${why}.`,
    hint: isOfSource ? `Write one under "resources": ${inBlock(fix)}` : `Write it by hand: ${byHand(fix)}`,
    address: fix.address,
  };
}

/** What is below another resource stands among its children. */
function inBlock(fix: Fix): string {
  const keys = fix.address.split('/');
  return keys.reduceRight(
    (inner, key, index) =>
      `${key}: {${index < keys.length - 1 ? 'children: {' : ''}${inner}${index < keys.length - 1 ? '}' : ''}}`,
    `options: {${byHand(fix)}}`,
  );
}

function byHand({ option, value }: Fix): string {
  if (option === 'children')
    return `children: {${value}: {type: …, properties: …}}, with the property that replaces it.`;
  return `${option}: ${option === 'aliases' ? `[${value}]` : `'${value}'`}`;
}

function undone(): Diagnostic {
  return {
    severity: 'error',
    code: 'fix-undone',
    summary: 'The options would have changed more than the resources they belong to; the files were put back.',
    hint: 'See what would be written with --dry-run, and write it by hand.',
  };
}

/** A property that would replace its object, and could be edited in place in an object of its own. */
interface Move {
  readonly fix: Fix;
  readonly move: MoveBelow;
}

/** What the replacements of a plan are for and the platform keeps in an object below: there it can be edited in place. */
async function movesOf(plan: Plan, workspace: Workspace, desired: DesiredState): Promise<readonly Move[]> {
  const kept = plan.steps.flatMap(({ address, type: token, action, fields }) => {
    const type = workspace.typeOf(token);
    const field = fields.find(({ field: name, rule }) => rule === 'replace' && type.fields[name]?.keptAs !== undefined);
    return action === 'replace' && field !== undefined ? [{ address, type, field: field.field }] : [];
  });
  if (kept.length === 0) return [];
  await workspace.loadPackages(kept.map(({ type, field }) => type.fields[field]?.keptAs ?? ''));
  const { resources } = await (await workspace.state()).read();
  return kept.map(({ address, type, field }) => {
    const below = workspace.typeOf(type.fields[field]?.keptAs ?? '');
    const record = resources.get(address);
    const shown = record?.outputs[type.fields[field]?.movesWith ?? ''];
    const importId = record === undefined ? undefined : existing(below, record.identity.id, shown);
    const key = freeKey(address, desired);
    const allowBroken = desired.resources.get(address)?.options.allowBrokenSpecification;
    const move = { address, field, key, type: below.shortToken, ...defined({ importId, allowBroken }) };
    return { fix: { address, option: 'children', value: key }, move };
  });
}

/** The import id of the object that the output shows. */
function existing(below: ResourceType, parent: string, shown: Json | undefined): Json | undefined {
  const id = isObject(shown) ? shown['id'] : undefined;
  const field = below.parent?.field;
  if (typeof id !== 'string' || field === undefined) return undefined;
  const text = importIdOf(below, { identity: { id, scope: { [field]: parent } } });
  return text.startsWith('{') ? parsedJson(text) : text;
}

function freeKey(address: Address, desired: DesiredState): string {
  const isFree = (key: string): boolean => !desired.resources.has(`${address}/${key}`);
  const names = ['version', ...Array.from(desired.resources, (_, at) => `version${at + 2}`)];
  return names.find(isFree) ?? 'version';
}

/** The catalogue as it was before these moves; undefined where one did something else than move. */
function movedBack(now: DesiredState, before: DesiredState, moves: readonly Move[]): DesiredState | undefined {
  const resources = new Map(now.resources);
  for (const { move } of moves) {
    const child = `${move.address}/${move.key}`;
    const [added, above, old] = [resources.get(child), resources.get(move.address), before.resources.get(move.address)];
    const [was, is] = [old?.properties.get(move.field), added?.properties.get(move.field)];
    if (added === undefined || above === undefined || was === undefined || is === undefined) return undefined;
    if (above.properties.has(move.field) || !sameMeaning(new Map([['', was]]), new Map([['', is]]))) return undefined;
    resources.delete(child);
    resources.set(move.address, withProperty(above, old, move.field));
  }
  return { ...now, resources };
}

/** In the order it had. */
function withProperty(resource: DesiredResource, old: DesiredResource | undefined, field: string): DesiredResource {
  const names = [...(old?.properties.keys() ?? [])];
  const all = new Map([...resource.properties, ...[...(old?.properties ?? [])].filter(([name]) => name === field)]);
  const inOrder = names.flatMap((name) => {
    const value = all.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...resource, properties: new Map(inOrder) };
}
