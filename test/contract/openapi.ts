import { readFileSync } from 'node:fs';
import { type ValidateFunction, Ajv } from 'ajv';
import { parse } from 'yaml';
import { checkQuery } from './parameters.js';
import { type Direction, isData, resolve, toJsonSchema } from './schema.js';

/** One thing that a request or an answer does and the description does not know. */
export interface Violation {
  /** `POST /v3/apis/{apiId}/documents`, or method and path as they are when the description has no such operation. */
  readonly operation: string;
  readonly kind: 'operation' | 'parameter' | 'request' | 'status' | 'answer';
  /** Name of the parameter, status of the answer. */
  readonly what: string;
  readonly message: string;
}

export type QueryValues = Readonly<Record<string, string | readonly string[]>>;

export interface ContractChecker {
  /** `METHOD /template` of everything in the description. */
  readonly operations: readonly string[];
  /** `METHOD /template` of a request, undefined when there is none. */
  operationOf(method: string, path: string): string | undefined;
  checkRequest(method: string, path: string, query: QueryValues, body: unknown): readonly Violation[];
  /** `body` undefined: the answer had none. */
  checkResponse(method: string, path: string, status: number, body: unknown): readonly Violation[];
}

type Data = Readonly<Record<string, unknown>>;

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly parameters: readonly unknown[];
  readonly operation: Data;
  /** JSON pointer of the operation in the document. */
  readonly pointer: string;
}

const methods = ['get', 'put', 'post', 'patch', 'delete'];

/** Reads a description (OpenAPI 3.0, YAML or JSON) and checks requests and answers against it. */
export function contractChecker(file: string): ContractChecker {
  return checkerOf(parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }));
}

export function checkerOf(document: unknown): ContractChecker {
  const operations = readOperations(document);
  const validators = compiler(document);

  function find(method: string, path: string): Operation | undefined {
    const segments = path.split('/');
    const candidates = operations.filter((one) => one.method === method && matches(one.segments, segments));
    return candidates.sort((a, b) => variables(a.segments) - variables(b.segments))[0];
  }

  function checked(
    method: string,
    path: string,
    check: (operation: Operation) => readonly Omit<Violation, 'operation'>[],
  ): readonly Violation[] {
    const operation = find(method, path);
    if (operation === undefined) {
      return [{ operation: `${method} ${path}`, kind: 'operation', what: '', message: 'is not described' }];
    }
    return check(operation).map((violation) => ({ operation: operation.name, ...violation }));
  }

  return {
    operations: operations.map(({ name }) => name),
    operationOf: (method, path) => find(method, path)?.name,
    checkRequest: (method, path, query, body) =>
      checked(method, path, (operation) => [
        ...checkQuery(document, operation.parameters, query, (schema) => validators.inline(schema, 'request')),
        ...checkBody(document, operation, body, validators),
      ]),
    checkResponse: (method, path, status, body) =>
      checked(method, path, (operation) => checkAnswer(document, operation, status, body, validators)),
  };
}

function readOperations(document: unknown): readonly Operation[] {
  const paths = isData(document) && isData(document['paths']) ? document['paths'] : {};
  const found: Operation[] = [];
  for (const [template, item] of Object.entries(paths)) {
    if (!isData(item)) continue;
    for (const method of methods) {
      const operation = item[method];
      if (!isData(operation)) continue;
      const parameters = [item['parameters'], operation['parameters']].flat().filter((one) => one !== undefined);
      const name = `${method.toUpperCase()} ${template}`;
      const pointer = `#/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
      found.push({ name, method: method.toUpperCase(), segments: template.split('/'), parameters, operation, pointer });
    }
  }
  return found;
}

function matches(template: readonly string[], path: readonly string[]): boolean {
  return template.length === path.length && template.every((part, at) => part.startsWith('{') || part === path[at]);
}

function variables(template: readonly string[]): number {
  return template.filter((part) => part.startsWith('{')).length;
}

interface Validators {
  /** Messages of what is wrong with the value. */
  at(pointer: string, direction: Direction): (value: unknown) => readonly string[];
  inline(schema: unknown, direction: Direction): (value: unknown) => readonly string[];
}

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  hostname: /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i,
  url: /^https?:\/\/\S+$/,
  set: true,
  int32: true,
} as const;

function compiler(document: unknown): Validators {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    unicodeRegExp: false,
    validateSchema: false,
    formats,
    logger: false,
  });
  for (const direction of ['request', 'response'] as const) {
    ajv.addSchema(toJsonSchema(document, direction) as object, `https://contract.invalid/${direction}`);
  }
  const compiled = new Map<string, ValidateFunction>();
  const run = (reference: string) => (value: unknown) => {
    let validate = compiled.get(reference);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: reference });
      compiled.set(reference, validate);
    }
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? ''}`);
  };
  return {
    at: (pointer, direction) => run(`https://contract.invalid/${direction}${pointer}`),
    inline: (schema, direction) => {
      if (isData(schema) && typeof schema['$ref'] === 'string') {
        return run(`https://contract.invalid/${direction}${schema['$ref']}`);
      }
      const name = `https://contract.invalid/inline/${String(inlines(ajv, schema, direction))}`;
      return run(name);
    },
  };
}

let inlineCount = 0;

/** Adds a schema that stands in a parameter; its references are made to point into the document. */
function inlines(ajv: Ajv, schema: unknown, direction: Direction): number {
  inlineCount += 1;
  const text = JSON.stringify(toJsonSchema(schema, direction)).replaceAll(
    '"$ref":"#/',
    `"$ref":"https://contract.invalid/${direction}#/`,
  );
  ajv.addSchema(JSON.parse(text) as object, `https://contract.invalid/inline/${String(inlineCount)}`);
  return inlineCount;
}

function checkBody(
  document: unknown,
  { operation, pointer }: Operation,
  body: unknown,
  validators: Validators,
): readonly Omit<Violation, 'operation'>[] {
  const wrong = (message: string): Omit<Violation, 'operation'> => ({ kind: 'request', what: 'body', message });
  const described = resolve(document, operation['requestBody']);
  if (!isData(described)) return body === undefined ? [] : [wrong('a body is sent where none is described')];
  if (body === undefined) return described['required'] === true ? [wrong('the body is missing')] : [];
  const place = referenced(operation['requestBody']) ?? `${pointer}/requestBody`;
  return validators.at(`${place}/content/application~1json/schema`, 'request')(body).map(wrong);
}

function referenced(value: unknown): string | undefined {
  return isData(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}

function checkAnswer(
  document: unknown,
  { operation, pointer }: Operation,
  status: number,
  body: unknown,
  validators: Validators,
): readonly Omit<Violation, 'operation'>[] {
  const responses = isData(operation['responses']) ? operation['responses'] : {};
  const key = [String(status), `${String(status)[0] ?? ''}XX`, 'default'].find((one) => one in responses);
  if (key === undefined) return [{ kind: 'status', what: String(status), message: 'the status is not described' }];
  const wrong = (message: string): Omit<Violation, 'operation'> => ({ kind: 'answer', what: key, message });
  const described = resolve(document, responses[key]);
  const content = isData(described) && isData(described['content']) ? described['content'] : undefined;
  const type = content === undefined ? undefined : Object.keys(content).find((one) => one.endsWith('json'));
  if (type === undefined)
    return body === undefined || status >= 400 ? [] : [wrong('a body is answered where none is described')];
  const place = referenced(responses[key]) ?? `${pointer}/responses/${key}`;
  return validators
    .at(
      `${place}/content/${type.replaceAll('/', '~1')}/schema`,
      'response',
    )(body)
    .map(wrong);
}
