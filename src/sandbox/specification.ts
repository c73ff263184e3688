import { parse } from 'yaml';
import { defined } from './defined.js';
import { isJsonObject } from './json.js';

interface Specification {
  readonly type?: 'oas2' | 'oas3' | 'asyncapi';
  /** `info.version`, when the text says it. */
  readonly version?: string;
  /** What is wrong with it. Invalid specifications are accepted all the same. */
  readonly messages: readonly string[];
}

/** What the platform notes about an API specification in JSON or YAML. */
export function readSpecification(content: string): Specification {
  const { keyword, value, version } = content.trimStart().startsWith('{') ? fromJson(content) : fromYaml(content);
  const type = typeOf(keyword, value);
  return {
    ...defined({ type, version }),
    messages: type === undefined ? ['The text is neither an OpenAPI nor an AsyncAPI document'] : [],
  };
}

interface Marks {
  readonly keyword?: string;
  readonly value?: string;
  readonly version?: string;
}

function typeOf(keyword: string | undefined, value: string | undefined): Specification['type'] {
  if (keyword === 'swagger') return 'oas2';
  if (keyword === 'openapi') return value?.startsWith('2') === true ? 'oas2' : 'oas3';
  return keyword === 'asyncapi' ? 'asyncapi' : undefined;
}

function fromJson(content: string): Marks {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return {};
  }
  if (!isJsonObject(parsed)) return {};
  const keyword = ['openapi', 'swagger', 'asyncapi'].find((key) => typeof parsed[key] === 'string');
  const info = parsed['info'];
  const version = isJsonObject(info) ? info['version'] : undefined;
  return {
    ...(keyword === undefined ? {} : { keyword, value: String(parsed[keyword]) }),
    ...(typeof version === 'string' && version !== '' ? { version } : {}),
  };
}

// Two values near the top of the file are all that is needed: no parser for it.
function fromYaml(content: string): Marks {
  const head = /^(openapi|swagger|asyncapi)[ \t]*:[ \t]*['"]?([^'"\s#]+)/m.exec(content);
  const info = /^info[ \t]*:[ \t]*(\{[^\n]*\}|[^\n]*\n(?:[ \t]+[^\n]*\n?|\s*\n)*)/m.exec(content)?.[1];
  const version =
    info === undefined
      ? undefined
      : /(?:^|[\s{,])version[ \t]*:[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|([^\s,}#]+))/m.exec(info);
  const found = version?.[1] ?? version?.[2] ?? version?.[3];
  return {
    ...(head?.[1] === undefined || head[2] === undefined ? {} : { keyword: head[1], value: head[2] }),
    ...defined({ version: found }),
  };
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** `GET /pets` for each operation of an API description; none for any other text. */
export function operationsIn(content: string): ReadonlySet<string> {
  const paths = pathsOf(content);
  return new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(isJsonObject(item) ? item : {})
        .filter((method) => methods.has(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
}

function pathsOf(content: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = parse(content, { logLevel: 'silent' });
    const paths = isJsonObject(parsed) ? parsed['paths'] : undefined;
    return isJsonObject(paths) ? paths : {};
  } catch {
    return {};
  }
}
