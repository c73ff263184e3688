import type { Json } from '@platform-sync/core/model/value';

type Stored = Readonly<Record<string, Json>>;

interface Control {
  /** One request to the sandbox itself, beside those to the platform that it plays. */
  control(method: string, path: string, body?: Json): Promise<Json>;
  /** What the platform holds of a collection. */
  stored(collection: string): Promise<readonly Stored[]>;
  /** Requests since they were last counted anew. */
  requests(): Promise<number>;
}

/** `url` is asked for with each call: tests start their sandbox after this. */
export function controlOf(url: () => string): Control {
  const control = async (method: string, path: string, body?: Json): Promise<Json> => {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const text = await (await fetch(url() + path, { method, ...json })).text();
    return text === '' ? null : (JSON.parse(text) as Json);
  };
  return {
    control,
    stored: async (collection) =>
      ((await control('GET', '/_sandbox/objects')) as Record<string, Stored[]>)[collection] ?? [],
    requests: async () => ((await control('GET', '/_sandbox/requests')) as { total: number }).total,
  };
}
