// A pull request as somebody draws it who would like to read the secrets of whoever plans it: references in every field, encrypted
// files that name their server, links, odd names of files, settings of the project, and programs in the checkout.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { ALLOWED_PLACES, MISPLACED } from '../../properties/generators/referencePlaces.ts';
import { fc } from '../../support/seeded.ts';
import { planting } from '../plantedCheckout.ts';
import { type SealedFile, sealedFiles } from './sealedFiles.ts';

const EXAMPLE = new URL('../../../examples/everything', import.meta.url).pathname;

/** The example that has every kind, by its files. */
const DOCUMENTS: ReadonlyMap<string, JsonObject> = new Map(
  readdirSync(EXAMPLE).map(name => [name, parse(readFileSync(join(EXAMPLE, name), 'utf8'))]),
);

/** The files that have secrets, and what they refer to: they are planned without the others. */
export const SECRET_FILES =
  /^(?:groups|peers|ingress|networks|reverse_proxy|edr|directory_sync|event_streams|identity_providers|notification_channels)/;

/** What has a value in every draw. */
const READABLE = [
  'env:PART',
  'env:DEPLOY_KEY',
  'file:part.txt',
  'file:secret.txt',
  'sops:sealed.yaml#hook.part',
  'sops:sealed.yaml#/hook/part',
];
/** The same, of whole addresses. */
const ADDRESSES = ['env:HOOK', 'file:hook.txt', 'sops:sealed.yaml#hook.url'];

const FORBIDDEN = [
  'file:/part.txt',
  'env:MESHFORM_TOKEN',
  'env:MESHFORM_SIGNING_KEY',
  'env:MESHFORM_FINGERPRINT_KEY',
  'env:GITHUB_TOKEN',
  'env:VAULT_TOKEN',
  'env:AWS_SECRET_ACCESS_KEY',
  'env:${env:DEPLOY_KEY}',
  'file:../.vault-token',
  'file:../../.vault-token',
  'file:/../../.netrc',
  'file:~/.aws/credentials',
  'file:linked.txt',
  'file:linked/.vault-token',
  'file:linked/.config/sops/age/keys.txt',
  'file:/proc/self/environ',
  'sops:../../.aws/credentials',
  'sops:linked.txt',
  'sops:sealed.yaml',
  'sops:sealed.yaml#',
  'sops:sealed.yaml#sops.age.0.enc',
  'sops:secret.txt',
  'var:DEPLOY_KEY',
  'var:MESHFORM_TOKEN',
  'exec:env',
  'vault:secret/deploy#key',
];

/** How a reference can be spelled. */
const SPELLINGS: Readonly<Record<string, (source: string) => string>> = {
  'as it is': source => `\${${source}}`,
  'with a default': source => `\${${source}:-x}`,
  'as a default': source => `\${env:UNSET:-\${${source}}}`,
  'as the default of a variable': source => `\${var:UNSET:-\${${source}}}`,
  'in capitals': source => `\${${source.toUpperCase()}}`,
  'with blanks': source => `\${ ${source.replace(':', ': ')} }`,
  escaped: source => `$\${${source}}`,
  'percent-encoded': source => `%24%7B${source}%7D`,
  'for a shell': source => `$(printenv ${source.split(':')[1]})`,
  'of another tool': source => `{{ ${source.replace(':', '.')} }}`,
};

const reference = (sources: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...sources), fc.constantFrom('as it is', 'as it is', 'with a default'))
    .map(([source, spelling]) => SPELLINGS[spelling]?.(source) ?? source);

const anyReference: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...READABLE, ...ADDRESSES, ...FORBIDDEN),
    fc.constantFrom(...Object.values(SPELLINGS)),
  )
  .map(([source, spelled]) => spelled(source));

/** Where it stands in what was there before. */
const POSITIONS: Readonly<Record<string, (text: string, reference: string) => string>> = {
  alone: (_, one) => one,
  before: (text, one) => `${one}${text}`,
  after: (text, one) => `${text}${one}`,
  inside: (text, one) => {
    const middle = Math.ceil(text.length / 2);
    return `${text.slice(0, middle)}${one}${text.slice(middle)}`;
  },
  'after xn--': (_, one) => `xn--${one}`,
};

interface Edit {
  readonly field: number;
  readonly isKey: boolean;
  readonly position: string;
  readonly reference: string;
}

