import { readFile } from 'node:fs/promises';
import { format } from 'prettier';
import type { JsonObject } from '@platform-sync/core/model/value';
import { definitions } from './definitions.js';
import type { Compilation } from '@platform-sync/describe/compile';
import { derivedFiles, derivedFolder, derivedKinds, derivedNames, derivedTypes } from './derived-types.js';
import { style } from '@platform-sync/platform/style';
import { linked } from '@platform-sync/rest/definition-source';
import { catalogueSchema } from '@platform-sync/report/editor/catalogue-schema';
import { generatedNotice } from './notice.js';
import { derivedPage } from './derived-page.js';
import { codesModule, errorsPage, explanationsModule } from './errors.js';
import { vendorPage } from './vendor-page.js';
import { objectsModule } from './objects.js';
import { allTypes, packages, platformSchema } from './packages.js';
import { projectRules, projectSchema } from './project-schema.js';
import { referencePages } from './reference-docs.js';
import { specificationModules, specificationsFolder } from './specifications.js';
import { settingsType } from './settings-type.js';
import { sdkModule } from './sdk.js';
import { typesModule } from './types.js';
import {
  projectValidatorModule,
  documentValidatorModule,
  validatorFolders,
  validatorModules,
  validatorTypes,
} from './validators.js';

export interface GeneratedFiles {
  /** Path from the project's root → content. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders that hold nothing else: a file there that is not generated any more goes. */
  readonly ownedFolders: readonly string[];
}

/** Everything made from the schemas: the same schemas give the same bytes. */
export async function generatedFiles(): Promise<GeneratedFiles> {
  const derived = derivedTypes();
  const files = new Map<string, string>([
    ...validatorModules(packages),
    ...specificationModules(),
    ['src/engine/state/generated/state-validator.js', documentValidatorModule(await documentSchema('state'))],
    ['src/engine/state/generated/state-validator.d.ts', validatorTypes('schemas/state.schema.json')],
    ['src/engine/catalogue/generated/project-validator.js', projectValidatorModule(projectRules())],
    [
      'src/engine/catalogue/generated/fleet-validator.js',
      documentValidatorModule(await documentSchema('fleet'), { allErrors: true }),
    ],
    ['src/engine/catalogue/generated/fleet-validator.d.ts', validatorTypes('schemas/fleet.schema.json')],
    ['src/engine/catalogue/generated/settings.ts', settingsType(projectRules())],
    ['src/engine/catalogue/generated/project-validator.d.ts', validatorTypes('the rules of sync.yaml')],
    ['src/sdk/generated/types.ts', typesModule(packages)],
    ['src/sdk/generated/sdk.ts', sdkModule(packages)],
    ['src/engine/core/generated/codes.ts', codesModule()],
    ['src/cli/generated/explanations.ts', explanationsModule()],
    ['docs/errors.md', await errorsPage()],
    ['src/sdk/generated/objects.ts', objectsModule(allTypes(derived))],
    ['schemas/platform.json', await formatted(platformSchema, 2)],
    [
      'schemas/catalogue.schema.json',
      `${JSON.stringify(catalogueSchema(packages, derivedNames(derived), generatedNotice))}\n`,
    ],
    ['schemas/project.schema.json', await formatted(projectSchema(packages))],
    ...(await definitionFiles(derived)),
    ...derivedFiles(derived),
    ['docs/reference/derived.md', derivedPage(derived, derivedKinds(derived))],
    ['docs/reference/vendor-tools.md', vendorPage(derived)],
    ...referencePages(packages),
  ]);
  return {
    files,
    ownedFolders: [
      'src/engine/core/generated',
      'src/engine/catalogue/generated',
      'src/engine/state/generated',
      'src/providers/platform/generated',
      'src/providers/cloud/generated',
      'src/sdk/generated',
      'src/cli/generated',
      ...validatorFolders,
      specificationsFolder,
      'docs/reference',
      'schemas/types/platform',
      derivedFolder,
    ],
  };
}

async function documentSchema(name: string): Promise<JsonObject> {
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as JsonObject;
}

/** One file a definition, for the program to read when its type is used, and the list of them. */
async function definitionFiles({ types }: Compilation): Promise<readonly (readonly [string, string])[]> {
  const folder = 'schemas/types/platform';
  const own = new Set(definitions.map(({ name }) => name));
  const all = linked([...definitions, ...types.definitions], style).filter(({ definition }) =>
    own.has(definition.name),
  );
  const index = { names: definitions.map(({ name }) => name) };
  return Promise.all([
    ...all.map(async (each) => [`${folder}/${each.definition.name}.json`, await formatted(each)] as const),
    formatted(index).then((text) => [`${folder}/index.json`, text] as const),
  ]);
}

/**
 * As the repository's formatter wants it, so that formatting everything changes nothing generated. `indent`: every object
 * begins a line of its own.
 */
function formatted(schema: object, indent = 0): Promise<string> {
  return format(JSON.stringify(schema, null, indent), { parser: 'json', printWidth: 120 });
}
