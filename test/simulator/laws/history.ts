import type { Intent, RecordedResource } from '@platform-sync/core/model/state';
import { type HistoryRow } from '../ledger.js';
import { Laws } from './laws.js';

/** The history of a stack, as a whole. */
export class HistoryLaws extends Laws {
  /** Each record came and went by rows of the history, and each row says truly whether there was one before. */
  async historyIsWhole(stack: string): Promise<void> {
    const { code, out } = await this.world.perform(stack, ['history', 'verify']);
    if (code !== 0) this.blame(`the history of ${stack} is broken: ${out}`);
    const rows = this.witness.history(stack);
    // Of a document in the place of everything the history says no more.
    if (rows.some(({ kind }) => kind === 'replace')) return;
    const kinds = (wanted: string): readonly number[] =>
      rows.flatMap(({ kind, run }) => (kind === wanted ? [run] : []));
    const begun = kinds('begin');
    if (new Set(begun).size !== begun.length) this.blame(`the history of ${stack} says twice that a run began`);
    const ended = new Set(kinds('end'));
    for (const run of kinds('plan'))
      if (run > (this.witness.troubled.get(stack) ?? 0) && !ended.has(run))
        this.blame(`the history of ${stack} does not say how ${String(run)} ended`);
    const known = new Set<string>();
    for (const { number, kind, address, body } of rows) {
      const { before, removed, from } = JSON.parse(body) as { before?: object | null; removed?: true; from?: string };
      const what = `row ${String(number)} of the history of ${stack}`;
      if (kind === 'record' && (before !== null) !== known.has(address ?? ''))
        this.blame(`${what} says that ${address ?? ''} was ${before === null ? 'not ' : ''}there`);
      // Of a move to or from another stack, the other end has the stack before it.
      if (kind === 'move') known.delete(from ?? '');
      if (removed === true) known.delete(address ?? '');
      else if ((kind === 'record' || kind === 'move') && address?.includes(':') === false) known.add(address);
    }
    this.#makersAreTold(stack, rows);
    const records = new Set(this.witness.records((row) => row.stack === stack).map(({ address }) => address));
    const unsaid = [...records, ...known].filter((address) => records.has(address) !== known.has(address));
    if (unsaid.length > 0) this.blame(`the history of ${stack} does not say what became of ${unsaid.join()}`);
  }

  /** What a run made is told as that run's, whoever found it out. */
  #makersAreTold(stack: string, rows: readonly HistoryRow[]): void {
    const commands = new Map(
      rows.flatMap(({ kind, run, body }) =>
        kind === 'begin' ? [[run, (JSON.parse(body) as { readonly command: string }).command] as const] : [],
      ),
    );
    const recordIn = ({ kind, body }: HistoryRow): RecordedResource | null =>
      kind === 'record' ? (JSON.parse(body) as { readonly before: RecordedResource | null }).before : null;
    const befores = rows.map((row) => ({ row, before: recordIn(row) }));
    for (const [id, { runs, stack: of }] of this.witness.makers) {
      // A policy has the id of its site.
      const isOf = ({ identity, type }: RecordedResource): boolean => identity.id === id && !type.endsWith(':Policy');
      const told = befores.find(({ before }) => before !== null && isOf(before))?.row;
      const first = rows.findLast(({ address, number }) => address === told?.address && number < (told?.number ?? 0));
      if (of !== stack || first?.kind !== 'record' || this.witness.unfound.has(id)) continue;
      // Somebody else may take over what a killed run made and nobody knew.
      const isTaken =
        commands.get(first.run) !== 'apply' ||
        this.witness.letGo.has(id) ||
        this.#isMistimed(id) ||
        this.#isImported(`${stack} ${String(first.run)}`, id);
      if (!runs.has(`${stack} ${String(first.run)}`) && !isTaken)
        this.blame(
          `row ${String(first.number)} of the history of ${stack} says that ${String(first.run)} has made ${id}`,
        );
    }
  }

  /** The files of that run took it over by its id. */
  #isImported(run: string, id: string): boolean {
    const plans = this.world.processes.flatMap((process) => (process.runs.has(run) ? process.plans : []));
    return plans.some(({ steps }) =>
      steps.some((step) => step.id === id && step.reasons.some(({ kind }) => kind === 'import')),
    );
  }

  /** By a clock that is wrong, somebody who began alike at its address began before it was made and did not, or the other way round. */
  #isMistimed(id: string): boolean {
    const madeAt = this.witness.touched.get(id)?.[0]?.at ?? 0;
    return [...this.witness.journal].some(([intent, { stack, body }]) => {
      const { address, createdAt } = JSON.parse(body) as Intent;
      const isSaidBefore = Date.parse(createdAt) <= madeAt;
      const isAlike = `${stack} ${address}` === this.witness.madeAt.get(id);
      return isAlike && isSaidBefore !== (this.witness.arrivedAt.get(intent) ?? Infinity) <= madeAt;
    });
  }
}
