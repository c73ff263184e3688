import type { GuardFinding, Plan, Step } from '../../engine/model/plan.js';
import { dangerGroups, dangerKinds, dangerTitles, type Danger, type DangerGroup } from '../view/danger.js';
import type { GuardsShown } from '../view/guards-shown.js';
import { adoptCommand } from '../words/no-record.js';
import { expiredSentence, liftingWords } from '../words/guards.js';
import { fitted } from './budget.js';
import { code, cut, fenced, prose } from './escape.js';
import { originClauses, originOf } from '../words/origin.js';
import { fileLink } from './place.js';
import { leadingField, placeInPlan, type ReviewPlace } from '../view/review-place.js';
import { effectWords, specChangeText } from '../openapi/words.js';
import { count } from '../words/plural.js';
import type { StepGroup } from '../view/step-groups.js';
import { typeName } from '../words/type-name.js';

const shownBreaks = 5;
const shownAddresses = 10;
const shownClauses = 20;
const mostLinked = 50;

/**
 * What can hurt, worst first: every step by name as long as there is room, the rest counted under its kind. Few of them
 * lead to their lines; a link never costs a name its place.
 */
export function markdownDangers(
  plan: Plan,
  dangers: readonly Danger[],
  stepsTold: readonly StepGroup[],
  room: number,
  at: ReviewPlace = {},
): string {
  if (at.links?.files === undefined || dangers.length > mostLinked) return listed(plan, dangers, stepsTold, room, {});
  const linked = listed(plan, dangers, stepsTold, Number.POSITIVE_INFINITY, at);
  return linked.length <= room ? linked : listed(plan, dangers, stepsTold, room, {});
}

function listed(
  plan: Plan,
  dangers: readonly Danger[],
  stepsTold: readonly StepGroup[],
  room: number,
  at: ReviewPlace,
): string {
  const groups = dangerKinds
    .map((kind) => [kind, dangers.filter((danger) => danger.kind === kind)] as const)
    .filter(([, found]) => found.length > 0);
  if (groups.length === 0) return '';
  const heading = '### What can hurt\n';
  const rest = (hidden: number): string => `- … and ${hidden} more (all of them are in the HTML report)\n`;
  const titles = groups.map(([kind, found]) => `\n**${dangerTitles[kind]}: ${found.length}**\n\n`);
  // Every title and every count has its place before the first item takes one.
  const kept = titles.map((title, index) => title.length + rest(groups[index]?.[1].length ?? 0).length);
  let left = room - heading.length - 1 - kept.reduce((sum, size) => sum + size, 0);
  let text = heading;
  for (const [index, [, found]] of groups.entries()) {
    const line = rest(found.length).length;
    const told = dangerGroups(found, stepsTold);
    const sizes = told.map(({ alike, along }) => 1 + alike.length + along.length);
    const items = told.map((group) => dangerItem(plan, group, at));
    // The line counts steps, not items.
    const hiddenSteps = (hidden: number): number =>
      hidden === 0 ? 0 : sizes.slice(-hidden).reduce((sum, size) => sum + size, 0);
    const part = fitted(items, Math.max(0, left) + line, (hidden) => rest(hiddenSteps(hidden)));
    text += `${titles[index] ?? ''}${part.text}`;
    left += line - part.text.length;
  }
  return `${text}\n`;
}

const shownNames = 30;

