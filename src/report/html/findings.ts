import { type DriftResult, type DriftSeverity, type Finding, driftSeverities } from '../../engine/model/drift.js';
import { findingView } from '../view/drift-view.js';
import { findingClause, findingCommands, findingName, shortTime, trendWords } from '../words/drift.js';
import { typeName } from '../words/type-name.js';
import { fieldHtml } from './diff.js';
import { joined, markup, type Html, type Part } from './html.js';

/** The list of findings with its filters: what the page's script knows as actions are severities here. */
export function findingsHtml({ findings }: DriftResult): Part {
  if (findings.length === 0) return '';
  const ids = new Set<string>();
  const items = findings.map((finding, at) => findingHtml(finding, anchorOf(finding, at, ids)));
  return markup`<section aria-labelledby="ui:findings"><h2 id="ui:findings">Findings</h2>${filters(findings)}<div id="ui:list" role="list">${items}</div></section>`;
}

/** `drift.html#1a2b3c4d5e` leads to a finding. Own ids hold a colon, no finding's does. */
function anchorOf({ id }: Finding, at: number, taken: Set<string>): string {
  if (!/^[0-9a-z]+$/.test(id) || taken.has(id)) return `finding:${at}`;
  taken.add(id);
  return id;
}

function filters(findings: readonly Finding[]): Html {
  const boxes = driftSeverities.flatMap((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    if (number === 0) return [];
    return [
      markup`<label><input type="checkbox" name="action" value="${severity}" checked> ${severity} (${number})</label>`,
    ];
  });
  const types = [...new Set(findings.map(({ type }) => typeName(type)))].filter((type) => type !== '').sort();
  const options = types.map((type) => markup`<option>${type}</option>`);
  return joined([
    markup`<form id="ui:filters" class="filters" role="search" aria-label="Filter the findings">`,
    markup`<fieldset><legend>Severity</legend>${joined(boxes, ' ')}</fieldset>`,
    markup`<label>Type <select id="ui:type"><option value="">all types</option>${options}</select></label>`,
    markup`<label>Text <input id="ui:text" type="search" autocomplete="off" placeholder="address, field, value, file"></label>`,
    markup`<label><input id="ui:hurts" type="checkbox"> only what is new or worse</label>`,
    markup`<button id="ui:expand" type="button">Open all</button>`,
    markup`<output id="ui:shown" aria-live="polite">${findings.length} of ${findings.length} shown</output>`,
    markup`</form>`,
  ]);
}

// The colours of what a plan deletes, updates and takes over.
const colours: Readonly<Record<DriftSeverity, string>> = { high: 'a-delete', medium: 'a-update', low: 'a-adopt' };

function findingHtml(finding: Finding, anchor: string): Html {
  const { severity, trend, type } = finding;
  const isNews = trend !== 'known';
  const view = findingView(finding);
  const kind = type === '' ? '' : markup` <span class="type">${typeName(type)}</span>`;
  const news = isNews ? markup` <span class="danger">${trend}</span>` : '';
  const name = finding.name === undefined ? '' : markup` <b>${finding.name}</b>`;
  const commands = findingCommands(finding);
  const command = commands.length === 0 ? '' : markup`<pre>${commands.join('\n')}</pre>`;
  return joined([
    markup`<div id="${anchor}" class="step" role="listitem" data-action="${severity}" data-type="${typeName(type)}"${isNews ? ' data-danger' : ''}>`,
    markup`<details><summary><span class="mark ${colours[severity]}">${severity}</span> <b>${findingName(finding)}</b>${kind} <span class="count">${findingClause(finding)}</span>${name}${news}</summary>`,
    markup`<div class="body">`,
    finding.source === undefined ? '' : markup`<p class="place">${finding.source}</p>`,
    markup`<ul class="notes">${notes(finding).map((note) => markup`<li>${note}</li>`)}</ul>`,
    view === undefined ? '' : markup`<dl class="fields">${fieldHtml(view)}</dl>`,
    markup`<p>${finding.todo}</p>${command}`,
    markup`<p class="place"><a href="#${anchor}">Link to this finding</a></p></div></details></div>`,
  ]);
}

function notes(finding: Finding): readonly Part[] {
  const { id, trend, firstSeen, updatedAt, objectId, expired } = finding;
  return [
    markup`finding <code>${id}</code>, ${trendWords[trend]}, first seen ${shortTime(firstSeen)}`,
    ...(updatedAt === undefined ? [] : [`object last changed ${shortTime(updatedAt)}`]),
    ...(objectId === undefined ? [] : [markup`id <code>${objectId}</code>`]),
    ...(finding.with === undefined ? [] : [`went with ${finding.with}`]),
    ...(expired === undefined ? [] : [`was ignored until ${expired.until}: ${expired.reason}`]),
  ];
}
