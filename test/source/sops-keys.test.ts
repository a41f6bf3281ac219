// Which key services a file encrypted with SOPS names, in every format. What `sops` may read in another way is not judged.
import { describe, expect, test } from 'vitest';
import { allowedServices, firstForbidden, keyServices } from '../../src/source/sops/keyServices.ts';
import { metadataOf, type SopsFormat, sopsFormat } from '../../src/source/sops/metadata.ts';

/** The services in a text, or why they cannot be told. */
function servicesIn(text: string, format: SopsFormat): readonly string[] | string {
  const values = metadataOf(text, format);
  const services = values === null ? 'cannot be read' : keyServices(values);
  return typeof services === 'string' ? services : services.map(({ entry }) => entry);
}

const VAULT = 'https://vault.example.com';

const ofEveryType = {
  data: 'ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]',
  sops: {
    kms: [
      { arn: 'arn:aws:kms:eu-west-1:1:key/a', created_at: 'now', enc: 'x', aws_profile: '' },
      { arn: 'arn:aws:kms:eu-west-1:1:key/a', role: 'arn:aws:iam::2:role/r', enc: 'x' },
      { arn: 'arn:aws:kms:eu-west-1:1:key/a', context: { Role: 'x' }, aws_profile: 'ci', enc: 'x' },
    ],
    gcp_kms: [{ resource_id: 'projects/p/locations/global/keyRings/r/cryptoKeys/k', enc: 'x' }],
    azure_kv: [{ vault_url: 'https://v.vault.azure.net', name: 'k', version: '1', enc: 'x' }],
    hc_vault: [{ vault_address: VAULT, engine_path: 'transit', key_name: 'k', enc: 'x' }],
    hckms: [{ key_id: 'tr-west-1:abc', enc: 'x' }],
    age: [{ recipient: 'age1x', enc: '-----BEGIN\nx\n' }],
    pgp: [{ fp: 'ABC', enc: 'x' }],
    mac: 'ENC[x]',
    shamir_threshold: 2,
    version: '3.9.0',
  },
};
const SERVICES = [
  'kms=arn:aws:kms:eu-west-1:1:key/a',
  'kms=arn:aws:kms:eu-west-1:1:key/a+arn:aws:iam::2:role/r',
  'kms=arn:aws:kms:eu-west-1:1:key/a+aws_profile=ci',
  'gcp_kms=projects/p/locations/global/keyRings/r/cryptoKeys/k',
  'azure_kv=https://v.vault.azure.net',
  `hc_vault=${VAULT}`,
  'hckms=tr-west-1:abc',
];

const vaultYaml = (rest = '') =>
  `data: ENC[x]\nsops:\n    hc_vault:\n        - vault_address: ${VAULT}\n          enc: x\n${rest}`;

describe('the key services of a file', () => {
  test.each(['json', 'binary', 'yaml'] as const)('are found with every type, as %s', format => {
    expect(servicesIn(JSON.stringify(ofEveryType, null, '\t'), format)).toEqual(SERVICES);
  });

  test('are found in every group', () => {
    const [one, two] = [VAULT, `${VAULT}:8200`].map(address => ({
      hc_vault: [{ vault_address: address, enc: 'x' }],
      age: [{ recipient: 'age1x', enc: 'x' }],
    }));
    expect(servicesIn(JSON.stringify({ sops: { key_groups: [one, two] } }), 'json')).toEqual([
      `hc_vault=${VAULT}`,
      `hc_vault=${VAULT}:8200`,
    ]);
  });

  test('are found in variables', () => {
    const text = `A=ENC[x]\nsops_age__list_0__map_enc=x\\ny\nsops_hc_vault__list_0__map_vault_address=${VAULT}\nsops_key_groups__list_1__map_kms__list_0__map_arn=arn:a\nsops_mac=x\n`;
    expect(servicesIn(text, 'dotenv')).toEqual([`hc_vault=${VAULT}`, 'kms=arn:a']);
  });

  test('are found in sections, even if another section seems to begin', () => {
    const text = `[a]\nb = ENC[x]\n\n[sops]\nmac = """\n[other]\n"""\nhc_vault__list_0__map_vault_address = ${VAULT}\nage__list_0__map_enc = x\n`;
    expect(servicesIn(text, 'ini')).toEqual([`hc_vault=${VAULT}`]);
  });

  test('are none if all keys are on this machine', () => {
    expect(servicesIn('sops: { age: [{ recipient: age1x }], pgp: [], mac: x }', 'yaml')).toEqual(
      [],
    );
  });

  test('are found in every document', () => {
    const local = 'a: x\nsops: { age: [{ recipient: age1x }] }\n';
    expect(servicesIn(`${local}---\n${vaultYaml()}`, 'yaml')).toEqual([`hc_vault=${VAULT}`]);
  });

  test('are found under a name in another case, as a JSON reader accepts it', () => {
    const text = `{"ſOPS": {"HC_Vault": [{"Vault_Address": "${VAULT}"}]}}`;
    expect(servicesIn(text, 'json')).toEqual([`hc_vault=${VAULT}`]);
  });
});

