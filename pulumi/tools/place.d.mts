/** Pulumi's schema of package schemas, in the folder of the tools. */
export declare const metaschema: string;

/** Folder of Pulumi's command line and its hosts: PULUMI_TOOLS, else the user's cache. */
export declare function pulumiTools(env?: Readonly<Record<string, string | undefined>>): string;
