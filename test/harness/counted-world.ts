import type { ListOptions, Listing, Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { paperTypes } from './paper-platform.js';
import { PaperWorld } from './paper-world.js';

export const pageSize = 3;

/** A platform that shows lists in pages, narrows them where it can, and keeps a list of all that it was asked. */
export class Counted {
  readonly world = new PaperWorld();
  /** `list TYPE SCOPE page 1`, with what narrows it, `read TYPE ID`, `find …`, `kept …`, `write …`; in order. */
  asked: string[] = [];

  constructor() {
    this.world.platform.idOf = (_type, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const note = (...words: readonly unknown[]): void => void this.asked.push(words.map(String).join(' '));
    this.world.calls = (inner): Partial<Provider> => ({
      list: async (type, scope, { isEnough, having = {} }: ListOptions = {}) => {
        const what = Object.keys(having).length === 0 ? '' : ` having ${JSON.stringify(having)}`;
        const page = (number: number): void => note(`list ${type.name} ${JSON.stringify(scope)}${what} page`, number);
        const { objects } = narrowed(type, await inner.list(type, scope), having);
        const pages = Math.max(1, Math.ceil(objects.length / pageSize));
        page(1);
        const first = objects.slice(0, pageSize);
        const whole = { objects, isComplete: true, total: objects.length };
        const rest = async (): Promise<Listing> => {
          for (let number = 2; number <= pages; number++) page(number);
          return Promise.resolve(whole);
        };
        if (pages > 1 && isEnough?.({ objects: first, morePages: pages - 1 }) === true)
          return { objects: first, isComplete: false, total: objects.length, rest };
        return rest();
      },
      read: (type, identity, ...more) => {
        note('read', type.name, identity.id);
        return inner.read(type, identity, ...more);
      },
      readWriteOnly: (type, identity, ...more) => {
        note('kept', type.name, identity.id);
        return inner.readWriteOnly(type, identity, ...more);
      },
      find: (type, scope, inputs, options) => {
        // What it reads through others is theirs.
        if (options?.through === undefined)
          note('find', type.name, JSON.stringify(inputs['name'] ?? inputs['slug'] ?? null));
        return inner.find(type, scope, inputs, options);
      },
      delete: (type, identity, ...more) => {
        note('write', type.name, identity.id);
        return inner.delete(type, identity, ...more);
      },
    });
  }

  /** What was asked meanwhile. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    this.asked = [];
    await work();
    return this.asked;
  }
}

function narrowed({ collection }: ResourceType, listing: Listing, having: JsonObject): Listing {
  const fields = (collection.narrowedBy ?? []).filter((field) => typeof having[field] === 'string');
  const isLeft = ({ values }: RemoteObject): boolean => fields.every((field) => values[field] === having[field]);
  return { ...listing, objects: listing.objects.filter(isLeft) };
}

export const typeOf = (name: string): ResourceType => {
  const type = [...paperTypes.values()].find((each) => each.name === name);
  if (type === undefined) throw new Error(`there is no type ${name}`);
  return type;
};

export const typeOfToken = (token: string): ResourceType => typeOf(token.split(':').at(-1) ?? '');
