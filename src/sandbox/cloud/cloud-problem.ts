/** Names the cloud vendor gives to HTTP statuses in error bodies. */
const names: Readonly<Record<number, readonly [status: string, reason: string]>> = {
  400: ['INVALID_ARGUMENT', 'badRequest'],
  401: ['UNAUTHENTICATED', 'authError'],
  403: ['PERMISSION_DENIED', 'forbidden'],
  404: ['NOT_FOUND', 'notFound'],
  409: ['ABORTED', 'aborted'],
  429: ['RESOURCE_EXHAUSTED', 'rateLimitExceeded'],
  500: ['INTERNAL', 'backendError'],
  503: ['UNAVAILABLE', 'backendError'],
};

/** What the vendor says when there is nothing more exact to say. */
export const cloudMessages: Readonly<Record<number, string>> = {
  401: 'Request had invalid authentication credentials. Expected an access token.',
  403: 'The caller does not have permission',
  404: 'Requested entity was not found.',
  429: 'Quota exceeded.',
  500: 'Internal error encountered.',
  503: 'The service is currently unavailable.',
};

/** A refusal of the cloud family, rendered in the vendor's error form. */
export class CloudProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'CloudProblem';
    this.status = status;
  }
}

export function cloudProblemBody(code: number, message: string): Record<string, unknown> {
  const [status, reason] = names[code] ?? ['UNKNOWN', 'unknown'];
  return { error: { code, message, status, errors: [{ message, domain: 'global', reason }] } };
}
