import type { MergeRequestNotes } from '@gitbeaker/rest';
import type { Patience } from '../patience.js';
import type { ReviewProject } from '../review-request.js';
import { onceOnly } from './requester.js';

const timeoutMs = 30_000;

export type ClientOptions = ConstructorParameters<typeof MergeRequestNotes>[0];

/** What every resource of the client is made with. */
export function clientOptions(project: ReviewProject, patience: Patience): ClientOptions {
  return {
    host: project.apiUrl.replace(/\/api\/v4$/, ''),
    token: project.token ?? '',
    queryTimeout: timeoutMs,
    requesterFn: (service: Parameters<typeof onceOnly>[0]) => onceOnly(service, patience.now),
  };
}
