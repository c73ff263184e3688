import type { AcceptResult } from '../../api.js';
import { EditableFile } from '../../catalogue/edit/properties.js';
import type { TextEdit } from '../../catalogue/edit/text.js';
import { loadCatalogue } from '../../catalogue/load.js';
import { meaning, sameMeaning } from '../../catalogue/build/meaning.js';
import { siblingPath } from '../../catalogue/read/text-file.js';
import { acceptance } from '../../drift/acceptable.js';
import type { Acceptance } from '../../drift/acceptable.js';
import { selectFindings } from '../../drift/select-findings.js';
import { defined } from '../../model/defined.js';
import type { DesiredState } from '../../model/desired.js';
import type { Diagnostic } from '../../model/diagnostic.js';
import type { Finding } from '../../model/drift.js';
import { hasUnknown, reveal } from '../../model/value.js';
import { sameValue } from '../../value/equality.js';
import { planScope } from '../../plan/plan-scope.js';
import { evaluate } from '../../resolve/evaluate.js';
import type { Workspace } from '../../workspace.js';
import { checkDrift } from './check.js';
import type { PreparedPlan } from '../prepared.js';
import { ProjectTexts } from '../project-texts.js';

/**
 * Writes what the platform has into the catalogue files, value by value, and reads them again: when anything but the
 * accepted values means something else then, the files are put back.
 */
export async function acceptDrift(workspace: Workspace, words: readonly string[]): Promise<AcceptResult> {
  const { result, prepared } = await checkDrift(workspace, { remember: false });
  const nothing = { accepted: [], skipped: [], files: [] };
  if (prepared === undefined) return { ...nothing, diagnostics: result.diagnostics };
  const selected = selectFindings(result.findings, words);
  if (selected.problems.length > 0) return { ...nothing, diagnostics: [...result.diagnostics, ...selected.problems] };
  const acceptor = new Acceptor(workspace, prepared);
  await acceptor.accept(selected.findings);
  const skipped = selected.findings.flatMap((finding) => {
    const why = acceptor.skipped.get(finding);
    return why === undefined ? [] : [{ finding, why }];
  });
  return {
    accepted: selected.findings.filter((finding) => !acceptor.skipped.has(finding)),
    skipped,
    files: acceptor.files,
    diagnostics: [...result.diagnostics, ...skipped.map(skippedNotice)],
  };
}

class Acceptor {
  readonly skipped = new Map<Finding, string>();
  readonly #workspace: Workspace;
  readonly #prepared: PreparedPlan;
  readonly #done: Acceptance[] = [];
  readonly #files = new Set<string>();

  constructor(workspace: Workspace, prepared: PreparedPlan) {
    this.#workspace = workspace;
    this.#prepared = prepared;
  }

