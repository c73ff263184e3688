import { type JsonObject, isJsonObject } from '../json.js';
import { type Answer, type Call, type Route, ok } from '../route.js';
import type { Collection } from '../store/collection.js';
import type { SettingsRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { type BodyCheck, readBody } from '../validate/checks.js';
import { assetBody, authBody, customizationBody } from '../validate/portal-settings.js';
import { managedMappingField } from '../wire.js';
import { findPortal } from './portals.js';

/** What every portal has, as it is until somebody changes it. */
interface Settings {
  readonly path: string;
  readonly rows: Collection<SettingsRow>;
  readonly first: JsonObject;
  readonly body: BodyCheck<JsonObject>;
  /** PUT puts the whole in place, PATCH what it names. */
  readonly methods: readonly ('PUT' | 'PATCH')[];
  /** Never answered. */
  readonly hidden?: readonly string[];
}

const renderer: JsonObject = {
  ...{ try_it_ui: true, try_it_insomnia: true, infinite_scroll: true, show_schemas: true },
  ...{ hide_internal: false, hide_deprecated: false, allow_custom_server_urls: true },
};

const authentication: JsonObject = {
  ...{ basic_auth_enabled: true, oidc_auth_enabled: false, saml_auth_enabled: false },
  ...{ oidc_team_mapping_enabled: false, idp_mapping_enabled: false, [managedMappingField]: false },
  ...{ oidc_issuer: null, oidc_client_id: null, oidc_scopes: null, oidc_claim_mappings: null },
};

/** Claims that say who a developer is, unless a portal names others. */
const claims: JsonObject = { name: 'name', email: 'email', groups: 'groups' };

/** A picture of one pixel: which one portals have at first is theirs to say. */
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** How portals look, and how developers sign in there. */
export function portalSettingsRoutes(world: World): readonly Route[] {
  const asset = { first: { data: picture }, body: assetBody as unknown as BodyCheck<JsonObject> };
  const all: readonly Settings[] = [
    {
      path: 'customization',
      rows: world.portalCustomizations,
      first: { css: null, robots: null, spec_renderer: renderer },
      body: customizationBody,
      methods: ['PUT', 'PATCH'],
    },
    {
      path: 'authentication-settings',
      rows: world.portalAuth,
      first: authentication,
      body: authBody,
      methods: ['PATCH'],
      hidden: ['oidc_client_secret'],
    },
    { path: 'assets/logo', rows: world.portalLogos, methods: ['PUT'], ...asset },
    { path: 'assets/favicon', rows: world.portalFavicons, methods: ['PUT'], ...asset },
  ];
  return all.flatMap((settings) => {
    const path = `/v3/portals/{portalId}/${settings.path}`;
    return [
      { method: 'GET', path, family: 'catalogue', handle: (call) => ok(show(settings, findPortal(world, call).id)) },
      ...settings.methods.map((method): Route => ({
        method,
        path,
        family: 'catalogue',
        handle: (call) => put(world, settings, call, method === 'PATCH'),
      })),
    ] satisfies readonly Route[];
  });
}

function put(world: World, settings: Settings, call: Call, isPart: boolean): Answer {
  const { id } = findPortal(world, call);
  const given = readBody(settings.body, call.body);
  const old = settings.rows.get(id);
  const now = world.now();
  const base = isPart ? content(settings, old) : {};
  // A null picture is the one that was there at first; any other null is a value.
  const said = Object.entries(given).filter(([name, value]) => value !== null || name !== 'data');
  settings.rows.put({
    ...({ ...settings.first, ...base, ...withDefaults(settings.first, Object.fromEntries(said)) } as object),
    id,
    created_at: old?.created_at ?? now,
    updated_at: now,
  });
  return ok(show(settings, id));
}

/** Records that are said in part have the rest as it was at first. */
function withDefaults(first: JsonObject, given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const before = isJsonObject(first[name]) ? first[name] : {};
      if (!isJsonObject(value)) return [name, value];
      return [name, { ...(name === 'oidc_claim_mappings' ? claims : before), ...value }];
    }),
  );
}

function content({ first }: Settings, row: SettingsRow | undefined): JsonObject {
  if (row === undefined) return first;
  const { id: _id, created_at: _created, updated_at: _updated, ...rest } = row;
  return rest;
}

function show(settings: Settings, id: string): Record<string, unknown> {
  const shown = Object.entries(content(settings, settings.rows.get(id)));
  return Object.fromEntries(shown.filter(([name]) => settings.hidden?.includes(name) !== true));
}
