import { portalAsset } from '../portal-asset.js';

export const portalFavicon = portalAsset(
  'PortalFavicon',
  '/v3/portals/{portalId}/assets/favicon',
  'The small picture that browsers show for a portal. Every portal has one; deleting it here brings the platform’s own back.',
);
