// Reads the credentials of a fleet. They are in a file outside the checkout, so that no change of the checkout can decide where a
// token is sent.
import { dirname, join, resolve, sep } from 'node:path';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/shippedChecks.ts';
import { sortedAndDistinct } from '../../model/byPosition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import { schemaFindings } from '../../source/findings/findings.ts';
import { parseDocuments } from '../../source/yaml/document.ts';
import type { SourceNode } from '../../source/yaml/node.ts';
import { type Environment, variableIn } from '../environment.ts';
import { readRegular } from '../files/fileText.ts';
import { realOf } from '../files/projectFilesAbove.ts';
import { repositoryOf } from '../git/repository.ts';
import type { SopsKeys } from '../sops.ts';

/** The variable that names the file. */
export const FLEET_CREDENTIALS = 'MESHFORM_FLEET_CREDENTIALS';

/** The server and the token of some accounts, and the variables that their files may read. */
export interface Credential {
  readonly url: string;
  /** The address of the same server before it moved. */
  readonly formerUrl?: string;
  readonly token: string;
  /** The path of the file with the certificates of a private server. */
  readonly caFile?: string;
  /** The names of the variables that `${env:NAME}` may read. */
  readonly variables: ReadonlySet<string>;
  /** Their values. */
  readonly env: Environment;
  /**
   * The path of the age keys of an account, with `${account.name}` in it; `shared` if all accounts use the keys of the run.
   * Absent if no keys are named.
   */
  readonly sops?: { readonly ageKeyFile: string } | 'shared';
}

/** The credentials by name. Those with a fault are left out. */
export interface ReadCredentials {
  readonly credentials: ReadonlyMap<string, Credential>;
  readonly diagnostics: readonly Diagnostic[];
}

/** An entry as it is written. */
interface Written {
  readonly url: string;
  readonly former_url?: string;
  readonly token?: string;
  readonly token_env?: string;
  readonly token_file?: string;
  readonly ca_file?: string;
  readonly env?: readonly string[] | Readonly<Record<string, string>>;
  readonly sops?: 'shared';
  readonly sops_age_key_file?: string;
}

/** The environment in which the credentials are read. */
export interface CredentialsHost {
  readonly cwd: string;
  readonly env: Environment;
  /** The fleet file. */
  readonly fleet: string;
  /** The entries that may cover several accounts. */
  readonly forMany: ReadonlySet<string>;
  /** Receives every secret. */
  readonly onSecret: (value: string) => void;
}

