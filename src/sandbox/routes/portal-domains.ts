import { conflict, invalid, notFound } from '../problem.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import type { DomainRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { readBody } from '../validate/checks.js';
import { changedDomain, newDomain, type DomainSsl } from '../validate/portal-settings.js';
import { findPortal } from './portals.js';

/** A portal's own domain. Its proof is under way when it is made, and done when somebody looks again. */
export function domainRoutes(world: World): readonly Route[] {
  const path = '/v3/portals/{portalId}/custom-domain';
  const family = 'catalogue';
  return [
    { method: 'POST', path, family, handle: (call) => create(world, call) },
    { method: 'GET', path, family, handle: (call) => read(world, call) },
    { method: 'PATCH', path, family, handle: (call) => change(world, call) },
    {
      method: 'DELETE',
      path,
      family,
      handle: (call) => {
        world.portalDomains.delete(find(world, call).id);
        return noContent;
      },
    },
  ];
}

function find(world: World, call: Call): DomainRow {
  const row = world.portalDomains.get(findPortal(world, call).id);
  if (row === undefined) throw notFound();
  return row;
}

function create(world: World, call: Call): Answer {
  const { id } = findPortal(world, call);
  const { hostname, enabled, ssl } = readBody(newDomain, call.body);
  if (world.portalDomains.get(id) !== undefined) throw conflict('The portal has a domain of its own');
  if (world.portalDomains.all().some((row) => row.hostname === hostname))
    throw conflict(`hostname: "${hostname}" already exists`);
  const now = world.now();
  const row: DomainRow = {
    ...{ id, hostname, enabled, created_at: now, updated_at: now },
    ...certificateOf(ssl, ssl.domain_verification_method ?? 'http'),
  };
  world.portalDomains.put(row);
  return created(show(row));
}

/** Who looks at a name that ends in `.invalid` never sees it proven: no such name leads anywhere. */
function read(world: World, call: Call): Answer {
  const row = find(world, call);
  if (row.verification_status === 'pending') {
    const isProven = !row.hostname.endsWith('.invalid');
    world.portalDomains.put({ ...row, verification_status: isProven ? 'verified' : 'pending', is_led: isProven });
  }
  return ok(show(find(world, call)));
}

function change(world: World, call: Call): Answer {
  const row = find(world, call);
  const { enabled, ssl = {} } = readBody(changedDomain, call.body);
  const renewed = ssl.custom_certificate !== undefined || ssl.custom_private_key !== undefined;
  const changed: DomainRow = {
    ...row,
    enabled: enabled ?? row.enabled,
    skip_ca_check: ssl.skip_ca_check ?? row.skip_ca_check,
    ...(renewed ? certificateOf({ ...row, ...ssl }, row.domain_verification_method) : {}),
    updated_at: world.now(),
  };
  world.portalDomains.put(changed);
  return ok(show(changed));
}

/** With a certificate of one's own the name needs no proof but the certificate's. */
function certificateOf(
  ssl: DomainSsl,
  method: string,
): Pick<
  DomainRow,
  | 'domain_verification_method'
  | 'custom_certificate'
  | 'custom_private_key'
  | 'skip_ca_check'
  | 'verification_status'
  | 'is_led'
> {
  const { custom_certificate: certificate = null, custom_private_key: key = null, skip_ca_check = false } = ssl;
  if (method === 'custom_certificate' && (certificate === null || key === null))
    throw invalid({ field: 'ssl', rule: 'required', reason: 'a certificate and its key are required', source: 'body' });
  return {
    ...{ domain_verification_method: method, custom_certificate: certificate, custom_private_key: key, skip_ca_check },
    ...{ verification_status: 'pending', is_led: false },
  };
}

/** The certificate and its key are kept, and never shown. */
function show(row: DomainRow): Record<string, unknown> {
  const { hostname, enabled, created_at, updated_at, domain_verification_method, verification_status } = row;
  const ssl = { domain_verification_method, verification_status, skip_ca_check: row.skip_ca_check };
  return { hostname, enabled, ssl, cname_status: row.is_led ? 'verified' : 'pending', created_at, updated_at };
}
