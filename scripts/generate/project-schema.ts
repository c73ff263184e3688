import { addressKeyPattern } from '@platform-sync/core/model/address';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { StackKey } from '@platform-sync/catalogue/project/project-file';
import { editorSchema, ref, tagged } from '@platform-sync/report/editor/editor-values';
import { generatedNotice } from './notice.js';
import type { Package } from './packages.js';

/** What editors need to know of sync.yaml. */
export function projectSchema(packages: readonly Package[]): JsonObject {
  const { stack, parameter, ...blocks } = definitions;
  return editorSchema('sync.yaml', 'What a project is: its catalogue, its providers, its state.', {
    $comment: generatedNotice,
    ...file(mapped(settings, withTag), parameters),
    $defs: {
      stack: { ...stack, properties: { ...mapped(settings, withTag), parameters: stackParameters } },
      parameter,
      tagged,
      ...mapped({ providers: providersSchema(packages), ...blocks }, inside),
    },
  });
}

/**
 * What the program holds sync.yaml against: a key without a value is an empty map or list, and what providers take is told by
 * their packages. The settings of stacks are merged before they are looked at, and parameters have the types they declare.
 */
export function projectRules(): JsonObject {
  const names = mapped({ ...settings, parameters: {} }, () => ({}));
  const providers = { type: 'object', additionalProperties: { type: 'object' } };
  return orEmpty({
    ...file({ ...settings, providers }, parameters),
    $defs: { ...definitions, stack: { ...definitions.stack, properties: names } },
  });
}

function file(blocks: JsonObject, declared: JsonObject): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: { project, ...blocks, parameters: declared, defaultStack, stacks },
  };
}

/** A schema whose maps and lists may be null. */
function orEmpty(schema: JsonObject): JsonObject {
  const changed = Object.entries(schema).map(([key, value]): readonly [string, Json] => {
    if (key === 'properties' || key === '$defs') return [key, mapped(value as JsonObject, orEmpty)];
    if (key === 'type') return [key, isEmptiable(value) ? [...[value].flat(), 'null'] : value];
    if (key === 'allOf') return [key, (value as readonly JsonObject[]).map(orEmpty)];
    return [key, ['items', 'additionalProperties', 'then'].includes(key) && isObject(value) ? orEmpty(value) : value];
  });
  return Object.fromEntries(changed);
}

function isEmptiable(type: Json): boolean {
  const kinds: readonly Json[] = Array.isArray(type) ? type : [type];
  return !kinds.includes('null') && (kinds.includes('object') || kinds.includes('array'));
}

/** Any setting may be `!env NAME` or `!unset`, of which editors see what stands behind the tag. */
function withTag(schema: JsonObject): JsonObject {
  const { description, ...rules } = inside(schema);
  const isPlainText = rules['type'] === 'string' && !['pattern', 'minLength', 'format'].some((form) => form in rules);
  const said = description === undefined ? {} : { description };
  return isPlainText ? { ...said, ...rules } : { ...said, anyOf: [rules, ref('tagged')] };
}

/** The same for what is inside a setting. */
function inside(schema: JsonObject): JsonObject {
  const inner = Object.entries(schema).map(([key, value]): readonly [string, Json] => {
    if (key === 'properties') return [key, mapped(value as JsonObject, withTag)];
    return [key, (key === 'items' || key === 'additionalProperties') && isObject(value) ? inside(value) : value];
  });
  return Object.fromEntries(inner);
}

function mapped(members: JsonObject, change: (member: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member as JsonObject)]));
}

const project: JsonObject = {
  description: 'Name of the project. State is kept under it.',
  type: 'string',
  minLength: 1,
  pattern: '^[a-z][a-z0-9-]{0,62}$',
  $comment: 'It starts with a small letter; up to 62 small letters, digits and "-" follow.',
  examples: ['payments'],
};

function patterns(name: StackKey, description: string): JsonObject {
  const items = { title: `A pattern of "${name}"`, type: 'string', minLength: 1 };
  return { description, type: ['array', 'string'], minLength: 1, items };
}

