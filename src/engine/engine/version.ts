import packageJson from '../../../package.json' with { type: 'json' };

/** The program's version: plans are bound to it, requests carry it. */
export const engineVersion: string = packageJson.version;
