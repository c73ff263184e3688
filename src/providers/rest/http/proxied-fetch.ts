import { proxiesOf } from './network.js';

/** Sends what this process fetches through the proxies of its environment; loads nothing when there are none. */
export async function proxyFetch(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const proxies = proxiesOf(env);
  if (proxies === undefined) return;
  const { default: undici } = await import('undici');
  undici.setGlobalDispatcher(new undici.EnvHttpProxyAgent(proxies));
  // The runtime's own fetch may be too old for this version's agents.
  undici.install();
}
