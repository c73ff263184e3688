import { stackStates } from '@platform-sync/core/model/fleet';
import type { ConsoleSettings } from '@platform-sync/core/model/console';
import { stackLooks } from '@platform-sync/report/document/fleet';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { count } from '@platform-sync/report/words/value';
import type { ProposedCommit } from '@platform-sync/state/fleet-record';
import { rowName, stackPath } from './fleet-view.js';
import { headHtml } from './frame.js';
import { requestPage } from './links.js';
import { card, moment } from './table.js';

type Answer = ProposedCommit['stacks'][number];

/** Which requests are held back by what their stacks say, which wait, and which may be merged. */
export function requestsPage(requests: readonly ProposedCommit[], settings: Pick<ConsoleSettings, 'repository'>): Page {
  const held = requests.filter((request) => verdictOf(request) === 'fails').length;
  const title =
    requests.length === 0
      ? 'No request was pushed to in the last week'
      : held === 0
        ? `${count(requests.length, 'request')}, none held back`
        : `${String(held)} of ${count(requests.length, 'request')} held back`;
  const tone = held > 0 ? 'blocked' : requests.length === 0 ? undefined : 'clean';
  const items = requests.map((request) => requestHtml(request, settings));
  return {
    ...{ title, tone: tone ?? 'clean', skip: 'To the requests' },
    header: headHtml(tone, title, 'Pull and merge requests, by their newest commit'),
    main:
      requests.length === 0
        ? markup`<section class="card"><p>A forge that posts its hooks to this console has each commit of a request planned here. The guide of the console says how.</p></section>`
        : card('requests', 'Requests', requests.length, markup`<ul class="stacks">${items}</ul>`),
    footer: markup`<p>Times are UTC.</p>`,
  };
}

type Verdict = 'fails' | 'waits' | 'passes';

const tones: Readonly<Record<Verdict, string>> = { fails: 'remove', waits: 'state', passes: 'add' };

/** As the one status that the forge shows. */
function verdictOf({ stacks, waits }: ProposedCommit): Verdict {
  if (waits) return 'waits';
  return stacks.some(isTrouble) ? 'fails' : 'passes';
}

function isTrouble({ found }: Answer): boolean {
  return found === undefined || ['failed', 'blocked', 'unknown'].includes(found.state);
}

/** Stacks that a commit does not touch are as they were. */
function isTouched({ found }: Answer): boolean {
  return found?.state !== 'clean';
}

function requestHtml(request: ProposedCommit, settings: Pick<ConsoleSettings, 'repository'>): Html {
  const { repository, number, commit, at, authors, stacks } = request;
  const verdict = verdictOf(request);
  const address = requestPage(settings, repository, number);
  const name = `${repository}#${String(number)}`;
  const by = authors.length === 0 ? '' : ` by ${authors[0] ?? ''}`;
  const touched = stacks.filter(isTouched);
  const sorted = stackStates.flatMap((state) => touched.filter(({ found }) => found?.state === state));
  const unplanned = touched.filter(({ found }) => found === undefined);
  return joined([
    markup`<li class="fold"><details${verdict === 'fails' ? markup` open` : ''}><summary><span class="mark ${tones[verdict]}">${verdict}</span>`,
    markup`<span><b>${name}</b> <span class="cause">${wordsOf(request)}</span></span><small>${moment(at)}${by}</small></summary>`,
    markup`<ul class="stacks">${[...sorted, ...unplanned].map((answer) => markup`<li>${answerHtml(answer, request.waits)}</li>`)}`,
    markup`<li><div class="row brief"><span></span><span>${address === undefined ? '' : markup`<a href="${address}">The request</a>, `}commit <code>${commit.slice(0, 12)}</code></span></div></li></ul></details></li>`,
  ]);
}

function wordsOf({ stacks, waits }: ProposedCommit): string {
  const touched = stacks.filter((answer) => answer.found !== undefined && isTouched(answer)).length;
  const left = stacks.filter(({ found }) => found === undefined).length;
  const changed =
    touched === 0 ? 'No stack changes' : `${count(touched, 'stack')} ${touched === 1 ? 'changes' : 'change'}`;
  return left === 0 ? `${changed}.` : `${changed}, ${String(left)} ${waits ? 'not planned yet' : 'never planned'}.`;
}

function answerHtml(answer: Answer, waits: boolean): Html {
  const { found } = answer;
  const [state, cause]: readonly [string, Part] =
    found === undefined
      ? [waits ? 'waits' : 'unknown', waits ? '' : 'No worker has brought its plan to an end.']
      : [found.state, found.cause];
  const tone = found === undefined ? 'state' : stackLooks[found.state].change;
  return markup`<div class="row brief"><span class="mark ${tone}">${state}</span><span><a href="${stackPath(answer)}">${rowName(answer)}</a> <span class="cause">${cause}</span></span></div>`;
}
