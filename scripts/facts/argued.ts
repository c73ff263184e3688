/** What definitions and descriptions can say otherwise of a field. */
export type Difference = 'action' | 'secret' | 'required';

/** Where derived types are otherwise than the description's plain facts: each field by its name, and why that is right. */
export const argued: readonly (readonly [fields: readonly string[], what: Difference, why: string])[] = [
  [
    [
      'AiGatewayIdentityProvider.type',
      'AiGatewayMcpServer.type',
      'AiGatewayModel.type',
      'AiGatewayModelProvider.type',
      'AiGatewayVault.type',
      'GatewayPartial.type',
    ],
    'action',
    'It says of which kind such an object is, and what else it may hold follows from that. PUT is described with the bodies of all kinds, and nothing says that one can become one of another kind: another kind is another object.',
  ],
  [
    ['AiGatewayConsumerCredential.apiKey', 'CentralizedConsumerKey.secret'],
    'secret',
    'Whoever has it is taken for the consumer. Only the body that makes it holds it, and no answer shows it, though the description does not mark it.',
  ],
  [
    ['AiGatewayCertificate.key', 'AiGatewayCertificate.keyAlt', 'AiGatewayConfigStoreSecret.value'],
    'secret',
    'It is a credential that no answer shows, though the description does not mark it.',
  ],
  [
    ['AuditLog.authorization', 'AuditLogDestination.authorization', 'GatewayKeyAuth.key'],
    'secret',
    'It is what somebody signs in with, though the description does not mark it.',
  ],
  [
    ['GatewayPluginOpentelemetry.config', 'IntegrationInstanceAuthCredential.config'],
    'secret',
    'It holds headers that sign in at another service, though the description does not mark them.',
  ],
  [
    ['PortalIntegrations.equalWeb'],
    'secret',
    'Nothing is known of the settings of the widget in it, so any of them may be a credential.',
  ],
  [
    [
      'AiGatewayPolicy.config',
      'BillingAddon.rateCards',
      'BillingPlan.phases',
      'DcrProvider.dcrConfig',
      'GatewayCustomPlugin.config',
      'GatewayPluginAppDynamics.config',
      'GatewayVault.config',
      'IntegrationInstance.config',
    ],
    'secret',
    'Nothing is known of some settings in it, so any text in them may be a credential.',
  ],
  [
    ['GatewayJWT.secret'],
    'secret',
    'Whoever has it can sign tokens of the consumer. Answers show it, and the description marks it nowhere; plans and states do not show it.',
  ],
  [
    ['IdentityAuthServerClient.clientSecret', 'IntegrationInstanceAuthConfig.clientSecret'],
    'secret',
    'It is what a client proves itself with. Bodies hold it and no answer shows it, though the description does not mark it.',
  ],
  [
    ['AiGatewayAgent.config'],
    'secret',
    'It can hold keys of a cloud account (`upstream.auth`) and a password (`proxy.auth`): no answer shows them, though the description does not mark them.',
  ],
  [
    ['AiGatewayIdentityProvider.config'],
    'secret',
    'It can hold a `clientSecret` and headers that sign in at a proxy: no answer shows them, though the description does not mark them.',
  ],
  [
    ['AiGatewayMcpServer.config'],
    'secret',
    'It can hold keys of a cloud account (`upstream.auth`, `server.session.redis`), a `clientSecret` (`server.toolsListAuth`) and a password (`proxy.auth`): no answer shows them, though the description does not mark them.',
  ],
  [
    ['AiGatewayModel.config'],
    'secret',
    'It can hold the password or cloud keys of a vector database (`balancer.vectordb`) and a password (`proxy.auth`): no answer shows them, though the description does not mark them.',
  ],
  [
    ['AiGatewayModelProvider.config'],
    'secret',
    'It can hold what signs in at the provider (`auth`: values of headers and parameters, keys of a cloud account): no answer shows it, though the description does not mark it.',
  ],
  [
    ['AiGatewayVault.config'],
    'secret',
    'It can hold what opens the vault (`token`, `apiKey`, `key`, `clientSecret`, `secretAccessKey`): no answer shows it, though the description does not mark it.',
  ],
  [
    ['CloudGatewayPrivateDns.name', 'CloudGatewayPrivateDns.privateDnsAttachmentConfig'],
    'required',
    'The body may leave it out, and every answer has it: without it there is nothing to resolve. The service has no update, so that a later choice would replace.',
  ],
  [
    ['GatewayRouteExpression.expression'],
    'required',
    'Routes by expression and routes by conditions lie in one list: a route without an expression is a `GatewayRoute`.',
  ],
  [
    ['IdentityAuthServerClient.clientSecret'],
    'required',
    'The body that makes a client may leave it out, the body of every change wants it: who lets the service choose it could change nothing.',
  ],
  [
    ['TeamRole', 'SystemAccountRole', 'UserRole'].flatMap((type) =>
      ['roleName', 'entityId', 'entityTypeName', 'entityRegion'].map((field) => `${type}.${field}`),
    ),
    'required',
    'The description wants nothing of its body. A role is known by what it is on, and is none without it.',
  ],
];
