import { CloudProblem, cloudMessages, cloudProblemBody } from './cloud/cloud-problem.js';
import { type ProblemParts, Problem } from './problem.js';
import { type Trace, problemBody } from './problem-style.js';
import type { Answer, Route } from './route.js';

/** How a family says what it refuses; undefined for what is no refusal. */
export function refusal(error: unknown, family: Route['family'], trace: Trace): Answer | undefined {
  if (error instanceof CloudProblem)
    return { status: error.status, body: cloudProblemBody(error.status, error.message) };
  return error instanceof Problem ? refusalOf(error.parts, family, trace) : undefined;
}

export function refusalOf(parts: ProblemParts, family: Route['family'], trace: Trace): Answer {
  const { status, retryAfter } = parts;
  const later = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  if (family === 'cloud')
    return { status, headers: later, body: { ...cloudProblemBody(status, cloudMessage(parts)), ...parts.extra } };
  const headers = { ...later, 'content-type': 'application/problem+json' };
  return { status, headers, body: problemBody(parts, family, trace) };
}

function cloudMessage({ invalid, detail, title, status }: ProblemParts): string {
  return invalid?.[0]?.reason ?? detail ?? title ?? cloudMessages[status] ?? `Status ${String(status)}`;
}
