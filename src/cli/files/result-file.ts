import type { World } from '@platform-sync/core/model/world';
import { existsSync, type Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mostLevels, readJson } from '@platform-sync/core/model/read-json';
import { type Diagnostic, errorCode } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { defined } from '@platform-sync/core/model/value';
import type { Pipeline } from '@platform-sync/core/model/pipeline';
import type { Plan } from '@platform-sync/core/model/plan';
import { parsePlan } from '@platform-sync/engine/plan/saved-plan';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import type { NoPlan } from '@platform-sync/report/document/no-plan';
import { fileReason } from './file-reason.js';
import { withLoggedSteps } from './step-log.js';
import { broughtAlong } from './tracked-file.js';

/** A document that a run left. */
type ResultDocument =
  | { readonly kind: 'plan'; readonly document: Plan }
  | { readonly kind: 'no-plan'; readonly document: NoPlan }
  | { readonly kind: 'apply-result'; readonly document: ApplyOutcome }
  | { readonly kind: 'drift'; readonly document: DriftResult };

export type ResultFile =
  | { readonly found: ResultDocument; readonly path: string }
  /** `missing`: the run left none. `stale`: it is a plan, but not the one that was written. */
  | { readonly diagnostic: Diagnostic; readonly missing: boolean; readonly stale: boolean; readonly found?: undefined };

/** In a folder of reports the last thing that was done counts. */
const fileNames = ['result.json', 'plan.json', 'no-plan.json'];

/** The places of the results that are meant: a folder that holds none itself stands for those of its folders that hold one. */
export async function resultPaths(given: readonly string[]): Promise<readonly string[]> {
  const paths = await Promise.all(
    given.map(async (path) => {
      if (!(await stat(path).then(isFolder, () => false)) || holdsResult(path)) return [path];
      const names = (await readdir(path)).sort();
      const below = names.map((name) => join(path, name)).filter(holdsResult);
      return below.length === 0 ? [path] : below;
    }),
  );
  return paths.flat();
}

function holdsResult(folder: string): boolean {
  return fileNames.some((name) => existsSync(join(folder, name)));
}

/** Reads the result of a plan, an apply or a drift check; of a folder, the last one in it. */
export async function readResultFile(given: string, world: Pick<World, 'spawn'>): Promise<ResultFile> {
  const path = await documentIn(given, world);
  const brought = await broughtAlong(path, world);
  if (brought !== undefined) return problem(path, brought, false);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    const why = code === 'EISDIR' ? 'it holds no result' : fileReason(error);
    return problem(path, `can't be read: ${why}`, code === 'ENOENT' || code === 'EISDIR');
  }
  const value = jsonOf(text);
  const kind = kindOf(value);
  if (kind === 'plan') return planOf(text, path);
  const document = value as Readonly<Record<string, unknown>>;
  if (!shapes[kind].every(([name, isRight]) => isRight(document[name])))
    return problem(path, `is not a whole result of the kind "${kind}"`, false);
  const found = { kind, document } as unknown as ResultDocument;
  if (found.kind !== 'apply-result') return { found, path };
  return { found: { kind: found.kind, document: await withLoggedSteps(found.document, path, world) }, path };
}

/** A document that came with the checkout hides none that a run left. */
async function documentIn(given: string, world: Pick<World, 'spawn'>): Promise<string> {
  if (!(await stat(given).then(isFolder, () => false))) return given;
  const paths = fileNames.map((name) => join(given, name)).filter((path) => existsSync(path));
  const brought = await Promise.all(paths.map((path) => broughtAlong(path, world)));
  return paths.find((_, at) => brought[at] === undefined) ?? paths[0] ?? given;
}

const isFolder = (entry: Stats): boolean => entry.isDirectory();

/** What a document says of itself: which stack it is of, and which run of a pipeline made it. */
export function originOf({ kind, document }: ResultDocument): { readonly stack?: string; readonly pipeline: Pipeline } {
  const { pipeline = {} } = kind === 'plan' ? document.meta : document;
  return { ...defined({ stack: document.stack }), pipeline };
}

