import { defined } from './defined.js';
import type { ProblemParts } from './problem.js';
import { accountTrace, catalogueTrace } from './wire.js';

/** Which part of the platform a route imitates; each words its refusals differently. */
export type Family = 'catalogue' | 'gateways' | 'identity' | 'control-planes';

interface Style {
  readonly trace: string;
  readonly invalidTitle: string;
  readonly invalidDetail: string;
  readonly unauthenticatedTitle: string;
  readonly unauthenticatedDetail: string;
  readonly notFoundDetail: string;
}

const catalogue: Style = {
  trace: catalogueTrace,
  invalidTitle: 'Invalid Request',
  invalidDetail: 'Invalid Parameters',
  unauthenticatedTitle: 'Unauthorized',
  unauthenticatedDetail: 'Unauthorized',
  notFoundDetail: 'Not Found',
};
const account: Style = {
  trace: accountTrace,
  invalidTitle: 'Bad Request',
  invalidDetail: '',
  unauthenticatedTitle: 'Unauthenticated',
  unauthenticatedDetail: 'A valid token is required',
  notFoundDetail: 'The requested object was not found',
};
const styles: Readonly<Record<Family, Style>> = {
  catalogue,
  gateways: catalogue,
  identity: account,
  'control-planes': account,
};

const titles: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Rate Limited',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
const details: Readonly<Record<number, string>> = {
  403: 'You do not have permission to perform this action',
  415: 'This API only supports requests with `Content-Type: application/json`',
  429: 'Too many requests',
};

/** Makes the number at the end of `instance`, unique in a sandbox. */
export type Trace = () => string;

/** The problem+json body for a refusal. */
export function problemBody(parts: ProblemParts, family: Family, trace: Trace): Record<string, unknown> {
  const style = styles[family];
  const detail = parts.detail === undefined ? defaultDetail(parts.status, style) : parts.detail;
  return {
    status: parts.status,
    title: parts.title ?? defaultTitle(parts.status, style),
    instance: style.trace + trace(),
    ...defined({ type: parts.type }),
    ...(detail === null ? {} : { detail }),
    ...defined({ invalid_parameters: parts.invalid }),
    ...parts.extra,
  };
}

function defaultTitle(status: number, style: Style): string {
  if (status === 400) return style.invalidTitle;
  if (status === 401) return style.unauthenticatedTitle;
  return titles[status] ?? `Status ${String(status)}`;
}

function defaultDetail(status: number, style: Style): string {
  if (status === 400) return style.invalidDetail;
  if (status === 401) return style.unauthenticatedDetail;
  if (status === 404) return style.notFoundDetail;
  return details[status] ?? titles[status] ?? '';
}
