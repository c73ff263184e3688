import fc from 'fast-check';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

/** Where a value may come from. The plain catalogue says it in place; all of these mean the same. */
const ways = ['plain', 'parameter', 'variable', 'patch', 'text of a parameter', 'set by the overlay alone'] as const;
type Way = (typeof ways)[number];

/** A text, and the way in which the spread catalogue says it. */
interface Said {
  readonly value: string;
  readonly way: Way;
}

interface SpreadApi {
  /** The specification is a file of a source, else the API stands in the catalogue. */
  readonly isFile: boolean;
  /** Only an overlay has it. */
  readonly isOfOverlay: boolean;
  readonly description: Said | null;
  readonly team: Said;
  readonly pages: readonly {
    /** An earlier page of the same API that it stands under; -1 for none. */
    readonly under: number;
    readonly isFile: boolean;
    readonly isIndex: boolean;
    readonly title: string;
    readonly status: Said;
  }[];
}

export interface SpreadCatalogue {
  readonly apis: readonly SpreadApi[];
  /** Resources of the catalogue that the overlay switches off. */
  readonly off: number;
  readonly everywhere: string | null;
}

const said = (...values: readonly string[]): fc.Arbitrary<Said> =>
  fc.record({ value: fc.constantFrom(...values), way: fc.constantFrom(...ways) });

const randomApi: fc.Arbitrary<SpreadApi> = fc.record({
  isFile: fc.boolean(),
  isOfOverlay: fc.boolean(),
  description: fc.option(said('short', 'two\nlines', 'with "quotes": and # signs', '1.10')),
  team: said('pets', 'shop'),
  pages: fc.array(
    fc.record({
      under: fc.integer({ min: -1, max: 2 }),
      isFile: fc.boolean(),
      isIndex: fc.boolean(),
      title: fc.constantFrom('Start', 'More: of it', '2'),
      status: said('published', 'unpublished'),
    }),
    { maxLength: 4 },
  ),
});

export const spreadCatalogue: fc.Arbitrary<SpreadCatalogue> = fc.record({
  apis: fc.array(randomApi, { minLength: 1, maxLength: 4 }),
  off: fc.nat(2),
  everywhere: fc.constantFrom('gold', null),
});

/** Files by path below the project folder. What a file of YAML holds is JSON, which is YAML too. */
export type Files = Readonly<Record<string, string | JsonObject>>;

/** The same world in one file. */
export function plainFiles({ apis, everywhere }: SpreadCatalogue): Files {
  const resources = Object.fromEntries(
    apis.map((api, index) => {
      const tier = everywhere === null ? {} : { tier: everywhere };
      const properties = { ...headOf(api, index), labels: { ...tier, team: api.team.value } };
      const version = { type: 'platform:ApiVersion', properties: { specContent: specOf(api, index) } };
      const children = { ...(api.isFile ? { version } : {}), ...plainPages(api, -1) };
      return [`api${index}`, { type: 'platform:Api', properties, children }];
    }),
  );
  return { 'sync.yaml': { project: 'laws', stacks: { default: {}, prod: {} } }, 'catalogue/all.yaml': { resources } };
}

function headOf({ description }: SpreadApi, index: number): JsonObject {
  return {
    ...{ name: `API ${index}`, version: `1.${index}.10` },
    ...(description === null ? {} : { description: description.value }),
  };
}

function specOf({ description, isFile }: SpreadApi, index: number): string {
  const info = { title: `API ${index}`, version: `1.${index}.10` };
  const own = isFile && description?.way === 'plain' ? { ...info, description: description.value } : info;
  return `openapi: 3.0.3\ninfo: ${JSON.stringify(own)}\npaths: {}\n`;
}

/** Where a page stands in the tree; one that would stand under a later one stands at the top. */
function parentOf({ pages }: SpreadApi, number: number): number {
  const under = pages[number]?.under ?? -1;
  return under < number ? under : -1;
}

function plainPages(api: SpreadApi, under: number): JsonObject {
  return Object.fromEntries(
    api.pages.flatMap((page, number) => {
      if (parentOf(api, number) !== under) return [];
      const properties = { ...pageHead(page.title, number), status: page.status.value };
      return [[`page${number}`, { type: 'platform:ApiDocument', properties, children: plainPages(api, number) }]];
    }),
  );
}

function pageHead(title: string, number: number): JsonObject {
  return { title, slug: `page-${number}`, content: `# Page ${number}\n\nText.\n` };
}

/** The same world by sources, parameters, variables and overlays. */
export function spreadFiles(catalogue: SpreadCatalogue): Files {
  const writer = new Writer();
  catalogue.apis.forEach((api, index) => writer.api(api, index));
  for (let index = 0; index < catalogue.off; index++) {
    writer.resources[`gone${index}`] = { type: 'platform:Api' };
    writer.patches[`gone${index}`] = { 'fn::unset': null };
  }
  return writer.written(catalogue.everywhere);
}

