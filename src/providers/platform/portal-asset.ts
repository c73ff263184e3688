import type { TypeDefinition } from '@platform-sync/rest/definition';

/** A picture that every portal has one of: deleting it brings the platform's own back. `path`: where it is. */
export function portalAsset(name: string, path: `/${string}`, description: string): TypeDefinition {
  return {
    name,
    description,
    operations: { create: `PUT ${path}`, read: `GET ${path}`, update: `PUT ${path}`, reset: { data: null } },
    parent: 'portalId',
    importId: '{portalId}',
    naturalKey: ['portalId'],
    unique: [['portalId']],
    required: ['portalId', 'data'],
    fields: { portalId: { kind: 'ofPortal' }, data: { kind: 'image' } },
  };
}
