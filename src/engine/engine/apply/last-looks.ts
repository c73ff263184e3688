import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import { isWholeInLists, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { byCollection } from '../reads/collection.js';
import { look, type Need } from '../reads/look.js';
import { callOptions, type ApplyContext } from './context.js';

/** How long a look counts, beyond ten times what it took. */
const freshMs = 10_000;

/** By both clocks: one stands still while the machine sleeps, the other may be set. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

interface Look {
  readonly objects: Promise<ReadonlyMap<string, RemoteObject>>;
  /** When it is too old: by whichever clock says so first. */
  until: Moment;
}

const never: Moment = { steady: Infinity, wall: Infinity };

/** Last looks at what is to be deleted: those at objects of one collection share a list that is a moment old. */
export class LastLooks {
  readonly #context: ApplyContext;
  /** Objects to be deleted by a call of their own, by `collectionKey`. */
  readonly #wanted: Map<string, Set<string>>;
  readonly #looks: Map<string, Look>;
  /** Lists that were looked at through this one. */
  readonly #used = new Set<Look>();
  readonly #start: Moment;

  /** `shared`: what its lists are shared with. */
  constructor(context: ApplyContext, shared?: LastLooks) {
    this.#context = context;
    this.#start = this.#now();
    this.#wanted = shared === undefined ? new Map<string, Set<string>>() : shared.#wanted;
    this.#looks = shared === undefined ? new Map<string, Look>() : shared.#looks;
    if (shared !== undefined) return;
    const deleted = [...context.steps.values()].flatMap(({ operations, actual, recorded }) => {
      const isDeleted = operations.some(({ kind }) => kind === 'delete');
      if (!isDeleted || actual === undefined || recorded === undefined) return [];
      return [{ type: context.typeOf(recorded.type), ...actual.identity }];
    });
    for (const { key, type, members } of byCollection(deleted, (each) => each))
      this.#wanted.set(key, new Set(members.map(({ id, scope }) => identityKey(type.token, { id, scope }))));
  }

  /** Those before one end, from now on. */
  forOne(): LastLooks {
    return new LastLooks(this.#context, this);
  }

  /** Asked from when they are over: false as soon as one of them, or what was read beside them, is too old to end anything upon. */
  freshness(): () => boolean {
    const lists = [...this.#used, { until: this.#untilOf(this.#start) }];
    return () => lists.every((look) => this.#isFresh(look));
  }

  /** The object as a list shows it that others need, too; undefined where it must be read. */
  async at(type: ResourceType, identity: Identity): Promise<RemoteObject | undefined> {
    const key = collectionKey(type, identity.scope);
    const own = identityKey(type.token, identity);
    const wanted = this.#wanted.get(key);
    // What a list shows of it tells whether it is as planned.
    const canBeShared = type.collection.listed !== false && (type.revision !== undefined || isWholeInLists(type));
    const isShared = canBeShared && (this.#isFresh(this.#looks.get(key)) || (wanted?.size ?? 0) > 1);
    try {
      if (!isShared) return undefined;
      const { scope } = identity;
      return (await this.#look(key, { type, scope, of: wanted ?? 'everything' })).get(own);
    } catch (error) {
      // What can't be listed may be read all the same.
      if (!(error instanceof ProviderError)) throw error;
      return undefined;
    } finally {
      wanted?.delete(own);
    }
  }

  /** Everything in a collection now, by `identityKey`. Rejects with ProviderError. */
  all(type: ResourceType, scope: Identity['scope']): Promise<ReadonlyMap<string, RemoteObject>> {
    return this.#look(`all ${collectionKey(type, scope)}`, { type, scope, of: 'everything' });
  }

  async #look(key: string, need: Need): Promise<ReadonlyMap<string, RemoteObject>> {
    const before = this.#looks.get(key);
    if (before !== undefined && this.#isFresh(before)) return this.#use(before).objects;
    const made = this.#use({ objects: this.#list(need), until: never });
    this.#looks.set(key, made);
    const start = this.#now();
    try {
      return await made.objects;
    } catch (error) {
      this.#looks.delete(key);
      throw error;
    } finally {
      // That a place is denied gets old, too.
      made.until = this.#untilOf(start);
    }
  }

  #use(look: Look): Look {
    this.#used.add(look);
    return look;
  }

  #now(): Moment {
    const { world } = this.#context;
    return { steady: world.steady(), wall: world.now() };
  }

  #untilOf(start: Moment): Moment {
    const now = this.#now();
    const until = (clock: keyof Moment): number => now[clock] + 10 * Math.max(0, now[clock] - start[clock]) + freshMs;
    return { steady: until('steady'), wall: until('wall') };
  }

  #isFresh(look: Pick<Look, 'until'> | undefined): boolean {
    const now = this.#now();
    return look !== undefined && now.steady < look.until.steady && now.wall < look.until.wall;
  }

  async #list(need: Need): Promise<ReadonlyMap<string, RemoteObject>> {
    const { objects } = await look(this.#context.providerOf(need.type), need, callOptions(this.#context));
    return new Map(objects.map((object) => [identityKey(need.type.token, object.identity), object]));
  }
}
