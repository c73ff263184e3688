import { type Json, type JsonObject, isJsonObject, patchMap } from '../json.js';
import { contentTitle } from '../markdown.js';
import { conflict, invalid } from '../problem.js';
import type { World } from '../store/world.js';
import { managedMappingField } from '../wire.js';
import type { Behaviour, Step } from './behaviour.js';

/** A portal has an address of its own from the start. */
export const portalDomain: Behaviour = {
  settle: (object, { before, own }) => {
    const domain = `${own.slice(0, 12)}.portal.example.com`;
    return before === undefined ? { ...object, default_domain: domain, canonical_domain: domain } : object;
  },
};

/** What is published there keeps a portal, unless its end is forced. */
export const keptByPublications: Behaviour = {
  end: ({ id }, { world, siblingsOf, query }) => {
    const published = world.rows('publications').find('portal_id', String(id));
    if (published.length > 0 && query['force'] !== 'true')
      throw conflict(`${String(published.length)} APIs are published to this portal`);
    for (const { api_id: api, portal_id: portal } of published) {
      const place = `/v3/apis/${String(api)}/publications`;
      siblingsOf('/v3/apis/{}/publications').delete(place, String(portal));
    }
  },
};

/** Pages and snippets are shown to whom their portal shows pages, unless they say otherwise. */
export function pageVisibility(_object: JsonObject, { world, place }: Step): Json {
  const portal = world.rows('portals').get(place.split('/')[3] ?? '');
  return portal?.['default_page_visibility'] ?? 'private';
}

/** What the front matter says of title and description beats what the body says: the opposite of documents of APIs. */
export const frontTitle: Behaviour = {
  settle: (object) => ({ ...object, ...contentTitle(String(object['content'] ?? '')) }),
};

/** The settings of its own kind; a change names those that change, and null takes one off. */
export const strategySettings: Behaviour = {
  settle: (object, { given, before }) => {
    const type = String(object['strategy_type']);
    const key = type === 'key_auth' ? 'key-auth' : 'openid-connect';
    const asked = recordOf(given['configs']);
    const foreign = Object.keys(asked).find((name) => name !== key);
    if (foreign !== undefined)
      throw invalid({ field: `configs.${foreign}`, rule: 'invalid', reason: `not of ${type}`, source: 'body' });
    const settings = before === undefined ? object['configs'] : before['configs'];
    const changes = before === undefined ? {} : recordOf(asked[key]);
    const kept = patchMap(recordOf(recordOf(settings)[key]), changes);
    const set = Object.entries(kept).filter(([, value]) => value !== null);
    return { ...object, configs: { [key]: Object.fromEntries(set) } };
  },
  show: ({ id, dcr_provider_id: dcr = null }, world) => ({
    active: isUsed(world, String(id)),
    dcr_provider: dcr === null ? null : { id: dcr, name: dcr, provider_type: 'http' },
  }),
  end: ({ id }, { world }) => {
    if (isUsed(world, String(id))) throw conflict('The strategy is used by published APIs');
  },
};

function isUsed(world: World, id: string): boolean {
  const uses = ({ auth_strategy_ids: ids }: JsonObject): boolean => Array.isArray(ids) && ids.includes(id);
  return world.rows('publications').all().some(uses);
}

/**
 * A portal's own domain. Its proof is under way when it is made, and done when somebody looks again; a name that ends in
 * `.invalid` is never proven: no such name leads anywhere. The certificate and its key are kept, and never shown.
 */
export const domain: Behaviour = {
  settle: ({ ssl: _ssl, cname_status: _status, ...object }, { given, before, world }) => {
    const ssl = recordOf(given['ssl']);
    if (before === undefined) {
      const taken = world.rows('portal-domains').find('hostname', String(object['hostname']));
      if (taken.length > 0) throw conflict(`hostname: "${String(object['hostname'])}" already exists`);
      return { ...object, ...certificateOf({ domain_verification_method: 'http', ...ssl }) };
    }
    const { skip_ca_check: skip = before['skip_ca_check'] ?? false } = ssl;
    const isRenewed = ssl['custom_certificate'] !== undefined || ssl['custom_private_key'] !== undefined;
    return { ...object, skip_ca_check: skip, ...(isRenewed ? certificateOf({ ...before, ...ssl }) : {}) };
  },
  seen: (row) => {
    const isProven = row['verification_status'] !== 'pending' || !String(row['hostname']).endsWith('.invalid');
    return { ...row, verification_status: isProven ? 'verified' : 'pending', is_led: isProven };
  },
  show: ({
    domain_verification_method: method = null,
    verification_status: status = null,
    skip_ca_check: skip = false,
    is_led,
  }) => ({
    ssl: { domain_verification_method: method, verification_status: status, skip_ca_check: skip },
    cname_status: is_led === true ? 'verified' : 'pending',
  }),
};

/** With a certificate of one's own the name needs no proof but the certificate's. */
function certificateOf(ssl: JsonObject): JsonObject {
  const {
    domain_verification_method,
    custom_certificate = null,
    custom_private_key = null,
    skip_ca_check = false,
  } = ssl;
  if (
    domain_verification_method === 'custom_certificate' &&
    (custom_certificate === null || custom_private_key === null)
  )
    throw invalid({ field: 'ssl', rule: 'required', reason: 'a certificate and its key are required', source: 'body' });
  return {
    ...{ domain_verification_method: domain_verification_method ?? null, custom_certificate, custom_private_key },
    ...{ skip_ca_check, verification_status: 'pending', is_led: false },
  };
}

/** What every portal has, as it is until somebody changes it. Records that are said in part have the rest as at first. */
function settings(first: JsonObject, rest: JsonObject = first): Behaviour {
  return {
    first,
    settle: (object, { given }) => {
      const said = Object.entries(given).map(([name, value]): [string, Json] => [
        name,
        isJsonObject(value) ? { ...recordOf(rest[name]), ...value } : value,
      ]);
      return { ...first, ...object, ...Object.fromEntries(said) };
    },
  };
}

export const customization = settings({
  ...{ css: null, robots: null },
  spec_renderer: {
    ...{ try_it_ui: true, try_it_insomnia: true, infinite_scroll: true, show_schemas: true },
    ...{ hide_internal: false, hide_deprecated: false, allow_custom_server_urls: true },
  },
});

/** Claims say who a developer is, unless a portal names others. */
export const signIn = settings(
  {
    ...{ basic_auth_enabled: true, oidc_auth_enabled: false, saml_auth_enabled: false },
    ...{ oidc_team_mapping_enabled: false, idp_mapping_enabled: false, [managedMappingField]: false },
    ...{ oidc_issuer: null, oidc_client_id: null, oidc_scopes: null, oidc_claim_mappings: null },
  },
  { oidc_claim_mappings: { name: 'name', email: 'email', groups: 'groups' } },
);

/** A picture of one pixel: which one portals have at first is theirs to say, and null asks for it again. */
const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

export const picture: Behaviour = {
  first: { data: pixel },
  settle: (object) => ({ ...object, data: object['data'] ?? pixel }),
};

function recordOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
