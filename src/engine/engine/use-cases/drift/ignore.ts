import type { IgnoreOptions, IgnoreResult } from '../../api.js';
import { withIgnoreRules, type NewRule } from '@platform-sync/catalogue/edit/rules';
import { defined } from '@platform-sync/core/model/value';
import { projectFileName } from '@platform-sync/core/model/project';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { selectFindings } from '../../drift/select-findings.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Finding } from '@platform-sync/core/model/drift';
import type { Workspace } from '../../workspace.js';
import { checkDrift } from './check.js';
import { ProjectTexts } from '../project-texts.js';

/** Adds a rule for each finding to sync.yaml, and reads it again: a file that then says something else is put back. */
export async function ignoreDrift(
  workspace: Workspace,
  words: readonly string[],
  options: IgnoreOptions,
): Promise<IgnoreResult> {
  const { result } = await checkDrift(workspace, { remember: false });
  const nothing = { ignored: [], file: projectFileName };
  if (result.status === 'failed') return { ...nothing, diagnostics: result.diagnostics };
  const selected = selectFindings(result.findings, words);
  const problems = [
    ...selected.problems,
    ...selected.findings.filter(({ verbs }) => !verbs.includes('ignore')).map((f) => refused(f.todo, f.address)),
  ];
  if (problems.length > 0) return { ...nothing, diagnostics: [...result.diagnostics, ...problems] };
  const rules = rulesFor(selected.findings, options);
  const isWritten = await writeRules(workspace, rules);
  if (!isWritten)
    return { ...nothing, diagnostics: [...result.diagnostics, refused('Add it by hand under drift.ignore.')] };
  return { ignored: selected.findings, file: projectFileName, diagnostics: result.diagnostics };
}

function rulesFor(findings: readonly Finding[], { reason, until }: IgnoreOptions): readonly NewRule[] {
  const rules = findings.map(({ address, field }) => ({
    ...{ address, reason },
    ...defined({ field, until }),
  }));
  return [...new Map(rules.map((rule) => [keyOf(rule), rule])).values()];
}

async function writeRules(workspace: Workspace, rules: readonly NewRule[]): Promise<boolean> {
  const { config } = workspace;
  const texts = new ProjectTexts(config.root);
  const text = texts.read(projectFileName);
  const edited = text === undefined ? undefined : withIgnoreRules(text, config.stack, rules);
  if (edited === undefined) return false;
  texts.write(projectFileName, edited);
  const loaded = await loadProjectConfig(config.root, { ...workspace.reading, stack: config.stack });
  const known = new Map(loaded.config?.drift?.ignore.map((rule) => [keyOf(rule), rule]));
  const isRight = rules.every((rule) => {
    const found = known.get(keyOf(rule));
    return found?.reason === rule.reason && found.until === rule.until;
  });
  if (!isRight) texts.putBack();
  return isRight;
}

function keyOf({ address, field }: Pick<NewRule, 'address' | 'field'>): string {
  return JSON.stringify([address, field ?? null]);
}

function refused(hint: string, address?: string): Diagnostic {
  return {
    severity: 'error',
    code: 'cannot-ignore',
    summary: address === undefined ? 'The rule could not be added to sync.yaml.' : `${address} can't be ignored.`,
    hint,
    ...defined({ address }),
  };
}
