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
          # Name; required; at least 2, at most 256 characters
          name: name
        children:
          gatewayService:
            type: platform:GatewayService
            properties:
              # Host; required
              host: host
              # Ca certificates; the id of a platform:GatewayCACertificate: \${gatewayCACertificate.id}, or !lookup {function: platform:getGatewayCACertificate, …}
              # caCertificates: [ caCertificates ]
              # Client certificate id; the id of a platform:GatewayCertificate: \${gatewayCertificate.id}, or !lookup {function: platform:getGatewayCertificate, …}
              # clientCertificateId: clientCertificateId
              # Connect timeout; at least 1; at most 2147483646
              # connectTimeout: 1
              # Enabled
              # enabled: false
              # Name
              # name: name
              # Path
              # path: path
              # Port; at least 0; at most 65535
              # port: 0
              # Protocol; one of grpc, grpcs, http, https, tcp, tls, tls_passthrough, udp, ws, wss
              # protocol: grpc
              # Read timeout; at least 1; at most 2147483646
              # readTimeout: 1
              # Retries; at least 0; at most 32767
              # retries: 0
              # Tags
              # tags: [ tags ]
              # Tls sans
              # tlsSans: {}
              # Tls verify
              # tlsVerify: false
              # Tls verify depth; at least 0; at most 64
              # tlsVerifyDepth: 0
              # Url
              # url: url
              # Write timeout; at least 1; at most 2147483646
              # writeTimeout: 1
    "
  `);
});
