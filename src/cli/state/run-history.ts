import type { Address } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/value';
import { rowsOfRun, type RunEntry, type RunEnd, type RunPlan } from '@platform-sync/core/model/run';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { visible } from '@platform-sync/report/words/escape';
import { table } from '@platform-sync/report/text/table';
import { UsageError } from '../process/usage-error.js';

type History = Pick<StateStore, 'runs'>;

/** One run, as the history tells of it in short. */
interface RunSummary extends Partial<Omit<RunPlan, 'kind' | 'steps'>> {
  readonly run: number;
  readonly at: string;
  readonly command: string;
  readonly owner: string;
  /** Absent: it was killed, works still, or is of a command that carries no plan out. */
  readonly status?: string;
  readonly steps?: readonly { readonly address: Address; readonly action: string; readonly outcome?: string }[];
  readonly requests?: number;
}

/** The latest runs, or the latest that changed the record of an address. */
export async function latestRuns(
  store: History,
  { address, limit, before }: { readonly address?: Address; readonly limit: number; readonly before?: number },
): Promise<readonly RunSummary[]> {
  const earlier = before === undefined ? undefined : await firstRow(store, before);
  const begun = { kinds: ['begin'], limit, ...defined({ before: earlier }) } as const;
  const numbers =
    address === undefined
      ? (await store.runs(begun)).map(({ run }) => run)
      : await runsAt(store, address, limit, earlier);
  const runs = [...new Set(numbers)];
  const rows = await store.runs({ runs, kinds: ['begin', 'plan', 'end'], limit: runs.length * 3 });
  return runs.flatMap((run) => summaryOf(rows.filter((row) => row.run === run)) ?? []);
}

async function firstRow(store: History, run: number): Promise<number | undefined> {
  return (await store.runs({ run, kinds: ['begin'], limit: 1 }))[0]?.number;
}

async function runsAt(store: History, address: Address, limit: number, before?: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let from = before; found.size < limit;) {
    const page = await store.runs({ address, limit: 200, ...defined({ before: from }) });
    for (const { run } of page) if (found.size < limit) found.add(run);
    from = page.at(-1)?.number;
    if (from === undefined) break;
  }
  return [...found];
}

function summaryOf(rows: readonly RunEntry[]): RunSummary | undefined {
  const [begin] = rows.flatMap(({ content, ...row }) => (content.kind === 'begin' ? [{ ...row, ...content }] : []));
  const [plan] = rows.flatMap(({ content }) => (content.kind === 'plan' ? [content] : []));
  const [end] = rows.flatMap(({ content }) => (content.kind === 'end' ? [content] : []));
  if (begin === undefined) return undefined;
  const { run, at, command, owner } = begin;
  const { kind: _kind, steps: planned = [], ...facts } = plan ?? {};
  const outcomes = new Map(end?.steps.map(({ address, outcome }) => [address, outcome]));
  const steps = planned.map(({ address, action }) => ({
    address,
    action,
    ...defined({ outcome: outcomes.get(address) }),
  }));
  return {
    ...{ run, at, command, owner, ...facts },
    ...(plan === undefined ? {} : { steps }),
    ...defined({ status: end?.status, requests: end?.requests }),
  };
}

/** Everything that the history keeps of a run, in its order. */
export async function knownRun(store: History, run: number): Promise<readonly RunEntry[]> {
  const rows = await rowsOfRun(store, { run });
  if (rows.length > 0) return rows;
  throw new UsageError(`the history has no run ${String(run)}`, 'The runs that it has: sync history');
}

/** A number that a person typed. */
export function runNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`a run has a number, not "${text}"`, 'The runs: sync history');
}

/** A table of runs, the latest first. */
export function runsText(runs: readonly RunSummary[]): string {
  if (runs.length === 0) return 'No run is recorded.\n';
  return table(
    runs.map(({ run, at, command, owner, actor, status, steps = [], effectDigest }) => [
      ...[String(run), at.slice(0, 19).replace('T', ' '), visible(command), visible(actor ?? owner)],
      status ?? (steps.length === 0 ? '' : 'no end'),
      stepCounts(steps),
      effectDigest?.slice(0, 12) ?? '',
    ]),
  );
}

function stepCounts(steps: NonNullable<RunSummary['steps']>): string {
  const counts = new Map<string, number>();
  for (const { action } of steps) counts.set(action, (counts.get(action) ?? 0) + 1);
  return [...counts].map(([action, count]) => `${count} ${action}`).join(', ');
}

/** One run for people: who and why, then what became of each step and of each record. */
export function runText(rows: readonly RunEntry[]): string {
  const summary = summaryOf(rows);
  const plan = rows.flatMap(({ content }) => (content.kind === 'plan' ? [content] : []))[0];
  const end = rows.flatMap(({ content }) => (content.kind === 'end' ? [content] : []))[0];
  const lines = [
    ...(summary === undefined ? [] : headLines(summary)),
    ...(plan?.lifted ?? []).map(({ guard, reason }) => `lifted  ${visible(guard)}: ${visible(reason)}`),
    ...(plan?.policies === undefined ? [] : policyLines(plan.policies)),
    ...stepLines(plan, end),
    ...rows.flatMap(recordLine),
  ];
  return `${lines.join('\n')}\n`;
}

function headLines(summary: RunSummary): readonly string[] {
  const { run, at, command, owner, actor, subjects = {}, request, pipeline, ...rest } = summary;
  const { effectDigest, status, steps, requests } = rest;
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['by', actor === undefined ? owner : `${actor} (${owner})`],
    ...Object.entries(subjects).map(([provider, subject]) => [`token of ${provider}`, subject] as const),
    ['commit', pipeline?.commit],
    ['request', request],
    ['pipeline', pipeline?.run],
    ['effect', effectDigest?.slice(0, 12)],
    [
      'status',
      status ??
        (steps === undefined
          ? undefined
          : 'no end recorded: it was killed, is still running, or the state store was away'),
    ],
    ['requests', requests],
  ];
  return [
    `Run ${run}: ${visible(command)}, ${at}`,
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}  ${visible(String(value))}`])),
  ];
}

function policyLines({ rules, found }: NonNullable<RunPlan['policies']>): readonly string[] {
  return [`rules  ${String(rules)}`, ...found.map(({ level, summary }) => `${level}  ${visible(summary)}`)];
}

function stepLines(plan: RunPlan | undefined, end: RunEnd | undefined): readonly string[] {
  const outcomes = new Map(end?.steps.map((step) => [step.address, step]));
  return (plan?.steps ?? []).map(({ address, action, fields }) => {
    const step = outcomes.get(address);
    const why = step?.diagnostics?.[0]?.summary ?? step?.because;
    const changed = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
    return `${step?.outcome ?? 'unknown'}  ${action} ${visible(address)}${changed}${why === undefined ? '' : `: ${visible(why)}`}`;
  });
}

function recordLine({ address, content }: RunEntry): readonly string[] {
  const at = visible(address ?? '');
  if (content.kind === 'record') {
    if (content.removed === true) return [`record  ${at} was removed`];
    return [`record  ${at} was ${content.before === null ? 'made' : 'changed'}`];
  }
  if (content.kind === 'move') return [`record  ${at} came from ${visible(content.from)}`];
  if (content.kind === 'replace') return ['record  all of the state was replaced by a document'];
  if (content.kind === 'freeze') return [`frozen  ${visible(content.reason)}`];
  return content.kind === 'thaw' ? ['thawed'] : [];
}
