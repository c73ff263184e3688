/** What definitions and descriptions can say otherwise of a field. */
export type Difference = 'action' | 'secret' | 'required';

/** Where derived types are otherwise than the description's plain facts: which, and why that is right. `*` stands for anything. */
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
    'It tells the kinds of such objects apart: one can not become one of another kind, so a change replaces.',
  ],
  [
    [
      'AiGatewayIdentityProvider.*',
      'AiGatewayMcpServer.*',
      'AiGatewayModel.*',
      'AiGatewayModelProvider.*',
      'AiGatewayVault.*',
      'CloudGatewayTransitGateway.*',
      'DcrProvider.*',
      'EventGatewaySchemaRegistry.*',
      'GatewayPartial.*',
      'IntegrationInstanceAuthConfig.*',
      'IntegrationInstanceAuthCredential.*',
    ],
    'required',
    'Its body is one of several, and each of them wants it.',
  ],
  [
    [
      'AiGatewayConsumerCredential.apiKey',
      'CentralizedConsumerKey.secret',
      'GatewayJWT.secret',
      'IdentityAuthServerClient.clientSecret',
      'IntegrationInstanceAuthConfig.clientSecret',
    ],
    'secret',
    'It is called a secret, though the description does not mark it as one.',
  ],
  [
    [
      'AiGatewayAgent.config',
      'AiGatewayIdentityProvider.config',
      'AiGatewayMcpServer.config',
      'AiGatewayModel.config',
      'AiGatewayModelProvider.config',
      'AiGatewayVault.config',
    ],
    'secret',
    'It holds a text that is sent and that no answer shows, though the description does not mark it as a secret.',
  ],
  [
    ['CloudGatewayPrivateDns.*'],
    'required',
    'It may be left out of the body and is in every answer; without it there is nothing to resolve.',
  ],
  [
    ['GatewayRouteExpression.expression'],
    'required',
    'A route without an expression is one by conditions, another type.',
  ],
  [
    ['IdentityAuthServerClient.clientSecret'],
    'required',
    'A change sends the whole with the secret in it, so who lets the service choose it could change nothing.',
  ],
  [
    ['TeamRole.*', 'SystemAccountRole.*'],
    'required',
    'A role is what it is on: without it there is nothing to assign.',
  ],
];
