import path from 'node:path';
import { defined } from '@platform-sync/core/model/value';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { refusedError, type Sending } from '@platform-sync/core/model/trust';
import { listsHost } from './may-send.js';
import { isWithin } from '@platform-sync/core/model/within';
import { realPlace, stateLeaves, treeOf } from './paths.js';
import type { Permissions } from './permissions.js';
import { chooserOf } from './project-trust.js';

type Env = Readonly<Record<string, string | undefined>>;

const stateVariable = 'SYNC_STATE_URL';

/** Throws where a file that is to be written for this project would lie outside of it, links followed. */
export function requireInside(file: string, { root }: Pick<ProjectConfig, 'root'>, permissions: Permissions): void {
  const folders = [root, ...permissions.state.filter((place) => path.isAbsolute(place))];
  if (!stateLeaves(folders, file)) return;
  throw refusedError(
    'path-leaves-project',
    `${file} lies outside the project folder: nothing was written.`,
    `Keep it inside, without links that lead out, or let the operator allow it: SYNC_POLICY='${JSON.stringify({ state: [path.dirname(file)] })}'`,
  );
}

/** The connection to a state database as something that is sent; undefined for a file. */
export function stateSending(config: ProjectConfig, env: Env): Sending | undefined {
  if (config.state.backend !== 'postgres') return undefined;
  const { to, isOperators } = databaseAddress(config.state.url, env);
  const named = env[stateVariable];
  const agreed = named === undefined || !URL.canParse(named) ? undefined : databaseAddress(named, env).to;
  return {
    sender: 'state',
    what: 'the password and the content of the state',
    to,
    setting: 'state.url',
    chosenBy: isOperators ? 'operator' : chooserOf(config, 'state.url', [stateVariable]),
    isOwn: false,
    variable: { name: stateVariable, ...defined({ address: agreed }) },
  };
}

/** True when the operator said where the state is, so that the files under review could not write what it says. */
export function isPlaced(config: ProjectConfig, permissions: Permissions, env: Env): boolean {
  if (config.state.backend === 'sqlite') return !isWithin(treeOf(config.root), realPlace(config.state.path));
  const sending = stateSending(config, env);
  if (sending === undefined) return false;
  return sending.chosenBy === 'operator' || listsHost(permissions.state, sending.to);
}

/**
 * Server and way to it, as the driver understands an address: a host in the parameters beats the one before them, no
 * host means the one of the environment, else this machine. The parameters count: they say whether it is encrypted.
 */
function databaseAddress(url: string, env: Env): { readonly to: string; readonly isOperators: boolean } {
  const { hostname, port, searchParams } = new URL(url);
  const parameter = (name: string): string => searchParams.get(name) ?? '';
  const host = parameter('host') || parameter('hostaddr') || decodeURIComponent(hostname);
  const chosenPort = parameter('port') || port;
  const rest = new URLSearchParams(
    [...searchParams].filter(([name]) => !['host', 'hostaddr', 'port'].includes(name)).sort(),
  ).toString();
  const fromEnvironment = host === '' ? (env['PGHOST'] ?? '') : '';
  const name = (host || fromEnvironment || 'localhost').toLowerCase();
  // The folder of a socket is on this machine.
  const place =
    name.startsWith('/') || name.startsWith('@')
      ? 'localhost'
      : name.includes(':')
        ? `[${name.replace(/^\[|\]$/g, '')}]`
        : name;
  const isUsual = chosenPort === '' || chosenPort === '5432';
  const to = `postgres://${place}${isUsual ? '' : `:${chosenPort}`}${rest === '' ? '' : `/?${rest}`}`;
  return { to: URL.canParse(to) ? to : 'postgres://invalid', isOperators: fromEnvironment !== '' };
}
