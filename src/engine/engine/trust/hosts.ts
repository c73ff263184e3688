import { ownMember } from '@platform-sync/core/model/own-member';

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80', 'postgres:': '5432' };

interface Host {
  readonly name: string;
  readonly port: string;
}

/** Host and port that an address means, the host in the one form all its spellings have; undefined for no address. */
export function hostOf(address: string): Host | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, port } = new URL(address);
  const scheme = protocol === 'postgresql:' ? 'postgres:' : protocol;
  const name = hostName(port === '' ? host : host.slice(0, -port.length - 1));
  return name === undefined ? undefined : { name, port: port === '' ? (ownMember(defaultPorts, scheme) ?? '') : port };
}

/** A host as addresses of the web have it: small letters, IDN in ASCII, numbers of four parts. */
function hostName(text: string): string | undefined {
  return URL.canParse(`https://${text}/`) ? new URL(`https://${text}/`).hostname : undefined;
}

/**
 * True when a list has the host of an address. `gateway.example.com` is that host at the usual port, `…:8443` at another,
 * `*.example.com` any host below example.com.
 */
export function listsHost(entries: readonly string[], address: string): boolean {
  const host = hostOf(address);
  if (host === undefined) return false;
  const usual = ownMember(defaultPorts, new URL(address).protocol.replace('postgresql:', 'postgres:')) ?? '';
  return entries.some((entry) => {
    const [, wild, rest = '', port = usual] = /^(\*\.)?([^/*]+?)(?::(\d+))?$/.exec(entry) ?? [];
    const name = hostName(rest);
    if (name === undefined || rest === '' || port !== host.port) return false;
    return wild === undefined ? host.name === name : host.name.endsWith(`.${name}`);
  });
}
