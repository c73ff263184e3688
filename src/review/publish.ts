import type { Diagnostic } from '../engine/model/diagnostic.js';
import type { Plan } from '../engine/model/plan.js';
import { openHost } from './hosts.js';
import { targetKey } from './marker.js';
import type { Patience } from './patience.js';
import { commentOn, explain, insecure, withoutToken } from './problems.js';
import { ReviewError } from './review-error.js';
import type { ReviewEnvironment } from './review-environment.js';
import type { ReviewRequest } from './review-request.js';
import { postSticky } from './sticky-comment.js';
import type { Posted } from './sticky-comment.js';
import { isSafeServer } from './safe-server.js';

export type Published =
  | { readonly posted: Posted; readonly diagnostic?: undefined }
  /** Nothing was posted. A warning when that is as it should be: a fork's pipeline may only read. */
  | { readonly posted?: undefined; readonly diagnostic: Diagnostic };

/** Makes the request's comment say what the plan says. */
export async function publishPlan(
  plan: Plan,
  markdown: string,
  { request, ...environment }: ReviewEnvironment & { readonly request: ReviewRequest },
  patience: Patience,
): Promise<Published> {
  if (!isSafeServer(request.apiUrl)) return { diagnostic: insecure(request) };
  if (request.token === undefined) return { diagnostic: withoutToken(commentOn(request)) };
  const revision = {
    // Outside of a pipeline the plan stands for the commit: of one plan, the later one counts.
    commit: environment.commit ?? plan.catalogueDigest.slice(0, 40),
    planned: plan.meta.createdAt,
    ...(environment.run === undefined ? {} : { run: environment.run }),
  };
  try {
    const host = await openHost(request, patience);
    return { posted: await postSticky(host, { target: targetKey(plan), revision, markdown }, patience) };
  } catch (error) {
    if (error instanceof ReviewError) return { diagnostic: explain(error, commentOn(request)) };
    throw error;
  }
}
