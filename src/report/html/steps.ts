import type { Address } from '../../engine/model/address.js';
import type { Action, Plan, Step } from '../../engine/model/plan.js';
import { originClauses, originOf } from '../words/origin.js';
import type { ReviewPlace } from '../view/review-place.js';
import { sourceHtml } from './place.js';
import type { PlanViews } from '../view/plan-views.js';
import { count } from '../words/plural.js';
import { optionSentence, reasonSentence, riskClause, stepSymbol } from '../words/reasons.js';
import { typeName } from '../words/type-name.js';
import { link } from './anchors.js';
import { fieldHtml } from './diff.js';
import { entities, text } from './escape.js';

/**
 * The list of changes with its filters. Works as it is; the script only hides what a filter leaves out. No <ol>: a
 * browser counts its items anew for each one that is hidden, half a minute for 5,000.
 */
export function stepsHtml(
  plan: Plan,
  views: PlanViews,
  anchors: ReadonlyMap<Address, string>,
  at: ReviewPlace = {},
): string {
  if (plan.steps.length === 0) return '';
  const items = plan.steps.map((step, index) => stepHtml(step, index, { plan, views, anchors, at }));
  return `<section aria-labelledby="ui:changes"><h2 id="ui:changes">Changes</h2>${filters(plan)}<div id="ui:list" role="list">${items.join('')}</div></section>`;
}

const actions: readonly Action[] = ['create', 'update', 'replace', 'delete', 'adopt', 'move', 'forget', 'options'];

function filters(plan: Plan): string {
  const boxes = actions
    .filter((action) => (plan.summary[action] ?? 0) > 0)
    .map(
      (action) =>
        `<label><input type="checkbox" name="action" value="${action}" checked> ${action} (${plan.summary[action]})</label>`,
    );
  const types = [...new Set(plan.steps.map((step) => typeName(step.type)))].sort();
  const options = types.map((type) => `<option>${entities(type)}</option>`);
  return [
    '<form id="ui:filters" class="filters" role="search" aria-label="Filter the changes">',
    `<fieldset><legend>Action</legend>${boxes.join(' ')}</fieldset>`,
    `<label>Type <select id="ui:type"><option value="">all types</option>${options.join('')}</select></label>`,
    '<label>Text <input id="ui:text" type="search" autocomplete="off" placeholder="address, field, value"></label>',
    '<label><input id="ui:hurts" type="checkbox"> only what can hurt</label>',
    '<button id="ui:expand" type="button">Open all</button>',
    `<output id="ui:shown" aria-live="polite">${plan.steps.length} of ${plan.steps.length} shown</output>`,
    '</form>',
  ].join('');
}

interface Shared {
  readonly plan: Plan;
  readonly views: PlanViews;
  readonly anchors: ReadonlyMap<Address, string>;
  readonly at: ReviewPlace;
}

function stepHtml(step: Step, index: number, { plan, views, anchors, at }: Shared): string {
  const anchor = anchors.get(step.address) ?? `step:${index}`;
  const fields = views.fields(step);
  const breaks = views.breaks(step).length;
  const hurts = step.risks.length > 0 || breaks > 0;
  const place = Object.hasOwn(plan.meta.sources, step.address) ? plan.meta.sources[step.address] : undefined;
  const about = fields.length === 0 ? '' : ` <span class="count">${count(fields.length, 'field')}</span>`;
  const danger = hurts ? ' <span class="danger">can hurt</span>' : '';
  return [
    `<div id="${anchor}" class="step" role="listitem" data-action="${step.action}" data-type="${entities(typeName(step.type))}"${hurts ? ' data-danger' : ''}>`,
    `<details><summary><span class="mark a-${step.action}">${entities(stepSymbol(step))}</span> <span class="verb">${step.action}</span> <b>${text(step.address)}</b> <span class="type">${entities(typeName(step.type))}</span>${about}${danger}</summary>`,
    '<div class="body">',
    place === undefined ? '' : `<p class="place">${sourceHtml(place, at)}</p>`,
    notesHtml(step, plan, anchors),
    fields.length === 0 ? '' : `<dl class="fields">${fields.map(fieldHtml).join('')}</dl>`,
    `<p class="place"><a href="#${anchor}">Link to this change</a></p></div></details></div>`,
  ].join('');
}

const orders = {
  'delete-first': 'The old object is deleted before the new one is created.',
  'create-first': 'The new object is created before the old one is deleted.',
} as const;

function notesHtml(step: Step, plan: Plan, anchors: ReadonlyMap<Address, string>): string {
  const origin = originOf(plan, step.address);
  const notes = [
    ...(origin === undefined ? [] : [originClauses[origin]]),
    ...(step.id === undefined ? [] : [`id <code>${text(step.id)}</code>`]),
    ...(step.from === undefined ? [] : [`moves from <code>${text(step.from)}</code>`]),
    ...step.reasons
      .map((reason) => reasonSentence(reason, step.action))
      .filter((sentence) => sentence !== undefined)
      .map((sentence) => `because: ${entities(sentence)}`),
    ...(step.options ?? []).map((change) => text(optionSentence(change))),
    ...step.risks
      .map((risk) => riskClause(risk, step.action))
      .filter((clause) => clause !== undefined)
      .map((clause) => `<span class="danger">risk</span> ${entities(clause)}`),
    ...(step.action === 'replace' && step.order !== undefined ? [orders[step.order]] : []),
    ...(step.dependsOn.length === 0 ? [] : [`after ${step.dependsOn.map((other) => link(other, anchors)).join(', ')}`]),
  ];
  return notes.length === 0 ? '' : `<ul class="notes">${notes.map((note) => `<li>${note}</li>`).join('')}</ul>`;
}
