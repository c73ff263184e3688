import { string } from './flag.js';

/** What every command that shows objects takes. */
export const objectFlags = {
  parent: string({
    description: 'its parent: a name, or field=id; the outermost first, if several',
    helpValue: 'PARENT',
    multiple: true,
  }),
  filter: string({
    description: 'only objects whose field has this value; also FIELD.contains=TEXT; may be repeated',
    helpValue: 'FIELD=VALUE',
    multiple: true,
  }),
};

export const objectFormats = ['table', 'yaml', 'json'] as const;
export type ObjectFormat = (typeof objectFormats)[number];
