import type { Patience } from './patience.js';
import type { ReviewHost } from './review-host.js';
import type { ReviewRequest } from './review-request.js';

/** Opens the request's platform; only that one's client is loaded. */
export async function openHost(request: ReviewRequest, patience: Patience): Promise<ReviewHost> {
  if (request.platform === 'github') return (await import('./github/host.js')).githubHost(request, patience);
  return (await import('./gitlab/host.js')).gitlabHost(request, patience);
}
