import { describe, expectTypeOf, it } from 'vitest';
import * as sdk from '@platform-sync/sdk/index';
import type { Input, Output } from '@platform-sync/sdk/index';

/** Options that both forms of a function take. */
type Direct<Instance extends sdk.Platform | sdk.Cloud> = sdk.InvokeOptions<Instance>;
type Later<Instance extends sdk.Platform | sdk.Cloud> = sdk.InvokeOutputOptions<Instance>;
type OptionsOnly<Options> = [options?: Options | undefined];

describe('functions of platform', () => {
  it('without arguments take options first', () => {
    expectTypeOf(sdk.getCloudGatewayProviderAccountList).parameters.toEqualTypeOf<OptionsOnly<Direct<sdk.Platform>>>();
    expectTypeOf(sdk.getCloudGatewayProviderAccountListOutput).parameters.toEqualTypeOf<
      OptionsOnly<Later<sdk.Platform>>
    >();
    expectTypeOf(sdk.getMeshControlPlanes).parameters.toEqualTypeOf<OptionsOnly<Direct<sdk.Platform>>>();
    expectTypeOf(sdk.getMeshControlPlanesOutput).parameters.toEqualTypeOf<OptionsOnly<Later<sdk.Platform>>>();
    expectTypeOf(sdk.getPlatformIpAddresses).parameters.toEqualTypeOf<OptionsOnly<Direct<sdk.Platform>>>();
    expectTypeOf(sdk.getPlatformIpAddressesOutput).parameters.toEqualTypeOf<OptionsOnly<Later<sdk.Platform>>>();
  });

  it('take plain arguments in the direct form', () => {
    type Parameters<Args> = [args?: Args | undefined, options?: Direct<sdk.Platform> | undefined];
    expectTypeOf(sdk.getCloudGatewayNetwork).parameters.toEqualTypeOf<Parameters<sdk.GetCloudGatewayNetworkArgs>>();
    expectTypeOf(sdk.getGatewayControlPlane).parameters.toEqualTypeOf<Parameters<sdk.GetGatewayControlPlaneArgs>>();
    expectTypeOf(sdk.getGatewayControlPlaneList).parameters.toEqualTypeOf<
      Parameters<sdk.GetGatewayControlPlaneListArgs>
    >();
    expectTypeOf(sdk.getPortal).parameters.toEqualTypeOf<Parameters<sdk.GetPortalArgs>>();
    expectTypeOf(sdk.getPortalClassicList).parameters.toEqualTypeOf<Parameters<sdk.GetPortalClassicListArgs>>();
    expectTypeOf(sdk.getSystemAccount).parameters.toEqualTypeOf<Parameters<sdk.GetSystemAccountArgs>>();
    expectTypeOf(sdk.getSystemAccountList).parameters.toEqualTypeOf<Parameters<sdk.GetSystemAccountListArgs>>();
    expectTypeOf(sdk.getTeam).parameters.toEqualTypeOf<Parameters<sdk.GetTeamArgs>>();
    expectTypeOf(sdk.getTeamList).parameters.toEqualTypeOf<Parameters<sdk.GetTeamListArgs>>();
  });

  it('take inputs in the output form', () => {
    type Parameters<Args> = [args?: Input<Args> | undefined, options?: Later<sdk.Platform> | undefined];
    expectTypeOf(sdk.getCloudGatewayNetworkOutput).parameters.toEqualTypeOf<
      Parameters<sdk.GetCloudGatewayNetworkArgs>
    >();
    expectTypeOf(sdk.getGatewayControlPlaneOutput).parameters.toEqualTypeOf<
      Parameters<sdk.GetGatewayControlPlaneArgs>
    >();
    expectTypeOf(sdk.getGatewayControlPlaneListOutput).parameters.toEqualTypeOf<
      Parameters<sdk.GetGatewayControlPlaneListArgs>
    >();
    expectTypeOf(sdk.getPortalOutput).parameters.toEqualTypeOf<Parameters<sdk.GetPortalArgs>>();
    expectTypeOf(sdk.getPortalClassicListOutput).parameters.toEqualTypeOf<Parameters<sdk.GetPortalClassicListArgs>>();
    expectTypeOf(sdk.getSystemAccountOutput).parameters.toEqualTypeOf<Parameters<sdk.GetSystemAccountArgs>>();
    expectTypeOf(sdk.getSystemAccountListOutput).parameters.toEqualTypeOf<Parameters<sdk.GetSystemAccountListArgs>>();
    expectTypeOf(sdk.getTeamOutput).parameters.toEqualTypeOf<Parameters<sdk.GetTeamArgs>>();
    expectTypeOf(sdk.getTeamListOutput).parameters.toEqualTypeOf<Parameters<sdk.GetTeamListArgs>>();
  });

  it('promise a record, or give it as an Output', () => {
    expectTypeOf(sdk.getCloudGatewayNetwork).returns.toEqualTypeOf<Promise<sdk.GetCloudGatewayNetworkResult>>();
    expectTypeOf(sdk.getCloudGatewayNetworkOutput).returns.toEqualTypeOf<Output<sdk.GetCloudGatewayNetworkResult>>();
    expectTypeOf(sdk.getCloudGatewayProviderAccountList).returns.toEqualTypeOf<
      Promise<sdk.GetCloudGatewayProviderAccountListResult>
    >();
    expectTypeOf(sdk.getCloudGatewayProviderAccountListOutput).returns.toEqualTypeOf<
      Output<sdk.GetCloudGatewayProviderAccountListResult>
    >();
    expectTypeOf(sdk.getGatewayControlPlane).returns.toEqualTypeOf<Promise<sdk.GetGatewayControlPlaneResult>>();
    expectTypeOf(sdk.getGatewayControlPlaneOutput).returns.toEqualTypeOf<Output<sdk.GetGatewayControlPlaneResult>>();
    expectTypeOf(sdk.getGatewayControlPlaneList).returns.toEqualTypeOf<Promise<sdk.GetGatewayControlPlaneListResult>>();
    expectTypeOf(sdk.getGatewayControlPlaneListOutput).returns.toEqualTypeOf<
      Output<sdk.GetGatewayControlPlaneListResult>
    >();
    expectTypeOf(sdk.getMeshControlPlanes).returns.toEqualTypeOf<Promise<sdk.GetMeshControlPlanesResult>>();
    expectTypeOf(sdk.getMeshControlPlanesOutput).returns.toEqualTypeOf<Output<sdk.GetMeshControlPlanesResult>>();
    expectTypeOf(sdk.getPlatformIpAddresses).returns.toEqualTypeOf<Promise<sdk.GetPlatformIpAddressesResult>>();
    expectTypeOf(sdk.getPlatformIpAddressesOutput).returns.toEqualTypeOf<Output<sdk.GetPlatformIpAddressesResult>>();
    expectTypeOf(sdk.getPortal).returns.toEqualTypeOf<Promise<sdk.GetPortalResult>>();
    expectTypeOf(sdk.getPortalOutput).returns.toEqualTypeOf<Output<sdk.GetPortalResult>>();
    expectTypeOf(sdk.getPortalClassicList).returns.toEqualTypeOf<Promise<sdk.GetPortalClassicListResult>>();
    expectTypeOf(sdk.getPortalClassicListOutput).returns.toEqualTypeOf<Output<sdk.GetPortalClassicListResult>>();
    expectTypeOf(sdk.getSystemAccount).returns.toEqualTypeOf<Promise<sdk.GetSystemAccountResult>>();
    expectTypeOf(sdk.getSystemAccountOutput).returns.toEqualTypeOf<Output<sdk.GetSystemAccountResult>>();
    expectTypeOf(sdk.getSystemAccountList).returns.toEqualTypeOf<Promise<sdk.GetSystemAccountListResult>>();
    expectTypeOf(sdk.getSystemAccountListOutput).returns.toEqualTypeOf<Output<sdk.GetSystemAccountListResult>>();
    expectTypeOf(sdk.getTeam).returns.toEqualTypeOf<Promise<sdk.GetTeamResult>>();
    expectTypeOf(sdk.getTeamOutput).returns.toEqualTypeOf<Output<sdk.GetTeamResult>>();
    expectTypeOf(sdk.getTeamList).returns.toEqualTypeOf<Promise<sdk.GetTeamListResult>>();
    expectTypeOf(sdk.getTeamListOutput).returns.toEqualTypeOf<Output<sdk.GetTeamListResult>>();
  });
});