/** The entries of the file, before any token is read. Those that the file lacks are left out. */
interface ReadEntries {
  readonly entries: readonly (EntryPlace & { readonly entry: Written })[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the file at `path`, and returns the credentials of the entries in `used`. */
export function readCredentials(
  path: string,
  used: ReadonlySet<string>,
  host: CredentialsHost,
): ReadCredentials {
  const { entries, diagnostics } = readEntries(path, used, host);
  const read = entries.map(
    ({ entry, ...place }) => [place.name, credentialOf(entry, place, host)] as const,
  );
  return {
    credentials: new Map(read.flatMap(([name, one]) => ('code' in one ? [] : [[name, one]]))),
    diagnostics: diagnostics.concat(read.flatMap(([, one]) => ('code' in one ? one : []))),
  };
}

/** The variables that the files of accounts may read, by the name of their credentials; see `Credential`. */
export interface ReadVariables {
  readonly variables: ReadonlyMap<string, ReadonlySet<string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the variables of the entries in `used` from the file at `path`, and no token. */
export function readVariables(
  path: string,
  used: ReadonlySet<string>,
  host: Pick<CredentialsHost, 'cwd' | 'fleet'>,
): ReadVariables {
  const { entries, diagnostics } = readEntries(path, used, host);
  return {
    variables: new Map(entries.map(({ name, entry }) => [name, variablesOf(entry)])),
    diagnostics,
  };
}

function readEntries(
  path: string,
  used: ReadonlySet<string>,
  { cwd, fleet }: Pick<CredentialsHost, 'cwd' | 'fleet'>,
): ReadEntries {
  const file = resolve(cwd, path);
  const document = documentAt(file, { path, fleet });
  if (Array.isArray(document)) return { entries: [], diagnostics: document };
  const written = document.value as unknown as Readonly<Record<string, Written>>;
  const names = Array.from(used);
  const entries = names.flatMap(name => {
    const entry = Object.hasOwn(written, name) ? written[name] : undefined;
    return entry === undefined ? [] : [{ name, home: dirname(file), document, entry }];
  });
  const found = new Set(entries.map(({ name }) => name));
  const diagnostics = names
    .filter(name => !found.has(name))
    .map(name =>
      fault(
        `${quoted(path)} of ${FLEET_CREDENTIALS} has no entry ${quoted(name)}`,
        'add it with its `url` and `token_env`, or correct `credentials`',
      ),
    );
  return { entries, diagnostics };
}

interface CredentialsFile {
  /** The path of the file as it was given. */
  readonly path: string;
  readonly fleet: string;
}

// The document of the file if its schema allows it, otherwise its faults.
function documentAt(file: string, { path, fleet }: CredentialsFile): SourceNode | Diagnostic[] {
  if (isInCheckout(file, fleet))
    return [
      fault(
        `${quoted(path)} of ${FLEET_CREDENTIALS} is in the checkout of the fleet file`,
        'keep the file outside the checkout: a pull request must not choose where tokens go',
      ),
    ];
  const read = readRegular(file);
  if ('why' in read)
    return [
      fault(
        `${quoted(path)} of ${FLEET_CREDENTIALS} cannot be read: ${read.why}`,
        'name a file that has, for each `credentials` of the fleet file, `url` and `token_env`',
      ),
    ];
  const { documents, diagnostics } = parseDocuments({ file: path, text: read.text });
  const [document] = documents;
  if (!document || diagnostics.length > 0) return [...diagnostics];
  const findings = findingsIn(document);
  return findings.length > 0 ? [...sortedAndDistinct(findings)] : document;
}

function findingsIn(document: SourceNode): readonly Diagnostic[] {
  const check = shippedSchemaCheck(shippedSchema('fleet-credentials.schema.json'));
  const errors = check(document.value) ? [] : (check.errors ?? []);
  const stated = errors.filter(error => error.keyword !== 'not');
  return [...schemaFindings(stated, document), ...exclusive(document)];
}

interface EntryPlace {
  readonly name: string;
  /** The folder of the file. */
  readonly home: string;
  readonly document: SourceNode;
}

function credentialOf(
  entry: Written,
  { name, home, document }: EntryPlace,
  host: CredentialsHost,
): Credential | Diagnostic {
  const keys = faultOfKeys(entry, { name, home }, host);
  if (keys) return { ...keys, at: document.at([name, 'sops_age_key_file']) };
  for (const field of ['token_file', 'ca_file'] as const) {
    const inside = faultOfPlace(entry[field], { name, home, field }, host);
    if (inside) return { ...inside, at: document.at([name, field]) };
  }
  const opened = open(entry, home, host);
  if (!('why' in opened)) return opened;
  const hint = 'a token is one line of ASCII letters, digits and punctuation';
  const at = document.keyAt([name]);
  return { ...fault(`the token of ${quoted(name)} ${opened.why}`, hint), at };
}

// The schema's `oneOf` and `not`, in sentences.
function exclusive(document: SourceNode): Diagnostic[] {
  const entries = isObject(document.value) ? Object.entries(document.value) : [];
  return entries.flatMap(([name, entry]) => {
    if (!isObject(entry)) return [];
    const tokens = Object.keys(entry).filter(field => /^token(?:_env|_file)?$/.test(field));
    const hasBoth = Object.hasOwn(entry, 'sops') && Object.hasOwn(entry, 'sops_age_key_file');
    const at = document.keyAt([name]);
    const found: Diagnostic[] = [];
    if (tokens.length !== 1)
      found.push({
        ...fault(
          `${quoted(name)} names ${tokens.length === 0 ? 'no token' : `several tokens: ${tokens.join(', ')}`}`,
          'write one of token, token_env and token_file',
        ),
        at,
      });
    if (hasBoth)
      found.push({
        ...fault(
          `${quoted(name)} has \`sops\` and \`sops_age_key_file\``,
          'write `sops_age_key_file` if each account has a key of its own, otherwise `sops: shared`',
        ),
        at,
      });
    return found;
  });
}

// The fault of a file in the checkout, where a pull request could replace the token, or the certificates that decide which server
// gets the token. Undefined if there is none.
function faultOfPlace(
  written: string | undefined,
  { name, home, field }: Pick<EntryPlace, 'name' | 'home'> & { readonly field: string },
  { fleet }: CredentialsHost,
): Diagnostic | undefined {
  if (written === undefined || !isInCheckout(resolve(home, written), fleet)) return undefined;
  return fault(
    `${quoted(written)} of ${quoted(field)} of ${quoted(name)} is in the checkout of the fleet file`,
    'keep the file outside the checkout: a pull request must not choose what decides where tokens go',
  );
}

const NAME = '${account.name}';

// The fault of a key file: a placeholder without a value, one file for several accounts, or a file in the checkout. Undefined if
// there is none.
function faultOfKeys(
  { sops_age_key_file: written }: Written,
  { name, home }: { readonly name: string; readonly home: string },
  { fleet, forMany }: CredentialsHost,
): Diagnostic | undefined {
  if (written === undefined) return undefined;
  const [other] = written.replaceAll(NAME, '').match(/\$\{[^}]*\}?/) ?? [];
  if (other !== undefined)
    return fault(
      `${quoted(other)} has no value in \`sops_age_key_file\` of ${quoted(name)}`,
      `write ${NAME}, which is the name of the account`,
    );
  if (forMany.has(name) && !written.includes(NAME))
    return fault(
      `the files of all accounts of ${quoted(name)} would be decrypted with the keys in ${quoted(written)}`,
      `write ${NAME} into \`sops_age_key_file\`, or \`sops: shared\` instead of it if each account may read what the others encrypt`,
    );
  // The name of an account is a whole component of the path, so the folders before it already decide whether the file is in the
  // checkout.
  const path = resolve(home, written);
  const [before = path] = path.split(NAME);
  const folder = realOf(dirname(`${before}.`));
  if (isInCheckout(path, fleet) || isInCheckout(join(folder, 'x'), fleet))
    return fault(
      `the key file ${quoted(written)} of ${quoted(name)} is in the checkout of the fleet file`,
      'keep keys outside the checkout: whoever can read the repository could decrypt',
    );
  return undefined;
}

/** The keys that open the encrypted files of an account; undefined if the keys of the run are used. */
export function sopsKeysOf(
  { sops }: Credential,
  { name, credentials }: { readonly name: string; readonly credentials: string },
): SopsKeys | undefined {
  if (sops === 'shared') return undefined;
  if (sops) return { ageKeyFile: sops.ageKeyFile.replaceAll(NAME, () => name) };
  return {
    refused: {
      why: `the credentials ${quoted(credentials)} name no keys for encrypted files of its accounts`,
      hint: `write \`sops_age_key_file: /keys/${NAME}.txt\` into this entry of ${FLEET_CREDENTIALS}; or \`sops: shared\`, if each account may read what the others encrypt`,
    },
  };
}

function isInCheckout(file: string, fleet: string): boolean {
  const root = repositoryOf(fleet)?.root;
  const home = realOf(root ?? dirname(fleet));
  return realOf(file).startsWith(`${home}${sep}`) || file.startsWith(`${home}${sep}`);
}

function open(
  entry: Written,
  home: string,
  { env: all, onSecret }: CredentialsHost,
): Credential | { readonly why: string } {
  const { url, former_url, token, token_env, token_file, ca_file, env = {} } = entry;
  const { sops, sops_age_key_file } = entry;
  let text = token;
  if (token_env !== undefined) text = variableIn(all, token_env);
  if (token_file !== undefined) {
    const read = readRegular(resolve(home, token_file));
    if ('why' in read) return { why: `cannot be read from ${quoted(token_file)}: ${read.why}` };
    text = read.text;
  }
  const trimmed = text?.trim() ?? '';
  if (trimmed === '')
    return { why: token_env === undefined ? 'is empty' : `is not set: ${token_env}` };
  onSecret(trimmed);
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    return { why: 'contains a character that tokens cannot contain' };
  const readable = isNames(env)
    ? Object.fromEntries(env.map(name => [name, variableIn(all, name)]))
    : env;
  return {
    url: url.replace(/\/+$/, ''),
    ...(former_url !== undefined && { formerUrl: former_url }),
    token: trimmed,
    ...(ca_file !== undefined && { caFile: resolve(home, ca_file) }),
    variables: variablesOf(entry),
    env: readable,
    ...(sops && { sops }),
    ...(sops_age_key_file !== undefined && {
      sops: { ageKeyFile: resolve(home, sops_age_key_file) },
    }),
  };
}

const variablesOf = ({ env = [] }: Written): ReadonlySet<string> =>
  new Set(isNames(env) ? env : Object.keys(env));

const isNames = (
  env: readonly string[] | Readonly<Record<string, string>>,
): env is readonly string[] => Array.isArray(env);

const fault = (message: string, hint: string): Diagnostic => ({
  code: 'FLEET_CREDENTIALS',
  severity: 'error',
  message,
  hint,
});
