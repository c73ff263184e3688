import { type AnyCollection, type Row, Collection } from './collection.js';
import type {
  AddressListRow,
  ApiRow,
  ClassicPortalRow,
  CloudServiceRow,
  ControlPlaneRow,
  DescribedRow,
  DocumentRow,
  DomainRow,
  GatewayServiceRow,
  ImplementationRow,
  MeshControlPlaneRow,
  NetworkRow,
  PageRow,
  PortalRow,
  PortalTeamRow,
  ProductDocumentRow,
  ProductRow,
  ProviderAccountRow,
  PublicationRow,
  SettingsRow,
  SnippetRow,
  StrategyRow,
  SystemAccountRow,
  TeamRoleRow,
  TeamRow,
  UserRow,
  VersionRow,
} from './rows.js';
import { randomSource, shuffled } from './shuffle.js';
import { Timestamps } from './timestamps.js';

/** Keeps rows beyond the process; see `disk.ts`. */
interface RowLog {
  write(collection: string, id: string, row: Row | undefined): void;
  /** Runs the work as one transaction. */
  together(work: () => void): void;
}

/** Index key of what must be unique among APIs; an API without a version is its own case. */
export function apiKey(name: string, version: string | null): string {
  return JSON.stringify([name, version]);
}

/** Index key of what must be unique among the versions of an API. */
export function versionKey(api: string, version: string): string {
  return `${api} ${version}`;
}

/** Index key of a document's place: its siblings share all but the slug. */
export function siblingsKey(owner: string, parent: string | null): string {
  return `${owner} ${parent ?? ''}`;
}

export function portalKey(portal: string, name: string): string {
  return `${portal} ${name}`;
}

export function slugKey(owner: string, parent: string | null, slug: string): string {
  return `${owner} ${parent ?? ''} ${slug}`;
}

interface WorldOptions {
  readonly clock: () => number;
  /** Seed of every order that a client must not rely on. */
  readonly shuffle?: number;
}

