import type { MemberType, RecordType } from '@platform-sync/rest/definition';

const item: RecordType = {
  record: 'PortalMenuItem',
  description: 'An entry of a menu.',
  members: {
    external: { type: 'boolean', description: 'Whether it opens a page of its own.' },
    path: { description: 'Where it leads.', limits: { maxLength: 512 } },
    title: 'What it says.',
    visibility: {
      type: {
        choice: 'PortalMenuVisibility',
        description: 'Who sees an entry of a menu.',
        values: { public: 'Every visitor.', private: 'Developers who have signed in.' },
      },
      description: 'Who sees it.',
    },
  },
};
const flag = (description: string): MemberType => ({ type: 'boolean', description, optional: true });

export const menuRecord: RecordType = {
  record: 'PortalMenu',
  description: 'The menus of a portal.',
  members: {
    footerBottom: { type: { list: item }, description: 'Entries at the end of each page.', optional: true },
    footerSections: {
      type: {
        list: {
          record: 'PortalFooterSection',
          description: 'A titled list of entries.',
          members: {
            items: { type: { list: item }, description: 'The entries.' },
            title: { description: 'What it is called.', limits: { maxLength: 512 } },
          },
        },
      },
      description: 'Lists of entries below each page.',
      optional: true,
    },
    main: { type: { list: item }, description: 'Entries above each page.', optional: true },
  },
};

export const specRendererRecord: RecordType = {
  record: 'PortalSpecRenderer',
  description: 'How specifications are shown.',
  members: {
    allowCustomServerUrls: flag('Whether visitors may name servers of their own. Defaults to true.'),
    hideDeprecated: flag('Whether what is deprecated is left out. Defaults to false.'),
    hideInternal: flag('Whether what is internal is left out. Defaults to false.'),
    infiniteScroll: flag('Whether operations are shown on one page. Defaults to true.'),
    showSchemas: flag('Whether schemas are shown. Defaults to true.'),
    tryItInsomnia: flag('Whether operations can be opened in a client. Defaults to true.'),
    tryItUi: flag('Whether operations can be tried on the page. Defaults to true.'),
  },
};

export const themeRecord: RecordType = {
  record: 'PortalTheme',
  description: 'Colours of a portal.',
  members: {
    colors: {
      type: {
        record: 'PortalColors',
        description: 'Colours by their role.',
        members: {
          primary: {
            description: 'What stands out, `#rrggbb`.',
            optional: true,
            limits: { pattern: '^#([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$' },
          },
        },
      },
      description: 'Colours by their role.',
      optional: true,
    },
    mode: {
      type: {
        choice: 'PortalThemeMode',
        description: 'Light or dark.',
        values: { light: 'Light.', dark: 'Dark.', system: 'As visitors have it.' },
      },
      description: 'Light or dark.',
      optional: true,
    },
    name: { description: 'Name of a theme of the platform.', optional: true },
  },
};
