import { parseJson } from '@platform-sync/rest/http/json';
import type { HttpAnswer } from '@platform-sync/rest/http/transport';
import { cloudError } from './errors.js';
import { PolicyShapeError, readPolicy, type Policy } from './policy-data.js';

/** The policy in a successful answer. Throws ProviderError for what is none. */
export function policyIn(answer: HttpAnswer, service: string): Policy {
  // "No content" is how an empty policy may come.
  const body = answer.status === 204 ? {} : parseJson(answer.text);
  const refuse = (what: string): Error =>
    cloudError('unexpected-answer', 'unexpected-answer', `The answer for the policy of "${service}" ${what}.`, {
      status: answer.status,
      hint: 'Check serviceManagementCustomEndpoint, when it is set.',
    });
  if (body === undefined) throw refuse('holds no JSON');
  try {
    return readPolicy(body);
  } catch (error) {
    throw error instanceof PolicyShapeError ? refuse(`can't be understood: ${error.message}`) : error;
  }
}
