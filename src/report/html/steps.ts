import { ownMember } from '../../engine/model/own-member.js';
import type { Address } from '../../engine/model/address.js';
import type { Action, Plan, Step } from '../../engine/model/plan.js';
import { originClauses, originOf } from '../words/origin.js';
import type { ReviewPlace } from '../view/review-place.js';
import { sourceHtml } from './place.js';
import type { PlanViews } from '../view/plan-views.js';
import { effectWords } from '../openapi/words.js';
import { count } from '../words/plural.js';
import { optionSentence, reasonSentence, riskClause, stepSymbol } from '../words/reasons.js';
import { typeName } from '../words/type-name.js';
import { link } from './anchors.js';
import { fieldHtml } from './diff.js';
import { joined, markup, type Html, type Part } from './html.js';

/**
 * The list of changes with its filters. Works as it is; the script only hides what a filter leaves out. No <ol>: a
 * browser counts its items anew for each one that is hidden, half a minute for 5,000.
 */
export function stepsHtml(
  plan: Plan,
  views: PlanViews,
  anchors: ReadonlyMap<Address, string>,
  at: ReviewPlace = {},
): Part {
  if (plan.steps.length === 0) return '';
  const items = plan.steps.map((step, index) => stepHtml(step, index, { plan, views, anchors, at }));
  return markup`<section aria-labelledby="ui:changes"><h2 id="ui:changes">Changes</h2>${filters(plan)}<div id="ui:list" role="list">${items}</div></section>`;
}

const actions: readonly Action[] = ['create', 'update', 'replace', 'delete', 'adopt', 'move', 'forget', 'options'];

function filters(plan: Plan): Html {
  const boxes = actions
    .filter((action) => (plan.summary[action] ?? 0) > 0)
    .map(
      (action) =>
        markup`<label><input type="checkbox" name="action" value="${action}" checked> ${action} (${plan.summary[action]})</label>`,
    );
  const types = [...new Set([...new Set(plan.steps.map(({ type }) => type))].map(typeName))].sort();
  const options = types.map((type) => markup`<option>${type}</option>`);
  return joined([
    markup`<form id="ui:filters" class="filters" role="search" aria-label="Filter the changes">`,
    markup`<fieldset><legend>Action</legend>${joined(boxes, ' ')}</fieldset>`,
    markup`<label>Type <select id="ui:type"><option value="">all types</option>${options}</select></label>`,
    markup`<label>Text <input id="ui:text" type="search" autocomplete="off" placeholder="address, field, value"></label>`,
    markup`<label><input id="ui:hurts" type="checkbox"> only what can hurt</label>`,
    markup`<button id="ui:expand" type="button">Open all</button>`,
    markup`<output id="ui:shown" aria-live="polite">${plan.steps.length} of ${plan.steps.length} shown</output>`,
    markup`</form>`,
  ]);
}

interface Shared {
  readonly plan: Plan;
  readonly views: PlanViews;
  readonly anchors: ReadonlyMap<Address, string>;
  readonly at: ReviewPlace;
}

function stepHtml(step: Step, index: number, { plan, views, anchors, at }: Shared): Html {
  const anchor = anchors.get(step.address) ?? `step:${index}`;
  const type = typeName(step.type);
  const fields = views.fields(step);
  const forClients = views.forClients(step);
  const hurts = step.risks.length > 0 || forClients.length > 0;
  const isSure = step.risks.length > 0 || forClients.some(({ effect }) => effect === 'breaks');
  const place = ownMember(plan.meta.sources, step.address);
  const about = fields.length === 0 ? '' : markup` <span class="count">${count(fields.length, 'field')}</span>`;
  const danger = hurts ? markup` <span class="danger">${isSure ? 'can hurt' : effectWords['may-break']}</span>` : '';
  return joined([
    markup`<div id="${anchor}" class="step" role="listitem" data-action="${step.action}" data-type="${type}"${hurts ? ' data-danger' : ''}>`,
    markup`<details><summary><span class="mark a-${step.action}">${stepSymbol(step)}</span> <span class="verb">${step.action}</span> <b>${step.address}</b> <span class="type">${type}</span>${about}${danger}</summary>`,
    markup`<div class="body">`,
    place === undefined ? '' : markup`<p class="place">${sourceHtml(place, at)}</p>`,
    notesHtml(step, plan, anchors),
    fields.length === 0 ? '' : markup`<dl class="fields">${fields.map(fieldHtml)}</dl>`,
    markup`<p class="place"><a href="#${anchor}">Link to this change</a></p></div></details></div>`,
  ]);
}

const orders = {
  'delete-first': 'The old object is deleted before the new one is created.',
  'create-first': 'The new object is created before the old one is deleted.',
} as const;

function notesHtml(step: Step, plan: Plan, anchors: ReadonlyMap<Address, string>): Part {
  const origin = originOf(plan, step.address);
  const notes = [
    ...(origin === undefined ? [] : [originClauses[origin]]),
    ...(step.id === undefined ? [] : [markup`id <code>${step.id}</code>`]),
    ...(step.from === undefined ? [] : [markup`moves from <code>${step.from}</code>`]),
    ...step.reasons
      .map((reason) => reasonSentence(reason, step.action))
      .filter((sentence) => sentence !== undefined)
      .map((sentence) => `because: ${sentence}`),
    ...(step.options ?? []).map((change) => optionSentence(change)),
    ...step.risks
      .map((risk) => riskClause(risk, step.action))
      .filter((clause) => clause !== undefined)
      .map((clause) => markup`<span class="danger">risk</span> ${clause}`),
    ...(step.action === 'replace' && step.order !== undefined ? [orders[step.order]] : []),
    ...(step.dependsOn.length === 0
      ? []
      : [
          markup`after ${joined(
            step.dependsOn.map((other) => link(other, anchors)),
            ', ',
          )}`,
        ]),
  ];
  return notes.length === 0 ? '' : markup`<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
}
