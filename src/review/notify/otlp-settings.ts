import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { mayCarrySecrets } from '@platform-sync/core/model/loopback';

/** Where and how metrics are sent, as the OpenTelemetry environment variables say. */
export interface OtlpSettings {
  /** Whole address of the metrics. */
  readonly url: string;
  /** Names in lower case. Values are never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the resource, `service.name` among them. */
  readonly resource: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Nothing when nobody asked for metrics; a warning when what was asked for can't be done. */
type OtlpChoice =
  | { readonly settings: OtlpSettings; readonly problem?: undefined }
  | { readonly settings?: undefined; readonly problem?: Diagnostic };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables that every OpenTelemetry exporter knows; one for metrics beats the general one. `endpoint` (from
 * a flag) beats both addresses.
 */
export function otlpSettings(env: Environment, endpoint?: string): OtlpChoice {
  const general = endpoint ?? said(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = endpoint === undefined ? said(env, 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT') : undefined;
  const isOff = said(env, 'OTEL_SDK_DISABLED') === 'true' || said(env, 'OTEL_METRICS_EXPORTER') === 'none';
  if ((general === undefined && own === undefined) || (isOff && endpoint === undefined)) return {};
  const protocol = metricsFirst(env, 'PROTOCOL');
  if (protocol === 'grpc' && endpoint === undefined)
    return { problem: unusable('OTEL_EXPORTER_OTLP_PROTOCOL asks for grpc, and only HTTP with JSON is spoken here') };
  const url = own === undefined ? withPath(general ?? '') : own;
  if (!isEndpoint(url))
    return { problem: unusable('the address is not an http:// or https:// URL, or holds a user or password') };
  const headers = pairs(metricsFirst(env, 'HEADERS') ?? '').map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  if (headers.some(([name, value]) => !isHeader(name, value)))
    return { problem: unusable('OTEL_EXPORTER_OTLP_HEADERS holds what can be no header') };
  if (headers.length > 0 && !mayCarrySecrets(new URL(url)))
    return { problem: unusable('headers are not sent over http:// to another machine: use https://') };
  const timeout = Number(metricsFirst(env, 'TIMEOUT') ?? NaN);
  return {
    settings: {
      url,
      headers: Object.fromEntries(headers),
      resource: resourceOf(env),
      ...(Number.isInteger(timeout) && timeout > 0 && timeout < 2 ** 31 ? { timeoutMs: timeout } : {}),
    },
  };
}

function said(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function metricsFirst(env: Environment, name: string): string | undefined {
  return said(env, `OTEL_EXPORTER_OTLP_METRICS_${name}`) ?? said(env, `OTEL_EXPORTER_OTLP_${name}`);
}

/** The general address is a root: each kind of signal has its path below it. */
function withPath(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/metrics`;
  return url.href;
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function resourceOf(env: Environment): Readonly<Record<string, string>> {
  const name = said(env, 'OTEL_SERVICE_NAME');
  return {
    'service.name': 'platform-sync',
    ...Object.fromEntries(pairs(said(env, 'OTEL_RESOURCE_ATTRIBUTES') ?? '')),
    ...defined({ 'service.name': name }),
  };
}

/** `a=b,c=d`, values percent-encoded; what has no name or no `=` is left out. */
function pairs(text: string): readonly (readonly [string, string])[] {
  return text.split(',').flatMap((part) => {
    const at = part.indexOf('=');
    const name = decoded(part.slice(0, Math.max(at, 0)).trim());
    return name === '' ? [] : [[name, decoded(part.slice(at + 1).trim())] as const];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
}

function unusable(why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'otlp-unusable',
    summary: `Metrics were not sent by OTLP: ${why}.`,
    hint: 'The check itself was made: its report and its exit code stand.',
  };
}
