import type { Json } from '@platform-sync/core/model/value';
import { change, type OpenApiRule, type SpecChange } from './rules.js';
import { sameJson } from '../diff/structural-diff.js';
import { noSchema, type ApiOperation, type Parameter, type Response } from './document.js';
import type { SchemaComparison } from './schema.js';
import { sideOf, type Direction, type Side } from './schema-rules.js';
import { securityRule } from './security.js';
import { paired } from './spec-diff.js';
import { isUnstable, lifecycleRules, namingRules, removalRule } from './sunset.js';

/** What differs in an operation that both descriptions have. */
export function operationChanges(
  old: ApiOperation,
  now: ApiOperation,
  schemas: SchemaComparison,
  today: number,
): readonly SpecChange[] {
  const security = securityRule(old.security, now.security);
  return new OperationComparison(now, schemas, today).changes(old, [
    ...lifecycleRules(old.source, now.source),
    ...namingRules(old.source, now.source),
    ...(security === undefined ? [] : [security]),
  ]);
}

/** What a parameter may hold besides what its schema says. */
const allowances = ['allowReserved', 'allowEmptyValue'];

const mirrored: Readonly<Record<Direction, Direction>> = { request: 'response', response: 'request' };

class OperationComparison {
  constructor(
    private readonly now: ApiOperation,
    private readonly schemas: SchemaComparison,
    private readonly today: number,
  ) {}

