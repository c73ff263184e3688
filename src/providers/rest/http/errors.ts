import { defined, type Json } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { AbsenceProof, AbsentAnswer } from '@platform-sync/core/model/resource-type';
import { clientRefused, isAboutClient, perhapsUs } from './network.js';
import { patternOf } from '@platform-sync/core/model/pattern';
import type { HttpCode } from '@platform-sync/core/generated/codes';
import { asList, asObject, asText, isJson, parseJson } from './json.js';
import type { UnsteadyList } from './list-reader.js';
import { readProblem, type InvalidParameter, type Problem } from './problem.js';
import { mayHaveHappened, type Method } from './retry.js';
import type { HttpAnswer, HttpFailure } from './transport.js';

/** What is known about a call when it has failed. */
export interface CallInfo {
  readonly method: Method;
  readonly origin: string;
  /** Without query: filters may hold what users typed. */
  readonly path: string;
  /** Catalogue path of a wire field; undefined when there is none. */
  readonly fieldOf?: ((parameter: InvalidParameter) => string | undefined) | undefined;
  /** What this service answers where an object does not exist, where its type says so. */
  readonly absent?: AbsentAnswer | undefined;
  /** What to do, for the kinds where the caller knows more. */
  readonly hintFor?: ((kind: ProviderErrorKind, answer?: HttpAnswer) => string | undefined) | undefined;
  /** Takes secrets out of text that came from outside. */
  readonly redact: (text: string) => string;
}

const authority = 'Where it is signed by an authority of your own, name that: NODE_EXTRA_CA_CERTS=/path/to/root.pem';

/** The error for a call that got no usable answer. */
export function failureError(failure: HttpFailure, call: CallInfo): ProviderError {
  const where = `${call.method} ${call.origin}${call.path}`;
  const reported = `The runtime reports: ${failure.code}.${perhapsUs(failure, call.origin)}`;
  const report = (kind: ProviderErrorKind, code: HttpCode, summary: string, hint?: string): ProviderError => {
    const told = diagnostic(code, summary, call, kind, reported);
    return new ProviderError(kind, [hint === undefined ? told : { ...told, hint }]);
  };
  if (failure.kind === 'not-sent') return report('unavailable', 'unreachable', `${call.origin} can't be reached.`);
  if (failure.kind === 'certificate' && isAboutClient(failure.code))
    return new ProviderError('unavailable', [clientRefused(call.origin, failure.code)]);
  if (failure.kind === 'certificate')
    return report(
      'unavailable',
      'certificate-refused',
      `The certificate of ${call.origin} was not accepted.`,
      authority,
    );
  const what = {
    reset: 'the connection broke',
    'timed-out': 'no answer came in time',
    garbled: 'the answer could not be read',
  }[failure.kind];
  return mayHaveHappened(call.method, failure.kind)
    ? report('ambiguous', 'outcome-unknown', `${where} may or may not have been carried out: ${what}.`)
    : report('unavailable', 'server-unavailable', `${where} failed: ${what}.`);
}

/** The error for an answer with a status that means failure. */
export function answerError(answer: HttpAnswer, call: CallInfo): ProviderError {
  // Before anything is cut short: half a token would slip through.
  const problem = readProblem(call.redact(answer.text));
  const absence = absenceOf(answer, call.absent);
  const isStranger = absence === undefined && (answer.status === 404 || answer.status === 410);
  const kind = isStranger
    ? 'unexpected-answer'
    : absence === undefined
      ? kindOf(answer.status, call.method, problem)
      : 'not-found';
  const details = { status: answer.status, ...defined({ absence }) };
  // It is told in the words of the refusal, and what was sent before stays to be looked for.
  const end = answer.isAfterDoubt === true && kind !== 'not-found' ? 'ambiguous' : kind;
  if (kind === 'invalid' && problem.invalid.length > 0) {
    return new ProviderError(
      end,
      problem.invalid.map((parameter) => rejectedValue(parameter, problem, call)),
      details,
    );
  }
  const summary = `${call.method} ${call.path}: ${verdict(kind)} (${words(answer.status, problem)}).`;
  return new ProviderError(end, [diagnostic(codeOf[kind], summary, call, kind, trace(problem))], details);
}

/**
 * What a 404 says. One with the platform's own words (a problem document that repeats the status) speaks of the object;
 * one of a gateway or a web page speaks of itself.
 */
function absenceOf(
  { status, headers, text }: HttpAnswer,
  absent: AbsentAnswer | undefined,
): AbsenceProof | AbsentAnswer | undefined {
  const isEmpty = text.trim() === '';
  const body = !isEmpty && isJson(headers) ? asObject(parseJson(text)) : undefined;
  if (absent?.status === status && (absent.body === undefined ? isEmpty : says(body, absent.body))) return absent;
  if (status !== 404) return undefined;
  if (isEmpty) return 'empty-404';
  return body?.status === 404 && asText(body.title) !== undefined ? 'problem-404' : undefined;
}

/** True for an answer that has all that is asked for. */
function says(answer: Json | undefined, wanted: Json): boolean {
  if (typeof wanted === 'string') return typeof answer === 'string' && patternOf(wanted).test(answer);
  const [members, items] = [asObject(wanted), asList(wanted)];
  if (members !== undefined) {
    const own = asObject(answer);
    return own !== undefined && Object.entries(members).every(([name, member]) => says(own[name], member));
  }
  const own = asList(answer);
  if (items !== undefined) return own !== undefined && items.every((item) => own.some((each) => says(each, item)));
  return answer === wanted;
}

