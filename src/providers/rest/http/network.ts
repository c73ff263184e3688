import { defined } from '@platform-sync/core/model/value';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { HttpCode } from '@platform-sync/core/generated/codes';

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
export function clientCertificateOf(env: Env): ClientCertificate | undefined {
  const [certificate, key] = [env['SYNC_CLIENT_CERT'] || undefined, env['SYNC_CLIENT_KEY'] || undefined];
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate === undefined && key === undefined) return undefined;
  const [given, missing] =
    key === undefined ? ['SYNC_CLIENT_CERT', 'SYNC_CLIENT_KEY'] : ['SYNC_CLIENT_KEY', 'SYNC_CLIENT_CERT'];
  throw networkProblem('client-certificate-unusable', `${given} is set, and ${missing} is not.`);
}

export function networkProblem(code: HttpCode, summary: string, hint?: string): DiagnosticError {
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
