// Encrypted files whose metadata sends whoever opens them to a server of their author: in every format, and in the ways that the
// readers of `sops` accept and others do not.
import { fc } from '../../support/seeded.ts';

export interface SealedFile {
  readonly name: string;
  /** `@` is the address of the server. */
  readonly text: string;
}

/** Keys that `sops` asks a service for. */
const KEYS: readonly (readonly [type: string, fields: Readonly<Record<string, string>>])[] = [
  ['hc_vault', { vault_address: '@', engine_path: 'transit', key_name: 'k', enc: 'x' }],
  ['azure_kv', { vault_url: '@', name: 'k', version: '1', enc: 'x' }],
  ['kms', { arn: 'arn:aws:kms:@:1:key/k', enc: 'x' }],
  ['kms', { arn: 'arn:aws:kms:eu-west-1:1:key/k', role: 'arn:aws:iam::1:role/@', enc: 'x' }],
  ['gcp_kms', { resource_id: 'projects/@/keyRings/r/cryptoKeys/k', enc: 'x' }],
  ['hckms', { key_id: '@:k', enc: 'x' }],
];

type Key = (typeof KEYS)[number];

const VALUE = 'ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]';
const OWN = ['age', { recipient: 'age1x', enc: 'x' }] as const;

const withKeys = (...keys: readonly Key[]) => ({
  ...Object.fromEntries(keys.map(([type, fields]) => [type, [fields]])),
  mac: VALUE,
});

const asJson = (metadata: unknown, name = 'sops'): string =>
  JSON.stringify({ hook: { url: VALUE }, [name]: metadata });

const lines = (key: Key, prefix: string, between: string): string =>
  Object.entries(key[1])
    .map(([field, value]) => `${prefix}${key[0]}__list_0__map_${field}${between}${value}\n`)
    .join('');

/** The ways to write a key, each as the ending of the file and its text. */
const WAYS: readonly ((key: Key) => SealedFile)[] = [
  key => ({ name: 'vault.yaml', text: asJson(withKeys(key)) }),
  key => ({ name: 'vault.yaml', text: asJson(withKeys(OWN, key)) }),
  key => ({ name: 'vault.yaml', text: asJson({ key_groups: [withKeys(OWN), withKeys(key)] }) }),
  key => ({
    name: 'anchors.yaml',
    text: `hook: { url: '${VALUE}' }\nown: &own ${JSON.stringify(withKeys(key))}\nsops: *own\n`,
  }),
  key => ({
    name: 'merged.yaml',
    text: `hook: { url: '${VALUE}' }\nown: &own ${JSON.stringify(withKeys(key))}\nsops: { <<: *own, age: [{ enc: x }] }\n`,
  }),
  key => ({
    name: 'twice.yaml',
    text: `sops: ${JSON.stringify(withKeys(OWN))}\nhook: { url: '${VALUE}' }\nsops: ${JSON.stringify(withKeys(key))}\n`,
  }),
  key => ({
    name: 'documents.yaml',
    text: `hook: { url: '${VALUE}' }\nsops: ${JSON.stringify(withKeys(OWN))}\n---\nsops: ${JSON.stringify(withKeys(key))}\n`,
  }),
  key => ({
    name: 'tagged.yaml',
    text: `hook: { url: '${VALUE}' }\n!!str sops: ${JSON.stringify(withKeys(key))}\n`,
  }),
  key => ({ name: 'vault.json', text: asJson(withKeys(OWN, key)) }),
  key => ({ name: 'capitals.json', text: asJson(withKeys(OWN, key), 'SOPS') }),
  key => ({ name: 'folded.json', text: asJson(withKeys(OWN, key), 'ſops') }),
  key => ({
    name: 'twice.json',
    text: `{"hook":{"url":"${VALUE}"},"sops":${JSON.stringify(withKeys(key))},"sops":${JSON.stringify(withKeys(OWN))}}`,
  }),
  key => ({
    name: 'inner.json',
    text: asJson(withKeys(OWN))
      .replace('"recipient"', `"x":"}","recipient"`)
      .replace('"age":', `"${key[0].toUpperCase()}":${JSON.stringify([key[1]])},"age":`),
  }),
  key => ({ name: 'vault.env', text: `url=${VALUE}\n${lines(key, 'sops_', '=')}` }),
  key => ({ name: 'vault.ini', text: `[hook]\nurl = ${VALUE}\n[sops]\n${lines(key, '', ' = ')}` }),
  key => ({ name: 'colons.ini', text: `[hook]\nurl: ${VALUE}\n[sops]\n${lines(key, '', ': ')}` }),
  key => ({ name: 'vault.bin', text: asJson(withKeys(key)) }),
  key => ({ name: 'vault', text: asJson(withKeys(OWN, key)) }),
];

export const sealedFiles: fc.Arbitrary<SealedFile> = fc
  .tuple(fc.constantFrom(...WAYS), fc.constantFrom(...KEYS))
  .map(([way, key]) => way(key));

/** A file that anybody opens with their own key. */
export const SEALED_PLAINLY: SealedFile = {
  name: 'sealed.yaml',
  text: `hook:\n  key: ${VALUE}\n  part: ${VALUE}\n  url: ${VALUE}\nsops: ${JSON.stringify(withKeys(OWN))}\n`,
};