/** Everything that exists on the imitated platform. */
export class World {
  readonly #listen = (collection: string, id: string, row: Row | undefined): void => {
    this.views.clear();
    this.#journal?.write(collection, id, row);
  };
  readonly apis = new Collection<ApiRow, 'key' | 'name'>(
    'apis',
    { key: (row) => apiKey(row.name, row.version), name: (row) => row.name },
    this.#listen,
  );
  readonly versions = new Collection<VersionRow, 'api' | 'key'>(
    'versions',
    { api: (row) => row.api_id, key: (row) => versionKey(row.api_id, row.version) },
    this.#listen,
  );
  readonly documents = new Collection<DocumentRow, 'api' | 'siblings' | 'slug'>(
    'documents',
    {
      api: (row) => row.api_id,
      siblings: (row) => siblingsKey(row.api_id, row.parent_document_id),
      slug: (row) => slugKey(row.api_id, row.parent_document_id, row.slug),
    },
    this.#listen,
  );
  readonly implementations = new Collection<ImplementationRow, 'api' | 'service'>(
    'implementations',
    { api: (row) => row.api_id, service: (row) => row.service?.id },
    this.#listen,
  );
  readonly publications = new Collection<PublicationRow, 'api' | 'portal'>(
    'publications',
    { api: (row) => row.api_id, portal: (row) => row.portal_id },
    this.#listen,
  );
  readonly products = new Collection<ProductRow, 'name'>('products', { name: (row) => row.name }, this.#listen);
  readonly productDocuments = new Collection<ProductDocumentRow, 'product' | 'siblings' | 'slug'>(
    'product-documents',
    {
      product: (row) => row.api_product_id,
      siblings: (row) => siblingsKey(row.api_product_id, row.parent_document_id),
      slug: (row) => slugKey(row.api_product_id, null, row.slug),
    },
    this.#listen,
  );
  readonly strategies = new Collection<StrategyRow>('auth-strategies', {}, this.#listen);
  readonly pages = new Collection<PageRow, 'portal' | 'siblings' | 'slug'>(
    'portal-pages',
    {
      portal: (row) => row.portal_id,
      siblings: (row) => siblingsKey(row.portal_id, row.parent_document_id),
      slug: (row) => slugKey(row.portal_id, row.parent_document_id, row.slug),
    },
    this.#listen,
  );
  readonly snippets = new Collection<SnippetRow, 'portal' | 'key'>(
    'portal-snippets',
    { portal: (row) => row.portal_id, key: (row) => portalKey(row.portal_id, row.name) },
    this.#listen,
  );
  readonly portalTeams = new Collection<PortalTeamRow, 'portal' | 'key'>(
    'portal-teams',
    { portal: (row) => row.portal_id, key: (row) => portalKey(row.portal_id, row.name) },
    this.#listen,
  );
  readonly portalTeamRoles = new Collection<TeamRoleRow, 'team'>(
    'portal-team-roles',
    { team: (row) => row.team_id },
    this.#listen,
  );
  readonly portalCustomizations = new Collection<SettingsRow>('portal-customizations', {}, this.#listen);
  readonly portalAuth = new Collection<SettingsRow>('portal-auth', {}, this.#listen);
  readonly portalLogos = new Collection<SettingsRow>('portal-logos', {}, this.#listen);
  readonly portalFavicons = new Collection<SettingsRow>('portal-favicons', {}, this.#listen);
  readonly portalDomains = new Collection<DomainRow>('portal-domains', {}, this.#listen);
  readonly portals = new Collection<PortalRow>('portals', {}, this.#listen);
  readonly classicPortals = new Collection<ClassicPortalRow>('classic-portals', {}, this.#listen);
  readonly controlPlanes = new Collection<ControlPlaneRow>('control-planes', {}, this.#listen);
  readonly gatewayServices = new Collection<GatewayServiceRow>('gateway-services', {}, this.#listen);
  readonly meshControlPlanes = new Collection<MeshControlPlaneRow>('mesh-control-planes', {}, this.#listen);
  readonly networks = new Collection<NetworkRow>('networks', {}, this.#listen);
  readonly providerAccounts = new Collection<ProviderAccountRow>('provider-accounts', {}, this.#listen);
  readonly teams = new Collection<TeamRow>('teams', {}, this.#listen);
  readonly users = new Collection<UserRow>('users', {}, this.#listen);
  readonly systemAccounts = new Collection<SystemAccountRow>('system-accounts', {}, this.#listen);
  readonly addressLists = new Collection<AddressListRow>('ip-addresses', {}, this.#listen);
  readonly described = new Collection<DescribedRow, 'place'>('described', { place: (row) => row.place }, this.#listen);
  readonly cloudServices = new Collection<CloudServiceRow>('cloud-services', {}, this.#listen);

  /** By the name they have in control requests. Parents come before what hangs on them. */
  readonly collections: ReadonlyMap<string, AnyCollection> = new Map(
    [
      this.strategies,
      this.portals,
      this.pages,
      this.snippets,
      this.portalTeams,
      this.portalTeamRoles,
      this.portalCustomizations,
      this.portalAuth,
      this.portalLogos,
      this.portalFavicons,
      this.portalDomains,
      this.classicPortals,
      this.controlPlanes,
      this.gatewayServices,
      this.meshControlPlanes,
      this.providerAccounts,
      this.networks,
      this.teams,
      this.users,
      this.systemAccounts,
      this.addressLists,
      this.cloudServices,
      this.apis,
      this.versions,
      this.documents,
      this.implementations,
      this.publications,
      this.products,
      this.productDocuments,
      this.described,
    ].map((collection: AnyCollection) => [collection.name, collection]),
  );

  /** Filtered and sorted lists, so that the pages of one walk cost one sort. Any change empties it. */
  readonly views = new Map<string, readonly Row[]>();
  readonly shuffle: number | undefined;
  readonly #timestamps: Timestamps;
  readonly #random: () => number;
  #journal: RowLog | undefined;
  #position = 0;

  constructor(options: WorldOptions) {
    this.#timestamps = new Timestamps(options.clock);
    this.shuffle = options.shuffle;
    this.#random = randomSource(options.shuffle ?? 0);
  }

  now(): string {
    return this.#timestamps.next();
  }

  /** A position after every existing one. */
  nextPosition(): number {
    this.#position += 1;
    return this.#position;
  }

  /** From now on every change is written there too. */
  keep(journal: RowLog): void {
    this.#journal = journal;
  }

  /** Changes that belong together: all of them are kept, or none. */
  together(work: () => void): void {
    if (this.#journal === undefined) work();
    else this.#journal.together(work);
  }

  /** A row from outside (loaded, seeded): the counters move past what it holds. */
  place(collection: AnyCollection, row: Row): void {
    this.#timestamps.notBefore(row.updated_at);
    if ('position' in row && typeof row.position === 'number' && row.position > this.#position) {
      this.#position = row.position;
    }
    collection.put(row);
  }

  clear(): void {
    this.together(() => {
      for (const collection of this.collections.values()) {
        for (const row of collection.all()) collection.delete(row.id);
      }
    });
  }

  /** Values whose order the platform does not keep: reversed, or shuffled when a seed is set. */
  disorder<T>(items: readonly T[]): readonly T[] {
    if (items.length < 2) return items;
    return this.shuffle === undefined ? [...items].reverse() : shuffled(items, this.#random);
  }

  /** Values whose order may be anything, although it usually is this one. */
  anyOrder<T>(items: readonly T[]): readonly T[] {
    return this.shuffle === undefined || items.length < 2 ? items : shuffled(items, this.#random);
  }
}
