/** What the package schemas must offer, row by row, written down independently of the schema files. */

/** `in`: input and output; `in!`: required input; `out`: output only. `+`: in every answer. */
export type Direction = 'in' | 'in+' | 'in!' | 'in!+' | 'out' | 'out+';

/** Type words: text, number, boolean, map (of texts), list (of texts), any, or the name of a record or enum. */
export type Row = readonly [field: string, type: string, direction: Direction, marks?: 'replaces' | 'deprecated'];

export const settings: readonly (readonly [name: string, secret: boolean, environment: string | undefined])[] = [
  ['platformAccessToken', true, undefined],
  ['personalAccessToken', true, 'PLATFORM_TOKEN'],
  ['serverUrl', false, 'PLATFORM_SERVER_URL'],
  ['serviceAccessToken', true, undefined],
  ['systemAccountAccessToken', true, 'PLATFORM_SPAT'],
];

export const resources: Readonly<Record<string, readonly Row[]>> = {
  'platform:index/api:Api': [
    ['attributes', 'text', 'in+'],
    ['description', 'text', 'in'],
    ['labels', 'map', 'in+'],
    ['name', 'text', 'in+'],
    ['slug', 'text', 'in+'],
    ['specContent', 'text', 'in', 'replaces'],
    ['version', 'text', 'in+'],
    ['apiSpecIds', 'list', 'out+', 'deprecated'],
    ['createdAt', 'text', 'out+'],
    ['currentVersionSummary', 'ApiCurrentVersionSummary', 'out'],
    ['updatedAt', 'text', 'out+'],
    ['implementationMode', 'ApiImplementationMode', 'out+'],
    ['portals', 'list of ApiPortal', 'out+'],
  ],
  'platform:index/apiDocument:ApiDocument': [
    ['apiId', 'text', 'in!'],
    ['content', 'text', 'in!'],
    ['parentDocumentId', 'text', 'in'],
    ['slug', 'text', 'in+'],
    ['status', 'ApiDocumentStatus', 'in+'],
    ['title', 'text', 'in+'],
    ['createdAt', 'text', 'out'],
    ['updatedAt', 'text', 'out'],
  ],
  'platform:index/apiImplementation:ApiImplementation': [
    ['apiId', 'text', 'in!', 'replaces'],
    ['controlPlaneReference', 'ApiImplementationControlPlaneReference', 'in', 'replaces'],
    ['serviceReference', 'ApiImplementationServiceReference', 'in', 'replaces'],
    ['createdAt', 'text', 'out'],
    ['updatedAt', 'text', 'out'],
  ],
  'platform:index/apiProduct:ApiProduct': [
    ['description', 'text', 'in'],
    ['labels', 'map', 'in+'],
    ['name', 'text', 'in+'],
    ['portalIds', 'list', 'in!', 'deprecated'],
    ['publicLabels', 'map', 'in+'],
    ['portals', 'list of ApiProductPortal', 'out'],
    ['versionCount', 'number', 'out'],
    ['createdAt', 'text', 'out'],
    ['updatedAt', 'text', 'out'],
  ],
  'platform:index/apiProductDocument:ApiProductDocument': [
    ['apiProductId', 'text', 'in!+'],
    ['content', 'text', 'in+'],
    ['metadata', 'map of any', 'in+'],
    ['parentDocumentId', 'text', 'in'],
    ['slug', 'text', 'in!+'],
    ['status', 'ApiProductDocumentStatus', 'in!+'],
    ['title', 'text', 'in!+'],
    ['createdAt', 'text', 'out+'],
    ['updatedAt', 'text', 'out+'],
  ],
  'platform:index/apiPublication:ApiPublication': [
    ['apiId', 'text', 'in!', 'replaces'],
    ['portalId', 'text', 'in!', 'replaces'],
    ['authStrategyIds', 'list', 'in'],
    ['autoApproveRegistrations', 'boolean', 'in+'],
    ['visibility', 'ApiPublicationVisibility', 'in+'],
    ['warnings', 'list', 'out'],
    ['createdAt', 'text', 'out+'],
    ['updatedAt', 'text', 'out+'],
  ],
  'platform:index/apiVersion:ApiVersion': [
    ['apiId', 'text', 'in!'],
    ['specContent', 'text', 'in!'],
    ['version', 'text', 'in+'],
    ['specType', 'ApiSpecType', 'out'],
    ['validationMessages', 'list of ApiSpecValidationMessage', 'out'],
    ['createdAt', 'text', 'out+'],
    ['updatedAt', 'text', 'out+'],
  ],
  'platform:index/portal:Portal': [
    ['authenticationEnabled', 'boolean', 'in+'],
    ['autoApproveApplications', 'boolean', 'in+'],
    ['autoApproveDevelopers', 'boolean', 'in+'],
    ['defaultApiVisibility', 'PortalContentVisibility', 'in+'],
    ['defaultPageVisibility', 'PortalContentVisibility', 'in+'],
    ['defaultApplicationAuthStrategyId', 'text', 'in+'],
    ['description', 'text', 'in'],
    ['displayName', 'text', 'in+'],
    ['labels', 'map', 'in+'],
    ['name', 'text', 'in+'],
    ['notificationsDeveloperPiiVisibilityEnabled', 'boolean', 'in+'],
    ['rbacEnabled', 'boolean', 'in+'],
    ['siprEnabled', 'boolean', 'in+'],
    ['canonicalDomain', 'text', 'out+'],
    ['defaultDomain', 'text', 'out+'],
    ['createdAt', 'text', 'out+'],
    ['updatedAt', 'text', 'out+'],
  ],
  'platform:index/portalPage:PortalPage': [
    ['portalId', 'text', 'in!'],
    ['content', 'text', 'in!'],
    ['description', 'text', 'in'],
    ['parentPageId', 'text', 'in'],
    ['slug', 'text', 'in!+'],
    ['status', 'PortalContentStatus', 'in+'],
    ['title', 'text', 'in+'],
    ['visibility', 'PortalContentVisibility', 'in+'],
    ['createdAt', 'text', 'out'],
    ['updatedAt', 'text', 'out'],
  ],
  'platform:index/portalSnippet:PortalSnippet': [
    ['portalId', 'text', 'in!'],
    ['content', 'text', 'in!'],
    ['description', 'text', 'in'],
    ['name', 'text', 'in+'],
    ['status', 'PortalContentStatus', 'in+'],
    ['title', 'text', 'in'],
    ['visibility', 'PortalContentVisibility', 'in+'],
    ['createdAt', 'text', 'out'],
    ['updatedAt', 'text', 'out'],
  ],
  'platform:index/portalTeam:PortalTeam': [
    ['portalId', 'text', 'in!'],
    ['canOwnApplications', 'boolean', 'in+'],
    ['description', 'text', 'in'],
    ['name', 'text', 'in+'],
    ['createdAt', 'text', 'out'],
    ['updatedAt', 'text', 'out'],
  ],
  'cloud:endpoints/serviceIamPolicy:ServiceIamPolicy': [
    ['serviceName', 'text', 'in!+', 'replaces'],
    ['policyData', 'text', 'in!+'],
    ['etag', 'text', 'out+'],
  ],
};