describe('the function of cloud', () => {
  it('needs its argument, and its own provider', () => {
    expectTypeOf(sdk.getServiceIamPolicy).toEqualTypeOf<
      (args: sdk.GetServiceIamPolicyArgs, options?: Direct<sdk.Cloud>) => Promise<sdk.GetServiceIamPolicyResult>
    >();
    expectTypeOf(sdk.getServiceIamPolicyOutput).toEqualTypeOf<
      (args: Input<sdk.GetServiceIamPolicyArgs>, options?: Later<sdk.Cloud>) => Output<sdk.GetServiceIamPolicyResult>
    >();
    expectTypeOf<sdk.Cloud>().not.toExtend<sdk.Platform>();
    expectTypeOf<sdk.Platform>().not.toExtend<sdk.Cloud>();
  });
});

describe('only the output form', () => {
  it('takes dependsOn', () => {
    expectTypeOf<{ dependsOn: Output<string> }>().toExtend<Later<sdk.Platform>>();
    expectTypeOf<{ dependsOn: readonly [Output<string>, Promise<number>] }>().toExtend<Later<sdk.Platform>>();
    expectTypeOf<Direct<sdk.Platform>>().not.toHaveProperty('dependsOn');
  });
});

describe('Input', () => {
  type Args = sdk.GetTeamArgs;
  it('is a value, a promise or an Output, at any depth', () => {
    expectTypeOf<{ filter: { name: { eq: string } } }>().toExtend<Input<Args>>();
    expectTypeOf<{ filter: { name: { eq: Output<string> } } }>().toExtend<Input<Args>>();
    expectTypeOf<{ filter: { name: Promise<{ eq: Output<string> }> } }>().toExtend<Input<Args>>();
    expectTypeOf<{ filter: Output<{ name: { eq: string } }> }>().toExtend<Input<Args>>();
    expectTypeOf<Output<Args>>().toExtend<Input<Args>>();
    expectTypeOf<Promise<Args>>().toExtend<Input<Args>>();
  });

  it('refuses what the function does not take', () => {
    expectTypeOf<{ filter: { name: { eq: Output<number> } } }>().not.toExtend<Input<Args>>();
    expectTypeOf<{ filter: { name: { eq: number } } }>().not.toExtend<Input<Args>>();
    expectTypeOf<Output<{ filter: string }>>().not.toExtend<Input<Args>>();
  });

  it('lets an optional setting be undefined, as process.env is', () => {
    expectTypeOf<{ personalAccessToken: string | undefined }>().toExtend<Input<sdk.PlatformSettings>>();
  });
});

