import type { Route } from './route.js';

interface Found {
  readonly route: Route;
  param(name: string): string;
}

/** Finds the route of a path, and what its parameters are there. */
export type Router = (method: string, path: string) => Found | undefined;

interface Node {
  readonly fixed: Map<string, Node>;
  any?: Node;
  readonly routes: Route[];
}

const newNode = (): Node => ({ fixed: new Map(), routes: [] });

/** A router without a server. A fixed segment goes before a parameter. */
export function routerOf(routes: readonly Route[]): Router {
  const root = newNode();
  for (const route of routes) {
    let at = root;
    for (const segment of route.path.split('/'))
      at = isParameter(segment) ? (at.any ??= newNode()) : fixedIn(at, segment);
    at.routes.push(route);
  }
  return (method, path) => {
    const segments = path.split('/').map(decoded);
    const route = walk(root, segments, 0, (each) => each.method === method && isOfVerb(each, segments));
    return route === undefined ? undefined : { route, param: (name) => paramOf(route, segments, name) };
  };
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function fixedIn(node: Node, segment: string): Node {
  const next = node.fixed.get(segment) ?? newNode();
  node.fixed.set(segment, next);
  return next;
}

function walk(node: Node, segments: readonly string[], at: number, fits: (route: Route) => boolean): Route | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.routes.find(fits);
  const fixed = node.fixed.get(segment);
  const found = fixed === undefined ? undefined : walk(fixed, segments, at + 1, fits);
  return found ?? (node.any === undefined || segment === '' ? undefined : walk(node.any, segments, at + 1, fits));
}

function isOfVerb({ verb }: Route, segments: readonly string[]): boolean {
  return verb === undefined || segments.at(-1)?.endsWith(`:${verb}`) === true;
}

function paramOf({ path, verb }: Route, segments: readonly string[], name: string): string {
  const value = segments[path.split('/').indexOf(`{${name}}`)] ?? '';
  return verb === undefined ? value : value.slice(0, -verb.length - 1);
}