class Writer {
  readonly resources: Record<string, JsonObject> = {};
  readonly patches: Record<string, JsonObject> = {};
  readonly #ofOverlay: Record<string, JsonObject> = {};
  readonly #files: Record<string, string> = {};
  readonly #parameters: Record<string, JsonObject> = {};
  readonly #given: Record<string, Json> = {};
  readonly #variables: Record<string, Json> = {};

  api(api: SpreadApi, index: number): void {
    const address = `api${index}`;
    const { description, team } = api;
    const isFile = api.isFile;
    const head = headOf({ ...api, description: null }, index);
    const isInFile = isFile && description?.way === 'plain';
    const about = description === null || isInFile ? {} : this.#field(address, ['description'], description);
    const properties = { ...(isFile ? {} : head), ...about, ...this.#field(address, ['labels', 'team'], team) };
    if (isFile) this.#files[`catalogue/specs/${address}.yaml`] = specOf(api, index);
    const children = this.#pages(api, index, -1, address);
    const resource = { type: 'platform:Api', properties, children };
    // What a source has made is patched by catalogues and overlays alike.
    if (api.isOfOverlay && !isFile) this.#ofOverlay[address] = resource;
    else this.resources[address] = resource;
  }

  #pages(api: SpreadApi, index: number, under: number, above: string): JsonObject {
    const children: Record<string, JsonObject> = {};
    api.pages.forEach((page, number) => {
      if (parentOf(api, number) !== under) return;
      const address = `${above}/page${number}`;
      const status =
        page.status.way === 'plain' ? { status: page.status.value } : this.#field(address, ['status'], page.status);
      const below = this.#pages(api, index, number, address);
      if (!page.isFile) {
        const properties = { ...pageHead(page.title, number), ...status };
        children[`page${number}`] = { type: 'platform:ApiDocument', properties, children: below };
        return;
      }
      const { content, ...matter } = {
        ...pageHead(page.title, number),
        ...(page.status.way === 'plain' ? status : {}),
      };
      const lines = Object.entries(matter).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
      const file = page.isIndex && Object.keys(below).length > 0 ? `${address}/index.md` : `${address}.md`;
      this.#files[`catalogue/docs/${file}`] = `---\n${lines.join('')}---\n\n${String(content)}`;
      // A block beside the file: what is not in its front matter, and what stands below it in the catalogue.
      const isBeside = (page.status.way !== 'plain' && Object.keys(status).length > 0) || Object.keys(below).length > 0;
      if (isBeside) {
        const properties = page.status.way === 'plain' ? {} : status;
        children[`page${number}`] = { type: 'platform:ApiDocument', properties, children: below };
      }
    });
    return children;
  }

  /** What the catalogue says of a field; the rest is said elsewhere. */
  #field(address: string, path: readonly string[], { value, way }: Said): JsonObject {
    const name = [address, ...path].join('-').replaceAll('/', '-');
    const at = (own: Json): JsonObject => path.reduceRight<Json>((inner, key) => ({ [key]: inner }), own) as JsonObject;
    switch (way) {
      case 'plain':
        return at(value);
      case 'parameter':
        this.#parameters[name] = { default: 'of another stack' };
        this.#given[name] = value;
        return at(`\${param.${name}}`);
      case 'text of a parameter':
        this.#parameters[name] = { default: value.slice(1) };
        return at(`${value.slice(0, 1)}\${param.${name}}`);
      case 'variable':
        this.#variables[name] = value;
        return at(`\${${name}}`);
      case 'patch':
        this.#patch(address, path, value);
        return at(path.includes('status') ? 'published' : 'other');
      case 'set by the overlay alone':
        this.#patch(address, path, value);
        return {};
    }
  }

  #patch(address: string, path: readonly string[], value: string): void {
    const patch = (this.patches[address] ?? { properties: {} }) as { readonly properties: JsonObject };
    const own = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;
    this.patches[address] = { properties: { ...patch.properties, ...own } };
  }

  written(everywhere: string | null): Files {
    const has = (folder: string): boolean => Object.keys(this.#files).some((file) => file.startsWith(folder));
    const sources = {
      ...(has('catalogue/specs/') ? { specs: 'platform:Api' } : {}),
      ...(has('catalogue/docs/') ? { docs: 'platform:ApiDocument' } : {}),
    };
    const prod = { overlays: 'overlays/*.yaml', parameters: this.#given };
    const defaults = everywhere === null ? {} : { defaults: { 'platform:Api': { labels: { tier: everywhere } } } };
    return {
      ...this.#files,
      'sync.yaml': { project: 'laws', parameters: this.#parameters, stacks: { default: {}, prod } },
      'catalogue/all.yaml': { sources, variables: this.#variables, resources: this.resources },
      'overlays/prod.yaml': { ...defaults, patches: this.patches, resources: this.#ofOverlay },
    };
  }
}