describe('the key services of an ambiguous file are not determined', () => {
  test.each<[string, SopsFormat, string]>([
    ['no metadata', 'yaml', 'a: 1\n'],
    ['no mapping', 'yaml', '- a\n'],
    ['broken YAML', 'yaml', 'sops: [\n'],
    ['an alias', 'yaml', `x: &x\n    age: [{ enc: x }]\nsops: *x\n`],
    ['a merged map', 'yaml', `x: &x\n    sops: { age: [{ enc: x }] }\n<<: *x\n`],
    ['a merged map in it', 'yaml', vaultYaml('    <<: { kms: [{ arn: a }] }\n')],
    [
      'a tagged key',
      'yaml',
      `!!binary c29wcw==: { hc_vault: [{ vault_address: a }] }\nsops: { age: [{ enc: x }] }\n`,
    ],
    ['a tagged value', 'yaml', 'sops: { hc_vault: [{ vault_address: !!binary aHR0cA== }] }\n'],
    ['a key that is there twice', 'yaml', vaultYaml('sops: { age: [{ enc: x }] }\n')],
    [
      'twice in JSON',
      'json',
      `{"sops":{"hc_vault":[{"vault_address":"a"}]},"sops":{"age":[{"enc":"x"}]}}`,
    ],
    [
      'twice, escaped',
      'json',
      `{"sops":{"hc_vault":[{"vault_address":"a"}]},"so\\u0070s":{"age":[{"enc":"x"}]}}`,
    ],
    ['twice, in another case', 'json', `{"sops":{"age":[{"enc":"x"}],"AGE":[{"enc":"y"}]}}`],
    ['broken JSON', 'json', `{"sops":{"age":[{"enc":"x"}]}} x`],
    ['a byte order mark', 'json', `\ufeff{"sops":{"age":[{"enc":"x"}]}}`],
    ['another encoding', 'yaml', 's\0o\0p\0s\0'],
    ['a position in words', 'dotenv', 'sops_age__list_x__map_enc=a\n'],
    ['a variable twice', 'dotenv', 'sops_age__list_0__map_enc=a\nsops_age__list_0__map_enc=b\n'],
    ['YAML in a binary file', 'binary', vaultYaml()],
  ])('%s', (_, format, text) => {
    expect(servicesIn(text, format)).toBe('cannot be read');
  });

  test('a file with keys of an unknown type, or without an address, is ambiguous', () => {
    expect(servicesIn('sops: { oracle: [{ url: x }], age: [{ enc: x }] }', 'yaml')).toBe(
      'has keys of a type that meshform does not know',
    );
    expect(servicesIn('sops: { hc_vault: [{ enc: x }] }', 'yaml')).toBe(
      'has a key of the type hc_vault without `vault_address`',
    );
    expect(servicesIn('sops: { hc_vault: { vault_address: x } }', 'yaml')).toContain('hc_vault');
    expect(servicesIn('sops: { mac: x }', 'yaml')).toBe('names no key');
  });

  test.each([
    ['kms', { arn: 'a', endpoint: 'https://evil.example.com' }, 'endpoint'],
    ['kms', { arn: 'a', AWS_Profile2: 'x' }, 'aws_profile2'],
    ['gcp_kms', { resource_id: 'a', credentials: 'x' }, 'credentials'],
    ['azure_kv', { vault_url: 'a', tenant: 'x' }, 'tenant'],
    ['hckms', { key_id: 'a', endpoint: 'x' }, 'endpoint'],
    ['hc_vault', { vault_address: 'a', namespace: 'x' }, 'namespace'],
    ['age', { recipient: 'age1x', plugin: 'x' }, 'plugin'],
    ['pgp', { fp: 'A', program: 'x' }, 'program'],
  ])(
    'a file with a key of the type %s with a field that meshform does not know is ambiguous: %j',
    (type, key, field) => {
      expect(servicesIn(JSON.stringify({ sops: { [type]: [key] } }), 'json')).toBe(
        `has a key of the type ${type} with the field \`${field}\`, which meshform does not know`,
      );
    },
  );

  test('a file with a field in parts, which one reader may take for the field itself, is ambiguous', () => {
    const key = 'sops_kms__list_0__map_arn';
    expect(servicesIn(`${key}=evil\n${key}__map_x=allowed\n`, 'dotenv')).toContain('`arn.x`');
    expect(servicesIn('{"sops":{"kms":[{"arn":{"x":"allowed"}}]}}', 'json')).toContain(
      'without `arn`',
    );
    const context = `${key}=a\nsops_kms__list_0__map_context__map_Role=x\n`;
    expect(servicesIn(context, 'dotenv')).toEqual(['kms=a']);
  });

  // sops joins them to a path, so that an allowed server could be asked for anything.
  test.each([
    { engine_path: 'sys', key_name: '../seal' },
    { engine_path: 'sys/..', key_name: 'k' },
    { engine_path: '..', key_name: 'k' },
    { engine_path: 'transit', key_name: 'a/../../x' },
    { engine_path: 'transit', key_name: '.' },
  ])('a file with a key of Vault that leaves its engine is ambiguous: %j', key => {
    const sops = { hc_vault: [{ vault_address: VAULT, ...key }] };
    expect(servicesIn(JSON.stringify({ sops }), 'json')).toMatch(
      /^has a key of the type hc_vault whose `(?:engine_path|key_name)` leads elsewhere$/,
    );
  });

  test.each([
    'a%2e%2e',
    '%2E%2E/x',
    'a?b=',
    'a#b',
    'a\\\\..\\\\b',
    '//evil.example.com/x',
    'a//b',
    '..;/b',
    '/a',
    'a/',
    'a b',
    'a\n',
    'ä',
  ])(
    'a file with a key of Vault or Azure whose path may be read in another way is ambiguous: %j',
    part => {
      for (const [type, field, address] of [
        ['hc_vault', 'engine_path', { vault_address: VAULT }],
        ['hc_vault', 'key_name', { vault_address: VAULT }],
        ['azure_kv', 'name', { vault_url: VAULT }],
        ['azure_kv', 'version', { vault_url: VAULT }],
      ] as const) {
        const sops = { [type]: [{ ...address, [field]: part }] };
        expect(servicesIn(JSON.stringify({ sops }), 'json')).toBe(
          `has a key of the type ${type} whose \`${field}\` is not a plain path of letters, digits and _ . ~ @ + = - in parts separated by /`,
        );
      }
    },
  );

  test('a path of ordinary names is evaluated by its address', () => {
    for (const path of ['transit', 'team-a/transit_2', 'v1.2', '']) {
      const sops = { hc_vault: [{ vault_address: VAULT, engine_path: path, key_name: 'k' }] };
      expect(servicesIn(JSON.stringify({ sops }), 'json')).toEqual([`hc_vault=${VAULT}`]);
    }
  });

  test.each([
    { arn: 'K+aws_profile=ci' },
    { arn: 'K+arn:aws:iam::2:role/r' },
    { arn: 'K', role: 'aws_profile=ci' },
    { arn: 'K', role: 'arn:aws:iam::2:role/r+aws_profile=ci' },
    { arn: 'K+arn:aws:iam::2:role/r', aws_profile: 'ci' },
  ])(
    'a file with a key of AWS whose entry would be the entry of another key is ambiguous: %j',
    key => {
      expect(servicesIn(JSON.stringify({ sops: { kms: [key] } }), 'json')).toBe(
        'has a key of the type kms whose fields can be read in more than one way',
      );
    },
  );

  test('a deeply nested file is ambiguous', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(servicesIn(`{"sops": ${deep}}`, 'json')).not.toEqual([]);
    expect(servicesIn(`{"a": ${deep}, "sops": {"age": [{"enc": "x"}]}}`, 'json')).toEqual([]);
  });
});

