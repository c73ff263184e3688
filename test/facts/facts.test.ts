import { describe, expect, it } from 'vitest';
import { definitions } from '../../scripts/generate/definitions.js';
import { allDefinitions, platformPackage } from '@platform-sync/platform/package';
import { style } from '@platform-sync/platform/style';
import { methodOfCall, restType } from '@platform-sync/rest/rest-type';
import { mayHoldSecret } from '@platform-sync/core/model/resource-type';
import { expectedOf, factOf } from './facts.js';

/** Where a definition is otherwise than the description, and why that is right. */
const argued: Readonly<Record<string, string>> = {
  'Api.name: required': 'the name is the resource’s key where the file says none',
  ...Object.fromEntries(
    ['TeamRole', 'SystemAccountRole'].flatMap((type) =>
      ['roleName', 'entityId', 'entityTypeName', 'entityRegion'].map((field) => [
        `${type}.${field}: required`,
        'a role is what it is on: without it there is nothing to assign',
      ]),
    ),
  ),
  'Portal.name: required': 'the name is the resource’s key where the file says none',
  'PortalSnippet.name: required': 'the name is the resource’s key where the file says none',
  'PortalTeam.name: required': 'the name is the resource’s key where the file says none',
  'ApiProduct.name: required': 'the name is the resource’s key where the file says none',
  'ApplicationAuthStrategy.name: required': 'the name is the resource’s key where the file says none',
  'ApplicationAuthStrategy.keyAuth: required':
    'the configuration of one of the two kinds is required, and it is the other’s',
  'ApplicationAuthStrategy.openidConnect: required':
    'the configuration of one of the two kinds is required, and it is the other’s',
  'GatewayCustomPlugin.config: secret': 'nothing is known of the settings in it',
  'GatewayPluginAppDynamics.config: secret': 'nothing is known of the settings in it',
  'GatewayPluginOpentelemetry.config: secret': 'it holds headers that sign in at the collector',
  'PortalAuth.oidcClientSecret: secret': 'it is one by its name',
  'PortalCustomDomain.customPrivateKey: secret': 'it is one by its name',
  ...Object.fromEntries(
    ['customCertificate', 'customPrivateKey', 'skipCaCheck'].map((field) => [
      `PortalCustomDomain.${field}: required`,
      'a member of a record that is required',
    ]),
  ),
  'PortalCustomDomain.domainVerificationMethod: action': 'a member that the record of a change has not',
};

/** Not in the descriptions at hand, and why there is a definition all the same. */
const undescribed: Readonly<Record<string, string>> = {
  PortalTeamRole: 'the vendor’s documentation of portals shows its calls',
};

const unused = new Set(Object.keys(argued));

/** Written by people, and those of the derived ones that are called proven. */
const held = [
  ...definitions,
  ...allDefinitions().filter(({ derived, proven }) => derived === true && proven === true),
].filter(({ name }) => undescribed[name] === undefined);

describe.each(held.map((definition) => [definition.name, definition] as const))('%s', (name, definition) => {
  const rest = restType(definition, style);
  const fact = factOf(definition);
  const type = [...platformPackage.types.values()].find((each) => each.name === name);
  const inputs = Object.values(type?.fields ?? {}).filter(({ input }) => input);

  it('is made, changed and deleted as the description says', () => {
    const { create, update, delete: remove } = definition.operations;
    expect({
      create: methodOfCall(create),
      ...(update === undefined ? {} : { update: methodOfCall(update) }),
      ...(remove === undefined ? {} : { delete: true }),
    }).toEqual({
      create: fact?.create,
      ...(fact?.update === undefined ? {} : { update: fact.update }),
      ...(fact?.delete === undefined ? {} : { delete: true }),
    });
  });

  it.each(inputs.map((rule) => [rule.name, rule] as const))('%s', (field, rule) => {
    const expected = fact === undefined ? undefined : expectedOf(rest, fact, field);
    expect(expected, 'the description knows no such field').toBeDefined();
    const is = {
      action: type?.updatable === true && rule.onChange === 'update' ? 'update' : 'replace',
      secret: mayHoldSecret(rule),
      required: rule.required,
    };
    const differences = (['action', 'secret', 'required'] as const).filter(
      (what) => is[what] !== expected?.[what] && !isArgued(`${name}.${field}: ${what}`),
    );
    expect(differences).toEqual([]);
  });
});

function isArgued(difference: string): boolean {
  unused.delete(difference);
  return argued[difference] !== undefined;
}

it('what is said not to be described is not', () => {
  const all = definitions.filter(({ name }) => undescribed[name] !== undefined);
  expect(all.map(({ name }) => name)).toEqual(Object.keys(undescribed));
  expect(all.map(factOf)).toEqual(all.map(() => undefined));
});

it('no difference is argued that there is not', () => {
  expect([...unused]).toEqual([]);
});