describe('Output', () => {
  it('lifts members with their types', () => {
    const network = sdk.Output.unknown<sdk.GetCloudGatewayNetworkResult>();
    expectTypeOf(network.name).toEqualTypeOf<Output<string | undefined>>();
    expectTypeOf(network.default).toEqualTypeOf<Output<boolean | undefined>>();
    expectTypeOf(network.providerMetadata.vpcId).toEqualTypeOf<Output<string | undefined>>();
    const list = sdk.Output.unknown<sdk.GetTeamListResult>();
    expectTypeOf(list.datas).toEqualTypeOf<Output<readonly sdk.GetTeamListData[]>>();
    expectTypeOf(list.datas.length).toEqualTypeOf<Output<number>>();
    expectTypeOf(list.datas[0]?.name).toEqualTypeOf<Output<string | undefined> | undefined>();
    const team = sdk.Output.unknown<sdk.GetTeamResult>();
    expectTypeOf(team.id).toEqualTypeOf<Output<string>>();
    expectTypeOf(team.labels.env).toEqualTypeOf<Output<string> | undefined>();
    expectTypeOf<keyof Output<string>>().toEqualTypeOf<keyof sdk.OutputMethods<string>>();
  });

  it('unwraps what functions return', () => {
    const team = sdk.Output.unknown<sdk.GetTeamResult>();
    expectTypeOf(team.apply((found) => found.name.length)).toEqualTypeOf<Output<number>>();
    expectTypeOf(team.apply(async (found) => [found.id])).toEqualTypeOf<Output<readonly string[]>>();
    expectTypeOf(team.apply((found) => ({ id: sdk.secret(found.id) }))).toEqualTypeOf<
      Output<{ readonly id: string }>
    >();
    expectTypeOf(sdk.all([team.id, 1, Promise.resolve(true)])).toEqualTypeOf<
      Output<readonly [string, number, boolean]>
    >();
    expectTypeOf(sdk.all({ a: team, b: 1 }).a.id).toEqualTypeOf<Output<string>>();
    expectTypeOf(sdk.interpolate`${team.name}`).toEqualTypeOf<Output<string>>();
    expectTypeOf(team.promise).returns.toEqualTypeOf<Promise<sdk.GetTeamResult>>();
    expectTypeOf(new sdk.Platform().terraformConfig()).toEqualTypeOf<Output<sdk.PlatformTerraformConfigResult>>();
  });
});
