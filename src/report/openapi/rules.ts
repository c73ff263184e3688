import { visible } from '../words/escape.js';
import { count } from '../words/value.js';

/**
 * What a change of an API description means for the programs that call the API: `breaks` them, `may-break` them
 * (it depends on the program, or can't be told), or is `safe`.
 */
export type Effect = 'breaks' | 'may-break' | 'safe';

interface Rule {
  readonly effect: Effect;
  /** What happened, without the names. */
  readonly words: string;
}

const row = (effect: Effect, words: string): Rule => ({ effect, words });

/** Every difference that is told apart, seen from a caller. */
export const openApiRules = {
  'operation-removed': row('breaks', 'is removed'),
  'operation-added': row('safe', 'is new'),
  'operation-id-changed': row('safe', 'has another operationId'),
  'tags-changed': row('safe', 'has other tags'),
  deprecated: row('safe', 'is deprecated'),
  undeprecated: row('safe', 'is no longer deprecated'),
  'security-added': row('breaks', 'now needs authentication'),
  'security-removed': row('safe', 'no longer needs authentication'),
  'security-changed': row('breaks', 'refuses a way of authentication'),
  'security-eased': row('safe', 'asks less of authentication'),
  'component-added': row('safe', 'is new'),
  'component-removed': row('safe', 'is removed'),
  'security-scheme-changed': row('safe', 'is described otherwise'),
  'required-parameter-added': row('breaks', 'is new and required'),
  'parameter-added': row('safe', 'is new'),
  'parameter-removed': row('may-break', 'is removed'),
  'parameter-became-required': row('breaks', 'became required'),
  'parameter-default-changed': row('breaks', 'means something else when it is missing'),
  'parameter-default-added': row('breaks', 'has a default that was not written down'),
  'parameter-described': row('safe', 'is described'),
  'parameter-undescribed': row('safe', 'is no longer described'),
  'parameter-became-list': row('safe', 'accepts a list, too'),
  'parameter-style-changed': row('breaks', 'is written in another way'),
  'parameter-became-optional': row('safe', 'became optional'),
  'required-body-added': row('breaks', 'is new and required'),
  'body-added': row('safe', 'is new'),
  'body-removed': row('breaks', 'is removed'),
  'body-became-required': row('breaks', 'became required'),
  'body-became-optional': row('safe', 'became optional'),
  'request-media-type-removed': row('breaks', 'is no longer accepted'),
  'request-media-type-added': row('safe', 'is accepted, too'),
  'success-response-removed': row('breaks', 'is no longer answered'),
  'error-response-removed': row('safe', 'is no longer answered'),
  'response-added': row('safe', 'is a new answer'),
  'response-media-type-removed': row('breaks', 'is no longer answered'),
  'response-media-type-added': row('safe', 'is answered, too'),
  'request-schema-added': row('breaks', 'must be as described now'),
  'request-schema-removed': row('safe', 'may be anything'),
  'request-type-narrowed': row('breaks', 'accepts another type'),
  'request-type-widened': row('safe', 'accepts more types'),
  'request-type-respelled': row('safe', 'is of another type that is written the same way'),
  'request-required-property-added': row('breaks', 'is new and required'),
  'request-property-added': row('safe', 'is new'),
  'request-property-removed': row('may-break', 'is removed'),
  'request-property-became-required': row('breaks', 'became required'),
  'request-property-became-optional': row('safe', 'became optional'),
  'request-values-removed': row('breaks', 'accepts fewer values'),
  'request-values-added': row('safe', 'accepts more values'),
  'request-limits-narrowed': row('breaks', 'accepts less'),
  'request-limits-set': row('may-break', 'has a limit that was not written down'),
  'request-limits-changed': row('may-break', 'has other limits'),
  'request-limits-widened': row('safe', 'accepts more'),
  'request-format-narrowed': row('breaks', 'accepts another format'),
  'request-format-widened': row('safe', 'accepts more formats'),
  'request-default-added': row('safe', 'has a default now'),
  'request-default-removed': row('safe', 'has no default any longer'),
  'request-default-changed': row('may-break', 'means something else when it is missing'),
  'request-property-became-read-only': row('safe', 'is ignored: only answers have it'),
  'request-variant-removed': row('breaks', 'accepts fewer kinds of values'),
  'request-variant-added': row('safe', 'accepts more kinds of values'),
  'request-property-refused': row('breaks', 'is removed and refused'),
  'request-closed': row('breaks', 'accepts no other properties'),
  'request-opened': row('safe', 'accepts other properties'),
  'response-media-type-specialized': row('safe', 'is answered in a more special form'),
  'response-schema-added': row('safe', 'is described'),
  'response-schema-removed': row('may-break', 'may be anything'),
  'response-type-widened': row('breaks', 'answers another type'),
  'response-type-narrowed': row('safe', 'answers fewer types'),
  'response-type-respelled': row('safe', 'is of another type that is written the same way'),
  'response-property-removed': row('breaks', 'is removed'),
  'response-property-added': row('safe', 'is new'),
  'response-property-became-write-only': row('breaks', 'is answered no longer: only requests have it'),
  'response-property-no-longer-write-only': row('may-break', 'is answered, too'),
  'hidden-property-changed': row('safe', 'differs, but does not travel this way'),
  'access-changed': row('safe', 'is read-only or write-only in another way'),
  'response-property-became-optional': row('breaks', 'may be missing'),
  'response-property-became-required': row('safe', 'is always there'),
  'response-values-added': row('may-break', 'answers new values'),
  'response-values-removed': row('safe', 'answers fewer values'),
  'response-limits-narrowed': row('safe', 'answers less'),
  'response-limits-set': row('safe', 'has a new limit'),
  'response-limits-changed': row('may-break', 'has other limits'),
  'response-limits-widened': row('breaks', 'answers more than its limits were'),
  'response-pattern-changed': row('safe', 'has another pattern'),
  'response-format-narrowed': row('safe', 'answers a narrower format'),
  'response-format-widened': row('breaks', 'answers another format'),
  'response-default-changed': row('safe', 'has another default'),
  'response-variant-added': row('breaks', 'answers new kinds of values'),
  'response-variant-removed': row('safe', 'answers fewer kinds of values'),
  'response-header-removed': row('breaks', 'is removed'),
  'response-header-became-optional': row('breaks', 'may be missing'),
  'response-header-added': row('safe', 'is new'),
  'link-removed': row('may-break', 'is removed'),
  'encoding-changed': row('may-break', 'has parts that are written in another way'),
  'discriminator-value-removed': row('may-break', 'no longer names one of its kinds'),
  'discriminator-changed': row('safe', 'tells its kinds apart in another way'),
  'parts-renamed': row('safe', 'is made of other schemas to the same effect'),
  'kind-changed': row('breaks', 'is of another kind'),
  'message-no-longer-sent': row('breaks', 'is no longer sent'),
  'message-sent': row('may-break', 'is sent, too'),
  'message-no-longer-accepted': row('breaks', 'is no longer accepted'),
  'message-accepted': row('safe', 'is accepted, too'),
  'message-media-type-changed': row('breaks', 'is of another media type'),
  'message-described-otherwise': row('may-break', 'is described otherwise'),
  'bindings-changed': row('may-break', 'is bound to its protocol in another way'),
  'servers-changed': row('may-break', 'are other addresses'),
  'servers-added': row('safe', 'have more addresses'),
  'removed-after-sunset': row('safe', 'is removed as announced: it was deprecated and its sunset has passed'),
  'removed-before-sunset': row('breaks', 'is removed before its announced sunset'),
  'removed-while-unstable': row('safe', 'is removed; it was a draft or an alpha'),
  'sunset-moved': row('breaks', 'is announced to end earlier, or no longer on a day'),
  'sunset-postponed': row('safe', 'is announced to end later, or on a day that can be read'),
  'sunset-unreadable': row('breaks', 'is announced to end on a day that cannot be read'),
  'stability-increased': row('safe', 'promises more stability than before'),
  'stability-decreased': row('breaks', 'promises less stability than before'),
} as const satisfies Readonly<Record<string, Rule>>;