test('the format is the one that sops derives from the name', () => {
  const names = ['a.yaml', 'a.yml', 'a.json', 'a.env', '.env', 'a.ini', 'a.YAML', 'a'];
  expect(names.map(sopsFormat)).toEqual([
    'yaml',
    'yaml',
    'json',
    'dotenv',
    'dotenv',
    'ini',
    'binary',
    'binary',
  ]);
});

test.each([
  ['of its own', { aws_profile: 'deploy' }],
  ['beside an allowed role', { role: 'arn:aws:iam::2:role/r', aws_profile: 'deploy' }],
  ['in another case', { AWS_PROFILE: 'deploy' }],
  ['of the name of an allowed role', { aws_profile: 'arn:aws:iam::2:role/r' }],
])('a profile may name a program, so it must be allowed by its name: %s', (_, fields) => {
  const key = { arn: 'arn:aws:kms:eu-west-1:1:key/a', ...fields };
  const values = metadataOf(JSON.stringify({ sops: { kms: [key] } }), 'json') ?? [];
  const services = keyServices(values);
  if (typeof services === 'string') throw new Error(services);
  const { arn } = key;
  const isAllowed = (list: string) => firstForbidden(services, allowedServices(list)) === undefined;
  expect(isAllowed(`kms=${arn},kms=${arn}+arn:aws:iam::2:role/r`)).toBe(false);
  expect(isAllowed(services.map(({ entry }) => entry).join(','))).toBe(true);
});

