/** One example a page; a test checks that each obeys the rules it illustrates. */
export const resourceExamples: Readonly<Record<string, string>> = {
  'platform:Api': `resources:
  petstore:
    type: platform:Api
    properties:
      name: Petstore               # left out, it would be the key: petstore
      version: 1.4.0
      description: Pets, their owners and their vaccinations.
      labels: {team: pets, stage: production}
      attributes: {domain: [pets, health]}
      specContent: !file specs/petstore.yaml
`,
  'platform:ApiDocument': `resources:
  petstore:
    type: platform:Api
    children:
      guide:                       # its address is petstore/guide
        type: platform:ApiDocument
        properties:
          title: Getting started
          content: !file docs/getting-started.md
          status: published
        children:
          errors:                  # a page below the guide
            type: platform:ApiDocument
            properties:
              title: Errors
              slug: error-reference
              content: !file docs/errors.md
`,
  'platform:ApiVersion': `resources:
  petstore:
    type: platform:Api
    children:
      v1:                          # its address is petstore/v1
        type: platform:ApiVersion
        properties:
          specContent: !file specs/petstore-v1.yaml
      v2:
        type: platform:ApiVersion
        properties:
          version: 2.0.0-beta      # left out, it would be what the specification says
          specContent: !file specs/petstore-v2.yaml
`,
  'platform:ApiPublication': `variables:
  portal: !lookup
    function: platform:getPortal
    arguments: {filter: {name: {eq: dev}}}
    return: id
resources:
  petstore:
    type: platform:Api
    children:
      on-dev:
        type: platform:ApiPublication
        properties:
          portalId: \${portal}
          visibility: public       # left out, it is private
          autoApproveRegistrations: true
`,
  'platform:Portal': `resources:
  dev:
    type: platform:Portal
    properties:
      displayName: For developers
      defaultApiVisibility: private
      labels: {stage: production}
    children:
      home:
        type: platform:PortalPage
        properties:
          slug: /
          content: !file pages/home.md
          status: published
`,
  'platform:PortalPage': `resources:
  dev:
    type: platform:Portal
    children:
      guides:
        type: platform:PortalPage
        properties:
          slug: guides
          content: !file pages/guides.md   # its front matter may say title and description
          status: published
          visibility: public
        children:
          start:                   # shown at /guides/start
            type: platform:PortalPage
            properties:
              slug: start
              title: Getting started
              content: !file pages/start.md
`,
  'platform:PortalSnippet': `resources:
  dev:
    type: platform:Portal
    children:
      hello:                       # what pages call it
        type: platform:PortalSnippet
        properties:
          content: !file snippets/hello.md
          status: published
`,
  'platform:PortalTeam': `resources:
  dev:
    type: platform:Portal
    children:
      partners:
        type: platform:PortalTeam
        properties:
          name: Partners
          canOwnApplications: true
`,
  'platform:PortalTeamRole': `resources:
  petstore:
    type: platform:Api
  dev:
    type: platform:Portal
    children:
      partners:
        type: platform:PortalTeam
        children:
          sees-pets:
            type: platform:PortalTeamRole
            properties:
              roleName: API Viewer
              entityId: \${petstore.id}
              entityTypeName: Services
              entityRegion: eu
`,
  'platform:PortalCustomization': `resources:
  dev:
    type: platform:Portal
    children:
      look:
        type: platform:PortalCustomization
        properties:
          theme: {mode: dark, colors: {primary: '#1155cc'}}
          css: !file portal.css
          menu:
            main:
              - {path: /guides, title: Guides, visibility: public, external: false}
`,
  'platform:PortalAuth': `resources:
  dev:
    type: platform:Portal
    children:
      sign-in:
        type: platform:PortalAuth
        properties:
          basicAuthEnabled: false
          idpMappingEnabled: true
`,
  'platform:PortalLogo': `resources:
  dev:
    type: platform:Portal
    children:
      logo:
        type: platform:PortalLogo
        properties:
          data: !file logo.png       # what is read of a picture is its data URL
`,
  'platform:PortalFavicon': `resources:
  dev:
    type: platform:Portal
    children:
      icon:
        type: platform:PortalFavicon
        properties:
          data: !file favicon.ico
`,
  'platform:PortalCustomDomain': `resources:
  dev:
    type: platform:Portal
    children:
      domain:
        type: platform:PortalCustomDomain
        properties:
          hostname: developers.example.com
          enabled: true
          domainVerificationMethod: custom_certificate
          customCertificate: !file certificate.pem
          customPrivateKey: !env PORTAL_KEY
`,
  'platform:ApplicationAuthStrategy': `resources:
  keys:
    type: platform:ApplicationAuthStrategy
    properties:
      displayName: API keys
      strategyType: key_auth
      keyAuth:
        keyNames: [apikey]
        ttl: {value: 52, unit: weeks}
  sign-in:
    type: platform:ApplicationAuthStrategy
    properties:
      displayName: Sign in
      strategyType: openid_connect
      openidConnect:
        issuer: https://id.example.com
        credentialClaim: [sub]
        scopes: [openid]
        authMethods: [bearer]
`,
  'platform:ApiImplementation': `variables:
  controlPlane: !lookup
    function: platform:getGatewayControlPlane
    arguments: {filter: {name: {eq: default}}}
    return: id
resources:
  petstore:
    type: platform:Api
    children:
      gateway:
        type: platform:ApiImplementation
        properties:
          serviceReference:
            service:
              controlPlaneId: \${controlPlane}
              id: 7710d5c4-d902-410b-992f-18b814155b53
`,
  'platform:ApiProduct': `resources:
  payments:
    type: platform:ApiProduct
    properties:
      name: Payments
      description: Everything a shop needs to be paid.
      portalIds: []
      labels: {team: payments}
      publicLabels: {category: finance}
`,
  'platform:ApiProductDocument': `resources:
  payments:
    type: platform:ApiProduct
    properties: {name: Payments, portalIds: []}
    children:
      overview:
        type: platform:ApiProductDocument
        properties:
          slug: overview
          title: Overview
          status: published
          content: !file docs/overview.md
          metadata: {author: Team Payments}
`,
  'cloud:endpoints:ServiceIamPolicy': `resources:
  payments-access:
    type: cloud:endpoints:ServiceIamPolicy
    properties:
      serviceName: payments.endpoints.example.cloud
      policyData:                  # or its JSON text
        bindings:
          - role: roles/servicemanagement.serviceConsumer
            members: [group:shop@example.com, user:alice@example.com]
`,
};