const edits = (
  references: fc.Arbitrary<string>,
  count: { readonly minLength: number; readonly maxLength: number },
): fc.Arbitrary<readonly Edit[]> =>
  fc.array(
    fc.record({
      field: fc.nat(),
      isKey: fc.nat(5).map(number => number === 0),
      position: fc.constantFrom(...Object.keys(POSITIONS)),
      reference: references,
    }),
    count,
  );

const address = (places: readonly string[], sources: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...places), reference(sources))
    .map(([place, one]) => place.replaceAll('*', one));

const ALLOWED_ADDRESSES = fc.oneof(
  address(
    ALLOWED_PLACES.filter(place => place !== '*'),
    READABLE,
  ),
  address(['*'], ADDRESSES),
);

/** Links, from the folder of desired state. */
const LINKS: Readonly<Record<string, string>> = {
  linked: '../..',
  'linked.txt': '../../.vault-token',
  'linked.yaml': '../../.aws/credentials',
  'linked.env.yaml': '../../work/.env',
  'keys.yml': '../../.config/sops/age/keys.txt',
  'environ.yaml': '/proc/self/environ',
  'meshform.yaml': '../../.config/gh/hosts.yml',
  '../plan.json': '../.vault-token',
  '../plan.html': '../.netrc',
  '../exported': '../.ssh',
};

const NAMES = [
  '::add-mask::a.yaml',
  '##[group]a.yaml',
  '${env:DEPLOY_KEY}.yaml',
  '$(printenv DEPLOY_KEY).yaml',
  '`id`.yaml',
  '-rf.yaml',
  '--format=json.yaml',
  'a\nb.yaml',
  'a"\'b.yaml',
  '%2e%2e%2f.yaml',
  'ünïcode.yaml',
  '..yaml',
  'a\\b.yml',
  'plan.json.yaml',
];

/** Settings of the project; `*` is a reference, `@` the address of a server of the author. */
const PROJECTS: readonly JsonObject[] = [
  { url: '@' },
  { url: '@/*' },
  { url: 'https://*.example.com' },
  { account: '*' },
  { name: '*' },
  { exclude: ['*'] },
  { protect: ['group/*'] },
  { allow: ['*'] },
  { guarded: ['*'] },
  { acknowledge: [{ object: 'group/*', reason: '*', until: '2099-01-01' }] },
  { inputs: { a: '*' } },
];

/** What is in a pull request. */
export interface DrawnPull {
  /** Files of desired state by their names; `@` is the address of a server of the author. */
  readonly files: ReadonlyMap<string, JsonObject>;
  readonly sealed: readonly SealedFile[];
  readonly links: readonly (readonly [path: string, target: string])[];
  readonly names: readonly string[];
  readonly project: JsonObject;
  /** Programs, settings of git and links of folders; null for a plain checkout. */
  readonly planted: (typeof planting extends fc.Arbitrary<infer Planted> ? Planted : never) | null;
}

interface Drawn extends Omit<DrawnPull, 'files'> {
  /** Whether every kind is in it. */
  readonly isWhole: boolean;
  /** Whether objects of the account have ended in it. */
  readonly isEnding: boolean;
  readonly secretEdits: readonly Edit[];
  readonly edits: readonly Edit[];
  readonly addresses: readonly string[];
}

const rarely = <T>(drawn: fc.Arbitrary<T>, none: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: drawn });

const links = (isChosen: (path: string) => boolean) =>
  rarely(
    fc.subarray(
      Object.entries(LINKS).filter(([path]) => isChosen(path)),
      { minLength: 1, maxLength: 3 },
    ),
    [],
  );

const shared = {
  isWhole: fc.nat(3).map(number => number === 0),
  isEnding: fc.boolean(),
  names: rarely(fc.subarray([...NAMES], { minLength: 1, maxLength: 2 }), []),
  planted: rarely(planting, null),
};

/** Nothing in it is an error: what it has is read, planned and printed. */
const valid: fc.Arbitrary<Drawn> = fc.record({
  ...shared,
  secretEdits: edits(reference(READABLE), { minLength: 1, maxLength: 6 }),
  edits: fc.constant([]),
  addresses: fc.array(ALLOWED_ADDRESSES, { minLength: 1, maxLength: 3 }),
  sealed: fc.constant([]),
  links: links(path => !/ya?ml$/.test(path)),
  project: fc.constant({}),
});

