import { createHash } from 'node:crypto';
import type { Plan } from '../engine/model/plan.js';
import { dangersOf } from './danger.js';
import { anchorsOf } from './html/anchors.js';
import { entities, text } from './html/escape.js';
import { graphHtml } from './html/graph.js';
import { pageScript } from './html/script.js';
import { dangerHtml, guardsHtml, notComparedHtml, restHtml, section } from './html/sections.js';
import { stepsHtml } from './html/steps.js';
import { pageStyle } from './html/style.js';
import { applyCommand } from './next-steps.js';
import type { NextStepsContext } from './next-steps.js';
import { originLine } from './origin.js';
import { PlanViews } from './plan-views.js';
import { summaryLine } from './summary.js';
import { verdictMarks, verdictOf, verdictText } from './verdict.js';

export interface HtmlOptions extends NextStepsContext {
  /** Shared with other reports of the same plan. */
  readonly views?: PlanViews;
}

/** The whole plan as one page that needs nothing else: no network, no other file. Never cut. */
export function planHtml(plan: Plan, options: HtmlOptions = {}): string {
  const { views = new PlanViews() } = options;
  const dangers = dangersOf(plan, views);
  const anchors = anchorsOf(plan);
  const verdict = verdictOf(plan, dangers.length);
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${policy()}">\n`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n',
    `<link rel="icon" href="data:,">\n<title>${text(`Plan for ${plan.project}, stack ${plan.stack}`)}</title>\n`,
    `<style>${pageStyle}</style>\n</head>\n<body class="verdict-${verdict}">\n`,
    '<a class="skip" href="#ui:main">To the changes</a>\n',
    header(plan, `${verdictMarks[verdict]} ${verdictText(plan, dangers.length)}`),
    '<main id="ui:main" tabindex="-1">\n',
    [
      dangerHtml(dangers, anchors),
      guardsHtml(plan, anchors),
      stepsHtml(plan, views, anchors),
      graphHtml(plan, anchors),
      notComparedHtml(plan),
      restHtml(plan),
      applyHtml(plan, options),
    ].join('\n'),
    `\n</main>\n${footer(plan)}<script>${pageScript}</script>\n</body>\n</html>\n`,
  ].join('');
}

/** Only the page's own style and script run, known by their digests; nothing can be loaded or sent. */
function policy(): string {
  const digest = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
  return [
    "default-src 'none'",
    'img-src data:',
    `style-src ${digest(pageStyle)}`,
    `script-src ${digest(pageScript)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function header(plan: Plan, title: string): string {
  const targets = Object.entries(plan.targets).map(([name, target]) => `${text(name)} at ${text(target)}`);
  const mode = plan.mode === 'apply' ? '' : ` to ${plan.mode}`;
  const partial =
    plan.partial === undefined ? '' : `<p class="facts"><b>Partial plan.</b> ${partialText(plan.partial)}</p>`;
  const base = originLine(plan);
  return [
    `<header><h1>${title}</h1><button id="ui:theme" type="button" hidden>Colours: auto</button>`,
    `<p class="facts"><b>${entities(summaryLine(plan))}</b></p>`,
    `<p class="facts">Plan${mode} for <b>${text(plan.project)}</b>, stack ${text(plan.stack)}: ${targets.join(', ')}</p>`,
    base === undefined ? '' : `<p class="facts">${entities(base)}</p>`,
    `${partial}</header>\n`,
  ].join('');
}

function partialText(partial: NonNullable<Plan['partial']>): string {
  return [
    ...(partial.targets.length > 0 ? [`Only ${partial.targets.map(text).join(', ')} and what they need.`] : []),
    ...(partial.excludes.length > 0 ? [`Without ${partial.excludes.map(text).join(', ')}.`] : []),
    'What is left out was not looked at.',
  ].join(' ');
}

function applyHtml(plan: Plan, options: HtmlOptions): string {
  const command = options.suggest === false ? undefined : applyCommand(plan, options);
  return section('apply', 'How to apply', command === undefined ? '' : `<pre>${text(command)}</pre>`);
}

function footer(plan: Plan): string {
  const keys =
    'Keys on a change: arrows, Home and End move, Enter opens; Escape in the filters shows everything again.';
  return `<footer><p>${keys}</p><p>Plan <code>${text(plan.digest)}</code>, state serial ${Number(plan.serial)}, made ${text(plan.meta.createdAt)} on ${text(plan.meta.host)} by version ${text(plan.engine)}.</p></footer>\n`;
}
