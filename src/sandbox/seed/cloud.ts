import type { Row } from '../store/collection.js';
import { cloudServiceDomain } from '../wire.js';
import { times } from './fixed.js';

export const addressLists: readonly Row[] = [
  {
    id: 'current',
    content: {
      updateDate: '2025-08-26-16-03-33',
      regions: {
        us: { 'us.api.example.com': ['192.0.2.10', '192.0.2.11'], 'us.portal.example.com': ['192.0.2.20'] },
        eu: { 'eu.api.example.com': ['198.51.100.10', '2001:db8::10'] },
      },
      ingressIPs: { us: ['192.0.2.10', '192.0.2.11', '192.0.2.20'], eu: ['198.51.100.10', '2001:db8::10'] },
      egressIPs: { us: ['192.0.2.100'], eu: ['198.51.100.100', '198.51.100.101'] },
    },
    ...times(1),
  },
];

/** Services with a plain policy, one with conditions and audit rules, two without any, and one that is gone. */
export const cloudServices: readonly Row[] = [
  {
    id: `payments.${cloudServiceDomain}`,
    policy: {
      version: 1,
      etag: 'BwYVx3tsmGE=',
      bindings: [
        { role: 'roles/editor', members: ['group:platform@example.com'] },
        {
          role: 'roles/servicemanagement.serviceConsumer',
          members: ['serviceAccount:shop@example.com', 'user:alice@example.com'],
        },
      ],
    },
    ...times(1),
  },
  {
    id: `orders.${cloudServiceDomain}`,
    policy: {
      version: 3,
      etag: 'BwWWja0YfJA=',
      bindings: [
        {
          role: 'roles/viewer',
          members: ['user:eve@example.com'],
          condition: {
            title: 'until 2030 & not later',
            expression: "request.time < timestamp('2030-01-01T00:00:00Z')",
          },
        },
      ],
      auditConfigs: [
        {
          service: 'allServices',
          auditLogConfigs: [
            { logType: 'DATA_READ', exemptedMembers: ['user:jo@example.com'] },
            { logType: 'ADMIN_READ' },
          ],
        },
      ],
    },
    ...times(2),
  },
  { id: `empty.${cloudServiceDomain}`, policy: { etag: 'ACAB' }, ...times(3) },
  { id: `unused.${cloudServiceDomain}`, policy: { etag: 'ACAB' }, ...times(3) },
  { id: `deleted.${cloudServiceDomain}`, policy: null, ...times(4) },
];
