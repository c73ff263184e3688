import type { Plan } from '../../engine/model/plan.js';
import { dangersOf } from '../view/danger.js';
import { anchorsOf } from './anchors.js';
import { joined, markup, type Html, type Part } from './html.js';
import { graphHtml } from './graph.js';
import { pageHeading, pageHtml } from './page.js';
import { placeHtml } from './place.js';
import { dangerHtml, guardsHtml, notComparedHtml, restHtml, section } from './sections.js';
import { stepsHtml } from './steps.js';
import { applyCommand, type NextStepsContext } from '../words/next-steps.js';
import { noRecordOf } from '../words/no-record.js';
import { guardsShown } from '../view/guards-shown.js';
import { originLine } from '../words/origin.js';
import { parametersLine } from '../words/parameters.js';
import type { ReviewPlace } from '../view/review-place.js';
import { PlanViews } from '../view/plan-views.js';
import { summaryLine } from '../words/summary.js';
import { verdictMarks, verdictOf, verdictText } from '../view/verdict.js';

interface HtmlOptions extends NextStepsContext {
  /** Shared with other reports of the same plan. */
  readonly views?: PlanViews;
  /** Where readers on a review platform are. */
  readonly at?: ReviewPlace;
}

/** The whole plan as one page that needs nothing else: no network, no other file. Never cut. */
export function planHtml(plan: Plan, options: HtmlOptions = {}): string {
  const { views = new PlanViews(undefined, plan), at = {} } = options;
  const dangers = dangersOf(plan, views);
  const anchors = anchorsOf(plan);
  const verdict = verdictOf(plan, dangers);
  return pageHtml({
    title: `Plan for ${plan.project}, stack ${plan.stack}`,
    verdict,
    skip: plan.steps.length === 0 ? 'To the contents' : 'To the changes',
    header: header(plan, `${verdictMarks[verdict]} ${verdictText(plan, dangers)}`, at),
    main: joined(
      [
        dangerHtml(dangers, anchors),
        guardsHtml(guardsShown(plan), anchors),
        stepsHtml(plan, views, anchors, at),
        graphHtml(plan, anchors),
        notComparedHtml(plan),
        restHtml(plan),
        applyHtml(plan, options),
      ],
      '\n',
    ),
    footer: footer(plan),
  });
}

function header(plan: Plan, title: string, at: ReviewPlace): Html {
  const targets = Object.entries(plan.targets).map(([name, target]) => `${name} at ${target}`);
  const mode = plan.mode === 'apply' ? '' : ` to ${plan.mode}`;
  const partial =
    plan.partial === undefined ? '' : markup`<p class="facts"><b>Partial plan.</b> ${partialText(plan.partial)}</p>`;
  const base = originLine(plan);
  const noRecord = noRecordOf(plan.notices);
  const parameters = parametersLine(plan);
  return joined([
    pageHeading(title),
    noRecord === undefined ? '' : markup`<p class="facts"><b>${noRecord.summary}</b> ${noRecord.hint ?? ''}</p>`,
    markup`<p class="facts"><b>${summaryLine(plan)}</b></p>`,
    markup`<p class="facts">Plan${mode} for <b>${plan.project}</b>, stack ${plan.stack}: ${targets.join(', ')}</p>`,
    parameters === undefined ? '' : markup`<p class="facts">${parameters}</p>`,
    placeHtml(at),
    base === undefined ? '' : markup`<p class="facts">${base}</p>`,
    partial,
  ]);
}

function partialText(partial: NonNullable<Plan['partial']>): string {
  return [
    ...(partial.targets.length > 0 ? [`Only ${partial.targets.join(', ')} and what they need.`] : []),
    ...(partial.excludes.length > 0 ? [`Without ${partial.excludes.join(', ')}.`] : []),
    'What is left out was not looked at.',
  ].join(' ');
}

function applyHtml(plan: Plan, options: HtmlOptions): Part {
  const command = options.suggest === false ? undefined : applyCommand(plan, options);
  return section('apply', 'How to apply', command === undefined ? '' : markup`<pre>${command}</pre>`);
}

function footer(plan: Plan): Html {
  const words =
    'Keys on a change: arrows, Home and End move, Enter opens; Escape in the filters shows everything again.';
  const keys = plan.steps.length === 0 ? '' : markup`<p>${words}</p>`;
  return markup`${keys}<p>Plan <code>${plan.digest}</code>, state serial ${Number(plan.serial)}, made ${plan.meta.createdAt} on ${plan.meta.host} by version ${plan.engine}.</p>`;
}
