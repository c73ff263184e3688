import { metadataRoutes } from './cloud/metadata-routes.js';
import { policyRoutes } from './cloud/policy-routes.js';
import { IssuedTokens, tokenRoutes } from './cloud/token-routes.js';
import { controlRoutes } from './control/control-routes.js';
import { Exchanges } from './control/exchanges.js';
import { Faults } from './control/faults.js';
import { plant } from './control/objects.js';
import { Traffic } from './control/traffic.js';
import { keptDescriptions } from './described/description.js';
import { placesOf } from './described/families.js';
import { Objects } from './described/objects.js';
import { describedRoutes } from './described/routes.js';
import { SandboxInputError } from './input-error.js';
import type { Route } from './route.js';
import { plantDefaults } from './seed.js';
import { World, type WorldOptions } from './store/world.js';

export interface PlatformOptions extends WorldOptions {
  /** Objects on top of the default ones, by path or by collection. */
  readonly seed?: Readonly<Record<string, unknown>> | undefined;
  /** Without the default ones. */
  readonly empty?: boolean | undefined;
}

/** The imitated platform without anything around it: what there is, and the routes to it. */
export interface Platform {
  readonly world: World;
  readonly controls: readonly Route[];
  readonly platform: readonly Route[];
  readonly cloud: readonly Route[];
  readonly traffic: Traffic;
  readonly exchanges: Exchanges;
  readonly faults: Faults;
  readonly issued: IssuedTokens;
  /** Puts in what is there at first. */
  fill(): void;
}

export function makePlatform(options: PlatformOptions): Platform {
  const world = new World(options);
  const objects = new Objects(world, placesOf(keptDescriptions()));
  const [traffic, exchanges] = [new Traffic(), new Exchanges()];
  const [faults, issued] = [new Faults(options.clock), new IssuedTokens()];
  const platform = describedRoutes(objects);
  const fill = (): void => {
    world.together(() => {
      if (options.empty !== true) plantDefaults(world);
      const problem = plant(objects, platform, options.seed ?? {});
      if (problem !== undefined) throw new SandboxInputError(`The seed can't be used: ${problem}`);
    });
  };
  const reset = (): void => {
    world.together(() => {
      world.clear();
      fill();
    });
    traffic.reset();
    exchanges.record(0);
    faults.set([]);
  };
  return {
    ...{ world, platform, traffic, exchanges, faults, issued, fill },
    controls: controlRoutes({ objects, platform, traffic, exchanges, faults, reset }),
    cloud: [...policyRoutes(world), ...tokenRoutes(issued, options.clock), ...metadataRoutes(issued)],
  };
}