function planOf(text: string, path: string): ResultFile {
  const read = parsePlan(text);
  if ('plan' in read) return { found: { kind: 'plan', document: read.plan }, path };
  return {
    diagnostic: read.diagnostic,
    missing: false,
    stale: read.reason === 'altered' || read.reason === 'outdated',
  };
}

function problem(path: string, what: string, missing: boolean): ResultFile {
  const summary = `The result ${path} ${what}.`;
  return { diagnostic: { severity: 'error', code: 'result-unreadable', summary }, missing, stale: false };
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text, mostLevels.own);
  } catch {
    return undefined;
  }
}

/** What is nothing else is taken for a plan, whose reader says what is wrong with it. */
function kindOf(value: unknown): ResultDocument['kind'] {
  if (!isRecord(value)) return 'plan';
  const kind = value['kind'];
  if (kind === 'no-plan' || kind === 'apply-result') return kind;
  return 'checkedAt' in value && 'findings' in value ? 'drift' : 'plan';
}

type Check = (value: unknown) => boolean;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const recordOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
const shaped =
  (members: readonly (readonly [string, Check])[]): Check =>
  (value) =>
    isRecord(value) && members.every(([name, check]) => check(value[name]));
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const isNumber: Check = (value) => typeof value === 'number';

const isPipeline = shaped([
  ['repository', optional(isText)],
  ['commit', optional(isText)],
  ['run', optional(isNumber)],
  ['folder', optional(isText)],
]);
const isPlace = shaped([
  ['file', isText],
  ['line', isNumber],
  ['column', isNumber],
]);
const isDiagnostic = shaped([
  ['severity', oneOf('error', 'warning', 'info')],
  ['code', isText],
  ['summary', isText],
  ['detail', optional(isText)],
  ['hint', optional(isText)],
  ['address', optional(isText)],
  ['field', optional(isText)],
  ['place', optional(isPlace)],
]);
const isStep = shaped([
  ['address', isText],
  ['action', isText],
  ['outcome', oneOf('done', 'failed', 'skipped')],
  ['because', optional(isText)],
  ['diagnostics', optional(listOf(isDiagnostic))],
]);
const isGuard = shaped([
  ['name', isText],
  ['summary', isText],
  ['addresses', listOf(isText)],
  ['lifted', optional(isText)],
  ['level', optional(oneOf('warn', 'deny'))],
]);
const isMismatch = shaped(['what', 'reviewed', 'now', 'meaning'].map((name) => [name, isText] as const));
const isFinding = shaped(
  ['id', 'address', 'type', 'class', 'severity', 'trend', 'firstSeen', 'todo'].map((name) => [name, isText] as const),
);

/** What a document must hold so that every report of it can be made. */
const shapes: Readonly<Record<Exclude<ResultDocument['kind'], 'plan'>, readonly (readonly [string, Check])[]>> = {
  'no-plan': [
    ['diagnostics', listOf(isDiagnostic)],
    ['project', optional(isText)],
    ['stack', optional(isText)],
    ['endedAt', optional(isText)],
    ['pipeline', optional(isPipeline)],
  ],
  'apply-result': [
    ['status', oneOf('done', 'partly', 'failed', 'stale', 'blocked', 'interrupted', 'unknown')],
    ['steps', listOf(isStep)],
    ['outputs', isRecord],
    ['diagnostics', listOf(isDiagnostic)],
    ['mismatches', optional(listOf(isMismatch))],
    ['guards', optional(listOf(isGuard))],
    ['sources', optional(recordOf(isText))],
    ['targets', optional(recordOf(isText))],
    ['requests', isNumber],
    ['project', optional(isText)],
    ['stack', optional(isText)],
    ['endedAt', optional(isText)],
    ['pipeline', optional(isPipeline)],
  ],
  drift: [
    ['status', oneOf('clean', 'drift', 'incomplete', 'failed')],
    ['checkedAt', isText],
    ['pipeline', optional(isPipeline)],
    ['project', isText],
    ['stack', isText],
    ['targets', recordOf(isText)],
    ['findings', listOf(isFinding)],
    ['diagnostics', listOf(isDiagnostic)],
    ...['notCompared', 'resolved', 'ignored', 'converged', 'unapplied', 'unmanaged'].map(
      (name) => [name, listOf(isRecord)] as const,
    ),
  ],
};
