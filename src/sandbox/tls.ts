import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { selfSigned, type Certificate } from './certificate.js';

export interface TlsMaterial extends Certificate {
  /** Path of the certificate, for clients that are to trust it. */
  readonly path: string;
  /** Takes away what is not kept. */
  forget(): Promise<void>;
}

/** The sandbox's own certificate: kept in the data folder, where clients already trust it, else made for this run. */
export async function openTls(data: string | undefined, extraNames: readonly string[]): Promise<TlsMaterial> {
  const names = ['localhost', '127.0.0.1', '::1', hostname(), ...ownAddresses(), ...extraNames];
  const folder = data === undefined ? await mkdtemp(join(tmpdir(), 'sync-sandbox-')) : data;
  const paths = { certificate: join(folder, 'sandbox-cert.pem'), key: join(folder, 'sandbox-key.pem') };
  const kept = data === undefined ? undefined : await readKept(paths, names);
  const made = kept ?? selfSigned(names, Date.now());
  if (kept === undefined) {
    await mkdir(folder, { recursive: true });
    await writeFile(paths.key, made.key, { mode: 0o600 });
    await writeFile(paths.certificate, made.certificate);
  }
  const forget = async (): Promise<void> => {
    if (data === undefined) await rm(folder, { recursive: true, force: true });
  };
  return { ...made, path: paths.certificate, forget };
}

/** One that is over, or is not for all of the names, is made anew. */
async function readKept(
  paths: { readonly certificate: string; readonly key: string },
  names: readonly string[],
): Promise<Certificate | undefined> {
  try {
    const [certificate, key] = await Promise.all([readFile(paths.certificate, 'utf8'), readFile(paths.key, 'utf8')]);
    const found = new X509Certificate(certificate);
    const isFor = (name: string): boolean => (found.checkHost(name) ?? found.checkIP(name)) !== undefined;
    return Date.parse(found.validTo) > Date.now() && names.every(isFor) ? { certificate, key } : undefined;
  } catch {
    return undefined;
  }
}

function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  // Link-local addresses hold for one interface only.
  return all.map(({ address }) => address).filter((address) => !address.startsWith('fe80:'));
}
