import { defined } from '@platform-sync/core/model/value';
import { type Diagnostic, DiagnosticError, errorCode } from '@platform-sync/core/model/diagnostic';
import type { HttpCode } from '@platform-sync/core/generated/codes';
import { readFile } from 'node:fs/promises';
import type { FailureKind } from './retry.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The proxies of a company's network, as its machines name them. */
interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  /** Hosts that are reached directly; this machine always is. */
  readonly noProxy: string;
}

/** Paths of a client's certificate and key, both PEM. */
interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Never through a proxy: what is sent to this machine in clear text must not leave it. */
const thisMachine = 'localhost,127.0.0.1,[::1],::1';

/** What HTTPS_PROXY, HTTP_PROXY and NO_PROXY say, in small letters, too; undefined when no proxy is named. */
export function proxiesOf(env: Env): Proxies | undefined {
  const [httpProxy, httpsProxy] = [proxyIn(env, 'HTTP_PROXY'), proxyIn(env, 'HTTPS_PROXY')];
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  const noProxy = [valueOf(env, 'NO_PROXY'), thisMachine].filter((part) => part !== undefined).join(',');
  return {
    noProxy,
    ...defined({ httpProxy, httpsProxy }),
  };
}

/** What SYNC_CLIENT_CERT and SYNC_CLIENT_KEY say; one without the other is an error. */
function clientCertificateOf(env: Env): ClientCertificate | undefined {
  const [certificate, key] = [env['SYNC_CLIENT_CERT'] || undefined, env['SYNC_CLIENT_KEY'] || undefined];
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate === undefined && key === undefined) return undefined;
  const [given, missing] =
    key === undefined ? ['SYNC_CLIENT_CERT', 'SYNC_CLIENT_KEY'] : ['SYNC_CLIENT_KEY', 'SYNC_CLIENT_CERT'];
  throw networkProblem('client-certificate-unusable', `${given} is set, and ${missing} is not.`);
}

function networkProblem(code: HttpCode, summary: string, hint?: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...defined({ hint }) }]);
}

/** The address of a proxy; without a scheme it is http. It may hold a password and is never repeated. */
function proxyIn(env: Env, name: string): string | undefined {
  const value = valueOf(env, name);
  if (value === undefined) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') return address;
  const hint = 'Write http://proxy.example.com:8080, with user:password@ in front of the host if it asks for one.';
  throw networkProblem('proxy-unusable', `${name} holds no address of an http or https proxy.`, hint);
}

/** Small letters first, as other tools do. */
function valueOf(env: Env, name: string): string | undefined {
  return env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
}

/** The certificate that this process shows to those who ask for one; undefined when none is named. */
export async function readClientCertificate(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  const files = clientCertificateOf(env);
  if (files === undefined) return undefined;
  const [cert, key] = await Promise.all([
    read(files.certificate, 'SYNC_CLIENT_CERT'),
    read(files.key, 'SYNC_CLIENT_KEY'),
  ]);
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const why = errorCode(error) ?? 'unknown reason';
    const summary = `SYNC_CLIENT_CERT and SYNC_CLIENT_KEY can't be used together: ${why}.`;
    throw networkProblem(
      'client-certificate-unusable',
      summary,
      'The key is that of the certificate, without a password.',
    );
  }
  return { cert, key };
}

async function read(path: string, name: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = errorCode(error) ?? 'unknown reason';
    throw networkProblem('client-certificate-unusable', `The file that ${name} names can't be read: ${why}.`);
  });
  if (text.includes('-----BEGIN ')) return text;
  throw networkProblem('client-certificate-unusable', `The file that ${name} names holds nothing in PEM form.`);
}

/** Whether a failed handshake is the server's verdict on us: it sends those as alerts. */
export function isAboutClient(code: string): boolean {
  return /^ERR_SSL_.*_ALERT_(?:.*CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)/.test(code);
}

/** Since TLS 1.3 the verdict comes after the handshake, and looks like a connection that was closed without a word. */
export function perhapsUs(
  { kind, code }: { readonly kind: FailureKind; readonly code: string },
  origin: string,
): string {
  const isSilent = kind === 'reset' && (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET');
  if (!isSilent || !origin.startsWith('https:')) return '';
  return ' A server that wants another certificate of the client (SYNC_CLIENT_CERT, SYNC_CLIENT_KEY) breaks off like this, too.';
}

export function clientRefused(origin: string, code: string): Diagnostic {
  return {
    severity: 'error',
    code: 'client-certificate-refused',
    summary: `${origin} asks for a certificate of the client, and took none or not this one.`,
    detail: `The runtime reports: ${code}.`,
    hint: 'Name one that it trusts: SYNC_CLIENT_CERT and SYNC_CLIENT_KEY, two PEM files.',
  };
}