/** What a file and its stacks may say. */
const settings: Record<StackKey, JsonObject> = {
  catalogue: patterns(
    'catalogue',
    'Which files are the catalogue: globs relative to this file. Default: `catalogue/**/*.yaml` and `.yml`.',
  ),
  overlays: patterns(
    'overlays',
    'Files that patch the catalogue: globs relative to this file. Mostly said by a stack.',
  ),
  providers: { $ref: '#/$defs/providers' },
  state: { $ref: '#/$defs/state' },
  concurrency: { description: 'Requests in flight at most. Default 16.', type: 'integer', minimum: 1, maximum: 256 },
  requestsPerMinute: { description: 'Requests sent a minute at most. Default: no limit.', type: 'integer', minimum: 1 },
  timing: { $ref: '#/$defs/timing' },
  guards: { $ref: '#/$defs/guards' },
  policies: patterns('policies', 'Files of rules that every plan is judged by: globs relative to this file.'),
  history: {
    description: 'What the state keeps of runs.',
    type: 'object',
    additionalProperties: false,
    properties: {
      keepDays: {
        description: 'An apply drops what is older, and leaves a row that says so. Default: nothing is dropped.',
        type: 'integer',
        minimum: 1,
        maximum: 36500,
      },
    },
  },
  adopt: {
    description: 'byKey: objects that nobody manages are taken over when they have the unique key of a resource.',
    enum: ['byKey'],
  },
  specificationRules: {
    description: 'A file of rules for API specifications, in the format of Spectral, relative to sync.yaml.',
    type: 'string',
    minLength: 1,
  },
  ownership: {
    description: 'label: each object whose type has labels says by two labels which resource of which stack it is.',
    enum: ['label'],
  },
  labels: { $ref: '#/$defs/labels' },
  drift: { $ref: '#/$defs/drift' },
};

const parameterNames: JsonObject = {
  pattern: addressKeyPattern.source,
  $comment: 'A name starts with a letter or "_"; letters, digits, "_" and "-" follow.',
};

const parameters: JsonObject = {
  description: 'What differs from stack to stack: `${param.NAME}` in the catalogue.',
  type: ['object', 'null'],
  propertyNames: parameterNames,
  additionalProperties: ref('parameter'),
};

const stackParameters: JsonObject = {
  description: 'Values of parameters in this stack. Secret ones are `!env NAME`.',
  type: ['object', 'null'],
  propertyNames: parameterNames,
};

const stacks: JsonObject = {
  description: 'Settings of single stacks, over those above. Chosen by `--stack` or SYNC_STACK.',
  type: ['object', 'null'],
  propertyNames: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    $comment: 'Letters, digits, ".", "_" and "-" are allowed.',
  },
  additionalProperties: ref('stack'),
};

const defaultStack: JsonObject = {
  description:
    'The stack where none is named by `--stack` or SYNC_STACK. Default: `default`, where it is declared or no stack is.',
  type: 'string',
  minLength: 1,
};

const stack: JsonObject = { type: ['object', 'null'], additionalProperties: false };

const parameter: JsonObject = {
  description: 'A parameter, referred to as `${param.NAME}`.',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    type: {
      description: 'What its values are. Default: string.',
      enum: ['string', 'number', 'boolean', 'list', 'map'],
    },
    default: { description: 'The value of stacks that give none. Without it, each must give one.' },
    description: { description: 'What it is for.', type: 'string', minLength: 1 },
    allowed: { description: 'The only values it may have.', type: 'array' },
    secret: { description: 'Its value is never shown or kept, and stands in no file: `!env NAME`.', type: 'boolean' },
  },
};

const date: JsonObject = { type: 'string', minLength: 1, format: 'date' };

const ownership: JsonObject = {
  description: '`keys`: only keys that file or state hold are ours. `exact`: all but those of others. Default: keys.',
  enum: ['keys', 'exact'],
};

