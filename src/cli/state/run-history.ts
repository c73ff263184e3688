import { rowsOfRun, type RunEntry, type RunEnd, type RunMessage, type RunPlan } from '@platform-sync/core/model/run';
import { type History, type RunSummary, summaryOf } from '@platform-sync/core/model/run-summary';
import { visible } from '@platform-sync/report/words/escape';
import { table } from '@platform-sync/report/text/table';
import { UsageError } from '../process/usage-error.js';

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
    ...(end?.messages ?? []).flatMap(messageLines),
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

function messageLines({ severity, summary, detail, hint, address }: RunMessage): readonly string[] {
  const of = address === undefined ? '' : `${visible(address)}: `;
  const more = [detail, hint].flatMap((text) => (text === undefined ? [] : [`  ${visible(text)}`]));
  return [`${severity}  ${of}${visible(summary)}`, ...more];
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
