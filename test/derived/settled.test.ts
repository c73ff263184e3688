import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { fieldName } from '@platform-sync/rest/rest-type';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import {
  forgetfulPlatform,
  type ForgetfulPlatform,
  type Passing,
  type PassingWrite,
} from '../harness/forgetful-platform.js';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { fixedFields, keyOf, life, propertiesOf, types, used } from './all-types.js';
import { restOf } from './edit.js';
import { changeable, type Sample } from './samples.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let world: World;
let platform: ForgetfulPlatform;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 11 });
  platform = await forgetfulPlatform(world.sandbox.url);
  world.env['PLATFORM_SERVER_URL'] = platform.url;
});
afterAll(async () => {
  await platform.close();
  await world.close();
});
beforeEach(async () => {
  platform.pass();
  world.loseState();
  await world.call('POST', '/_sandbox/reset');
});

const write = (resources: Readonly<Record<string, JsonObject>>): Promise<void> =>
  world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

async function mustApply(options: PlanOptions = {}): Promise<void> {
  const { steps, diagnostics } = await world.open(async (project) => project.apply(await project.plan(options)));
  const failed = steps.flatMap(({ address, outcome, because, diagnostics: why = [] }) =>
    outcome === 'done' ? [] : [`${address} ${because ?? why.map(({ summary }) => summary).join(' ')}`],
  );
  expect([...failed, ...diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([]);
}

const told = new Set(['id', 'created_at', 'updated_at', 'name', 'data', 'version']);

/** Of an answer what was sent, and what tells which object it is. */
function asSent(answer: Json, sent: Json | undefined): Json {
  if (!isObject(answer) || !isObject(sent)) return answer;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, member]): [string, Json][] => {
      if (name in sent) return [[name, asSent(member, sent[name])]];
      return told.has(name) || isObject(member) ? [[name, member]] : [];
    }),
  );
}

it('what answers to writes left out is no drift, and no step', async () => {
  await write(life('first').resources);
  platform.pass(({ body }) => ({ body, answer: (right) => asSent(right, body) as JsonObject }));
  await mustApply();
  const { plan } = await world.planResult();
  expect(plan?.notCompared).toEqual([]);
  expect(plan && actionsOf(plan)).toEqual([]);
  await world.open(async (project) => {
    const drift = await project.drift({ remember: false });
    expect(drift.findings.map(({ address, field, class: kind }) => `${kind} ${address} ${field ?? ''}`)).toEqual([]);
  });
});

/** A field of each type that the platform is to forget: it may be left out, and stands under one name in bodies. */
const forgotten = types.flatMap((type): readonly Forgotten[] => {
  // What holds nothing counts as not there.
  if (type.absence === 'empty') return [];
  const rest = restOf(type);
  // An object keeps its id.
  const rules = changeable(type, new Set([...fixedFields(type), 'id'])).filter(
    ({ name, required, secret }) =>
      // One body is of one plugin, and all plugins share a path.
      name !== 'config' &&
      !required &&
      !secret &&
      rest.fields[name]?.shown === undefined &&
      rest.fields[name]?.members === undefined,
  );
  const rule = rules.find(({ onChange }) => onChange === 'replace') ?? rules[0];
  if (rule === undefined) return [];
  const calls = [rest.definition.operations.create, rest.definition.operations.update];
  const paths = calls.flatMap((call) => (call === undefined ? [] : [patternOf(call)]));
  return [{ type, rule, wire: fieldName(rest, rule.name), paths }];
});

interface Forgotten {
  readonly type: ResourceType;
  readonly rule: FieldRule;
  readonly wire: string;
  readonly paths: readonly RegExp[];
}

/** `PATCH /v3/portals/{id}` */
function patternOf(call: string): RegExp {
  return new RegExp(`^${call.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** The platform says that it took the field, and has what it had. */
function forgetting({ method, path, body }: PassingWrite): Passing {
  const names = forgotten.filter(({ paths }) => paths.some((one) => one.test(`${method} ${path}`)));
  const lost = names.flatMap(({ wire }) => (wire in body ? [wire] : []));
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !lost.includes(name)));
  const said = Object.fromEntries(lost.map((name) => [name, body[name] ?? null]));
  return { body: kept, answer: (right) => ({ ...right, ...said }) };
}

function catalogueOf(sample: Sample): Readonly<Record<string, JsonObject>> {
  const rules = new Map(forgotten.map(({ type, rule }) => [type, rule]));
  return Object.fromEntries(
    [...used].map((type) => {
      const rule = rules.get(type);
      const properties = propertiesOf(type, rule === undefined ? [] : [rule], sample, 'first');
      return [keyOf(type), { type: type.shortToken, properties }];
    }),
  );
}

async function planned(): Promise<{ readonly plan: Plan; readonly unkept: readonly string[] }> {
  const { plan, diagnostics } = await world.planResult();
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return { plan, unkept: plan.notices.flatMap(({ code, address = '' }) => (code === 'not-kept' ? [address] : [])) };
}

it('what the platform takes and does not keep is told, and written no more until the file says something else', async () => {
  platform.pass(forgetting);
  await write(catalogueOf('first'));
  await mustApply();
  const { plan: first, unkept } = await planned();
  expect(first.notCompared).toEqual([]);
  // Where a revision vouches for the reading nothing is written at all.
  const byRevision = forgotten.filter(({ type }) => type.revision !== undefined).map(({ type }) => keyOf(type));
  expect(first.steps.filter(({ address }) => byRevision.includes(address))).toEqual([]);
  expect(first.steps.filter(({ cause }) => cause !== 'drift')).toEqual([]);
  const met = [...unkept, ...first.steps.map(({ address }) => address)];
  expect(met.length).toBeGreaterThan(forgotten.length / 2);
  world.events.length = 0;
  await mustApply();
  const told = world.events.flatMap((event) =>
    event.type === 'diagnostic' && event.diagnostic.code === 'not-kept' ? [event.diagnostic.address] : [],
  );
  expect(told.sort()).toEqual(first.steps.map(({ address }) => address).sort());
  const second = await planned();
  expect([actionsOf(second.plan), second.unkept]).toEqual([[], []]);
  const { findings } = await world.open((project) => project.drift({ remember: false }));
  expect(findings).toEqual([]);
  await write(catalogueOf('other'));
  const third = await world.plan();
  const changed = third.steps.map(({ address }) => address);
  // Of two values, or of numbers that are listed, one may be what the platform has by itself.
  const isOther = (address: string): boolean =>
    forgotten.some(
      ({ type, rule }) => keyOf(type) === address && rule.type !== 'boolean' && rule.schema['enum'] === undefined,
    );
  expect(met.filter((address) => isOther(address) && !changed.includes(address))).toEqual([]);
});
