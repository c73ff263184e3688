import type { UndoneEdit, UndoEditsResult } from '../api.js';
import { compareText, parentAddress, type Address } from '@platform-sync/core/model/address';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { defined } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { meaning, sameMeaning } from '@platform-sync/catalogue/build/meaning';
import { EditableFile, type PropertyEdited } from '@platform-sync/catalogue/edit/properties';
import { templateOf } from '@platform-sync/catalogue/edit/template';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { discoverFiles } from '@platform-sync/catalogue/read/discover';
import type { CatalogueChange } from '../drift/places-to-edit.js';
import type { Workspace } from '../workspace.js';
import { editFiles } from './edit-files.js';
import { ProjectTexts } from './project-texts.js';
import type { Block, Difference } from './undo-differences.js';

/**
 * Writes differences into the catalogue files, and reads them again: where anything but that means something else then, the files are
 * put back, and each is tried alone. `isDry`: writes nothing.
 */
export async function writeDifferences(
  workspace: Workspace,
  before: DesiredState,
  differences: readonly Difference[],
  isDry: boolean,
): Promise<UndoEditsResult> {
  const editor = new UndoEditor(workspace, before, isDry);
  const skipped = new Map<Difference, string>();
  for (const one of differences) if (one.write.kind === 'nothing') skipped.set(one, one.write.why);
  const wanted = differences.filter((one) => !skipped.has(one));
  if (wanted.length > 0 && !(await editor.attempt(wanted, skipped)))
    for (const one of wanted)
      if (!skipped.has(one) && !(await editor.attempt([one], skipped)))
        skipped.set(one, 'its edit would change more than this; the files were restored');
  return {
    edits: editor.done.map((one) => editOf(one, editor.placed.get(one))),
    skipped: [...skipped].map(([one, why]) => ({ edit: editOf(one), why })),
    files: [...editor.files].sort(compareText),
    diagnostics: [],
  };
}

function editOf({ address, field, place, write }: Difference, at = place && `${place.file}:${place.line}`): UndoneEdit {
  const kind = write.kind === 'add' || write.kind === 'remove' ? write.kind : 'value';
  const to = write.kind === 'value' ? write.change.to : undefined;
  return { kind, address, ...defined({ field, at, to }) };
}

class UndoEditor {
  readonly done: Difference[] = [];
  readonly files = new Set<string>();
  /** Where blocks went that no file had. */
  readonly placed = new Map<Difference, string>();
  readonly #workspace: Workspace;
  readonly #before: DesiredState;
  readonly #isDry: boolean;

  constructor(workspace: Workspace, before: DesiredState, isDry: boolean) {
    this.#workspace = workspace;
    this.#before = before;
    this.#isDry = isDry;
  }

  /** False: more than what was wanted would have changed. */
  async attempt(wanted: readonly Difference[], skipped: Map<Difference, string>): Promise<boolean> {
    const { config, reading } = this.#workspace;
    const texts = new ProjectTexts(config.root, this.#isDry);
    const left = await this.#edit(texts, wanted);
    const edited = wanted.filter((one) => !left.has(one));
    if (!this.#isDry && edited.length > 0) {
      const { desired } = await loadCatalogue(config, reading);
      if (desired === undefined || !this.#isAsWanted(desired, [...this.done, ...edited])) {
        texts.putBack();
        return false;
      }
    }
    for (const [one, why] of left) skipped.set(one, why);
    this.done.push(...edited);
    for (const file of texts.written) this.files.add(file);
    return true;
  }

  async #edit(texts: ProjectTexts, wanted: readonly Difference[]): Promise<ReadonlyMap<Difference, string>> {
    const { config, typeOf } = this.#workspace;
    const { files: overlays } = await discoverFiles(config.root, config.overlays ?? []);
    const left = new Map<Difference, string>();
    const of = new Map<CatalogueChange, Difference>();
    for (const one of wanted) if (one.write.kind === 'value') of.set(one.write.change, one);
    const context = { texts, overlays: new Set(overlays), fileRule: (token: string) => typeOf(token).file };
    for (const [change, why] of editFiles(context, [...of.keys()])) {
      const one = of.get(change);
      if (one !== undefined) left.set(one, why);
    }
    for (const one of wanted) {
      const why = await this.#editBlock(texts, one);
      if (why !== undefined) left.set(one, why);
    }
    return left;
  }