function dangerItem(
  plan: Plan,
  { lead: { step, clauses: own, forClients }, alike, along }: DangerGroup,
  at: ReviewPlace,
): string {
  const origin = originOf(plan, step.address);
  const clauses = origin === undefined || origin === 'branch' ? own : [...own, originClauses[origin]];
  const names = [step, ...alike.map((danger) => danger.step)].slice(0, shownNames).map((one) => nameOf(plan, one, at));
  const others = alike.length + 1 - names.length;
  const number = alike.length === 0 ? '' : `**${alike.length + 1} alike:** `;
  const who = `${number}${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  const shown = clauses.slice(0, shownClauses);
  const more = clauses.length - shown.length;
  const also = [
    ...shown.map((clause) => prose(clause, 200)),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(along.length > 0 ? [`and with it ${along.length} more, such as ${code(along[0]?.step.address ?? '')}`] : []),
  ];
  const head = `- ${who} (${code(typeName(step.type))})${also.length > 0 ? `: ${also.join('; ')}` : ''}\n`;
  const lines = forClients
    .slice(0, shownBreaks)
    .map((change) => `  - ${effectWords[change.effect]}: ${prose(specChangeText(change), 200)}\n`);
  const hidden = forClients.length - lines.length;
  return [head, ...lines, ...(hidden > 0 ? [`  - and ${hidden} more for clients\n`] : [])].join('');
}

function nameOf(plan: Plan, step: Step, at: ReviewPlace): string {
  const place = placeInPlan(plan, step.address, leadingField(step));
  return place === undefined ? code(step.address) : fileLink(code(step.address), place, at);
}

/** The guards that hold the plan back with the exact words that lift them, and those that were lifted. */
export function markdownGuards({ guards, adoption }: GuardsShown, room: number): string {
  const known = adoption === undefined ? [] : [adoption];
  const blocking = guards.filter((guard) => guard.lifted === undefined);
  const lifted = guards.filter((guard) => guard.lifted !== undefined);
  if (guards.length + known.length === 0) return '';
  const rest = (hidden: number): string => `- … and ${count(hidden, 'more guard')}\n`;
  const heading =
    blocking.length + known.length > 0 ? '### Guards that block this plan\n\n' : '### Guards that were lifted\n\n';
  const cure = adoption === undefined ? '' : `Record what exists first:\n\n${fenced([adoptCommand], 'sh')}\n`;
  const words = cure + (blocking.length === 0 ? '' : lifting(blocking, Math.floor(room / 2)));
  const items = [...[...known, ...blocking].map(blockingItem), ...lifted.map(liftedItem)];
  const list = fitted(items, room - heading.length - words.length - 1, rest);
  return `${heading}${list.text}\n${words}`;
}

function lifting(guards: readonly GuardFinding[], room: number): string {
  const them = guards.length === 1 ? 'it' : 'them';
  const names = [...new Set(guards.map((guard) => guard.name))];
  const items = names.map(
    (name) => `    - { guard: ${JSON.stringify(name)}, reason: why this is right, until: YYYY-MM-DD }`,
  );
  const block = fenced(['guards:', '  allow:', ...items], 'yaml');
  const elsewhere = `Or plan again with the inputs ${code('allow')} and ${code('reason')} of the action or the component; on the command line that is:\n\n${fenced([liftingWords(guards)], 'sh')}\n`;
  const text = `To lift ${them}, let this branch say so in ${code('sync.yaml')}; after the day of ${code('until')} it holds no longer:\n\n${block}\n${elsewhere}`;
  // A name that is no plain word is better taken from the text report than from a block to copy.
  const isPlain = names.every((name) => /^[\w./:~-]+$/.test(name));
  if (isPlain && text.length <= room) return text;
  return `To lift them, list each name under ${code('guards.allow')} in ${code('sync.yaml')}, or plan again with the inputs ${code('allow')} and ${code('reason')}; the plan's text report has the whole line for the command.\n\n`;
}

function blockingItem(guard: GuardFinding): string {
  const shown = guard.addresses.slice(0, shownAddresses).map((address) => code(address));
  const more = guard.addresses.length - shown.length;
  const names = shown.length === 0 ? '' : `: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
  const expired = guard.expired === undefined ? '' : ` (${prose(expiredSentence(guard.expired))})`;
  return `- **${code(guard.name)}**: ${prose(guard.summary)}${names}${expired}\n`;
}

function liftedItem(guard: GuardFinding): string {
  const reason = code(cut(guard.lifted ?? '', 200));
  return `- lifted: ${code(guard.name)} (${prose(guard.summary)}), reason given: ${reason}\n`;
}
