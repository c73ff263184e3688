import { type Route, ok } from '../route.js';
import type { Family } from '../problem-style.js';
import { type ListRules, answerList } from '../list/list.js';
import { notFound } from '../problem.js';
import type { Collection, Row } from '../store/collection.js';
import type { World } from '../store/world.js';
import { managedField } from '../wire.js';
import { classicPortalRules, controlPlaneRules, networkRules, systemAccountRules, teamRules } from './lookup-rules.js';

interface ReadOnlyFamily<T extends Row> {
  readonly path: string;
  /** Path parameter of the single read; absent where the platform has none. */
  readonly parameter?: string;
  readonly family: Family;
  readonly rows: Collection<T>;
  readonly rules: ListRules<T>;
  /** The row as it is, unless given. */
  readonly show?: (row: T) => object;
}

/** What can only be read here: everything that lookups find. */
export function lookupRoutes(world: World): readonly Route[] {
  const published = countPublished(world);
  return [
    ...readOnly(world, {
      path: '/v2/portals',
      parameter: 'portalId',
      family: 'catalogue',
      rows: world.classicPortals,
      rules: classicPortalRules,
      show: (row) => ({ ...row, published_product_count: published(row.id) }),
    }),
    ...readOnly(world, {
      path: '/v2/control-planes',
      parameter: 'controlPlaneId',
      family: 'control-planes',
      rows: world.controlPlanes,
      rules: controlPlaneRules,
    }),
    ...readOnly(world, {
      path: '/v1/mesh/control-planes',
      parameter: 'cpId',
      family: 'control-planes',
      rows: world.meshControlPlanes,
      rules: {},
    }),
    ...readOnly(world, {
      path: '/v2/cloud-gateways/networks',
      parameter: 'networkId',
      family: 'gateways',
      rows: world.networks,
      rules: networkRules,
    }),
    ...readOnly(world, {
      path: '/v2/cloud-gateways/provider-accounts',
      family: 'gateways',
      rows: world.providerAccounts,
      rules: {},
    }),
    ...readOnly(world, {
      path: '/v3/teams',
      parameter: 'teamId',
      family: 'identity',
      rows: world.teams,
      rules: teamRules,
    }),
    ...readOnly(world, {
      path: '/v3/system-accounts',
      parameter: 'accountId',
      family: 'identity',
      rows: world.systemAccounts,
      rules: systemAccountRules,
      show: ({ managed, ...row }) => ({ ...row, [managedField]: managed }),
    }),
    // Both spellings: the path that people are told to try a token with ends in a slash.
    ...['/v2/users', '/v2/users/'].flatMap((path) =>
      readOnly(world, { path, family: 'identity', rows: world.users, rules: {} }),
    ),
    addressRoute(world),
  ];
}

function readOnly<T extends Row>(world: World, family: ReadOnlyFamily<T>): readonly Route[] {
  const { path, parameter, rows, rules, show = (row) => row } = family;
  const list: Route = {
    method: 'GET',
    path,
    family: family.family,
    handle: (call) => answerList(world, rows, rules, call.query, show),
  };
  if (parameter === undefined) return [list];
  const one: Route = {
    method: 'GET',
    path: `${path}/{${parameter}}`,
    family: family.family,
    handle: (call) => {
      const row = rows.get(call.param(parameter));
      if (row === undefined) throw notFound();
      return ok({ ...show(row) });
    },
  };
  return [list, one];
}

/** A static public file: no token, no filters. */
function addressRoute(world: World): Route {
  return {
    method: 'GET',
    path: '/ip-addresses.json',
    family: 'catalogue',
    open: true,
    handle: () => {
      const [list] = world.addressLists.all();
      if (list === undefined) throw notFound();
      return ok(list.content);
    },
  };
}

function countPublished(world: World): (portalId: string) => number {
  return (portalId) => world.products.all().filter((product) => product.portal_ids.includes(portalId)).length;
}