  /** Gives why not. */
  async #editBlock(texts: ProjectTexts, one: Difference): Promise<string | undefined> {
    const { address, write } = one;
    if (write.kind === 'remove') {
      const done = edited(texts, this.#before.resources.get(address)?.at.file ?? '', (file) =>
        file.removeBlock(address),
      );
      return 'why' in done ? done.why : undefined;
    }
    if (write.kind !== 'add') return undefined;
    let why: string | undefined = 'the catalogue has no file for it';
    for (const name of await this.#filesFor(address, write.blocks[0]?.type)) {
      const done = edited(texts, name, (file) => file.addBlock(address, write.block));
      why = 'why' in done ? done.why : undefined;
      if ('why' in done) continue;
      this.placed.set(one, `${name}:${done.line}`);
      break;
    }
    return why;
  }

  /** Below what it lives in; else where most of its kind are, then most of any. */
  async #filesFor(address: Address, type: string | undefined): Promise<readonly string[]> {
    const parent = parentAddress(address);
    const { resources } = this.#before;
    if (parent !== undefined) return [resources.get(parent)?.at.file ?? ''];
    const counts = new Map<string, number>();
    for (const one of resources.values())
      if (parentAddress(one.address) === undefined)
        counts.set(one.at.file, (counts.get(one.at.file) ?? 0) + (one.type === type ? 1_000_000 : 1));
    const { config } = this.#workspace;
    const { files } = await discoverFiles(config.root, config.catalogue);
    const used = [...counts].sort(([a, first], [b, second]) => second - first || compareText(a, b));
    return [...new Set([...used.map(([file]) => file), ...files])].filter((file) => /\.(?:ya?ml|json)$/.test(file));
  }

  #isAsWanted(now: DesiredState, wanted: readonly Difference[]): boolean {
    const before = this.#before;
    const added = wanted.flatMap(({ write }) => (write.kind === 'add' ? write.blocks : []));
    const gone: Address[] = [];
    const changed = new Map<string, CatalogueChange>();
    for (const { address, write } of wanted) {
      if (write.kind === 'remove') gone.push(address);
      if (write.kind === 'value') changed.set(`${address} ${write.change.field}`, write.change);
    }
    const stays = [...before.resources.keys()].filter(
      (address) => !gone.some((one) => `${address}/`.startsWith(`${one}/`)),
    );
    if (now.resources.size !== stays.length + added.length) return false;
    if (!sameMeaning(before.variables, now.variables) || !sameMeaning(before.outputs, now.outputs)) return false;
    return (
      stays.every((address) => isChangedOnly(before.resources.get(address), now.resources.get(address), changed)) &&
      added.every((block) => isAsBefore(block, now.resources.get(block.address)))
    );
  }
}

function isAsBefore({ type, properties }: Block, now: DesiredResource | undefined): boolean {
  if (now === undefined || now.type !== type) return false;
  const said = Object.fromEntries([...now.properties].map(([name, value]) => [name, templateOf(value) ?? null]));
  return sameJson(said, properties);
}

/** The line where the edit begins, in the new text. */
function edited(
  texts: ProjectTexts,
  file: string,
  edit: (file: EditableFile) => PropertyEdited,
): { readonly line: number } | { readonly why: string } {
  const text = texts.read(file);
  const editable = text === undefined ? undefined : EditableFile.read(text);
  if (text === undefined || editable === undefined) return { why: `${file} cannot be edited` };
  const found = edit(editable);
  if (found.kind !== 'edited')
    return { why: found.kind === 'fixed' ? `the block ${found.why}` : `${file} is not YAML` };
  texts.write(file, editable.withEdits(found.edits));
  const [{ start, text: added } = { start: 0, text: '' }] = found.edits;
  const breaks = (text.slice(0, start) + (/^\s*/.exec(added)?.[0] ?? '')).match(/\n/g) ?? [];
  return { line: breaks.length + 1 };
}

function isChangedOnly(
  old: DesiredResource | undefined,
  now: DesiredResource | undefined,
  changed: ReadonlyMap<string, CatalogueChange>,
): boolean {
  if (old === undefined || now === undefined || old.type !== now.type) return false;
  const changeOf = (name: string): CatalogueChange | undefined => changed.get(`${old.address} ${name}`);
  return (
    [...new Set([...old.properties.keys(), ...now.properties.keys()])].every((name) => {
      const [change, expression] = [changeOf(name), now.properties.get(name)];
      if (change?.rule === undefined) return meaning(old.properties.get(name)) === meaning(expression);
      const said = expression === undefined ? null : (templateOf(expression) ?? null);
      return sameValue(change.rule, said, change.to ?? null);
    }) &&
    sameJson(
      { ...now.options },
      {
        ...old.options,
        ...defined({ protect: optionIn(changeOf('protect')), retainOnDelete: optionIn(changeOf('retainOnDelete')) }),
      },
    )
  );
}

function optionIn(change: CatalogueChange | undefined): boolean | undefined {
  return change === undefined || change.rule !== undefined ? undefined : change.to === true;
}