/** Where an import id is more than its form says. */
export const importExamples: Readonly<Record<string, { readonly about: string; readonly command: string }>> = {
  'cloud:endpoints:ServiceIamPolicy': {
    about: 'The id is the name of the service, or `services/NAME`.',
    command: 'sync adopt payments-access payments.endpoints.example.cloud',
  },
};

/** Arguments that show what a lookup is for, and find something in the sandbox; a lookup without arguments needs none. */
export const lookupExamples: Readonly<Record<string, string>> = {
  'platform:getCloudGatewayNetwork': '{filter: {name: {eq: default-network}, state: {oeq: "ready,initializing"}}}',
  'platform:getCloudGatewayProviderAccountList': '{}',
  'platform:getGatewayControlPlane': '{filter: {name: {eq: default}}}',
  'platform:getGatewayControlPlaneList': '{filterLabels: "env:prod,critical", sort: created_at desc}',
  'platform:getMeshControlPlanes': '{}',
  'platform:getPlatformIpAddresses': '{}',
  'platform:getPortal': '{filter: {name: {eq: partners}, rbacEnabled: true}}',
  'platform:getPortalClassicList': '{sort: name}',
  'platform:getSystemAccount': '{filter: {name: {eq: ci}, platformManaged: false}}',
  'platform:getSystemAccountList': '{filter: {platformManaged: false}}',
  'platform:getTeam': '{filter: {name: {eq: payments-developers-22}}}',
  'platform:getTeamList': '{filter: {name: {contains: payments}}}',
  'cloud:endpoints:getServiceIamPolicy': '{serviceName: payments.endpoints.example.cloud}',
};