/** Most of these have errors. */
const wild: fc.Arbitrary<Drawn> = fc.record({
  ...shared,
  secretEdits: edits(anyReference, { minLength: 0, maxLength: 3 }),
  edits: edits(anyReference, { minLength: 0, maxLength: 3 }),
  addresses: fc.array(
    fc.oneof(
      ALLOWED_ADDRESSES,
      address(MISPLACED, [...READABLE, ...ADDRESSES]),
      address(['*', 'https://hooks.example.com/*', '@/*', '@*'], FORBIDDEN),
    ),
    { maxLength: 3 },
  ),
  sealed: rarely(fc.array(sealedFiles, { minLength: 1, maxLength: 2 }), []),
  links: links(() => true),
  project: rarely(
    fc
      .tuple(fc.constantFrom(...PROJECTS), anyReference)
      .map(([project, one]) => mapTexts(project, text => text.replaceAll('*', one))),
    {},
  ),
});

const written = (drawn: fc.Arbitrary<Drawn>): fc.Arbitrary<DrawnPull> =>
  drawn.map(({ isWhole, isEnding, secretEdits, edits: stray, addresses, ...others }) => ({
    ...others,
    files: filesOf({
      isWhole,
      isEnding,
      secretEdits,
      edits: stray,
      addresses,
      sealed: others.sealed,
    }),
  }));

export const drawnPull: fc.Arbitrary<DrawnPull> = written(fc.oneof(valid, wild));

/** One that has references and nothing else, so that there is a plan of it. */
export const plannedPull: fc.Arbitrary<DrawnPull> = written(
  valid.map(drawn => ({ ...drawn, isWhole: false, names: [], planted: null, links: [] })),
);

/** An object of the account that ended. */
export const ENDED_CHANNEL = 'https://hooks.example.com/ended';

function filesOf({
  isWhole,
  isEnding,
  secretEdits,
  edits: stray,
  addresses,
  sealed,
}: Pick<
  Drawn,
  'isWhole' | 'isEnding' | 'secretEdits' | 'edits' | 'addresses' | 'sealed'
>): ReadonlyMap<string, JsonObject> {
  const files = structuredClone(
    new Map([...DOCUMENTS].filter(([name]) => isWhole || SECRET_FILES.test(name))),
  );
  const fields = [...files.values()].flatMap(document => fieldsOf(document));
  edit(
    fields.filter(({ text }) => text.includes('${env:')),
    secretEdits.map(one => ({ ...one, isKey: false })),
  );
  edit(fields, stray);
  const channels = files.get('notification_channels.yaml');
  const list = channels?.notification_channels;
  const opening = sealed.map(({ name }) => `\${sops:${name}#hook.url}`);
  for (const url of [...addresses, ...opening])
    if (isList(list)) (list as Json[]).push(webhook(url));
  if (isEnding && isList(list))
    (list as Json[]).push({ ...webhook(ENDED_CHANNEL), lifecycle: { until: '2026-01-01' } });
  return files;
}

const webhook = (url: string): JsonObject => ({
  type: 'webhook',
  event_types: ['user.join'],
  target: { url, headers: { Authorization: 'Bearer ${env:DEPLOY_KEY}' } },
});

interface Field {
  readonly text: string;
  readonly rename: (key: string) => void;
  readonly set: (text: string) => void;
}

// Every text in a document, to be changed in place.
function fieldsOf(part: Json): Field[] {
  const entries = isList(part) ? [...part.entries()] : isObject(part) ? Object.entries(part) : [];
  return entries.flatMap(([key, value]) => {
    const own = part as Record<string | number, Json>;
    if (typeof value !== 'string') return fieldsOf(value);
    const set = (text: string) => {
      own[key] = text;
    };
    const rename = (text: string) => {
      delete own[key];
      own[text] = value;
    };
    return [{ text: value, set, rename: isList(part) ? set : rename }];
  });
}

function edit(fields: readonly Field[], changes: readonly Edit[]): void {
  for (const { field, isKey, position, reference: one } of changes) {
    const { text, set, rename } = fields[field % fields.length] ?? {};
    const placed = POSITIONS[position]?.(text ?? '', one) ?? one;
    if (isKey) rename?.(placed);
    else set?.(placed);
  }
}

/** A value with every text of it changed. */
export function mapTexts<T extends Json>(value: T, change: (text: string) => string): T {
  const mapped = (inner: Json): Json => {
    if (typeof inner === 'string') return change(inner);
    if (isList(inner)) return inner.map(mapped);
    if (!isObject(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, item]) => [change(key), mapped(item)]),
    );
  };
  return mapped(value) as T;
}
