import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloudProblem } from '../cloud/cloud-problem.js';
import { type ProblemParts, Problem, notFound } from '../problem.js';
import type { Trace } from '../problem-style.js';
import { refusal, refusalOf } from '../refusal.js';
import type { Answer } from '../route.js';
import { routeOf } from './adapter.js';

/** Renders every refusal in the form of the family that the request belongs to. */
export function renderRefusals(app: FastifyInstance, trace: Trace, onBug: (error: unknown) => void): void {
  const familyOf = (request: FastifyRequest): Parameters<typeof refusal>[1] => routeOf(request)?.family ?? 'catalogue';
  app.setErrorHandler((error, request, reply) => {
    const family = familyOf(request);
    const isOurs = error instanceof CloudProblem || error instanceof Problem;
    return send(
      reply,
      (isOurs ? refusal(error, family, trace) : undefined) ?? refusalOf(partsOf(error, onBug), family, trace),
    );
  });
  app.setNotFoundHandler((request, reply) => send(reply, refusalOf(notFound().parts, familyOf(request), trace)));
}

/** What went wrong in terms of the platform: refusals of the HTTP layer, and bugs. */
function partsOf(error: unknown, onBug: (error: unknown) => void): ProblemParts {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413 || status === 415) return { status };
  if (status === 400) {
    const reason = 'the body is not valid JSON';
    return { status: 400, invalid: [{ field: 'body', rule: 'invalid', reason, source: 'body' }] };
  }
  onBug(error);
  return { status: 500 };
}

/** Text, because fastify would add a charset that the platform's content type does not have. */
function send(reply: FastifyReply, { status, headers = {}, body }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body);
}
