import { portalAsset } from '../portal-asset.js';

export const portalLogo = portalAsset(
  'PortalLogo',
  '/v3/portals/{portalId}/assets/logo',
  'The logo that a portal shows. Every portal has one; deleting it here brings the platform’s own back.',
);