const labels: JsonObject = {
  description: 'Whose the keys of labels are: `keys`, `exact`, or both settings.',
  type: ['object', 'string'],
  if: { type: 'string' },
  then: { enum: ownership['enum'] ?? [] },
  additionalProperties: false,
  properties: {
    own: ownership,
    foreign: {
      description: 'Beginnings of keys that belong to others. Default: those of the vendor.',
      type: 'array',
      items: { type: 'string', minLength: 1 },
    },
  },
};

const severity: JsonObject = { enum: ['high', 'medium', 'low'] };

const drift: JsonObject = {
  description: 'How `sync drift` looks at what was changed outside, and whom it tells.',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    severity: {
      description:
        'How much a change weighs, by `FIELD` or `TYPE.FIELD`; `deleted` and `unmanaged` stand for whole objects.',
      type: ['object', 'null'],
      additionalProperties: severity,
    },
    ignore: {
      description: 'Changes that are left out of the check.',
      type: ['array', 'null'],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['address', 'reason'],
        properties: {
          address: { description: 'Address of the resource; `*` stands for any part.', type: 'string', minLength: 1 },
          field: {
            description: 'A field, or the path of a part of one (`labels.team`). Default: all, and deletion.',
            type: 'string',
            minLength: 1,
          },
          reason: { description: 'Why.', type: 'string', minLength: 1 },
          until: {
            description: 'Last day it holds. After it the rule itself is a finding.',
            ...date,
          },
        },
      },
    },
    unmanaged: {
      description:
        'Objects that nobody manages and that count as drift: `visible` (what the public sees), `all`, or types by name. Default: none. A check then reads the lists of these types to their end.',
      type: ['string', 'array'],
      if: { type: 'string' },
      then: { enum: ['none', 'visible', 'all'] },
      items: { type: 'string', minLength: 1 },
    },
    flapping: {
      description:
        'A finding that comes back within `hours` of its going, `times` in a row, is told once as one that comes and goes, and not again until it has stayed as it is for so long.',
      type: 'object',
      additionalProperties: false,
      properties: {
        times: { description: 'Default 3.', type: 'integer', minimum: 2, maximum: 100 },
        hours: { description: 'Default 24.', type: 'integer', minimum: 1, maximum: 2160 },
      },
    },
    webhook: {
      description:
        'Where to post news: what is new, worse, resolved or could not be checked, and runs that did not end well: an https:// URL. Take it from the environment with `!env`.',
      type: 'string',
    },
    format: { description: 'Form of what is posted. Default: generic.', enum: ['generic', 'slack'] },
    secret: {
      description: 'Key of the signature of what is posted. A secret: only `!env NAME` may stand here.',
      type: 'string',
    },
  },
};

