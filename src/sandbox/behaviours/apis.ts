import { type Json, type JsonObject, isJsonObject, patchMap } from '../json.js';
import { implementationMode } from '../list/questions.js';
import { decodedText, defaultTitle, frontMatter, withoutTrailingSpace } from '../markdown.js';
import { conflict, invalid, missingReference, notFound } from '../problem.js';
import { apiSlug, documentSlug } from '../slug.js';
import { operationsIn, readSpecification } from '../specification.js';
import type { Row } from '../store/collection.js';
import type { World } from '../store/world.js';
import type { Behaviour } from './behaviour.js';

/** A slug stays when the name changes; only an explicit null asks for the default again. */
export const apiSlugs: Behaviour = {
  settle: (object, { given, before }) => {
    const { name, version, slug } = object;
    const isKept = before !== undefined && given['slug'] === undefined;
    return isKept ? object : { ...object, slug: slug ?? apiSlug(String(name), textOrNull(version)) };
  },
};

/** Keys have a form that no description tells; values come back in another order than they were sent. */
export const attributes: Behaviour = {
  settle: (object, { given }) => {
    const { attributes: asked } = given;
    const wrong = Object.keys(isJsonObject(asked) ? asked : {}).filter((key) => !/^[a-z0-9_-]{1,128}$/.test(key));
    const reason = 'an attribute key has 1 to 128 lower-case letters, digits, hyphens and underscores';
    if (wrong.length > 0)
      throw invalid(
        ...wrong.map((key) => ({ field: `attributes.${key}`, rule: 'matches_regex', reason, source: 'body' as const })),
      );
    return { ...object, attributes: patchMap({}, recordOf(object['attributes'])) };
  },
  show: (object, world) => ({
    attributes: Object.fromEntries(
      Object.entries(recordOf(object['attributes'])).map(([key, values]) => [
        key,
        Array.isArray(values) ? world.disorder(values as readonly Json[]) : values,
      ]),
    ),
  }),
};

/** A specification that comes along with a new API makes its first version. */
export const firstVersion: Behaviour = {
  settle: ({ spec_content: content, ...object }, { given }) => {
    const said = typeof content === 'string' ? readSpecification(content).version : undefined;
    return {
      ...object,
      version: given['version'] === undefined ? (object['version'] ?? said ?? null) : (object['version'] ?? null),
    };
  },
  after: (object, { given, world, siblingsOf, before }) => {
    const content = given['spec_content'];
    if (before !== undefined || typeof content !== 'string') return;
    const { id, version, created_at = null, updated_at = null } = object;
    const row = withContent(
      { version: readSpecification(content).version ?? version ?? '1.0.0', created_at, updated_at },
      content,
    );
    siblingsOf('/v3/apis/{}/versions').put(`/v3/apis/${String(id)}/versions`, world.id(), row);
  },
};

/** What others say of an API. */
export const surroundings: Behaviour = {
  show: ({ id }, world) => {
    const versions = world.rows('versions').find('api_id', String(id));
    const current = latestVersion(versions);
    const specifications = world.rows('described').find('place', `/v3/apis/${String(id)}/specifications`);
    const ids = specifications.flatMap(({ object }) => (isJsonObject(object) ? [object['id'] ?? null] : []));
    return {
      api_spec_ids: world.anyOrder([...versions.map((row) => row.id), ...ids]),
      portals: world.anyOrder(portalsOf(world, String(id))),
      implementation_mode: implementationMode(world, String(id)),
      current_version_summary: current === undefined ? null : summary(current),
    };
  },
};

function portalsOf(world: World, api: string): readonly JsonObject[] {
  return world
    .rows('publications')
    .find('api_id', api)
    .flatMap((publication): readonly JsonObject[] => {
      const portal = world.rows('portals').get(String(publication['portal_id']));
      if (portal === undefined) return [];
      return [{ id: portal.id, name: portal['name'] ?? null, display_name: portal['display_name'] ?? null }];
    });
}

/** The one that counts as current: the newest. */
function latestVersion(versions: readonly Row[]): Row | undefined {
  return versions.reduce<Row | undefined>(
    (latest, row) => (latest === undefined || String(row['created_at']) > String(latest['created_at']) ? row : latest),
    undefined,
  );
}

function summary({ id, version = null, type, created_at = null, updated_at = null }: Row): JsonObject {
  return { id, version, spec: type === undefined ? {} : { type }, created_at, updated_at };
}

/** A version is kept by its text; without a name it has the one that the text says. */
export const versions: Behaviour = {
  settle: ({ spec: _spec, ...object }, { given, before, query, world }) => {
    const said = isJsonObject(given['spec']) ? given['spec']['content'] : undefined;
    const content = said === undefined ? (before?.['content'] ?? null) : said;
    const name = given['version'] === undefined ? (before?.['version'] ?? '') : (given['version'] ?? '');
    const changed = withContent({ ...object, version: name }, textOrNull(content));
    // A name that stays collides with nobody, whatever others were given behind everyone's back.
    if (before !== undefined && query['force'] !== 'true') mustKeepOperations(world, before, changed);
    return changed;
  },
  show: ({ content = null, type, messages }) => ({
    spec: {
      content,
      ...(type === undefined ? {} : { type }),
      validation_messages: Array.isArray(messages) ? messages.map((message: Json) => ({ message })) : [],
    },
  }),
};

