import type { MergeRequestNotes } from '@gitbeaker/rest';
import { understood, type Expected } from '../answer.js';
import type { Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { ReviewProject } from '../review-request.js';
import { onceOnly } from './requester.js';

const timeoutMs = 30_000;

export type ClientOptions = ConstructorParameters<typeof MergeRequestNotes>[0];

/** Asks the client, and gives what was expected. */
export async function ask<T>(expected: Expected, work: () => Promise<T>): Promise<T> {
  const answer = await work().catch((error: unknown) => {
    // Its calls are sent by us: any other error of the client is one of reading the answer.
    throw error instanceof ReviewError ? error : new ReviewError('unusable', 'it could not be read');
  });
  return understood(answer, expected);
}

/** What every resource of the client is made with. */
export function clientOptions(project: ReviewProject, patience: Patience): ClientOptions {
  return {
    host: project.apiUrl.replace(/\/api\/v4$/, ''),
    token: project.token ?? '',
    queryTimeout: timeoutMs,
    requesterFn: (service: Parameters<typeof onceOnly>[0]) => onceOnly(service, patience.now),
  };
}
