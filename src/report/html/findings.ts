import type { DriftResult, DriftSeverity, Finding } from '../../engine/model/drift.js';
import { driftSeverities } from '../../engine/model/drift.js';
import { findingView } from '../view/drift-view.js';
import { findingClause, findingName, shortTime, trendWords } from '../words/drift.js';
import { typeName } from '../words/type-name.js';
import { fieldHtml } from './diff.js';
import { entities, text } from './escape.js';

/** The list of findings with its filters: what the page's script knows as actions are severities here. */
export function findingsHtml({ findings }: DriftResult): string {
  if (findings.length === 0) return '';
  const ids = new Set<string>();
  const items = findings.map((finding, at) => findingHtml(finding, anchorOf(finding, at, ids)));
  return `<section aria-labelledby="ui:findings"><h2 id="ui:findings">Findings</h2>${filters(findings)}<div id="ui:list" role="list">${items.join('')}</div></section>`;
}

/** `drift.html#1a2b3c4d5e` leads to a finding. Own ids hold a colon, no finding's does. */
function anchorOf({ id }: Finding, at: number, taken: Set<string>): string {
  if (!/^[0-9a-z]+$/.test(id) || taken.has(id)) return `finding:${at}`;
  taken.add(id);
  return id;
}

function filters(findings: readonly Finding[]): string {
  const boxes = driftSeverities.flatMap((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    if (number === 0) return [];
    return [`<label><input type="checkbox" name="action" value="${severity}" checked> ${severity} (${number})</label>`];
  });
  const types = [...new Set(findings.map(({ type }) => typeName(type)))].filter((type) => type !== '').sort();
  const options = types.map((type) => `<option>${entities(type)}</option>`);
  return [
    '<form id="ui:filters" class="filters" role="search" aria-label="Filter the findings">',
    `<fieldset><legend>Severity</legend>${boxes.join(' ')}</fieldset>`,
    `<label>Type <select id="ui:type"><option value="">all types</option>${options.join('')}</select></label>`,
    '<label>Text <input id="ui:text" type="search" autocomplete="off" placeholder="address, field, value, file"></label>',
    '<label><input id="ui:hurts" type="checkbox"> only what is new or worse</label>',
    '<button id="ui:expand" type="button">Open all</button>',
    `<output id="ui:shown" aria-live="polite">${findings.length} of ${findings.length} shown</output>`,
    '</form>',
  ].join('');
}

// The colours of what a plan deletes, updates and takes over.
const colours: Readonly<Record<DriftSeverity, string>> = { high: 'a-delete', medium: 'a-update', low: 'a-adopt' };

function findingHtml(finding: Finding, anchor: string): string {
  const { severity, trend, type, verbs, id } = finding;
  const isNews = trend !== 'known';
  const view = findingView(finding);
  const kind = type === '' ? '' : ` <span class="type">${entities(typeName(type))}</span>`;
  const news = isNews ? ` <span class="danger">${trend}</span>` : '';
  const command = verbs.length === 0 ? '' : `<pre>${text(`sync drift ${verbs.join('|')} ${id}`)}</pre>`;
  return [
    `<div id="${anchor}" class="step" role="listitem" data-action="${severity}" data-type="${entities(typeName(type))}"${isNews ? ' data-danger' : ''}>`,
    `<details><summary><span class="mark ${colours[severity]}">${severity}</span> <b>${text(findingName(finding))}</b>${kind} <span class="count">${entities(findingClause(finding))}</span>${news}</summary>`,
    '<div class="body">',
    finding.source === undefined ? '' : `<p class="place">${text(finding.source)}</p>`,
    `<ul class="notes">${notes(finding)
      .map((note) => `<li>${note}</li>`)
      .join('')}</ul>`,
    view === undefined ? '' : `<dl class="fields">${fieldHtml(view)}</dl>`,
    `<p>${text(finding.todo)}</p>${command}`,
    `<p class="place"><a href="#${anchor}">Link to this finding</a></p></div></details></div>`,
  ].join('');
}

function notes(finding: Finding): readonly string[] {
  const { id, trend, firstSeen, updatedAt, objectId, expired } = finding;
  return [
    `finding <code>${text(id)}</code>, ${entities(trendWords[trend])}, first seen ${text(shortTime(firstSeen))}`,
    ...(updatedAt === undefined ? [] : [`object last changed ${text(shortTime(updatedAt))}`]),
    ...(objectId === undefined ? [] : [`id <code>${text(objectId)}</code>`]),
    ...(finding.with === undefined ? [] : [`went with ${text(finding.with)}`]),
    ...(expired === undefined ? [] : [`was ignored until ${text(expired.until)}: ${text(expired.reason)}`]),
  ];
}