function withContent({ type: _, ...object }: JsonObject, content: string | null): JsonObject {
  const specification = content === null ? { messages: [] } : readSpecification(content);
  const { type } = specification;
  const version = object['version'] === '' ? (specification.version ?? '1.0.0') : (object['version'] ?? null);
  return { ...object, version, content, ...(type === undefined ? {} : { type }), messages: specification.messages };
}

/** Where access to operations is enforced, none disappears unless that is forced. */
function mustKeepOperations(world: World, old: JsonObject, changed: JsonObject): void {
  const implementations = world.rows('implementations').find('api_id', String(old['api_id']));
  if (!implementations.some((row) => row['control_plane'] !== undefined)) return;
  const left = operationsIn(textOrNull(changed['content']) ?? '');
  const lost = [...operationsIn(textOrNull(old['content']) ?? '')].filter((operation) => !left.has(operation));
  if (lost.length > 0) throw conflict(`Operations with access control would be removed: ${lost.join(', ')}`);
}

/** One gateway service, or one control plane, of those that are there; an API has one, and a service is linked once. */
export const implementations: Behaviour = {
  settle: (object, { given, world }) => {
    const { service, control_plane: plane } = given;
    if ((service === undefined) === (plane === undefined)) {
      const reason = 'exactly one of service and control_plane is required';
      throw invalid({ field: 'service', rule: service === undefined ? 'required' : 'invalid', reason, source: 'body' });
    }
    const linked = isJsonObject(service) ? service : undefined;
    if (linked !== undefined && serviceOf(world, linked) === undefined) throw missingReference('service.id');
    if (isJsonObject(plane) && world.rows('control-planes').get(String(plane['control_plane_id'])) === undefined)
      throw missingReference('control_plane.control_plane_id');
    return object;
  },
  show: ({ service, control_plane: plane }) => ({
    ...(isJsonObject(service) ? { service: { ...service, auth_strategy_sync_error: null } } : {}),
    ...(isJsonObject(plane) ? { control_plane: { ...plane, access_control_enforcement_enabled: true } } : {}),
  }),
};

export const linkedOnce: Behaviour = {
  settle: (object, { world, siblings, place }) => {
    if (siblings.all(place).length > 0) throw conflict('An implementation already exists for this API');
    const linked = ({ service }: JsonObject): Json | undefined => (isJsonObject(service) ? service['id'] : undefined);
    const own = linked(object);
    if (
      own !== undefined &&
      world
        .rows('implementations')
        .all()
        .some((row) => linked(row) === own)
    )
      throw conflict('The gateway service is already linked to another API');
    return object;
  },
};

function serviceOf(world: World, { id, control_plane_id: plane }: JsonObject): Row | undefined {
  const found = world.rows('gateway-services').get(String(id));
  return found?.['control_plane_id'] === plane ? found : undefined;
}

/** Published with the strategy of the portal unless another one, or none, is asked for. */
export const publications: Behaviour = {
  settle: (object, { given, world, own }) => {
    const portal = world.rows('portals').get(own);
    if (portal === undefined) throw notFound();
    const strategy = portal['default_application_auth_strategy_id'] ?? null;
    const usual = strategy === null ? null : [strategy];
    const { auth_strategy_ids: asked, auto_approve_registrations: auto = false } = given;
    return { ...object, auth_strategy_ids: asked === undefined ? usual : asked, auto_approve_registrations: auto };
  },
  show: () => ({ warnings: [], entity_type: 'api' }),
};

/** Front matter fills what the request leaves open. */
export const documentText: Behaviour = {
  settle: (object, { given, before }) => {
    const content = String(object['content'] ?? '');
    const kept = { ...object, content: withoutTrailingSpace(content) };
    if (before !== undefined) return kept;
    const front = frontMatter(content);
    const title = given['title'] ?? defaultTitle(content);
    const parent = given['parent_document_id'] === undefined ? front.parent_document_id : given['parent_document_id'];
    return {
      ...kept,
      title,
      slug: given['slug'] ?? front.slug ?? documentSlug(String(title)),
      status: given['status'] ?? front.status ?? 'unpublished',
      parent_document_id: parent ?? null,
    };
  },
};

/** Text may come in base64 and is answered decoded; metadata merges by key, and so not in depth. */
export const productDocumentText: Behaviour = {
  settle: (object, { given, before }) => ({
    ...object,
    content: withoutTrailingSpace(
      given['content'] === undefined && before !== undefined
        ? String(before['content'] ?? '')
        : decodedText(String(given['content'] ?? '')),
    ),
    metadata: patchMap(recordOf(before?.['metadata']), recordOf(given['metadata'])),
  }),
  show: () => ({ ast: [] }),
};

/** Products know the older portals only. */
export const productPortals: Behaviour = {
  settle: (object, { given, world }) => {
    const ids = Array.isArray(given['portal_ids']) ? (given['portal_ids'] as readonly Json[]) : [];
    const missing = ids.findIndex((id) => world.rows('classic-portals').get(String(id)) === undefined);
    if (missing >= 0) throw missingReference(`portal_ids.${String(missing)}`);
    return object;
  },
  show: ({ portal_ids: ids }, world) => {
    const all = Array.isArray(ids) ? (ids as readonly Json[]) : [];
    const portals = all.flatMap((id): readonly JsonObject[] => {
      const portal = world.rows('classic-portals').get(String(id));
      return portal === undefined ? [] : [{ portal_id: portal.id, portal_name: portal['name'] ?? null }];
    });
    return { portal_ids: world.anyOrder(all), portals: world.anyOrder(portals) };
  },
};

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function recordOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
