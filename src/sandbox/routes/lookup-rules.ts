import { type FilterField, type Operator, idOperators, textOperators } from '../list/filter.js';
import type { ListRules } from '../list/list.js';
import type { SortTable } from '../list/sort.js';
import type {
  ClassicPortalRow,
  ControlPlaneRow,
  NetworkRow,
  PortalRow,
  SystemAccountRow,
  TeamRow,
} from '../store/rows.js';
import { managedField } from '../wire.js';

type TextField<T> = { [K in keyof T]: T[K] extends string | null ? K : never }[keyof T] & string;
type FlagField<T> = { [K in keyof T]: T[K] extends boolean ? K : never }[keyof T] & string;
type SortField<T> = { [K in keyof T]: T[K] extends string | boolean | null ? K : never }[keyof T] & string;
type Fields<T> = Readonly<Record<string, FilterField<T>>>;

function texts<T>(operators: readonly Operator[], ...names: readonly TextField<T>[]): Fields<T> {
  return Object.fromEntries(names.map((name) => [name, { operators, read: (row: T) => row[name] as string | null }]));
}

function flags<T>(...names: readonly FlagField<T>[]): Fields<T> {
  return Object.fromEntries(
    names.map((name) => [name, { operators: [], boolean: true, read: (row: T) => row[name] as boolean }]),
  );
}

function sorts<T>(...names: readonly SortField<T>[]): SortTable<T> {
  return Object.fromEntries(names.map((name) => [name, (row: T) => row[name] as string | boolean | null]));
}

export const portalRules: ListRules<PortalRow> = {
  filters: {
    fields: {
      ...texts<PortalRow>(idOperators, 'id', 'default_application_auth_strategy_id'),
      ...texts<PortalRow>(
        textOperators,
        'name',
        'description',
        'default_api_visibility',
        'default_page_visibility',
        'default_domain',
        'canonical_domain',
      ),
      ...flags<PortalRow>(
        'authentication_enabled',
        'rbac_enabled',
        'auto_approve_developers',
        'auto_approve_applications',
      ),
    },
  },
  sorts: sorts<PortalRow>(
    'name',
    'description',
    'authentication_enabled',
    'rbac_enabled',
    'auto_approve_applications',
    'auto_approve_developers',
    'default_domain',
    'canonical_domain',
    'created_at',
    'updated_at',
  ),
};

export const classicPortalRules: ListRules<ClassicPortalRow> = {
  filters: {
    fields: {
      ...texts<ClassicPortalRow>(idOperators, 'id'),
      ...texts<ClassicPortalRow>(
        textOperators,
        'name',
        'description',
        'default_domain',
        'custom_domain',
        'custom_client_domain',
      ),
      ...flags<ClassicPortalRow>('is_public', 'rbac_enabled', 'auto_approve_developers', 'auto_approve_applications'),
    },
  },
  sorts: sorts<ClassicPortalRow>(
    'name',
    'description',
    'is_public',
    'rbac_enabled',
    'auto_approve_applications',
    'auto_approve_developers',
    'default_domain',
    'custom_domain',
    'custom_client_domain',
    'created_at',
    'updated_at',
  ),
};

export const controlPlaneRules: ListRules<ControlPlaneRow> = {
  filters: {
    fields: {
      ...texts<ControlPlaneRow>(['eq', 'oeq'], 'id'),
      ...texts<ControlPlaneRow>(['eq', 'neq', 'contains'], 'name'),
      cluster_type: { operators: idOperators, read: (row) => row.config.cluster_type },
      cloud_gateway: { operators: [], boolean: true, read: (row) => row.config.cloud_gateway },
    },
  },
  labels: { labels: (row) => row.labels },
  sorts: sorts<ControlPlaneRow>('created_at'),
};

const states = ['created', 'initializing', 'offline', 'ready', 'terminating', 'terminated'];

export const networkRules: ListRules<NetworkRow> = {
  filters: {
    fields: {
      ...texts<NetworkRow>(textOperators, 'name'),
      state: { operators: idOperators, choices: states, read: (row) => row.state },
    },
  },
};

export const teamRules: ListRules<TeamRow> = {
  filters: {
    fields: texts<TeamRow>(['eq', 'contains'], 'name'),
    maps: { labels: { operators: ['eq', 'contains', 'exists'], read: (row) => row.labels } },
  },
};

export const systemAccountRules: ListRules<SystemAccountRow> = {
  filters: {
    fields: {
      ...texts<SystemAccountRow>(['eq', 'contains'], 'name', 'description'),
      [managedField]: { operators: [], boolean: true, read: (row) => row.managed },
    },
  },
};
