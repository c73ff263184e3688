import { createHash } from 'node:crypto';
import { defined } from '../defined.js';
import { type Answer, type Call, type Route, ok } from '../route.js';
import type { World } from '../store/world.js';
import { bodyProblems } from '../described/check-body.js';
import { Description } from '../described/description.js';
import type { Json, JsonObject } from '../json.js';
import { invalid } from '../problem.js';
import type { Row } from '../store/collection.js';
import { CloudProblem } from './cloud-problem.js';

type Binding = { readonly role: string; readonly members?: readonly string[]; readonly condition?: JsonObject };

type Policy = {
  readonly version?: number;
  readonly etag?: string;
  readonly bindings?: readonly Binding[];
  readonly auditConfigs?: readonly JsonObject[];
};

/** Its id is the service name. `policy` null: the service is known to be gone (404 instead of 403). */
type ServiceRow = Row & { readonly policy: Policy | null };

const record = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});
const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer' };
const some = (items: JsonObject): JsonObject => ({ type: 'array', items });
const role = { ...text, minLength: 1 };
const binding = record({ role, members: some(role), condition: { type: 'object' } }, ['role']);
const policy = record({ version: whole, etag: text, bindings: some(binding), auditConfigs: some({ type: 'object' }) });
const asked = record({ options: record({ requestedPolicyVersion: whole }) });
const change = record({ policy, updateMask: text }, ['policy']);
const described = new Description({});

/** A body that is as its schema says. */
function bodyAs(schema: JsonObject, body: unknown): JsonObject {
  const found = bodyProblems(described, schema, body as Json);
  if (found.length > 0) throw invalid(...found);
  return body as JsonObject;
}

/** The etag of a policy that was never set. */
const neverSet = 'ACAB';

/** Access policies of services: read and written whole. */
export function policyRoutes(world: World): readonly Route[] {
  const path = '/v1/services/{name}';
  return [
    { method: 'POST', path, verb: 'getIamPolicy', family: 'cloud', handle: (call) => get(world, call) },
    { method: 'POST', path, verb: 'setIamPolicy', family: 'cloud', handle: (call) => set(world, call) },
  ];
}

function find(world: World, call: Call): ServiceRow & { readonly policy: Policy } {
  const name = call.param('name');
  const service = world.rows('cloud-services').get(name) as ServiceRow | undefined;
  // The vendor does not tell strangers what exists: an unknown name is mostly a 403.
  if (service === undefined) throw new CloudProblem(403, `Service '${name}' not found or permission denied.`);
  if (service.policy === null) throw new CloudProblem(404, `Service '${name}' not found.`);
  return { ...service, policy: service.policy };
}

function get(world: World, call: Call): Answer {
  const service = find(world, call);
  const wanted =
    (bodyAs(asked, call.body ?? {}) as { options?: { requestedPolicyVersion?: number } }).options
      ?.requestedPolicyVersion ?? 0;
  if (![0, 1, 3].includes(wanted)) {
    throw new CloudProblem(400, `Invalid requested policy version: ${String(wanted)}.`);
  }
  return ok(show(service.policy, wanted));
}

/** A policy with conditions is complete only in version 3; below that such roles get a name nobody can use. */
function show(policy: Policy, wanted: number): Policy {
  const { bindings } = policy;
  if (wanted === 3 || bindings?.some((binding) => binding.condition !== undefined) !== true) return policy;
  return { ...policy, version: 1, bindings: bindings.map(withoutCondition) };
}

function withoutCondition(binding: Binding): Binding {
  const { condition, ...rest } = binding;
  if (condition === undefined) return binding;
  const mark = createHash('sha256').update(JSON.stringify(condition)).digest('hex').slice(0, 20);
  return { ...rest, role: `${binding.role}_withcond_${mark}` };
}

function set(world: World, call: Call): Answer {
  const service = find(world, call);
  const { policy: given, updateMask } = bodyAs(change, call.body ?? null) as { policy: Policy; updateMask?: string };
  const etag = service.policy.etag ?? neverSet;
  if (given.etag !== undefined && given.etag !== etag) {
    throw new CloudProblem(
      409,
      'There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff. ' +
        `The request's ETag '${given.etag}' did not match the current policy's ETag '${etag}'.`,
    );
  }
  const mask = updateMask?.split(',').map((path) => path.trim()) ?? ['bindings', 'etag'];
  const now = world.now();
  const bindings = mask.includes('bindings') ? sorted(given.bindings ?? []) : (service.policy.bindings ?? []);
  const auditConfigs = mask.includes('auditConfigs') ? given.auditConfigs : service.policy.auditConfigs;
  const policy: Policy = {
    version: bindings.some((binding) => binding.condition !== undefined) ? 3 : 1,
    etag: etagAt(now),
    ...(bindings.length === 0 ? {} : { bindings }),
    ...defined({ auditConfigs }),
  };
  world.rows('cloud-services').put({ ...service, policy: policy as JsonObject, updated_at: now });
  return ok(policy);
}

/** The vendor keeps bindings by role and members by name, whatever order they were sent in. */
function sorted(bindings: readonly Binding[]): readonly Binding[] {
  return bindings
    .map((binding) => ({ ...binding, members: [...(binding.members ?? [])].sort() }))
    .sort((a, b) => (a.role < b.role ? -1 : a.role > b.role ? 1 : 0));
}

/** Opaque to clients; shaped like the real ones: a 7 and the time in microseconds, in base64. */
function etagAt(time: string): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(Date.parse(time)) * 1000n);
  bytes[0] = 7;
  return bytes.toString('base64');
}
