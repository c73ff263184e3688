/**
 * Everything in the sandbox that carries the platform's brand: names a client meets on the wire.
 * The rest of the sandbox only says "platform".
 */

/** Prefix of `instance` in problem bodies; the two halves of the platform spell it differently. */
export const catalogueTrace = 'kong:trace:';
export const accountTrace = 'konnect:trace:';

/** `type` of the conflict answers that were seen live. */
export const conflictType = 'https://kongapi.info/konnect/resource-conflict';

/** Label keys may not start with these, compared with case. */
export const reservedLabelPrefixes: readonly string[] = ['kong', 'konnect', 'mesh', 'kic', '_'];

/** Field of a system account that the platform itself keeps. */
export const managedField = 'konnect_managed';

/** What the metadata server says in its header of that name, and asks for. */
export const metadataFlavor = 'Google';
export const universeDomain = 'googleapis.com';
export const machineAccount = 'sandbox@sandbox-project.iam.gserviceaccount.com';

/** Services of the cloud vendor are named below this domain. */
export const cloudServiceDomain = 'endpoints.example.cloud.goog';

/** Names of cloud vendors in provider accounts. */
export const cloudProviders = { first: 'aws', second: 'azure', third: 'gcp' } as const;

/** Kinds of control planes. */
export const clusterTypes = [
  'CLUSTER_TYPE_CONTROL_PLANE',
  'CLUSTER_TYPE_K8S_INGRESS_CONTROLLER',
  'CLUSTER_TYPE_CONTROL_PLANE_GROUP',
  'CLUSTER_TYPE_SERVERLESS',
  'CLUSTER_TYPE_HYBRID',
  'CLUSTER_TYPE_SERVERLESS_V1',
] as const;

/** Signs in kept descriptions, and the platform's own words that they stand for. */
const ownWords: Readonly<Record<string, string>> = {
  '~p~': 'konnect',
  '~P~': 'Konnect',
  '~v~': 'kong',
  '~V~': 'Kong',
  '~W~': 'KONG',
};

/** A kept text as the platform means it. */
export function withOwnWords(text: string): string {
  return text.replace(/~[pPvVW]~/g, (sign) => ownWords[sign] ?? sign);
}

/** Field of a portal's settings: teams of the platform decide on those of the portal. */
export const managedMappingField = 'konnect_mapping_enabled';
