import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';

/** One process of one boot of one machine, so that nobody else is taken for it. */
export interface ProcessIdentity {
  readonly host: string;
  /** Differs with every start of the system. */
  readonly boot: string;
  /** Process numbers count anew in each of these (containers). */
  readonly namespace: string;
  readonly pid: number;
  /** Start time: a number that was given again belongs to another process. */
  readonly start: string;
}

/** This process among all others, as a run sees it. */
export interface Processes {
  readonly host: () => string;
  /** For people who wait for it: `user@host pid 123`. */
  readonly owner: () => string;
  /** Undefined where the system does not say (anything but Linux). */
  readonly self: () => ProcessIdentity | undefined;
  readonly isProvenDead: (other: ProcessIdentity) => boolean;
}

/** Where a file is written before it appears whole: nobody else who writes it has the name. */
export function passingName(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

export const realProcesses: Processes = {
  host: hostname,
  owner: () => `${userName()}@${hostname()} pid ${process.pid}`,
  self: thisProcess,
  isProvenDead,
};

/** A container may run under a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

function thisProcess(): ProcessIdentity | undefined {
  const place = placeOf();
  const start = startOf(process.pid);
  return place === undefined || start === undefined ? undefined : { ...place, pid: process.pid, start };
}

/**
 * True only when that process ran on this machine, since it started, among the processes that are seen from here, and is
 * gone. Another machine, a restart, another container or an unreadable answer prove nothing.
 */
function isProvenDead(holder: ProcessIdentity): boolean {
  const place = placeOf();
  if (place === undefined) return false;
  if (place.host !== holder.host || place.boot !== holder.boot || place.namespace !== holder.namespace) return false;
  try {
    const start = startIn(readFileSync(`/proc/${String(holder.pid)}/stat`, 'utf8'));
    return start !== undefined && start !== holder.start;
  } catch (error) {
    // `/proc` itself was readable a moment ago.
    return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
  }
}

/** What was kept of a lease; undefined for anything else. */
export function readIdentity(text: string | null): ProcessIdentity | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<ProcessIdentity> | null;
    const { host, boot, namespace, pid, start } = value ?? {};
    const isWhole = [host, boot, namespace, start].every((part) => typeof part === 'string' && part !== '');
    return isWhole && Number.isSafeInteger(pid) ? (value as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(): Pick<ProcessIdentity, 'host' | 'boot' | 'namespace'> | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { host: hostname(), boot, namespace: readlinkSync('/proc/self/ns/pid') };
  } catch {
    return undefined;
  }
}

function startOf(pid: number): string | undefined {
  try {
    return startIn(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The 22nd field; the second one is a name in brackets, which may hold anything. A zombie has ended: it starts never. */
function startIn(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
  return fields[19];
}