  changes(old: ApiOperation, own: readonly OpenApiRule[]): readonly SpecChange[] {
    return [
      ...own.map((rule) => this.#told(rule)),
      ...(this.now.side === 'request' ? this.#parameters(old) : this.#read(old.parameters, this.now.parameters, '')),
      ...(sameJson(old.servers, this.now.servers) ? [] : [this.#told('servers-changed', 'servers')]),
      ...this.#body(old),
      ...this.#responses(old),
    ];
  }

  #told(rule: OpenApiRule, subject = ''): SpecChange {
    return change(rule, this.now, subject);
  }

  #parameters(old: ApiOperation): readonly SpecChange[] {
    return paired(old.parameters, this.now.parameters, {
      gone: ({ source, name }, key) => {
        // The path has a place for it all the same.
        const rule = key.startsWith('path ') ? 'parameter-undescribed' : 'parameter-removed';
        return [this.#told(removalRule(isUnstable(old.source) ? old.source : source, this.today, rule), name)];
      },
      both: (parameter, other) => this.#parameter(parameter, other),
      added: (parameter, key) => {
        const rule = parameter.required ? 'required-parameter-added' : 'parameter-added';
        return key.startsWith('path ') ? this.#describedPlace(parameter) : [this.#told(rule, parameter.name)];
      },
    });
  }

  #parameter(old: Parameter, now: Parameter): readonly SpecChange[] {
    const { name, required, isRepeated } = now;
    const rules: readonly OpenApiRule[] = [
      ...(old.required === required
        ? []
        : [required ? ('parameter-became-required' as const) : ('parameter-became-optional' as const)]),
      ...lifecycleRules(old.source, now.source),
      ...(old.style === now.style ? [] : ['parameter-style-changed' as const]),
      ...allowances.flatMap((name): readonly OpenApiRule[] => {
        const [was, is] = [old.source[name] === true, now.source[name] === true];
        return was === is ? [] : [is ? 'request-values-added' : 'request-values-removed'];
      }),
    ];
    const found = this.#schema(old.schema, now.schema, isRepeated ? 'repeated parameter' : 'parameter', name);
    // Nobody leaves a required parameter to its default.
    const isTold = ({ rule }: SpecChange): boolean => !required || !rule.startsWith('parameter-default-');
    return [...rules.map((rule) => this.#told(rule, name)), ...found.filter(isTold)];
  }

  /** A place of a path that nobody described took any text. */
  #describedPlace({ schema, name }: Parameter): readonly SpecChange[] {
    const found = this.#schema({ type: 'string' }, schema, 'parameter', name).filter(({ effect }) => effect !== 'safe');
    return found.length > 0 ? found : [this.#told('parameter-described', name)];
  }

  /** Headers of an answer, and the parameters of a call that clients receive. */
  #read(
    old: ReadonlyMap<string, Parameter>,
    now: ReadonlyMap<string, Parameter>,
    place: string,
  ): readonly SpecChange[] {
    return paired(old, now, {
      gone: ({ source, name }) => [
        this.#told(removalRule(source, this.today, 'response-header-removed'), `${place}${name}`),
      ],
      both: (header, other) => [
        ...(header.required && !other.required
          ? [this.#told('response-header-became-optional', `${place}${header.name}`)]
          : []),
        ...this.#schema(header.schema, other.schema, 'response as text', `${place}${header.name}`),
      ],
      added: ({ name }) => [this.#told('response-header-added', `${place}${name}`)],
    });
  }

  #body(old: ApiOperation): readonly SpecChange[] {
    const before = old.body;
    const after = this.now.body;
    const { side } = this.now;
    const name = 'request body';
    if (before === undefined && after === undefined) return [];
    if (before === undefined || after === undefined) {
      if (after === undefined) return [this.#told('body-removed', name)];
      return [this.#told(after.required && side === 'request' ? 'required-body-added' : 'body-added', name)];
    }
    const became = after.required ? 'required' : 'optional';
    const rule: OpenApiRule = side === 'request' ? `body-became-${became}` : `response-property-became-${became}`;
    return [
      ...(before.required === after.required ? [] : [this.#told(rule, name)]),
      ...this.#content(before.content, after.content, side, name),
      ...paired(before.encodings, after.encodings, {
        gone: () => [],
        both: (one, other, type) =>
          sameJson(one, other) ? [] : [this.#told('encoding-changed', `${name} as ${type}`)],
        added: () => [],
      }),
    ];
  }

  #responses(old: ApiOperation): readonly SpecChange[] {
    const { responses } = this.now;
    return paired(old.responses, responses, {
      gone: (response, status) => {
        // What is described for more answers is described for this one.
        const more = responses.get(`${status.slice(0, 1)}XX`) ?? responses.get('default');
        if (more !== undefined) return this.#response(response, more, status);
        const rule = /^[23]/.test(status) ? 'success-response-removed' : 'error-response-removed';
        return [this.#told(rule, `answer ${status}`)];
      },
      both: (response, other, status) => this.#response(response, other, status),
      added: (_response, status) => [this.#told('response-added', `answer ${status}`)],
    });
  }

  #response(old: Response, now: Response, status: string): readonly SpecChange[] {
    const gone = old.links.filter((name) => !now.links.includes(name));
    return [
      ...this.#content(old.content, now.content, mirrored[this.now.side], `answer ${status}`),
      ...this.#read(old.headers, now.headers, `answer ${status} `),
      ...gone.map((name) => this.#told('link-removed', `answer ${status} link ${name}`)),
    ];
  }

  #content(
    before: ReadonlyMap<string, Json>,
    after: ReadonlyMap<string, Json>,
    direction: Direction,
    name: string,
  ): readonly SpecChange[] {
    const changes: SpecChange[] = [];
    const added = new Set([...after.keys()].filter((type) => !before.has(type)));
    for (const [type, schema] of before) {
      const isNarrow = (other: string): boolean => isSpecial(other, type);
      const special = direction === 'response' && !after.has(type) ? [...added].find(isNarrow) : undefined;
      const alike = [rangeOf(type), '*/*', ...[...added].filter((one) => essence(one) === essence(type))];
      const range = direction === 'request' ? alike.find((one) => after.has(one)) : undefined;
      const other = after.get(special ?? type) ?? after.get(range ?? type);
      if (other === undefined) changes.push(this.#told(`${direction}-media-type-removed`, `${name} as ${type}`));
      else changes.push(...this.#described(schema, other, direction, type, name));
      if (special === undefined) continue;
      added.delete(special);
      changes.push(this.#told('response-media-type-specialized', `${name} as ${special}`));
    }
    for (const type of added) changes.push(this.#told(`${direction}-media-type-added`, `${name} as ${type}`));
    return changes;
  }

  #described(before: Json, after: Json, direction: Direction, type: string, name: string): readonly SpecChange[] {
    const [was, is] = [before !== noSchema, after !== noSchema];
    if (was !== is) return [this.#told(`${direction}-schema-${is ? 'added' : 'removed'}`, `${name} as ${type}`)];
    return this.#schema(before, after, sideOf(direction, type), name);
  }

  #schema(before: Json, after: Json, side: Side, name: string): readonly SpecChange[] {
    return this.schemas
      .compare(before, after, side)
      .map(({ rule, path }) => this.#told(rule, path === '' ? name : `${name}: ${path}`));
  }
}

/** `text/csv; header=present` → `text/*` */
function rangeOf(type: string): string {
  return `${type.split('/')[0] ?? ''}/*`;
}

/** `Text/CSV; header=present` → `text/csv` */
function essence(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}

/** `application/problem+json` is `application/json`, too; so is one with parameters. */
function isSpecial(special: string, type: string): boolean {
  const [name, plain] = [essence(special), essence(type)];
  const [kind, subtype] = plain.split('/');
  return name === plain || (name.startsWith(`${kind ?? ''}/`) && name.endsWith(`+${subtype ?? ''}`));
}
