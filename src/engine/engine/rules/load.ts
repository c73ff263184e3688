import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { discoverFiles } from '@platform-sync/catalogue/read/discover';
import { ProjectFiles } from '@platform-sync/catalogue/read/file-texts';
import { type Diagnostic, DiagnosticError, errorCode, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { PolicySettings, ProjectConfig, RuleText } from '@platform-sync/core/model/project';
import { defined } from '@platform-sync/core/model/value';
import type { Judge } from '../plan/guards/guard.js';
import type { Workspace } from '../workspace.js';
import { judgeOf } from './judge.js';
import { readRules, type RuleSet } from './rule-file.js';

/** The rules of a project and of its operator, ready to be asked. Rejects with DiagnosticError where any is wrong: none is left out. */
export async function projectJudge(workspace: Workspace): Promise<Judge> {
  const { rules, diagnostics, files } = await projectRules(workspace);
  if (hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  const asks = rules.some(({ names }) => names.has('spec'));
  const compare = asks ? await workspace.options.compareSpecifications?.() : undefined;
  return judgeOf(rules, files, compare ?? (() => ({ breaks: [], mayBreak: [], safe: [] })));
}

/** The same with what is wrong, and the cases that stand beside the rules. */
export async function projectRules(
  workspace: Pick<Workspace, 'config' | 'permissions' | 'options' | 'loadPackages' | 'types'>,
): Promise<RuleSet & { readonly files: readonly RuleText[] }> {
  const { config, permissions, options } = workspace;
  const { files, diagnostics } = await ruleFiles(config, permissions.rules);
  await workspace.loadPackages(options.packages.names.map((name) => `${name}:`));
  const read = readRules(files, workspace.types());
  return { ...read, files, diagnostics: [...diagnostics, ...read.diagnostics] };
}

interface RuleFiles {
  readonly files: readonly RuleText[];
  readonly diagnostics: readonly Diagnostic[];
}

async function ruleFiles(config: ProjectConfig, ofOperator: readonly string[]): Promise<RuleFiles> {
  const { policies } = config;
  const own = policies === undefined ? noFiles : await filesOf(config.root, policies, config);
  return { files: [...ofOperator.flatMap(operatorFiles), ...own.files], diagnostics: own.diagnostics };
}

const noFiles: RuleFiles = { files: [], diagnostics: [] };

/** The files that a project's settings name, in its folder as it is, or as of the base. */
export async function filesOf(
  root: string,
  { patterns, ofBase }: PolicySettings,
  { patternPlaces }: Pick<ProjectConfig, 'patternPlaces'>,
): Promise<RuleFiles> {
  if (ofBase !== undefined) return { files: ofBase, diagnostics: [] };
  const { files, unmatched } = await discoverFiles(root, patterns);
  const project = new ProjectFiles(root);
  const read = files.map((file) => ({ file, read: project.read(file) }));
  return {
    files: read.flatMap(({ file, read: found }) => (found.ok ? [{ file, text: found.text }] : [])),
    diagnostics: [
      ...unmatched.map((pattern): Diagnostic => missing(`No policy matches ${pattern}.`, patternPlaces?.get(pattern))),
      ...read.flatMap(({ file, read: found }) =>
        found.ok ? [] : [missing(`The policy ${file} can't be read (${found.why}).`)],
      ),
    ],
  };
}

function missing(summary: string, place?: Diagnostic['place']): Diagnostic {
  const hint = 'No plan is made without its rules: correct "policies" in sync.yaml.';
  return { severity: 'error', code: 'policy-missing', summary, hint, ...defined({ place }) };
}

/** A file, or all YAML files of a folder. */
function operatorFiles(given: string): readonly RuleText[] {
  try {
    const names = statSync(given).isDirectory()
      ? readdirSync(given)
          .filter((name) => /\.ya?ml$/.test(name))
          .sort()
          .map((name) => path.join(given, name))
      : [given];
    return names.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  } catch (error) {
    throw new DiagnosticError([missing(`The policy ${given} can't be read (${errorCode(error) ?? 'unknown'}).`)]);
  }
}
