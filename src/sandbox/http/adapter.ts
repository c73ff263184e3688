import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Call, Query, Route } from '../route.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operations behind a path: one, or one a verb. */
    serves?: readonly Route[];
  }
}

/** Puts the routes on the server. Routes that differ in their verb share a path: the verb is split off here. */
export function addRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  const grouped = new Map<string, Route[]>();
  for (const route of routes) {
    const key = `${route.method} ${route.path}`;
    grouped.set(key, [...(grouped.get(key) ?? []), route]);
  }
  for (const serves of grouped.values()) {
    const [first] = serves;
    if (first === undefined) continue;
    app.route({
      method: first.method,
      url: first.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { serves },
      exposeHeadRoute: false,
      handler: (request, reply) => {
        const route = routeOf(request);
        if (route === undefined) return reply.callNotFound();
        return send(reply, route.handle(callOf(request, route)));
      },
    });
  }
}

/** The operation that a request asks for; undefined when there is none. */
export function routeOf(request: FastifyRequest): Route | undefined {
  const serves = request.routeOptions.config.serves;
  const [first] = serves ?? [];
  if (first?.verb === undefined) return first;
  const verb = verbOf(lastSegment(request));
  return serves?.find((route) => route.verb === verb);
}

/** How a route is named in reports: `/v1/services/{name}:getIamPolicy`. */
export function labelOf(route: Route | undefined): string {
  if (route === undefined) return '(unknown)';
  return route.verb === undefined ? route.path : `${route.path}:${route.verb}`;
}

function lastSegment(request: FastifyRequest): string {
  return Object.values(request.params as Readonly<Record<string, string>>).at(-1) ?? '';
}

function verbOf(segment: string): string {
  return segment.slice(segment.lastIndexOf(':') + 1);
}

function callOf(request: FastifyRequest, route: Route): Call {
  const params = request.params as Readonly<Record<string, string>>;
  const suffix = route.verb === undefined ? 0 : route.verb.length + 1;
  return {
    param: (name) => {
      const value = params[name] ?? '';
      return suffix === 0 ? value : value.slice(0, -suffix);
    },
    query: request.query as Query,
    body: request.body,
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  return answer.body === undefined ? reply.send() : reply.send(answer.body);
}
