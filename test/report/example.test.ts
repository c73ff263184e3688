import { expect, it } from 'vitest';
import { example, typeOf } from './example-text.js';

it('says what is required, what may be chosen, what is secret, and where ids come from', async () => {
  const type = typeOf('platform:index/gatewayService:GatewayService');
  if (type === undefined) throw new Error('no type');
  expect(await example(type)).toMatchInlineSnapshot(`
    "resources:
      gatewayControlPlane:
        type: platform:GatewayControlPlane
        properties:
          # What people know it by; required; at least 2, at most 256 characters
          name: name
        children:
          gatewayService:
            type: platform:GatewayService
            properties:
              # Host that requests go on to, or name of an upstream; required
              host: host
              # Id that it is made with; the platform chooses one where the file leaves it out; at least 1 character; a change replaces the object
              # id: 00000000-0000-4000-8000-000000000000
              # Ids of the CA certificates that the other side may be vouched for by; the id of a platform:GatewayCACertificate: \${gatewayCACertificate.id}, or !lookup {function: platform:getGatewayCACertificate, …}
              # caCertificates: [ caCertificates ]
              # Id of the certificate that is shown to the other side; the id of a platform:GatewayCertificate: \${gatewayCertificate.id}, or !lookup {function: platform:getGatewayCertificate, …}
              # clientCertificateId: clientCertificateId
              # Milliseconds until a connection must stand; at least 1; at most 2147483646
              # connectTimeout: 1
              # Whether it is in effect
              # enabled: false
              # What people know it by
              # name: name
              # Path that requests go on to, before their own
              # path: path
              # Port of the host; at least 0; at most 65535
              # port: 0
              # Protocol that requests go on by; one of grpc, grpcs, http, https, tcp, tls, tls_passthrough, udp, ws, wss
              # protocol: grpc
              # Milliseconds between two reads before giving up; at least 1; at most 2147483646
              # readTimeout: 1
              # How often a failed request is sent again; at least 0; at most 32767
              # retries: 0
              # Words to group and filter objects by
              # tags: [ tags ]
              # tlsSans: {}
              # Whether the certificate of the other side is checked
              # tlsVerify: false
              # How many certificates may vouch for each other; at least 0; at most 64
              # tlsVerifyDepth: 0
              # Address, with protocol and host
              # url: url
              # Milliseconds between two writes before giving up; at least 1; at most 2147483646
              # writeTimeout: 1
    "
  `);
});
