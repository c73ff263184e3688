import { cleanRank, type Entry, type Part, type PastRun, type Row } from './entry.js';

/** The text of a comment, and where in it each part stands, so that the next run finds it again. */
export interface CommentText {
  readonly text: string;
  readonly places: ReadonlyMap<Part, Place>;
}

export interface Place {
  readonly start: number;
  readonly length: number;
}

// The platform takes 65,536 characters, of which the marker takes some.
const mostCharacters = 61_000;

/**
 * One entry is told as it is. Of several there is a table, worst first, and each that is not clean below it, folded. `head`: the
 * request's newest commit, where it is open: what was said of an older one is no verdict on it.
 */
export function commentText(entries: readonly Entry[], head?: string): CommentText {
  const text = new PlacedText();
  const told = entries.map((entry) => ({ entry, row: currentRow(entry, head) })).sort(byRank);
  const [only, ...others] = told;
  if (only === undefined) throw new Error('bug: a comment about nothing');
  if (others.length === 0) {
    addEntry(text, only.entry, mostCharacters);
    return text;
  }
  text.add(tableText(told.map(({ row }) => row)));
  const folded = told.filter(isFolded);
  const shares = sharesOf(folded, mostCharacters - text.length);
  for (const one of folded) {
    const begin = `<details><summary>${one.row.mark} ${nameOf(one.row)}: ${one.row.verdict}</summary>\n\n`;
    const end = '\n</details>\n\n';
    text.add(begin);
    addEntry(text, one.entry, (shares.get(one) ?? 0) - begin.length - end.length);
    text.add(end);
  }
  return text;
}

/** An entry, and its row as it is for the commit under review. */
interface Told {
  readonly entry: Entry;
  readonly row: Row;
}

/** Worst first; then by name. */
function byRank(a: Told, b: Told): number {
  return a.row.rank - b.row.rank || (nameOf(a.row) < nameOf(b.row) ? -1 : 1);
}

/** Characters for each. The shortest first: what one does not need goes to those that need more. */
function sharesOf(told: readonly Told[], room: number): ReadonlyMap<Told, number> {
  const shares = new Map<Told, number>();
  let left = room;
  for (const [index, one] of [...told].sort((a, b) => sizeOf(a.entry) - sizeOf(b.entry)).entries()) {
    const share = Math.min(sizeOf(one.entry) + 1000, Math.floor(left / (told.length - index)));
    shares.set(one, share);
    left -= share;
  }
  return shares;
}

/** Collects text, and remembers where parts stand. */
class PlacedText implements CommentText {
  readonly places = new Map<Part, Place>();
  #text = '';

  get text(): string {
    return this.#text;
  }

  get length(): number {
    return this.#text.length;
  }

  add(text: string): void {
    this.#text += text;
  }

  addPart(part: Part, room: number): void {
    const shown = shortened(`${part.markdown.trimEnd()}\n`, room);
    this.places.set(part, { start: this.#text.length, length: shown.length });
    this.#text += shown;
  }
}

/** What is clean is a row, unless more is to be said of it than that. */
function isFolded({ entry: { plan, runs }, row }: Told): boolean {
  return row.rank < cleanRank || plan !== undefined || runs.length > 0;
}

/** What was said of an older commit, or before an apply, is no verdict any more: neither clean nor harmless. */
function currentRow({ now, appliedSince }: Entry, head: string | undefined): Row {
  const { row, revision } = now;
  const isOld = head !== undefined && revision.commit !== head;
  if (now.kind === 'run' || (!isOld && appliedSince === undefined)) return row;
  const why = isOld
    ? `Not planned at ${short(head)} yet. Of ${short(revision.commit)}`
    : `Old: ${short(appliedSince ?? '')} was applied since. Before that`;
  const verdict = `${why}: ${row.verdict}`;
  return { ...row, mark: row.rank < 2 ? row.mark : '❓', rank: Math.min(row.rank, 1), verdict };
}

function addEntry(text: PlacedText, { now, plan, runs, appliedSince }: Entry, room: number): void {
  const old = appliedSince === undefined || now.kind === 'run' ? '' : oldText(appliedSince);
  const before = runs.length === 0 ? '' : runsText(runs);
  const left = room - old.length - before.length;
  text.add(old);
  if (plan === undefined) {
    text.addPart(now, left);
    text.add(before);
    return;
  }
  const head = `\n<details><summary>The plan that was reviewed, of ${short(plan.revision.commit)}: ${plan.row.verdict}</summary>\n\n`;
  const end = '\n</details>\n';
  const of = left - head.length - end.length;
  const kept = Math.max(of - now.markdown.length, Math.min(plan.markdown.length, Math.floor(of / 3)));
  text.addPart(now, of - kept);
  text.add(before);
  text.add(head);
  text.addPart(plan, kept);
  text.add(end);
}

function sizeOf({ now, plan, runs }: Entry): number {
  return now.markdown.length + (plan?.markdown.length ?? 0) + runs.length * 200;
}

function oldText(applied: string): string {
  return `> **This plan is old:** ${short(applied)} was applied since it was made. Run the plan again before this is merged.\n\n`;
}

function tableText(rows: readonly Row[]): string {
  const [worst] = rows;
  if (worst === undefined) return '';
  const heading = `## ${worst.mark} ${worst.verdict}: ${nameOf(worst)}, the gravest of ${rows.length}\n\n`;
  const lines = rows.map(({ mark, project, stack, verdict, counts, link }) => {
    const log = link === undefined ? '' : `[log](${link})`;
    return `| ${mark} | ${project ?? '(not known)'} | ${stack ?? '(not known)'} | ${verdict} | ${counts} | ${log} |\n`;
  });
  return `${heading}| | Project | Stack | Verdict | Counts | |\n|---|---|---|---|---|---|\n${lines.join('')}\n`;
}

function runsText(runs: readonly PastRun[]): string {
  const lines = runs.map(({ row, revision }) => {
    const log = row.link === undefined ? '' : `, [log](${row.link})`;
    return `- ${row.mark} ${row.verdict} (${short(revision.commit)}${log})\n`;
  });
  return `\n**Runs before this one:**\n\n${lines.join('')}`;
}

function nameOf({ project, stack }: Row): string {
  const of = stack === undefined ? '' : `stack ${stack}`;
  return [project ?? '', of].filter((part) => part !== '').join(', ') || 'a project that could not be read';
}

function short(commit: string): string {
  return `<code>${commit.slice(0, 12)}</code>`;
}

const cutNote = '\nThe rest has no room here: it is in the reports of the run.\n';

/** The beginning of a Markdown text, cut between two blocks: nothing that was opened stays open. */
function shortened(markdown: string, room: number): string {
  if (markdown.length <= room) return markdown;
  let fence: string | undefined;
  let open = 0;
  let length = 0;
  let end = 0;
  for (const line of markdown.split('\n')) {
    if (line === '' && fence === undefined && open === 0 && length + cutNote.length <= room) end = length;
    const [, run, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (run !== undefined && fence === undefined) fence = run;
    else if (run !== undefined && fence !== undefined && run.startsWith(fence) && rest.trim() === '') fence = undefined;
    else if (fence === undefined)
      open += (line.match(/<details/g)?.length ?? 0) - (line.match(/<\/details>/g)?.length ?? 0);
    length += line.length + 1;
    if (length > room) break;
  }
  return `${markdown.slice(0, end)}${cutNote}`;
}
