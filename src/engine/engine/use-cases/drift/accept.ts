import type { AcceptOptions, AcceptResult } from '../../api.js';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { meaning, sameMeaning } from '@platform-sync/catalogue/build/meaning';
import { discoverFiles } from '@platform-sync/catalogue/read/discover';
import { acceptance, type Acceptance } from '../../drift/acceptance.js';
import { movedReferences } from '../../drift/moved-reference.js';
import { givenElsewhere, saidIn } from '../../drift/places-to-edit.js';
import { selectFindings } from '../../drift/select-findings.js';
import { defined, hasUnknown, reveal } from '@platform-sync/core/model/value';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Finding } from '@platform-sync/core/model/drift';
import type { FileRule } from '@platform-sync/core/model/resource-type';
import { sameValue } from '@platform-sync/core/value/equality';
import { planScope } from '../../plan/selection.js';
import { sealsOf } from '../../sealed-state.js';
import { evaluate } from '@platform-sync/core/resolve/evaluate';
import type { Workspace } from '../../workspace.js';
import { checkDrift } from './check.js';
import { editFiles } from '../edit-files.js';
import type { Work } from '../applicable-plan.js';
import { ProjectTexts } from '../project-texts.js';

/**
 * Writes what the platform has into the catalogue files, value by value, and reads them again: when anything but the
 * accepted values means something else then, the files are put back.
 */
export async function acceptDrift(
  workspace: Workspace,
  words: readonly string[],
  { overlay }: AcceptOptions = {},
): Promise<AcceptResult> {
  const { result, planned } = await checkDrift(workspace, { remember: false });
  const nothing = { accepted: [], skipped: [], files: [] };
  if (planned === undefined) return { ...nothing, diagnostics: result.diagnostics };
  const selected = selectFindings(result.findings, words);
  if (selected.problems.length > 0) return { ...nothing, diagnostics: [...result.diagnostics, ...selected.problems] };
  const acceptor = new Acceptor(workspace, planned.work, overlay);
  await acceptor.accept(selected.findings);
  const skipped = selected.findings.flatMap((finding) => {
    const why = acceptor.skipped.get(finding);
    return why === undefined ? [] : [{ finding, why }];
  });
  return {
    accepted: selected.findings.filter((finding) => !acceptor.skipped.has(finding)),
    skipped,
    files: acceptor.files,
    diagnostics: [
      ...result.diagnostics,
      ...skipped.map((one) => skippedNotice(one, acceptor.undone.has(one.finding) ? 'accept-undone' : 'cannot-accept')),
    ],
  };
}

class Acceptor {
  readonly skipped = new Map<Finding, string>();
  /** Those of them whose edit was made, and taken back. */
  readonly undone = new Set<Finding>();
  readonly #workspace: Workspace;
  readonly #work: Work;
  readonly #overlay: string | undefined;
  readonly #done: Acceptance[] = [];
  readonly #files = new Set<string>();

  constructor(workspace: Workspace, work: Work, overlay: string | undefined) {
    this.#overlay = overlay;
    this.#workspace = workspace;
    this.#work = work;
  }

  get files(): readonly string[] {
    return [...this.#files].sort();
  }

  async accept(findings: readonly Finding[]): Promise<void> {
    const wanted: Acceptance[] = [];
    const { steps } = this.#work;
    const moved = movedReferences(steps);
    for (const finding of findings) {
      const found = acceptance(finding, steps.get(finding.address), moved);
      if ('why' in found) this.skipped.set(finding, this.#givenBy(finding) ?? found.why);
      else wanted.push(found);
    }
    if (wanted.length === 0 || (await this.#attempt(wanted))) return;
    // One of them reaches further than its own value: find out which.
    for (const one of wanted) {
      if (this.skipped.has(one.finding) || (await this.#attempt([one]))) continue;
      const files = this.#overlay ?? [...new Set(saidIn(one).map(({ file }) => file))].join(' and ');
      this.undone.add(one.finding);
      this.skipped.set(one.finding, `the edit of ${files} would change more than this value; the files were restored`);
    }
  }

  /** Where a value stands that parameters and variables give: others may take it from there, so nothing is written. */
  #givenBy({ address, field = '' }: Finding): string | undefined {
    const { desired } = this.#work;
    const expression = desired.resources.get(address)?.properties.get(field);
    const origins = this.#workspace.config.parameters?.origins;
    const given = expression === undefined ? [] : givenElsewhere(expression, desired, (name) => origins?.get(name));
    const change = 'change it there, for everything that uses it, or write another value here';
    return given.length === 0 ? undefined : `the value is made from ${given.join(' and ')}: ${change}`;
  }

  /** Edits, reads again, compares; true when all that was changed is what was to be changed. */
  async #attempt(wanted: readonly Acceptance[]): Promise<boolean> {
    const texts = new ProjectTexts(this.#workspace.config.root);
    const edited = wanted.filter((one) => !this.skipped.has(one.finding));
    const { files } = await discoverFiles(this.#workspace.config.root, this.#workspace.config.overlays ?? []);
    const fileRule = (token: string): FileRule | undefined => this.#workspace.typeOf(token).file;
    const skippedNow = editFiles({ texts, overlays: new Set(files), into: this.#overlay, fileRule }, edited);
    const expected = edited.filter((one) => !skippedNow.has(one));
    const { desired } = await loadCatalogue(this.#workspace.config, this.#workspace.reading);
    const isRight = desired !== undefined && this.#isAsWanted(desired, [...this.#done, ...expected]);
    if (!isRight) {
      texts.putBack();
      return false;
    }
    for (const [{ finding }, why] of skippedNow) this.skipped.set(finding, why);
    this.#done.push(...expected);
    for (const file of texts.written) this.#files.add(file);
    return true;
  }

  #isAsWanted(now: DesiredState, accepted: readonly Acceptance[]): boolean {
    const before = this.#work.desired;
    const changed = new Map(accepted.map((one) => [propertyKey(one.finding.address, one.rule.name), one]));
    if (now.resources.size !== before.resources.size) return false;
    if (!sameMeaning(before.variables, now.variables) || !sameMeaning(before.outputs, now.outputs)) return false;
    const seals = sealsOf(this.#work.state, this.#workspace.redactor);
    const scope = planScope(now, this.#work.steps, this.#work.lookups, new Map(), seals);
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

function skippedNotice(
  { finding, why }: { readonly finding: Finding; readonly why: string },
  code: 'accept-undone' | 'cannot-accept',
): Diagnostic {
  const name = finding.field === undefined ? finding.address : `${finding.address}.${finding.field}`;
  return {
    severity: 'warning',
    code,
    summary: `${name} was not accepted: ${why}.`,
    hint: finding.verbs.includes('revert')
      ? `Change it by hand, or put the platform back: sync drift revert ${finding.id}`
      : 'Change it by hand.',
    address: finding.address,
    ...defined({ field: finding.field }),
  };
}
