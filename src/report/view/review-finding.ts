import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { defined } from '@platform-sync/core/model/defined';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { dangersOf, type DangerKind } from './danger.js';
import { problemKind } from '../words/alike.js';
import { visible } from '../words/escape.js';
import { failedReads } from '../words/failed-reads.js';
import { shellWord } from '../words/shell-word.js';
import { clientClause, specChangeText } from '../openapi/words.js';
import { findingRules, type FindingLevel, type FindingRule } from './finding-rules.js';
import type { PlanViews } from './plan-views.js';
import { leadingField, placeInPlan, type FilePlace } from './review-place.js';
import { count } from '../words/plural.js';
import { typeName } from '../words/type-name.js';
import { importCommand, unmanagedWords } from '../words/unmanaged.js';

/** Something a tool shows at a line of a file. Texts are visible, not escaped for a format. */
export interface ReviewFinding {
  readonly rule: FindingRule;
  readonly level: FindingLevel;
  readonly message: string;
  readonly address?: Address;
  /** The line that caused it; what is no longer in the catalogue has none. */
  readonly place?: FilePlace;
  /** The same for all that tell of one thing, whatever it happened to. */
  readonly kind?: string;
  /** The same for the same finding in a later plan. Hex. */
  readonly fingerprint: string;
}

const ruleOrder = Object.keys(findingRules);

/** Everything in a plan that belongs to a line or must be seen, worst first, else in the order of the plan. */
export function reviewFindings(plan: Plan, views: PlanViews): readonly ReviewFinding[] {
  const found = [...guardFindings(plan), ...notComparedFindings(plan), ...dangerFindings(plan, views)];
  const all = [
    ...found,
    ...noticeFindings(plan),
    ...unmanagedFindings(plan),
    ...plainFindings(plan, new Set(found.map(({ address }) => address))),
  ];
  return all.sort((a, b) => ruleOrder.indexOf(a.rule) - ruleOrder.indexOf(b.rule));
}

interface About {
  readonly address?: Address | undefined;
  readonly field?: string | undefined;
  readonly kind?: string;
  /** Where it stands, where that is not its field's or its resource's own line. */
  readonly place?: FilePlace | undefined;
  /** Tells it apart from others of the same rule and address. */
  readonly subject?: string;
}

function finding(plan: Plan, rule: FindingRule, message: string, about: About): ReviewFinding {
  const { address, field, kind, subject = '' } = about;
  const place = about.place ?? (address === undefined ? undefined : placeInPlan(plan, address, field));
  return {
    rule,
    level: findingRules[rule].level,
    message,
    ...defined({ address, place, kind }),
    fingerprint: sha256(canonicalJson([plan.project, plan.stack, rule, address ?? '', subject])),
  };
}

function guardFindings(plan: Plan): readonly ReviewFinding[] {
  return plan.guards
    .filter((guard) => guard.lifted === undefined)
    .map((guard) => {
      const message = `${visible(guard.summary)}. To lift it: --allow ${shellWord(guard.name)} --reason "…"`;
      return finding(plan, 'guard', message, {
        subject: guard.name,
        address: guard.addresses.length === 1 ? guard.addresses[0] : undefined,
      });
    });
}

/** One answer is one error, however many objects it kept from being compared. */
function notComparedFindings(plan: Plan): readonly ReviewFinding[] {
  return failedReads(plan.notCompared).map(({ diagnostic, types, addresses: [first, ...others] }) => {
    const name = visible(first ?? types.map(typeName).join(', '));
    const also = others.length === 0 ? '' : ` and ${count(others.length, 'other')}`;
    return finding(plan, 'not-compared', `${name}${also} could not be compared: ${visible(diagnostic.summary)}`, {
      address: first,
      subject: types.join(' '),
    });
  });
}

const dangerWords: Readonly<Record<DangerKind, string>> = {
  deletes: 'is deleted',
  replaces: 'is deleted and made anew',
  unpublishes: 'disappears from the live portal',
  breaks: 'breaks clients',
  unprotects: 'loses its protection',
  'stops-retaining': 'is retained no longer',
  'steps-aside': 'has another name for a moment',
  publishes: 'becomes visible on the live portal',
  'may-break': 'may break clients',
};

function dangerFindings(plan: Plan, views: PlanViews): readonly ReviewFinding[] {
  return dangersOf(plan, views).map(({ kind, step, clauses, forClients }) => {
    const also = [
      ...clauses,
      ...forClients
        .slice(0, 5)
        .map((change) => (change.effect === kind ? specChangeText(change) : clientClause(change))),
    ];
    const more = clauses.length + forClients.length - also.length;
    const tail = [...also, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
    const message = `${visible(step.address)} (${typeName(step.type)}) ${dangerWords[kind]}${tail === '' ? '' : `: ${tail}`}`;
    return finding(plan, kind, message, aboutStep(step));
  });
}

function noticeFindings(plan: Plan): readonly ReviewFinding[] {
  return plan.notices.map((notice) => {
    const hint = notice.hint === undefined ? '' : ` ${visible(notice.hint)}`;
    return finding(plan, 'warning', `${visible(notice.summary)}${hint}`, {
      address: notice.address,
      field: notice.field,
      place: notice.place,
      kind: problemKind(notice),
      subject: `${notice.code} ${notice.field ?? ''}`,
    });
  });
}

/** What sync.yaml asks to be told of. No line has caused it. */
function unmanagedFindings(plan: Plan): readonly ReviewFinding[] {
  return (plan.meta.unmanaged ?? []).map((object) => {
    const message = `Nobody manages ${visible(object.name)} (${unmanagedWords(object)}). To take it over: ${importCommand(object)}`;
    return finding(plan, 'unmanaged', message, { subject: `${object.type} ${object.importId}` });
  });
}

/** Steps that nothing worse was said about. */
function plainFindings(plan: Plan, said: ReadonlySet<Address | undefined>): readonly ReviewFinding[] {
  return plan.steps
    .filter((step) => !said.has(step.address))
    .map((step) => {
      const outside = step.cause === 'drift' || step.cause === 'both';
      const message = `${visible(step.address)} (${typeName(step.type)}): ${step.action}${fieldNames(step)}`;
      return outside
        ? finding(plan, 'changed-outside', `${message}; it was changed outside`, aboutStep(step))
        : finding(plan, 'change', message, aboutStep(step));
    });
}

function aboutStep(step: PlanStep): About {
  return { address: step.address, field: leadingField(step) };
}

function fieldNames(step: PlanStep): string {
  if (step.action !== 'update' && step.action !== 'replace') return '';
  const names = step.fields.slice(0, 6).map(({ field }) => visible(field));
  const more = step.fields.length - names.length;
  return names.length === 0 ? '' : ` ${names.join(', ')}${more > 0 ? ` and ${count(more, 'more field')}` : ''}`;
}
