import type { Address } from './address.js';
import type { RunEntry, RunPlan, RunQuestion } from './run.js';
import { defined } from './value.js';

/** What asks the history of one stack. */
export interface History {
  readonly runs: (question: RunQuestion) => Promise<readonly RunEntry[]>;
}

/** One run, as the history tells of it in short. */
export interface RunSummary extends Partial<Omit<RunPlan, 'kind' | 'steps'>> {
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

/** Of the rows of one run; undefined where they do not say how it began. */
export function summaryOf(rows: readonly RunEntry[]): RunSummary | undefined {
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
