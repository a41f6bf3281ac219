// Secrets of whoever runs meshform, each of which is in one place alone: a variable, a file of the checkout, an encrypted file, or
// a file of the home.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type SecretLabel,
  secretLabels,
  secrets,
} from '../../properties/generators/secretForms.ts';
import { SECRETS } from '../../support/examples/everything.ts';
import { fc } from '../../support/seeded.ts';

/** Letters and digits alone, for places that take no others. */
const word = secrets(true);
const any = secrets(false);

/** The variables of a job and of a person, besides those that the files name. */
const VARIABLES = {
  DEPLOY_KEY: any,
  MESHFORM_SIGNING_KEY: any,
  MESHFORM_FINGERPRINT_KEY: any,
  AWS_SECRET_ACCESS_KEY: any,
  GITHUB_TOKEN: word,
  CI_JOB_TOKEN: word,
  MESHFORM_WRITER: word,
  VAULT_TOKEN: word,
  SOPS_AGE_KEY: word,
  NPM_TOKEN: word,
};

/** The files of a home, and how a secret stands in each. */
const HOME: Readonly<Record<string, (secret: string) => string>> = {
  '.vault-token': secret => secret,
  '.netrc': secret => `machine forge.example.com\n  login robot\n  password ${secret}\n`,
  '.aws/credentials': secret => `[default]\naws_secret_access_key = ${secret}\n`,
  '.config/sops/age/keys.txt': secret => `# public key: age1x\nAGE-SECRET-KEY-${secret}\n`,
  '.config/gh/hosts.yml': secret => `github.com:\n  oauth_token: ${secret}\n`,
  '.git-credentials': secret => `https://robot:${secret}@forge.example.com\n`,
  '.ssh/id_ed25519': secret => `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n`,
  '.npmrc': secret => `//registry.example.com/:_authToken=${secret}\n`,
  '.docker/config.json': secret => `{"auths":{"example.com":{"auth":"${secret}"}}}\n`,
  'work/.env': secret => `groups: ${secret}\n`,
};

const drawnFor = (names: readonly string[], drawn: fc.Arbitrary<string>) =>
  fc.record(Object.fromEntries(names.map(name => [name, drawn])));

/** What is secret, by its place. A label is the first of a host. */
export const canaries = fc.record({
  variables: fc.record(VARIABLES),
  named: drawnFor(Object.keys(SECRETS), any),
  home: drawnFor(Object.keys(HOME), word),
  labels: fc.record({
    PART: secretLabels,
    HOOK: secretLabels,
    'part.txt': secretLabels,
    'hook.txt': secretLabels,
    'sealed part': secretLabels,
    'sealed hook': secretLabels,
  }),
  texts: fc.record({
    'path of HOOK': word,
    'path of hook.txt': word,
    'path of the sealed hook': word,
    'secret.txt': any,
    'sealed key': any,
  }),
});
export type Canaries = typeof canaries extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const addressOf = ({ written }: SecretLabel, path: string): string =>
  `https://${written}.example.net:8443/services/${path}`;

/** All secrets by what each is called. */
export function valuesOf({
  variables,
  named,
  home,
  labels,
  texts,
}: Canaries): ReadonlyMap<string, string> {
  const all = [variables, named, home, texts].flatMap(part => Object.entries(part));
  const hosts = Object.entries(labels).flatMap(([name, { written, read }]) => [
    [`${name} as written`, written] as const,
    [`${name} as read`, read] as const,
  ]);
  return new Map([...all, ...hosts]);
}

/** The variables. */
export const variablesOf = ({ variables, named, labels, texts }: Canaries) => ({
  ...named,
  ...variables,
  PART: labels.PART.written,
  HOOK: addressOf(labels.HOOK, texts['path of HOOK']),
});

/** What the encrypted file has in it. */
export const openedOf = ({ labels, texts }: Canaries): string =>
  JSON.stringify({
    hook: {
      key: texts['sealed key'],
      part: labels['sealed part'].written,
      url: addressOf(labels['sealed hook'], texts['path of the sealed hook']),
    },
  });

/** Writes the files of a home, and those that a job has put into the folder of desired state. */
export async function writeSecrets(
  { home: secrets, labels, texts }: Canaries,
  { home, folder }: { readonly home: string; readonly folder: string },
): Promise<void> {
  const write = async (file: string, text: string) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await chmod(file, 0o600);
  };
  for (const [name, textWith] of Object.entries(HOME))
    await write(join(home, name), textWith(secrets[name] ?? ''));
  await write(join(folder, 'secret.txt'), `${texts['secret.txt']}\n`);
  await write(join(folder, 'part.txt'), `${labels['part.txt'].written}\n`);
  const hook = addressOf(labels['hook.txt'], texts['path of hook.txt']);
  await write(join(folder, 'hook.txt'), `${hook}\n`);
}