/** A call to a list that does not add up. */
export function unsteadyList(call: CallInfo, { message: what, isMoving }: UnsteadyList): ProviderError {
  if (isMoving) {
    const summary = `GET ${call.origin}${call.path}: the list keeps changing: ${what}, twice in a row.`;
    const told = diagnostic('moving-list', summary, call, 'unexpected-answer', undefined);
    return new ProviderError('unexpected-answer', [
      { ...told, hint: 'Others make or delete objects in it right now. Try again a little later.' },
    ]);
  }
  const summary = `GET ${call.origin}${call.path}: the list is inconsistent, even when it is read twice: ${what}.`;
  return new ProviderError('unexpected-answer', [
    diagnostic('unexpected-answer', summary, call, 'unexpected-answer', undefined),
  ]);
}

/** The error for a 404 that is no proof: nothing is known about the object then. */
export function noProof(error: ProviderError, call: CallInfo): ProviderError {
  const summary = `${call.method} ${call.origin}${call.path}: an answer with status 404 that does not prove that the object is gone.`;
  return new ProviderError(
    'unexpected-answer',
    [diagnostic('unexpected-answer', summary, call, 'unexpected-answer', error.message)],
    { status: 404 },
  );
}

/** The error for a success whose body is not what the call is known to answer. */
export function unexpectedAnswer(answer: HttpAnswer, call: CallInfo, missing: string): ProviderError {
  // The write itself did succeed; the caller must look before it sends it again.
  const kind = call.method === 'POST' ? 'ambiguous' : 'unexpected-answer';
  const type = answer.headers['content-type'];
  const detail = `Status ${answer.status}, content type ${typeof type === 'string' ? type : 'not given'}.`;
  const summary = `${call.method} ${call.origin}${call.path}: the answer holds ${missing}.`;
  return new ProviderError(kind, [diagnostic('unexpected-answer', summary, call, kind, detail)], {
    status: answer.status,
  });
}

const codeOf: Readonly<Record<ProviderErrorKind, HttpCode>> = {
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  'not-found': 'object-not-found',
  conflict: 'conflict',
  invalid: 'request-rejected',
  'rate-limited': 'rate-limited',
  unavailable: 'server-unavailable',
  ambiguous: 'outcome-unknown',
  configuration: 'request-rejected',
  'unexpected-answer': 'unexpected-answer',
};

function kindOf(status: number, method: Method, problem: Problem): ProviderErrorKind {
  if (mayHaveHappened(method, status)) return 'ambiguous';
  if (status >= 500 || status === 408) return 'unavailable';
  const exact = (
    {
      401: 'unauthenticated',
      403: 'forbidden',
      404: 'not-found',
      409: 'conflict',
      429: 'rate-limited',
    } as const
  )[status];
  if (exact !== undefined) return exact;
  if (status < 400) return 'unexpected-answer';
  return method === 'POST' && saysTaken(problem) ? 'conflict' : 'invalid';
}

/** Name collisions have been seen as a plain 400; the words give them away. */
function saysTaken(problem: Problem): boolean {
  const said = [problem.title, problem.detail, ...problem.invalid.map((parameter) => parameter.reason)];
  return said.some((text) => text !== undefined && /already exists|must be unique|duplicate/i.test(text));
}

function verdict(kind: ProviderErrorKind): string {
  switch (kind) {
    case 'unauthenticated':
      return 'the token was not accepted';
    case 'forbidden':
      return 'not allowed with this token';
    case 'not-found':
      return 'not found';
    case 'conflict':
      return 'collides with an existing object';
    case 'rate-limited':
      return 'too many requests';
    case 'ambiguous':
      return 'may or may not have been carried out';
    case 'unavailable':
      return 'the platform could not answer';
    case 'unexpected-answer':
      return 'this is not an answer of the platform';
    default:
      return 'refused';
  }
}

function words(status: number, problem: Problem): string {
  const said = [
    problem.title,
    problem.detail,
    ...problem.invalid.map((parameter) => `${parameter.field ?? ''} ${parameter.reason}`.trim()),
  ];
  const text = said.filter((part) => part !== undefined).join(': ');
  return text === '' ? `status ${status}` : `${status} ${text}`;
}

function trace(problem: Problem): string | undefined {
  return problem.instance === undefined ? undefined : `Trace id: ${problem.instance}.`;
}

function rejectedValue(parameter: InvalidParameter, problem: Problem, call: CallInfo): Diagnostic {
  const field = call.fieldOf?.(parameter);
  const name = field ?? parameter.field;
  const what = name === undefined ? 'The platform refused the request' : `The platform refused ${name}`;
  const detail = [
    parameter.rule && `Rule: ${parameter.rule}.`,
    parameter.limits && `It allows ${parameter.limits}.`,
    trace(problem),
  ];
  const text = detail.filter(Boolean).join(' ');
  const base = diagnostic(
    'rejected-value',
    `${what}: ${parameter.reason}.`,
    call,
    'invalid',
    text === '' ? undefined : text,
  );
  return field === undefined ? base : { ...base, field };
}

function diagnostic(
  code: HttpCode,
  summary: string,
  call: CallInfo,
  kind: ProviderErrorKind,
  detail?: string,
): Diagnostic {
  const hint = call.hintFor?.(kind);
  return {
    severity: 'error',
    code,
    summary: clean(summary, call),
    ...defined({ detail: detail === undefined ? undefined : clean(detail, call), hint }),
  };
}

/** One line without control characters or secrets, of bearable length: the text comes from a server. */
function clean(text: string, call: CallInfo): string {
  const line = call
    .redact(text)
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .replace(/\.\.+$/, '.')
    .trim();
  return line.length > 600 ? `${line.slice(0, 600)}…` : line;
}