const definitions = {
  stack,
  parameter,
  state: {
    description: 'Where the state is kept. Default: a SQLite file.',
    type: 'object',
    properties: { backend: { enum: ['sqlite', 'postgres'] } },
    allOf: [
      {
        if: { properties: { backend: { const: 'postgres' } }, required: ['backend'] },
        then: {
          title: 'The postgres state',
          properties: {
            backend: true,
            url: {
              description: 'Connection URL; take it from the environment with `!env`.',
              type: 'string',
              examples: ['!env SYNC_STATE_URL'],
            },
            requestsPerMinute: {
              description:
                'Requests a minute that all runs which keep their state in this database send together to one server with one token. Default: each run keeps its own pace.',
              type: 'integer',
              minimum: 1,
            },
          },
          required: ['url'],
          additionalProperties: false,
        },
      },
      {
        if: { properties: { backend: { const: 'sqlite' } } },
        then: {
          title: 'The sqlite state',
          properties: {
            backend: true,
            path: { description: 'The file. Default: `.sync/state.db`.', type: 'string', minLength: 1 },
          },
          additionalProperties: false,
        },
      },
    ],
  },
  timing: {
    description: 'How long things may take.',
    type: 'object',
    additionalProperties: false,
    properties: {
      leaseSeconds: {
        description: 'A run that shows no sign of life for so long has lost the stack. Default 30.',
        type: 'integer',
        minimum: 10,
        maximum: 3600,
      },
      beatSeconds: {
        description: 'Between two signs of life; a third of the lease at most. Default 5.',
        type: 'integer',
        minimum: 1,
        maximum: 1200,
      },
      requestSeconds: {
        description: 'Until one answer of the platform is there. Default 60.',
        type: 'integer',
        minimum: 1,
        maximum: 3600,
      },
      retries: {
        description: 'Times a request is sent again after a fault. Default 4.',
        type: 'integer',
        minimum: 0,
        maximum: 20,
      },
      settleSeconds: {
        description:
          'Until what was written shows in every answer of the platform: so long nothing proves that it is gone. Default 120.',
        type: 'integer',
        minimum: 0,
        maximum: 86400,
      },
    },
  },
  guards: {
    description: 'What a plan may do without being asked again.',
    type: 'object',
    additionalProperties: false,
    properties: {
      maxDeletes: { description: 'Deletes in one plan at most.', type: 'integer', minimum: 0 },
      maxDeletePercent: {
        description: 'Deletes in one plan at most, in per cent of what is managed.',
        type: 'integer',
        minimum: 0,
        maximum: 100,
      },
      maxUpdatePercent: {
        description:
          'Updates in one plan at most, in per cent of what is managed; counts from 20 objects on. Default: no limit.',
        type: 'integer',
        minimum: 0,
        maximum: 100,
      },
      allow: {
        description: 'Guards that are lifted.',
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['guard', 'reason'],
          properties: {
            guard: { description: 'Name of the guard, as a blocked plan tells it.', type: 'string', minLength: 1 },
            reason: { description: 'Why. It goes into the plan.', type: 'string', minLength: 1 },
            until: { description: 'Last day it holds.', ...date },
          },
        },
      },
    },
  },
  labels,
  drift,
} satisfies JsonObject;

function providersSchema(packages: readonly Package[]): JsonObject {
  return {
    description: 'The providers the catalogue uses, and their settings. Tokens come from the environment.',
    type: 'object',
    additionalProperties: ownProvider,
    properties: Object.fromEntries(
      packages.map(({ name, schema }) => [name, settingsSchema(schema.description, schema)]),
    ),
  };
}

function settingsSchema(description: string, schema: Package['schema']): JsonObject {
  const settings = Object.entries(schema.config?.variables ?? {});
  return {
    description,
    type: ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(
      settings.map(([name, spec]) => [
        name,
        {
          description: settingText(spec.description, spec.secret, spec.defaultInfo?.environment),
          type: spec.type ?? 'string',
        },
      ]),
    ),
  };
}

function settingText(description = '', secret = false, env: readonly string[] = []): string {
  const from = env.length === 0 ? '' : ` Environment: ${env.join(', ')}.`;
  return secret ? `${description}${from} A secret: only \`!env NAME\` may stand here.` : `${description}${from}`;
}

const secretText = { type: 'string', description: 'A secret: only `!env NAME` may stand here.' };
const auth = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
});

/** Of a platform of one's own, described by a file of types. */
const ownProvider: JsonObject = {
  description: 'A provider of your own: its types, and how its server is reached.',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    types: { description: 'File of types, as `sync types compile` writes it.', type: 'string' },
    serverUrl: { description: 'Address of the server.', type: 'string' },
    auth: {
      description: 'Who is calling.',
      type: 'object',
      additionalProperties: false,
      maxProperties: 1,
      properties: {
        bearer: secretText,
        header: auth({ name: { type: 'string', description: 'Name of the header.' }, value: secretText }),
        basic: auth({ username: { type: 'string' }, password: secretText }),
        clientCredentials: auth(
          {
            ...{ tokenUrl: { type: 'string' }, clientId: { type: 'string' }, clientSecret: secretText },
            scope: { type: 'string' },
          },
          ['tokenUrl', 'clientId', 'clientSecret'],
        ),
      },
    },
  },
};
