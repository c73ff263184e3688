import type { JsonObject } from '../json.js';
import type { Row } from './collection.js';

export type Labels = Readonly<Record<string, string>>;
export type PublishStatus = 'published' | 'unpublished';

export type ApiRow = Row & {
  readonly name: string;
  readonly description: string | null;
  readonly version: string | null;
  readonly slug: string | null;
  readonly labels: Labels;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
};

export type VersionRow = Row & {
  readonly api_id: string;
  readonly version: string;
  readonly content: string | null;
  /** Absent when the text is no specification of a known kind. */
  readonly type?: 'oas2' | 'oas3' | 'asyncapi';
  readonly messages: readonly string[];
};

export type DocumentRow = Row & {
  readonly api_id: string;
  readonly parent_document_id: string | null;
  readonly title: string;
  readonly slug: string;
  readonly status: PublishStatus;
  readonly content: string;
  /** Order among siblings: smaller first. */
  readonly position: number;
};

export type ImplementationRow = Row & {
  readonly api_id: string;
  readonly service?: { readonly control_plane_id: string; readonly id: string };
  readonly control_plane?: { readonly control_plane_id: string };
};

/** Its id is `API/PORTAL`: the pair is the identity. */
export type PublicationRow = Row & {
  readonly api_id: string;
  readonly portal_id: string;
  readonly visibility: 'public' | 'private';
  readonly auth_strategy_ids: readonly string[] | null;
  readonly auto_approve_registrations: boolean;
};

/** An object of which only a description tells: as the wire spells it, in the collection at `place`. */
export type DescribedRow = Row & { readonly place: string; readonly object: JsonObject };

export type ProductRow = Row & {
  readonly name: string;
  readonly description: string | null;
  readonly labels: Labels;
  readonly public_labels: Labels;
  readonly portal_ids: readonly string[];
};

export type ProductDocumentRow = Row & {
  readonly api_product_id: string;
  readonly parent_document_id: string | null;
  readonly title: string;
  readonly slug: string;
  readonly status: PublishStatus;
  readonly content: string;
  readonly metadata: JsonObject;
  readonly position: number;
};

export type PortalRow = Row & {
  readonly name: string;
  readonly display_name: string;
  readonly description: string | null;
  readonly authentication_enabled: boolean;
  readonly rbac_enabled: boolean;
  readonly sipr_enabled: boolean;
  readonly default_api_visibility: 'public' | 'private';
  readonly default_page_visibility: 'public' | 'private';
  readonly default_application_auth_strategy_id: string | null;
  readonly auto_approve_developers: boolean;
  readonly auto_approve_applications: boolean;
  readonly notifications_developer_pii_visibility_enabled?: boolean;
  readonly default_domain: string;
  readonly canonical_domain: string;
  readonly labels: Labels;
};

type PortalContent = {
  readonly portal_id: string;
  readonly description: string | null;
  readonly content: string;
  readonly visibility: 'public' | 'private';
  readonly status: PublishStatus;
};

/** Its parent is called as that of a document, so that both are trees of one kind. */
export type PageRow = Row &
  PortalContent & {
    readonly parent_document_id: string | null;
    readonly slug: string;
    readonly title: string;
    readonly position: number;
  };

export type SnippetRow = Row & PortalContent & { readonly name: string; readonly title: string | null };

export type PortalTeamRow = Row & {
  readonly portal_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly can_own_applications: boolean;
};

/** What a portal has one of, under the portal's id; members as the wire spells them. */
export type SettingsRow = Row;

/** Under the id of its portal. */
export type DomainRow = Row & {
  readonly hostname: string;
  readonly enabled: boolean;
  readonly domain_verification_method: string;
  readonly custom_certificate: string | null;
  readonly custom_private_key: string | null;
  readonly skip_ca_check: boolean;
  readonly verification_status: 'verified' | 'pending' | 'error';
  /** Whether the name leads to the portal. */
  readonly is_led: boolean;
};

export type TeamRoleRow = Row & {
  readonly team_id: string;
  readonly role_name: string;
  readonly entity_id: string;
  readonly entity_type_name: string;
  readonly entity_region: string;
};

export type StrategyRow = Row & {
  readonly name: string;
  readonly display_name: string;
  readonly strategy_type: 'key_auth' | 'openid_connect';
  readonly configs: JsonObject;
  readonly dcr_provider_id?: string | null;
  readonly labels: Labels;
};

export type ClassicPortalRow = Row & {
  readonly name: string;
  readonly display_name: string;
  readonly description: string | null;
  readonly default_domain: string;
  readonly is_public: boolean;
  readonly rbac_enabled: boolean;
  readonly auto_approve_applications: boolean;
  readonly auto_approve_developers: boolean;
  readonly custom_domain: string | null;
  readonly custom_client_domain: string | null;
  readonly default_application_auth_strategy_id: string | null;
  readonly labels: Labels;
  readonly application_count: number;
  readonly developer_count: number;
};

export type ControlPlaneRow = Row & {
  readonly name: string;
  readonly description: string;
  readonly labels: Labels;
  readonly config: {
    readonly control_plane_endpoint: string;
    readonly telemetry_endpoint: string;
    readonly cluster_type: string;
    readonly auth_type: 'pinned_client_certs' | 'pki_client_certs';
    readonly cloud_gateway: boolean;
    readonly proxy_urls: readonly { readonly host: string; readonly port: number; readonly protocol: string }[];
  };
};

/** What an implementation may link to. */
export type GatewayServiceRow = Row & { readonly control_plane_id: string; readonly name: string };

export type MeshControlPlaneRow = Row & {
  readonly name: string;
  readonly description: string;
  readonly labels: Labels;
  readonly features: readonly JsonObject[];
};

export type NetworkRow = Row & {
  readonly name: string;
  readonly default: boolean;
  readonly cloud_gateway_provider_account_id: string;
  readonly region: string;
  readonly availability_zones: readonly string[];
  readonly cidr_block: string;
  readonly state: 'created' | 'initializing' | 'offline' | 'ready' | 'terminating' | 'terminated';
  readonly state_metadata?: { readonly reported_status?: string; readonly reason?: string };
  readonly provider_metadata: { readonly vpc_id?: string; readonly subnet_ids?: readonly string[] };
  readonly transit_gateway_count: number;
  readonly configuration_reference_count: number;
  readonly entity_version: number;
};

export type ProviderAccountRow = Row & {
  readonly provider: string;
  readonly provider_account_id: string;
};

export type TeamRow = Row & {
  readonly name: string;
  readonly description: string;
  readonly system_team: boolean;
  readonly labels: Labels;
};

export type UserRow = Row & {
  readonly email: string;
  readonly full_name: string;
  readonly preferred_name: string;
  readonly active: boolean;
};

export type SystemAccountRow = Row & {
  readonly name: string;
  readonly description: string;
  /** Goes out under the platform's own name of the field. */
  readonly managed: boolean;
};

/** There is one, with id `current`. */
export type AddressListRow = Row & { readonly content: JsonObject };

export type Binding = {
  readonly role: string;
  readonly members?: readonly string[];
  readonly condition?: JsonObject;
};

export type Policy = {
  readonly version?: number;
  readonly etag?: string;
  readonly bindings?: readonly Binding[];
  readonly auditConfigs?: readonly JsonObject[];
};

/** Its id is the service name. `policy` null: the service is known to be gone (404 instead of 403). */
export type CloudServiceRow = Row & { readonly policy: Policy | null };
