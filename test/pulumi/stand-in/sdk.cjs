// An SDK made from a package schema while it runs: the same classes and functions, of the same names and with the same
// calls of the real runtime, as `pulumi package gen-sdk` writes into files.
/* eslint-disable @typescript-eslint/no-require-imports -- the SDK of npm is CommonJS, and so are those that are generated for it */
const pulumi = require('@pulumi/pulumi');
const schema = require('./schema.json');

const options = { version: schema.version };
const secretsOf = (properties) => Object.keys(properties).filter((name) => properties[name].secret === true);

/** `platform:index/api:Api` → [undefined, 'Api'], `cloud:endpoints/getX:getX` → ['endpoints', 'getX'] */
function placeOf(token) {
  const [, path, name] = token.split(':');
  const folder = path.split('/')[0];
  return [folder === 'index' ? undefined : folder, name];
}

function put(token, member, suffix = '') {
  const [folder, name] = placeOf(token);
  const place = folder === undefined ? exports : (exports[folder] ??= {});
  place[name + suffix] = member;
}

for (const [token, { inputProperties, properties }] of Object.entries(schema.resources)) {
  const replaceOnChanges = Object.keys(inputProperties).filter((name) => inputProperties[name].replaceOnChanges);
  put(
    token,
    class extends pulumi.CustomResource {
      static get(name, id, state, opts) {
        return new this(name, state, { ...opts, id });
      }
      constructor(name, args, opts) {
        const known = opts?.id === undefined ? inputProperties : properties;
        const all = Object.keys(properties).map((key) => [key, key in known ? args?.[key] : undefined]);
        const own = { ...options, additionalSecretOutputs: secretsOf(properties), replaceOnChanges };
        super(token, name, Object.fromEntries(all), pulumi.mergeOptions(own, opts ?? {}));
      }
    },
  );
}

for (const [token, { inputs }] of Object.entries(schema.functions)) {
  if (token.startsWith('pulumi:')) continue;
  const asked = (method, args, opts) => method(token, args ?? {}, pulumi.mergeOptions(options, opts ?? {}));
  const call = (method) =>
    inputs === undefined ? (opts) => asked(method, {}, opts) : (args, opts) => asked(method, args, opts);
  put(token, call(pulumi.runtime.invoke));
  put(token, call(pulumi.runtime.invokeOutput), 'Output');
}

const settings = schema.provider.inputProperties;
exports.Provider = class extends pulumi.ProviderResource {
  constructor(name, args, opts) {
    const all = Object.entries(settings).map(([key, { secret, defaultInfo }]) => {
      const given = args?.[key];
      const fallen = (defaultInfo?.environment ?? []).map((each) => process.env[each]).find(Boolean);
      return [key, given !== undefined && secret ? pulumi.secret(given) : (given ?? fallen)];
    });
    const own = { ...options, additionalSecretOutputs: secretsOf(settings) };
    super(schema.name, name, Object.fromEntries(all), pulumi.mergeOptions(own, opts ?? {}));
  }
};
for (const [method, token] of Object.entries(schema.provider.methods ?? {}))
  exports.Provider.prototype[method] = function () {
    return pulumi.runtime.call(token, { __self__: this }, this);
  };
