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
  'operation-deprecated': row('safe', 'is deprecated'),
  'operation-undeprecated': row('safe', 'is no longer deprecated'),
  'security-added': row('breaks', 'now needs authentication'),
  'security-removed': row('safe', 'no longer needs authentication'),
  'security-changed': row('may-break', 'is authenticated in another way'),
  'required-parameter-added': row('breaks', 'is new and required'),
  'parameter-added': row('safe', 'is new'),
  'parameter-removed': row('may-break', 'is removed'),
  'parameter-became-required': row('breaks', 'became required'),
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
  'request-type-narrowed': row('breaks', 'accepts another type'),
  'request-type-widened': row('safe', 'accepts more types'),
  'request-required-property-added': row('breaks', 'is new and required'),
  'request-property-added': row('safe', 'is new'),
  'request-property-removed': row('may-break', 'is removed'),
  'request-property-became-required': row('breaks', 'became required'),
  'request-property-became-optional': row('safe', 'became optional'),
  'request-values-removed': row('breaks', 'accepts fewer values'),
  'request-values-added': row('safe', 'accepts more values'),
  'request-limits-changed': row('may-break', 'has other limits'),
  'response-type-widened': row('breaks', 'answers another type'),
  'response-type-narrowed': row('safe', 'answers fewer types'),
  'response-property-removed': row('breaks', 'is removed'),
  'response-property-added': row('safe', 'is new'),
  'response-property-became-optional': row('breaks', 'may be missing'),
  'response-property-became-required': row('safe', 'is always there'),
  'response-values-added': row('may-break', 'answers new values'),
  'response-values-removed': row('safe', 'answers fewer values'),
  'response-limits-changed': row('safe', 'has other limits'),
  'composition-changed': row('may-break', 'is composed of other schemas'),
  'kind-changed': row('breaks', 'is of another kind'),
  'message-no-longer-sent': row('breaks', 'is no longer sent'),
  'message-sent': row('may-break', 'is sent, too'),
  'message-no-longer-accepted': row('breaks', 'is no longer accepted'),
  'message-accepted': row('safe', 'is accepted, too'),
  'message-described-otherwise': row('may-break', 'is described otherwise'),
  'bindings-changed': row('may-break', 'is bound to its protocol in another way'),
  'servers-changed': row('may-break', 'are other addresses'),
} as const satisfies Readonly<Record<string, Rule>>;

export type OpenApiRule = keyof typeof openApiRules;