/** Members of a record; a name that ends in `?` may be missing. */
export type Members = Readonly<Record<string, string>>;

const createdAndUpdated: Members = { createdAt: 'text', updatedAt: 'text' };
const controlPlane: Members = { description: 'text', id: 'text', labels: 'map', name: 'text' };
const controlPlaneConfig: Members = {
  authType: 'text',
  cloudGateway: 'boolean',
  clusterType: 'text',
  controlPlaneEndpoint: 'text',
  telemetryEndpoint: 'text',
};
const proxyUrl: Members = { host: 'text', port: 'integer', protocol: 'text' };
const systemAccount: Members = {
  ...createdAndUpdated,
  description: 'text',
  id: 'text',
  platformManaged: 'boolean',
  name: 'text',
};
const team: Members = {
  ...createdAndUpdated,
  description: 'text',
  id: 'text',
  labels: 'map',
  name: 'text',
  systemTeam: 'boolean',
};
const listOf = (item: string): Members => ({ datas: `list of ${item}`, id: 'text' });

/** Records that stand inside others. */
export const records: Readonly<Record<string, Members>> = {
  ApiCurrentVersionSummary: { ...createdAndUpdated, id: 'text', version: 'text' },
  ApiSpecValidationMessage: { message: 'text' },
  ApiPortal: { id: 'text', name: 'text', displayName: 'text' },
  ApiProductPortal: { portalId: 'text', portalName: 'text' },
  ApiImplementationControlPlaneReference: { controlPlane: 'ApiImplementationControlPlaneReferenceControlPlane' },
  ApiImplementationControlPlaneReferenceControlPlane: { id: 'text' },
  ApiImplementationServiceReference: { service: 'ApiImplementationServiceReferenceService' },
  ApiImplementationServiceReferenceService: { controlPlaneId: 'text', id: 'text' },
  getCloudGatewayNetworkProviderMetadata: { 'subnetIds?': 'list', 'vpcId?': 'text' },
  getCloudGatewayProviderAccountListData: {
    ...createdAndUpdated,
    id: 'text',
    provider: 'text',
    providerAccountId: 'text',
  },
  getGatewayControlPlaneConfig: { ...controlPlaneConfig, proxyUrls: 'list of getGatewayControlPlaneConfigProxyUrl' },
  getGatewayControlPlaneConfigProxyUrl: proxyUrl,
  getGatewayControlPlaneListData: { ...controlPlane, config: 'getGatewayControlPlaneListDataConfig' },
  getGatewayControlPlaneListDataConfig: {
    ...controlPlaneConfig,
    proxyUrls: 'list of getGatewayControlPlaneListDataConfigProxyUrl',
  },
  getGatewayControlPlaneListDataConfigProxyUrl: proxyUrl,
  getMeshControlPlanesData: {
    ...createdAndUpdated,
    'description?': 'text',
    'features?': 'list of getMeshControlPlanesDataFeature',
    id: 'text',
    'labels?': 'map',
    name: 'text',
  },
  getMeshControlPlanesDataFeature: {
    'hostnameGeneratorCreation?': 'getMeshControlPlanesDataFeatureHostnameGeneratorCreation',
    'meshCreation?': 'getMeshControlPlanesDataFeatureMeshCreation',
    type: 'text',
  },
  getMeshControlPlanesDataFeatureHostnameGeneratorCreation: { enabled: 'boolean' },
  getMeshControlPlanesDataFeatureMeshCreation: { enabled: 'boolean' },
  getPortalClassicListData: {
    ...createdAndUpdated,
    applicationCount: 'number',
    autoApproveApplications: 'boolean',
    autoApproveDevelopers: 'boolean',
    'customClientDomain?': 'text',
    'customDomain?': 'text',
    'defaultApplicationAuthStrategyId?': 'text',
    defaultDomain: 'text',
    'description?': 'text',
    developerCount: 'number',
    displayName: 'text',
    id: 'text',
    isPublic: 'boolean',
    'labels?': 'map',
    name: 'text',
    publishedProductCount: 'number',
    rbacEnabled: 'boolean',
  },
  getSystemAccountListData: systemAccount,
  getTeamListData: team,
};

