import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { isLoopback } from '@platform-sync/core/model/loopback';
import { notRecorded, notTrusted, type Sending } from '@platform-sync/core/model/trust';
import { listedHosts, type Permissions } from './permissions.js';
import { ownMember } from '@platform-sync/core/model/value';

/** The target that a state store has on record. `isPlaced`: the operator said where that store is. */
export interface Recorded {
  readonly target: string;
  readonly isPlaced: boolean;
}

type Reason = (sending: Sending, permissions: Permissions, recorded: Recorded | undefined) => boolean;

/** Why a secret may go to an address. One of them must hold; there is no other way out. */
export const reasons = {
  'the operator named it': ({ chosenBy }) => chosenBy === 'operator',
  'it is a host of the service itself': ({ isOwn }) => isOwn,
  'it is this machine': ({ to }, permissions) => permissions.loopback && isLoopback(hostOf(to)?.name ?? ''),
  'the environment names the same': ({ to, variable }) => variable?.address === to,
  'the permissions list it': ({ sender, to }, permissions) => listsHost(listedHosts(permissions, sender), to),
  'this stack was applied to it': ({ to }, _permissions, recorded) =>
    recorded?.isPlaced === true && recorded.target === to,
} as const satisfies Readonly<Record<string, Reason>>;

/** The reason why it may be sent; undefined: it must not. */
export function reasonFor(sending: Sending, permissions: Permissions, recorded?: Recorded): string | undefined {
  return Object.entries(reasons).find(([, holds]) => holds(sending, permissions, recorded))?.[0];
}

/** What to tell where no reason holds. */
export function refusal(sending: Sending, recorded?: Recorded): Diagnostic {
  const { what, to, setting } = sending;
  const host = new URL(to).host;
  const other = recorded !== undefined && recorded.target !== to;
  return {
    severity: 'error',
    code: other ? notRecorded : notTrusted,
    summary: `${setting} names ${host === '' ? to : host}, and only the files under review say so: ${what} was not sent there.`,
    detail: other
      ? `This stack was applied to ${recorded.target}. Nothing was sent.`
      : 'Anybody who proposes a change of these files could choose where secrets go. Nothing was sent.',
    hint: `If this is intended, say so where a change of these files can't: ${allowingLine(sending)}`,
  };
}

/** The one line that allows it. */
export function allowingLine({ sender, to, variable }: Sending): string {
  if (variable !== undefined && variable.address === undefined && sender !== 'state') return `${variable.name}=${to}`;
  const list = sender === 'state' ? 'state' : sender === 'webhook' ? 'webhooks' : undefined;
  const { host } = new URL(to);
  return `SYNC_POLICY='${JSON.stringify(list === undefined ? { hosts: { [sender]: [host] } } : { [list]: [host] })}'`;
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80', 'postgres:': '5432' };

interface Host {
  readonly name: string;
  readonly port: string;
}

/** Host and port that an address means, the host in the one form all its spellings have; undefined for no address. */
function hostOf(address: string): Host | undefined {
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
