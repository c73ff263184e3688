import { fileURLToPath } from 'node:url';
import {
  defineProvider,
  ProviderError,
  type ProviderPackage,
  type RestProvider,
  type RestStyle,
  type TypeDefinition,
} from '@platform-sync/kit/index';
import { compileFile } from '@platform-sync/describe/load';

const style: RestStyle = {
  naming: { rule: 'as-is', names: {} },
  envelope: 'result',
  paging: { by: 'none', items: '' },
  kinds: {},
};

/** Compiled out of the service's description and what people know beyond it. */
export const libraryTypes = compileFile(
  fileURLToPath(new URL('library', import.meta.url)),
  'openapi.yaml',
  'rules.yaml',
);
/** As its author ships them: who stands behind a definition takes the mark of the rules off. */
export const libraryDefinitions: readonly TypeDefinition[] = libraryTypes.types.definitions.map(
  ({ derived: _, ...definition }) => definition,
);

/** The provider of that service, as somebody else would write it. */
export function libraryProvider(definitions = libraryDefinitions): RestProvider {
  return {
    name: 'library',
    settings: { url: { type: 'string', description: 'Address.', defaultInfo: { environment: ['LIBRARY_URL'] } } },
    style,
    definitions,
    connect: async ({ env, trust }) => {
      const { LIBRARY_URL: url, LIBRARY_KEY: key } = env;
      if (url === undefined || key === undefined)
        throw new ProviderError('configuration', [
          { severity: 'error', code: 'no-library', summary: 'LIBRARY_URL or LIBRARY_KEY is not set.' },
        ]);
      await trust.admit({
        sender: 'library',
        what: 'the key of the library',
        to: url,
        setting: 'providers.library.url',
        chosenBy: 'operator',
        isOwn: false,
      });
      return {
        target: url,
        targetSource: 'The environment variable LIBRARY_URL',
        base: () => ({ origin: url, prefix: '' }),
        headers: ({ body }) => ({
          'x-key': key,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        }),
      };
    },
  };
}

export const libraryPackage = (definitions = libraryDefinitions): ProviderPackage =>
  defineProvider(libraryProvider(definitions));
