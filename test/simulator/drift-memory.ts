import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Catalogue } from './catalogue.js';
import type { CheckRow, FindingRow, NewsRow } from '@platform-sync/state/tables';

/** So many times in a row a finding comes before it is told as one that comes and goes. */
const flapsFrom = 3;

interface Checked {
  readonly at: string;
  /** What was remembered before it, and is now. */
  readonly before: ReadonlyMap<string, FindingRow>;
  readonly now: ReadonlyMap<string, FindingRow>;
  /** What others are told of it. */
  readonly news: NewsRow | undefined;
}

/**
 * What checks remember of a stack, worked out here once more: all that one has found is remembered from then on, since it was found
 * first, until a check finds it no more; and what is new is told to others.
 */
export class DriftMemory {
  /** Of each stack its last checks. */
  readonly #checks = new Map<string, readonly Checked[]>();

  /** What is stored now of the checks of a stack. */
  stored(
    check: CheckRow,
    findings: (isWanted: (row: FindingRow) => boolean) => readonly FindingRow[],
    newsOf: (number: number) => NewsRow | undefined,
  ): void {
    const { stack, checked_at: at, outcome, number } = check;
    const checks = this.#checks.get(stack) ?? [];
    const last = checks.at(-1);
    if (outcome === '' || last?.at === at) return;
    const now = new Map(findings((row) => row.stack === stack).map((row) => [row.id, row]));
    const news = newsOf(number);
    this.#checks.set(stack, [...checks.slice(-3), { at, before: last?.now ?? new Map(), now, news }]);
  }

  /** What is wrong in what a check tells, by what was remembered before it and is after it. */
  wrongIn(check: DriftResult, catalogue: Catalogue | undefined): readonly string[] {
    const { stack, checkedAt, findings, notCompared, resolved, partial } = check;
    const all = this.#checks.get(stack) ?? [];
    const same = all.filter(({ at }) => at === checkedAt);
    const [checked, other] = same;
    if (partial !== undefined) return checked === undefined ? this.#wrongInPart(check, all) : ['a part is remembered'];
    // What nobody remembers, and of two at the same moment one.
    if (checked === undefined || other !== undefined) return [];
    const { before, now, news } = checked;
    const wrong: string[] = [];
    for (const { id, address, trend, firstSeen } of [...findings, ...notCompared]) {
      const row = now.get(id);
      const earlier = before.get(id);
      const what = `${address ?? ''} (${id})`;
      if (
        row === undefined ||
        row.resolved_at !== null ||
        row.last_seen !== checkedAt ||
        row.first_seen !== firstSeen
      ) {
        wrong.push(`${what} is not remembered as found since ${firstSeen}`);
        continue;
      }
      const wasOpen = earlier?.resolved_at === null;
      if (wasOpen ? firstSeen !== earlier.first_seen : firstSeen !== checkedAt)
        wrong.push(`${what} is found since ${firstSeen}`);
      if (row.came < flapsFrom && (trend === 'new') === wasOpen) wrong.push(`${what} is ${trend}`);
      // Somebody has moved it again.
      if (wasOpen && earlier.digest !== row.digest && trend === 'known')
        wrong.push(`${what} is otherwise, and no worse`);
    }
    const open = new Set([...findings, ...notCompared].map(({ id }) => id));
    const left = new Set(check.ignored.map(({ id }) => id));
    for (const { id, address, by, class: kind } of resolved) {
      if (kind !== 'unmanaged' && (by === 'ignored') !== left.has(id))
        wrong.push(`${address} (${id}) is ${by}, and a rule ${left.has(id) ? 'leaves' : 'does not leave'} it out`);
      if (open.has(id) || now.get(id)?.resolved_at === null)
        wrong.push(`${address} (${id}) is settled, and still found`);
      if (before.get(id) === undefined) wrong.push(`${address} (${id}) is settled, and was never found`);
    }
    const isWhole = check.status === 'clean' || check.status === 'drift';
    // What another run may be making just now is not looked for, and stays as it was; nor need what files let go of be.
    for (const { id, address, resolved_at: goneAt, class: kind } of isWhole ? now.values() : [])
      if (goneAt === null && !open.has(id) && kind !== 'unmanaged' && catalogue?.isLetGo(address) !== true)
        wrong.push(`${address} (${id}) is remembered as found, and is not`);
    const isNews = [...findings, ...notCompared].some(({ trend }) => trend !== 'known') || resolved.length > 0;
    const isTold = news !== undefined;
    if (isNews && !isTold) wrong.push('nobody is told of what is new');
    if (isTold && !isNews && isWhole && check.before !== 'failed') wrong.push('others are told, and nothing is new');
    return wrong;
  }

  /** A check of a part goes by what was remembered when it was told, and nobody remembers it. */
  #wrongInPart(
    { checkedAt, findings, notCompared, resolved }: DriftResult,
    all: readonly Checked[],
  ): readonly string[] {
    const known = [...all.slice(-1), ...all.filter(({ at }) => at > checkedAt)].flatMap(({ before, now }) => [
      before,
      now,
    ]);
    const wrong = [...findings, ...notCompared].filter(({ id, firstSeen }) => {
      const open = known.flatMap((rows) => {
        const row = rows.get(id);
        return row?.resolved_at === null ? [row.first_seen] : [];
      });
      return firstSeen === checkedAt
        ? known.length > 0 && known.every((rows) => rows.get(id)?.resolved_at === null)
        : !open.includes(firstSeen);
    });
    return [
      ...wrong.map(({ id, address, firstSeen }) => `${address ?? ''} (${id}) is found since ${firstSeen}`),
      ...resolved.map(({ address }) => `${address} is settled, and only a part was looked at`),
    ];
  }
}