  get files(): readonly string[] {
    return [...this.#files].sort();
  }

  async accept(findings: readonly Finding[]): Promise<void> {
    const wanted: Acceptance[] = [];
    for (const finding of findings) {
      const found = acceptance(finding, this.#prepared.proposals.get(finding.address));
      if ('why' in found) this.skipped.set(finding, found.why);
      else wanted.push(found);
    }
    if (wanted.length === 0 || (await this.#attempt(wanted))) return;
    // One of them reaches further than its own value: find out which.
    for (const one of wanted) {
      if (this.skipped.has(one.finding) || (await this.#attempt([one]))) continue;
      this.skipped.set(one.finding, 'the edit would change more than this value; the files were put back');
    }
  }

  /** Edits, reads again, compares; true when all that was changed is what was to be changed. */
  async #attempt(wanted: readonly Acceptance[]): Promise<boolean> {
    const texts = new ProjectTexts(this.#workspace.config.root);
    const edited = wanted.filter((one) => !this.skipped.has(one.finding));
    const skippedNow = this.#edit(texts, edited);
    const expected = edited.filter((one) => !skippedNow.has(one.finding));
    const { desired } = await loadCatalogue(this.#workspace.config, this.#workspace.reading);
    const isRight = desired !== undefined && this.#isAsWanted(desired, [...this.#done, ...expected]);
    if (!isRight) {
      texts.putBack();
      return false;
    }
    for (const [finding, why] of skippedNow) this.skipped.set(finding, why);
    this.#done.push(...expected);
    for (const file of texts.written) this.#files.add(file);
    return true;
  }

  #edit(texts: ProjectTexts, wanted: readonly Acceptance[]): Map<Finding, string> {
    const skipped = new Map<Finding, string>();
    const dataFiles = new Map<string, string>();
    const byFile = new Map<string, Acceptance[]>();
    for (const one of wanted) byFile.set(one.desired.at.file, [...(byFile.get(one.desired.at.file) ?? []), one]);
    for (const [file, all] of byFile) {
      // One property of a resource at a time: two edits of one block could meet at the same place.
      for (const round of roundsOf(all)) editRound(texts, file, round, skipped, dataFiles);
    }
    for (const [file, text] of dataFiles) texts.write(file, text);
    return skipped;
  }

  #isAsWanted(now: DesiredState, accepted: readonly Acceptance[]): boolean {
    const before = this.#prepared.desired;
    const changed = new Map(accepted.map((one) => [propertyKey(one.finding.address, one.rule.name), one]));
    if (now.resources.size !== before.resources.size) return false;
    if (!sameMeaning(before.variables, now.variables) || !sameMeaning(before.outputs, now.outputs)) return false;
    const scope = planScope(now, this.#prepared.proposals, this.#prepared.lookups, new Map());
    for (const [address, resource] of now.resources) {
      const old = before.resources.get(address);
      if (old === undefined || old.type !== resource.type) return false;
      for (const name of new Set([...old.properties.keys(), ...resource.properties.keys()])) {
        const expression = resource.properties.get(name);
        const wanted = changed.get(propertyKey(address, name));
        if (wanted === undefined) {
          if (meaning(expression) !== meaning(old.properties.get(name))) return false;
          continue;
        }
        const value = expression === undefined ? null : evaluate(expression, scope);
        if (hasUnknown(value) || !sameValue(wanted.rule, reveal(value), wanted.to)) return false;
      }
    }
    return true;
  }
}

function propertyKey(address: string, field: string): string {
  return `${address} ${field}`;
}

function roundsOf(all: readonly Acceptance[]): readonly (readonly Acceptance[])[] {
  const rounds: Acceptance[][] = [];
  const seen = new Map<string, number>();
  for (const one of all) {
    const round = seen.get(one.finding.address) ?? 0;
    seen.set(one.finding.address, round + 1);
    (rounds[round] ??= []).push(one);
  }
  return rounds;
}

function editRound(
  texts: ProjectTexts,
  file: string,
  round: readonly Acceptance[],
  skipped: Map<Finding, string>,
  dataFiles: Map<string, string>,
): void {
  const text = texts.read(file);
  const editable = text === undefined ? undefined : EditableFile.read(text);
  const edits: TextEdit[] = [];
  for (const { finding, rule, from, to } of round) {
    if (editable === undefined) {
      skipped.set(finding, `${file} can not be read`);
      continue;
    }
    const edited = editable.edit({
      ...{ address: finding.address, field: rule.name, from, to },
      // Members are compared as the field does: in the place of a whole value.
      same: (a, b) => sameValue(rule, { member: a }, { member: b }),
      ordered: rule.equality !== 'set' && rule.equality !== 'multisets',
    });
    if (edited.kind === 'edited') edits.push(...edited.edits);
    else if (edited.kind === 'fixed') skipped.set(finding, `the value ${edited.why}`);
    else if (typeof to === 'string') dataFiles.set(siblingPath(file, edited.path), to);
  }
  if (editable !== undefined && edits.length > 0) texts.write(file, editable.withEdits(edits));
}

function skippedNotice({ finding, why }: { readonly finding: Finding; readonly why: string }): Diagnostic {
  const name = finding.field === undefined ? finding.address : `${finding.address}.${finding.field}`;
  return {
    severity: 'warning',
    code: why.includes('put back') ? 'accept-undone' : 'cannot-accept',
    summary: `${name} was not accepted: ${why}.`,
    hint: finding.verbs.includes('revert')
      ? `Change it by hand, or put the platform back: sync drift revert ${finding.id}`
      : 'Change it by hand.',
    address: finding.address,
    ...defined({ field: finding.field }),
  };
}
