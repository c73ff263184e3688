/** A process of its own: one lookup with nothing but its environment. Prints the result, or what went wrong, as JSON. */
import { ProviderError } from '@platform-sync/core/model/provider';
import { programTrust } from '@platform-sync/core/model/trust';
import { cloudPackage } from '@platform-sync/cloud/package';

const [, , lookup = '', serviceName = ''] = process.argv;
const context = {
  settings: {},
  env: process.env,
  trust: programTrust,
  concurrency: 1,
  userAgent: 'platform-sync/0.0.0 (test)',
};

async function once(): Promise<unknown> {
  const provider = await cloudPackage.start(context);
  try {
    return { result: await provider.lookup(lookup, { serviceName }) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { kind: error.kind, diagnostics: error.diagnostics };
  } finally {
    await provider.close();
  }
}

process.stdout.write(JSON.stringify(await once()));
