import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { conflict, missingReference, Problem } from '../problem.js';
import { plain } from './families.js';
import type { Siblings } from './siblings.js';

const planes = '/v2/control-planes';
const core = `${planes}/{}/core-entities`;

/** Members that no two objects of one place share: no description tells, their own documentation does. */
const unique: Readonly<Record<string, readonly string[]>> = {
  [planes]: ['name'],
  '/v3/system-accounts': ['name'],
  [`${core}/services`]: ['name'],
  [`${core}/routes`]: ['name'],
  [`${core}/consumers`]: ['username', 'custom_id'],
  [`${core}/upstreams`]: ['name'],
  [`${core}/snis`]: ['name'],
  [`${core}/ca_certificates`]: ['cert'],
  [`${core}/plugins`]: ['instance_name'],
};

/** What a plugin counts for: no two of one name count for the same, and without any it counts for everything. */
const pluginScope = ['service', 'route', 'consumer', 'consumer_group'] as const;

/** Members that hold the id of an object of the same control plane, `{"id": …}` or a list of ids → where that one lies. */
const references: Readonly<Record<string, string>> = {
  service: 'services',
  route: 'routes',
  consumer: 'consumers',
  consumer_group: 'consumer_groups',
  certificate: 'certificates',
  client_certificate: 'certificates',
  ca_certificates: 'ca_certificates',
};

/** What must go first, and what goes along, when an object goes: `[collection, member]`. */
const ends: Readonly<Record<string, { readonly first: readonly Link[]; readonly along: readonly Link[] }>> = {
  services: { first: [['routes', 'service']], along: [['plugins', 'service']] },
  routes: { first: [], along: [['plugins', 'route']] },
  consumers: { first: [], along: [['plugins', 'consumer']] },
  certificates: {
    first: [
      ['services', 'client_certificate'],
      ['upstreams', 'client_certificate'],
      ['snis', 'certificate'],
    ],
    along: [],
  },
};
type Link = readonly [collection: string, member: string];

/** Where an object is to be kept, and where its neighbours are. */
interface Placement {
  /** Path of the collection, as described and with ids. */
  readonly path: string;
  readonly place: string;
  readonly own: string;
  readonly siblingsOf: (path: string) => Siblings;
}

/** Throws what speaks against an object as it is to be kept. */
export function mustFit({ path, place, own, siblingsOf }: Placement, object: JsonObject): void {
  for (const member of unique[plain(path)] ?? []) {
    const value = object[member];
    if (typeof value !== 'string') continue;
    const isTaken = siblingsOf(path)
      .all(place)
      .some((other) => other['id'] !== own && other[member] === value);
    if (isTaken) throw conflict(`There is one with this ${member} already`);
  }
  if (!plain(path).startsWith(core)) return;
  if (plain(path) === `${core}/plugins`) mustBeAlone(object, siblingsOf(path).all(place), own);
  for (const [member, collection] of Object.entries(references))
    for (const id of idsIn(object[member]))
      if (siblingsOf(beside(path, collection)).get(beside(place, collection), id) === undefined)
        throw missingReference(`${member}.id`);
}

function mustBeAlone(plugin: JsonObject, all: readonly JsonObject[], own: string): void {
  const scopeOf = (one: JsonObject): string =>
    JSON.stringify([one['name'], ...pluginScope.map((member) => idsIn(one[member]))]);
  const scope = scopeOf(plugin);
  if (all.some((other) => other['id'] !== own && scopeOf(other) === scope))
    throw conflict(`There is a plugin "${String(plugin['name'])}" for this already`);
}

/** Throws when others of the control plane hang on an object; takes away what goes along with it. */
export function mustBeFree({ path, place, own, siblingsOf }: Placement): void {
  if (plain(path) === planes) mustBeInNoGroup(own, siblingsOf);
  // A consumer that leaves a group does not end: its membership lies deeper.
  const rule = plain(path).startsWith(`${core}/`) ? ends[plain(path).slice(core.length + 1)] : undefined;
  if (rule === undefined) return;
  const hanging = ([collection, member]: Link): readonly JsonObject[] =>
    siblingsOf(beside(path, collection))
      .all(beside(place, collection))
      .filter((other) => idsIn(other[member]).includes(own));
  const holding = rule.first.find((link) => hanging(link).length > 0);
  if (holding !== undefined) throw new Problem({ status: 400, detail: `There are ${holding[0]} that refer to it` });
  for (const link of rule.along)
    for (const { id } of hanging(link))
      siblingsOf(beside(path, link[0])).delete(beside(place, link[0]), typeof id === 'string' ? id : '');
}

/** A control plane that is a member of a group can't go. */
function mustBeInNoGroup(own: string, siblingsOf: Placement['siblingsOf']): void {
  const members = siblingsOf(`${planes}/{}/group-memberships`);
  for (const { id } of siblingsOf(planes).all(planes))
    if (members.get(`${planes}/${String(id)}/group-memberships`, own) !== undefined)
      throw conflict('It is a member of a control plane group');
}

function idsIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).filter((id) => typeof id === 'string');
  const id = isJsonObject(value) ? value['id'] : undefined;
  return typeof id === 'string' ? [id] : [];
}

/** Another collection of the same control plane. */
function beside(path: string, collection: string): string {
  return `${path.split('/').slice(0, 5).join('/')}/${collection}`;
}
