import type { Range } from 'vscode-languageserver/node.js';
import { ownMember } from '@platform-sync/core/model/value';
import type { Action, Plan, PlanStep } from '@platform-sync/core/model/plan';
import { type Danger, dangersOf } from '@platform-sync/report/document/danger';
import { summaryLine } from '@platform-sync/report/document/verdict';
import { effectWords, specChangeText } from '@platform-sync/report/openapi/rules';
import { planViews } from '@platform-sync/report/view/plan-views';
import { reasonSentence } from '@platform-sync/report/words/reasons';
import { uriOf } from './positions.js';

/** What a plan does, beside the files that say so: the parameters of the notification `sync/plan`. */
interface PlanMarks {
  /** Of the project's folder. */
  readonly uri: string;
  readonly summary: string;
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly uri: string;
  readonly range: Range;
  /** `replaces`, `updates, breaks clients`. */
  readonly text: string;
  /** Reasons, and what it means for clients; a line each. */
  readonly detail: string;
}

const words: Readonly<Record<Action, string>> = {
  ...{ create: 'creates', update: 'updates', replace: 'replaces', delete: 'deletes' },
  ...{ forget: 'forgets', adopt: 'adopts', move: 'moves', options: 'changes options' },
};

export async function planMarks(plan: Plan, folder: string): Promise<PlanMarks> {
  const dangers = new Map(dangersOf(plan, await planViews(plan)).map((danger) => [danger.step, danger]));
  const marks = plan.steps.flatMap((step) => {
    // `FILE:LINE:COLUMN`; what leaves the catalogue stands in no file.
    const [, file, line] = /^(.+):(\d+):\d+$/.exec(ownMember(plan.meta.sources, step.address) ?? '') ?? [];
    if (file === undefined || line === undefined) return [];
    const start = { line: Number(line) - 1, character: 0 };
    return [{ uri: uriOf(folder, file), range: { start, end: start }, ...markText(step, dangers.get(step)) }];
  });
  return { uri: uriOf(folder, ''), summary: summaryLine(plan), marks };
}

function markText(step: PlanStep, danger: Danger | undefined): Pick<Mark, 'text' | 'detail'> {
  const { action, reasons } = step;
  const forClients = danger?.forClients ?? [];
  const effects = [...new Set(forClients.map(({ effect }) => effectWords[effect]))];
  const why = reasons.map((reason) => reasonSentence(reason, action)).filter((sentence) => sentence !== undefined);
  return {
    text: [words[action], ...effects].join(', '),
    detail: [...why, ...(danger?.clauses ?? []), ...forClients.map(specChangeText)].join('\n'),
  };
}
