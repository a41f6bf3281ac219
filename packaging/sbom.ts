// `npm run sbom`: the bill of materials of the package, as CycloneDX. Only the lock file is read, so that the same sources yield
// the same file, byte by byte. `npm sbom` is not used, because it omits a dependency that is also a development dependency.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A package in the lock file. */
interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

type License = { readonly license: { readonly id: string } } | { readonly expression: string };

export interface Component {
  readonly type: 'application' | 'library' | 'operating-system' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly licenses?: readonly License[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

export interface Bill {
  readonly $schema: string;
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: string;
  readonly version: number;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Development dependencies that `packaging/layout.ts` builds into a shipped file. Their own dependencies are added. */
const shipped: readonly string[] = ['@dagrejs/dagre'];

/** The bill of the package, of what is built into it, and of all its dependencies. `inside`: more packages in an artifact. */
export function packageBill(inside: readonly string[] = []): Bill {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const dependenciesAt = (place: string): readonly string[] => [
    ...dependenciesOf(packages[place]),
    ...(place === '' ? [...shipped, ...inside] : []),
  ];
  const places = new Set(['']);
  for (const place of places)
    for (const name of dependenciesAt(place)) places.add(placeOf(packages, place, name));
  const component = (place: string) => componentOf(nameAt(packages, place), packages[place]);
  const [root = '', ...others] = places;
  const dependencies = [...places].map(place => ({
    ref: component(place)['bom-ref'],
    dependsOn: dependenciesAt(place)
      .map(name => component(placeOf(packages, place, name))['bom-ref'])
      .sort(),
  }));
  return bill({ ...component(root), type: 'application' }, others.map(component), dependencies);
}

/** A bill of the parts of `component`, sorted by name. */
export function bill(
  component: Component,
  components: readonly Component[],
  dependencies: Bill['dependencies'] = [],
): Bill {
  const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components: components.toSorted((a, b) => byText(a['bom-ref'], b['bom-ref'])),
    dependencies: dependencies.toSorted((a, b) => byText(a.ref, b.ref)),
  };
}

/** The Node that runs this script, if it is part of the artifact. */
export function nodeComponent(): Component {
  const { node: version } = process.versions;
  const purl = `pkg:github/nodejs/node@v${version}`;
  return { type: 'platform', 'bom-ref': purl, name: 'node', version, purl };
}

export const billText = (made: Bill): string => `${JSON.stringify(made, undefined, 2)}\n`;

type Packages = Readonly<Record<string, Locked>>;

const dependenciesOf = (locked: Locked | undefined): readonly string[] =>
  Object.keys(locked?.dependencies ?? {});

const nameAt = (packages: Packages & { '': { name: string } }, place: string): string =>
  place === '' ? packages[''].name : place.slice(place.lastIndexOf('node_modules/') + 13);

/** The location of a dependency, by Node's resolution: beside the package that requires it, or in a parent folder. */
function placeOf(packages: Packages, from: string, name: string): string {
  for (
    let folder = from;
    ;
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')
  ) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  }
}

function componentOf(name: string, { version, integrity, license }: Locked): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [algorithm, digest] = integrity?.split('-') ?? [];
  const content = Buffer.from(digest ?? '', 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license && { licenses: [licenseOf(license)] }),
    ...(algorithm === 'sha512' && { hashes: [{ alg: 'SHA-512', content }] }),
  };
}

/** A license by its id, or several in an expression. */
const licenseOf = (text: string): License =>
  /^[\w.+-]+$/.test(text) ? { license: { id: text } } : { expression: text };

if (import.meta.main) writeFileSync(join(ROOT, 'sbom.cdx.json'), billText(packageBill()));