export const enums: Readonly<Record<string, readonly string[]>> = {
  ApiDocumentStatus: ['published', 'unpublished'],
  ApiProductDocumentStatus: ['published', 'unpublished'],
  ApiPublicationVisibility: ['public', 'private'],
  PortalContentStatus: ['published', 'unpublished'],
  PortalContentVisibility: ['public', 'private'],
  ApiSpecType: ['oas2', 'oas3', 'asyncapi'],
  ApiImplementationMode: ['gateway_entity_binding', 'access_control_enforcement'],
};

const five = ['contains', 'eq', 'neq', 'ocontains', 'oeq'];
const controlPlaneFilter = {
  cloudGateway: 'boolean',
  clusterType: ['eq', 'neq', 'oeq'],
  id: ['eq', 'oeq'],
  name: ['contains', 'eq', 'neq'],
} as const;
const systemAccountFilter = {
  description: ['contains', 'eq'],
  name: ['contains', 'eq'],
  platformManaged: 'boolean',
} as const;

export interface LookupTable {
  readonly filter?: Readonly<Record<string, 'boolean' | readonly string[]>>;
  /** Arguments besides `filter`, all texts; one that ends in `!` is required. */
  readonly args?: readonly string[];
  /** Result without the arguments that come back. */
  readonly result: Members;
}

