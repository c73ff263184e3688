import { withConfiguration } from '../described/configuration.js';
import type { World } from '../store/world.js';
import { managedField } from '../wire.js';
import {
  apiSlugs,
  attributes,
  documentText,
  firstVersion,
  implementations,
  linkedOnce,
  productDocumentText,
  productPortals,
  publications,
  surroundings,
  versions,
} from './apis.js';
import type { Behaviour } from './behaviour.js';
import { labels, nulls, presets, refers, unique, uniqueName } from './members.js';
import {
  customization,
  domain,
  frontTitle,
  keptByPublications,
  pageVisibility,
  picture,
  portalDomain,
  signIn,
  strategySettings,
} from './portals.js';
import { byPosition, nested, tree } from './tree.js';

const role = ['role_name', 'entity_id', 'entity_type_name', 'entity_region'] as const;

/** What the platform does beside its description, by path. Their order is the order in which an object goes through them. */
const table: Readonly<Record<string, readonly Behaviour[]>> = {
  '/v3/apis': [
    firstVersion,
    labels('labels'),
    attributes,
    unique(['name', 'version'], ({ name, version = null }) => {
      const which =
        version === null ? `name: "${String(name)}"` : `name and version: "${String(name)}" "${String(version)}"`;
      return `${which} already exists and must be unique.`;
    }),
    apiSlugs,
    surroundings,
  ],
  '/v3/apis/{}/versions': [
    versions,
    unique(['version'], ({ version }) => `version: "${String(version)}" already exists`),
  ],
  '/v3/apis/{}/documents': [
    documentText,
    tree({ parent: 'parent_document_id', slugs: 'siblings' }),
    nested('parent_document_id'),
  ],
  '/v3/apis/{}/implementations': [implementations, linkedOnce],
  '/v3/apis/{}/publications': [publications],
  '/v2/api-products': [presets({ portal_ids: [] }), labels('labels', 'public_labels'), productPortals],
  '/v2/api-products/{}/documents': [
    productDocumentText,
    tree({ parent: 'parent_document_id', slugs: 'all' }),
    byPosition,
  ],
  '/v2/application-auth-strategies': [labels('labels'), strategySettings],
  '/v3/portals': [
    // Which of the two it is when nothing is said is unpublished.
    presets({
      display_name: ({ name = null }) => name,
      default_api_visibility: 'private',
      default_page_visibility: 'private',
    }),
    labels('labels'),
    portalDomain,
    uniqueName,
    refers('default_application_auth_strategy_id', 'auth-strategies'),
    keptByPublications,
  ],
  '/v3/portals/{}/pages': [
    presets({ title: ({ slug = null }) => slug, visibility: pageVisibility, status: 'unpublished' }),
    frontTitle,
    tree({ parent: 'parent_page_id', slugs: 'siblings' }),
    nested('parent_page_id'),
  ],
  '/v3/portals/{}/snippets': [presets({ visibility: pageVisibility, status: 'unpublished' }), frontTitle, uniqueName],
  '/v3/portals/{}/teams': [
    presets({ can_own_applications: false }),
    nulls({ can_own_applications: false }),
    uniqueName,
  ],
  '/v3/portals/{}/teams/{}/assigned-roles': [unique(role, () => 'The team has the role already')],
  '/v3/portals/{}/custom-domain': [domain],
  '/v3/portals/{}/customization': [customization],
  '/v3/portals/{}/authentication-settings': [signIn],
  '/v3/portals/{}/assets/logo': [picture],
  '/v3/portals/{}/assets/favicon': [picture],
  '/v2/portals': [{ show: ({ id }, world) => ({ published_product_count: publishedTo(world, String(id)) }) }],
  '/v2/control-planes': [{ settle: withConfiguration }],
  '/v3/teams': [presets({ labels: {}, system_team: false })],
  '/v3/system-accounts': [presets({ [managedField]: false })],
};

function publishedTo(world: World, portal: string): number {
  const products = world.rows('products').all();
  return products.filter(({ portal_ids: ids }) => Array.isArray(ids) && ids.includes(portal)).length;
}

const none: readonly Behaviour[] = [];

/** The behaviours of a collection or a lone object, by its path without the names of its parameters. */
export function behavioursOf(path: string): readonly Behaviour[] {
  return table[path] ?? none;
}
