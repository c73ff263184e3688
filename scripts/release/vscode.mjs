// The VS Code extension as one file: a zip with a manifest of its own, the same bytes from the same sources.
import { build } from 'esbuild';
import { strToU8, zipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file) => readFileSync(`${root}/${file}`, 'utf8');

/** The text of the one file that VS Code loads; its own module stays outside. */
export async function bundledExtension() {
  const { outputFiles } = await build({
    ...{ entryPoints: ['src/vscode/extension.mjs'], absWorkingDir: root, bundle: true, write: false },
    ...{ platform: 'node', format: 'cjs', target: 'node18', external: ['vscode'], legalComments: 'inline' },
  });
  return outputFiles[0].text;
}

/** The bytes of the .vsix, of the product's version. */
export async function packedExtension(version) {
  const manifest = { ...JSON.parse(read('src/vscode/manifest.json')), version };
  const licences = `${read('LICENSE')}\n\nvscode-jsonrpc:\n\n${read('node_modules/vscode-jsonrpc/License.txt')}`;
  const files = {
    '[Content_Types].xml': contentTypes,
    'extension.vsixmanifest': vsixManifest(manifest),
    'extension/package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'extension/extension.js': await bundledExtension(),
    'extension/readme.md': read('docs/guides/editors.md'),
    'extension/LICENSE.txt': licences,
  };
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
  // A zip tells local time, from 1980 on.
  return zipSync(bytes, { mtime: new Date(1980, 0, 1), level: 9 });
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`;

function vsixManifest({ name, version, publisher, displayName, description, categories, engines }) {
  const asset = (type, path) => `    <Asset Type="Microsoft.VisualStudio.${type}" Path="${path}" Addressable="true"/>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Categories>${categories.join(',')}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
${asset('Code.Manifest', 'extension/package.json')}
${asset('Services.Content.Details', 'extension/readme.md')}
${asset('Services.Content.License', 'extension/LICENSE.txt')}
  </Assets>
</PackageManifest>
`;
}