/** By token. */
export const lookups: Readonly<Record<string, LookupTable>> = {
  'platform:index/getCloudGatewayNetwork:getCloudGatewayNetwork': {
    filter: { name: five, state: ['oeq'] },
    result: {
      'availabilityZones?': 'list',
      'cidrBlock?': 'text',
      'cloudGatewayProviderAccountId?': 'text',
      'configurationReferenceCount?': 'number',
      'createdAt?': 'text',
      'default?': 'boolean',
      'entityVersion?': 'number',
      'id?': 'text',
      'name?': 'text',
      'providerMetadata?': 'getCloudGatewayNetworkProviderMetadata',
      'region?': 'text',
      'transitGatewayCount?': 'number',
      'updatedAt?': 'text',
    },
  },
  'platform:index/getCloudGatewayProviderAccountList:getCloudGatewayProviderAccountList': {
    result: listOf('getCloudGatewayProviderAccountListData'),
  },
  'platform:index/getGatewayControlPlane:getGatewayControlPlane': {
    filter: controlPlaneFilter,
    args: ['filterLabels', 'sort'],
    result: { ...controlPlane, config: 'getGatewayControlPlaneConfig' },
  },
  'platform:index/getGatewayControlPlaneList:getGatewayControlPlaneList': {
    filter: controlPlaneFilter,
    args: ['filterLabels', 'sort'],
    result: listOf('getGatewayControlPlaneListData'),
  },
  'platform:index/getMeshControlPlanes:getMeshControlPlanes': { result: listOf('getMeshControlPlanesData') },
  'platform:index/getPlatformIpAddresses:getPlatformIpAddresses': {
    result: {
      egressIps: 'map of list',
      ingressIps: 'map of list',
      regions: 'map of map of list',
      updateDate: 'text',
      id: 'text',
    },
  },
  'platform:index/getPortal:getPortal': {
    filter: {
      authenticationEnabled: 'boolean',
      autoApproveApplications: 'boolean',
      autoApproveDevelopers: 'boolean',
      rbacEnabled: 'boolean',
      canonicalDomain: five,
      defaultApiVisibility: five,
      defaultDomain: five,
      defaultPageVisibility: five,
      description: five,
      name: five,
      defaultApplicationAuthStrategyId: ['eq', 'neq', 'oeq'],
      id: ['eq', 'neq', 'oeq'],
    },
    args: ['sort'],
    result: {
      ...createdAndUpdated,
      authenticationEnabled: 'boolean',
      autoApproveApplications: 'boolean',
      autoApproveDevelopers: 'boolean',
      canonicalDomain: 'text',
      defaultApiVisibility: 'text',
      defaultApplicationAuthStrategyId: 'text',
      defaultDomain: 'text',
      defaultPageVisibility: 'text',
      description: 'text',
      displayName: 'text',
      id: 'text',
      labels: 'map',
      name: 'text',
      'notificationsDeveloperPiiVisibilityEnabled?': 'boolean',
      rbacEnabled: 'boolean',
      'siprEnabled?': 'boolean',
    },
  },
  'platform:index/getPortalClassicList:getPortalClassicList': {
    args: ['sort'],
    result: listOf('getPortalClassicListData'),
  },
  'platform:index/getSystemAccount:getSystemAccount': { filter: systemAccountFilter, result: systemAccount },
  'platform:index/getSystemAccountList:getSystemAccountList': {
    filter: systemAccountFilter,
    result: listOf('getSystemAccountListData'),
  },
  'platform:index/getTeam:getTeam': { filter: { name: ['contains', 'eq'] }, result: team },
  'platform:index/getTeamList:getTeamList': { filter: { name: ['contains', 'eq'] }, result: listOf('getTeamListData') },
  'cloud:endpoints/getServiceIamPolicy:getServiceIamPolicy': {
    args: ['serviceName!'],
    result: { etag: 'text', id: 'text', policyData: 'text', serviceName: 'text' },
  },
};
