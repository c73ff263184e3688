import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloudProblem, cloudMessages, cloudProblemBody } from '../cloud/cloud-problem.js';
import { type ProblemParts, Problem, notFound } from '../problem.js';
import { problemBody } from '../problem-style.js';
import { routeOf } from './adapter.js';

/** Renders every refusal in the form of the family that the request belongs to. */
export function renderRefusals(app: FastifyInstance, onBug: (error: unknown) => void): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof CloudProblem) return sendCloud(reply, error.status, error.message);
    return refuse(request, reply, partsOf(error, onBug));
  });
  app.setNotFoundHandler((request, reply) => refuse(request, reply, notFound().parts));
}

/** What went wrong in terms of the platform: our own refusals, those of the HTTP layer, and bugs. */
function partsOf(error: unknown, onBug: (error: unknown) => void): ProblemParts {
  if (error instanceof Problem) return error.parts;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413 || status === 415) return { status };
  if (status === 400) {
    const reason = 'the body is not valid JSON';
    return { status: 400, invalid: [{ field: 'body', rule: 'invalid', reason, source: 'body' }] };
  }
  onBug(error);
  return { status: 500 };
}

function refuse(request: FastifyRequest, reply: FastifyReply, parts: ProblemParts): FastifyReply {
  const family = routeOf(request)?.family ?? 'catalogue';
  if (parts.retryAfter !== undefined) reply.header('retry-after', String(parts.retryAfter));
  if (family === 'cloud') return sendCloud(reply, parts.status, cloudMessage(parts), parts.extra);
  // Text, because fastify would add a charset that the platform's content type does not have.
  return reply
    .code(parts.status)
    .header('content-type', 'application/problem+json')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problemBody(parts, family));
}

function cloudMessage(parts: ProblemParts): string {
  const [first] = parts.invalid ?? [];
  return (
    first?.reason ?? parts.detail ?? parts.title ?? cloudMessages[parts.status] ?? `Status ${String(parts.status)}`
  );
}

function sendCloud(
  reply: FastifyReply,
  status: number,
  message: string,
  extra?: Readonly<Record<string, unknown>>,
): FastifyReply {
  return reply.code(status).send({ ...cloudProblemBody(status, message), ...extra });
}