export type OpenApiRule = keyof typeof openApiRules;

/** One difference a caller of the API may notice. */
export interface SpecChange {
  readonly effect: Effect;
  readonly rule: OpenApiRule;
  /** `GET /pets`; absent for what concerns the whole API. */
  readonly operation?: string;
  /** What of it: `query parameter limit`, `answer 200 owner.name`; empty for the operation itself. Not escaped. */
  readonly subject: string;
}

/** What a new API description means for its callers. */
export interface SpecDiff {
  /** What breaks callers first, then by operation. */
  readonly changes: readonly SpecChange[];
  /** Changes beyond the first `maxChanges`. */
  readonly more: number;
  readonly operations: { readonly added: number; readonly removed: number; readonly changed: number };
}

/** What a rule says of an operation, or of the whole API. */
export function change(rule: OpenApiRule, operation?: { readonly name: string }, subject = ''): SpecChange {
  const named = operation === undefined ? {} : { operation: operation.name };
  return { effect: openApiRules[rule].effect, rule, ...named, subject };
}

/** `GET /pets: query parameter limit became required`. Made visible, not escaped for a format. */
export function specChangeText(change: SpecChange): string {
  const { words } = openApiRules[change.rule];
  if (change.operation === undefined) return `${visible(change.subject)} ${words}`;
  const subject = change.subject === '' ? ' ' : `: ${visible(change.subject)} `;
  return `${visible(change.operation)}${subject}${words}`;
}

/** What a change does to those who call the API. */
export const effectWords: Readonly<Record<Effect, string>> = {
  breaks: 'breaks clients',
  'may-break': 'may break clients',
  safe: 'safe',
};

const effects: readonly (readonly [Effect, string])[] = [
  ['breaks', 'that breaks clients'],
  ['may-break', 'that may break clients'],
  ['safe', 'that is safe'],
];

/** `operations: 1 added, 2 removed, 1 changed; 2 changes that break clients, 1 that is safe` */
export function specSummary(diff: SpecDiff): string {
  const { added, removed, changed } = diff.operations;
  const operations = [
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
  ] as const;
  const parts = operations.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  const heads = parts.length === 0 ? [] : [`operations: ${parts.join(', ')}`];
  return [...heads, effectCounts(diff)].filter((text) => text !== '').join('; ');
}

function effectCounts(diff: SpecDiff): string {
  const found = effects
    .map(([effect, words]) => [diff.changes.filter((change) => change.effect === effect).length, words] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => {
      const plural = words.replace('that breaks', 'that break').replace('that is', 'that are');
      return `${count(number, 'change')} ${number === 1 ? words : plural}`;
    });
  const more = diff.more === 0 ? [] : [`and ${diff.more} more`];
  return [...found, ...more].join(', ');
}

/** `breaks clients: GET /pets is removed` */
export function clientClause(change: SpecChange): string {
  return `${effectWords[change.effect]}: ${specChangeText(change)}`;
}

/** The changes that break callers, and those that may. */
export function riskyChanges(diff: SpecDiff): readonly SpecChange[] {
  return diff.changes.filter((change) => change.effect !== 'safe');
}
