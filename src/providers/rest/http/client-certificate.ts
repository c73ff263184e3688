import { readFile } from 'node:fs/promises';
import { type Diagnostic, errorCode } from '@platform-sync/core/model/diagnostic';
import { clientCertificateOf, networkProblem } from './network.js';
import type { FailureKind } from './retry.js';

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
