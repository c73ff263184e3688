/** Where objects of a kind lie, by the name that controls, seeds and the disk know them by. */
export interface Kind {
  readonly name: string;
  /** Path of the collection, or of the lone object, without the names of its parameters. */
  readonly path: string;
  /** Where in the path the id of what they lie in stands. */
  readonly depth: number;
  /** Member that holds it. */
  readonly parent: string | undefined;
  /** Member that the path of an item ends with; undefined where each parent has one of them. */
  readonly own: string | undefined;
  /** Members that they are found by. */
  readonly by: readonly string[];
}

/** Path of the collection of a row, or of the lone object that it is: ids further above than its parent's count for nothing. */
export function placeOf({ path, parent }: Kind, row: Readonly<Record<string, unknown>>): string {
  const at = path.lastIndexOf('{}');
  return parent === undefined ? path : `${path.slice(0, at)}${String(row[parent])}${path.slice(at + 2)}`;
}

/** Paths of items, with members for ids; after it the members that they are found by. Parents come before what lies in them. */
const paths: Readonly<Record<string, readonly [path: string, ...by: string[]]>> = {
  'auth-strategies': ['/v2/application-auth-strategies/{id}'],
  portals: ['/v3/portals/{id}', 'name'],
  'portal-pages': ['/v3/portals/{portal_id}/pages/{id}'],
  'portal-snippets': ['/v3/portals/{portal_id}/snippets/{id}'],
  'portal-teams': ['/v3/portals/{portal_id}/teams/{id}'],
  'portal-team-roles': ['/v3/portals/{portal_id}/teams/{team_id}/assigned-roles/{id}'],
  'portal-customizations': ['/v3/portals/{id}/customization'],
  'portal-auth': ['/v3/portals/{id}/authentication-settings'],
  'portal-logos': ['/v3/portals/{id}/assets/logo'],
  'portal-favicons': ['/v3/portals/{id}/assets/favicon'],
  'portal-domains': ['/v3/portals/{id}/custom-domain', 'hostname'],
  'classic-portals': ['/v2/portals/{id}'],
  'control-planes': ['/v2/control-planes/{id}', 'name'],
  'gateway-services': ['/v2/control-planes/{control_plane_id}/core-entities/services/{id}'],
  'mesh-control-planes': ['/v1/mesh/control-planes/{id}'],
  'provider-accounts': ['/v2/cloud-gateways/provider-accounts/{id}'],
  networks: ['/v2/cloud-gateways/networks/{id}'],
  teams: ['/v3/teams/{id}'],
  users: ['/v2/users/{id}'],
  'system-accounts': ['/v3/system-accounts/{id}', 'name'],
  'ip-addresses': ['/ip-addresses.json/{id}'],
  'cloud-services': ['/v1/services/{id}'],
  apis: ['/v3/apis/{id}', 'name'],
  versions: ['/v3/apis/{api_id}/versions/{id}'],
  documents: ['/v3/apis/{api_id}/documents/{id}'],
  implementations: ['/v3/apis/{api_id}/implementations/{id}'],
  publications: ['/v3/apis/{api_id}/publications/{portal_id}', 'portal_id'],
  products: ['/v2/api-products/{id}', 'name'],
  'product-documents': ['/v2/api-products/{api_product_id}/documents/{id}'],
};

export const kinds: readonly Kind[] = Object.entries(paths).map(([name, [path, ...by]]) => {
  const members = [...path.matchAll(/\{([^}]*)\}/g)].map((found) => found[1] ?? '');
  const own = path.endsWith('}') ? members.at(-1) : undefined;
  const parent = own === undefined ? members.at(-1) : members.at(-2);
  const collection = (own === undefined ? path : path.slice(0, path.lastIndexOf('/'))).replace(/\{[^}]*\}/g, '{}');
  const depth = collection.split('/').lastIndexOf('{}');
  return {
    name,
    path: collection,
    depth,
    parent,
    own,
    by: parent === undefined || parent === 'id' ? by : [parent, ...by],
  };
});