test('a role with a plus is one role, and a slash at the end of a profile is part of its name', () => {
  const role = 'arn:aws:iam::2:role/a+b';
  const of = (key: object) => servicesIn(JSON.stringify({ sops: { kms: [key] } }), 'json');
  expect(of({ arn: 'K', role, aws_profile: 'ci' })).toEqual([`kms=K+${role}+aws_profile=ci`]);
  const services = [{ entry: 'kms=K+aws_profile=ci/', address: 'K' }];
  expect(firstForbidden(services, allowedServices('kms=K+aws_profile=ci'))).toBeDefined();
  expect(firstForbidden(services, allowedServices('kms=K+aws_profile=ci/'))).toBeUndefined();
});

test('a type alone allows nothing, and an address allows no other address', () => {
  const services = [{ entry: `hc_vault=${VAULT}`, address: VAULT }];
  const isAllowed = (list: string | undefined) =>
    firstForbidden(services, allowedServices(list)) === undefined;
  for (const list of [undefined, '', 'hc_vault', 'hc_vault=', 'age,pgp', `kms=${VAULT}`])
    expect(isAllowed(list)).toBe(false);
  expect(isAllowed(`hc_vault=${VAULT}.evil.com,hc_vault=${VAULT}:80`)).toBe(false);
  expect(isAllowed(`kms=x, hc_vault=${VAULT}/ ,`)).toBe(true);
});
